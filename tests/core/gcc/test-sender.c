/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/gcc/sender.h"
#include "core/rng.h"

#define SIZE 1200

static const RccConfig limits = { 50000, 300000, 5000000 };

static RccGccSender s;

static void
start (RccGccProfile profile)
{
  const RccGccConfig config = rcc_gcc_config (profile);

  rcc_gcc_sender_init (&s, &config, &limits);
}

static void
sent (RccTime now)
{
  const RccPacket p = { .size = SIZE, .sent = now, .arrived = RCC_NEVER };

  rcc_tell (&s.sender, on_sent, &p);
}

static RccUpdate
report (double fraction, guint32 expected, RccTime now)
{
  const RccReport r = { .fraction_lost = fraction, .expected = expected,
    .rtt = 50 * RCC_MSEC };

  return rcc_tell (&s.sender, on_report, &r, now);
}

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

/* Every timeout without feedback halves the rate, down to the minimum. */
static void
silence_halves_and_ends (void)
{
  RccTime now = RCC_SEC;
  guint32 expected = 1600000;
  guint recovered = 0;

  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 1600000, now);
  g_assert_cmpuint (s.target_bps, ==, 1600000);
  while (expected > limits.min_bps) {
    RccTime last = now;

    expected = RCC_MAX (expected / 2, limits.min_bps);
    for (; s.target_bps > expected; now += 10 * RCC_MSEC) {
      g_assert_cmpuint (now, <, last + s.config.feedback_timeout + 50 * RCC_MSEC);
      sent (now);
      if (rcc_deadline (&s.sender) <= now)
        rcc_tell (&s.sender, on_deadline, now);
    }
    g_assert_cmpuint (s.target_bps, ==, expected);
    g_assert_cmpstr (s.limited_by, ==, "feedback-timeout");
  }
  g_assert_cmpuint (s.silences, ==, 5);
  for (; s.target_bps < 1600000; recovered++)
    rcc_tell (&s.sender, on_remb, 1600000, now += 200 * RCC_MSEC);
  g_assert_cmpuint (recovered, ==, 5);
}

/* The way back works, the way there does not. */
static void
reports_of_nothing_are_silence (void)
{
  const RccReport first = { .expected = 50, .rtt = 50 * RCC_MSEC };
  const RccReport nothing = { .nothing_new = TRUE, .rtt = 50 * RCC_MSEC };
  RccTime now = RCC_SEC;

  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_remb, 1600000, now);
  rcc_tell (&s.sender, on_report, &first, now);
  for (guint i = 0; i < 1000; i++, now += 10 * RCC_MSEC) {
    sent (now);
    if (i % 100 == 0)
      rcc_tell (&s.sender, on_report, &nothing, now);
    if (rcc_deadline (&s.sender) <= now)
      rcc_tell (&s.sender, on_deadline, now);
  }
  g_assert_cmpstr (s.limited_by, ==, "feedback-timeout");
  g_assert_cmpuint (s.target_bps, <=, 100000);
}

static void
idle_is_not_silence (void)
{
  start (RCC_GCC_PAPER);
  sent (RCC_SEC);
  report (0.05, 50, 2 * RCC_SEC);
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, RCC_NEVER);
  g_assert_cmpuint (rcc_tell (&s.sender, on_deadline, 3600 * RCC_SEC).changed, ==, 0);
  g_assert_cmpuint (s.silences, ==, 0);
}

static void
an_early_deadline_does_nothing (void)
{
  start (RCC_GCC_PAPER);
  sent (RCC_SEC);
  g_assert_cmpuint (rcc_deadline (&s.sender), ==, RCC_SEC + s.config.feedback_timeout);
  g_assert_cmpuint (rcc_tell (&s.sender, on_deadline,
          RCC_SEC + s.config.feedback_timeout - 1).changed, ==, 0);
  g_assert_cmpuint (s.target_bps, ==, 300000);
}

