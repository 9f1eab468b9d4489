/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a breaker's watch says before it opens: one report or one Td short, once, and not where
 * it will not.
 */
#include "world.h"
#include "core/breaker/watch.h"

static World w;
static RccBreakerWatch watch;

/* A stream of 1.5 Mbit/s, reports each 5 s, 200 ms: Mathis' limit is 15.4 % loss. */
static void
begin (RccBreakerConfig config)
{
  world_init (&w, &config);
  w.rtt_s = 0.2;
  world_flow (&w, 1.5e6, 1200);
  rcc_breaker_watch_init (&watch);
  world_run (&w, w.now + MS (100));
}

static RccBreakerConfig
five_seconds (RccBreakerMode mode)
{
  RccBreakerConfig config = rcc_breaker_config (mode);

  config.rtcp_min_interval = S (5);
  return config;
}

static void
expect (bool nearing, RccBreakerReason reason, guint32 ssrc)
{
  RccBreakerNotice n = { 0 };

  g_assert_true (rcc_breaker_watch_look (&watch, &w.b, w.now));
  g_assert_true (rcc_breaker_watch_take (&watch, &n));
  g_assert_null (n.warning.text);
  g_assert_cmpint (n.nearing, ==, nearing);
  g_assert_cmpint (n.reason, ==, reason);
  g_assert_cmphex (n.ssrc, ==, ssrc);
  g_assert_cmpint (n.opens_in > 0, ==, nearing);
  g_assert_false (rcc_breaker_watch_take (&watch, &n));
}

static void
expect_nothing (void)
{
  RccBreakerNotice n;

  g_assert_false (rcc_breaker_watch_look (&watch, &w.b, w.now));
  g_assert_false (rcc_breaker_watch_take (&watch, &n));
}

static void
report (double fraction)
{
  world_reports (&w, 1, S (5), fraction);
}

/* A baseline, then CB_INTERVAL = 3 intervals: the next but one report is the last before. */
static void
congestion_one_report_before (void)
{
  begin (five_seconds (RCC_BREAKER_RFC8083));
  report (0.3);
  expect_nothing ();
  report (0.3);
  expect_nothing ();
  report (0.3);
  g_assert_cmpuint (w.stops, ==, 0);
  expect (true, RCC_BREAKER_CONGESTION, MEDIA);
  expect_nothing ();                    /* once */
  report (0.3);
  g_assert_cmpuint (w.stops, ==, 1);
  expect_nothing ();                    /* the breaker's own event says the rest */
}

static void
congestion_that_ends_is_said_too (void)
{
  begin (five_seconds (RCC_BREAKER_RFC8083));
  world_reports (&w, 3, S (5), 0.2);
  expect (true, RCC_BREAKER_CONGESTION, MEDIA);
  report (0);                           /* 0.13 on average */
  expect (false, RCC_BREAKER_CONGESTION, MEDIA);
  world_reports (&w, 20, S (5), 0);
  expect_nothing ();
  g_assert_cmpuint (w.stops, ==, 0);
}

/* Where the peer reports more rarely than is due, that is how long it takes. */
static void
the_interval_that_is_seen_is_said (void)
{
  RccBreakerNotice n = { 0 };

  begin (five_seconds (RCC_BREAKER_RFC8083));
  world_reports (&w, 12, S (8), 0);
  while (n.reason != RCC_BREAKER_CONGESTION) {  /* there is a warning, too */
    g_assert_cmpuint (w.stops, ==, 0);
    world_reports (&w, 1, S (8), 0.3);
    rcc_breaker_watch_look (&watch, &w.b, w.now);
    while (n.reason != RCC_BREAKER_CONGESTION && rcc_breaker_watch_take (&watch, &n));
  }
  g_assert_cmpuint (n.opens_in, >=, S (7.9));
  g_assert_cmpuint (n.opens_in, <=, S (8.1));
}

/* 14 % is below the limit for ever; without a round trip there is no X, and no verdict. */
static void
what_will_not_open_it_is_not_near (void)
{
  begin (five_seconds (RCC_BREAKER_RFC8083));
  for (guint i = 0; i < 20; i++) {
    report (0.14);
    expect_nothing ();
  }
  begin (five_seconds (RCC_BREAKER_RFC8083));
  w.rtt_s = -1;
  for (guint i = 0; i < 20; i++) {
    report (0.3);
    rcc_breaker_watch_look (&watch, &w.b, w.now);
    g_assert_cmpint (watch.streams[0].near, ==, RCC_BREAKER_NO_REASON);
  }
  g_assert_cmpuint (w.stops, ==, 0);
}

