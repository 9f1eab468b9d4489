/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * With --verbose (or TAP) the closed loops print their tables. */
#include "tfrc-rig.h"

static void
starts_at_the_start (void)
{
  start ();
  g_assert_cmpstr (t.sender.ops->name, ==, "tfrc");
  g_assert_cmpuint (t.target_bps, ==, 300000);
  g_assert_cmpuint (t.pacing_bps, ==, 300000);
  g_assert_cmpstr (t.loss_source, ==, "none");
  g_assert_cmpuint (t.rtt, ==, RCC_NEVER);
  g_assert_cmpuint (rcc_deadline (&t.sender), ==, RCC_NEVER);
  sent (10);
  g_assert_cmpuint (rcc_deadline (&t.sender), ==, MS (2010));
  g_assert_cmpuint (rcc_tell (&t.sender, on_deadline, MS (2009)).changed, ==, 0);
  g_assert_cmpuint (rcc_tell (&t.sender, on_deadline, MS (2010)).changed, ==,
      RCC_TARGET | RCC_PACING);
  g_assert_cmpuint (t.target_bps, ==, 150000);
}

static void
keeps_to_the_limits (void)
{
  start ();
  g_assert_cmpuint (rcc_tell (&t.sender, on_config, &((RccConfig) { 400000, 0, 500000 }),
          0).target_bps, ==, 400000);
  g_assert_cmpuint (rcc_tell (&t.sender, on_config, &((RccConfig) { 0, 0, 200000 }),
          0).target_bps, ==, 200000);
  g_assert_cmpuint (rcc_tell (&t.sender, on_config, &((RccConfig) { 700000, 0, 500000 }),
          0).target_bps, ==, 700000);   /* min wins */
  rcc_tell (&t.sender, on_config, &limits, 0);
  g_assert_cmpuint (t.target_bps, ==, 300000);
  g_assert_cmpuint (rcc_tell (&t.sender, on_remb, 123456, 0).target_bps, ==, 123456);
  g_assert_cmpuint (rcc_tell (&t.sender, on_remb, 1, 0).target_bps, ==, 50000);
  rcc_tell (&t.sender, on_remb, G_MAXUINT32, 0);
  g_assert_cmpuint (t.target_bps, ==, 300000);
}

static void
first_feedback_sets_the_initial_rate (void)
{
  RccUpdate u;

  start ();
  sent (1000);
  u = feedback (1, 1, 1000, 0, 1100);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_PACING);
  g_assert_cmpuint (u.target_bps, ==, 8 * 43800);       /* W_init 4380 B in 100 ms */
  g_assert_cmpuint (t.rtt, ==, MS (100));
  g_assert_cmpstr (t.loss_source, ==, "feedback");
  g_assert_cmpuint (rcc_deadline (&t.sender), ==, MS (1500));
}

/* Messages every 100 ms about ten packets each. */
static void
stream (guint from, guint to, guint64 lost)
{
  for (guint i = from; i < to; i++) {
    for (guint k = 0; k < 10; k++)
      sent (i * 100 + k * 10);
    feedback (10 * i, 10, i * 100 + 90, lost, i * 100 + 190);
  }
}

static void
counts_events_not_packets (void)
{
  start ();
  stream (10, 20, 0);
  g_assert_cmpfloat (t.rate.p, ==, 0.0);
  stream (20, 21, 0x7 << 3);
  g_assert_cmpuint (t.receiver.loss.lost, ==, 3);
  g_assert_cmpuint (t.receiver.loss.events, ==, 1);
  g_assert_cmpfloat (t.rate.p, >, 0.0);
  stream (21, 24, 0);
  stream (24, 25, 1 << 3);
  g_assert_cmpuint (t.receiver.loss.events, ==, 2);
  NEAR (t.receiver.loss.now.interval[1], 40.0);
}

/* Numbers that feedback leaves out were never judged: dropped before sending, or feedback was
 * lost. */
static void
what_is_not_told_is_not_lost (void)
{
  start ();
  stream (10, 20, 0);
  stream (30, 40, 0);
  g_assert_cmpuint (t.receiver.loss.lost, ==, 0);
  g_assert_cmpfloat (t.rate.p, ==, 0.0);
}