static void
silence_down_to_nothing_ends_too (void)
{
  const RccConfig none = { 0, 300000, 5000000 };
  RccTime now = RCC_SEC;

  start (RCC_GCC_DEFAULT);
  rcc_tell (&s.sender, on_config, &none, now);
  rcc_tell (&s.sender, on_remb, 1000000, now);
  for (guint i = 0; i < 30; i++) {
    sent (now);
    rcc_tell (&s.sender, on_deadline, now += s.config.feedback_timeout);
  }
  g_assert_cmpuint (s.target_bps, ==, 0);
  for (guint i = 0; i < 15; i++)
    rcc_tell (&s.sender, on_remb, 1000000, now += RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 1000000);
}

/* Packets over a link, fed back every 50 ms: the loop that TWCC closes. */
typedef struct {
  RccTime now, free, reported;
  RccPacket pending[4096];
  guint n;
  guint64 losses;
} Loop;

static Loop loop;

static void
over_a_link (double bps, double capacity, double seconds, RccTime max_queue)
{
  const RccTime end = loop.now + (RccTime) (seconds * 1e9);

  while (loop.now < end) {
    const double rate = bps > 0 ? bps : s.target_bps;
    RccPacket *p = &loop.pending[loop.n++];

    loop.free = RCC_MAX (loop.free, loop.now);
    *p = (RccPacket) { .size = SIZE, .sent = loop.now, .arrived = RCC_NEVER };
    if (loop.free - loop.now <= max_queue) {
      loop.free += (RccTime) (8e9 * SIZE / capacity);
      p->arrived = loop.free + 20 * RCC_MSEC;
    } else {
      loop.losses++;
    }
    sent (loop.now);
    loop.now += (RccTime) (8e9 * SIZE / rate);
    /* what has arrived by now is told, in order */
    if (loop.now >= loop.reported + 50 * RCC_MSEC) {
      guint n = 0;

      while (n < loop.n && (loop.pending[n].arrived == RCC_NEVER
              || loop.pending[n].arrived + 20 * RCC_MSEC <= loop.now))
        n++;
      rcc_tell (&s.sender, on_feedback, loop.pending, n, loop.now);
      loop.n -= n;
      for (guint i = 0; i < loop.n; i++)
        loop.pending[i] = loop.pending[i + n];
      loop.reported = loop.now;
    }
    g_assert_cmpuint (loop.n, <, G_N_ELEMENTS (loop.pending));
  }
}

static void
fresh_loop (RccGccProfile profile)
{
  start (profile);
  loop.now = loop.reported = 100 * RCC_SEC;
  loop.free = loop.n = loop.losses = 0;
}

static void
settles_under_the_link (void)
{
  for (guint profile = 0; profile < 2; profile++) {
    fresh_loop ((RccGccProfile) profile);
    over_a_link (0, 1e6, 60, RCC_SEC);
    g_assert_cmpuint (s.target_bps, >, 600000);
    g_assert_cmpuint (s.target_bps, <, 1200000);
    g_assert_cmpuint (loop.losses, <, 20);
    /* the link shrinks to a third */
    over_a_link (0, 3e5, 10, RCC_SEC);
    g_assert_cmpuint (s.target_bps, <, 400000);
  }
}

/* A source that sends 200 kbit/s on a link of 20 Mbit/s. */
static void
an_idle_source_does_not_run_away (void)
{
  for (guint profile = 0; profile < 2; profile++) {
    const RccConfig l = { 10000, 100000, 20000000 };

    fresh_loop ((RccGccProfile) profile);
    rcc_tell (&s.sender, on_config, &l, loop.now);
    rcc_gcc_delay_init (&s.delay, &s.config, 100000);
    over_a_link (200000, 2e7, 120, RCC_SEC);
    /* one packet more or less is in the window of R */
    g_assert_cmpuint (s.target_bps, <=, 1.5 * (200000 + 8 * SIZE * 2) + 10000);
  }
}

