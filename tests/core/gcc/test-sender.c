/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include "core/rng.h"
#include "sender-rig.h"

/* An encoder at its least rate does not follow: the pacer need not hold it back. */
static void
paces_no_less_than_the_least_rate_needs (void)
{
  static const double floors[] = { 0, 1.5 };

  for (guint f = 0; f < 2; f++) {
    start (RCC_GCC_DEFAULT);
    s.config.pacing_floor = floors[f];
    for (guint i = 0; i < 20; i++)
      rcc_tell (&s.sender, on_remb, 1000, (i + 1) * RCC_SEC);
    g_assert_cmpuint (s.target_bps, ==, s.limits.min_bps);
    g_assert_cmpuint (s.pacing_bps, ==,
        (guint32) (RCC_MAX (s.config.pacing_factor, floors[f]) * s.limits.min_bps));
  }
}

static void
starts_at_the_start (void)
{
  start (RCC_GCC_DEFAULT);
  g_assert_cmpstr (s.sender.ops->name, ==, "gcc");
  g_assert_cmpuint (s.target_bps, ==, 300000);
  g_assert_cmpuint (s.pacing_bps, ==, (guint32) (300000 * s.config.pacing_factor));
  g_assert_cmpstr (s.limited_by, ==, "start-bitrate");
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, RCC_NEVER);
}

/* A report of no loss before the first REMB once set the target to the maximum. */
static void
a_clean_report_alone_lifts_by_five_percent (void)
{
  start (RCC_GCC_DEFAULT);
  for (guint i = 0; i < 64; i++)        /* 300 kbit/s: the target is made use of */
    sent (i * 32 * RCC_MSEC);
  report (0.0, 0, RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 300000);
  report (0.0, 50, 2 * RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 315000);
  rcc_tell (&s.sender, on_remb, 900000, 3 * RCC_SEC);
  report (0.0, 50, 3 * RCC_SEC);
  report (0.0, 50, 4 * RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 900000);
}

static void
takes_the_smallest (void)
{
  RccUpdate u;

  start (RCC_GCC_PAPER);
  u = rcc_tell (&s.sender, on_remb, 200000, RCC_SEC);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_PACING);
  g_assert_cmpuint (u.target_bps, ==, 200000);
  g_assert_cmpstr (s.limited_by, ==, "remb");
  /* Eq. 1 on 50 % loss: A_s was 200 k */
  u = report (0.5, 50, 2 * RCC_SEC);
  g_assert_cmpuint (u.target_bps, ==, 150000);
  g_assert_cmpstr (s.limited_by, ==, "loss");
  rcc_tell (&s.sender, on_remb, 9000000, 3 * RCC_SEC);
  g_assert_cmpuint (s.target_bps, <=, 157500);
  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 9000000, RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, limits.max_bps);
  g_assert_cmpstr (s.limited_by, ==, "max-bitrate");
  rcc_tell (&s.sender, on_remb, 0, RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, limits.min_bps);
}

/* A peer of Loss RLE alone: its losses are counted, once, and there is no delay. */
static void
what_came_unseen_is_no_loss (void)
{
  start (RCC_GCC_DEFAULT);
  for (guint round = 0; round < 20; round++) {
    const RccTime now = RCC_SEC + round * 200 * RCC_MSEC;
    RccPacket p[20];

    for (guint i = 0; i < 20; i++) {
      p[i] = (RccPacket) { .seq = round * 20 + i, .size = SIZE, .arrived = RCC_NEVER,
        .sent = now + i * 10 * RCC_MSEC,
        .flags = round >= 10 && i % 4 == 0 ? 0 : i % 2 ? RCC_PACKET_RECEIVED : RCC_PACKET_LATE };
      sent (p[i].sent);
    }
    report (1.0, 20, now + 250 * RCC_MSEC);     /* after the first it has no say */
    rcc_tell (&s.sender, on_feedback, p, 20, now + 250 * RCC_MSEC);
    if (round == 0)
      rcc_tell (&s.sender, on_config, &limits, now);
    else
      g_assert_cmpfloat (s.fraction_lost, ==, round >= 10 ? 0.25 : 0.0);
  }
  g_assert_false (s.has_feedback);
  g_assert_cmpuint (s.target_bps, <, 300000);
}

