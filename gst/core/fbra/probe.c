/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/probe.h"

#include "core/fbra/fec.h"

const RccField rcc_fbra_probe_fields[] = {
  RCC_FIELD (RccFbraProbe, state_name, "state", RCC_STRING, ""),
  RCC_FIELD (RccFbraProbe, reason, "reason", RCC_STRING, ""),
  RCC_FIELD (RccFbraProbe, external_bps, "external-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccFbraProbe, target_bps, "target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccFbraProbe, fec_bps, "fec-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccFbraProbe, fec_interval, "fec-interval", RCC_U32, ""),
  RCC_FIELD (RccFbraProbe, probes, "probes", RCC_U64, ""),
  RCC_FIELD (RccFbraProbe, probes_passed, "probes-passed", RCC_U64, ""),
  RCC_FIELD (RccFbraProbe, timeouts, "probe-timeouts", RCC_U64, ""),
  RCC_FIELDS_END,
};

RccFbraProbeConfig
rcc_fbra_probe_config (void)
{
  return (RccFbraProbeConfig) {
    .reports = { .interval = 100 * RCC_MSEC, .interval_rtts = 2.0, .pool = true },
    .n_min = 2, .n_max = 14, .parity_least = 1, .direct = 1.02,
    .back_off = 2.0, .timeout = 8.0, .d_max = 400 * RCC_MSEC,
  };
}

static RccTime
intervals (const RccFbraProbe *p, double n)
{
  const RccTime rtt = rcc_skew_owd_rtt_min (&p->clock);
  double interval = (double) p->config.reports.interval;

  if (rtt != RCC_NEVER)
    interval = RCC_MAX (interval, p->config.reports.interval_rtts * (double) rtt);
  return (RccTime) RCC_MIN (n * interval, 60.0 * (double) RCC_SEC);
}

static double
wanted (const RccFbraProbe *p)
{
  const double hi = RCC_MAX (p->limits.max_bps, p->limits.min_bps);

  return RCC_CLAMP (p->external, (double) p->limits.min_bps, hi);
}

static RccUpdate
publish (RccFbraProbe *p, const char *reason)
{
  const uint32_t target = p->target_bps, fec = p->fec_bps, interval = p->fec_interval;
  const bool probing = p->state == RCC_FBRA_PROBE;
  const double media = probing ? p->probe.media : p->media;
  const double parity = probing ? p->probe.fec : 0.0;
  RccUpdate u = { .reason = reason };

  p->fec_interval = probing ? p->probe.n : 0;
  p->fec_bps = (uint32_t) parity;
  p->target_bps = (uint32_t) media + p->fec_bps;
  p->external_bps = (uint32_t) p->external;
  if (p->state_name != rcc_fbra_state_name (p->state))
    u.changed |= RCC_STATE;
  p->state_name = rcc_fbra_state_name (p->state);
  p->reason = reason;
  if (p->target_bps != target)
    u.changed |= RCC_TARGET;
  if (p->fec_bps != fec || p->fec_interval != interval)
    u.changed |= RCC_FEC;
  u.target_bps = p->target_bps;
  u.fec_bps = p->fec_bps;
  return u;
}

/* The most parity that fits below the target: one packet to n_min of media at most, the
 * rest is the next probe's. */
static void
plan (RccFbraProbe *p)
{
  p->probe.n = rcc_fbra_fit (p->config.n_min, p->config.n_max, p->media, wanted (p),
      &p->probe.media, &p->probe.fec);
}

static void
begin (RccFbraProbe *p, RccTime now)
{
  plan (p);
  p->state = RCC_FBRA_PROBE;
  p->began = now;
  rcc_outcomes_close (&p->outcomes, 1.0, now);
  p->probes++;
}

static const char *
fail (RccFbraProbe *p, const char *reason, RccTime now)
{
  p->state = RCC_FBRA_STAY;
  p->hold_until = now + intervals (p, p->config.back_off);
  return reason;
}

/* What the target, as it is now, means for the state. */
static RccUpdate
follow (RccFbraProbe *p, const char *reason, RccTime now)
{
  const double target = wanted (p);

  if (target < p->media) {
    p->media = target;
    p->proved = RCC_MIN (p->proved, target);    /* below media, it may be above that */
    p->state = RCC_FBRA_DOWN;
    reason = "the controller went down";
  } else if (target <= RCC_MAX (p->media, p->config.direct * p->proved)) {
    p->media = target;
    if (p->state == RCC_FBRA_PROBE)
      p->state = RCC_FBRA_STAY;
  } else if (p->state == RCC_FBRA_PROBE) {
    if (target < p->probe.media + p->probe.fec)
      plan (p);
  } else if (p->state == RCC_FBRA_STAY && now >= p->hold_until && p->media > 0) {
    begin (p, now);
    reason = "probing for the controller";
  }
  return publish (p, reason);
}

RccUpdate
rcc_fbra_external (RccFbraProbe *p, uint32_t bps, RccTime now)
{
  const bool first = p->external < 0;

  p->external = bps;
  /* nor can nothing carry parity: from 0 there is no probe */
  if (first || p->media <= 0) {
    p->media = p->proved = wanted (p);
    return publish (p, "the controller's first target");
  }
  return follow (p, "the controller's target", now);
}

static RccUpdate
on_config (RccSender *sender, const RccConfig *config, RccTime now)
{
  RccFbraProbe *p = (RccFbraProbe *) sender;

  p->limits = *config;
  if (p->external < 0)
    return (RccUpdate) { 0 };
  /* a floor is an order, not a wish to be probed */
  if (p->media < config->min_bps) {
    p->media = config->min_bps;
    p->state = RCC_FBRA_STAY;
  }
  p->proved = RCC_MAX (p->proved, p->media);
  return follow (p, "limits changed", now);
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  RccFbraProbe *p = (RccFbraProbe *) sender;

  if (report->rtt != RCC_NEVER)
    rcc_skew_owd_rtt (&p->clock, report->rtt, now);
  return (RccUpdate) { 0 };
}

/* What left before the probe began says nothing about it. */
static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  RccFbraProbe *p = (RccFbraProbe *) sender;
  size_t before = 0;

  if (p->state == RCC_FBRA_PROBE)
    while (before < n && packets[before].sent < p->began)
      before++;
  if (before > 0) {
    rcc_outcomes_take (&p->outcomes, &p->clock, packets, before, now);
    rcc_outcomes_close (&p->outcomes, 1.0, now);
  }
  rcc_outcomes_take (&p->outcomes, &p->clock, packets + before, n - before, now);
  p->fresh |= n > 0;
  return (RccUpdate) { 0 };
}

