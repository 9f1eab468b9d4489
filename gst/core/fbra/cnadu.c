/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/cnadu.h"

#include "core/tcpeq.h"

#define SIZE_MEMORY (1.0 / 16.0)
#define RATE_LEAST 1000.0               /* bit/s: from 0 nothing grows */

const RccField rcc_cnadu_fields[] = {
  RCC_FIELD (RccCnadu, target_bps, "target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccCnadu, goodput_bps, "goodput", RCC_U32, "bit/s"),
  RCC_FIELD (RccCnadu, rtt, "rtt", RCC_TIME, "ns"),
  RCC_FIELD (RccCnadu, rtt_low, "rtt-p75", RCC_TIME, "ns"),
  RCC_FIELD (RccCnadu, rtt_high, "rtt-p90", RCC_TIME, "ns"),
  RCC_FIELD (RccCnadu, late, "late-ratio", RCC_DOUBLE, ""),
  RCC_FIELD (RccCnadu, loss_event_rate, "loss-event-rate", RCC_DOUBLE, ""),
  RCC_FIELD (RccCnadu, equation_bps, "equation-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccCnadu, reason, "reason", RCC_STRING, ""),
  RCC_FIELD (RccCnadu, reports, "report-count", RCC_U64, ""),
  RCC_FIELD (RccCnadu, undershoots, "undershoots", RCC_U64, ""),
  RCC_FIELD (RccCnadu, silences, "feedback-timeout-count", RCC_U64, ""),
  RCC_FIELDS_END,
};

RccCnaduConfig
rcc_cnadu_config (void)
{
  return (RccCnaduConfig) {
    .reports = { .interval = 100 * RCC_MSEC, .interval_rtts = 2.0, .pool = true,
        .early = 0.5, .silent_intervals = 2.0, .first_timeout = 2500 * RCC_MSEC },
    .window = 30 * RCC_SEC, .p_low = 0.75, .p_high = 0.9,
    .increase = 1.05, .d_max = 400 * RCC_MSEC, .tfrc = true,
  };
}

static RccUpdate
retarget (RccCnadu *c, double rate, const char *reason)
{
  const double hi = RCC_MAX (c->limits.max_bps, c->limits.min_bps);
  const double lo = RCC_MIN (RCC_MAX ((double) c->limits.min_bps, RATE_LEAST), hi);
  const uint32_t before = c->target_bps;

  c->rate = RCC_CLAMP (rate, lo, hi);
  c->target_bps = (uint32_t) c->rate;
  c->reason = reason;
  return (RccUpdate) { .changed = c->target_bps != before ? RCC_TARGET : 0,
    .target_bps = c->target_bps, .reason = reason };
}

/* By a report or by its absence.  A changed limit is neither. */
static RccUpdate
move (RccCnadu *c, double rate, const char *reason)
{
  const uint32_t before = c->target_bps;
  const RccFbraState state = c->state;
  RccUpdate update = retarget (c, rate, reason);

  c->state = c->target_bps < before ? RCC_FBRA_DOWN
      : c->target_bps > before ? RCC_FBRA_UP : RCC_FBRA_STAY;
  if (c->state != state)
    update.changed |= RCC_STATE;
  return update;
}

/* The slides' undershoot: from the bytes that were good, take what was sent since the
 * first packet that was not.  By round trip alone there is none such, and what was good
 * is left. */
static double
undershoot (const RccCnadu *c, const RccOutcomesSum *sum, RccTime elapsed)
{
  double congested = 0.0;

  if (sum->newest_sent != RCC_NEVER && sum->newest_sent > sum->bad_sent && elapsed > 0)
    congested = (double) (sum->newest_sent - sum->bad_sent) / (double) elapsed;
  return sum->goodput_bps - c->rate * RCC_MIN (congested, 1.0);
}

static RccOutcomesSum
by_report (const RccCnadu *c)
{
  const double fraction = RCC_CLAMP (c->report.fraction_lost, 0.0, 1.0);

  return (RccOutcomesSum) { .packets = c->report.expected, .rated = true,
    .losses = (uint32_t) (fraction * c->report.expected + 0.5),
    .goodput_bps = (1.0 - fraction) * c->rate, .bad_sent = RCC_NEVER,
    .newest_sent = RCC_NEVER };
}

/* Departures stand in for arrivals. All that matters is which losses lie within a round trip of
 * one another, and not every kind of feedback has the times. */
static void
count_events (RccCnadu *c, const RccPacket *packets, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const RccPacket *p = &packets[i];
    RccTfrcPath path = { .rtt = c->rtt == RCC_NEVER ? 0 : c->rtt };

    c->packet_size = c->packet_size > 0
        ? c->packet_size + SIZE_MEMORY * (p->size - c->packet_size) : p->size;
    path.packet_size = RCC_MAX (c->packet_size, 1.0);
    path.target = RCC_MAX (c->goodput_bps, RATE_LEAST) / 8.0;
    if (p->arrived != RCC_NEVER || p->flags & (RCC_PACKET_RECEIVED | RCC_PACKET_LATE))
      rcc_tfrc_loss_packet (&c->losses, p->seq, p->sent, false, &path);
  }
}

/* Infinite: nothing was lost yet, or the round trip is not known. */
static double
tfrc_bps (RccCnadu *c)
{
  const RccTcpPath path = { .packet_size = RCC_MAX (c->packet_size, 1.0),
    .rtt = c->rtt == RCC_NEVER ? 0 : c->rtt };
  double bps;

  c->loss_event_rate = rcc_tfrc_loss_rate (&c->losses);
  bps = 8.0 * rcc_tcp_throughput (RCC_TCP_PADHYE, &path, c->loss_event_rate);
  c->equation_bps = (uint32_t) RCC_MIN (bps, UINT32_MAX);
  return bps;
}

/* Nobody echoes what would tell it.  Of the queue in whole milliseconds: RFC 8888 says no
 * more, and percentiles of a rounding error would decide. */
static void
estimate_rtt (RccCnadu *c, const RccOutcomesSum *sum)
{
  const RccTime least = rcc_skew_owd_rtt_min (&c->clock);

  if (!c->echoed && sum->owd != RCC_NEVER && least != RCC_NEVER)
    c->rtt = least
        + (sum->owd - RCC_MIN (sum->owd, least / 2)) / RCC_MSEC * RCC_MSEC;
}

static RccUpdate
judge (RccCnadu *c, const RccOutcomesSum *sum, RccTime elapsed, RccTime now)
{
  const uint32_t late = sum->losses + sum->discards;
  double rate = c->rate;
  const uint64_t undershoots = c->undershoots;
  const char *reason = "between the percentiles";

  estimate_rtt (c, sum);
  rcc_owd_expire (&c->rtts, now);
  c->rtt_low = rcc_owd_percentile (&c->rtts, c->config.p_low);
  c->rtt_high = rcc_owd_percentile (&c->rtts, c->config.p_high);
  c->late = sum->packets > 0 ? (double) late / sum->packets : 0.0;
  c->reports++;
  if (sum->rated)
    c->goodput_bps = (uint32_t) RCC_MIN (sum->goodput_bps, UINT32_MAX);
  if (late > 0) {
    reason = "late packets";
    c->undershoots++;
  } else if (c->rtt != RCC_NEVER && c->rtt > c->rtt_high) {
    reason = "round trip above its 90th percentile";
    c->undershoots++;
  } else if (c->rtt == RCC_NEVER || c->rtt <= c->rtt_low) {
    reason = c->rtt == RCC_NEVER ? "nothing is late, the round trip is not known"
        : "round trip below its 75th percentile";
    rate *= c->config.increase;
  }
  if (c->undershoots != undershoots)
    rate = sum->rated ? RCC_MIN (undershoot (c, sum, elapsed), rate) : 0.5 * rate;
  if (c->rtt != RCC_NEVER)
    rcc_owd_add (&c->rtts, c->rtt, now);
  if (c->config.tfrc && tfrc_bps (c) < rate) {
    rate = c->equation_bps;
    reason = "as fast as TFRC may";
  }
  return move (c, rate, reason);
}

static RccUpdate
on_config (RccSender *sender, const RccConfig *config, RccTime now)
{
  RccCnadu *c = (RccCnadu *) sender;

  (void) now;
  c->limits = *config;
  return retarget (c, c->rate, "limits changed");
}

static RccUpdate
on_sent (RccSender *sender, const RccPacket *packet)
{
  RccCnadu *c = (RccCnadu *) sender;

  rcc_report_timer_sent (&c->timer, &c->config.reports,
      rcc_skew_owd_rtt_min (&c->clock), packet->sent);
  return (RccUpdate) { 0 };
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  RccCnadu *c = (RccCnadu *) sender;

  if (report->rtt != RCC_NEVER) {
    if (!c->echoed)
      rcc_owd_init (&c->rtts, c->config.window);        /* estimates do not compare */
    c->echoed = true;
    c->rtt = report->rtt;
    rcc_skew_owd_rtt (&c->clock, report->rtt, now);
  }
  if (report->expected == 0 && report->highest_seq == c->highest_seq)
    return (RccUpdate) { 0 };
  c->highest_seq = report->highest_seq;
  c->report = *report;
  c->fresh = true;
  return (RccUpdate) { 0 };
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  RccCnadu *c = (RccCnadu *) sender;

  rcc_outcomes_take (&c->outcomes, &c->clock, packets, n, now);
  count_events (c, packets, n);
  c->fresh |= n > 0;
  return (RccUpdate) { 0 };
}

static RccUpdate
on_rtcp (RccSender *sender, const RccRtcp *rtcp, RccTime now)
{
  RccCnadu *c = (RccCnadu *) sender;
  const RccTime before = c->timer.heard;
  RccOutcomesSum sum;

  (void) rtcp;
  if (!c->fresh)
    return (RccUpdate) { 0 };
  c->fresh = false;
  if (rcc_report_timer_heard (&c->timer, &c->config.reports,
          rcc_skew_owd_rtt_min (&c->clock), now) == RCC_REPORT_POOLED)
    return (RccUpdate) { 0 };
  sum = c->outcomes.sum.packets > 0 ? rcc_outcomes_close (&c->outcomes, 1.0, now) : by_report (c);
  return judge (c, &sum, now > before ? now - before : 0, now);
}

static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  RccCnadu *c = (RccCnadu *) sender;

  if (!rcc_report_timer_silent (&c->timer, now))
    return (RccUpdate) { 0 };
  c->silences++;
  return move (c, 0.5 * c->rate, "no report");
}

static RccTime
deadline (const RccSender *sender)
{
  return ((const RccCnadu *) sender)->timer.silence_next;
}

static const RccSenderOps ops = {
  .name = "cnadu-like",
  .on_config = on_config, .on_sent = on_sent, .on_report = on_report,
  .on_rtcp = on_rtcp, .on_feedback = on_feedback,
  .on_deadline = on_deadline, .deadline = deadline,
};

void
rcc_cnadu_init (RccCnadu *c, const RccCnaduConfig *config, const RccConfig *limits)
{
  *c = (RccCnadu) { .sender.ops = &ops, .config = *config, .limits = *limits,
    .state = RCC_FBRA_STAY, .highest_seq = INT64_MIN, .rtt = RCC_NEVER, .rtt_low = RCC_NEVER,
    .rtt_high = RCC_NEVER, .equation_bps = UINT32_MAX };
  rcc_tfrc_loss_init (&c->losses, true);
  rcc_owd_init (&c->rtts, config->window);
  rcc_skew_owd_init (&c->clock);
  rcc_outcomes_init (&c->outcomes, config->d_max);
  rcc_report_timer_init (&c->timer);
  retarget (c, limits->start_bps, "start");
}
