/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/gcc/standing.h"

#define LIMIT (40 * RCC_MSEC)
#define RTT (100 * RCC_MSEC)

/* Packets 10 ms apart behind @queue, from @from to @to.  Returns how many decreases. */
static guint
run_lossy (RccStanding *s, RccTime queue, gboolean lossy, RccTime from, RccTime to)
{
  guint n = 0;

  for (RccTime t = from; t < to; t += 10 * RCC_MSEC) {
    rcc_standing_packet (s, queue, t);
    n += rcc_standing_over (s, RTT, 1e6, lossy, t);
  }
  return n;
}

static guint
run (RccStanding *s, RccTime queue, RccTime from, RccTime to)
{
  return run_lossy (s, queue, FALSE, from, to);
}

static RccStanding
standing (void)
{
  RccStanding s;

  rcc_standing_init (&s, LIMIT);
  g_assert_cmpuint (run (&s, 0, 0, RCC_SEC), ==, 0);
  return s;
}

static void
a_queue_counts_once_it_has_stood (void)
{
  RccStanding s = standing ();

  /* the short queue of before is in one of the two halves for 200 to 400 ms */
  g_assert_cmpuint (run (&s, LIMIT, RCC_SEC, RCC_SEC + 200 * RCC_MSEC), ==, 0);
  g_assert_cmpuint (run (&s, LIMIT, RCC_SEC + 200 * RCC_MSEC, RCC_SEC + 450 * RCC_MSEC), ==, 1);
}

/* To the nanosecond: two halves of 200 ms. */
static void
halves_end_when_they_are_full (void)
{
  static const RccTime steps[] = { 199 * RCC_MSEC, 200 * RCC_MSEC };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    RccStanding s;

    rcc_standing_init (&s, LIMIT);
    for (guint n = 0; n < 3; n++)
      rcc_standing_packet (&s, n == 0 ? 0 : LIMIT, n * steps[i]);
    g_assert_cmpint (rcc_standing_over (&s, RTT, 1e6, FALSE, 2 * steps[i]), ==, i == 1);
  }
}

static void
a_short_one_never_does (void)
{
  RccStanding s = standing ();

  g_assert_cmpuint (run (&s, LIMIT - 1, RCC_SEC, 20 * RCC_SEC), ==, 0);
}

/* At 20 kbit/s two packets take 960 ms. */
static void
packets_of_a_slow_path_are_no_queue (void)
{
  RccStanding s = standing ();

  for (RccTime t = RCC_SEC; t < 5 * RCC_SEC; t += 100 * RCC_MSEC) {
    rcc_standing_packet (&s, 900 * RCC_MSEC, t);
    g_assert_false (rcc_standing_over (&s, RTT, 20000, FALSE, t));
  }
  g_assert_true (rcc_standing_over (&s, RTT, 22000, FALSE, 5 * RCC_SEC));
}

/* Clocks are set; the base delay forgets it within 20 s. */
static void
more_than_any_queue_is_a_clock (void)
{
  RccStanding s = standing ();

  g_assert_cmpuint (run (&s, 2 * RCC_SEC + 1, RCC_SEC, 20 * RCC_SEC), ==, 0);
  g_assert_cmpuint (run (&s, 2 * RCC_SEC, 20 * RCC_SEC, 20 * RCC_SEC + 500 * RCC_MSEC), ==, 1);
}

static void
one_that_touches_the_ground_never_does (void)
{
  RccStanding s = standing ();
  guint n = 0;

  for (RccTime t = RCC_SEC; t < 10 * RCC_SEC; t += 200 * RCC_MSEC) {
    n += run (&s, 300 * RCC_MSEC, t, t + 190 * RCC_MSEC);
    n += run (&s, LIMIT / 2, t + 190 * RCC_MSEC, t + 200 * RCC_MSEC);
  }
  g_assert_cmpuint (n, ==, 0);
}

