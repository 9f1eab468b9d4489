/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The paper's 4.3 and 4.4 around the states of state.c.  Departs from it:
 *  - "the current sending rate" of an undershoot is what was sent in the range that was reported,
 *    at most the target. With the target alone an encoder that pauses looks like a path that
 *    loses everything;
 *  - a source that does not fill its rate does not probe (config.filled);
 *  - at the maximum there is nothing to probe for, and the last step before it fits
 *    below it (rcc_fbra_fit);
 *  - the spacing of reports is measured, as the sender cannot know the receiver's.
 */
#include "core/fbra/fbra.h"

#include <math.h>

#define RATE_LEAST 1000.0               /* bit/s: from 0 no probe leads up */
#define MEDIA_WINDOW RCC_SEC
#define QUEUE_BASE 0.1                  /* percentile */
#define FED_AT_LEAST (2 * RCC_SEC)      /* feedback is this old: reports alone speak */

static const char near_capacity[] = "close to the highest rate of late";

const RccField rcc_fbra_fields[] = {
  RCC_FIELD (RccFbra, state_name, "state", RCC_STRING, ""),
  RCC_FIELD (RccFbra, reason, "reason", RCC_STRING, ""),
  RCC_FIELD (RccFbra, target_bps, "target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccFbra, fec_bps, "fec-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccFbra, fec_interval, "fec-interval", RCC_U32, ""),
  RCC_FIELD (RccFbra, goodput_bps, "goodput", RCC_U32, "bit/s"),
  RCC_FIELD (RccFbra, sent_bps, "sent-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccFbra, peak_bps, "peak-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccFbra, owd, "owd", RCC_TIME, "ns"),
  RCC_FIELD (RccFbra, owd_low, "owd-p40", RCC_TIME, "ns"),
  RCC_FIELD (RccFbra, owd_high, "owd-p80", RCC_TIME, "ns"),
  RCC_FIELD (RccFbra, corr_low, "corr-low", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbra, corr_high, "corr-high", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbra, rtt_min, "rtt-min", RCC_TIME, "ns"),
  RCC_FIELD (RccFbra, timer.interval, "report-interval", RCC_TIME, "ns"),
  RCC_FIELD (RccFbra, losses, "losses", RCC_U64, ""),
  RCC_FIELD (RccFbra, discards, "discards", RCC_U64, ""),
  RCC_FIELD (RccFbra, parity_packets, "parity-packets", RCC_U64, ""),
  RCC_FIELD (RccFbra, reports, "report-count", RCC_U64, ""),
  RCC_FIELD (RccFbra, ignored, "ignored-report-count", RCC_U64, ""),
  RCC_FIELD (RccFbra, early, "early-report-count", RCC_U64, ""),
  RCC_FIELD (RccFbra, silences, "feedback-timeout-count", RCC_U64, ""),
  RCC_FIELD (RccFbra, probes, "probes", RCC_U64, ""),
  RCC_FIELD (RccFbra, probes_passed, "probes-passed", RCC_U64, ""),
  RCC_FIELD (RccFbra, probes_void, "probes-without-parity", RCC_U64, ""),
  RCC_FIELD (RccFbra, undershoots, "undershoots", RCC_U64, ""),
  RCC_FIELD (RccFbra, bounces, "bounces", RCC_U64, ""),
  RCC_FIELD (RccFbra, sharing.varies, "queue-rate-variation", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbra, sharing.shared, "queue-shared", RCC_BOOL, ""),
  RCC_FIELDS_END,
};

static double
highest (const RccFbra *f)
{
  return RCC_MAX (f->limits.max_bps, f->limits.min_bps);
}

static double
limit (const RccFbra *f, double rate)
{
  const double hi = highest (f);
  const double lo = RCC_MIN (RCC_MAX ((double) f->limits.min_bps, RATE_LEAST), hi);

  return RCC_CLAMP (rate, lo, hi);
}

