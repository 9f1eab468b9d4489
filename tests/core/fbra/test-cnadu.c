/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/fbra/cnadu.h"
#include "core/rng.h"
#include "core/tcpeq.h"
#include "link.h"

#define MS RCC_MSEC

static const RccConfig limits = { 10000, 100000, 2000000 };
static const RccRtcp rtcp = { .about_us = true, .from_reporter = true, .n_reporters = 1 };

static RccCnadu c;
static RccTime now;
static gint64 seq;

static void
start (void)
{
  const RccCnaduConfig config = rcc_cnadu_config ();

  rcc_cnadu_init (&c, &config, &limits);
  now = 100 * RCC_SEC;
}

/* Ten packets at the rate over 400 ms, which take @owd; bits of @lost did not come. */
static RccUpdate
report (RccTime owd, guint lost)
{
  const RccReport r = { .highest_seq = (gint64) now, .expected = 10, .rtt = owd + 50 * MS };
  RccPacket p[10];

  for (guint i = 0; i < 10; i++, now += 40 * MS)
    p[i] = (RccPacket) { .seq = ++seq, .size = c.target_bps / 200, .sent = now,
      .arrived = lost >> i & 1 ? RCC_NEVER : now + owd };
  rcc_tell (&c.sender, on_report, &r, now + owd + 50 * MS);
  rcc_tell (&c.sender, on_feedback, p, 10, now + owd + 50 * MS);
  return rcc_tell (&c.sender, on_rtcp, &rtcp, now + owd + 50 * MS);
}

static void
grows_by_a_twentieth_below_the_75th_percentile (void)
{
  RccUpdate u;

  start ();
  g_assert_cmpstr (c.sender.ops->name, ==, "cnadu-like");
  g_assert_cmpuint (report (50 * MS, 0).target_bps, ==, 105000);
  u = report (50 * MS, 0);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET);
  g_assert_cmpuint (u.target_bps, ==, 110250);
}

static void
holds_between_the_percentiles (void)
{
  start ();
  for (guint i = 0; i < 20; i++)
    report ((50 + i) * MS, 0);          /* p75: 64 ms, p90: 67 */
  for (guint ms = 65; ms <= 66; ms++) {
    const guint before = c.target_bps;

    report (ms * MS, 0);
    g_assert_cmpuint (c.target_bps, ==, before);
    g_assert_cmpstr (c.reason, ==, "between the percentiles");
  }
}

/* To the goodput, which was that of the rate before the last increase. */
static void
goes_down_to_the_goodput_above_the_90th_percentile (void)
{
  guint before;

  start ();
  for (guint i = 0; i < 20; i++)
    report (50 * MS, 0);
  before = c.target_bps;
  for (guint i = 0; i < 10; i++)
    report ((51 + 20 * i) * MS, 0);     /* 400 ms of packets take 420 to arrive */
  g_assert_cmpstr (c.reason, ==, "round trip above its 90th percentile");
  g_assert_cmpuint (c.target_bps, ==, c.goodput_bps);
  g_assert_cmpfloat (c.target_bps, <, before * pow (400.0 / 420.0, 8));
}

/* The slides: of ten packets the last three are congested, one of which is lost:
 * 0.9 of the rate was good, and 0.2 of the report lies behind the loss. */
static void
undershoots_by_what_was_sent_since_the_loss (void)
{
  start ();
  for (guint i = 0; i < 20; i++)
    report (50 * MS, 0);
  /* the report's rate is that of the target now */
  c.rate = c.target_bps = 100000;
  report (50 * MS, 1 << 7);
  g_assert_cmpuint (c.goodput_bps, ==, 90000);
  g_assert_cmpuint (c.target_bps, >=, 69999);
  g_assert_cmpuint (c.target_bps, <=, 70001);
  g_assert_cmpfloat (c.late, ==, 0.1);
}

/* Departures that lie ahead of now do not say how much was sent since the loss. */
static void
undershoots_to_the_goodput_where_departures_are_unknown (void)
{
  RccPacket p[10];

  start ();
  for (guint i = 0; i < 20; i++)
    report (50 * MS, 0);
  c.rate = c.target_bps = 100000;
  for (guint i = 0; i < 10; i++)
    p[i] = (RccPacket) { .seq = ++seq, .size = 500, .sent = now + RCC_SEC + i * 40 * MS,
      .flags = i >= 7 ? 0 : RCC_PACKET_RECEIVED, .arrived = RCC_NEVER };
  now += 450 * MS;
  rcc_tell (&c.sender, on_feedback, p, 10, now);
  rcc_tell (&c.sender, on_rtcp, &rtcp, now);
  g_assert_cmpfloat (c.late, ==, 0.3);
  g_assert_cmpuint (c.goodput_bps, >, 50000);
  g_assert_cmpuint (c.target_bps, ==, c.goodput_bps);
}

