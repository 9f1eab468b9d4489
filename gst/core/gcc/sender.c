/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ANRW'16 3: A = min (A_s, A_r); with transport feedback A_r is worked out here.
 * Departs from it: when no feedback comes while packets leave, the rate halves per
 * timeout down to the minimum, and doubles back per feedback (the paper's sender
 * would go on for ever at the last A_r).  A peer that only sends receiver reports does
 * so every 5 s or so (RFC 3550 6.2): silence is measured in its intervals.  Reports that
 * nothing has arrived since the one before are as good as none.  A receiver that stops
 * telling of packets, but goes on reporting, is from then on heard by its reports.  And where
 * receiver reports are all there is, a sender that does not fill its target learns
 * nothing from a lack of loss: the target stays where it is.
 */
#include "core/gcc/sender.h"

#include <math.h>

#define SILENCE_LEAST 1000.0            /* bit/s: doubling 0 would never end */
#define INTERVAL_MAX (7500 * RCC_MSEC)  /* 1.5 times RFC 3550's 5 s; longer: an outage */
#define INTERVAL_MEMORY 0.75            /* per feedback */
#define INTERVALS 2                     /* without feedback are silence */
#define FED_INTERVALS 4                 /* without feedback of packets, beside other feedback */
#define FED_LEAST RCC_SEC
#define SIZE_MEMORY (1.0 / 16.0)        /* of the mean packet */
#define FILLED 0.67                     /* of the target: a sender that uses it */