static RccUpdate
publish (RccFbra *f, const char *reason)
{
  const uint32_t target = f->target_bps, fec = f->fec_bps, interval = f->fec_interval;
  double media = f->rate, parity = 0.0;
  RccUpdate u = { .reason = reason };

  f->fec_interval = 0;
  if (f->state == RCC_FBRA_PROBE)
    f->fec_interval = rcc_fbra_fit (f->n, f->config.n_max, f->rate, highest (f), &media,
        &parity);
  f->fec_bps = (uint32_t) parity;
  f->target_bps = (uint32_t) media + f->fec_bps;
  if (f->state_name != rcc_fbra_state_name (f->state))
    u.changed |= RCC_STATE;
  f->state_name = rcc_fbra_state_name (f->state);
  f->reason = reason;
  if (f->target_bps != target)
    u.changed |= RCC_TARGET;
  if (f->fec_bps != fec || f->fec_interval != interval)
    u.changed |= RCC_FEC;
  u.target_bps = f->target_bps;
  u.fec_bps = f->fec_bps;
  return u;
}

/* Of the delay, what is above the lowest that is usual: a queue. */
static RccTime
queue (const RccFbra *f)
{
  const RccTime base = rcc_owd_percentile (&f->owds, QUEUE_BASE);

  return f->owd == RCC_NEVER || base == RCC_NEVER || f->owd <= base ? 0 : f->owd - base;
}

/* Until what leaves now is reported. */
static RccTime
answer_after (const RccFbra *f)
{
  const RccTime rtt = rcc_skew_owd_rtt_min (&f->clock);

  return (rtt == RCC_NEVER ? 0 : rtt) + queue (f);
}

static RccTime
spacing (const RccFbra *f)
{
  return rcc_report_timer_spacing (&f->timer, &f->config.reports,
      rcc_skew_owd_rtt_min (&f->clock));
}

/* The path does not know media from parity; without a backoff no probe has so much of it. */
static double
received_bps (const RccFbra *f, const RccOutcomesSum *sum)
{
  return f->config.probe_backoff > 0 ? sum->path_bps : sum->received_bps;
}

/* config.by_capacity.  No answer is sooner here than the next report, however short or
 * unknown the round trip is. */
static void
fall_to_capacity (RccFbra *f, const RccOutcomesSum *sum, RccTime now)
{
  const RccTime rtt = rcc_skew_owd_rtt_min (&f->clock);
  const double took = rcc_fbra_capacity_fall (&f->capacity, &f->config, f->rate,
      received_bps (f, sum), now);
  const double share = rcc_fbra_capacity_share (&f->config, took, f->rate, queue (f),
      rtt == RCC_NEVER ? 0 : rtt, RCC_MAX (answer_after (f), spacing (f)));

  if (f->sharing.shared)                /* what others leave changes: little is known for long */
    f->capacity.until = now + f->config.share_backoff;
  f->saved_goodput = f->capacity.bps;
  f->saved_rate = RCC_MAX (f->rate, f->capacity.falls > 1 ? f->saved_rate : 0.0);
  f->rate = limit (f, RCC_MIN (f->rate, share));
  f->undershoots++;
}

/* What comes out of a queue tells of the path until the queue is gone. The longer it was listened
 * to, the better. */
static void
refine (RccFbra *f, const RccOutcomesSum *sum)
{
  if (!f->config.by_capacity || f->config.probe_backoff == 0 || !sum->rated || !f->high_before)
    return;
  rcc_fbra_capacity_refine (&f->capacity, received_bps (f, sum));
  f->saved_goodput = f->capacity.bps;
}

/* 4.4. Where the goodput is no less than the rate, delay alone has spoken. Then the difference is
 * 0 and the factor alone is left. */
static void
undershoot (RccFbra *f, const RccOutcomesSum *sum, RccTime now)
{
  const RccFbraConfig *c = &f->config;
  double rate = f->rate, goodput, delta;

  if (f->config.by_capacity && sum->received_bps > 0) { /* 0 where it is not known */
    fall_to_capacity (f, sum, now);
    return;
  }
  if (sum->rated && sum->sent_bps > 0)
    rate = RCC_MIN (rate, sum->sent_bps);
  goodput = sum->rated ? sum->goodput_bps : rate;
  delta = RCC_MAX (rate - goodput, 0.0);
  if (!f->bounce) {                     /* config.bounce_kept: else it is due still */
    f->saved_goodput = goodput;
    f->saved_rate = f->rate;
  }
  /* Conflict: the port's comment has 1.0 times the difference; 2 is the prose's */
  f->rate = limit (f,
      RCC_MIN (f->rate, c->undershoot_factor * (rate - c->undershoot_delta * delta)));
  f->undershoots++;
}

