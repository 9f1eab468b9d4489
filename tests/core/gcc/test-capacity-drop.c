/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/gcc/capacity-drop.h"
#include "core/gcc/delay.h"
#include "core/rng.h"

#define GROWTH (60 * RCC_MSEC)
#define SIZE 1200
#define RATE 2.4e6                      /* a packet each 4 ms */

typedef struct {
  RccCapacityDrop c;
  RccTime send, free;                   /* next departure; when the link is idle */
  gdouble out;                          /* of the newest drop */
  guint drops, packets;
} Path;

static Path
path (RccTime growth)
{
  Path p = { .send = 1000 * RCC_SEC };

  memset (&p.c, 0xa5, sizeof p.c);
  rcc_capacity_drop_init (&p.c, growth);
  return p;
}

/* Over a link of @capacity, 20 ms away, read by another clock. */
static void
packet (Path *p, guint32 size, gdouble capacity, gdouble target)
{
  gdouble out;

  p->free = MAX (p->free, p->send) + (RccTime) (8e9 * size / capacity);
  out = rcc_capacity_drop_packet (&p->c, p->send, p->free + 7 * RCC_SEC, size, target);
  p->packets++;
  if (out > 0) {
    p->drops++;
    p->out = out;
  }
}

static void
run (Path *p, gdouble bps, gdouble capacity, gdouble target, guint n)
{
  for (guint i = 0; i < n; i++) {
    packet (p, SIZE, capacity, target);
    p->send += (RccTime) (8e9 * SIZE / bps);
  }
}

/* To a fifth: at 500 kbit/s a packet takes 19 ms, and each waits 15 ms longer. */
static void
a_drop_is_found_by_five_packets (void)
{
  Path p = path (GROWTH);

  run (&p, RATE, 10e6, RATE, 500);
  g_assert_cmpuint (p.drops, ==, 0);
  run (&p, RATE, 0.5e6, RATE, 4);
  g_assert_cmpuint (p.drops, ==, 0);
  run (&p, RATE, 0.5e6, RATE, 1);
  g_assert_cmpuint (p.drops, ==, 1);
  g_assert_cmpfloat_with_epsilon (p.out, 0.5e6, 0.02e6);
  /* and again while it goes on: it is not sent any slower */
  run (&p, RATE, 0.5e6, RATE, 5);
  g_assert_cmpuint (p.drops, ==, 2);
}

/* The row is from the packet that waited least: here the last of a queue that others emptied. */
static void
a_row_begins_at_the_shortest_delay (void)
{
  Path p = path (GROWTH);

  run (&p, RATE, 10e6, RATE, 100);
  p.free = p.send + 200 * RCC_MSEC;
  while (p.free > p.send)
    run (&p, RATE, 10e6, RATE, 1);
  run (&p, RATE, 0.5e6, RATE, 4);
  g_assert_cmpuint (p.drops, ==, 0);
  run (&p, RATE, 0.5e6, RATE, 2);
  g_assert_cmpuint (p.drops, ==, 1);
}

static void
to_less_than_half_alone (void)
{
  Path low = path (GROWTH), high = path (GROWTH);

  run (&low, RATE, 0.45 * RATE, RATE, 100);
  g_assert_cmpuint (low.drops, >, 0);
  g_assert_cmpfloat_with_epsilon (low.out, 0.45 * RATE, 0.02 * RATE);
  run (&high, RATE, 0.55 * RATE, RATE, 100);
  g_assert_cmpuint (high.drops, ==, 0);
}

/* What stood still for 200 ms comes at once, or at the path's rate. */
static void
a_pause_is_none (void)
{
  for (guint i = 0; i < 50; i++) {
    Path p = path (GROWTH);

    run (&p, RATE, 10e6, RATE, 100 + i);
    p.free = p.send + 200 * RCC_MSEC;
    run (&p, RATE, i % 2 ? 1e9 : 1.2 * RATE, RATE, 500);
    g_assert_cmpuint (p.drops, ==, 0);
  }
}

/* Five packets at three times the target over a path that takes just the target. */
static void
a_probe_is_none (void)
{
  Path p = path (GROWTH);

  for (guint i = 0; i < 20; i++) {
    run (&p, 0.4e6, 0.5e6, 0.4e6, 50);
    run (&p, 1.2e6, 0.5e6, 0.4e6, 10);
  }
  g_assert_cmpuint (p.drops, ==, 0);
}

/* A sender that wakes late, or a key frame, in front of a link that is not full. */
static void
a_burst_is_none (void)
{
  Path p = path (GROWTH);

  for (guint i = 0; i < 200; i++) {
    run (&p, 100e6, 1e6, 0.8e6, 10);
    p.send += 120 * RCC_MSEC;
  }
  g_assert_cmpuint (p.drops, ==, 0);
}

/* It is found in them, too: what came at once was meant for the time until the next. */
static void
a_drop_is_found_in_bursts (void)
{
  Path p = path (GROWTH);

  for (guint i = 0; i < 8; i++) {
    const guint before = p.drops;

    run (&p, 100e6, i < 4 ? 10e6 : 0.5e6, RATE, 5);
    p.send += 20 * RCC_MSEC;
    g_assert_cmpuint (p.drops > before, ==, i >= 5);
  }
  g_assert_cmpfloat_with_epsilon (p.out, 0.5e6, 0.02e6);
}

