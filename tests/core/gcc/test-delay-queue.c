/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What counts as a queue: the base delay, its least, and since when it stands.
 */
#include "delay-rig.h"
#include "core/rng.h"

/* Clocks drift apart by up to 500 ppm: no over-use, and the base is forgotten. */
static void
drift_is_no_queue (void)
{
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);

  for (guint i = 0; i < 600; i++) {     /* 60 s: 30 ms */
    run (&p, 1e6, 1e7, 0.1);
    p.clock += 50 * (gint64) RCC_USEC;
  }
  g_assert_cmpuint (p.overuses, ==, 0);
  g_assert_cmpuint (p.d.queue, <=, 12 * RCC_MSEC);      /* two windows of 10 s */
}

/* Over-use by the slope is no word about a queue that stands: that is not asked, and does not
 * wait longer after it. */
static void
a_queue_that_grows_is_not_one_that_stands (void)
{
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);
  guint overuses = 0;

  run (&p, 1e6, 1e7, 2);
  p.free = p.send + 100 * RCC_MSEC;
  run (&p, 1e6, 1e6, 0.5);
  for (guint i = 0; i < 100; i++) {
    p.d.standing.next = 0;
    p.d.aimd.bps = 1e6;
    run (&p, 1e6, 0.7e6, 1e-9);         /* a packet */
    if (p.d.overuse.usage == RCC_USAGE_OVER) {
      g_assert_cmpuint (p.d.standing.next, ==, 0);
      overuses++;
    }
  }
  g_assert_cmpuint (overuses, >, 10);
}

/* At 100 kbit/s two packets take 192 ms: less is no queue that stands. */
static void
packets_of_a_slow_path_do_not_stand (void)
{
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e5);

  run (&p, 1e5, 1e7, 5);
  p.free = p.send + 50 * RCC_MSEC;
  p.d.overuse.threshold = 600;          /* deaf to how it came */
  p.d.aimd.bps = 1e5;
  run (&p, 1e5, 1e5, 3);
  g_assert_cmpuint (p.d.queue, >, 100 * RCC_MSEC);
  g_assert_cmpuint (p.d.standing.next, ==, 0);
}

/* 100 ms of queue that neither grows nor shrinks: in the slope there is nothing to see. */
static void
a_queue_that_stands_decreases (void)
{
  for (guint on = 0; on < 2; on++) {
    Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);

    if (!on)
      rcc_standing_init (&p.d.standing, 0);
    run (&p, 1e6, 1e7, 2);
    p.free = p.send + 100 * RCC_MSEC;   /* somebody's burst; from now on the link is as fast */
    run (&p, 1e6, 1e6, 0.2);
    p.d.overuse.threshold = 600;        /* deaf to the burst's own slope */
    p.d.aimd.bps = 1e6;
    run (&p, 1e6, 1e6, 1.5);
    if (on)
      g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), <, 0.9e6);
    else
      g_assert_cmpfloat (rcc_gcc_delay_bps (&p.d), >, 1e6);
  }
}

/* Not a nanosecond of it counts before it has stood for config.stand_time. */
static void
a_young_queue_is_none (void)
{
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 9e5);

  p.d.config.stand_time = 60 * RCC_MSEC;
  p.d.aimd.config.queue_floor = 1;      /* so that any would decrease the rate */
  run (&p, 0.5e6, 1e6, 5);
  for (guint i = 0; i < 100 && p.overuses == 0; i++)
    run (&p, 1.1e6, 1e6, 0.01);
  g_assert_cmpuint (p.overuses, ==, 1);
  g_assert_cmpuint (p.d.aimd.decreases, ==, 0);
}

/* @n packets from @begin on, ten a second: fifty take 20 ms, and the others 120. */
static RccGccDelay
longer_from_5_s (RccTime begin, guint n)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_PAPER);
  RccGccDelay d;

  rcc_gcc_delay_init (&d, &config, 1e6);
  for (guint i = 0; i < n; i++) {
    const RccTime at = begin + i * 100 * RCC_MSEC;

    rcc_gcc_delay_packet (&d, at, at + (i < 50 ? 20 : 120) * RCC_MSEC, SIZE);
  }
  return d;
}

