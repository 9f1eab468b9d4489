/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "world.h"
#include "core/breaker/state.h"

static World w;

/* Streams of 1.5 Mbit/s, reports each 5 s, 200 ms: Mathis' limit is 15.4 % loss. */
static void
begin (RccBreakerConfig config, guint streams)
{
  config.rtcp_min_interval = S (5);
  world_init (&w, &config);
  w.rtt_s = 0.2;
  while (streams-- > 0)
    world_flow (&w, 1.5e6, 1200);
  world_run (&w, w.now + MS (100));
}

static RccBreakerConfig
with (bool reduce_first, bool together)
{
  RccBreakerConfig config = rcc_breaker_config (RCC_BREAKER_RFC8083);

  config.reduce_first = reduce_first;
  config.together = together;
  return config;
}

/* Only the first stream loses packets; the others arrive. */
static void
first_loses (guint n, double fraction)
{
  while (n-- > 0) {
    world_run (&w, w.now + S (5));
    for (guint i = 0; i < w.n_flows; i++) {
      const RccReport r = world_block (&w, &w.flows[i], i == 0 ? fraction : 0);

      world_tell (&w, &r);
    }
    world_compound (&w, PEER, w.n_flows, true);
  }
}

static void
slow_down (double factor)
{
  for (guint i = 0; i < w.n_flows; i++)
    w.flows[i].spacing *= factor;
}

static void
congestion_stops (void)
{
  const RccBreakerEvent *e;

  begin (with (false, false), 1);
  world_reports (&w, 4, S (5), 0.3);
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpuint (w.last.changed, ==, RCC_STOP);
  g_assert_cmpint (w.b.state, ==, RCC_BREAKER_OPEN);
  g_assert_cmpstr (w.b.state_name, ==, "open");
  g_assert_cmpstr (w.b.reason_name, ==, "congestion");
  g_assert_cmpuint (w.b.triggers, ==, 1);
  e = world_event (&w);
  g_assert_cmpint (e->state, ==, RCC_BREAKER_OPEN);
  g_assert_cmpint (e->reason, ==, RCC_BREAKER_CONGESTION);
  g_assert_cmpuint (e->ssrc, ==, MEDIA);
  g_assert_cmpfloat_with_epsilon (e->loss, 0.3, 1e-9);
  g_assert_cmpuint (e->rtt, ==, MS (200));
  g_assert_cmpfloat_with_epsilon (e->sent_bps, 1.5e6, 3e3);
  g_assert_cmpfloat (10 * e->tcp_bps, <, e->sent_bps);
  g_assert_cmpuint (e->interval, ==, S (15));
  g_assert_cmpuint (e->at, ==, w.now);
  g_assert_false (rcc_breaker_passes (&w.b, MEDIA));
  g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, RCC_NEVER);
  g_assert_cmpuint (w.b.streams[0].target_bps, ==, 0);  /* stopped, not reduced */
}

static void
reduces_first_where_asked (void)
{
  begin (with (true, false), 1);
  world_reports (&w, 4, S (5), 0.3);
  g_assert_cmpuint (w.stops, ==, 0);
  g_assert_cmpuint (w.last.changed, ==, RCC_TARGET);
  g_assert_cmpfloat_with_epsilon (w.last.target_bps, 150e3, 300);
  g_assert_cmpint (w.b.state, ==, RCC_BREAKER_REDUCED);
  g_assert_cmpint (world_event (&w)->state, ==, RCC_BREAKER_REDUCED);
  g_assert_cmpuint (w.b.triggers, ==, 1);
  g_assert_true (rcc_breaker_passes (&w.b, MEDIA));
}

/* 4.3: triggers again after the next CB_INTERVAL: MUST cease, and not before. */
static void
a_second_trigger_stops (void)
{
  begin (with (true, false), 1);
  world_reports (&w, 4, S (5), 0.3);
  world_reports (&w, 3, S (5), 0.3);    /* the sender has not heard of it */
  g_assert_cmpuint (w.stops, ==, 0);
  world_reports (&w, 1, S (5), 0.3);
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpint (w.b.state, ==, RCC_BREAKER_OPEN);
  g_assert_cmpuint (w.b.triggers, ==, 2);
}

