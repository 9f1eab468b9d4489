/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stream-rig.h"

/* 4.2 */
static void
media_that_does_not_arrive_times_out (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_reports (&w, 2, S (5), 0);
  nothing (4, S (5));
  g_assert_cmpuint (s->unreceived, ==, 4);
  g_assert_cmpuint (w.stops, ==, 0);
  nothing (1, S (5));
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpint (s->state, ==, RCC_BREAKER_OPEN);
  g_assert_cmpint (s->reason, ==, RCC_BREAKER_MEDIA_TIMEOUT);
  g_assert_cmpuint (world_event (&w)->interval, ==, S (25));
}

static void
media_that_never_arrives_times_out_too (void)
{
  begin (rfc (), S (5));
  w.flows[0].reported = 0;              /* a number from before */
  nothing (4, S (5));
  g_assert_cmpuint (w.stops, ==, 0);
  nothing (1, S (5));
  g_assert_cmpuint (w.stops, ==, 1);
}

static void
one_packet_that_arrives_cancels (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_reports (&w, 2, S (5), 0);
  for (guint i = 0; i < 10; i++) {
    nothing (4, S (5));
    g_assert_cmpuint (s->unreceived, ==, 4);
    w.flows[0].reported += 1;
    nothing (1, S (5));
    g_assert_cmpuint (s->unreceived, ==, 0);
  }
  g_assert_cmpuint (w.stops, ==, 0);
}

/* Reconsideration: a larger RTT extends it, a smaller one does not shorten it. */
static void
media_timeout_is_only_extended_while_it_runs (void)
{
  RccBreakerConfig config = rfc ();
  const RccBreakerStream *s;

  config.frame_interval = MS (33);
  s = begin (config, S (1));
  world_reports (&w, 3, S (1), 0);
  g_assert_cmpuint (s->media_timeout, ==, 5);
  nothing (2, S (1));
  config.rtcp_min_interval = S (1);
  config.frame_interval = MS (2500);
  rcc_breaker_adjust (&w.b, &config, w.now);
  nothing (1, S (1));
  g_assert_cmpuint (s->media_timeout, ==, 13);
  config.frame_interval = MS (33);
  rcc_breaker_adjust (&w.b, &config, w.now);
  nothing (9, S (1));
  g_assert_cmpuint (s->media_timeout, ==, 13);
  g_assert_cmpuint (w.stops, ==, 0);
  nothing (1, S (1));
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpuint (world_event (&w)->interval, ==, S (13));
}

static void
reports_without_a_packet_between_do_not_count (void)
{
  const RccBreakerStream *s = begin (rfc (), S (1));

  world_reports (&w, 2, S (1), 0);
  nothing (2, S (1));
  w.flows[0].spacing = 0;
  nothing (6, S (1));                   /* the first of them has packets before it */
  g_assert_cmpuint (s->unreceived, ==, 2);
  g_assert_cmpuint (w.stops, ==, 0);
}

static void
stopping_cancels_the_media_timeout (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_reports (&w, 2, S (5), 0);
  nothing (4, S (5));
  w.flows[0].spacing = 0;
  nothing (3, S (5));
  g_assert_false (s->sending);
  g_assert_cmpuint (s->unreceived, ==, 0);
  g_assert_cmpuint (w.stops, ==, 0);
}

/* RFC 3550 6.4: a receiver leaves out what it has not heard of for two intervals */
static void
being_left_out_of_reports_counts_as_nothing_received (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_reports (&w, 2, S (5), 0);
  for (guint i = 0; i < 5; i++) {
    g_assert_cmpuint (w.stops, ==, 0);
    g_assert_cmpuint (s->unreceived, ==, i);
    world_run (&w, w.now + S (5));
    world_compound (&w, PEER, 0, false);
  }
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpint (s->reason, ==, RCC_BREAKER_MEDIA_TIMEOUT);
}

