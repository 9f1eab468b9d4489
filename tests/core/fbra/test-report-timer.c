/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/fbra/report-timer.h"
#include "core/rng.h"

#define MS RCC_MSEC

static const RccReportTimerConfig plain = { .interval = 100 * MS, .interval_rtts = 2.0,
  .early = 0.5, .silent_intervals = 2.0, .first_timeout = 2500 * MS };
static const RccReportTimerConfig pool = { .interval = 100 * MS, .interval_rtts = 2.0,
  .pool = true, .early = 0.5, .silent_intervals = 2.0, .first_timeout = 2500 * MS };

static RccReportTimer t;

static void
spacing_is_assumed_then_measured (void)
{
  rcc_report_timer_init (&t);
  g_assert_cmpuint (rcc_report_timer_spacing (&t, &plain, RCC_NEVER), ==, 100 * MS);
  g_assert_cmpuint (rcc_report_timer_spacing (&t, &plain, 150 * MS), ==, 300 * MS);
  for (guint i = 0; i < 200; i++)
    g_assert_cmpint (rcc_report_timer_heard (&t, &plain, 150 * MS, (100 + i) * 80 * MS), ==,
        RCC_REPORT_DUE);
  g_assert_cmpuint (rcc_report_timer_spacing (&t, &plain, 150 * MS), ==, 80 * MS);
}

static void
less_than_half_the_spacing_is_early (void)
{
  RccTime now = RCC_SEC;

  rcc_report_timer_init (&t);
  /* until three are measured nobody knows what early would be */
  g_assert_cmpint (rcc_report_timer_heard (&t, &plain, RCC_NEVER, now), ==, RCC_REPORT_DUE);
  g_assert_cmpint (rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 200 * MS), ==,
      RCC_REPORT_DUE);
  g_assert_cmpint (rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 1 * MS), ==,
      RCC_REPORT_DUE);
  for (guint i = 0; i < 200; i++)
    rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 200 * MS);
  g_assert_cmpint (rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 101 * MS), ==,
      RCC_REPORT_DUE);
  for (guint i = 0; i < 200; i++)
    rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 200 * MS);
  g_assert_cmpint (rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 99 * MS), ==,
      RCC_REPORT_EARLY);
  t.interval = 200 * MS;
  g_assert_cmpint (rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 100 * MS), ==,
      RCC_REPORT_DUE);
}

/* A receiver that reports three times as often from now on is early for a while only. */
static void
a_faster_receiver_is_learnt (void)
{
  RccTime now = RCC_SEC;
  guint early = 0;

  rcc_report_timer_init (&t);
  for (guint i = 0; i < 50; i++)
    rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 900 * MS);
  for (guint i = 0; i < 100; i++)
    early += rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 300 * MS)
        == RCC_REPORT_EARLY;
  g_assert_cmpuint (early, >, 0);
  g_assert_cmpuint (early, <, 12);
}

static void
pooling_waits_for_an_interval (void)
{
  RccTime now = RCC_SEC;
  guint due = 0, pooled = 0;

  rcc_report_timer_init (&t);
  for (guint i = 0; i <= 100; i++, now += 50 * MS) {
    const RccReportTiming timing = rcc_report_timer_heard (&t, &pool, 110 * MS, now);

    g_assert_cmpint (timing, !=, RCC_REPORT_EARLY);
    due += timing == RCC_REPORT_DUE;
    pooled += timing == RCC_REPORT_POOLED;
  }
  /* 220 ms in steps of 50: every fifth */
  g_assert_cmpuint (due, ==, 21);
  g_assert_cmpuint (pooled, ==, 80);
}