const RccField rcc_gcc_sender_fields[] = {
  RCC_FIELD (RccGccSender, target_bps, "target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccSender, pacing_bps, "pacing-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccSender, delay_bps, "delay-target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccSender, loss_bps, "loss-target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccSender, remb_bps, "remb-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccSender, acked_bps, "acked-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccSender, sent_bps, "sent-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccSender, fraction_lost, "loss-ratio", RCC_DOUBLE, ""),
  RCC_FIELD (RccGccSender, rtt, "rtt", RCC_TIME, "ns"),
  RCC_FIELD (RccGccSender, limited_by, "limited-by", RCC_STRING, ""),
  RCC_FIELD (RccGccSender, reports, "report-count", RCC_U64, ""),
  RCC_FIELD (RccGccSender, rembs, "remb-count", RCC_U64, ""),
  RCC_FIELD (RccGccSender, feedbacks, "feedback-count", RCC_U64, ""),
  RCC_FIELD (RccGccSender, silences, "feedback-timeout-count", RCC_U64, ""),
  RCC_FIELD (RccGccSender, prober.probes, "probe-count", RCC_U64, ""),
  RCC_FIELDS_END,
};

static uint32_t
to_bps (double bps)
{
  return bps >= UINT32_MAX ? UINT32_MAX : bps > 0 ? (uint32_t) bps : 0;
}

/* The smallest of what each controller allows, and whose it was. */
static double
combine (RccGccSender *s)
{
  double bps = INFINITY;

  s->limited_by = "max-bitrate";
  if (s->has_feedback && rcc_gcc_delay_bps (&s->delay) < bps) {
    bps = rcc_gcc_delay_bps (&s->delay);
    s->limited_by = "delay";
  }
  if (s->remb_bps != UINT32_MAX && s->remb_bps < bps) {
    bps = s->remb_bps;
    s->limited_by = "remb";
  }
  if (s->loss.bps < bps) {
    bps = s->loss.bps;
    s->limited_by = "loss";
  }
  if (bps == INFINITY) {                /* nobody has said anything of use yet */
    bps = s->limits.start_bps;
    s->limited_by = "start-bitrate";
  }
  s->aim_bps = bps;
  if (s->silence_bps < bps) {
    bps = s->silence_bps;
    s->limited_by = "feedback-timeout";
  }
  return bps;
}

static RccUpdate
retarget (RccGccSender *s, const char *reason, RccTime now)
{
  const uint32_t before = s->target_bps, paced = s->pacing_bps;
  const double lo = s->limits.min_bps, hi = RCC_MAX (s->limits.max_bps, lo);
  const double bps = combine (s);
  RccUpdate u = { .reason = reason };

  if (bps >= hi)
    s->limited_by = "max-bitrate";
  s->target_bps = to_bps (RCC_CLAMP (bps, lo, hi));
  s->aim_bps = RCC_CLAMP (s->aim_bps, lo, hi);
  s->pacing_bps = to_bps (RCC_MAX (s->config.pacing_factor * s->target_bps,
          s->config.pacing_floor * lo));
  s->delay_bps = to_bps (rcc_gcc_delay_bps (&s->delay));
  s->loss_bps = to_bps (s->loss.bps);
  s->sent_bps = rcc_window_bps (&s->sent, now);
  rcc_gcc_loss_follow (&s->loss, s->aim_bps);
  rcc_prober_target (&s->prober, s->target_bps, s->target_bps < before, now);
  if (s->target_bps != before)
    u.changed |= RCC_TARGET;
  if (s->pacing_bps != paced)
    u.changed |= RCC_PACING;
  u.target_bps = s->target_bps;
  u.pacing_bps = s->pacing_bps;
  return u;
}

/* Feedback of any kind: what silence took comes back by doubling. */
static void
heard (RccGccSender *s, RccTime now)
{
  const RccTime since = s->heard != RCC_NEVER ? s->heard : s->first_sent;

  if (since != RCC_NEVER)
    s->interval = RCC_MAX (RCC_MIN (now - since, INTERVAL_MAX),
        (RccTime) (INTERVAL_MEMORY * (double) s->interval));
  s->heard = now;
  s->silence_next = RCC_NEVER;
  if (s->silence_bps == INFINITY)
    return;
  s->silence_bps = RCC_MAX (2.0 * s->silence_bps, SILENCE_LEAST);
  if (s->silence_bps >= s->limits.max_bps)
    s->silence_bps = INFINITY;
}

/* Who limited the rate says nothing any more: the losses alone are left to lead it on. */
static void
lead_by_loss (RccGccSender *s)
{
  if (!s->has_feedback && s->remb_bps == UINT32_MAX)
    s->loss.bps = RCC_MIN (s->loss.bps, s->aim_bps);
}

/* Whoever told of packets does so no more: what was learnt from it goes with it. */
static void
outlive_feedback (RccGccSender *s, RccTime now)
{
  const RccTime keep = RCC_MAX (FED_INTERVALS * s->fed_interval, FED_LEAST);

  if (!s->counts_packets || now < s->fed + keep)
    return;
  s->has_feedback = s->counts_packets = false;
  s->fed_interval = 0;
  s->cluster_id = 0;
  rcc_gcc_delay_init (&s->delay, &s->config, s->target_bps);
  if (s->rtt != RCC_NEVER)
    rcc_gcc_delay_set_rtt (&s->delay, s->rtt);
  lead_by_loss (s);
}

static void
note_fed (RccGccSender *s, RccTime now)
{
  if (s->counts_packets)
    s->fed_interval = RCC_MAX (RCC_MIN (now - s->fed, INTERVAL_MAX),
        (RccTime) (INTERVAL_MEMORY * (double) s->fed_interval));
  s->counts_packets = true;
  s->fed = now;
}

static RccUpdate
on_config (RccSender *sender, const RccConfig *config, RccTime now)
{
  RccGccSender *s = (RccGccSender *) sender;

  s->limits = *config;
  return retarget (s, "limits changed", now);
}

static RccTime
silence_after (const RccGccSender *s, RccTime sent)
{
  const RccTime wait = RCC_MAX (s->config.feedback_timeout, INTERVALS * s->interval);

  return wait < RCC_NEVER - sent ? sent + wait : RCC_NEVER;
}

static RccUpdate
on_sent (RccSender *sender, const RccPacket *packet)
{
  RccGccSender *s = (RccGccSender *) sender;

  if (s->first_sent == RCC_NEVER) {
    s->first_sent = packet->sent;
    rcc_prober_start (&s->prober, packet->sent);
  }
  s->last_sent = packet->sent;
  if (s->silence_next == RCC_NEVER)
    s->silence_next = silence_after (s, packet->sent);
  rcc_window_add (&s->sent, packet->size, packet->sent);
  s->loss.packet_size += ((double) packet->size - s->loss.packet_size) * SIZE_MEMORY;
  return (RccUpdate) { 0 };
}

/* Without loss the limit climbs, but only as far as the target is made use of. */
static void
take_loss (RccGccSender *s, double fraction, uint32_t expected, RccTime now)
{
  const double before = s->loss.bps;

  s->loss.alone = !s->has_feedback && s->remb_bps == UINT32_MAX;
  rcc_gcc_loss_report (&s->loss, fraction, expected, s->aim_bps,
      s->rtt == RCC_NEVER ? 0 : s->rtt, now);
  if (fraction > 0)
    rcc_prober_loss (&s->prober, now);
  s->fraction_lost = s->loss.fraction;
  if (s->loss.alone && s->loss.bps > s->aim_bps
      && rcc_window_bps (&s->sent, now) < FILLED * s->aim_bps)
    s->loss.bps = RCC_MIN (before, s->aim_bps);
}

/* RFC 6679: marks are counted beside the report, where they are. */
static double
fraction_lost (const RccGccSender *s, const RccReport *report)
{
  if (!s->config.ecn_as_loss || report->expected == 0)
    return report->fraction_lost;
  return RCC_MIN (report->fraction_lost + (double) report->ce / report->expected, 1.0);
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  RccGccSender *s = (RccGccSender *) sender;

  if (!report->nothing_new) {
    heard (s, now);
    outlive_feedback (s, now);
  }
  s->reports++;
  if (report->rtt != RCC_NEVER) {
    s->rtt = report->rtt;
    rcc_gcc_delay_set_rtt (&s->delay, report->rtt);
  }
  if (!s->counts_packets)
    take_loss (s, fraction_lost (s, report), report->expected, now);
  return retarget (s, "receiver report", now);
}

static RccUpdate
on_remb (RccSender *sender, uint32_t bps, RccTime now)
{
  RccGccSender *s = (RccGccSender *) sender;

  s->remb_bps = bps;
  if (bps == UINT32_MAX) {
    lead_by_loss (s);
    return retarget (s, "no REMB any more", now);
  }
  heard (s, now);
  s->rembs++;
  outlive_feedback (s, now);
  rcc_gcc_loss_remb (&s->loss);
  return retarget (s, "REMB", now);
}

/* A cluster's packets come back in order; the first of another one ends it. */
static double
probe_packet (RccGccSender *s, const RccPacket *p)
{
  const uint32_t cluster = p->probe;
  double result = 0.0;

  if (s->cluster_id && cluster != s->cluster_id) {
    result = rcc_cluster_result (&s->cluster, s->prober.asked_bps,
        rcc_gcc_delay_base (&s->delay));
    s->cluster_id = 0;
  }
  if (cluster && cluster == s->cluster_id) {
    rcc_cluster_add (&s->cluster, p->sent, p->arrived, p->size);
  } else if (cluster) {
    rcc_cluster_start (&s->cluster, p->sent, p->arrived, p->size);
    s->cluster_id = cluster;
  }
  return result;
}

static bool
is_lost (const RccGccSender *s, const RccPacket *p)
{
  return !rcc_packet_received (p) || (s->config.ecn_as_loss && p->flags & RCC_PACKET_CE);
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  RccGccSender *s = (RccGccSender *) sender;
  size_t lost = 0;

  heard (s, now);
  s->feedbacks++;
  for (size_t i = 0; i < n; i++) {
    const RccPacket *p = &packets[i];
    double probed;

    lost += is_lost (s, p);
    if (p->arrived == RCC_NEVER)
      continue;
    if (!s->has_feedback) {
      s->has_feedback = true;
      rcc_gcc_delay_raise (&s->delay, s->target_bps, p->arrived);
    }
    rcc_gcc_delay_packet (&s->delay, p->sent, p->arrived, p->size);
    probed = probe_packet (s, p);
    if (probed > 0 && s->delay.overuse.usage != RCC_USAGE_OVER)
      rcc_gcc_delay_raise (&s->delay, probed, p->arrived);
  }
  if (n > 0) {
    note_fed (s, now);
    take_loss (s, (double) lost / (double) n, (uint32_t) n, now);
  }
  s->acked_bps = s->delay.received_bps;
  return retarget (s, "transport feedback", now);
}

static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  RccGccSender *s = (RccGccSender *) sender;
  RccUpdate u = { 0 };

  if (now >= s->silence_next) {
    s->silence_bps = RCC_MAX (0.5 * s->target_bps, s->limits.min_bps);
    s->silences++;
    /* re-armed by the next packet: an idle sender harms nobody */
    s->silence_next = RCC_NEVER;
    u = retarget (s, "no feedback", now);
  }
  return rcc_update_merge (u,
      rcc_prober_poll (&s->prober, s->target_bps, s->limits.max_bps, now));
}