/* RFC 6679 7.3.3: where that is asked for, what a router marks counts as what it drops. */
static void
marks_count_as_losses_where_asked_for (void)
{
  for (guint as_loss = 0; as_loss < 2; as_loss++) {
    RccPacket p[20];

    start (RCC_GCC_DEFAULT);
    s.config.ecn_as_loss = as_loss;
    sent (RCC_SEC);
    rcc_tell (&s.sender, on_report, &((RccReport) { .expected = 20, .fraction_lost = 0.1,
            .ce = 5, .rtt = RCC_NEVER }), 2 * RCC_SEC);
    g_assert_cmpfloat_with_epsilon (s.fraction_lost, as_loss ? 0.35 : 0.1, 1e-9);
    rcc_tell (&s.sender, on_report, &((RccReport) { .expected = 20, .fraction_lost = 0.9,
            .ce = 5, .rtt = RCC_NEVER }), 3 * RCC_SEC);
    g_assert_cmpfloat_with_epsilon (s.fraction_lost, as_loss ? 1.0 : 0.9, 1e-9);

    start (RCC_GCC_DEFAULT);
    s.config.ecn_as_loss = as_loss;
    s.config.loss_cause = s.loss.asks_cause = false;    /* or a tenth would be tested first */
    for (guint i = 0; i < G_N_ELEMENTS (p); i++)        /* 2 lost, 4 marked */
      p[i] = (RccPacket) { .seq = i, .size = SIZE, .sent = RCC_SEC + i * 10 * RCC_MSEC,
        .flags = i >= 2 && i < 6 ? RCC_PACKET_CE : 0,
        .arrived = i < 2 ? RCC_NEVER : RCC_SEC + i * 10 * RCC_MSEC + 25 * RCC_MSEC };
    rcc_tell (&s.sender, on_feedback, p, G_N_ELEMENTS (p), 2 * RCC_SEC);
    g_assert_cmpfloat_with_epsilon (s.fraction_lost, as_loss ? 0.3 : 0.1, 1e-9);
    g_assert_cmpuint (s.target_bps, <=, as_loss ? 255000 : 300000);
  }
}

static void
one_packet_is_feedback (void)
{
  RccPacket p[] = {
    { .sent = RCC_SEC, .arrived = RCC_NEVER },
    { .seq = 1, .size = SIZE, .sent = RCC_SEC + 50 * RCC_MSEC, .arrived = 7 * RCC_SEC },
  };

  start (RCC_GCC_DEFAULT);
  s.flight.extra = RCC_MSEC;
  rcc_tell (&s.sender, on_feedback, p, 1, RCC_SEC + 100 * RCC_MSEC);
  g_assert_true (s.counts_packets);
  g_assert_cmpuint (s.flight.n_trips, ==, 0);   /* what is lost makes none */
  g_assert_cmpint (s.reported_seq, ==, 0);
  rcc_tell (&s.sender, on_feedback, p + 1, 1, RCC_SEC + 150 * RCC_MSEC);
  g_assert_cmpint (s.reported_seq, ==, 1);
  g_assert_cmpuint (s.flight.trips[0], ==, 100 * RCC_MSEC);
}

/* Of a queue that was long, 1.5 s ago at the latest. */
static void
losses_of_a_queue_tell_no_cause (void)
{
  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 500000, RCC_SEC);
  sent (RCC_SEC);
  s.delay.long_at = 3 * RCC_SEC;
  s.delay.arrival = 3 * RCC_SEC + 1500 * RCC_MSEC;
  report (0.01, 20, 5 * RCC_SEC);
  g_assert_cmpfloat (s.loss.cause.expected, ==, 0);
  s.delay.arrival++;
  report (0.01, 20, 5 * RCC_SEC);
  g_assert_cmpfloat (s.loss.cause.expected, ==, 20);
  report (0.01, 100, 6 * RCC_SEC);
  g_assert_cmpfloat (s.loss.cause.expected, ==, 120);
  report (0.01, 0, 9 * RCC_SEC);        /* of no packets: nothing is judged */
  g_assert_cmpfloat (s.loss.cause.expected, ==, 120);
}

static void
limits_move (void)
{
  const RccConfig crossed = { 800000, 300000, 400000 }, zero = { 0, 0, 0 };

  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 500000, RCC_SEC);
  g_assert_cmpuint (rcc_tell (&s.sender, on_config, &crossed, RCC_SEC).target_bps, ==,
      800000);
  g_assert_cmpuint (rcc_tell (&s.sender, on_config, &zero, RCC_SEC).target_bps, ==, 0);
  g_assert_cmpuint (s.pacing_bps, ==, 0);
  g_assert_cmpuint (rcc_tell (&s.sender, on_config, &limits, RCC_SEC).target_bps, ==,
      500000);
}

