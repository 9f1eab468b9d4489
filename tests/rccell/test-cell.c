/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One cell, TTI by TTI: who is served, what falls; and the radio below it.
 */
#include <glib.h>
#include <math.h>
#include <stdlib.h>

#include "rccell/cell.h"
#include "rccell/fading.h"
#include "rccell/layout.h"

#define MS RCC_MSEC
#define PHONES 4

typedef struct {
  RccPhone phones[PHONES];
  guint n;
  guint sent[PHONES], discarded[PHONES];
  RccTime now;
} Rig;

static void
on_sent (void *user, unsigned phone, const RccCarried *carried)
{
  ((Rig *) user)->sent[phone]++;
  free (carried->datagram);
}

static void
on_discarded (void *user, unsigned phone, const RccCarried *carried)
{
  ((Rig *) user)->discarded[phone]++;
  free (carried->datagram);
}

static void
put (Rig *r, guint phone, guint size)
{
  const RccCarried carried = { .datagram = g_malloc0 (sizeof (RccDatagram)), .at = r->now,
    .size = size, .left = size };

  rcc_fifo_put (&r->phones[phone].queue, &carried);
}

/* Of a TTI. */
static double
serve (Rig *r)
{
  const unsigned all[PHONES] = { 0, 1, 2, 3 };
  const RccCellHooks hooks = { on_sent, on_discarded, r };

  r->now += RCC_CELL_TTI;
  return rcc_cell_serve (r->phones, all, r->n, &hooks);
}

static void
discard (Rig *r, RccTime limit)
{
  const RccCellHooks hooks = { on_sent, on_discarded, r };

  for (guint i = 0; i < r->n; i++)
    rcc_phone_discard (&r->phones[i], i, limit, r->now, &hooks);
}

static Rig *
rig_new (guint n, double bits)
{
  Rig *r = g_new0 (Rig, 1);

  r->n = n;
  for (guint i = 0; i < n; i++) {
    rcc_phone_init (&r->phones[i]);
    r->phones[i].bits = bits;
  }
  return r;
}

static void
rig_free (Rig *r)
{
  for (guint i = 0; i < r->n; i++)
    rcc_fifo_clear (&r->phones[i].queue);
  g_free (r);
}

/* 8000 bits a TTI are a packet of 1000 bytes; half of one takes half of the TTI. */
static void
one_phone_has_all (void)
{
  Rig *r = rig_new (1, 8000);

  g_assert_cmpfloat (serve (r), ==, 0);
  for (guint i = 0; i < 10; i++)
    put (r, 0, 1000);
  for (guint i = 1; i <= 10; i++) {
    g_assert_cmpfloat (fabs (serve (r) - 1), <, 1e-9);
    g_assert_cmpuint (r->sent[0], ==, i);
  }
  put (r, 0, 500);
  g_assert_cmpfloat (fabs (serve (r) - .5), <, 1e-9);
  put (r, 0, 1500);
  serve (r);
  g_assert_cmpuint (r->sent[0], ==, 11);
  g_assert_cmpfloat (fabs (serve (r) - .5), <, 1e-9);
  g_assert_cmpuint (r->sent[0], ==, 12);
  rig_free (r);
}

/* Proportionally fair: each has its own rate for the same share of the time. */
static void
shares_are_of_time (void)
{
  Rig *r = rig_new (3, 8000);

  r->phones[1].bits = 16000;
  r->phones[2].bits = 4000;
  for (guint i = 0; i < 30000; i++) {
    for (guint k = 0; k < 3; k++)
      while (r->phones[k].queue.n < 20)
        put (r, k, 500);
    serve (r);
  }
  g_test_message ("%u, %u and %u packets", r->sent[0], r->sent[1], r->sent[2]);
  for (guint k = 0; k < 3; k++) {
    const double alone = 30000 * r->phones[k].bits / 4000;

    g_assert_cmpfloat (fabs (r->sent[k] / alone - 1 / 3.0), <, 0.02);
  }
  rig_free (r);
}

/* What one has no use for is the next one's; out of coverage nothing is sent. */
static void
the_rest_is_the_next_ones (void)
{
  Rig *r = rig_new (3, 8000);

  r->phones[2].bits = 0;
  put (r, 0, 250);
  put (r, 1, 250);
  put (r, 2, 250);
  g_assert_cmpfloat (fabs (serve (r) - .5), <, 1e-9);
  g_assert_cmpuint (r->sent[0], ==, 1);
  g_assert_cmpuint (r->sent[1], ==, 1);
  g_assert_cmpuint (r->sent[2], ==, 0);
  rig_free (r);
}