static RccTime
deadline (const RccSender *sender)
{
  const RccGccSender *s = (const RccGccSender *) sender;

  return RCC_MIN (s->silence_next, s->prober.next);
}

static const RccSenderOps ops = {
  .name = "gcc",
  .on_config = on_config, .on_sent = on_sent, .on_report = on_report,
  .on_feedback = on_feedback, .on_remb = on_remb,
  .on_deadline = on_deadline, .deadline = deadline,
};

void
rcc_gcc_sender_init (RccGccSender *s, const RccGccConfig *config,
    const RccConfig *limits)
{
  *s = (RccGccSender) {
    .sender = { &ops }, .config = *config, .limits = *limits,
    .remb_bps = UINT32_MAX, .heard = RCC_NEVER, .first_sent = RCC_NEVER,
    .last_sent = RCC_NEVER, .silence_next = RCC_NEVER, .silence_bps = INFINITY,
    .rtt = RCC_NEVER, .target_bps = limits->start_bps,
  };
  rcc_gcc_delay_init (&s->delay, config, limits->start_bps);
  rcc_gcc_loss_init (&s->loss, config->loss, limits->start_bps);
  rcc_prober_init (&s->prober, config->probe_first, config->probe_factor, config->probe_later,
      config->probe_interval, config->probe_span);
  rcc_window_init (&s->sent, config->rate_window);
  retarget (s, "start", 0);
}