static void
an_unchanged_target_is_no_change (void)
{
  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 500000, RCC_SEC);
  g_assert_cmpuint (rcc_tell (&s.sender, on_remb, 500000, 2 * RCC_SEC).changed, ==, 0);
}

static RccTime
random_time (RccRng *r, RccTime now)
{
  switch (rcc_rng_u32 (r) % 20) {
    case 0: return RCC_NEVER;
    case 1: return 0;
    case 2: return (RccTime) rcc_rng_u32 (r) << 20;
    default: return now + rcc_rng_u32 (r) % (100 * RCC_MSEC);
  }
}

/* F4: whatever comes, what goes out is finite and within the limits. */
static void
an_event_storm_stays_within_limits (void)
{
  for (guint profile = 0; profile < 2; profile++) {
    RccConfig l = limits;
    RccTime now = RCC_SEC;
    RccRng r;

    rcc_rng_init (&r, 42, profile);
    start ((RccGccProfile) profile);
    for (guint i = 0; i < 1000000; i++) {
      RccUpdate u = { 0 };
      RccPacket p[8];

      now += rcc_rng_u32 (&r) % (30 * RCC_MSEC);
      if (rcc_rng_u32 (&r) % 10000 == 0)
        now += 3600 * RCC_SEC;
      switch (rcc_rng_u32 (&r) % 8) {
        case 0:
          if (rcc_rng_u32 (&r) % 100 == 0)
            l = (RccConfig) { rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32,
              rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32,
              rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32 };
          u = rcc_tell (&s.sender, on_config, &l, now);
          break;
        case 1:
          u = rcc_tell (&s.sender, on_remb, rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32, now);
          break;
        case 2: {
          const RccReport report = { .fraction_lost = rcc_rng_uniform (&r),
            .expected = rcc_rng_u32 (&r) >> rcc_rng_u32 (&r) % 32,
            .rtt = i % 3 ? RCC_NEVER : rcc_rng_u32 (&r) * (guint64) 14 };

          u = rcc_tell (&s.sender, on_report, &report, now);
          break;
        }
        case 3:
          u = rcc_tell (&s.sender, on_deadline, now);
          if (u.changed & RCC_PROBE) {
            g_assert_cmpuint (u.probe_bps, <=, (s.prober.probes > 1 ? 2 : 3)
                * (guint64) s.target_bps);
            g_assert_cmpuint (u.probe_bps, <=, l.max_bps);
          }
          break;
        case 4:
        case 5:
          for (guint k = 0; k < 8; k++)
            p[k] = (RccPacket) { .size = rcc_rng_u32 (&r) % 65536,
              .probe = rcc_rng_u32 (&r) % 4, .sent = random_time (&r, now) % (UINT64_MAX / 4),
              .arrived = random_time (&r, now) };
          u = rcc_tell (&s.sender, on_feedback, p, rcc_rng_u32 (&r) % 9, now);
          break;
        default:
          sent (now);
          break;
      }
      if (u.changed & RCC_TARGET)
        g_assert_cmpuint (u.target_bps, ==, s.target_bps);
      g_assert_cmpuint (s.target_bps, >=, l.min_bps);
      g_assert_cmpuint (s.target_bps, <=, RCC_MAX (l.min_bps, l.max_bps));
      g_assert_cmpuint (s.pacing_bps, >=, s.target_bps);
      g_assert_false (isnan (s.loss.bps) || isnan (s.silence_bps));
      g_assert_true (isfinite (s.delay.aimd.bps) && isfinite (s.delay.m));
      g_assert_true (s.fraction_lost >= 0 && s.fraction_lost <= 1);
    }
  }
}