static void
a_trigger_on_the_way_back_stops (void)
{
  begin (with (true, false), 1);
  world_reports (&w, 4, S (5), 0.3);
  slow_down (10);
  world_reports (&w, 7, S (5), 0);
  g_assert_cmpfloat_with_epsilon (w.last.target_bps, 600e3, 1500);
  slow_down (0.1);
  world_reports (&w, 4, S (5), 0.3);
  g_assert_cmpuint (w.stops, ==, 1);
}

static void
reduction_that_helps_ends_in_steps (void)
{
  static const guint targets[] = { 300000, 600000, 1200000 };

  begin (with (true, false), 1);
  world_reports (&w, 3, S (5), 0.3);
  w.targets = 0;                        /* its announcement (ceiling.h) is not counted */
  world_reports (&w, 1, S (5), 0.3);
  slow_down (10);
  world_reports (&w, 3, S (5), 0);      /* a baseline and two intervals */
  g_assert_cmpuint (w.targets, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++) {
    world_reports (&w, i == 0 ? 1 : 3, S (5), 0);
    g_assert_cmpuint (w.targets, ==, i + 2);
    g_assert_cmpfloat_with_epsilon (w.last.target_bps, targets[i], 0.002 * targets[i]);
    g_assert_cmpint (w.b.state, ==, RCC_BREAKER_REDUCED);
  }
  world_reports (&w, 3, S (5), 0);
  g_assert_cmpuint (w.targets, ==, 5);
  g_assert_cmpuint (w.last.target_bps, ==, UINT32_MAX);
  g_assert_cmpint (w.b.state, ==, RCC_BREAKER_CLOSED);
  g_assert_cmpint (world_event (&w)->state, ==, RCC_BREAKER_CLOSED);
  world_reports (&w, 20, S (5), 0);
  g_assert_cmpuint (w.targets, ==, 5);
  g_assert_cmpuint (w.b.triggers, ==, 1);
}

static void
only_congestion_reduces_first (void)
{
  begin (with (true, false), 1);
  world_reports (&w, 2, S (5), 0);
  for (guint i = 0; i < 5; i++) {
    world_run (&w, w.now + S (5));
    world_report_none (&w);
  }
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpuint (w.targets, ==, 0);
}

/* 8: by default each SSRC for itself */
static void
streams_are_judged_alone (void)
{
  begin (with (false, false), 3);
  first_loses (4, 0.3);
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_false (rcc_breaker_passes (&w.b, MEDIA));
  g_assert_true (rcc_breaker_passes (&w.b, MEDIA + 1));
  g_assert_true (rcc_breaker_passes (&w.b, MEDIA + 77));
  g_assert_cmpint (w.b.state, ==, RCC_BREAKER_OPEN);
  first_loses (20, 0.3);
  g_assert_cmpuint (w.stops, ==, 1);    /* an open one triggers nothing more */
  g_assert_cmpuint (w.blocked, >, 15000);
  g_assert_true (w.b.streams[1].sending);
}

static void
streams_together_stop_together (void)
{
  begin (with (false, true), 3);
  first_loses (4, 0.3);
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpuint (w.b.triggers, ==, 1);
  g_assert_cmpuint (world_event (&w)->ssrc, ==, 0);
  for (guint i = 0; i < 3; i++)
    g_assert_false (rcc_breaker_passes (&w.b, MEDIA + i));
  g_assert_false (rcc_breaker_passes (&w.b, 12345));
  world_flow (&w, 1e5, 500);            /* a new one does not get through either */
  world_run (&w, w.now + S (30));
  g_assert_cmpuint (w.b.n_streams, ==, 3);
}