static void
what_is_late_is_congestion_too (void)
{
  start ();
  for (guint i = 0; i < 20; i++)
    report (50 * MS, 0);
  report (500 * MS, 0);
  g_assert_cmpstr (c.reason, ==, "late packets");
  g_assert_cmpuint (c.target_bps, ==, limits.min_bps);
}

static void
silence_halves (void)
{
  RccUpdate u;

  start ();
  u = rcc_tell (&c.sender, on_sent, &((RccPacket) { .size = 100, .sent = now }));
  g_assert_cmpuint (u.changed, ==, 0);
  g_assert_cmpuint (rcc_deadline (&c.sender), ==, now + 2500 * MS);
  u = rcc_tell (&c.sender, on_deadline, now + 2500 * MS);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_STATE);
  g_assert_cmpint (c.state, ==, RCC_FBRA_DOWN);
  g_assert_cmpuint (u.target_bps, ==, 50000);
  g_assert_cmpuint (c.silences, ==, 1);
}

/* The state is that of the last report or silence.  A limit that moves changes none. */
static void
says_what_the_last_report_led_to (void)
{
  const RccConfig lower = { 10000, 100000, 50000 };

  start ();
  g_assert_cmpint (c.state, ==, RCC_FBRA_STAY);
  g_assert_cmpuint (report (50 * MS, 0).changed, ==, RCC_TARGET | RCC_STATE);
  g_assert_cmpint (c.state, ==, RCC_FBRA_UP);
  g_assert_cmpuint (report (50 * MS, 0).changed, ==, RCC_TARGET);
  g_assert_cmpuint (rcc_tell (&c.sender, on_config, &lower, now).changed, ==, RCC_TARGET);
  g_assert_cmpint (c.state, ==, RCC_FBRA_UP);
  g_assert_cmpuint (report (500 * MS, 0).changed, ==, RCC_TARGET | RCC_STATE);
  g_assert_cmpint (c.state, ==, RCC_FBRA_DOWN);
  g_assert_cmpuint (report (500 * MS, 0).changed, ==, RCC_STATE);       /* at the minimum */
  g_assert_cmpint (c.state, ==, RCC_FBRA_STAY);
}

static void
limits_move (void)
{
  const RccConfig crossed = { 800000, 0, 400000 }, zero = { 0, 0, 0 };

  start ();
  g_assert_cmpuint (rcc_tell (&c.sender, on_config, &crossed, now).target_bps, ==, 800000);
  g_assert_cmpuint (rcc_tell (&c.sender, on_config, &zero, now).target_bps, ==, 0);
  g_assert_cmpuint (rcc_tell (&c.sender, on_config, &limits, now).target_bps, ==, 10000);
}

static void
stays_below_a_link (void)
{
  static const Step steps[] = { { 0, 256000 }, { 100 * RCC_SEC, 100000 }, { 0, 0 } };
  static const guint none = 0;
  static Link l;
  guint64 at_100;

  start ();
  l = (Link) { .sender = &c.sender, .target = &c.target_bps, .fec = &none, .n = &none,
    .owd = 50 * MS, .schedule = steps };
  link_start (&l);
  while (l.now < 100 * RCC_SEC)
    link_step (&l);
  at_100 = l.media_good;
  while (l.now < 200 * RCC_SEC)
    link_step (&l);
  g_test_message ("C-NADU-like: %.1f kbit/s of 256, then %.1f of 100; lost %.2f %%,"
      " late %.2f %%", 8e-3 * (double) at_100 / 100,
      8e-3 * (double) (l.media_good - at_100) / 100,
      100.0 * (double) l.packets_lost / (double) l.packets_sent,
      100.0 * (double) l.packets_late / (double) l.packets_sent);
  g_assert_cmpfloat (8.0 * (double) at_100 / 100, >, 128000);
  g_assert_cmpfloat (8.0 * (double) (l.media_good - at_100) / 100, >, 50000);
  g_assert_cmpuint (l.packets_lost + l.packets_late, <, l.packets_sent / 20);
}