/* Several SSRCs have numbers of their own, here the same ones. */
static void
streams_share_one_count (void)
{
  start ();
  for (guint i = 0; i < 20; i++) {
    RccPacket p[10];

    for (guint k = 0; k < 10; k++) {
      sent (i * 100 + k * 10);
      p[k] = outcome (k & 1, i * 5 + k / 2, i * 100 + k * 10, i == 15 && k == 4 ? 0 : 50);
    }
    rcc_tell (&t.sender, on_feedback, p, 10, MS (i * 100 + 190));
  }
  g_assert_cmpuint (t.receiver.loss.lost, ==, 1);
  g_assert_cmpint (t.receiver.loss.now.start.seq, ==, 15 * 10 + 4 + 1);
}

static void
a_packet_that_came_late_was_not_lost (void)
{
  const RccPacket late = outcome (1, 203, 2030, 300);
  RccPacket stranger = late;

  start ();
  stream (10, 20, 0);
  stream (20, 21, 1 << 3);
  g_assert_cmpfloat (t.rate.p, >, 0.0);
  stranger.ssrc = 9;
  rcc_tell (&t.sender, on_feedback, &stranger, 1, MS (2310));
  g_assert_cmpuint (t.receiver.loss.events, ==, 1);
  rcc_tell (&t.sender, on_feedback, &late, 1, MS (2390));
  g_assert_cmpuint (t.receiver.loss.events, ==, 0);
  g_assert_cmpfloat (t.rate.p, ==, 0.0);
}

/* The receiver sits on its messages for 0 to 90 ms, its clock an hour ahead. */
static double
measured_rtt (guint hold_least, gboolean reports)
{
  RccRng rng;

  rcc_rng_init (&rng, 5, 1);
  start ();
  for (guint i = 10; i < 500; i++) {
    const guint hold = hold_least + rcc_rng_u32 (&rng) % 91;
    RccPacket p = outcome (1, i, i * 200, 3600000);

    sent (i * 200);
    rcc_tell (&t.sender, on_feedback, &p, 1, MS (i * 200 + 80 + hold));
    if (reports && i % 10 == 0)
      rcc_tell (&t.sender, on_report, &((RccReport) { .rtt = MS (80) }),
          MS (i * 200 + 195));
  }
  return t.rate.rtt;
}

static void
the_receivers_delay_is_no_round_trip (void)
{
  /* of 16 draws from 0..90 the least is 5.4 on average */
  g_assert_cmpfloat_with_epsilon (measured_rtt (0, FALSE), 0.080 + 0.0054, 0.005);
  /* a hold that is always there shows in reports only */
  g_assert_cmpfloat_with_epsilon (measured_rtt (40, FALSE), 0.120 + 0.0054, 0.005);
  g_assert_cmpfloat_with_epsilon (measured_rtt (40, TRUE), 0.080, 0.005);
}

/* However the receiver's clock jumps, half of now - sent stays. */
static void
a_clock_set_back_is_no_delay (void)
{
  start ();
  for (guint i = 10; i < 40; i++) {
    RccPacket p = outcome (1, i, i * 200, i < 20 ? 3600000 : 40);

    sent (i * 200);
    rcc_tell (&t.sender, on_feedback, &p, 1, MS (i * 200 + 80));
    g_assert_cmpfloat (t.rate.rtt, >, 0.039);
  }
  g_assert_cmpfloat (t.rate.rtt, <, 0.080);
}

/* The queue on the way there is not taken for the receiver's delay. */
static void
a_growing_queue_is_seen (void)
{
  start ();
  for (guint i = 10; i < 60; i++) {
    const guint queue = i < 30 ? 0 : 150;
    RccPacket p = outcome (1, i, i * 200, 40 + queue);

    sent (i * 200);
    rcc_tell (&t.sender, on_feedback, &p, 1, MS (i * 200 + 80 + queue));
    if (i == 31)
      g_assert_cmpfloat (t.rate.x_inst, <, 0.75 * t.rate.x);
  }
  g_assert_cmpfloat_with_epsilon (t.rate.rtt, 0.230, 0.010);
}

