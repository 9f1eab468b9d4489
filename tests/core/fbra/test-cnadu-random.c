/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random lives of the C-NADU-like sender, each step held against what cnadu.h says.  Delays,
 * outcomes, timers and loss events are the core's, but others.
 */
#include <math.h>
#include <glib.h>
#include "core/fbra/cnadu.h"
#include "core/tcpeq.h"
#include "../../random.h"

#define LIVES 250
#define STEPS 250
#define WAITING 300

typedef struct {
  RccCnaduConfig c;
  RccConfig limits;
  RccOwd rtts;
  RccSkewOwd clock;
  RccOutcomes outcomes;
  RccReportTimer timer;
  RccTfrcLoss losses;
  RccReport report;
  gint64 highest;
  gboolean fresh, echoed;
  gdouble rate, size, late, p;
  guint32 target, goodput, equation;
  RccFbraState state;
  RccTime rtt;
  guint64 reports, undershoots, silences;
} Model;

static RccCnadu c;
static Model m;
static RccPacket waiting[WAITING];
static guint n_waiting;
static RccTime now, busy;
static gint64 seq;

static RccUpdate
settle (gdouble rate, const char *reason)
{
  const gdouble hi = MAX (m.limits.min_bps, m.limits.max_bps);
  const guint32 before = m.target;

  m.rate = MIN (MAX (rate, MAX (m.limits.min_bps, 1000.0)), hi);
  m.target = (guint32) m.rate;
  return (RccUpdate) { .changed = m.target == before ? 0 : RCC_TARGET, .target_bps = m.target,
    .reason = reason };
}

static RccTime
least_rtt (void)
{
  return rcc_skew_owd_rtt_min (&m.clock);
}

static void
model_feedback (const RccPacket *packets, guint n)
{
  rcc_outcomes_take (&m.outcomes, &m.clock, packets, n, now);
  for (guint i = 0; i < n; i++) {
    RccTfrcPath path = { .rtt = m.rtt == RCC_NEVER ? 0 : m.rtt,
      .target = MAX (m.goodput, 1000) / 8.0 };

    m.size = m.size == 0 ? packets[i].size : m.size + (packets[i].size - m.size) / 16;
    path.packet_size = MAX (m.size, 1);
    if (rcc_packet_received (&packets[i]))
      rcc_tfrc_loss_packet (&m.losses, packets[i].seq, packets[i].sent, false, &path);
  }
  m.fresh |= n > 0;
}

static void
model_report (const RccReport *r)
{
  if (r->rtt != RCC_NEVER) {
    if (!m.echoed)
      rcc_owd_init (&m.rtts, m.c.window);
    m.echoed = TRUE;
    m.rtt = r->rtt;
    rcc_skew_owd_rtt (&m.clock, r->rtt, now);
  }
  if (r->expected == 0 && r->highest_seq == m.highest)
    return;
  m.highest = r->highest_seq;
  m.report = *r;
  m.fresh = TRUE;
}

/* What a receiver report alone says */
static RccOutcomesSum
by_report (void)
{
  const gdouble lost = CLAMP (m.report.fraction_lost, 0, 1);

  return (RccOutcomesSum) { .rated = true, .packets = m.report.expected,
    .losses = (guint) (lost * m.report.expected + 0.5), .goodput_bps = (1 - lost) * m.rate,
    .bad_sent = RCC_NEVER, .newest_sent = RCC_NEVER };
}

static gdouble
undershoot (const RccOutcomesSum *sum, RccTime elapsed)
{
  gdouble part = 0;

  m.undershoots++;
  if (!sum->rated)
    return m.rate / 2;
  if (sum->bad_sent != RCC_NEVER && sum->newest_sent != RCC_NEVER
      && sum->newest_sent > sum->bad_sent && elapsed > 0)
    part = (gdouble) (sum->newest_sent - sum->bad_sent) / (gdouble) elapsed;
  return MIN (m.rate, sum->goodput_bps - m.rate * MIN (part, 1));
}

