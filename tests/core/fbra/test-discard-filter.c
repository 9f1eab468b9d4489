/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/fbra/discard-filter.h"
#include "core/rng.h"

#define MS RCC_MSEC
#define MAX_DELAY (400 * MS)
#define GAP (10 * MS)                   /* 100 packets a second */

static RccDiscardFilter l;

typedef struct {
  RccTime t;                            /* true time */
  gint64 offset;                        /* of the sender's clock */
  RccTime queue;
  guint n, late;
} Path;

static void
run (Path *p, RccTime span)
{
  for (const RccTime end = p->t + span; p->t < end; p->t += GAP) {
    const RccTime sent = (RccTime) ((gint64) p->t + p->offset);

    p->late += rcc_discard_filter_packet (&l, sent, p->t + 50 * MS + p->queue, MAX_DELAY);
    p->n++;
  }
}

static Path
path (gint64 offset)
{
  rcc_discard_filter_init (&l);
  return (Path) { .t = 1000 * RCC_SEC, .offset = offset };
}

static const gint64 offsets[] = { 0, -(gint64) (900 * RCC_SEC), 3600 * (gint64) RCC_SEC,
  G_GINT64_CONSTANT (1) << 60 };

static void
delay_is_over_the_smallest (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++) {
    Path p = path (offsets[i]);

    run (&p, RCC_SEC);
    g_assert_cmpuint (l.delay, ==, 0);
    p.queue = 300 * MS;
    run (&p, GAP);
    g_assert_cmpfloat (fabs ((double) l.delay - 300e6), <, 1e3);
    rcc_discard_filter_rtt (&l, 100 * MS, p.t);
    run (&p, GAP);
    g_assert_cmpfloat (fabs ((double) l.delay - 350e6), <, 1e3);
    g_assert_cmpuint (p.late, ==, 0);
    p.queue = 351 * MS;                 /* and half of the round trip: over 400 */
    run (&p, GAP);
    g_assert_cmpuint (p.late, ==, 1);
    p = path (offsets[i]);
    run (&p, RCC_SEC);
    p.queue = 5 * RCC_SEC;              /* more ns than 32 bits have */
    run (&p, GAP);
    g_assert_cmpfloat (fabs ((double) l.delay - 5e9), <, 1e3);
  }
}

/* A queue of less than two seconds: what is over the limit is late, what is not is not. */
static void
a_burst_is_late (void)
{
  Path p = path (5);

  run (&p, 10 * RCC_SEC);
  p.queue = 500 * MS;
  run (&p, RCC_SEC);
  g_assert_cmpuint (p.late, ==, 100);
  p.queue = 0;
  run (&p, 10 * RCC_SEC);
  g_assert_cmpuint (p.late, ==, 100);
  g_assert_cmpuint (l.restarts, ==, 0);
}

/* T1: either clock is set, by any amount, at any time: no more than two seconds of
 * packets are called late. */
static void
a_step_never_costs_everything (void)
{
  static const gint64 steps[] = { 500 * (gint64) MS, 3 * (gint64) RCC_SEC,
    64 * (gint64) RCC_SEC, 3600 * (gint64) RCC_SEC, 999 * (gint64) RCC_SEC };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (steps); i++) {
    Path p = path (0);

    run (&p, 30 * RCC_SEC);
    p.offset += i % 2 ? steps[i / 2] : -steps[i / 2];
    run (&p, 120 * RCC_SEC);
    g_assert_cmpuint (p.late, <=, 200);
    if (i % 2 || i / 2 >= 2)            /* later departures, or an absurd jump: none */
      g_assert_cmpuint (p.late, ==, 0);
    p.queue = 500 * MS;                 /* and afterwards it works as before */
    run (&p, RCC_SEC);
    g_assert_cmpuint (p.late, >=, 100);
  }
}

/* A path that is longer from now on is the new normal after two seconds. */
static void
a_longer_path_is_learnt (void)
{
  Path p = path (0);

  run (&p, 30 * RCC_SEC);
  p.queue = 600 * MS;
  run (&p, 60 * RCC_SEC);
  g_assert_cmpuint (p.late, ==, 200);
  g_assert_cmpuint (l.restarts, ==, 1);
}

/* A timestamp that stands still, or counts in another rate than the caps say. */
static void
a_timestamp_that_lies_costs_a_tenth (void)
{
  static const double speeds[] = { 0.0, 0.5, 0.9, 2.0 };

  for (guint k = 0; k < G_N_ELEMENTS (speeds); k++) {
    guint late = 0;

    rcc_discard_filter_init (&l);
    for (guint i = 0; i < 30000; i++)
      late += rcc_discard_filter_packet (&l, RCC_SEC + (RccTime) (speeds[k] * i * (double) GAP),
          RCC_SEC + i * GAP, MAX_DELAY);
    g_assert_cmpuint (late, <=, 3000);
  }
}

