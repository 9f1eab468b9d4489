/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Thresholds, timing of 4.1, many SSRCs.  What one stream does is in
 * test-breaker-stream.c, states and resets are in test-breaker-state.c, what others may
 * try is in test-breaker-hostile.c.
 */
#include "world.h"

#include <math.h>

static World w;

static RccBreakerConfig
rfc (void)
{
  return rcc_breaker_config (RCC_BREAKER_RFC8083);
}

/* Media at exactly @bps with that loss in every report: the interval that trips, 0 where
 * none of 50 does. */
static guint
trips_with (RccBreakerConfig config, double bps, guint32 size, guint rtt_ms, double loss)
{
  const double spacing = size * 8e9 / bps;
  const RccTime interval = (RccTime) (ceil (5e9 / spacing) * spacing);

  config.rtcp_min_interval = S (5);
  world_init (&w, &config);
  w.rtt_s = rtt_ms / 1e3;
  world_flow (&w, bps, size);
  world_reports (&w, 1, interval, loss);        /* the baseline */
  for (guint i = 1; i <= 50; i++) {
    world_reports (&w, 1, interval, loss);
    if (w.stops) {
      g_assert_cmpint (w.b.reason, ==, RCC_BREAKER_CONGESTION);
      return i;
    }
  }
  return 0;
}

static void
limit_is (RccTcpModel model, double multiplier, double bps, guint32 size, guint rtt_ms)
{
  const RccTcpPath path = { .packet_size = size, .rtt = rtt_ms * RCC_MSEC };
  const double loss = rcc_tcp_loss (model, &path, bps / 8 / multiplier);
  RccBreakerConfig config = rfc ();

  config.model = model;
  config.multiplier = multiplier;
  g_assert_cmpuint (trips_with (config, bps, size, rtt_ms, MIN (loss * 0.9999, 1)), ==, 0);
  if (loss < 1)
    g_assert_cmpuint (trips_with (config, bps, size, rtt_ms, loss * 1.0001), ==, 3);
}

/* The losses themselves, as published, are test-tcpeq.c's. */
static void
just_under_never_trips_and_just_over_after_cb_interval (void)
{
  for (int model = 0; model < 2; model++) {
    for (guint rtt = 100; rtt <= 500; rtt += 100) {
      limit_is (model, 10, 1.5e6, 1436, rtt);
      limit_is (model, 5, 1.5e6, 1436, rtt);
    }
    limit_is (model, 10, 1.5e6, 1200, 50);
    limit_is (model, 10, 1.5e6, 1200, 100);
    limit_is (model, 10, 1.5e6, 1200, 200);
    limit_is (model, 10, 1.5e6, 1200, 500);
    limit_is (model, 10, 5e5, 1200, 50);
    limit_is (model, 10, 5e5, 1200, 100);
    limit_is (model, 10, 5e5, 1200, 200);
    limit_is (model, 10, 5e5, 1200, 500);
  }
}

/* GOP 60 at 30 fps and RTCP each second: 15 reports, with Tdr given or observed. */
static void
frequent_reports_are_judged_over_fifteen_seconds (void)
{
  for (guint given = 0; given < 2; given++) {
    RccBreakerConfig config = rfc ();
    guint n = 0;

    config.frame_group = 60;
    config.rtcp_min_interval = given ? S (1) : RCC_NEVER;
    world_init (&w, &config);
    w.rtt_s = 0.2;
    world_flow (&w, 1.5e6, 1200)->per_frame = 5;
    world_reports (&w, 8, S (1), 0);
    g_assert_cmpuint (w.b.streams[0].cb_interval, ==, 15);
    g_assert_cmpuint (w.b.timing.tdr, ==, S (1));
    for (; !w.stops && n < 50; n++)
      world_reports (&w, 1, S (1), 0.16);       /* just over */
    g_assert_cmpuint (n, ==, 15);
  }
}

/* 4.1 */
static void
rtcp_timeout_at_fifteen_seconds_and_not_before (void)
{
  RccBreakerConfig config = rfc ();
  RccTime first;

  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  first = (RccTime) w.flows[0].next;
  world_run (&w, first + S (15));
  g_assert_cmpuint (w.stops, ==, 0);
  world_run (&w, first + S (20));
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpuint (w.stopped_at, ==, first + S (15));
  g_assert_cmpint (world_event (&w)->reason, ==, RCC_BREAKER_RTCP_TIMEOUT);
  g_assert_cmpuint (world_event (&w)->ssrc, ==, 0);
  g_assert_cmpuint (world_event (&w)->interval, ==, S (15));
  g_assert_false (rcc_breaker_passes (&w.b, MEDIA));
  g_assert_false (rcc_breaker_passes (&w.b, MEDIA + 1));
  g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, RCC_NEVER);
}