/* A decrease has to show first: after 300 ms, and a round trip where it is known. */
static void
losses_count_once_a_round_trip (void)
{
  static const struct { RccTime rtt, after; gboolean again; } table[] = {
    { RCC_SEC, 1200 * RCC_MSEC, FALSE }, { RCC_SEC, 1400 * RCC_MSEC, TRUE },
    { RCC_NEVER, 300 * RCC_MSEC - 1, FALSE }, { RCC_NEVER, 300 * RCC_MSEC, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
    RccReport r = { .fraction_lost = 0.4, .expected = 50, .rtt = table[i].rtt };
    guint32 once;

    start (RCC_GCC_DEFAULT);
    rcc_tell (&s.sender, on_report, &r, 10 * RCC_SEC);
    once = s.target_bps;
    g_assert_cmpuint (once, ==, 240000);
    rcc_tell (&s.sender, on_report, &r, 10 * RCC_SEC + table[i].after);
    g_assert_cmpuint (s.target_bps, ==, table[i].again ? 192000 : once);
  }
}

/* Where feedback counts packets, a report counts none of them again. */
static void
packets_are_not_counted_twice (void)
{
  RccPacket p[20];

  start (RCC_GCC_DEFAULT);
  for (guint i = 0; i < G_N_ELEMENTS (p); i++)
    p[i] = (RccPacket) { .size = SIZE, .sent = RCC_SEC + i * 10 * RCC_MSEC,
      .arrived = RCC_SEC + 20 * RCC_MSEC + i * 10 * RCC_MSEC };
  rcc_tell (&s.sender, on_feedback, p, G_N_ELEMENTS (p), 2 * RCC_SEC);
  report (0.5, 20, 2 * RCC_SEC);
  g_assert_cmpfloat (s.fraction_lost, ==, 0.0);
  g_assert_true (isinf (s.loss.bps));
}

/* The estimate begins anew, and the round trip that a report told is still the path's. */
static void
the_round_trip_outlives_feedback (void)
{
  const RccPacket p = { .size = SIZE, .sent = RCC_SEC, .arrived = RCC_SEC + 20 * RCC_MSEC };

  start (RCC_GCC_DEFAULT);
  report (0.0, 10, RCC_SEC);
  rcc_tell (&s.sender, on_feedback, &p, 1, 2 * RCC_SEC);
  g_assert_true (s.has_feedback);
  rcc_tell (&s.sender, on_remb, 900000, 30 * RCC_SEC);
  g_assert_false (s.has_feedback);
  g_assert_cmpuint (s.delay.aimd.rtt, ==, 50 * RCC_MSEC);
}

static void
averages_the_packet_size (void)
{
  start (RCC_GCC_DEFAULT);
  for (guint i = 0; i < 2000; i++) {
    const RccPacket p = { .size = i & 1 ? 200 : 1000, .sent = RCC_SEC + i * RCC_MSEC,
      .arrived = RCC_NEVER };

    rcc_tell (&s.sender, on_sent, &p);
  }
  g_assert_cmpfloat_with_epsilon (s.loss.packet_size, 600.0, 50.0);
}

/* Whoever told the rate tells none any more: the target stays, and the losses lead it on. */
static void
a_remb_that_ends_lifts_nothing (void)
{
  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 200000, RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 200000);
  rcc_tell (&s.sender, on_remb, UINT32_MAX, 2 * RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 200000);
  g_assert_cmpstr (s.limited_by, ==, "reports");
  g_assert_cmpuint (s.rembs, ==, 1);
}

/* Four of the intervals in which packets were told of, and a second at least. */
static void
packets_are_told_of_in_intervals (void)
{
  static const struct { RccTime interval, keep; } table[] = {
    { 2 * RCC_SEC, 8 * RCC_SEC }, { 100 * RCC_MSEC, RCC_SEC },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (table); i++) {
    const RccTime interval = table[i / 2].interval, keep = table[i / 2].keep;
    const RccPacket p = { .size = SIZE, .sent = 9 * RCC_SEC, .arrived = 9 * RCC_SEC + RCC_MSEC };

    start (RCC_GCC_DEFAULT);
    for (guint k = 0; k < 3; k++)
      rcc_tell (&s.sender, on_feedback, &p, 1, 10 * RCC_SEC + k * interval);
    rcc_tell (&s.sender, on_remb, 900000, 10 * RCC_SEC + 2 * interval + keep - (i % 2 == 0));
    g_assert_cmpint (s.has_feedback, ==, i % 2 == 0);
  }
}

static void
only_losses_end_the_probers_care (void)
{
  start (RCC_GCC_DEFAULT);
  report (0.0, 50, 2 * RCC_SEC);
  g_assert_cmpuint (s.prober.lost, ==, RCC_NEVER);
  report (0.01, 50, 3 * RCC_SEC);
  g_assert_cmpuint (s.prober.lost, ==, 3 * RCC_SEC);
}