static void
reports_alone_are_tfrc_like (void)
{
  const RccTcpPath path = { .packet_size = SIZE, .rtt = MS (100) };
  gint64 highest = 0, lost = 0;

  start ();
  sent (0);
  report (0, 0, 0.0, 1000);
  g_assert_cmpstr (t.loss_source, ==, "report");
  g_assert_cmpuint (t.target_bps, ==, 8 * 43800);
  report (0, 0, 0.04, 1001);            /* smoothed */
  NEAR (t.rate.p, 0.01);
  for (guint i = 2; i < 40; i++) {
    for (guint k = 0; k < 400; k++)
      rcc_tell (&t.sender, on_sent, &(RccPacket) { .size = SIZE,
            .sent = MS (i * 1000 - 1000) + k * (RCC_SEC / 400) });
    highest += 400;
    lost += 8;
    report (highest, lost, 0.02, i * 1000);
  }
  g_assert_cmpfloat_with_epsilon (t.rate.p, 0.02, 1e-4);
  g_assert_cmpuint (t.x_recv_bps, ==, 392 * SIZE * 8);
  g_assert_cmpfloat_with_epsilon (t.target_bps,
      8 * rcc_tcp_throughput (RCC_TCP_PADHYE, &path, t.rate.p), 8.0);
  /* and it waits for two of their intervals */
  g_assert_cmpuint (rcc_deadline (&t.sender), ==, MS (39000 + 2000));
}

/* Several streams: their rates add up, the worst of their losses counts, CE is loss. */
static void
reports_of_several_streams (void)
{
  start ();
  sent (0);
  for (guint i = 1; i <= 3; i++)
    for (guint k = 0; k < 2; k++)
      rcc_tell (&t.sender, on_report, &((RccReport) { .ssrc = k, .reporter = 9,
            .highest_seq = i * 100 * (k + 1), .expected = 100 * (k + 1),
            .ce = k ? 6 : 0, .fraction_lost = k ? 0.01 : 0.0, .rtt = MS (50) }),
          MS (i * 1000));
  g_assert_cmpuint (t.x_recv_bps, ==, 300 * SIZE * 8);
  NEAR (t.rate.p, 0.01 + 6.0 / 200);
  /* one that has gone silent counts no more */
  rcc_tell (&t.sender, on_report, &((RccReport) { .ssrc = 0, .reporter = 9,
        .highest_seq = 300 + 2200, .expected = 2200, .rtt = MS (50) }), MS (25000));
  g_assert_cmpuint (t.x_recv_bps, ==, 100 * SIZE * 8);
  g_assert_cmpfloat (t.rate.p, ==, 0.0);
}

static void
reports_step_in_for_feedback (void)
{
  start ();
  stream (10, 20, 0);
  g_assert_cmpuint (report (200, 100, 0.5, 2100).changed, ==, 0);
  g_assert_cmpfloat (t.rate.p, ==, 0.0);
  report (300, 150, 0.5, 7200);
  g_assert_cmpstr (t.loss_source, ==, "report");
  g_assert_cmpfloat (t.rate.p, >, 0.4);
  stream (80, 82, 0);
  g_assert_cmpstr (t.loss_source, ==, "feedback");
}

static void
silence_halves_the_rate (void)
{
  guint32 before;
  RccTime now;

  start ();
  stream (10, 16, 0);
  before = t.target_bps;
  for (guint i = 1; i <= 3; i++) {
    now = rcc_deadline (&t.sender);
    rcc_tell (&t.sender, on_sent, &(RccPacket) { .size = SIZE, .sent = now - 1 });
    rcc_tell (&t.sender, on_deadline, now);
    g_assert_cmpuint (rcc_deadline (&t.sender), >, now);
    g_assert_cmpuint (t.target_bps, <=, before / 2 + 1);
    before = t.target_bps;
  }
  for (guint i = 0; i < 40; i++) {
    now = rcc_deadline (&t.sender);
    rcc_tell (&t.sender, on_sent, &(RccPacket) { .size = SIZE, .sent = now - 1 });
    rcc_tell (&t.sender, on_deadline, now);
  }
  g_assert_cmpuint (t.target_bps, ==, limits.min_bps);
  g_assert_cmpuint (t.x_bps, ==, 8 * SIZE / 64);
}