static void
silence_is_two_intervals_of_a_sender_that_sends (void)
{
  RccTime now = RCC_SEC;

  rcc_report_timer_init (&t);
  g_assert_false (rcc_report_timer_silent (&t, 3600 * RCC_SEC));
  rcc_report_timer_sent (&t, &plain, 100 * MS, now);
  g_assert_cmpuint (t.silence_next, ==, now + 2500 * MS);
  rcc_report_timer_sent (&t, &plain, 100 * MS, now + RCC_SEC);
  g_assert_cmpuint (t.silence_next, ==, now + 2500 * MS);
  g_assert_false (rcc_report_timer_silent (&t, now + 2500 * MS - 1));
  g_assert_true (rcc_report_timer_silent (&t, now + 2500 * MS));
  g_assert_cmpuint (t.silence_next, ==, RCC_NEVER);
  for (guint i = 0; i < 10; i++)
    rcc_report_timer_heard (&t, &plain, RCC_NEVER, now += 200 * MS);
  rcc_report_timer_sent (&t, &plain, RCC_NEVER, now);
  g_assert_cmpuint (t.silence_next, ==, now + 400 * MS);
  rcc_report_timer_heard (&t, &plain, RCC_NEVER, now + 1);
  g_assert_cmpuint (t.silence_next, ==, RCC_NEVER);
}

static void
a_peer_of_five_seconds_is_not_silent (void)
{
  RccTime now = RCC_SEC;

  rcc_report_timer_init (&t);
  for (guint i = 0; i < 100; i++) {
    rcc_report_timer_sent (&t, &plain, 50 * MS, now);
    if (i > 1)
      g_assert_cmpuint (t.silence_next, >, now + 5 * RCC_SEC);
    rcc_report_timer_heard (&t, &plain, 50 * MS, now += 5 * RCC_SEC);
  }
}

static void
storms_are_survived (void)
{
  RccTime now = 0;
  RccRng r;

  rcc_rng_init (&r, 1, 0);
  rcc_report_timer_init (&t);
  for (guint i = 0; i < 300000; i++) {
    const RccReportTimerConfig *config = rcc_rng_u32 (&r) % 2 ? &plain : &pool;
    const RccTime rtt = rcc_rng_u32 (&r) % 3 ? RCC_NEVER
        : (RccTime) rcc_rng_u32 (&r) << rcc_rng_u32 (&r) % 33;

    now += rcc_rng_u32 (&r) % 3 ? 0 : (RccTime) rcc_rng_u32 (&r);
    if (rcc_rng_u32 (&r) % 2)
      rcc_report_timer_heard (&t, config, rtt, now);
    else
      rcc_report_timer_sent (&t, config, rtt, now);
    rcc_report_timer_silent (&t, now);
    g_assert_cmpuint (t.silence_next, >, now);
    g_assert_cmpuint (t.interval, <=, 7500 * MS);
  }
}

/* Who waits for nothing is answered at once, and a time beyond all clocks never comes. */
static void
waits_end_with_the_clock (void)
{
  const RccReportTimerConfig none = { 0 };

  rcc_report_timer_init (&t);
  rcc_report_timer_sent (&t, &none, RCC_NEVER, 5 * RCC_SEC);
  g_assert_cmpuint (t.silence_next, ==, 5 * RCC_SEC);
  rcc_report_timer_init (&t);
  rcc_report_timer_sent (&t, &plain, RCC_NEVER, RCC_NEVER - 2501 * MS);
  g_assert_cmpuint (t.silence_next, ==, RCC_NEVER - MS);
  rcc_report_timer_init (&t);
  rcc_report_timer_sent (&t, &plain, RCC_NEVER, RCC_NEVER - 2499 * MS);
  g_assert_cmpuint (t.silence_next, ==, RCC_NEVER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report-timer/spacing-is-assumed-then-measured",
      spacing_is_assumed_then_measured);
  g_test_add_func ("/report-timer/less-than-half-the-spacing-is-early",
      less_than_half_the_spacing_is_early);
  g_test_add_func ("/report-timer/a-faster-receiver-is-learnt", a_faster_receiver_is_learnt);
  g_test_add_func ("/report-timer/pooling-waits-for-an-interval",
      pooling_waits_for_an_interval);
  g_test_add_func ("/report-timer/silence-is-two-intervals-of-a-sender-that-sends",
      silence_is_two_intervals_of_a_sender_that_sends);
  g_test_add_func ("/report-timer/a-peer-of-five-seconds-is-not-silent",
      a_peer_of_five_seconds_is_not_silent);
  g_test_add_func ("/report-timer/storms-are-survived", storms_are_survived);
  g_test_add_func ("/report-timer/waits-end-with-the-clock", waits_end_with_the_clock);
  return g_test_run ();
}