static void
a_storm_stays_within_limits (void)
{
  RccConfig l = limits;
  RccRng r;

  rcc_rng_init (&r, 4, 0);
  start ();
  for (guint i = 0; i < 300000; i++) {
    const RccReport rr = { .highest_seq = rcc_rng_u32 (&r) % 4,
      .expected = rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32,
      .fraction_lost = 3.0 * rcc_rng_uniform (&r) - 1.0,
      .rtt = rcc_rng_u32 (&r) % 3 ? RCC_NEVER
          : (RccTime) rcc_rng_u32 (&r) << rcc_rng_u32 (&r) % 33 };
    RccPacket p[4];

    now += rcc_rng_u32 (&r) % (30 * MS);
    for (guint k = 0; k < 4; k++)
      p[k] = (RccPacket) { .size = rcc_rng_u32 (&r), .flags = rcc_rng_u32 (&r) % 32,
        .sent = now - rcc_rng_u32 (&r) % RCC_SEC,
        .arrived = (RccTime) rcc_rng_u32 (&r) << rcc_rng_u32 (&r) % 33 };
    if (rcc_rng_u32 (&r) % 1000 == 0)
      l = (RccConfig) { rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32, 0,
        rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32 };
    rcc_tell (&c.sender, on_config, &l, now);
    rcc_tell (&c.sender, on_sent, &p[0]);
    rcc_tell (&c.sender, on_report, &rr, now);
    rcc_tell (&c.sender, on_feedback, p, rcc_rng_u32 (&r) % 5, now);
    rcc_tell (&c.sender, on_rtcp, &rtcp, now);
    rcc_tell (&c.sender, on_deadline, now);
    g_assert_cmpuint (c.target_bps, >=, l.min_bps);
    g_assert_cmpuint (c.target_bps, <=, MAX (l.min_bps, l.max_bps));
    g_assert_true (isfinite (c.rate) && c.late >= 0 && c.late <= 1);
    g_assert_cmpuint (c.timer.silence_next, >, now);
  }
}

/* One packet of forty is lost: 2.5 %.  A rate that is above the equation's comes down to it
 * without a loss of its own; where nothing was ever lost there is no such bound. */
static void
is_no_faster_than_tfrc (void)
{
  start ();
  for (guint i = 0; i < 200; i++) {
    report (50 * MS, i % 4 == 0);
    g_assert_cmpuint (c.target_bps, <=, MAX (c.equation_bps, limits.min_bps));
  }
  g_assert_cmpfloat_with_epsilon (c.loss_event_rate, 0.025, 0.005);
  c.rate = limits.max_bps;
  report (50 * MS, 0);
  g_assert_cmpstr (c.reason, ==, "as fast as TFRC may");
  g_assert_cmpuint (c.target_bps, ==, MAX (c.equation_bps, limits.min_bps));
  g_assert_cmpuint (c.target_bps, <, limits.max_bps);
  start ();
  for (guint i = 0; i < 200; i++)
    report (50 * MS, 0);
  g_assert_cmpuint (c.equation_bps, ==, UINT32_MAX);
  g_assert_cmpuint (c.target_bps, ==, limits.max_bps);
}

/* The same, of a peer that never echoes an SR.  Where it is not @timed either, all that it
 * says of a packet is that it came. */
static void
report_without_rtt (RccTime owd, guint lost, gboolean timed)
{
  const RccReport r = { .highest_seq = (gint64) now, .expected = 10, .rtt = RCC_NEVER };
  RccPacket p[10];

  for (guint i = 0; i < 10; i++, now += 40 * MS) {
    const gboolean received = !(lost >> i & 1);

    p[i] = (RccPacket) { .seq = ++seq, .size = c.target_bps / 200, .sent = now,
      .arrived = received && timed ? now + owd + 7 * RCC_SEC : RCC_NEVER,
      .flags = received && !timed ? RCC_PACKET_RECEIVED : 0 };
  }
  rcc_tell (&c.sender, on_report, &r, now + owd + 50 * MS);
  rcc_tell (&c.sender, on_feedback, p, 10, now + owd + 50 * MS);
  rcc_tell (&c.sender, on_rtcp, &rtcp, now + owd + 50 * MS);
}

/* Feedback's own times do: it hears of a queue before anything is lost, and TFRC's bound
 * holds. */