/* For logs and traces: whatever changes says by whom. */
static void
each_change_has_a_reason (void)
{
  const RccPacket p = { .size = SIZE, .sent = RCC_SEC, .arrived = RCC_SEC + 20 * RCC_MSEC };

  start (RCC_GCC_PAPER);
  sent (RCC_SEC);
  g_assert_cmpstr (report (0.5, 50, RCC_SEC).reason, ==, "receiver report");
  g_assert_cmpstr (rcc_tell (&s.sender, on_remb, 100000, RCC_SEC).reason, ==, "REMB");
  g_assert_cmpstr (rcc_tell (&s.sender, on_remb, UINT32_MAX, RCC_SEC).reason, ==,
      "no REMB any more");
  g_assert_cmpstr (rcc_tell (&s.sender, on_feedback, &p, 1, RCC_SEC).reason, ==,
      "transport feedback");
  g_assert_cmpstr (rcc_tell (&s.sender, on_config, &limits, RCC_SEC).reason, ==, "limits changed");
  sent (2 * RCC_SEC);
  g_assert_cmpstr (rcc_tell (&s.sender, on_deadline, rcc_deadline (&s.sender)).reason, ==,
      "no feedback");
}

/* Feedback and REMB at once: the smaller of the two, whichever it is. */
static void
the_smaller_of_two_estimates_limits (void)
{
  const RccPacket p = { .size = SIZE, .sent = RCC_SEC, .arrived = RCC_SEC + 20 * RCC_MSEC };

  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_feedback, &p, 1, RCC_SEC);
  rcc_tell (&s.sender, on_remb, 900000, RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 300000);
  g_assert_cmpstr (s.limited_by, ==, "delay");
  rcc_tell (&s.sender, on_remb, 299999, RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 299999);
  g_assert_cmpstr (s.limited_by, ==, "remb");
}

static void
three_gigabits_are_a_rate (void)
{
  static const RccConfig most = { 0, 300000, UINT32_MAX };

  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_config, &most, RCC_SEC);
  g_assert_cmpuint (rcc_tell (&s.sender, on_remb, 3000000000u, RCC_SEC).target_bps, ==,
      3000000000u);
}

/* What leaves changes nothing by itself. */
static void
a_packet_that_leaves_is_no_news (void)
{
  const RccPacket p = { .size = SIZE, .sent = RCC_SEC, .arrived = RCC_NEVER };

  start (RCC_GCC_DEFAULT);
  g_assert_cmpuint (rcc_tell (&s.sender, on_sent, &p).changed, ==, 0);
  g_assert_cmpuint (s.last_sent, ==, RCC_SEC);
}

/* A fall by a tenth is noise yet, by more it is a queue. */
static void
a_remb_that_falls_by_a_tenth_is_noise (void)
{
  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 1000000, RCC_SEC);
  s.last_congestion = 0;
  rcc_tell (&s.sender, on_remb, 900000, 2 * RCC_SEC);
  g_assert_cmpuint (s.last_congestion, ==, 0);
  rcc_tell (&s.sender, on_remb, 809999, 3 * RCC_SEC);
  g_assert_cmpuint (s.last_congestion, ==, 3 * RCC_SEC);
}

/* Feedback each 50 ms of 5 packets, of which the last bears CE where @mark. */
static void
marks_of_l4s (gboolean mark)
{
  start (RCC_GCC_DEFAULT);
  s.config.l4s = true;
  for (RccTime now = RCC_SEC; now < 3 * RCC_SEC; now += 50 * RCC_MSEC) {
    RccPacket p[5] = { 0 };

    for (guint i = 0; i < G_N_ELEMENTS (p); i++)
      p[i] = (RccPacket) { .seq = (gint64) (now / RCC_MSEC / 10 + i), .size = SIZE,
        .sent = now + i * 10 * RCC_MSEC, .arrived = now + (20 + i * 10) * RCC_MSEC,
        .flags = mark && i == 4 ? RCC_PACKET_CE : 0 };
    rcc_tell (&s.sender, on_feedback, p, G_N_ELEMENTS (p), now + 80 * RCC_MSEC);
  }
}