static RccUpdate
on_rtcp (RccSender *sender, const RccRtcp *rtcp, RccTime now)
{
  RccFbraProbe *p = (RccFbraProbe *) sender;
  const uint32_t failed = p->outcomes.sum.losses + p->outcomes.sum.discards;
  const char *reason = "a report";

  (void) rtcp;
  if (!p->fresh || p->external < 0)
    return (RccUpdate) { 0 };
  p->fresh = false;
  if (p->state != RCC_FBRA_PROBE) {
    if (failed > 0)
      reason = fail (p, "losses, no probe", now);
    p->state = RCC_FBRA_STAY;
    rcc_outcomes_close (&p->outcomes, 1.0, now);
  } else if (failed > 0) {
    reason = fail (p, "losses while probing", now);
  } else if (p->outcomes.sum.parity >= p->config.parity_least) {
    p->media = p->proved = p->probe.media + p->probe.fec;
    p->state = RCC_FBRA_UP;
    p->probes_passed++;
    reason = "the probe passed";
    rcc_outcomes_close (&p->outcomes, 1.0, now);
  }
  return follow (p, reason, now);
}

static RccTime
deadline (const RccSender *sender)
{
  const RccFbraProbe *p = (const RccFbraProbe *) sender;

  if (p->state == RCC_FBRA_PROBE)
    return p->began + intervals (p, p->config.timeout);
  return RCC_NEVER;
}

/* Nobody reports, or no parity came to be sent.  The next report begins anew. */
static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  RccFbraProbe *p = (RccFbraProbe *) sender;

  if (p->state != RCC_FBRA_PROBE || now < deadline (sender))
    return (RccUpdate) { 0 };
  p->timeouts++;
  return publish (p, fail (p, "no report on the probe", now));
}

static const RccSenderOps ops = {
  .name = "fbra-probe",
  .on_config = on_config, .on_report = on_report, .on_rtcp = on_rtcp,
  .on_feedback = on_feedback, .on_deadline = on_deadline, .deadline = deadline,
};

void
rcc_fbra_probe_init (RccFbraProbe *p, const RccFbraProbeConfig *config,
    const RccConfig *limits)
{
  *p = (RccFbraProbe) { .sender.ops = &ops, .config = *config, .limits = *limits,
    .state = RCC_FBRA_STAY, .state_name = rcc_fbra_state_name (RCC_FBRA_STAY),
    .external = -1.0, .reason = "start" };
  rcc_skew_owd_init (&p->clock);
  rcc_outcomes_init (&p->outcomes, config->d_max);
}