/* Delays that are not a queue's: up to the growth where packets overtake others, up to half as much
 * again where none does. */
static void
jitter_is_none (void)
{
  static const struct { gdouble most; gboolean in_order; } cases[] = {
    { 60e6, FALSE }, { 90e6, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccRng rng;
    RccTime arrival = 0;
    Path p = path (GROWTH);

    rcc_rng_init (&rng, 1, 2);
    for (guint k = 0; k < 100000; k++) {
      const RccTime at = p.send + (RccTime) (rcc_rng_uniform (&rng) * cases[i].most);

      arrival = cases[i].in_order ? MAX (arrival, at) : at;
      p.drops += rcc_capacity_drop_packet (&p.c, p.send, arrival, SIZE, RATE) > 0;
      p.send += 4 * RCC_MSEC;
    }
    g_assert_cmpuint (p.drops, ==, 0);
  }
}

/* Audio of 100 bytes takes 1.6 ms: its delay is less than that of the picture before it. */
static void
small_packets_do_not_end_a_row (void)
{
  Path p = path (GROWTH);

  run (&p, RATE, 10e6, RATE, 100);
  for (guint i = 0; i < 8; i++) {
    run (&p, RATE, 0.5e6, RATE, 1);
    packet (&p, 100, 0.5e6, RATE);
    p.send += 4 * RCC_MSEC;
  }
  g_assert_cmpuint (p.drops, >=, 1);
  g_assert_cmpfloat_with_epsilon (p.out, 0.5e6, 0.05e6);
}

static void
off_it_finds_nothing (void)
{
  Path p = path (0);

  run (&p, RATE, 0.1e6, RATE, 200);
  g_assert_cmpuint (p.drops, ==, 0);
}

/* Times from the wire: anything. What it returns is a rate, and a drop later is found. */
static void
any_time_may_come (void)
{
  static const RccTime odd[] = { 0, 1, RCC_SEC, G_MAXINT64, (RccTime) G_MAXINT64 + 1,
    RCC_NEVER - 1, RCC_NEVER };
  RccRng rng;
  Path p = path (GROWTH);

  rcc_rng_init (&rng, 3, 4);
  for (guint i = 0; i < 100000; i++) {
    const RccTime send = odd[(gsize) (rcc_rng_uniform (&rng) * G_N_ELEMENTS (odd))];
    const RccTime arrival = odd[(gsize) (rcc_rng_uniform (&rng) * G_N_ELEMENTS (odd))];
    const gdouble out = rcc_capacity_drop_packet (&p.c, send, arrival,
        (guint32) (65536 * rcc_rng_uniform (&rng)), i % 3 ? RATE : 0);

    g_assert_true (isfinite (out) && out >= 0);
  }
  run (&p, RATE, 0.5e6, RATE, 20);
  g_assert_cmpuint (p.drops, >, 0);
}

/* The controller: two packets of a group arrive before it judges, so six to ten. What a probe has
 * shown just before does not hold. Without this it goes on at its rate for 300 ms. */
static void
the_target_falls_to_what_comes_out (void)
{
  gdouble after[2];

  for (guint on = 0; on < 2; on++) {
    RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
    RccGccDelay d;
    RccTime send = 1000 * RCC_SEC, free = 0;

    config.capacity_drop = on ? GROWTH : 0;
    rcc_gcc_delay_init (&d, &config, RATE);
    for (guint i = 0; i < 1010; i++) {
      const gdouble capacity = i < 1000 ? 10e6 : 0.5e6;

      if (i == 1000) {
        d.aimd.bps = 0.9 * RATE;
        rcc_gcc_delay_raise (&d, RATE, free);
      }
      free = MAX (free, send) + (RccTime) (8e9 * SIZE / capacity);
      rcc_gcc_delay_packet (&d, send, free, SIZE);
      send += (RccTime) (8e9 * SIZE / RATE);
    }
    after[on] = rcc_gcc_delay_bps (&d);
  }
  g_assert_cmpfloat (after[0], >=, RATE);
  g_assert_cmpfloat (after[1], <=, 0.5e6);
  g_assert_cmpfloat (after[1], >=, 0.25e6);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/capacity-drop/five-packets", a_drop_is_found_by_five_packets);
  g_test_add_func ("/capacity-drop/shortest", a_row_begins_at_the_shortest_delay);
  g_test_add_func ("/capacity-drop/half", to_less_than_half_alone);
  g_test_add_func ("/capacity-drop/pause", a_pause_is_none);
  g_test_add_func ("/capacity-drop/probe", a_probe_is_none);
  g_test_add_func ("/capacity-drop/burst", a_burst_is_none);
  g_test_add_func ("/capacity-drop/drop-in-bursts", a_drop_is_found_in_bursts);
  g_test_add_func ("/capacity-drop/jitter", jitter_is_none);
  g_test_add_func ("/capacity-drop/small-packets", small_packets_do_not_end_a_row);
  g_test_add_func ("/capacity-drop/off", off_it_finds_nothing);
  g_test_add_func ("/capacity-drop/any-time", any_time_may_come);
  g_test_add_func ("/capacity-drop/controller", the_target_falls_to_what_comes_out);
  return g_test_run ();
}