static void
compounds_that_could_not_name_us_do_not_count (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_reports (&w, 2, S (5), 0);
  for (guint i = 0; i < 40; i++) {
    world_run (&w, w.now + S (5));
    world_compound (&w, PEER, 31, false);       /* full: the next one's turn */
    world_compound (&w, PEER, 0, true); /* early feedback with an empty RR */
    world_compound (&w, PEER + 1, 0, false);    /* somebody else's */
    world_compound (&w, 0, 0, true);    /* reduced size */
  }
  g_assert_cmpuint (s->unreceived, ==, 0);
  g_assert_cmpuint (w.stops, ==, 0);
}

/* Early feedback whose empty RR names nobody, ten a second, between regular reports. */
static void
left_out_counts_once_per_interval (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_reports (&w, 2, S (5), 0);
  for (guint i = 0; i < 600; i++) {
    world_run (&w, w.now + MS (100));
    world_compound (&w, PEER, 0, false);
    g_assert_cmpuint (s->unreceived, <=, 1);
    if (i % 62 == 61)
      world_report (&w, 0);
  }
  g_assert_cmpuint (w.stops, ==, 0);
}

/* C9: two reports per millisecond are one interval. */
static void
reports_near_each_other_are_one_interval (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_report (&w, 0);
  for (guint i = 0; i < 2000; i++) {
    world_run (&w, w.now + RCC_MSEC / 2);
    world_report (&w, 1);
  }
  g_assert_cmpuint (s->congestion.n_intervals, ==, 0);
  g_assert_cmpuint (s->reports, ==, 2001);
  world_run (&w, w.now + MS (250));
  world_report (&w, 0);                 /* 1.25 s after the baseline: Tdr / 4 */
  g_assert_cmpuint (s->congestion.n_intervals, ==, 1);
  g_assert_cmpuint (s->congestion.intervals[0].duration, ==, MS (1250));
  g_assert_cmpfloat (s->congestion.intervals[0].fraction, >, 0.75);
  g_assert_cmpfloat (s->congestion.intervals[0].fraction, <, 0.85);
  g_assert_cmpuint (w.stops, ==, 0);
}

static void
copies_of_a_report_change_nothing (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_reports (&w, 3, S (5), 0.1);
  for (guint i = 0; i < 10; i++) {
    world_run (&w, w.now + MS (20));
    world_report_none (&w);
  }
  g_assert_cmpuint (s->congestion.n_intervals, ==, 2);
  g_assert_cmpuint (s->unreceived, ==, 0);
}

static void
first_block_is_only_the_baseline (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_reports (&w, 1, S (5), 1);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 0);
  g_assert_cmpuint (s->rtt, ==, MS (100));
  world_reports (&w, 1, S (5), 0.25);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 1);
  g_assert_cmpfloat (s->congestion.intervals[0].fraction, ==, 0.25);
  g_assert_cmpuint (s->congestion.intervals[0].duration, ==, S (5));
}

/* A stream that resumes: the report that still speaks of numbers before begins anew. */
static void
a_stream_that_resumes_is_judged_anew (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));
  Flow *f = &w.flows[0];

  world_reports (&w, 3, S (5), 0.1);
  f->spacing = 0;
  world_run (&w, w.now + S (60));
  f->spacing = 6.4e6;
  f->next = w.now;
  f->seq += 500;                        /* dropped on the way here */
  world_run (&w, w.now + S (1));
  g_assert_cmpint (s->first_seq, ==, f->seq - 157);
  world_report (&w, 0.76);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 0);
  world_reports (&w, 1, S (5), 0.01);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 1);
  g_assert_cmpfloat (s->congestion.intervals[0].fraction, ==, 0.01);
  g_assert_cmpuint (s->frame_interval, <, MS (10));     /* the pause is none */
}

/* Likewise when a report comes before the first packet has arrived. */
static void
what_was_dropped_before_resuming_is_not_loss (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));
  Flow *f = &w.flows[0];

  world_reports (&w, 3, S (5), 0);
  f->spacing = 0;
  world_run (&w, w.now + S (60));
  f->spacing = 6.4e6;
  f->next = w.now;
  f->seq += 5000;
  world_run (&w, w.now + MS (20));
  world_report_none (&w);
  world_reports (&w, 1, S (5), 0.86);   /* speaks of the 5000, too */
  g_assert_cmpuint (s->congestion.n_intervals, ==, 0);
  world_reports (&w, 2, S (5), 0.02);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 2);
  g_assert_cmpfloat (s->congestion.intervals[0].fraction, ==, 0.02);
}

