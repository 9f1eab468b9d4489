/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Media that nobody can make use of (RFC 8083 4.4), and marks in place of losses.
 */
#include "stream-rig.h"

/* 7: CE is loss only where that is asked for. */
static void
ecn_marks_count_where_asked (void)
{
  for (guint asked = 0; asked < 2; asked++) {
    RccBreakerConfig config = rfc ();

    config.ecn_as_loss = asked;
    begin (config, S (5));
    w.rtt_s = 0.2;
    w.ce = 0.5;
    world_reports (&w, 20, S (5), 0.01);
    g_assert_cmpuint (w.stops, ==, asked);
  }
}

/* One compound that claims that all was marked cannot be borne out by lost packets. */
static void
forged_marks_decide_nothing (void)
{
  RccBreakerConfig config = rfc ();

  config.ecn_as_loss = true;
  begin (config, S (5));
  w.rtt_s = 0.2;
  world_reports (&w, 6, S (5), 0.01);
  w.ce = 1;
  world_reports (&w, 1, S (5), 0.01);
  w.ce = 0;
  world_reports (&w, 20, S (5), 0.01);
  g_assert_cmpuint (w.stops, ==, 0);
}

/* 4.4 */
static RccBreakerConfig
usable (void)
{
  RccBreakerConfig config = rfc ();

  config.usability = true;
  config.multiplier = 1e6;              /* 4.3 has no say here */
  return config;
}

static void
unusable_for_so_long_stops (void)
{
  const RccBreakerStream *s = begin (usable (), S (5));

  world_reports (&w, 2, S (5), 0.5);    /* not more than half */
  world_reports (&w, 4, S (5), 0.51);
  g_assert_cmpuint (w.stops, ==, 0);
  world_reports (&w, 1, S (5), 0.51);   /* 20 s after the first bad one */
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpint (s->reason, ==, RCC_BREAKER_USABILITY);
  g_assert_cmpuint (world_event (&w)->interval, ==, S (20));
}

static void
one_usable_report_begins_anew (void)
{
  begin (usable (), S (5));
  for (guint i = 0; i < 10; i++) {
    world_reports (&w, 4, S (5), 0.9);
    world_reports (&w, 1, S (5), 0.1);
  }
  g_assert_cmpuint (w.stops, ==, 0);
}

static void
delay_is_unusable_too (void)
{
  begin (usable (), S (5));
  w.rtt_s = 1.2;
  w.jitter = MS (400);                  /* 1 s: not more */
  world_reports (&w, 20, S (5), 0);
  g_assert_cmpuint (w.stops, ==, 0);
  w.jitter = MS (401);
  world_reports (&w, 5, S (5), 0);
  g_assert_cmpuint (w.stops, ==, 1);
}

/* Without the media's clock rate nobody knows the jitter: that is not much of it. */
static void
unknown_jitter_is_no_delay (void)
{
  begin (usable (), S (5));
  w.jitter = RCC_NEVER;
  world_reports (&w, 20, S (5), 0);
  g_assert_cmpuint (w.stops, ==, 0);
}

static void
ce_marked_packets_are_usable (void)
{
  RccBreakerConfig config = usable ();

  config.ecn_as_loss = true;
  begin (config, S (5));
  w.ce = 1;
  world_reports (&w, 20, S (5), 0);
  g_assert_cmpuint (w.stops, ==, 0);
}

static void
usability_is_off_by_default (void)
{
  RccBreakerConfig config = usable ();

  config.usability = false;
  begin (config, S (5));
  world_reports (&w, 40, S (5), 0.99);
  g_assert_cmpuint (w.stops, ==, 0);
}

/* The time of no use is that of what is being sent. */
static void
a_pause_ends_what_was_unusable (void)
{
  begin (usable (), S (5));
  world_reports (&w, 5, S (5), 0.9);    /* unusable for 15 s */
  g_assert_cmpuint (w.stops, ==, 0);
  w.flows[0].next += 60e9;
  world_run (&w, w.now + S (61));
  world_reports (&w, 5, S (5), 0.9);
  g_assert_cmpuint (w.stops, ==, 0);
  world_reports (&w, 1, S (5), 0.9);
  g_assert_cmpuint (w.stops, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add_func ("/breaker-stream/" path, test)
  ADD ("ecn-marks-count-where-asked", ecn_marks_count_where_asked);
  ADD ("forged-marks-decide-nothing", forged_marks_decide_nothing);
  ADD ("unusable-for-so-long-stops", unusable_for_so_long_stops);
  ADD ("one-usable-report-begins-anew", one_usable_report_begins_anew);
  ADD ("delay-is-unusable-too", delay_is_unusable_too);
  ADD ("unknown-jitter-is-no-delay", unknown_jitter_is_no_delay);
  ADD ("ce-marked-packets-are-usable", ce_marked_packets_are_usable);
  ADD ("usability-is-off-by-default", usability_is_off_by_default);
  ADD ("a-pause-ends-what-was-unusable", a_pause_ends_what_was_unusable);
  return g_test_run ();
}