static void
rtcp_timeout_runs_from_the_last_report (void)
{
  RccBreakerConfig config = rfc ();
  RccTime last;

  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  world_reports (&w, 10, S (4), 0);
  last = w.now;
  world_run (&w, last + S (15));
  g_assert_cmpuint (w.stops, ==, 0);
  world_run (&w, last + S (15) + 1);
  g_assert_cmpuint (w.stops, ==, 1);
}

/* RTCP with a frequent Tmin shortens Tdr, never this timeout. */
static void
rtcp_timeout_keeps_tmin_of_five_seconds (void)
{
  RccBreakerConfig config = rfc ();
  RccTime last;

  config.rtcp_min_interval = MS (100);
  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  world_reports (&w, 100, MS (100), 0);
  last = w.now;
  world_run (&w, last + S (60));
  g_assert_cmpuint (w.stopped_at, ==, last + S (15));
}

static void
heard_for_a_minute (const RccRtcp *rtcp, guint stops)
{
  RccBreakerConfig config = rfc ();

  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  world_reports (&w, 1, S (1), 0);
  while (w.now < S (160)) {
    world_run (&w, w.now + S (7));
    world_take (&w, rcc_tell (&w.b.sender, on_rtcp, rtcp, w.now));
    w.b.streams[0].unreceived = 0;      /* 4.2 is not what this is about */
  }
  g_assert_cmpuint (w.stops, ==, stops);
}

/* Who it comes from decides, not what it is: 5 has reduced size count, and whoever knows our
 * address can make as much of it as he likes. */
static void
what_counts_as_heard (void)
{
  static const guint32 peer = PEER, stranger = PEER + 9;

  heard_for_a_minute (&(RccRtcp) { .size = 20, .from_reporter = true }, 0);
  heard_for_a_minute (&(RccRtcp) { .size = 60, .n_reporters = 1, .reporters = &peer,
        .from_reporter = true }, 0);
  heard_for_a_minute (&(RccRtcp) { .size = 8 }, 1);
  heard_for_a_minute (&(RccRtcp) { .size = 20, .about_us = true }, 1);
  heard_for_a_minute (&(RccRtcp) { .size = 60, .n_reporters = 1, .reporters = &stranger,
        .n_blocks = 1 }, 1);
  heard_for_a_minute (&(RccRtcp) { .size = 60, .n_reporters = 1, .reporters = &stranger,
        .n_blocks = 1, .about_us = true }, 1);
}

/* GStreamer sends an empty RR, and then transport-wide feedback alone (RFC 5506), each 40 ms. */
static void
feedback_per_packet_speaks_against_empty_reports (void)
{
  static const guint32 peer = PEER;

  for (guint told = 0; told < 2; told++) {
    RccBreakerConfig config = rfc ();
    RccRtcp rtcp = { .size = 60, .n_reporters = 1, .reporters = &peer, .from_reporter = true };

    world_init (&w, &config);
    world_flow (&w, 1e6, 1000);
    world_reports (&w, 3, S (1), 0);
    for (guint i = 0; i < 600; i++) {   /* six of 5 s, Tdr */
      world_run (&w, w.now + MS (50));
      rtcp.n_reporters = !(i % 2);
      rtcp.about_us = i % 2;
      rtcp.arrivals = told && i % 2;
      world_take (&w, rcc_tell (&w.b.sender, on_rtcp, &rtcp, w.now));
    }
    g_assert_cmpuint (w.stops, ==, told ? 0 : 1);
  }
}

/* 4.1: a report on any SSRC of the 5-tuple */
static void
a_report_on_any_ssrc_counts_for_all (void)
{
  RccBreakerConfig config = rfc ();

  world_init (&w, &config);
  for (guint i = 0; i < 4; i++)
    world_flow (&w, 1e5, 500);
  for (guint i = 0; i < 40; i++) {
    RccReport r;

    world_run (&w, w.now + S (5));
    r = world_block (&w, &w.flows[i % 4], 0);   /* round-robin */
    world_tell (&w, &r);
    world_compound (&w, PEER, 31, true);
  }
  g_assert_cmpuint (w.stops, ==, 0);
}