static void
names_its_numbers_once (void)
{
  for (const RccField *f = rcc_tfrc_fields; f->name; f++) {
    g_assert_cmpuint (f->offset, <, sizeof t);
    for (const RccField *g = f + 1; g->name; g++)
      g_assert_cmpstr (f->name, !=, g->name);
  }
}

/* Without R there is nothing that X_recv and p could be put into. */
static void
a_report_before_any_round_trip_feeds_nothing (void)
{
  const RccReport r = { .ssrc = 1, .reporter = 2, .highest_seq = 100, .lost = 50,
    .fraction_lost = 0.5, .rtt = RCC_NEVER };

  start ();
  sent (1000);
  for (guint i = 1; i <= 3; i++)
    g_assert_cmpuint (rcc_tell (&t.sender, on_report, &r, MS (1000 + i * 500)).changed, ==, 0);
  g_assert_cmpuint (t.x_bps, ==, 300000);
  g_assert_cmpuint (t.target_bps, ==, 300000);
  g_assert_cmpuint (t.rtt, ==, RCC_NEVER);
  g_assert_cmpfloat (t.rate.rtt, ==, 0);
  g_assert_cmpuint (t.reports, ==, 3);
}

static void
feedback_of_no_packets_is_none (void)
{
  start ();
  stream (10, 12, 0);
  g_assert_cmpuint (t.feedbacks, ==, 2);
  g_assert_cmpuint (rcc_tell (&t.sender, on_feedback, NULL, 0, MS (20000)).changed, ==, 0);
  g_assert_cmpuint (t.feedbacks, ==, 2);
  g_assert_cmpuint (t.heard, <, MS (20000));
}

/* A receiver whose count is wrong received nothing, and takes nothing from the others. */
static void
more_lost_than_sent_is_nothing_received (void)
{
  start ();
  sent (0);
  for (guint i = 1; i <= 3; i++)
    for (guint k = 0; k < 2; k++)
      rcc_tell (&t.sender, on_report, &((RccReport) { .ssrc = k, .reporter = 9,
            .highest_seq = i * 100, .lost = k ? i * 150 : 0, .expected = 100, .rtt = MS (50) }),
          MS (i * 1000));
  g_assert_cmpuint (t.x_recv_bps, ==, 100 * SIZE * 8);
}

static void
what_is_the_same_is_no_change (void)
{
  start ();
  g_assert_cmpuint (rcc_tell (&t.sender, on_config, &limits, 0).changed, ==, 0);
  g_assert_cmpuint (rcc_tell (&t.sender, on_remb, G_MAXUINT32, 0).changed, ==, 0);
}

/* A report without a round trip says nothing of how long the receiver sits on its messages. */
static void
only_a_round_trip_tells_the_receivers_part (void)
{
  RccReport r = { .ssrc = 1, .reporter = 2, .rtt = RCC_NEVER };

  start ();
  stream (10, 20, 0);
  t.sample = MS (100);
  rcc_tell (&t.sender, on_report, &r, MS (2100));
  g_assert_false (t.held_known);
  r.rtt = MS (40);
  rcc_tell (&t.sender, on_report, &r, MS (2200));
  g_assert_true (t.held_known);
  NEAR (t.held, 60e6);
  r.rtt = MS (100);                     /* smoothed from the second on */
  rcc_tell (&t.sender, on_report, &r, MS (2300));
  NEAR (t.held, 0.875 * 60e6);
}

/* Reports are seldom: one of an empty queue stands beside a sample of a long one. */
static void
no_round_trip_is_shorter_than_the_shortest (void)
{
  RccReport r = { .ssrc = 1, .reporter = 2, .rtt = MS (100) };

  start ();
  stream (10, 20, 0);
  g_assert_cmpuint (t.rtt, ==, MS (100));
  t.sample = MS (300);
  rcc_tell (&t.sender, on_report, &r, MS (2150));
  NEAR (t.held, 200e6);
  stream (20, 60, 0);
  g_assert_cmpuint (t.rtt, ==, MS (100));
  r.rtt = MS (60);                      /* of 100, as long a sample, 40 are the receiver's */
  for (guint i = 1; i <= 40; i++)
    rcc_tell (&t.sender, on_report, &r, MS (6100 + i));
  stream (63, 160, 0);
  g_assert_cmpuint (t.rtt / RCC_MSEC, ==, 60);
}