static void
loss_is_counted_per_packet (void)
{
  fresh_loop (RCC_GCC_DEFAULT);
  over_a_link (3e5, 1e7, 5, RCC_SEC);
  g_assert_cmpfloat (s.fraction_lost, ==, 0);
  /* a queue of 2 ms at three times the link's rate: most is dropped */
  over_a_link (9e5, 3e5, 5, 2 * RCC_MSEC);
  g_assert_cmpfloat (s.fraction_lost, >, 0.5);
  g_assert_cmpuint (s.target_bps, <=, 300000);
}

static void
a_probe_raises_the_target (void)
{
  RccPacket p[20];

  fresh_loop (RCC_GCC_DEFAULT);
  over_a_link (3e5, 1e7, 2, RCC_SEC);
  for (guint i = 0; i < G_N_ELEMENTS (p); i++)
    p[i] = (RccPacket) { .size = SIZE, .probe = i < 10 ? 1 : 0,
      .sent = loop.now + i * 5 * RCC_MSEC,
      .arrived = loop.now + i * 5 * RCC_MSEC + 25 * RCC_MSEC };
  rcc_tell (&s.sender, on_feedback, p, G_N_ELEMENTS (p), loop.now + 200 * RCC_MSEC);
  /* 1200 B every 5 ms */
  g_assert_cmpuint (s.target_bps, >, 1700000);
  g_assert_cmpuint (s.target_bps, <, 2000000);
}