static void
peers_without_rtcp_can_be_declared (void)
{
  RccBreakerConfig config = rfc ();

  config.require_rtcp = false;
  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  world_run (&w, w.now + S (600));
  g_assert_cmpuint (w.stops, ==, 0);
  g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, RCC_NEVER);
  /* required after all: from now on */
  config.require_rtcp = true;
  rcc_breaker_adjust (&w.b, &config, w.now);
  g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, w.now + S (15));
  config.require_rtcp = false;
  rcc_breaker_adjust (&w.b, &config, w.now);
  g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, RCC_NEVER);
  /* without a deadline, what comes in shows that nothing goes out */
  w.flows[0].spacing = 0;
  world_run (&w, w.now + S (30));
  world_compound (&w, 0, 0, true);
  g_assert_false (w.b.sending);
}

static void
no_deadline_before_or_after_sending (void)
{
  RccBreakerConfig config = rfc ();
  guint wakes = 0;

  world_init (&w, &config);
  g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, RCC_NEVER);
  world_flow (&w, 1e6, 1000);
  world_reports (&w, 5, S (5), 0);
  g_assert_cmpuint (rcc_deadline (&w.b.sender), !=, RCC_NEVER);
  w.flows[0].spacing = 0;
  while (rcc_deadline (&w.b.sender) != RCC_NEVER && wakes < 10) {
    w.now = MAX (w.now, rcc_deadline (&w.b.sender));
    world_take (&w, rcc_tell (&w.b.sender, on_deadline, w.now));
    wakes++;
  }
  g_assert_cmpuint (wakes, <=, 2);
  g_assert_cmpuint (w.stops, ==, 0);
  g_assert_false (w.b.sending);
  /* and when it resumes, the time counts anew */
  w.now += S (3600);
  w.flows[0].spacing = 8e6;
  w.flows[0].next = w.now;
  world_run (&w, w.now + S (14));
  g_assert_cmpuint (w.stops, ==, 0);
  world_run (&w, w.now + S (2));
  g_assert_cmpuint (w.stops, ==, 1);
}

/* T1: suspended, stopped, clock set: what was not listened to was not silent. */
static void
own_stall_is_no_silence (void)
{
  static const RccTime stalls[] = { S (2), S (9), S (3600) };

  for (gsize i = 0; i < G_N_ELEMENTS (stalls); i++) {
    RccBreakerConfig config = rfc ();

    world_init (&w, &config);
    world_flow (&w, 1e6, 1000);
    world_reports (&w, 3, S (5), 0);
    world_run (&w, w.now + MS (14900));
    w.now += stalls[i];
    w.flows[0].next = w.now;
    world_take (&w, rcc_tell (&w.b.sender, on_deadline, w.now));
    g_assert_cmpuint (w.stops, ==, 0);
    if (rcc_deadline (&w.b.sender) != RCC_NEVER)
      g_assert_cmpuint (rcc_deadline (&w.b.sender), >, w.now);
    world_run (&w, w.now + MS (900));
    g_assert_cmpuint (w.stops, ==, 0);
    world_report (&w, 0);               /* it had waited in the socket */
    world_run (&w, w.now + S (14));
    g_assert_cmpuint (w.stops, ==, 0);
    world_run (&w, w.now + S (18));     /* true silence still trips */
    g_assert_cmpuint (w.stops, ==, 1);
  }
}

static void
a_deadline_met_a_little_late_is_one (void)
{
  RccBreakerConfig config = rfc ();

  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  world_run (&w, w.now + MS (14900));
  w.now = rcc_deadline (&w.b.sender) - 1;
  world_take (&w, rcc_tell (&w.b.sender, on_deadline, w.now));
  g_assert_cmpuint (w.stops, ==, 0);
  w.now += MS (900);
  world_take (&w, rcc_tell (&w.b.sender, on_deadline, w.now));
  g_assert_cmpuint (w.stops, ==, 1);
}

/* The draft that the LTE paper evaluated: two reports, two intervals */
static void
draft_2014_takes_two (void)
{
  RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_DRAFT2014);
  RccTime first;

  g_assert_cmpuint (trips_with (config, 1.5e6, 1200, 200, 0.16), ==, 2);
  g_assert_cmpuint (trips_with (config, 1.5e6, 1200, 200, 0.15), ==, 0);
  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  first = (RccTime) w.flows[0].next;
  world_run (&w, first + S (20));
  g_assert_cmpuint (w.stopped_at, ==, first + S (10));
  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  world_reports (&w, 2, S (5), 0);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpuint (w.stops, ==, 0);
    world_run (&w, w.now + S (5));
    world_report_none (&w);
  }
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpint (w.b.reason, ==, RCC_BREAKER_MEDIA_TIMEOUT);
}