static void
apply (RccFbra *f, const RccFbraStep *step, const RccOutcomesSum *sum, RccTime now)
{
  double media = f->rate, parity = 0.0;

  if (step->fec == RCC_FBRA_FEC_SWAP) {
    rcc_fbra_fit (f->n, f->config.n_max, f->rate, highest (f), &media, &parity);
    f->rate = limit (f, media + parity);
    f->raised = now;
    f->probes_passed++;
    rcc_fbra_capacity_passed (&f->capacity, &f->config, f->rate);
    f->probes_void += f->probe_parity == 0;
  } else if (step->fec == RCC_FBRA_FEC_ON) {
    f->n = f->sharing.shared ? rcc_fbra_sharing_n (&f->config, f->rate)
        : f->config.rule == RCC_FBRA_N_STREAK
        ? rcc_fbra_capacity_n (&f->capacity, &f->config, f->rate)
        : rcc_fbra_choose_n (&f->config, f->rate, f->initial_goodput,
        rcc_fbra_peak (&f->peak, now), f->probes == 0);
    f->probes++;
    f->probe_parity = 0;
  } else if (step->fec == RCC_FBRA_FEC_LESS) {
    f->n += f->n < f->config.n_max;
  }
  if (step->undershoot)
    undershoot (f, sum, now);
  if (step->deactivate || (step->undershoot && f->config.by_capacity)) {
    const RccTime some = (RccTime) (f->config.deactivate * (double) spacing (f));

    f->deactivated_until = now
        + (f->config.by_capacity ? RCC_MAX (answer_after (f), some) : some);
    f->to_ignore = f->config.deactivate_reports;
    f->bounce = true;
  }
  f->held = step->reason == near_capacity;
  f->state = step->state;
}

/* The first report after a deactivation. */
static RccFbraStep
bounce_back (RccFbra *f, const RccFbraCues *cues, bool early, RccTime now)
{
  const RccFbraConfig c = rcc_fbra_config_at (&f->config, f->owd_high);
  const bool calm = !early && rcc_fbra_calm (&c, cues);
  const double share = f->sharing.shared ? f->config.share_bounce : f->config.bounce;

  f->bounce = !calm && f->config.bounce_kept;
  if (!calm)
    return (RccFbraStep) { .state = RCC_FBRA_DOWN, .undershoot = true,
      .fec = RCC_FBRA_FEC_OFF, .reason = "congested after the undershoot" };
  /* Conflict: the port takes the goodput of the deactivation, and gst-mprtp 0.9 of the
   * difference. The prose says the goodput stored at the undershoot. */
  f->capacity.falls = 0;
  f->raised = now;
  f->rate = limit (f, RCC_MAX (f->rate, RCC_MIN (share * f->saved_goodput, f->saved_rate)));
  f->bounces++;
  return (RccFbraStep) { .state = RCC_FBRA_STAY, .fec = RCC_FBRA_FEC_OFF,
    .reason = "back towards the goodput before the undershoot" };
}

static const char *
hold (RccFbra *f, const RccOutcomesSum *sum, RccTime now)
{
  if (f->rate >= highest (f))
    return "at the maximum";
  if (!rcc_fbra_capacity_allows (&f->capacity, &f->config, f->rate, now))
    return "the path was full at that rate";
  if (sum->rated && sum->sent_bps < f->config.filled * f->rate)
    return "the source does not fill its rate";
  if (f->config.by_capacity && f->raised != RCC_NEVER && now < f->raised + answer_after (f))
    return "the last increase has no answer yet";
  /* In the prose of 4.3 only, not in the listing: one more report before probing. */
  if (!f->held && f->rate > f->config.near * rcc_fbra_peak (&f->peak, now))
    return near_capacity;
  return NULL;
}

/* No feedback per packet: all that a receiver report says.  Nobody knows which packets
 * were lost, so all losses are recent. */
static RccOutcomesSum
by_report (RccFbra *f, RccTime now)
{
  const double fraction = RCC_CLAMP (f->report.fraction_lost, 0.0, 1.0);
  RccOutcomesSum sum = { .owd = RCC_NEVER, .packets = f->report.expected };

  sum.losses = sum.recent_losses = (uint32_t) lrint (fraction * f->report.expected);
  sum.rated = rcc_window_full (&f->media, now);
  sum.sent_bps = rcc_window_bps (&f->media, now);
  sum.goodput_bps = (1.0 - fraction) * sum.sent_bps;
  if (f->report.rtt != RCC_NEVER)
    sum.owd = f->report.rtt / 2;
  return sum;
}