/* Not what a part of has left, but what waits behind it. */
static void
what_waits_too_long_falls (void)
{
  Rig *r = rig_new (2, 4000);

  for (guint i = 0; i < 3; i++)
    put (r, 0, 1000);
  put (r, 1, 1000);
  r->phones[1].bits = 0;
  serve (r);
  r->now = 200 * MS;
  put (r, 0, 1000);
  discard (r, 200 * MS);
  g_assert_cmpuint (r->discarded[0] + r->discarded[1], ==, 0);
  r->now++;
  discard (r, 200 * MS);
  g_assert_cmpuint (r->discarded[0], ==, 2);
  g_assert_cmpuint (r->discarded[1], ==, 1);
  g_assert_cmpuint (r->phones[0].queue.n, ==, 2);
  for (guint i = 0; i < 3; i++)
    serve (r);
  g_assert_cmpuint (r->sent[0], ==, 2);
  rig_free (r);
}

/* --- the radio ------------------------------------------------------------ */

static void
bits_by_sinr (void)
{
  g_assert_cmpfloat (fabs (rcc_cell_bits (1e9) - 29700), <, 1e-6);
  g_assert_cmpfloat (rcc_cell_bits (0.1), ==, 0);
  for (double db = -5; db < 20; db++)
    g_assert_cmpfloat (rcc_cell_bits (pow (10, db / 10)), <=,
        rcc_cell_bits (pow (10, db / 10 + .1)));
}

/* Rayleigh's with two antennas: mean 1, variance 1/2, and J0 (2 pi f t) squared between samples.
 * That is .98 after 5 ms and near its zero at 70. */
static void
a_walker_fades (void)
{
  double sum = 0, squares = 0, near = 0, far = 0, values[4000];
  guint n = 0;
  RccRng rng;

  rcc_rng_init (&rng, 1, 2);
  for (guint u = 0; u < 200; u++) {
    RccFading f;

    rcc_fading_init (&f, &rng);
    for (guint i = 0; i < G_N_ELEMENTS (values); i++)
      values[i] = rcc_fading_next (&f);
    for (guint i = 0; i + 14 < G_N_ELEMENTS (values); i++, n++) {
      sum += values[i];
      squares += (values[i] - 1) * (values[i] - 1);
      near += (values[i] - 1) * (values[i + 1] - 1);
      far += (values[i] - 1) * (values[i + 14] - 1);
    }
  }
  g_test_message ("mean %.3f, variance %.3f, correlation %.3f after 5 ms, %.3f after 70",
      sum / n, squares / n, near / squares, far / squares);
  g_assert_cmpfloat (fabs (sum / n - 1), <, .03);
  g_assert_cmpfloat (fabs (squares / n - .5), <, .06);
  g_assert_cmpfloat (near / squares, >, .95);
  g_assert_cmpfloat (fabs (far / squares), <, .3);
}

static int
by_value (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* All cells at full load: what is a few dB in the median is below 0 at the edge of a cell. Each has
 * its share of the calls, as it is wrapped around. */
static void
case_1 (void)
{
  double full[RCC_LAYOUT_CELLS], none[RCC_LAYOUT_CELLS] = { 0 }, db[20000];
  guint calls[RCC_LAYOUT_CELLS] = { 0 };
  RccRng rng;

  rcc_rng_init (&rng, 3, 4);
  for (guint k = 0; k < RCC_LAYOUT_CELLS; k++)
    full[k] = 1;
  for (guint i = 0; i < G_N_ELEMENTS (db); i++) {
    RccPlace place;

    rcc_layout_place (&place, &rng);
    calls[place.cell]++;
    db[i] = 10 * log10 (rcc_layout_sinr (&place, full));
    g_assert_cmpfloat (rcc_layout_sinr (&place, none), >, rcc_layout_sinr (&place, full));
    for (guint k = 0; k < RCC_LAYOUT_CELLS; k++)
      g_assert_cmpfloat (place.power[k], <=, place.power[place.cell]);
  }
  qsort (db, G_N_ELEMENTS (db), sizeof *db, by_value);
  g_test_message ("%.1f dB at 5 %%, %.1f at 50, %.1f at 95", db[1000], db[10000], db[19000]);
  g_assert_cmpfloat (fabs (db[1000] + 4), <, 2);
  g_assert_cmpfloat (fabs (db[10000] - 4), <, 2);
  g_assert_cmpfloat (fabs (db[19000] - 15), <, 3);
  for (guint k = 0; k < RCC_LAYOUT_CELLS; k++)
    g_assert_cmpfloat (fabs (calls[k] * 21.0 / G_N_ELEMENTS (db) - 1), <, .15);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cell/one-phone-has-all", one_phone_has_all);
  g_test_add_func ("/cell/shares-are-of-time", shares_are_of_time);
  g_test_add_func ("/cell/the-rest-is-the-next-ones", the_rest_is_the_next_ones);
  g_test_add_func ("/cell/what-waits-too-long-falls", what_waits_too_long_falls);
  g_test_add_func ("/cell/bits-by-sinr", bits_by_sinr);
  g_test_add_func ("/cell/a-walker-fades", a_walker_fades);
  g_test_add_func ("/cell/case-1", case_1);
  return g_test_run ();
}