static void
genuine_burst_trips_one_report_later (void)
{
  RccBreakerConfig config = rfc ();

  config.rtcp_min_interval = S (5);
  world_init (&w, &config);
  w.rtt_s = 0.2;
  world_flow (&w, 1.5e6, 1200);
  world_reports (&w, 8, S (5), 0);
  world_reports (&w, 1, S (5), 0.6);
  g_assert_cmpuint (w.stops, ==, 0);
  world_reports (&w, 1, S (5), 0);
  g_assert_cmpuint (w.stops, ==, 1);
}

/* Ten at once: eight are judged, all pass.  A silent one makes room. */
static void
more_ssrcs_than_places (void)
{
  RccBreakerConfig config = rfc ();

  world_init (&w, &config);
  for (guint i = 0; i < 10; i++)
    world_flow (&w, 1e5, 500);
  world_reports (&w, 3, S (5), 0);
  g_assert_cmpuint (w.b.n_streams, ==, 8);
  g_assert_cmpuint (w.blocked, ==, 0);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpuint (w.b.ssrcs[i], ==, MEDIA + i);
  w.flows[3].spacing = 0;
  world_reports (&w, 3, S (5), 0);
  g_assert_cmpuint (w.b.ssrcs[3], >=, MEDIA + 8);
  g_assert_cmpuint (w.b.streams[3].ssrc, ==, w.b.ssrcs[3]);
  g_assert_cmpuint (w.b.n_streams, ==, 8);
}

/* An open stream is not forgotten for whatever comes; when all are, no SSRC passes. */
static void
open_streams_keep_their_places (void)
{
  RccBreakerConfig config = rfc ();

  config.rtcp_min_interval = S (5);
  world_init (&w, &config);
  w.rtt_s = 0.2;
  for (guint i = 0; i < 8; i++)
    world_flow (&w, 1.5e6, 1200);
  world_reports (&w, 2, S (5), 0);
  for (guint n = 0; n < 4; n++) {
    world_run (&w, w.now + S (5));
    for (guint i = 0; i < 8; i++) {
      const RccReport r = world_block (&w, &w.flows[i], i == 7 ? 0 : 0.3);

      world_tell (&w, &r);
    }
    world_compound (&w, PEER, 8, true);
  }
  g_assert_cmpuint (w.stops, ==, 7);
  g_assert_true (rcc_breaker_passes (&w.b, MEDIA + 7));
  w.flows[7].spacing = 0;
  for (guint i = 0; i < 100; i++) {
    const RccPacket p = { .seq = 1, .size = 100, .ssrc = 1000 + i, .sent = w.now };

    w.now += S (15);
    if (rcc_breaker_passes (&w.b, p.ssrc))
      world_take (&w, rcc_tell (&w.b.sender, on_sent, &p));
    for (guint k = 0; k < 7; k++)
      g_assert_false (rcc_breaker_passes (&w.b, MEDIA + k));
  }
  world_init (&w, &config);
  w.rtt_s = 0.2;
  for (guint i = 0; i < 8; i++)
    world_flow (&w, 1.5e6, 1200);
  world_reports (&w, 5, S (5), 0.3);
  g_assert_cmpuint (w.stops, ==, 8);
  g_assert_false (rcc_breaker_passes (&w.b, 4711));
  g_assert_false (rcc_breaker_passes (&w.b, MEDIA));
}

/* The table says what the element shows; every string is one from the start. */
static void
fields_have_values_from_the_start (void)
{
  RccBreakerConfig config = rfc ();

  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  world_run (&w, w.now + S (1));
  for (const RccField *f = rcc_breaker_fields; f->name; f++)
    if (f->type == RCC_STRING)
      g_assert_nonnull (*(const char **) ((const char *) &w.b + f->offset));
  for (const RccField *f = rcc_breaker_stream_fields; f->name; f++)
    if (f->type == RCC_STRING)
      g_assert_nonnull (*(const char **) ((const char *) &w.b.streams[0] + f->offset));
  g_assert_cmpstr (w.b.state_name, ==, "closed");
  g_assert_cmpstr (w.b.reason_name, ==, "none");
}