/* Loss that stays is never unannounced, whatever it is, the model and the rules. */
static void
no_congestion_unannounced (void)
{
  guint opened = 0, announced = 0;

  for (guint i = 0; i < 4 * 50; i++) {
    RccBreakerConfig config = five_seconds (i % 2 ? RCC_BREAKER_RFC8083
        : RCC_BREAKER_DRAFT2014);
    bool near = false;

    config.model = i % 4 < 2 ? RCC_TCP_MATHIS : RCC_TCP_PADHYE;
    begin (config);
    for (guint n = 0; n < 8 && w.stops == 0; n++) {
      near = rcc_breaker_watch_look (&watch, &w.b, w.now)
          && watch.streams[0].near == RCC_BREAKER_CONGESTION;
      report (0.02 * (i / 4));
    }
    g_assert_true (w.stops || !near);
    opened += w.stops;
    announced += near;
  }
  g_assert_cmpuint (opened, >=, 100);
  g_assert_cmpuint (announced, ==, opened);
}

/* A burst that was enough opens it with the next report, whatever that says (congestion.c). */
static void
a_burst_opens_it_one_report_later (void)
{
  begin (five_seconds (RCC_BREAKER_RFC8083));
  world_reports (&w, 3, S (5), 0);
  expect_nothing ();
  report (0.6);                         /* 0.2 on average, all of it one report's */
  g_assert_cmpuint (w.stops, ==, 0);
  expect (true, RCC_BREAKER_CONGESTION, MEDIA);
  report (0);
  g_assert_cmpuint (w.stops, ==, 1);
}

static void
draft_after_one_of_two (void)
{
  begin (five_seconds (RCC_BREAKER_DRAFT2014));
  report (0.3);
  expect_nothing ();
  report (0.3);
  expect (true, RCC_BREAKER_CONGESTION, MEDIA);
  report (0.3);
  g_assert_cmpuint (w.stops, ==, 1);
}

static void
media_timeout_one_report_before (void)
{
  begin (five_seconds (RCC_BREAKER_RFC8083));
  report (0);
  for (guint i = 1; i <= 5; i++) {
    world_run (&w, w.now + S (5));
    world_report_none (&w);
    if (i == 4)
      expect (true, RCC_BREAKER_MEDIA_TIMEOUT, MEDIA);
    else
      expect_nothing ();
  }
  g_assert_cmpuint (w.stops, ==, 1);

  begin (five_seconds (RCC_BREAKER_RFC8083));
  report (0);
  for (guint i = 1; i <= 4; i++) {
    world_run (&w, w.now + S (5));
    world_report_none (&w);
  }
  expect (true, RCC_BREAKER_MEDIA_TIMEOUT, MEDIA);
  report (0.1);
  expect (false, RCC_BREAKER_MEDIA_TIMEOUT, MEDIA);
}

/* 4.1: after 2 of the 3 Td, at the packet that comes then. */
static void
silence_one_td_before (void)
{
  RccTime from;
  RccBreakerNotice n;

  begin (five_seconds (RCC_BREAKER_RFC8083));
  from = w.b.silent_since;
  world_run (&w, from + S (10) - 1);
  g_assert_false (rcc_breaker_watch_silence (&watch, &w.b, w.now));
  world_run (&w, from + S (10));
  g_assert_true (rcc_breaker_watch_silence (&watch, &w.b, w.now));
  g_assert_true (rcc_breaker_watch_take (&watch, &n));
  g_assert_true (n.nearing);
  g_assert_cmpint (n.reason, ==, RCC_BREAKER_RTCP_TIMEOUT);
  g_assert_cmpuint (n.opens_in, ==, S (5));
  g_assert_cmpuint (n.ssrc, ==, 0);
  g_assert_false (rcc_breaker_watch_silence (&watch, &w.b, w.now));

  world_run (&w, from + S (14));
  world_report (&w, 0);
  expect (false, RCC_BREAKER_RTCP_TIMEOUT, 0);

  world_run (&w, w.now + S (12));
  expect (true, RCC_BREAKER_RTCP_TIMEOUT, 0);
  world_run (&w, w.now + S (4));
  g_assert_cmpuint (w.stops, ==, 1);
  expect_nothing ();
}