/* Two receivers of one stream count each for itself: the worse one's loss stands. */
static void
receivers_of_one_stream_are_two (void)
{
  start ();
  sent (0);
  for (guint i = 1; i <= 20; i++)
    for (guint k = 0; k < 2; k++)
      rcc_tell (&t.sender, on_report, &((RccReport) { .ssrc = 1, .reporter = 8 + k,
            .highest_seq = i * 100 + k * 5000, .expected = 100,
            .fraction_lost = k ? 0.0 : 0.04, .rtt = MS (50) }), MS (i * 1000 + k));
  NEAR (t.rate.p, 0.04);
}

static void
the_stream_silent_for_longest_makes_room (void)
{
  RccReport r = { .reporter = 9, .rtt = MS (50) };
  gboolean first = FALSE;

  start ();
  for (guint i = 0; i <= RCC_TFRC_STREAMS; i++) {
    r.ssrc = 1 + i % RCC_TFRC_STREAMS;  /* the first one again, last of all */
    rcc_tell (&t.sender, on_report, &r, MS (1000 + i));
  }
  r.ssrc = 99;
  rcc_tell (&t.sender, on_report, &r, MS (2000));
  for (guint i = 0; i < RCC_TFRC_STREAMS; i++) {
    g_assert_cmpuint (t.streams[i].ssrc, !=, 2);
    first |= t.streams[i].ssrc == 1;
  }
  g_assert_true (first);
}

static void
a_packet_that_leaves_is_no_news (void)
{
  start ();
  g_assert_cmpuint (rcc_tell (&t.sender, on_sent, &(RccPacket) { .size = SIZE,
            .sent = MS (1000) }).changed, ==, 0);
}

/* For logs and traces: whatever changes says why. */
static void
each_change_has_a_reason (void)
{
  start ();
  g_assert_cmpstr (t.rate.state, ==, "start");
  g_assert_cmpstr (rcc_tell (&t.sender, on_config, &((RccConfig) { 0, 0, 200000 }), 0).reason, ==,
      "limits changed");
  g_assert_cmpstr (rcc_tell (&t.sender, on_remb, 123456, 0).reason, ==, "REMB");
  sent (1000);
  g_assert_cmpstr (feedback (1, 1, 1000, 0, 1100).reason, ==, "initial");
  sent (1200);                          /* who is idle is not halved */
  g_assert_cmpstr (rcc_tell (&t.sender, on_deadline, rcc_deadline (&t.sender)).reason, ==,
      "no-feedback");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(f) g_test_add_func ("/tfrc/" #f, f)
  ADD (starts_at_the_start);
  ADD (keeps_to_the_limits);
  ADD (first_feedback_sets_the_initial_rate);
  ADD (counts_events_not_packets);
  ADD (what_is_not_told_is_not_lost);
  ADD (streams_share_one_count);
  ADD (a_packet_that_came_late_was_not_lost);
  ADD (the_receivers_delay_is_no_round_trip);
  ADD (a_clock_set_back_is_no_delay);
  ADD (a_growing_queue_is_seen);
  ADD (reports_alone_are_tfrc_like);
  ADD (reports_of_several_streams);
  ADD (reports_step_in_for_feedback);
  ADD (a_report_before_any_round_trip_feeds_nothing);
  ADD (silence_halves_the_rate);
  ADD (names_its_numbers_once);
  ADD (feedback_of_no_packets_is_none);
  ADD (more_lost_than_sent_is_nothing_received);
  ADD (what_is_the_same_is_no_change);
  ADD (only_a_round_trip_tells_the_receivers_part);
  ADD (no_round_trip_is_shorter_than_the_shortest);
  ADD (receivers_of_one_stream_are_two);
  ADD (the_stream_silent_for_longest_makes_room);
  ADD (a_packet_that_leaves_is_no_news);
  ADD (each_change_has_a_reason);
  return g_test_run ();
}