static void
without_an_echo_the_packets_tell_the_round_trip (void)
{
  guint before;

  start ();
  for (guint i = 0; i < 20; i++)
    report_without_rtt (50 * MS, 0, TRUE);
  g_assert_false (c.echoed);
  g_assert_cmpuint (c.rtt, >=, 90 * MS);        /* 100, and what a packet waits for its */
  g_assert_cmpuint (c.rtt, <=, 200 * MS);       /* report at most */
  g_assert_cmpuint (c.target_bps, >, 2.5 * 100000);
  before = c.target_bps;
  for (guint i = 0; i < 6; i++)
    report_without_rtt ((70 + 20 * i) * MS, 0, TRUE);
  g_assert_cmpstr (c.reason, ==, "round trip above its 90th percentile");
  g_assert_cmpuint (c.target_bps, <, before);
  for (guint i = 0; i < 200; i++)
    report_without_rtt (50 * MS, i % 4 == 0, TRUE);
  g_assert_cmpuint (c.equation_bps, <, UINT32_MAX);
  g_assert_cmpuint (c.target_bps, <=, MAX (c.equation_bps, limits.min_bps));
}

/* The first echo counts, and nothing before it: an estimate is longer than it. */
static void
an_echo_replaces_the_estimate (void)
{
  start ();
  for (guint i = 0; i < 5; i++)
    report_without_rtt (150 * MS, 0, TRUE);
  report (10 * MS, 0);
  g_assert_true (c.echoed);
  g_assert_cmpuint (c.rtt, ==, 60 * MS);
  g_assert_cmpuint (c.rtts.n, ==, 1);
  report_without_rtt (10 * MS, 0, TRUE);
  g_assert_cmpuint (c.rtt, ==, 60 * MS);
}

/* Nothing tells it: up while nothing is lost, down when something is. */
static void
without_any_times_losses_decide (void)
{
  start ();
  for (guint i = 0; i < 10; i++)
    report_without_rtt (50 * MS, 0, FALSE);
  g_assert_cmpuint (c.rtt, ==, RCC_NEVER);
  g_assert_cmpuint (c.target_bps, ==, (guint) (100000 * pow (1.05, 10)));
  g_assert_cmpuint (c.losses.events, ==, 0);
  g_assert_cmpstr (c.reason, ==, "nothing is late, the round trip is not known");
  report_without_rtt (50 * MS, 1 << 5, FALSE);
  g_assert_cmpstr (c.reason, ==, "late packets");
  g_assert_cmpuint (c.target_bps, <, 100000);
  g_assert_cmpuint (c.target_bps, >, limits.min_bps);
  report_without_rtt (50 * MS, 1 << 2 | 1 << 6, FALSE);
  report_without_rtt (50 * MS, 0, FALSE);
  g_assert_cmpuint (c.losses.events, ==, 3);    /* nothing says which are within a round trip */
}

/* RTCP without report blocks, as feedback between reports is. */
static void
feedback_alone_is_news (void)
{
  RccPacket p = { .seq = 1, .size = 1000, .sent = 100 * RCC_SEC,
    .arrived = 100 * RCC_SEC + 50 * MS };

  start ();
  rcc_tell (&c.sender, on_rtcp, &rtcp, now + 100 * MS);
  rcc_tell (&c.sender, on_feedback, &p, 0, now + 100 * MS);
  rcc_tell (&c.sender, on_rtcp, &rtcp, now + 100 * MS);
  g_assert_cmpuint (c.reports, ==, 0);
  rcc_tell (&c.sender, on_feedback, &p, 1, now + 100 * MS);
  g_assert_cmpuint (rcc_tell (&c.sender, on_rtcp, &rtcp, now + 100 * MS).target_bps, ==,
      105000);
  g_assert_cmpuint (c.reports, ==, 1);
}

/* RFC 5348 6.3.1: the first interval is the one at which TFRC would be as fast as what
 * came through. */
static void
the_first_loss_counts_as_one_at_the_goodput (void)
{
  RccTcpPath path;
  double goodput;

  start ();
  for (guint i = 0; i < 20; i++)
    report (50 * MS, 0);
  goodput = c.goodput_bps;
  report (50 * MS, 1 << 5);
  g_assert_cmpuint (c.losses.events, ==, 1);
  path = (RccTcpPath) { .packet_size = c.packet_size, .rtt = c.rtt };
  g_assert_cmpfloat_with_epsilon (8.0 * rcc_tcp_throughput (RCC_TCP_PADHYE, &path,
          1.0 / c.losses.now.interval[1]), goodput, 0.05 * goodput);
}