/* The shortest way of the last 10 to 20 s: a queue that stands since before counts. */
static void
the_base_outlives_its_window (void)
{
  const RccGccDelay d = longer_from_5_s (100 * RCC_SEC, 110);

  g_assert_cmpuint (d.queue, ==, 100 * RCC_MSEC);
}

/* 100 bytes made the base.  1100 take 16 ms longer to leave 500 kbit/s: that is no queue.  What the
 * bottleneck takes is known from a decrease on. */
static void
what_a_packet_takes_to_leave_is_no_queue (void)
{
  static const struct { double capacity; guint size; RccTime late, waited; bool full; } table[] = {
    { 5e5, 1100, 16 * RCC_MSEC, 0, false }, { 5e5, 1100, 20 * RCC_MSEC, 4 * RCC_MSEC, false },
    { 5e5, 1100, 10 * RCC_MSEC, 0, false }, { 5e5, 50, 20 * RCC_MSEC, 20 * RCC_MSEC, false },
    { 0, 1100, 20 * RCC_MSEC, 20 * RCC_MSEC, false }, { 5e5, 1100, 16 * RCC_MSEC, RCC_NEVER, true },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    for (guint windows = 0; windows < 2; windows++) {
      Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);
      const RccTime from = windows ? 11 * RCC_SEC : RCC_SEC;

      rcc_gcc_delay_packet (&p.d, RCC_SEC, 2 * RCC_SEC, 100);
      if (windows)                      /* the base is of the window before */
        rcc_gcc_delay_packet (&p.d, from, from + RCC_SEC + RCC_MSEC, 1400);
      p.d.aimd.capacity = table[i].capacity;
      p.d.full.until = table[i].full ? RCC_NEVER : 0;
      for (guint n = 1; n < 5; n++)
        rcc_gcc_delay_packet (&p.d, from + n * 30 * RCC_MSEC,
            from + RCC_SEC + n * 30 * RCC_MSEC + table[i].late, table[i].size);
      g_assert_cmpuint (p.d.aimd.waited, ==, table[i].waited);
    }
}

/* The least queue of the last 30 to 60 ms: no more than any of the last 30, no less than all
 * of the last 60.  Several packets may come at once. */
static void
the_least_queue_is_of_30_to_60_ms (void)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);
  const RccTime from = 100 * RCC_SEC;
  RccTime queue[600], at[600];
  RccGccDelay d;
  RccRng r;

  rcc_rng_init (&r, 3, 7);
  rcc_gcc_delay_init (&d, &config, 1e6);
  for (guint i = 0; i < 600; i++) {
    RccTime least, short_least = RCC_NEVER, long_least = RCC_NEVER;

    queue[i] = i == 0 ? 0 : (50 + rcc_rng_u32 (&r) % 100) * RCC_MSEC;
    at[i] = from + i / 3 * 7 * RCC_MSEC;
    rcc_gcc_delay_packet (&d, at[i] - queue[i] - 20 * RCC_MSEC, at[i], SIZE);
    least = RCC_MIN (d.least[0], d.least[1]);
    for (guint k = 0; k <= i; k++) {
      if (at[k] + 30 * RCC_MSEC > at[i])
        short_least = RCC_MIN (short_least, queue[k]);
      if (at[k] + 67 * RCC_MSEC > at[i])        /* a packet each 7 ms */
        long_least = RCC_MIN (long_least, queue[k]);
    }
    g_assert_cmpuint (least, <=, short_least);
    if (i > 100)
      g_assert_cmpuint (least, >=, long_least);
  }
}

/* Both halves of that window count: a queue that was gone in either has not stood. */
static void
a_queue_that_was_gone_has_not_stood (void)
{
  for (guint half = 0; half < 3; half++) {
    Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 9e5);

    run (&p, 0.5e6, 1e6, 5);
    for (guint i = 0; i < 60; i++) {
      if (half < 2) {
        p.d.least[half] = 0;
        p.d.least_since = p.d.arrival;
      }
      run (&p, 1.1e6, 1e6, 0.01);
    }
    g_assert_cmpuint (p.overuses, >=, 2);
    g_assert_cmpuint (p.d.aimd.decreases > 0, ==, half == 2);
  }
}