static void
what_bears_no_mark_is_no_mark (void)
{
  marks_of_l4s (FALSE);
  g_assert_true (isinf (s.l4s.bps));
  marks_of_l4s (TRUE);
  g_assert_false (isinf (s.l4s.bps));
  g_assert_cmpfloat (s.l4s.alpha, >, 0.1);
  g_assert_cmpfloat (s.l4s.alpha, <, 0.3);
}

/* What stands behind the packets of a feedback belongs to nobody. */
static void
feedback_ends_where_it_ends (void)
{
  const RccPacket p[] = {
    { .seq = 1, .size = SIZE, .sent = RCC_SEC, .arrived = RCC_SEC + 20 * RCC_MSEC },
    { .seq = 2, .size = SIZE, .sent = RCC_SEC + 1, .arrived = RCC_SEC + 25 * RCC_MSEC },
    { .seq = 3, .size = SIZE, .sent = RCC_SEC + 2, .arrived = RCC_SEC + 1 },
    { .seq = 4, .size = SIZE, .sent = RCC_SEC + 2, .arrived = RCC_SEC + 1 },
  };

  start (RCC_GCC_DEFAULT);
  g_assert_cmpuint (s.config.reordering, >, 0);
  rcc_tell (&s.sender, on_feedback, p, 2, RCC_SEC + 50 * RCC_MSEC);
  g_assert_cmpuint (s.delay.arrival, ==, p[1].arrived);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-sender/paces-no-less-than-the-least-rate-needs",
      paces_no_less_than_the_least_rate_needs);
  g_test_add_func ("/gcc-sender/starts-at-the-start", starts_at_the_start);
  g_test_add_func ("/gcc-sender/a-clean-report-alone-lifts-by-five-percent",
      a_clean_report_alone_lifts_by_five_percent);
  g_test_add_func ("/gcc-sender/takes-the-smallest", takes_the_smallest);
  g_test_add_func ("/gcc-sender/what-came-unseen-is-no-loss", what_came_unseen_is_no_loss);
  g_test_add_func ("/gcc-sender/marks-count-as-losses-where-asked-for",
      marks_count_as_losses_where_asked_for);
  g_test_add_func ("/gcc-sender/losses-of-a-queue", losses_of_a_queue_tell_no_cause);
  g_test_add_func ("/gcc-sender/one-packet-is-feedback", one_packet_is_feedback);
  g_test_add_func ("/gcc-sender/limits-move", limits_move);
  g_test_add_func ("/gcc-sender/an-unchanged-target-is-no-change",
      an_unchanged_target_is_no_change);
  g_test_add_func ("/gcc-sender/an-event-storm-stays-within-limits",
      an_event_storm_stays_within_limits);
  g_test_add_func ("/gcc-sender/losses-count-once-a-round-trip", losses_count_once_a_round_trip);
  g_test_add_func ("/gcc-sender/packets-are-not-counted-twice", packets_are_not_counted_twice);
  g_test_add_func ("/gcc-sender/the-round-trip-outlives-feedback",
      the_round_trip_outlives_feedback);
  g_test_add_func ("/gcc-sender/averages-the-packet-size", averages_the_packet_size);
  g_test_add_func ("/gcc-sender/a-remb-that-ends-lifts-nothing", a_remb_that_ends_lifts_nothing);
  g_test_add_func ("/gcc-sender/packets-are-told-of-in-intervals", packets_are_told_of_in_intervals);
  g_test_add_func ("/gcc-sender/only-losses-end-the-probers-care", only_losses_end_the_probers_care);
  g_test_add_func ("/gcc-sender/each-change-has-a-reason", each_change_has_a_reason);
  g_test_add_func ("/gcc-sender/the-smaller-of-two-estimates-limits",
      the_smaller_of_two_estimates_limits);
  g_test_add_func ("/gcc-sender/three-gigabits-are-a-rate", three_gigabits_are_a_rate);
  g_test_add_func ("/gcc-sender/a-packet-that-leaves-is-no-news", a_packet_that_leaves_is_no_news);
  g_test_add_func ("/gcc-sender/what-bears-no-mark-is-no-mark", what_bears_no_mark_is_no_mark);
  g_test_add_func ("/gcc-sender/feedback-ends-where-it-ends", feedback_ends_where_it_ends);
  g_test_add_func ("/gcc-sender/remb-noise", a_remb_that_falls_by_a_tenth_is_noise);
  return g_test_run ();
}