static RccUpdate
judge (const RccOutcomesSum *sum, RccTime elapsed)
{
  const char *reason = "between the percentiles";
  const guint late = sum->losses + sum->discards;
  gdouble rate = m.rate;
  RccTime low, high;

  if (!m.echoed && sum->owd != RCC_NEVER && least_rtt () != RCC_NEVER) {
    const RccTime queue = sum->owd > least_rtt () / 2 ? sum->owd - least_rtt () / 2 : 0;

    m.rtt = least_rtt () + queue - queue % RCC_MSEC;
  }
  rcc_owd_expire (&m.rtts, now);
  low = rcc_owd_percentile (&m.rtts, m.c.p_low);
  high = rcc_owd_percentile (&m.rtts, m.c.p_high);
  m.reports++;
  m.late = sum->packets == 0 ? 0 : (gdouble) late / sum->packets;
  if (sum->rated)
    m.goodput = (guint32) MIN (sum->goodput_bps, G_MAXUINT32);
  if (late > 0) {
    rate = undershoot (sum, elapsed);
    reason = "late packets";
  } else if (m.rtt == RCC_NEVER) {
    rate *= m.c.increase;
    reason = "nothing is late, the round trip is not known";
  } else if (m.rtt > high) {
    rate = undershoot (sum, elapsed);
    reason = "round trip above its 90th percentile";
  } else if (low == RCC_NEVER || m.rtt <= low) {
    rate *= m.c.increase;
    reason = "round trip below its 75th percentile";
  }
  if (m.rtt != RCC_NEVER)
    rcc_owd_add (&m.rtts, m.rtt, now);
  if (m.c.tfrc) {
    const RccTcpPath path = { .packet_size = MAX (m.size, 1),
      .rtt = m.rtt == RCC_NEVER ? 0 : m.rtt };
    gdouble bps;

    m.p = rcc_tfrc_loss_rate (&m.losses);
    bps = 8 * rcc_tcp_throughput (RCC_TCP_PADHYE, &path, m.p);
    m.equation = (guint32) MIN (bps, G_MAXUINT32);
    if (bps < rate) {
      rate = m.equation;
      reason = "as fast as TFRC may";
    }
  }
  return settle (rate, reason);
}

/* From @before by a report or its absence. */
static RccUpdate
moved (guint32 before, RccUpdate u)
{
  const RccFbraState state = m.target < before ? RCC_FBRA_DOWN
      : m.target == before ? RCC_FBRA_STAY : RCC_FBRA_UP;

  u.changed |= state == m.state ? 0 : RCC_STATE;
  m.state = state;
  return u;
}

static RccUpdate
model_rtcp (void)
{
  const RccTime before = m.timer.heard;
  const guint32 target = m.target;
  RccOutcomesSum sum;

  if (!m.fresh)
    return (RccUpdate) { 0 };
  m.fresh = FALSE;
  if (rcc_report_timer_heard (&m.timer, &m.c.reports, least_rtt (), now) == RCC_REPORT_POOLED)
    return (RccUpdate) { 0 };
  sum = m.outcomes.sum.packets == 0 ? by_report () : rcc_outcomes_close (&m.outcomes, 1.0, now);
  m.report.expected = 0;
  return moved (target, judge (&sum, before == RCC_NEVER ? 0 : now - before));
}

static RccUpdate
model_deadline (void)
{
  const guint32 target = m.target;

  if (!rcc_report_timer_silent (&m.timer, now))
    return (RccUpdate) { 0 };
  m.silences++;
  return moved (target, settle (m.rate / 2, "no report"));
}

static void
same (RccUpdate a, RccUpdate b)
{
  g_assert_cmpfloat_with_epsilon (c.rate, m.rate, 1e-9 * (1 + m.rate));
  g_assert_cmpuint (c.target_bps, ==, m.target);
  g_assert_cmpint (c.state, ==, m.state);
  g_assert_cmpuint (c.goodput_bps, ==, m.goodput);
  g_assert_cmpuint (c.equation_bps, ==, m.equation);
  g_assert_cmpfloat (c.loss_event_rate, ==, m.p);
  g_assert_cmpfloat (c.late, ==, m.late);
  g_assert_cmpuint (c.rtt, ==, m.rtt);
  g_assert_cmpuint (c.reports, ==, m.reports);
  g_assert_cmpuint (c.undershoots, ==, m.undershoots);
  g_assert_cmpuint (c.silences, ==, m.silences);
  g_assert_cmpuint (rcc_deadline (&c.sender), ==, m.timer.silence_next);
  g_assert_cmpuint (a.changed, ==, b.changed);
  g_assert_cmpuint (a.target_bps, ==, b.target_bps);
  g_assert_cmpstr (a.reason, ==, b.reason);
}

static RccConfig
any_limits (void)
{
  const guint32 min = chance (0.2) ? 0 : below (100000);

  return (RccConfig) { min, chance (0.1) ? 0 : 20000 + below (500000),
    chance (0.05) ? below (2000) : min + below (3000000) };
}