/* Set back an hour, a clock makes no base last an hour: another way is learnt in 20 s. */
static void
a_base_from_before_a_jump_is_forgotten (void)
{
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);

  p.send += 86400 * RCC_SEC;
  run (&p, 1e6, 1e7, 3);
  p.clock -= 3600 * (gint64) RCC_SEC;
  run (&p, 1e6, 1e7, 3);
  p.clock += 40 * (gint64) RCC_MSEC;
  run (&p, 1e6, 1e7, 2);
  g_assert_cmpuint (p.d.queue, >=, 39 * RCC_MSEC);
  run (&p, 1e6, 1e7, 21);
  g_assert_cmpuint (p.d.queue, <, 5 * RCC_MSEC);
}

/* Arrival clocks begin anywhere, within their first ten seconds as well. */
static void
a_base_of_the_first_seconds_is_one (void)
{
  const RccGccDelay d = longer_from_5_s (RCC_SEC, 95);

  g_assert_cmpuint (d.arrival, >, 10 * RCC_SEC);
  g_assert_cmpuint (d.queue, ==, 100 * RCC_MSEC);
}

/* How many tests of tcp-share begin anew where the path is @longer ms after 15 s, if there is one
 * all the time: at a base that is known anew, which is 10 to 20 s later. */
static guint
tests_begun_anew (gint longer)
{
  Path p = path (RCC_GCC_DEFAULT, RCC_FILTER_TRENDLINE, 1e6);
  guint n = 0;

  for (guint i = 0; i < 5000; i++) {
    const RccTime arrival = p.send + (80 + (i < 1500 ? 0 : longer)) * RCC_MSEC;

    p.d.tcp.competes = true;
    p.d.tcp.test = arrival - RCC_MSEC;
    p.d.tcp.settle = RCC_SEC;
    rcc_gcc_delay_packet (&p.d, p.send, arrival, SIZE);
    n += p.d.tcp.test == arrival;
    p.send += 10 * RCC_MSEC;
  }
  return n;
}

static void
a_longer_path_begins_a_test_of_tcp_anew (void)
{
  g_assert_cmpuint (tests_begun_anew (60), ==, 1);
  g_assert_cmpuint (tests_begun_anew (0), ==, 0);
  g_assert_cmpuint (tests_begun_anew (5), ==, 0);
  g_assert_cmpuint (tests_begun_anew (-60), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-delay-queue/drift-is-no-queue", drift_is_no_queue);
  g_test_add_func ("/gcc-delay-queue/a-queue-that-grows-is-not-one-that-stands",
      a_queue_that_grows_is_not_one_that_stands);
  g_test_add_func ("/gcc-delay-queue/packets-of-a-slow-path-do-not-stand",
      packets_of_a_slow_path_do_not_stand);
  g_test_add_func ("/gcc-delay-queue/a-queue-that-stands-decreases", a_queue_that_stands_decreases);
  g_test_add_func ("/gcc-delay-queue/a-young-queue-is-none", a_young_queue_is_none);
  g_test_add_func ("/gcc-delay-queue/the-base-outlives-its-window", the_base_outlives_its_window);
  g_test_add_func ("/gcc-delay-queue/what-a-packet-takes-to-leave-is-no-queue",
      what_a_packet_takes_to_leave_is_no_queue);
  g_test_add_func ("/gcc-delay-queue/the-least-queue-is-of-30-to-60-ms",
      the_least_queue_is_of_30_to_60_ms);
  g_test_add_func ("/gcc-delay-queue/a-queue-that-was-gone-has-not-stood",
      a_queue_that_was_gone_has_not_stood);
  g_test_add_func ("/gcc-delay-queue/a-base-from-before-a-jump-is-forgotten",
      a_base_from_before_a_jump_is_forgotten);
  g_test_add_func ("/gcc-delay-queue/a-base-of-the-first-seconds-is-one",
      a_base_of_the_first_seconds_is_one);
  g_test_add_func ("/gcc-delay-queue/a-longer-path-begins-a-test-of-tcp-anew",
      a_longer_path_begins_a_test_of_tcp_anew);
  return g_test_run ();
}