/* Parity and media of one cluster are one train; parity outside of clusters is none. */
static void
flags_are_no_cluster (void)
{
  static const guint32 flags[] = { RCC_PACKET_PARITY, RCC_PACKET_LATE, 0 };
  guint32 target[2];
  RccPacket p[20];

  for (guint flagged = 0; flagged < 2; flagged++) {
    fresh_loop (RCC_GCC_DEFAULT);
    over_a_link (3e5, 1e7, 2, RCC_SEC);
    for (guint i = 0; i < G_N_ELEMENTS (p); i++)
      p[i] = (RccPacket) { .size = SIZE,
        .probe = i < 10 ? 1 : 0, .flags = flagged ? flags[i % 3] : 0,
        .sent = loop.now + i * 5 * RCC_MSEC,
        .arrived = loop.now + i * 5 * RCC_MSEC + 25 * RCC_MSEC };
    rcc_tell (&s.sender, on_feedback, p, G_N_ELEMENTS (p), loop.now + 200 * RCC_MSEC);
    g_assert_cmpuint (s.cluster_id, ==, 0);
    target[flagged] = s.target_bps;
  }
  g_assert_cmpuint (target[1], ==, target[0]);
  g_assert_cmpuint (target[1], >, 1700000);
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

/* T1: the receiver's clock is set anew; the loop goes on as if nothing had been. */
static void
a_clock_jump_is_invisible (void)
{
  static const gint64 jumps[] = { 3600, -3600, 4, -4 };

  for (guint j = 0; j < G_N_ELEMENTS (jumps); j++) {
    RccTime send = 7200 * RCC_SEC;
    gint64 clock = 0;
    guint32 before = 0;
    RccPacket p[10];

    start (RCC_GCC_DEFAULT);
    for (guint round = 0; round < 200; round++) {
      if (round == 100) {
        clock = jumps[j] * (gint64) RCC_SEC;
        before = s.target_bps;
      }
      for (guint i = 0; i < 10; i++, send += 10 * RCC_MSEC) {
        sent (send);
        p[i] = (RccPacket) { .size = SIZE, .sent = send,
          .arrived = (RccTime) ((gint64) (send + 20 * RCC_MSEC) + clock) };
      }
      rcc_tell (&s.sender, on_feedback, p, 10, send);
      if (round >= 100)
        g_assert_cmpuint (s.target_bps, >=, before);
    }
    g_assert_cmpuint (s.delay.overuse.overuses, ==, 0);
    g_assert_cmpuint (s.target_bps, <=, 1.7 * 960000);
  }
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

/* Silence is measured in intervals of feedback, the first of which begins with what was sent. */
static void
the_first_feedback_tells_the_interval (void)
{
  start (RCC_GCC_DEFAULT);
  sent (RCC_SEC);
  sent (2 * RCC_SEC);
  report (0.0, 10, 4 * RCC_SEC);
  g_assert_cmpuint (s.interval, ==, 3 * RCC_SEC);
  report (0.0, 10, 5 * RCC_SEC);        /* what was longer is forgotten slowly */
  g_assert_cmpuint (s.interval, ==, 9 * RCC_SEC / 4);
  g_assert_cmpuint (s.silence_next, ==, RCC_NEVER);
  sent (6 * RCC_SEC);
  g_assert_cmpuint (s.silence_next, ==, 6 * RCC_SEC + 9 * RCC_SEC / 2);
}

/* The next one begins: the one before it, which is over, is not judged again. */
static void
a_cluster_is_judged_once (void)
{
  const RccPacket p = { .size = SIZE, .probe = 2, .sent = 2 * RCC_SEC,
    .arrived = 2 * RCC_SEC + 20 * RCC_MSEC };

  start (RCC_GCC_DEFAULT);
  rcc_cluster_start (&s.cluster, RCC_SEC, RCC_SEC + 20 * RCC_MSEC, SIZE);
  for (guint i = 1; i < 8; i++)
    rcc_cluster_add (&s.cluster, RCC_SEC + i * 5 * RCC_MSEC,
        RCC_SEC + 20 * RCC_MSEC + i * 5 * RCC_MSEC, SIZE);
  s.prober.asked_bps = 4e6;
  rcc_tell (&s.sender, on_feedback, &p, 1, 3 * RCC_SEC);
  g_assert_cmpfloat (rcc_gcc_delay_bps (&s.delay), <, 400e3);
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
  g_assert_cmpstr (s.limited_by, ==, "loss");
  g_assert_cmpuint (s.rembs, ==, 1);
}

/* While the queue grows a probe shows what it has filled, not what there is. */
static void
no_probe_raises_what_is_over (void)
{
  const RccPacket p = { .size = SIZE, .probe = 2, .sent = 2 * RCC_SEC,
    .arrived = 2 * RCC_SEC + 20 * RCC_MSEC };

  for (guint over = 0; over < 2; over++) {
    start (RCC_GCC_DEFAULT);
    s.has_feedback = true;
    s.cluster_id = 1;
    rcc_cluster_start (&s.cluster, RCC_SEC, RCC_SEC + 20 * RCC_MSEC, SIZE);
    for (guint i = 1; i < 8; i++)
      rcc_cluster_add (&s.cluster, RCC_SEC + i * 5 * RCC_MSEC,
          RCC_SEC + 20 * RCC_MSEC + i * 5 * RCC_MSEC, SIZE);
    s.prober.asked_bps = 4000000;
    s.delay.overuse.usage = over ? RCC_USAGE_OVER : RCC_USAGE_NORMAL;
    rcc_tell (&s.sender, on_feedback, &p, 1, 3 * RCC_SEC);
    if (over)
      g_assert_cmpfloat (rcc_gcc_delay_bps (&s.delay), ==, 300000);
    else
      g_assert_cmpfloat (rcc_gcc_delay_bps (&s.delay), >, 1.5e6);
  }
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

/* Doubled up to the maximum it is over: a maximum that is raised later meets no limit of it. */
static void
silence_that_is_over_leaves_no_limit (void)
{
  static const RccConfig more = { 50000, 300000, 4000000000u };

  start (RCC_GCC_DEFAULT);
  sent (RCC_SEC);
  rcc_tell (&s.sender, on_deadline, s.silence_next);
  g_assert_cmpstr (s.limited_by, ==, "feedback-timeout");
  for (guint i = 0; i < 8; i++)
    rcc_tell (&s.sender, on_remb, 3000000000u, (10 + i) * RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, limits.max_bps);
  rcc_tell (&s.sender, on_config, &more, 20 * RCC_SEC);
  g_assert_cmpuint (s.target_bps, ==, 3000000000u);
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
  g_test_add_func ("/gcc-sender/silence-halves-and-ends", silence_halves_and_ends);
  g_test_add_func ("/gcc-sender/reports-of-nothing-are-silence",
      reports_of_nothing_are_silence);
  g_test_add_func ("/gcc-sender/idle-is-not-silence", idle_is_not_silence);
  g_test_add_func ("/gcc-sender/an-early-deadline-does-nothing",
      an_early_deadline_does_nothing);
  g_test_add_func ("/gcc-sender/silence-down-to-nothing-ends-too",
      silence_down_to_nothing_ends_too);
  g_test_add_func ("/gcc-sender/settles-under-the-link", settles_under_the_link);
  g_test_add_func ("/gcc-sender/an-idle-source-does-not-run-away",
      an_idle_source_does_not_run_away);
  g_test_add_func ("/gcc-sender/loss-is-counted-per-packet", loss_is_counted_per_packet);
  g_test_add_func ("/gcc-sender/a-probe-raises-the-target", a_probe_raises_the_target);
  g_test_add_func ("/gcc-sender/flags-are-no-cluster", flags_are_no_cluster);
  g_test_add_func ("/gcc-sender/what-came-unseen-is-no-loss", what_came_unseen_is_no_loss);
  g_test_add_func ("/gcc-sender/marks-count-as-losses-where-asked-for",
      marks_count_as_losses_where_asked_for);
  g_test_add_func ("/gcc-sender/limits-move", limits_move);
  g_test_add_func ("/gcc-sender/an-unchanged-target-is-no-change",
      an_unchanged_target_is_no_change);
  g_test_add_func ("/gcc-sender/a-clock-jump-is-invisible", a_clock_jump_is_invisible);
  g_test_add_func ("/gcc-sender/an-event-storm-stays-within-limits",
      an_event_storm_stays_within_limits);
  g_test_add_func ("/gcc-sender/the-first-feedback-tells-the-interval", the_first_feedback_tells_the_interval);
  g_test_add_func ("/gcc-sender/a-cluster-is-judged-once", a_cluster_is_judged_once);
  g_test_add_func ("/gcc-sender/losses-count-once-a-round-trip", losses_count_once_a_round_trip);
  g_test_add_func ("/gcc-sender/packets-are-not-counted-twice", packets_are_not_counted_twice);
  g_test_add_func ("/gcc-sender/the-round-trip-outlives-feedback",
      the_round_trip_outlives_feedback);
  g_test_add_func ("/gcc-sender/averages-the-packet-size", averages_the_packet_size);
  g_test_add_func ("/gcc-sender/a-remb-that-ends-lifts-nothing", a_remb_that_ends_lifts_nothing);
  g_test_add_func ("/gcc-sender/no-probe-raises-what-is-over", no_probe_raises_what_is_over);
  g_test_add_func ("/gcc-sender/packets-are-told-of-in-intervals", packets_are_told_of_in_intervals);
  g_test_add_func ("/gcc-sender/only-losses-end-the-probers-care", only_losses_end_the_probers_care);
  g_test_add_func ("/gcc-sender/each-change-has-a-reason", each_change_has_a_reason);
  g_test_add_func ("/gcc-sender/the-smaller-of-two-estimates-limits",
      the_smaller_of_two_estimates_limits);
  g_test_add_func ("/gcc-sender/three-gigabits-are-a-rate", three_gigabits_are_a_rate);
  g_test_add_func ("/gcc-sender/a-packet-that-leaves-is-no-news", a_packet_that_leaves_is_no_news);
  g_test_add_func ("/gcc-sender/silence-that-is-over-leaves-no-limit",
      silence_that_is_over_leaves_no_limit);
  return g_test_run ();
}
