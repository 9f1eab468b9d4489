/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>

#include "core/gcc/aimd.h"

#define TIME (600 * RCC_MSEC)
#define FLOOR (15 * RCC_MSEC)
#define RTT (100 * RCC_MSEC)
#define QUEUE (300 * RCC_MSEC)
#define RATE 1e6
#define RESUME .9
#define SHARE .5                        /* QUEUE / TIME */
#define LONG (100 * RCC_MSEC)
#define RECENT (30 * RCC_SEC)
#define PACKETS 600                     /* a mean of so many */

static RccDrain
drain (gdouble resume, guint most)
{
  RccDrain d;

  rcc_drain_init (&d, &(RccDrainConfig) { TIME, FLOOR, resume, most });
  rcc_drain_losses (&d, 1, PACKETS, RCC_SEC);
  return d;
}

/* A decrease behind QUEUE, of which @left is left when it is judged.  Returns what it gave up. */
static gdouble
decrease (RccDrain *d, RccTime left, RccTime *now)
{
  const gdouble share = rcc_drain_begin (d, QUEUE, RATE, RATE, RTT, *now);

  *now += TIME + RTT;
  rcc_drain_queue (d, left, *now);
  return share;
}

static void
a_decrease_gives_up_what_empties_the_queue (void)
{
  RccDrain d = drain (0, 0);
  RccTime now = RCC_SEC;

  for (guint i = 0; i < 10; i++)
    g_assert_cmpfloat (decrease (&d, QUEUE, &now), ==, SHARE);
  d.config.time = 0;
  g_assert_cmpfloat (rcc_drain_begin (&d, QUEUE, RATE, RATE, RTT, now), ==, 0);
}

static void
what_somebody_else_fills_is_left_to_him (void)
{
  RccDrain d = drain (0, 3);
  RccTime now = RCC_SEC;

  g_assert_cmpfloat (decrease (&d, QUEUE, &now), ==, SHARE);
  g_assert_cmpfloat (decrease (&d, QUEUE * 3 / 4, &now), ==, SHARE / 2);
  g_assert_cmpfloat (decrease (&d, 2 * QUEUE, &now), ==, SHARE / 4);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (decrease (&d, QUEUE, &now), ==, SHARE / 8);
}

static void
what_helps_is_done_again (void)
{
  RccDrain d = drain (0, 4);
  RccTime now = RCC_SEC;

  for (guint i = 0; i < 2; i++)
    decrease (&d, QUEUE, &now);
  g_assert_cmpfloat (decrease (&d, QUEUE / 2, &now), ==, SHARE / 4);
  g_assert_cmpfloat (decrease (&d, QUEUE, &now), ==, SHARE / 2);
  g_assert_cmpfloat (decrease (&d, FLOOR - 1, &now), ==, SHARE / 4);
  g_assert_cmpfloat (decrease (&d, QUEUE, &now), ==, SHARE);
}

/* A queue that was short for a moment and has grown since by our own increase was emptied; one
 * that has had no time is not judged. */
static void
the_shortest_queue_counts_once_its_time_is_over (void)
{
  RccDrain d = drain (0, 4);
  RccTime now = RCC_SEC;

  rcc_drain_begin (&d, QUEUE, RATE, RATE, RTT, now);
  rcc_drain_queue (&d, QUEUE / 2, now + TIME / 2);
  rcc_drain_queue (&d, QUEUE, now + TIME + RTT);
  g_assert_cmpuint (d.vain, ==, 0);
  now += RCC_SEC;
  for (guint i = 0; i < 6; i++, now += (TIME + RTT) / 6) {
    g_assert_cmpfloat (rcc_drain_begin (&d, QUEUE, RATE, RATE, RTT, now), ==, SHARE);
    rcc_drain_queue (&d, QUEUE, now);
  }
  rcc_drain_queue (&d, QUEUE, now + 6);
  g_assert_cmpuint (d.vain, ==, 1);
}

static void
a_clock_that_steps_back_ends_no_judgement (void)
{
  RccDrain d = drain (0, 4);
  RccTime now = RCC_SEC;

  rcc_drain_begin (&d, QUEUE, RATE, RATE, RTT, 3600 * RCC_SEC);
  decrease (&d, QUEUE, &now);
  g_assert_cmpuint (d.vain, ==, 1);
}