static void
streams_together_are_reduced_together (void)
{
  begin (with (true, true), 3);
  first_loses (4, 0.3);
  g_assert_cmpfloat_with_epsilon (w.last.target_bps, 450e3, 5e3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (w.b.streams[i].state, ==, RCC_BREAKER_REDUCED);
  slow_down (10);
  w.targets = 0;
  world_flow (&w, 1e5, 500);            /* joins what is reduced */
  world_run (&w, w.now + S (1));
  g_assert_cmpint (w.b.streams[3].state, ==, RCC_BREAKER_REDUCED);
  first_loses (13, 0);
  g_assert_cmpuint (w.targets, ==, 4);
  g_assert_cmpuint (w.last.target_bps, ==, UINT32_MAX);
  g_assert_cmpint (w.b.state, ==, RCC_BREAKER_CLOSED);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpint (w.b.streams[i].state, ==, RCC_BREAKER_CLOSED);
}

static void
refused_until (RccTime interval)
{
  const RccTime trip = w.now;
  RccUpdate u;

  g_assert_cmpuint (rcc_breaker_retry_after (&w.b, trip), ==, interval);
  g_assert_cmpuint (rcc_breaker_retry_after (&w.b, trip + interval - 1), ==, 1);
  g_assert_false (rcc_breaker_reset (&w.b, trip + interval - 1, &u));
  g_assert_cmpuint (u.changed, ==, 0);
  g_assert_cmpint (w.b.state, !=, RCC_BREAKER_CLOSED);
  world_run (&w, trip + interval);
  g_assert_cmpuint (rcc_breaker_retry_after (&w.b, w.now), ==, 0);
  g_assert_true (rcc_breaker_reset (&w.b, w.now, &u));
  g_assert_cmpuint (u.changed, ==, RCC_TARGET);
  g_assert_cmpuint (u.target_bps, ==, UINT32_MAX);
  g_assert_cmpint (w.b.state, ==, RCC_BREAKER_CLOSED);
  g_assert_true (rcc_breaker_passes (&w.b, MEDIA));
  g_assert_true (rcc_breaker_passes (&w.b, 4711));
  g_assert_cmpint (world_event (&w)->state, ==, RCC_BREAKER_CLOSED);
}

/* 4.5: a reaction lasts at least the triggering interval. */
static void
reset_is_refused_for_the_triggering_interval (void)
{
  begin (with (false, false), 1);
  world_reports (&w, 4, S (5), 0.3);
  refused_until (S (15));

  begin (with (false, false), 1);
  world_reports (&w, 4, S (8), 0.3);    /* CB_INTERVAL intervals were longer than Tdr */
  refused_until (S (24));

  begin (with (false, false), 1);
  world_reports (&w, 1, S (5), 0);
  for (guint i = 0; i < 5; i++) {
    world_run (&w, w.now + S (5));
    world_report_none (&w);
  }
  refused_until (S (25));

  begin (with (true, false), 1);
  world_reports (&w, 4, S (5), 0.3);
  refused_until (S (15));
}

static void
reset_after_an_rtcp_timeout_waits_three_td (void)
{
  begin (with (false, false), 2);
  while (w.stops == 0)
    world_run (&w, w.now + MS (1));
  w.now = w.stopped_at;
  refused_until (S (15));
}

static void
reset_waits_for_the_last_stream (void)
{
  begin (with (false, false), 2);
  first_loses (2, 0.3);
  for (guint n = 0; n < 2; n++) {       /* the second one begins to lose 10 s later */
    world_run (&w, w.now + S (5));
    world_report (&w, 0.3);
  }
  g_assert_cmpuint (w.stops, ==, 1);
  world_run (&w, w.now + S (5));
  world_report (&w, 0.3);
  g_assert_cmpuint (w.stops, ==, 2);
  refused_until (S (15));
}

/* After a reset what was dropped while open is not loss, and all begins anew. */
static void
reset_begins_to_judge_anew (void)
{
  RccUpdate u;

  begin (with (false, false), 1);
  world_reports (&w, 4, S (5), 0.3);
  world_reports (&w, 4, S (5), 1);      /* RTCP goes on while open */
  g_assert_cmpuint (w.b.triggers, ==, 1);
  g_assert_cmpuint (w.b.streams[0].reports, ==, 8);
  g_assert_true (rcc_breaker_reset (&w.b, w.now, &u));
  world_reports (&w, 1, S (5), 0.9);    /* its fraction knows of the dropped ones */
  world_reports (&w, 30, S (5), 0.01);
  g_assert_cmpuint (w.stops, ==, 1);
  world_reports (&w, 2, S (5), 0.25);   /* 0.17 on average, but 0.13 without the last */
  g_assert_cmpuint (w.stops, ==, 1);
  world_reports (&w, 1, S (5), 0.25);
  g_assert_cmpuint (w.stops, ==, 2);
}

/* An application that calls reset each second gains nothing by it. */
static void
reset_while_closed_changes_nothing (void)
{
  RccUpdate u;

  begin (with (false, false), 1);
  for (guint i = 0; i < 20; i++) {
    world_run (&w, w.now + S (1));
    g_assert_true (rcc_breaker_reset (&w.b, w.now, &u));
    g_assert_cmpuint (u.changed, ==, 0);
    if (i % 5 == 4)
      world_report (&w, 0.3);
  }
  g_assert_cmpuint (w.stops, ==, 1);
  g_assert_cmpuint (w.b.n_events, ==, 1);
}

/* Another life, on a clock that has nothing to do with the former one. */
static void
restart (RccTime left, RccTime now)
{
  const RccBreakerConfig config = w.b.config;

  rcc_breaker_resume (&w.b, &config, left, now);
  w.now = now;
  for (guint i = 0; i < w.n_flows; i++)
    w.flows[i].next = now + w.flows[i].spacing;
  w.stops = w.blocked = 0;
}

static void
a_restart_leaves_open_what_is (void)
{
  static const RccTime starts[] = { 0, S (7), S (100000) };

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++) {
    begin (with (false, false), 2);
    first_loses (4, 0.3);
    g_assert_cmpuint (w.stops, ==, 1);
    restart (S (4), starts[i]);
    g_assert_cmpint (w.b.state, ==, RCC_BREAKER_OPEN);
    g_assert_cmpstr (w.b.reason_name, ==, "congestion");
    g_assert_cmpuint (w.b.triggers, ==, 1);
    g_assert_cmpuint (w.b.n_events, ==, 1);
    g_assert_cmpuint (world_event (&w)->ssrc, ==, MEDIA);
    g_assert_cmpuint (rcc_deadline (&w.b.sender), ==, RCC_NEVER);
    g_assert_false (rcc_breaker_passes (&w.b, MEDIA));
    g_assert_true (rcc_breaker_passes (&w.b, MEDIA + 1));
    refused_until (S (4));
    g_assert_true (rcc_breaker_passes (&w.b, MEDIA));
  }
}