/* Who tells of packets may not know how large they were: one byte, not none. */
static void
packets_of_unknown_size_bound_the_rate_all_the_same (void)
{
  const RccTcpPath path = { .packet_size = 1.0, .rtt = 100 * MS };
  const RccReport r = { .highest_seq = 1, .expected = 10, .rtt = 100 * MS };
  RccPacket p[10];

  start ();
  for (guint i = 0; i < 10; i++)
    p[i] = (RccPacket) { .seq = i, .sent = now + i * MS,
      .arrived = i == 3 ? RCC_NEVER : now + 50 * MS };
  rcc_tell (&c.sender, on_report, &r, now + 100 * MS);
  rcc_tell (&c.sender, on_feedback, p, 10, now + 100 * MS);
  rcc_tell (&c.sender, on_rtcp, &rtcp, now + 100 * MS);
  g_assert_cmpfloat (c.loss_event_rate, >, 0);
  g_assert_cmpfloat (c.losses.now.interval[1], <, 1e6);
  g_assert_cmpuint (c.equation_bps, >, 0);
  g_assert_cmpuint (c.equation_bps, ==, (guint32) (8.0 * rcc_tcp_throughput (RCC_TCP_PADHYE,
              &path, c.loss_event_rate)));
}

/* Whoever does not say how many it expected says so with a number that has gone up. */
static void
a_report_is_news_unless_it_repeats_the_last (void)
{
  static const struct {
    gint64 highest;
    guint expected, judged;
  } said[] = { { 51, 0, 1 }, { 52, 0, 2 }, { 52, 0, 2 }, { 52, 5, 3 }, { 55, 0, 4 }, { 55, 0, 4 } };

  start ();
  for (guint i = 0; i < G_N_ELEMENTS (said); i++) {
    const RccReport r = { .highest_seq = said[i].highest, .expected = said[i].expected,
      .rtt = 100 * MS };

    now += 300 * MS;
    rcc_tell (&c.sender, on_report, &r, now);
    rcc_tell (&c.sender, on_rtcp, &rtcp, now);
    g_assert_cmpuint (c.reports, ==, said[i].judged);
  }
}

static void
defaults_are_the_slides (void)
{
  const RccCnaduConfig config = rcc_cnadu_config ();

  g_assert_cmpuint (config.reports.interval, ==, 100 * MS);
  g_assert_cmpfloat (config.reports.interval_rtts, ==, 2.0);
  g_assert_true (config.reports.pool);
  g_assert_cmpuint (config.reports.first_timeout, ==, 2500 * MS);
  g_assert_cmpuint (config.window, ==, 30 * RCC_SEC);
  g_assert_cmpfloat (config.p_low, ==, 0.75);
  g_assert_cmpfloat (config.p_high, ==, 0.9);
  g_assert_cmpfloat (config.increase, ==, 1.05);
  g_assert_cmpuint (config.d_max, ==, 400 * MS);
  g_assert_true (config.tfrc);
}

/* After a pause of more than the window there are no percentiles to be above. */
static void
round_trips_of_long_ago_do_not_count (void)
{
  start ();
  for (guint i = 0; i < 20; i++)
    report (50 * MS, 0);
  now += 31 * RCC_SEC;
  report (200 * MS, 0);
  g_assert_cmpuint (c.rtt_low, ==, RCC_NEVER);
  g_assert_cmpuint (c.rtt_high, ==, RCC_NEVER);
  g_assert_cmpstr (c.reason, ==, "round trip below its 75th percentile");
}

static void
averages_the_packet_size (void)
{
  start ();
  for (guint i = 0; i < 2000; i++) {
    const RccPacket p = { .seq = i, .size = i & 1 ? 200 : 1000, .sent = now + i * MS,
      .arrived = now + i * MS + 50 * MS };

    rcc_tell (&c.sender, on_feedback, &p, 1, now + i * MS + 100 * MS);
  }
  g_assert_cmpfloat_with_epsilon (c.packet_size, 600.0, 50.0);
}

/* For logs and traces: whatever changes says why. */
static void
each_change_has_a_reason (void)
{
  start ();
  g_assert_cmpstr (c.reason, ==, "start");
  g_assert_cmpstr (report (50 * MS, 0).reason, ==, "round trip below its 75th percentile");
  g_assert_cmpstr (rcc_tell (&c.sender, on_config, &limits, now).reason, ==, "limits changed");
  rcc_tell (&c.sender, on_sent, &((RccPacket) { .size = 100, .sent = now }));
  g_assert_cmpstr (rcc_tell (&c.sender, on_deadline, rcc_deadline (&c.sender)).reason, ==,
      "no report");
}