static void
leaves (guint32 ssrc, RccTime at)
{
  const RccPacket p = { .seq = 1, .size = 100, .ssrc = ssrc, .sent = at };

  w.now = at;
  world_take (&w, rcc_tell (&w.b.sender, on_sent, &p));
}

/* The place of one that is silent for longer than idle_after, by however much. */
static void
a_new_ssrc_takes_the_place_of_a_silent_one (void)
{
  RccBreakerConfig config = rfc ();
  RccTime begin, idle;

  world_init (&w, &config);
  begin = w.now;
  for (guint i = 0; i < RCC_BREAKER_STREAMS; i++)
    leaves (MEDIA + i, begin);
  idle = w.b.streams[0].idle_after;
  for (guint i = 0; i < RCC_BREAKER_STREAMS; i++)
    if (i != 5)
      leaves (MEDIA + i, begin + idle - 1);
  leaves (1000, begin + idle);
  g_assert_cmpuint (w.b.ssrcs[5], ==, MEDIA + 5);
  leaves (1000, begin + idle + 1234567);
  for (guint i = 0; i < RCC_BREAKER_STREAMS; i++)
    g_assert_cmpuint (w.b.ssrcs[i], ==, i == 5 ? 1000 : MEDIA + i);
  g_assert_cmpuint (w.b.streams[5].ssrc, ==, 1000);
  leaves (1001, begin + idle + 1234568);
  for (guint i = 0; i < RCC_BREAKER_STREAMS; i++)
    g_assert_cmpuint (w.b.ssrcs[i], !=, 1001);
}

/* 4.2: nothing is judged, and nothing armed, until the next packet. */
static void
what_has_ended_is_not_judged (void)
{
  RccBreakerConfig config = rfc ();

  world_init (&w, &config);
  world_flow (&w, 1e6, 1000);
  world_reports (&w, 2, S (5), 0);
  rcc_breaker_ended (&w.b);
  g_assert_false (w.b.sending);
  g_assert_false (w.b.streams[0].sending);
  g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, RCC_NEVER);
  w.now += S (60);
  world_take (&w, rcc_tell (&w.b.sender, on_deadline, w.now));
  g_assert_cmpuint (w.stops, ==, 0);
  leaves (MEDIA, w.now);
  g_assert_true (w.b.sending);
  g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, w.now + S (15));
}

int
main (int argc, char **argv)
{
#define ADD(path, test) g_test_add_func ("/breaker/" path, test)
  g_test_init (&argc, &argv, NULL);
  ADD ("just-under-never-trips-and-just-over-after-cb-interval",
      just_under_never_trips_and_just_over_after_cb_interval);
  ADD ("frequent-reports-are-judged-over-fifteen-seconds",
      frequent_reports_are_judged_over_fifteen_seconds);
  ADD ("rtcp-timeout-at-fifteen-seconds-and-not-before",
      rtcp_timeout_at_fifteen_seconds_and_not_before);
  ADD ("rtcp-timeout-runs-from-the-last-report", rtcp_timeout_runs_from_the_last_report);
  ADD ("rtcp-timeout-keeps-tmin-of-five-seconds", rtcp_timeout_keeps_tmin_of_five_seconds);
  ADD ("what-counts-as-heard", what_counts_as_heard);
  ADD ("feedback-per-packet-speaks-against-empty-reports",
      feedback_per_packet_speaks_against_empty_reports);
  ADD ("a-report-on-any-ssrc-counts-for-all", a_report_on_any_ssrc_counts_for_all);
  ADD ("peers-without-rtcp-can-be-declared", peers_without_rtcp_can_be_declared);
  ADD ("no-deadline-before-or-after-sending", no_deadline_before_or_after_sending);
  ADD ("own-stall-is-no-silence", own_stall_is_no_silence);
  ADD ("a-deadline-met-a-little-late-is-one", a_deadline_met_a_little_late_is_one);
  ADD ("draft-2014-takes-two", draft_2014_takes_two);
  ADD ("genuine-burst-trips-one-report-later", genuine_burst_trips_one_report_later);
  ADD ("more-ssrcs-than-places", more_ssrcs_than_places);
  ADD ("open-streams-keep-their-places", open_streams_keep_their_places);
  ADD ("fields-have-values-from-the-start", fields_have_values_from_the_start);
  ADD ("a-new-ssrc-takes-the-place-of-a-silent-one",
      a_new_ssrc_takes_the_place_of_a_silent_one);
  ADD ("what-has-ended-is-not-judged", what_has_ended_is_not_judged);
  return g_test_run ();
}