static void
a_restart_leaves_all_open_what_is (void)
{
  begin (with (false, true), 2);
  world_reports (&w, 4, S (5), 0.3);
  restart (S (4), S (1));
  world_flow (&w, 1.5e6, 1200);
  world_run (&w, w.now + S (1));
  g_assert_cmpuint (w.b.bytes, ==, 0);
  g_assert_cmpuint (w.blocked, >, 400);
  refused_until (S (3));
}

static void
a_restart_leaves_reduced_what_is (void)
{
  uint32_t target;

  begin (with (true, false), 1);
  world_reports (&w, 4, S (5), 0.3);
  target = w.b.streams[0].target_bps;
  restart (S (4), S (1));
  g_assert_cmpint (w.b.state, ==, RCC_BREAKER_REDUCED);
  g_assert_cmpuint (w.b.streams[0].target_bps, ==, target);
  slow_down (10);
  world_reports (&w, 4, S (5), 0);
  g_assert_cmpint (w.b.state, ==, RCC_BREAKER_REDUCED);
  g_assert_cmpuint (w.b.streams[0].target_bps, ==, 2 * target);
}

static void
every_trigger_says_its_cause (void)
{
  static const struct {
    RccBreakerReason reason;
    const char *text;
  } causes[] = {
    { RCC_BREAKER_RTCP_TIMEOUT, "circuit breaker: no RTCP comes back" },
    { RCC_BREAKER_MEDIA_TIMEOUT, "circuit breaker: media does not arrive" },
    { RCC_BREAKER_CONGESTION, "circuit breaker: far more than TCP would send" },
    { RCC_BREAKER_USABILITY, "circuit breaker: media is of no use to the receiver" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (causes); i++) {
    begin (with (false, false), 1);
    g_assert_cmpstr (rcc_breaker_trip (&w.b, &w.b.streams[0], causes[i].reason, S (15),
            w.now).reason, ==, causes[i].text);
    g_assert_cmpint (w.b.reason, ==, causes[i].reason);
  }
}

/* A target of 0 would be a stop, which nobody has asked for. */
static void
a_rate_below_one_bit_a_second_is_one (void)
{
  RccUpdate u;

  begin (with (true, false), 1);
  w.b.streams[0].sent_bps = 0.5;
  u = rcc_breaker_trip (&w.b, &w.b.streams[0], RCC_BREAKER_CONGESTION, S (15), w.now);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET);
  g_assert_cmpuint (u.target_bps, ==, 1);
  g_assert_cmpuint (w.b.streams[0].before_bps, ==, 1);
}