/* Other flows of ours do not shorten the queue at once either. */
static void
nobody_else_is_there_without_losses (void)
{
  RccDrain d;
  RccTime now = RCC_SEC;

  rcc_drain_init (&d, &(RccDrainConfig) { TIME, FLOOR, 0, 4 });
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (decrease (&d, QUEUE, &now), ==, SHARE);
  rcc_drain_losses (&d, 0, PACKETS, now);
  g_assert_cmpfloat (decrease (&d, QUEUE, &now), ==, SHARE);
  g_assert_cmpuint (d.vain, ==, 0);
  rcc_drain_losses (&d, 1, PACKETS, now);
  decrease (&d, QUEUE, &now);
  g_assert_cmpuint (d.vain, ==, 1);
}

static void
losses_are_forgotten (void)
{
  static const struct { RccTime at, now; guint vain; } cases[] = {
    { RCC_SEC, RECENT + RCC_SEC - 1, 1 }, { RCC_SEC, RECENT + RCC_SEC, 0 },
    { RECENT + RCC_SEC - 1, RCC_SEC, 1 }, { RECENT + RCC_SEC, RCC_SEC, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccDrain d;

    rcc_drain_init (&d, &(RccDrainConfig) { TIME, FLOOR, 0, 4 });
    rcc_drain_losses (&d, 1, PACKETS, cases[i].at);
    rcc_drain_begin (&d, QUEUE, RATE, RATE, 0, cases[i].now - TIME);
    rcc_drain_queue (&d, QUEUE, cases[i].now);
    g_assert_cmpuint (d.vain, ==, cases[i].vain);
  }
}

static void
a_short_queue_is_of_flows_that_heed_delay (void)
{
  static const struct { RccTime left; guint vain; } cases[] = { { LONG - 1, 0 }, { LONG, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccDrain d = drain (0, 4);

    rcc_drain_begin (&d, LONG, RATE, RATE, RTT, RCC_SEC);
    rcc_drain_queue (&d, cases[i].left, RCC_SEC + TIME + RTT);
    g_assert_cmpuint (d.vain, ==, cases[i].vain);
  }
}

/* 3 % of 600 packets are 18. */
static void
many_losses_are_of_many_flows (void)
{
  static const struct { gdouble lost; gboolean whole; } cases[] = { { 17, FALSE }, { 19, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccDrain d = drain (0, 2);
    RccTime now = RCC_SEC, lossy;

    for (guint k = 0; k < 3; k++)
      decrease (&d, QUEUE, &now);
    rcc_drain_losses (&d, cases[i].lost, PACKETS, now);
    lossy = now;
    g_assert_cmpfloat (rcc_drain_begin (&d, QUEUE, RATE, RATE, RTT, now), ==,
        cases[i].whole ? SHARE : SHARE / 4);
    rcc_drain_losses (&d, 1, PACKETS, lossy + RECENT);      /* the mean is low again */
    g_assert_cmpfloat (rcc_drain_begin (&d, QUEUE, RATE, RATE, RTT, lossy + RECENT), ==,
        SHARE / 4);
    now = lossy + RECENT - 1;
    g_assert_cmpfloat (rcc_drain_begin (&d, QUEUE, RATE, RATE, RTT, now), ==,
        cases[i].whole ? SHARE : SHARE / 4);
  }
}

/* Three packets lost and found again lose nothing; the mean is of the last packets. */
static void
the_share_lost_is_a_mean (void)
{
  RccDrain d = drain (0, 2);

  rcc_drain_losses (&d, 0, PACKETS, RCC_SEC);
  g_assert_cmpfloat (d.loss, ==, 0);
  rcc_drain_losses (&d, 3, 60, RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.loss, .05 * .1, 1e-9);
  rcc_drain_losses (&d, -3, 0, RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.loss, .05 * .1, 1e-9);
  rcc_drain_losses (&d, -1000, 1, RCC_SEC);
  g_assert_cmpfloat_with_epsilon (d.loss, .005 + (-1 - .005) / PACKETS, 1e-9);
  rcc_drain_losses (&d, 1e9, 60, RCC_SEC);
  g_assert_cmpfloat (d.loss, <=, 1);
  rcc_drain_losses (&d, 10 * PACKETS, 10 * PACKETS, RCC_SEC);
  g_assert_cmpfloat (d.loss, ==, 1);
}

static void
an_empty_queue_ends_it_once (void)
{
  RccDrain d = drain (RESUME, 0);

  g_assert_cmpfloat (rcc_drain_queue (&d, 0, RCC_SEC), ==, 0);
  rcc_drain_begin (&d, QUEUE, 2 * RATE, 2 * RATE, RTT, RCC_SEC);
  rcc_drain_begin (&d, QUEUE, RATE, RATE, RTT, 2 * RCC_SEC);
  g_assert_cmpfloat (rcc_drain_queue (&d, FLOOR, 3 * RCC_SEC), ==, 0);
  g_assert_cmpfloat (rcc_drain_queue (&d, FLOOR - 1, 3 * RCC_SEC), ==, RESUME * RATE);
  g_assert_cmpfloat (rcc_drain_queue (&d, 0, 3 * RCC_SEC), ==, 0);
  /* what was sent before the first decrease is the most, also of the smallest rates */
  rcc_drain_begin (&d, QUEUE, 1, 1, RTT, 4 * RCC_SEC);
  rcc_drain_begin (&d, QUEUE, RATE, RATE, RTT, 5 * RCC_SEC);
  g_assert_cmpfloat (rcc_drain_queue (&d, 0, 6 * RCC_SEC), ==, RESUME);
}

/* What rcc_aimd_update makes of it: under-use holds, but the drain is over.  Nothing is raised to
 * more than was sent before. */
static void
the_rate_goes_on_where_it_was (void)
{
  static const RccAimdConfig config = { .eta = 1.08, .beta_small = .97, .cap = 1.5,
    .queue_floor = FLOOR, .drain_time = TIME, .drain_resume = RESUME };
  static const struct { gdouble start, received, down, up; } cases[] = {
    { 2 * RATE, RATE, (.97 - .25) * RATE, RESUME * RATE },
    { RATE, 2 * RATE, RATE, RATE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccAimd a;

    rcc_aimd_init (&a, &config, cases[i].start);
    g_assert_cmpfloat_with_epsilon (rcc_aimd_update (&a, RCC_USAGE_OVER, cases[i].received,
            QUEUE / 2, RCC_SEC), cases[i].down, 1);
    g_assert_cmpfloat_with_epsilon (rcc_aimd_update (&a, RCC_USAGE_UNDER, RATE, FLOOR,
            2 * RCC_SEC), cases[i].down, 1);
    g_assert_cmpfloat_with_epsilon (rcc_aimd_update (&a, RCC_USAGE_UNDER, RATE, 0,
            3 * RCC_SEC), cases[i].up, 1);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/drain/a-decrease-gives-up-what-empties-the-queue",
      a_decrease_gives_up_what_empties_the_queue);
  g_test_add_func ("/drain/what-somebody-else-fills-is-left-to-him",
      what_somebody_else_fills_is_left_to_him);
  g_test_add_func ("/drain/what-helps-is-done-again", what_helps_is_done_again);
  g_test_add_func ("/drain/the-shortest-queue-counts-once-its-time-is-over",
      the_shortest_queue_counts_once_its_time_is_over);
  g_test_add_func ("/drain/a-clock-that-steps-back-ends-no-judgement",
      a_clock_that_steps_back_ends_no_judgement);
  g_test_add_func ("/drain/nobody-else-is-there-without-losses",
      nobody_else_is_there_without_losses);
  g_test_add_func ("/drain/losses-are-forgotten", losses_are_forgotten);
  g_test_add_func ("/drain/a-short-queue-is-of-flows-that-heed-delay",
      a_short_queue_is_of_flows_that_heed_delay);
  g_test_add_func ("/drain/many-losses-are-of-many-flows", many_losses_are_of_many_flows);
  g_test_add_func ("/drain/the-share-lost-is-a-mean", the_share_lost_is_a_mean);
  g_test_add_func ("/drain/an-empty-queue-ends-it-once", an_empty_queue_ends_it_once);
  g_test_add_func ("/drain/the-rate-goes-on-where-it-was", the_rate_goes_on_where_it_was);
  return g_test_run ();
}