/* RFC 3550 6.4.1: cumulative loss falls by what came again: with two copies of each packet and a
 * few more, by twice as many as were sent and those.  Beyond that it is another count. */
static void
what_came_again_is_no_new_start (void)
{
  for (guint i = 0; i < 2; i++) {
    const RccBreakerStream *s = begin (rfc (), S (5));
    gint64 before;

    world_reports (&w, 3, S (5), 0.3);
    before = (gint64) s->congestion.n_intervals;
    world_run (&w, w.now + S (5));
    w.flows[0].lost -= 2 * (w.flows[0].seq - 1 - w.flows[0].reported) + 64 + i;
    world_report (&w, 0);
    g_assert_cmpint ((gint64) s->congestion.n_intervals == before + 1, ==, i == 0);
  }
}

static void
a_receiver_that_starts_over_is_a_new_baseline (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));
  Flow *f = &w.flows[0];

  world_reports (&w, 3, S (5), 0.1);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 2);
  world_run (&w, w.now + S (5));
  f->lost -= 100000;
  world_report (&w, 1);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 2);
  world_reports (&w, 1, S (5), 0.1);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 3);
  f->reported -= 3000;
  world_report_none (&w);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 3);
}

/* 4.3: at least a packet every max (Tdr, Tr) */
static void
sparse_streams_are_not_judged (void)
{
  RccBreakerConfig config = rfc ();
  Flow *f = &w.flows[0];
  const RccBreakerStream *s;

  config.frame_interval = MS (33);
  s = begin (config, S (1));
  w.rtt_s = 0.5;
  for (guint i = 0; i < 40; i++) {
    world_run (&w, w.now + S (1));
    world_report (&w, 1);
    if (i % 3 == 1)                     /* a pause of more than a second in each three */
      f->next += 1.01e9;
  }
  g_assert_cmpuint (w.stops, ==, 0);
  g_assert_cmpuint (s->congestion.n_intervals, ==, 39);
  g_assert_cmpuint (s->cb_interval, ==, 5);
  world_reports (&w, 5, S (1), 1);
  g_assert_cmpuint (w.stops, ==, 1);
}

/* Texts, each 12 s: Tf is the time since the last (3), and this is no pause. */
static void
rare_frames_are_a_way_of_sending (void)
{
  const RccBreakerStream *s;
  RccBreakerConfig config = rfc ();

  world_init (&w, &config);
  world_flow (&w, 100 * 8 / 12.0, 100);
  s = &w.b.streams[0];
  world_reports (&w, 20, S (5), 0);
  g_assert_cmpuint (s->frame_interval, ==, S (12));
  g_assert_cmpuint (s->media_timeout, ==, 12);
  g_assert_cmpuint (s->started, <, S (130));
  g_assert_cmpuint (w.stops, ==, 0);
}

static void
packet_size_is_the_mean_of_four_groups (void)
{
  RccBreakerConfig config = rfc ();
  const RccBreakerStream *s;

  config.frame_group = 3;
  s = begin (config, S (5));
  w.flows[0].per_frame = 2;
  world_reports (&w, 2, S (5), 0);
  w.flows[0].size = 600;
  world_reports (&w, 1, S (5), 0);
  g_assert_cmpfloat (s->packet_size, ==, 600);
  g_assert_cmpuint (s->framing.packets, <=, 24);
  g_assert_cmpuint (s->framing.packets, >=, 23);
}

/* s goes on where G is the same. */
static void
only_another_group_begins_s_anew (void)
{
  RccBreakerConfig config = rfc ();
  const RccBreakerStream *s = begin (config, S (5));
  RccTime packet_at;

  g_assert_cmpfloat (rcc_framing_packet_size (&s->framing), ==, 1200);
  packet_at = s->framing.packet_at;
  config.rtcp_min_interval = S (5);
  config.frame_interval = MS (33);
  rcc_breaker_adjust (&w.b, &config, w.now);
  g_assert_cmpfloat (rcc_framing_packet_size (&s->framing), ==, 1200);
  config.frame_group = 2;
  rcc_breaker_adjust (&w.b, &config, w.now);
  g_assert_cmpfloat (rcc_framing_packet_size (&s->framing), ==, 0);
  g_assert_cmpuint (s->framing.packet_at, ==, packet_at);
}