/* 19.2 ms are two packets here.  Behind less than 30 ms the path itself may lose so much. */
static void
losses_behind_a_short_queue_are_no_crowd (void)
{
  static const struct { RccTime queue; gboolean lossy; guint over; } cases[] = {
    { 19200 * RCC_USEC - 1, FALSE, 0 }, { 19200 * RCC_USEC, FALSE, 1 },
    { 30 * RCC_MSEC - 1, TRUE, 0 }, { 30 * RCC_MSEC, TRUE, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccStanding s = standing ();

    rcc_standing_init (&s, 15 * RCC_MSEC);
    g_assert_cmpuint (run_lossy (&s, cases[i].queue, cases[i].lossy, RCC_SEC,
            RCC_SEC + 600 * RCC_MSEC), ==, cases[i].over);
  }
}

static void
what_decreases_do_not_shorten_is_asked_less_and_less_often (void)
{
  RccStanding s = standing ();
  RccTime last = 0, gap = 0;
  guint n = 0;

  for (RccTime t = RCC_SEC; t < 120 * RCC_SEC; t += 10 * RCC_MSEC) {
    rcc_standing_packet (&s, 100 * RCC_MSEC, t);
    if (!rcc_standing_over (&s, RTT, 1e6, FALSE, t))
      continue;
    if (n++ > 0) {
      g_assert_cmpuint (t - last, >=, gap);
      gap = t - last;
    }
    last = t;
  }
  /* .6, 1.2, 2.4, 4.8, 9.6 and then 16 s */
  g_assert_cmpuint (gap, ==, 16 * RCC_SEC);
  g_assert_cmpuint (n, ==, 12);
}

/* TCP beside us loses less, and a queue of two packets does not overflow. */
static void
nothing_excuses_one_that_overflows (void)
{
  RccStanding s = standing ();

  /* 600 ms apart, from 400 ms on */
  g_assert_cmpuint (run_lossy (&s, 100 * RCC_MSEC, TRUE, RCC_SEC, 61 * RCC_SEC), ==, 100);
  s = standing ();
  rcc_standing_packet (&s, 900 * RCC_MSEC, 2 * RCC_SEC);
  rcc_standing_packet (&s, 900 * RCC_MSEC, 3 * RCC_SEC);
  g_assert_true (rcc_standing_over (&s, RTT, 20000, TRUE, 3 * RCC_SEC));
}

static void
what_they_do_shorten_is_asked_each_time (void)
{
  RccStanding s = standing ();
  RccTime queue = RCC_SEC, t = RCC_SEC, first = 0, last = 0;
  guint n = 0;

  for (; queue >= LIMIT; t += 10 * RCC_MSEC) {
    rcc_standing_packet (&s, queue, t);
    if (rcc_standing_over (&s, RTT, 1e6, FALSE, t)) {
      queue /= 2;
      first = n++ == 0 ? t : first;
      last = t;
    }
  }
  /* from 1 s to 62 ms by halves: each after 600 ms, the least */
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpuint (last - first, ==, 4 * 600 * RCC_MSEC);
}

static void
a_long_path_is_given_two_round_trips (void)
{
  RccStanding s = standing ();
  RccTime t = RCC_SEC;

  for (guint n = 0; n < 2; t += 10 * RCC_MSEC) {
    rcc_standing_packet (&s, 100 * RCC_MSEC, t);
    n += rcc_standing_over (&s, RCC_SEC, 1e6, FALSE, t);
  }
  /* 400 ms until it counts at the latest, then 2 * 1 s + 200 ms */
  g_assert_cmpuint (t, >=, RCC_SEC + 2400 * RCC_MSEC);
  g_assert_cmpuint (t, <=, RCC_SEC + 2650 * RCC_MSEC);
}

static void
off_it_does_nothing (void)
{
  RccStanding s;

  rcc_standing_init (&s, 0);
  g_assert_cmpuint (run (&s, RCC_SEC, 0, 10 * RCC_SEC), ==, 0);
}

static void
a_clock_that_steps_back_does_not_silence_it (void)
{
  RccStanding s = standing ();

  g_assert_cmpuint (run (&s, 100 * RCC_MSEC, 100 * RCC_SEC, 140 * RCC_SEC), >=, 5);
  g_assert_cmpuint (run (&s, 100 * RCC_MSEC, 10 * RCC_SEC, 11 * RCC_SEC), >=, 1);
}

/* Between a half of the limit and the limit what was learnt from the queue before holds: the wait
 * goes on to double.  Below it the next queue is another one. */
static void
a_queue_that_went_away_is_forgotten (void)
{
  for (guint gone = 0; gone < 2; gone++) {
    RccStanding s = standing ();
    const RccTime low = gone ? LIMIT / 2 - RCC_MSEC : LIMIT / 2;
    RccTime t = RCC_SEC, first;

    g_assert_cmpuint (run (&s, LIMIT, t, t + 3 * RCC_SEC), >=, 2);
    t += 3 * RCC_SEC;
    g_assert_cmpuint (run (&s, low, t, t + 20 * RCC_SEC), ==, 0);
    t += 20 * RCC_SEC;
    first = s.wait;
    g_assert_cmpuint (run (&s, LIMIT, t, t + 450 * RCC_MSEC), ==, 1);
    if (gone)
      g_assert_cmpuint (s.wait, <, first);
    else
      g_assert_cmpuint (s.wait, ==, 2 * first);
  }
}

/* A path that got longer looks like a queue that nothing shortens, until its base is known. */
static void
the_next_queue_need_not_wait (void)
{
  RccStanding s = standing ();

  g_assert_cmpuint (run (&s, LIMIT, RCC_SEC, 30 * RCC_SEC), >=, 5);
  g_assert_cmpuint (s.next, >, 32 * RCC_SEC);
  run (&s, LIMIT / 2 - 1, 30 * RCC_SEC, 31 * RCC_SEC);
  g_assert_cmpuint (run (&s, 300 * RCC_MSEC, 31 * RCC_SEC, 31 * RCC_SEC + 450 * RCC_MSEC), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/standing/losses-behind-a-short-queue-are-no-crowd",
      losses_behind_a_short_queue_are_no_crowd);
  g_test_add_func ("/standing/a-queue-counts-once-it-has-stood", a_queue_counts_once_it_has_stood);
  g_test_add_func ("/standing/halves-end-when-they-are-full", halves_end_when_they_are_full);
  g_test_add_func ("/standing/a-short-one-never-does", a_short_one_never_does);
  g_test_add_func ("/standing/packets-of-a-slow-path-are-no-queue",
      packets_of_a_slow_path_are_no_queue);
  g_test_add_func ("/standing/more-than-any-queue-is-a-clock", more_than_any_queue_is_a_clock);
  g_test_add_func ("/standing/one-that-touches-the-ground-never-does",
      one_that_touches_the_ground_never_does);
  g_test_add_func ("/standing/what-decreases-do-not-shorten-is-asked-less-and-less-often",
      what_decreases_do_not_shorten_is_asked_less_and_less_often);
  g_test_add_func ("/standing/overflows", nothing_excuses_one_that_overflows);
  g_test_add_func ("/standing/what-they-do-shorten-is-asked-each-time",
      what_they_do_shorten_is_asked_each_time);
  g_test_add_func ("/standing/a-long-path-is-given-two-round-trips",
      a_long_path_is_given_two_round_trips);
  g_test_add_func ("/standing/off-it-does-nothing", off_it_does_nothing);
  g_test_add_func ("/standing/a-queue-that-went-away-is-forgotten",
      a_queue_that_went_away_is_forgotten);
  g_test_add_func ("/standing/the-next-queue-need-not-wait", the_next_queue_need_not_wait);
  g_test_add_func ("/standing/a-clock-that-steps-back-does-not-silence-it",
      a_clock_that_steps_back_does_not_silence_it);
  return g_test_run ();
}