/* Correlated with the delays before this one, which is then one of them if nothing was
 * lost or discarded with it. */
static RccFbraCues
look (RccFbra *f, const RccOutcomesSum *sum, RccTime now)
{
  const RccFbraConfig *c = &f->config;
  RccFbraCues cues = {
    .losses = sum->losses, .discards = sum->discards,
    .recent_losses = sum->recent_losses, .recent_discards = sum->recent_discards,
    .high_before = f->high_before,
  };
  RccFbraConfig at;

  rcc_owd_expire (&f->owds, now);
  f->owd = sum->owd;
  f->owd_low = rcc_owd_percentile (&f->owds, c->p_low);
  f->owd_high = rcc_owd_percentile (&f->owds, c->p_high);
  f->rtt_min = rcc_skew_owd_rtt_min (&f->clock);
  cues.corr_low = f->corr_low = rcc_owd_correlation (f->owd, f->owd_low, c->owd_floor);
  cues.corr_high = f->corr_high = rcc_owd_correlation (f->owd, f->owd_high, c->owd_floor);
  at = rcc_fbra_config_at (c, f->owd_high);
  rcc_fbra_capacity_delay (&f->capacity, c, f->corr_low < 1.0);
  f->high_before = f->corr_high > at.alpha_stay;
  rcc_fbra_sharing_report (&f->sharing, c, f->high_before && sum->rated
      ? received_bps (f, sum) : 0.0);
  cues.alarm = c->alarm_excess > 0 && f->corr_high > at.alpha_undershoot;
  if (rcc_fbra_capacity_stray (&f->capacity, c, sum->packets, sum->losses, f->high_before))
    cues.losses = cues.recent_losses = 0;
  if (sum->owd != RCC_NEVER && cues.losses == 0 && sum->discards == 0)
    rcc_owd_add (&f->owds, sum->owd, now);
  if (sum->rated) {
    f->goodput_bps = (uint32_t) RCC_MIN (sum->goodput_bps, UINT32_MAX);
    f->sent_bps = (uint32_t) RCC_MIN (sum->sent_bps, UINT32_MAX);
    if (f->initial_goodput == 0)
      f->initial_goodput = sum->goodput_bps;
    rcc_fbra_peak_add (&f->peak, sum->goodput_bps, now);
  }
  rcc_fbra_peak_add (&f->peak, f->target_bps, now);
  f->peak_bps = (uint32_t) RCC_MIN (rcc_fbra_peak (&f->peak, now), UINT32_MAX);
  f->losses += sum->losses;
  f->discards += sum->discards;
  f->reports++;
  return cues;
}

static RccUpdate
judge (RccFbra *f, const RccOutcomesSum *sum, bool early, RccTime now)
{
  RccFbraCues cues = look (f, sum, now);
  const RccFbraConfig c = rcc_fbra_config_at (&f->config, f->owd_high);
  RccFbraStep step;

  /* S4 has both: "a bit more than the RTCP interval", and the next report. */
  if (now < f->deactivated_until || f->to_ignore > 0) {
    f->to_ignore -= f->to_ignore > 0;
    f->ignored++;
    refine (f, sum);
    return (RccUpdate) { 0 };
  }
  f->deactivated_until = 0;
  f->probe_parity += sum->parity;
  cues.unproved = f->probe_parity < f->config.parity_least;
  cues.hold = hold (f, sum, now);
  if (f->bounce) {
    step = bounce_back (f, &cues, early, now);
  } else if (early && f->state != RCC_FBRA_DOWN) {
    step = (RccFbraStep) { .state = RCC_FBRA_DOWN, .undershoot = true,
      .deactivate = true, .fec = RCC_FBRA_FEC_OFF, .reason = "an early report" };
  } else {
    step = rcc_fbra_step (&c, f->state, &cues);
  }
  apply (f, &step, sum, now);
  f->capacity.before = sum->rated ? received_bps (f, sum) : 0.0;
  return publish (f, step.reason);
}

static RccUpdate
on_config (RccSender *sender, const RccConfig *config, RccTime now)
{
  RccFbra *f = (RccFbra *) sender;

  (void) now;
  f->limits = *config;
  f->rate = limit (f, f->rate);
  /* the limit has come down onto a probe: nothing is left to probe for */
  if (f->state == RCC_FBRA_PROBE && f->rate >= highest (f))
    f->state = RCC_FBRA_STAY;
  return publish (f, "limits changed");
}