/* The same where the pause ends just before a report: packets leave at both ends of it. */
static void
a_pause_within_an_interval_is_seen (void)
{
  RccBreakerConfig config = rfc ();
  Flow *f = &w.flows[0];

  config.frame_interval = MS (33);
  begin (config, S (1));
  w.rtt_s = 0.5;
  for (guint i = 0; i < 40; i++) {
    world_run (&w, w.now + MS (200));
    if (i % 3 == 1)
      f->next += 1.15e9;
    world_run (&w, w.now + MS (800));
    world_report (&w, 1);
  }
  g_assert_cmpuint (w.stops, ==, 0);
  world_reports (&w, 6, S (1), 1);
  g_assert_cmpuint (w.stops, ==, 1);
}

/* RFC 8083 4.3: X = s / (Tr sqrt (2 p / 3)) */
static void
tells_what_tcp_would_send (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  w.rtt_s = 0.2;
  world_reports (&w, 8, S (5), 0.06);
  g_assert_cmpuint (w.stops, ==, 0);
  g_assert_cmpfloat_with_epsilon (s->tcp_bps, 1200 * 8 / (0.2 * sqrt (2 * 0.06 / 3)), 2500);
  g_assert_cmpfloat_with_epsilon (s->sent_bps, 1.5e6, 5e3);
  g_assert_cmpfloat_with_epsilon (s->loss, 0.06, 0.001);
}

/* However long none came: no more of that time than two intervals counts at once. */
static void
a_burst_after_silence_counts_no_more_than_twice (void)
{
  RccBreakerConfig config = rfc ();
  const RccBreakerStream *s;

  config.require_rtcp = false;
  s = begin (config, S (5));
  world_reports (&w, 2, S (5), 0);
  world_run (&w, w.now + S (60));
  for (guint i = 0; i < 10; i++) {
    world_run (&w, w.now + MS (20));
    world_compound (&w, PEER, 0, false);
  }
  g_assert_cmpuint (s->unreceived, >=, 1);
  g_assert_cmpuint (s->unreceived, <=, 2);
  g_assert_cmpuint (w.stops, ==, 0);
}

/* What is heard after the last packet tells of the round trip all the same. */
static void
reports_after_the_last_packet_tell_the_round_trip (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  world_reports (&w, 3, S (5), 0);
  g_assert_cmpuint (s->rtt, ==, MS (100));
  w.flows[0].spacing = 0;
  world_run (&w, w.now + S (60));
  w.rtt_s = 0.6;
  world_report (&w, 0);
  g_assert_false (s->sending);
  g_assert_cmpuint (s->rtt, ==, MS (200));      /* 0.8 Tr + 0.2 Tr_new */
}

/* The first packet of all may be the only one that has come. */
static void
the_first_packet_is_one_that_arrived (void)
{
  const RccBreakerStream *s = begin (rfc (), S (5));

  w.flows[0].reported = 1000;
  nothing (1, S (5));
  g_assert_cmpuint (s->unreceived, ==, 0);
  g_assert_cmpuint (s->reports, ==, 1);
  begin (rfc (), S (5));
  w.flows[0].reported = 999;
  nothing (1, S (5));
  g_assert_cmpuint (s->unreceived, ==, 1);
}

static void
a_new_stream_knows_nothing (void)
{
  const RccBreakerConfig config = rfc ();
  const RccBreakerTerms terms = { &config, S (5), S (5) };
  RccBreakerStream s;

  memset (&s, 0xa5, sizeof s);          /* init leaves nothing to chance */
  rcc_breaker_stream_init (&s, 7, &terms);
  g_assert_cmpuint (s.ssrc, ==, 7);
  g_assert_false (s.known || s.sending || s.reported);
  g_assert_cmpuint (s.reports + s.unreceived + s.bytes + s.packets, ==, 0);
  g_assert_cmpfloat (s.loss + s.tcp_bps + s.sent_bps + s.packet_size, ==, 0);
  g_assert_cmpuint (s.rtt, ==, RCC_NEVER);
  g_assert_cmpstr (s.state_name, ==, "closed");
}