/* Reports that come again end the silence, though what they tell opens it. */
static void
silence_that_ends_in_congestion (void)
{
  RccBreakerNotice n;

  begin (five_seconds (RCC_BREAKER_RFC8083));
  world_run (&w, w.b.silent_since + S (10));
  expect (true, RCC_BREAKER_RTCP_TIMEOUT, 0);
  for (guint i = 0; i < 20 && w.stops == 0; i++)
    world_reports (&w, 1, S (2), .9);
  g_assert_cmpint (w.b.reason, ==, RCC_BREAKER_CONGESTION);
  g_assert_true (rcc_breaker_watch_silence (&watch, &w.b, w.now));
  g_assert_true (rcc_breaker_watch_take (&watch, &n));
  g_assert_false (n.nearing);
  g_assert_cmpint (n.reason, ==, RCC_BREAKER_RTCP_TIMEOUT);
}

/* Who sends nothing, and who does not ask for RTCP, is near nothing. */
static void
silence_that_does_not_count (void)
{
  RccBreakerConfig config = five_seconds (RCC_BREAKER_RFC8083);

  config.require_rtcp = false;
  begin (config);
  world_run (&w, w.now + S (60));
  expect_nothing ();

  begin (five_seconds (RCC_BREAKER_RFC8083));
  rcc_breaker_ended (&w.b);
  w.now += S (12);
  expect_nothing ();
}

static void
usability_one_report_before (void)
{
  RccBreakerConfig config = five_seconds (RCC_BREAKER_RFC8083);

  config.usability = true;
  config.multiplier = 1e6;              /* 4.3 stays out of it */
  begin (config);
  report (0.6);
  for (guint i = 1; i <= 5; i++) {
    report (0.6);
    if (i == 4)
      expect (true, RCC_BREAKER_USABILITY, MEDIA);
    else
      expect_nothing ();
  }
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpint (w.b.reason, ==, RCC_BREAKER_USABILITY);
}

/* The next notice, which is a warning. */
static RccBreakerWarning
next_warning (void)
{
  RccBreakerNotice n;

  g_assert_true (rcc_breaker_watch_take (&watch, &n));
  g_assert_nonnull (n.warning.text);
  g_assert_false (n.nearing);
  return n.warning;
}

static RccBreakerWarning
warned (void)
{
  RccBreakerWarning warning;

  g_assert_true (rcc_breaker_watch_look (&watch, &w.b, w.now));
  warning = next_warning ();
  expect_nothing ();
  return warning;
}

/* 4.1 and 4.3: T_rr_interval of 4 s is right, more is said once. */
static void
long_rr_interval_is_said_once (void)
{
  RccBreakerConfig config = five_seconds (RCC_BREAKER_RFC8083);
  RccBreakerWarning said;

  config.rr_interval = S (4);
  begin (config);
  expect_nothing ();
  config.rr_interval = S (4) + 1;
  rcc_breaker_adjust (&w.b, &config, w.now);
  said = warned ();
  g_assert_cmpuint (said.value, ==, S (4) + 1);
  g_assert_cmpuint (said.limit, ==, S (4));
  g_assert_nonnull (strstr (said.text, "T_rr_interval"));
  g_assert_cmpstr (said.section, ==, "4.1, 4.3");
  world_reports (&w, 10, S (5), 0);
  expect_nothing ();
}

static void
long_td_is_said_once (void)
{
  RccBreakerConfig config = five_seconds (RCC_BREAKER_RFC8083);
  RccBreakerWarning said;

  config.bandwidth_bps = 1000;          /* RTCP has 50 bit/s */
  begin (config);
  expect_nothing ();                 /* nobody knows yet how long its RTCP is */
  report (0);
  g_assert_true (rcc_breaker_watch_look (&watch, &w.b, w.now));
  said = next_warning ();
  g_assert_cmpstr (said.section, ==, "4.1");
  g_assert_cmpuint (said.value, ==, w.b.timing.td);
  g_assert_cmpuint (said.limit, ==, S (5));
  said = next_warning ();
  g_assert_cmpstr (said.section, ==, "4.3");
  report (0);
  expect_nothing ();
}

/* Configured, or seen: RFC 3550's Td of 5 s draws 6.2 s at most, and 8 s each time is no chance. */
static void
rare_reports_are_said_once (void)
{
  RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_RFC8083);
  RccBreakerWarning said;

  begin (config);
  world_reports (&w, 10, MS (6150), 0);
  expect_nothing ();
  begin (config);
  world_reports (&w, 10, S (8), 0);
  said = warned ();
  g_assert_cmpuint (said.value, ==, S (8));
  g_assert_true (g_str_has_prefix (said.text, "the receiver's RTCP reports are further apart"));

  config.rtcp_min_interval = S (5) + 1;
  begin (config);
  g_assert_cmpuint (warned ().value, ==, S (5) + 1);
}