static void
begin (void)
{
  m = (Model) { .c = rcc_cnadu_config (), .limits = any_limits (), .highest = G_MININT64,
    .state = RCC_FBRA_STAY, .rtt = RCC_NEVER, .equation = G_MAXUINT32 };
  m.c.tfrc = chance (0.6);
  m.c.d_max = chance (0.5) ? 400 * RCC_MSEC : 60 * RCC_MSEC;
  now = busy = RCC_SEC + below (100000) * RCC_MSEC;
  n_waiting = 0;
  seq = below (1000);
  rcc_owd_init (&m.rtts, m.c.window);
  rcc_skew_owd_init (&m.clock);
  rcc_outcomes_init (&m.outcomes, m.c.d_max);
  rcc_report_timer_init (&m.timer);
  rcc_tfrc_loss_init (&m.losses, true);
  settle (m.limits.start_bps, "start");
  memset (&c, 0xa5, sizeof c);
  rcc_cnadu_init (&c, &m.c, &m.limits);
  same ((RccUpdate) { 0 }, (RccUpdate) { 0 });
}

static void
send_for (RccTime span, gdouble link, gdouble bad)
{
  const RccTime end = now + span;

  while (now < end && n_waiting < WAITING) {
    RccPacket *p = &waiting[n_waiting++];

    *p = (RccPacket) { .seq = seq++, .size = chance (0.02) ? below (3) : 200 + below (1000),
      .sent = now, .arrived = RCC_NEVER };
    rcc_tell (&c.sender, on_sent, p);
    rcc_report_timer_sent (&m.timer, &m.c.reports, least_rtt (), now);
    busy = MAX (busy, now) + (RccTime) (8e9 * p->size / link);
    if (chance (bad / 3))
      p->flags = chance (0.5) ? RCC_PACKET_LATE : RCC_PACKET_RECEIVED;
    else if (!chance (bad) && busy - now < RCC_SEC)
      p->arrived = busy + 30 * RCC_MSEC + 7 * RCC_SEC;
    now += MIN ((RccTime) (8e9 * p->size / MAX (m.rate, 2000)), 100 * RCC_MSEC) + 1;
  }
}

static void
report (gboolean fed, gboolean echoed, gdouble bad)
{
  const RccRtcp rtcp = { .about_us = true, .from_reporter = true, .n_reporters = 1 };
  const RccReport r = {
    .highest_seq = chance (0.2) ? m.highest : seq - below (3),
    .expected = chance (0.2) ? 0 : 1 + below (60),
    .fraction_lost = chance (0.5) ? 0 : 3 * bad * rcc_rng_uniform (&rng) - 0.05,
    .rtt = !echoed || chance (0.3) ? RCC_NEVER : (60 + below (40)) * RCC_MSEC,
  };
  RccUpdate a;

  if (chance (0.5)) {
    g_assert_cmpuint (rcc_tell (&c.sender, on_report, &r, now).changed, ==, 0);
    model_report (&r);
  }
  if (fed) {
    const guint n = chance (0.05) ? 0 : chance (0.2) ? MIN (1, n_waiting) : n_waiting;

    g_assert_cmpuint (rcc_tell (&c.sender, on_feedback, waiting, n, now).changed, ==, 0);
    model_feedback (waiting, n);
    n_waiting -= n;
    memmove (waiting, waiting + n, n_waiting * sizeof *waiting);
  } else if (n_waiting > WAITING / 2) {
    n_waiting = 0;
  }
  a = rcc_tell (&c.sender, on_rtcp, &rtcp, now);
  same (a, model_rtcp ());
}

static void
live (void)
{
  const gboolean fed = chance (0.8), echoed = chance (0.6);
  const RccTime span = (50 + below (400)) * RCC_MSEC;
  gdouble link = 1e6, bad = 0;

  begin ();
  for (guint i = 0; i < STEPS; i++) {
    const guint what = below (100);

    send_for (span, link, bad);
    if (what < 80) {
      now += (30 + below (20)) * RCC_MSEC;
      report (fed, echoed, bad);
    } else if (what < 90) {
      if (chance (0.3) && m.timer.silence_next != RCC_NEVER)
        now = MAX (now, m.timer.silence_next);
      same (rcc_tell (&c.sender, on_deadline, now), model_deadline ());
    } else if (what < 92) {
      m.limits = any_limits ();
      same (rcc_tell (&c.sender, on_config, &m.limits, now), settle (m.rate, "limits changed"));
    } else {
      link = 1e5 + below (3000000);
      bad = chance (0.6) ? 0 : 0.1 * rcc_rng_uniform (&rng);
    }
  }
}

static void
late_packets_and_round_trips_decide (void)
{
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 75, i);
    live ();
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cnadu-random/late-packets-and-round-trips-decide",
      late_packets_and_round_trips_decide);
  return g_test_run ();
}