/* Of 500 ms since the last report 180 lie behind the loss, however young the clock is. */
static void
the_share_since_the_loss_is_of_the_time_between_reports (void)
{
  RccPacket p[10];

  start ();
  now = 10 * MS;
  p[0] = (RccPacket) { .size = 500, .sent = 0, .arrived = 5 * MS };
  rcc_tell (&c.sender, on_feedback, p, 1, now);
  rcc_tell (&c.sender, on_rtcp, &rtcp, now);
  c.rate = c.target_bps = 100000;
  for (guint i = 0; i < 10; i++)
    p[i] = (RccPacket) { .seq = 1 + i, .size = 500, .sent = (100 + i * 40) * MS,
      .arrived = i == 2 ? RCC_NEVER : (105 + i * 40) * MS };
  now = 510 * MS;
  rcc_tell (&c.sender, on_feedback, p, 10, now);
  rcc_tell (&c.sender, on_rtcp, &rtcp, now);
  g_assert_cmpstr (c.reason, ==, "late packets");
  g_assert_cmpfloat_with_epsilon (c.goodput_bps - c.rate, 100000 * 280.0 / 500, 2.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cnadu/grows-by-a-twentieth-below-the-75th-percentile",
      grows_by_a_twentieth_below_the_75th_percentile);
  g_test_add_func ("/cnadu/holds-between-the-percentiles", holds_between_the_percentiles);
  g_test_add_func ("/cnadu/goes-down-to-the-goodput-above-the-90th-percentile",
      goes_down_to_the_goodput_above_the_90th_percentile);
  g_test_add_func ("/cnadu/undershoots-by-what-was-sent-since-the-loss",
      undershoots_by_what_was_sent_since_the_loss);
  g_test_add_func ("/cnadu/what-is-late-is-congestion-too", what_is_late_is_congestion_too);
  g_test_add_func ("/cnadu/undershoots-to-the-goodput",
      undershoots_to_the_goodput_where_departures_are_unknown);
  g_test_add_func ("/cnadu/silence-halves", silence_halves);
  g_test_add_func ("/cnadu/says-what-the-last-report-led-to",
      says_what_the_last_report_led_to);
  g_test_add_func ("/cnadu/limits-move", limits_move);
  g_test_add_func ("/cnadu/stays-below-a-link", stays_below_a_link);
  g_test_add_func ("/cnadu/a-storm-stays-within-limits", a_storm_stays_within_limits);
  g_test_add_func ("/cnadu/is-no-faster-than-tfrc", is_no_faster_than_tfrc);
  g_test_add_func ("/cnadu/without-an-echo-the-packets-tell-the-round-trip",
      without_an_echo_the_packets_tell_the_round_trip);
  g_test_add_func ("/cnadu/an-echo-replaces-the-estimate", an_echo_replaces_the_estimate);
  g_test_add_func ("/cnadu/without-any-times-losses-decide", without_any_times_losses_decide);
  g_test_add_func ("/cnadu/feedback-alone-is-news", feedback_alone_is_news);
  g_test_add_func ("/cnadu/the-first-loss-counts-as-one-at-the-goodput",
      the_first_loss_counts_as_one_at_the_goodput);
  g_test_add_func ("/cnadu/packets-of-unknown-size-bound-the-rate-all-the-same",
      packets_of_unknown_size_bound_the_rate_all_the_same);
  g_test_add_func ("/cnadu/a-report-is-news-unless-it-repeats-the-last",
      a_report_is_news_unless_it_repeats_the_last);
  g_test_add_func ("/cnadu/defaults-are-the-slides", defaults_are_the_slides);
  g_test_add_func ("/cnadu/round-trips-of-long-ago-do-not-count",
      round_trips_of_long_ago_do_not_count);
  g_test_add_func ("/cnadu/averages-the-packet-size", averages_the_packet_size);
  g_test_add_func ("/cnadu/each-change-has-a-reason", each_change_has_a_reason);
  g_test_add_func ("/cnadu/share-since-the-loss",
      the_share_since_the_loss_is_of_the_time_between_reports);
  return g_test_run ();
}