/* Sender reports never arrive, or nobody sees them leave: nothing can be judged, which is said.
 * One report without loss is no trouble, and a round-trip time that comes ends it. */
static void
no_round_trip_time_is_said_once (void)
{
  begin (five_seconds (RCC_BREAKER_RFC8083));
  w.rtt_s = -1;
  world_reports (&w, 5, S (5), 0);
  report (.1);
  report (.1);
  report (0);
  report (.1);
  report (.1);
  expect_nothing ();
  report (.1);
  g_assert_nonnull (strstr (warned ().text, "round-trip time"));
  world_reports (&w, 10, S (5), .1);
  expect_nothing ();
  g_assert_true (rcc_breaker_passes (&w.b, MEDIA));
  w.rtt_s = .2;
  world_reports (&w, 6, S (5), .3);
  g_assert_false (rcc_breaker_passes (&w.b, MEDIA));

  begin (five_seconds (RCC_BREAKER_RFC8083));
  world_reports (&w, 1, S (5), 0);
  w.rtt_s = -1;
  world_reports (&w, 9, S (5), .1);
  expect_nothing ();
}

/* Reports each second, and the first sender report waits in the queue that loses the rest. */
static void
no_round_trip_time_has_time (void)
{
  const RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_RFC8083);

  begin (config);
  w.rtt_s = -1;
  world_reports (&w, 12, S (1), .1);
  expect_nothing ();
  world_reports (&w, 6, S (1), .1);
  g_assert_cmpstr (warned ().section, ==, "4.3");
  begin (config);                       /* the same soon after a clock began */
  w = (World) { .now = S (2), .rtt_s = -1 };
  rcc_breaker_init (&w.b, &config, w.now);
  world_flow (&w, 1.5e6, 1200);
  world_reports (&w, 12, S (1), .1);
  expect_nothing ();
  world_reports (&w, 6, S (1), .1);
  g_assert_nonnull (strstr (warned ().text, "round-trip time"));
}

/* Nobody takes them: the newest are kept. */
static void
notices_that_nobody_takes (void)
{
  RccBreakerNotice n;
  guint taken = 0;

  begin (five_seconds (RCC_BREAKER_RFC8083));
  for (guint i = 0; i < 40; i++) {
    world_run (&w, w.now + S (12));
    rcc_breaker_watch_silence (&watch, &w.b, w.now);
    world_report (&w, 0);
    rcc_breaker_watch_silence (&watch, &w.b, w.now);
  }
  while (rcc_breaker_watch_take (&watch, &n))
    taken++;
  g_assert_cmpuint (taken, ==, RCC_BREAKER_NOTICES);
  g_assert_false (n.nearing);
}

int
main (int argc, char **argv)
{
#define ADD(path, test) g_test_add_func ("/breaker-watch/" path, test)
  g_test_init (&argc, &argv, NULL);
  ADD ("silence-that-ends-in-congestion", silence_that_ends_in_congestion);
  ADD ("congestion-one-report-before", congestion_one_report_before);
  ADD ("congestion-that-ends-is-said-too", congestion_that_ends_is_said_too);
  ADD ("interval-seen", the_interval_that_is_seen_is_said);
  ADD ("what-will-not-open-it-is-not-near", what_will_not_open_it_is_not_near);
  ADD ("no-congestion-unannounced", no_congestion_unannounced);
  ADD ("a-burst-opens-it-one-report-later", a_burst_opens_it_one_report_later);
  ADD ("draft-after-one-of-two", draft_after_one_of_two);
  ADD ("media-timeout-one-report-before", media_timeout_one_report_before);
  ADD ("silence-one-td-before", silence_one_td_before);
  ADD ("silence-that-does-not-count", silence_that_does_not_count);
  ADD ("usability-one-report-before", usability_one_report_before);
  ADD ("long-rr-interval-is-said-once", long_rr_interval_is_said_once);
  ADD ("long-td-is-said-once", long_td_is_said_once);
  ADD ("rare-reports-are-said-once", rare_reports_are_said_once);
  ADD ("no-round-trip-time-is-said-once", no_round_trip_time_is_said_once);
  ADD ("no-round-trip-time-has-time", no_round_trip_time_has_time);
  ADD ("notices-that-nobody-takes", notices_that_nobody_takes);
  return g_test_run ();
}