/* A session that nobody reports on is not the stream's to time. */
static void
other_triggers_have_no_interval (void)
{
  const RccBreakerConfig config = rfc ();
  const RccBreakerTerms terms = { &config, S (5), S (5) };
  RccBreakerStream s;

  rcc_breaker_stream_init (&s, 7, &terms);
  s.media_timeout = 3;
  g_assert_cmpuint (rcc_breaker_stream_triggering_interval (&s, &terms,
          RCC_BREAKER_MEDIA_TIMEOUT), ==, S (15));
  g_assert_cmpuint (rcc_breaker_stream_triggering_interval (&s, &terms, RCC_BREAKER_NO_REASON),
      ==, 0);
  g_assert_cmpuint (rcc_breaker_stream_triggering_interval (&s, &terms,
          RCC_BREAKER_RTCP_TIMEOUT), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add_func ("/breaker-stream/" path, test)
  ADD ("media-that-does-not-arrive-times-out", media_that_does_not_arrive_times_out);
  ADD ("media-that-never-arrives-times-out-too", media_that_never_arrives_times_out_too);
  ADD ("one-packet-that-arrives-cancels", one_packet_that_arrives_cancels);
  ADD ("media-timeout-is-only-extended-while-it-runs",
      media_timeout_is_only_extended_while_it_runs);
  ADD ("reports-without-a-packet-between-do-not-count",
      reports_without_a_packet_between_do_not_count);
  ADD ("stopping-cancels-the-media-timeout", stopping_cancels_the_media_timeout);
  ADD ("being-left-out-of-reports-counts-as-nothing-received",
      being_left_out_of_reports_counts_as_nothing_received);
  ADD ("compounds-that-could-not-name-us-do-not-count",
      compounds_that_could_not_name_us_do_not_count);
  ADD ("left-out-counts-once-per-interval", left_out_counts_once_per_interval);
  ADD ("reports-near-each-other-are-one-interval", reports_near_each_other_are_one_interval);
  ADD ("copies-of-a-report-change-nothing", copies_of_a_report_change_nothing);
  ADD ("first-block-is-only-the-baseline", first_block_is_only_the_baseline);
  ADD ("a-stream-that-resumes-is-judged-anew", a_stream_that_resumes_is_judged_anew);
  ADD ("what-was-dropped-before-resuming-is-not-loss",
      what_was_dropped_before_resuming_is_not_loss);
  ADD ("what-came-again", what_came_again_is_no_new_start);
  ADD ("a-receiver-that-starts-over-is-a-new-baseline",
      a_receiver_that_starts_over_is_a_new_baseline);
  ADD ("sparse-streams-are-not-judged", sparse_streams_are_not_judged);
  ADD ("rare-frames-are-a-way-of-sending", rare_frames_are_a_way_of_sending);
  ADD ("packet-size-is-the-mean-of-four-groups", packet_size_is_the_mean_of_four_groups);
  ADD ("only-another-group-begins-s-anew", only_another_group_begins_s_anew);
  ADD ("a-pause-within-an-interval-is-seen", a_pause_within_an_interval_is_seen);
  ADD ("tells-what-tcp-would-send", tells_what_tcp_would_send);
  ADD ("a-burst-after-silence-counts-no-more-than-twice",
      a_burst_after_silence_counts_no_more_than_twice);
  ADD ("reports-after-the-last-packet-tell-the-round-trip",
      reports_after_the_last_packet_tell_the_round_trip);
  ADD ("the-first-packet-is-one-that-arrived", the_first_packet_is_one_that_arrived);
  ADD ("a-new-stream-knows-nothing", a_new_stream_knows_nothing);
  ADD ("other-triggers-have-no-interval", other_triggers_have_no_interval);
  return g_test_run ();
}