/* 4.3: a tenth of what was sent, and back to that; a target of 0 would be none. */
static void
a_tenth_of_next_to_nothing_is_a_bit (void)
{
  static const struct { double sent; guint32 before, target; } rates[] = {
    { 0, 1, 1 }, { 0.5, 1, 1 }, { 9.9, 9, 1 }, { 20, 20, 2 }, { 1e12, UINT32_MAX, 429496729 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    RccUpdate u;

    begin (with (true, false), 1);
    w.b.streams[0].sent_bps = rates[i].sent;
    u = rcc_breaker_trip (&w.b, &w.b.streams[0], RCC_BREAKER_CONGESTION, S (5), w.now);
    g_assert_cmpuint (u.changed, ==, RCC_TARGET);
    g_assert_cmpuint (u.target_bps, ==, rates[i].target);
    g_assert_cmpuint (w.b.streams[0].before_bps, ==, rates[i].before);
  }
}

/* 4.3: doubled while that stays below what was sent before; what would reach it closes. */
static void
half_of_what_was_sent_is_close (void)
{
  for (guint i = 0; i < 3; i++) {
    RccBreakerStream *s = &w.b.streams[0];
    RccUpdate u;

    begin (with (true, false), 1);
    s->sent_bps = 1e6;
    rcc_breaker_trip (&w.b, s, RCC_BREAKER_CONGESTION, S (5), w.now);
    s->target_bps = 499999 + i;
    u = rcc_breaker_step_back (&w.b, s, w.now);
    g_assert_cmpuint (u.changed, ==, RCC_TARGET);
    g_assert_cmpuint (u.target_bps, ==, i > 0 ? UINT32_MAX : 999998);
    g_assert_cmpint (s->state, ==, i > 0 ? RCC_BREAKER_CLOSED : RCC_BREAKER_REDUCED);
  }
}

/* 8: alone, a stream that begins beside a reduced one is none of it. */
static void
alone_a_new_stream_is_not_reduced (void)
{
  begin (with (true, false), 2);
  first_loses (4, 0.3);
  g_assert_cmpint (w.b.streams[0].state, ==, RCC_BREAKER_REDUCED);
  world_flow (&w, 1e5, 500);
  world_run (&w, w.now + S (1));
  g_assert_cmpuint (w.b.n_streams, ==, 3);
  g_assert_cmpint (w.b.streams[2].state, ==, RCC_BREAKER_CLOSED);
}

int
main (int argc, char **argv)
{
#define ADD(path, test) g_test_add_func ("/breaker-state/" path, test)
  g_test_init (&argc, &argv, NULL);
  ADD ("congestion-stops", congestion_stops);
  ADD ("a-tenth-of-next-to-nothing", a_tenth_of_next_to_nothing_is_a_bit);
  ADD ("half-of-what-was-sent", half_of_what_was_sent_is_close);
  ADD ("reduces-first-where-asked", reduces_first_where_asked);
  ADD ("a-second-trigger-stops", a_second_trigger_stops);
  ADD ("a-trigger-on-the-way-back-stops", a_trigger_on_the_way_back_stops);
  ADD ("reduction-that-helps-ends-in-steps", reduction_that_helps_ends_in_steps);
  ADD ("only-congestion-reduces-first", only_congestion_reduces_first);
  ADD ("streams-are-judged-alone", streams_are_judged_alone);
  ADD ("streams-together-stop-together", streams_together_stop_together);
  ADD ("streams-together-are-reduced-together", streams_together_are_reduced_together);
  ADD ("reset-is-refused-for-the-triggering-interval",
      reset_is_refused_for_the_triggering_interval);
  ADD ("reset-after-an-rtcp-timeout-waits-three-td",
      reset_after_an_rtcp_timeout_waits_three_td);
  ADD ("reset-waits-for-the-last-stream", reset_waits_for_the_last_stream);
  ADD ("reset-begins-to-judge-anew", reset_begins_to_judge_anew);
  ADD ("reset-while-closed-changes-nothing", reset_while_closed_changes_nothing);
  ADD ("a-restart-leaves-open-what-is", a_restart_leaves_open_what_is);
  ADD ("a-restart-leaves-all-open-what-is", a_restart_leaves_all_open_what_is);
  ADD ("a-restart-leaves-reduced-what-is", a_restart_leaves_reduced_what_is);
  ADD ("every-trigger-says-its-cause", every_trigger_says_its_cause);
  ADD ("a-rate-below-one-bit-a-second-is-one", a_rate_below_one_bit_a_second_is_one);
  ADD ("alone-a-new-stream-is-not-reduced", alone_a_new_stream_is_not_reduced);
  return g_test_run ();
}