static void
drift_is_no_delay (void)
{
  rcc_discard_filter_init (&l);
  for (guint i = 0; i < 3 * 360000; i++) {      /* three hours at 100 ppm: 1.08 s */
    const RccTime t = i * GAP;

    g_assert_false (rcc_discard_filter_packet (&l, RCC_SEC + t - t / 10000, 2 * RCC_SEC + t,
            MAX_DELAY));
  }
}

static void
unknown_is_not_late (void)
{
  rcc_discard_filter_init (&l);
  g_assert_false (rcc_discard_filter_packet (&l, RCC_NEVER, RCC_SEC, 0));
  g_assert_cmpuint (l.delay, ==, RCC_NEVER);
}

/* Half a minute without packets, whenever that is: what came before says nothing any more. */
static void
a_pause_begins_anew (void)
{
  for (guint i = 1; i <= 40; i++) {
    const RccTime heard = i * RCC_SEC;

    rcc_discard_filter_init (&l);
    rcc_discard_filter_packet (&l, RCC_SEC, heard, MAX_DELAY);
    g_assert_false (rcc_discard_filter_packet (&l, RCC_SEC + 30 * RCC_SEC + 1,
            heard + 30 * RCC_SEC + 1 + 2 * MAX_DELAY, MAX_DELAY));
    g_assert_cmpuint (l.restarts, ==, 1);
  }
}

/* A clock that was left is measured anew, without a verdict from the old one. */
static void
restart (void)
{
  Path p = path (0);

  run (&p, 5 * RCC_SEC);
  rcc_discard_filter_restart (&l);
  p.offset = -(gint64) (5 * RCC_SEC);
  run (&p, 5 * RCC_SEC);
  g_assert_cmpuint (p.late, ==, 0);
}

static void
noise (void)
{
  RccRng rng;

  rcc_rng_init (&rng, 1, 2);
  rcc_discard_filter_init (&l);
  for (guint i = 0; i < 1000000; i++) {
    const RccTime sent = (RccTime) rcc_rng_u32 (&rng) << (rcc_rng_u32 (&rng) % 33);

    rcc_discard_filter_packet (&l, sent, i * GAP, MAX_DELAY);
    if (i % 7 == 0)
      rcc_discard_filter_rtt (&l, rcc_rng_u32 (&rng), i * GAP);
  }
  g_assert_cmpuint (l.delay, <, 60 * RCC_SEC);
}

/* By ten seconds, one way or the other, nothing begins anew; by one nanosecond more it does. */
static void
absurd_is_more_than_ten_seconds (void)
{
  for (guint i = 0; i < 4; i++) {
    const gint64 d = (gint64) (RCC_DISCARD_FILTER_DELAY_MAX + i % 2) * (i < 2 ? 1 : -1);
    const RccTime now = 1000 * RCC_SEC;

    rcc_discard_filter_init (&l);
    rcc_discard_filter_packet (&l, now - 50 * MS, now, MAX_DELAY);
    rcc_discard_filter_packet (&l, now + GAP - l.offset - (RccTime) d, now + GAP, MAX_DELAY);
    g_assert_cmpuint (l.restarts, ==, i % 2);
  }
}

/* Whoever was wrong says nothing for twenty seconds, and is believed again after them. */
static void
silence_ends_after_twenty_seconds (void)
{
  Path p = path (0);

  run (&p, 30 * RCC_SEC);
  p.queue = 600 * MS;
  run (&p, 3 * RCC_SEC);
  g_assert_cmpuint (p.late, ==, 200);
  p.queue += 500 * MS;
  run (&p, RCC_SEC);
  g_assert_cmpuint (p.late, ==, 200);
  p.queue -= 500 * MS;
  run (&p, 20 * RCC_SEC);
  p.queue += 500 * MS;
  run (&p, RCC_SEC);
  g_assert_cmpuint (p.late, ==, 300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/discard-filter/over-the-smallest", delay_is_over_the_smallest);
  g_test_add_func ("/discard-filter/burst", a_burst_is_late);
  g_test_add_func ("/discard-filter/step", a_step_never_costs_everything);
  g_test_add_func ("/discard-filter/longer-path", a_longer_path_is_learnt);
  g_test_add_func ("/discard-filter/timestamp-that-lies", a_timestamp_that_lies_costs_a_tenth);
  g_test_add_func ("/discard-filter/drift", drift_is_no_delay);
  g_test_add_func ("/discard-filter/unknown", unknown_is_not_late);
  g_test_add_func ("/discard-filter/restart", restart);
  g_test_add_func ("/discard-filter/noise", noise);
  g_test_add_func ("/discard-filter/absurd-is-more-than-ten-seconds",
      absurd_is_more_than_ten_seconds);
  g_test_add_func ("/discard-filter/silence-ends-after-twenty-seconds",
      silence_ends_after_twenty_seconds);
  g_test_add_func ("/discard-filter/pause", a_pause_begins_anew);
  return g_test_run ();
}