static RccUpdate
on_sent (RccSender *sender, const RccPacket *packet)
{
  RccFbra *f = (RccFbra *) sender;

  if (packet->flags & RCC_PACKET_PARITY)
    f->parity_packets++;
  else
    rcc_window_add (&f->media, packet->size, packet->sent);
  rcc_report_timer_sent (&f->timer, &f->config.reports,
      rcc_skew_owd_rtt_min (&f->clock), packet->sent);
  return (RccUpdate) { 0 };
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  RccFbra *f = (RccFbra *) sender;

  if (report->rtt != RCC_NEVER)
    rcc_skew_owd_rtt (&f->clock, report->rtt, now);
  if (report->expected == 0 && report->highest_seq == f->highest_seq)
    return (RccUpdate) { 0 };
  f->highest_seq = report->highest_seq;
  f->report = *report;
  f->fresh |= f->fed == RCC_NEVER || (now > f->fed
      && now - f->fed > RCC_MAX (FED_AT_LEAST, 2 * f->timer.interval));
  return (RccUpdate) { 0 };
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  RccFbra *f = (RccFbra *) sender;

  if (n == 0)
    return (RccUpdate) { 0 };
  rcc_outcomes_take (&f->outcomes, &f->clock, packets, n, now);
  f->fed = now;
  f->fresh = true;
  return (RccUpdate) { 0 };
}

static RccUpdate
on_rtcp (RccSender *sender, const RccRtcp *rtcp, RccTime now)
{
  RccFbra *f = (RccFbra *) sender;
  RccReportTiming timing;
  RccOutcomesSum sum;

  (void) rtcp;
  if (!f->fresh)
    return (RccUpdate) { 0 };
  f->fresh = false;
  timing = rcc_report_timer_heard (&f->timer, &f->config.reports,
      rcc_skew_owd_rtt_min (&f->clock), now);
  if (timing == RCC_REPORT_POOLED)
    return (RccUpdate) { 0 };
  f->early += timing == RCC_REPORT_EARLY;
  sum = f->outcomes.sum.packets > 0
      ? rcc_outcomes_close (&f->outcomes, f->config.recent, now) : by_report (f, now);
  return judge (f, &sum, timing == RCC_REPORT_EARLY, now);
}

/* 4.3, last paragraph: the circuit breaker draft's two intervals. */
static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  RccFbra *f = (RccFbra *) sender;

  if (!rcc_report_timer_silent (&f->timer, now))
    return (RccUpdate) { 0 };
  f->silences++;
  f->rate = limit (f, 0.5 * f->rate);
  f->state = RCC_FBRA_DOWN;
  f->bounce = f->held = f->high_before = false;
  f->deactivated_until = 0;
  f->to_ignore = 0;
  return publish (f, "no report");
}

static RccTime
deadline (const RccSender *sender)
{
  return ((const RccFbra *) sender)->timer.silence_next;
}

static const RccSenderOps ops = {
  .name = "fbra",
  .on_config = on_config, .on_sent = on_sent, .on_report = on_report,
  .on_rtcp = on_rtcp, .on_feedback = on_feedback,
  .on_deadline = on_deadline, .deadline = deadline,
};

void
rcc_fbra_init (RccFbra *f, const RccFbraConfig *config, const RccConfig *limits)
{
  *f = (RccFbra) {
    .sender.ops = &ops, .config = *config, .limits = *limits, .state = RCC_FBRA_STAY,
    .highest_seq = INT64_MIN, .fed = RCC_NEVER, .owd = RCC_NEVER, .owd_low = RCC_NEVER,
    .raised = RCC_NEVER, .owd_high = RCC_NEVER, .rtt_min = RCC_NEVER,
    .corr_low = 1.0, .corr_high = 1.0,
  };
  rcc_report_timer_init (&f->timer);
  rcc_skew_owd_init (&f->clock);
  rcc_owd_init (&f->owds, config->owd_window);
  rcc_outcomes_init (&f->outcomes, config->d_max);
  rcc_window_init (&f->media, MEDIA_WINDOW);
  rcc_fbra_peak_init (&f->peak, config->rates_window);
  f->rate = limit (f, limits->start_bps);
  publish (f, "start");
}
