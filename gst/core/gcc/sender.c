/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ANRW'16 3: A = min (A_s, A_r); with transport feedback A_r is worked out here.
 * Departs from it: when no feedback comes while packets leave, the rate halves per
 * timeout down to the minimum, and doubles back per feedback (the paper's sender
 * would go on for ever at the last A_r).  Silence is measured in the peer's own intervals
 * (feedback-interval.h): one that only sends receiver reports does so every 5 s or so.  Reports
 * that nothing has arrived since the one before are as good as none.  A receiver that stops
 * telling of packets, but goes on reporting, is from then on heard by its reports.  And where
 * receiver reports are all there is, a sender that does not fill its target learns
 * nothing from a lack of loss: the target stays where it is.
 */
#include "core/gcc/sender.h"

#include <math.h>

#define SILENCE_LEAST 1000.0            /* bit/s: doubling 0 would never end */
/* A receiver that was there before us has its first interval behind it: up to 5 * 1.5 / 1.218 s
 * pass until it reports again, and then it is under way (RFC 3550 6.3.1). */
#define FIRST_REPORT (6 * RCC_SEC + RCC_SEC / 2)
#define FED_INTERVALS 4                 /* without feedback of packets, beside other feedback */
#define FED_LEAST RCC_SEC
#define SIZE_MEMORY (1.0 / 16.0)        /* of the mean packet */
#define FLIGHT_STEP 0.05                /* of the target: worth an update between feedbacks */
#define REMB_FALL 0.9                   /* more than noise: the receiver saw a queue */
#define CALM_REMB (3 * RCC_SEC)        /* since then: a report of losses comes so late */
#define CALM (1500 * RCC_MSEC)          /* without a long queue */
#define DRAINED 0.8                     /* of R: more than a queue that is emptied holds */
#define GAP_MOST 500                    /* packets; more is no lost message */
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

/* Where other feedback than that of packets was heard last, packets come that nobody reports.
 * A target below what arrives empties a queue.  What is in it may be in flight. */
static double
flight_share (const RccGccSender *s, double bps)
{
  if (!s->counts_packets || s->fed != s->feedback.heard)
    return 1.0;
  return rcc_flight_share (&s->flight, RCC_MAX (bps, DRAINED * s->delay.received_bps),
      s->fed_interval);
}

/* The smaller of @bps and what one controller allows, and whose it was. */
static double
limit (RccGccSender *s, double bps, double allowed, const char *whose)
{
  if (allowed >= bps)
    return bps;
  s->limited_by = whose;
  return allowed;
}

/* The smallest of what each controller allows. */
static double
combine (RccGccSender *s)
{
  const double floor = s->delay.aimd.floor;     /* TCP's equation has answered the losses */
  double bps = INFINITY, may;

  s->limited_by = "max-bitrate";
  if (s->has_feedback)
    bps = limit (s, bps, rcc_gcc_delay_bps (&s->delay), rcc_gcc_delay_limit (&s->delay));
  if (s->remb_bps != UINT32_MAX)
    bps = limit (s, bps, s->remb_bps, "remb");
  bps = limit (s, bps, RCC_MAX (s->loss.bps, floor),
      s->loss.fraction < RCC_GCC_LOSS_LOW ? "reports" : "loss");
  if (s->config.loss_cause)
    bps = limit (s, bps, RCC_MAX (s->loss.cause.bps, floor), "loss");
  bps = limit (s, bps, s->l4s.bps, "ecn");
  if (bps == INFINITY) {                /* nobody has said anything of use yet */
    bps = s->limits.start_bps;
    s->limited_by = "start-bitrate";
  }
  s->aim_bps = bps;
  bps = limit (s, bps, s->silence_bps, "feedback-timeout");
  may = RCC_MIN (s->aim_bps, RCC_MAX (s->limits.max_bps, s->limits.min_bps));
  s->flight_share = flight_share (s, may);
  if (s->flight_share < 1.0)
    bps = limit (s, bps, s->flight_share * may, "flight");
  return bps;
}

static RccUpdate
retarget (RccGccSender *s, const char *reason, RccTime now)
{
  const uint32_t before = s->target_bps, paced = s->pacing_bps;
  const double lo = s->limits.min_bps, hi = RCC_MAX (s->limits.max_bps, lo);
  const double bps = combine (s);
  const double pacing = s->config.l4s ? s->config.l4s_pacing : s->config.pacing_factor;
  RccUpdate u = { .reason = reason };

  if (bps >= hi)
    s->limited_by = "max-bitrate";
  s->target_bps = to_bps (RCC_CLAMP (bps, lo, hi));
  s->aim_bps = RCC_CLAMP (s->aim_bps, lo, hi);
  s->pacing_bps = to_bps (RCC_MAX (pacing * s->target_bps,
          s->config.pacing_floor * lo));
  s->delay_bps = to_bps (rcc_gcc_delay_bps (&s->delay));
  s->loss_bps = to_bps (s->loss.bps);
  s->sent_bps = rcc_window_bps (&s->sent, now);
  rcc_gcc_loss_follow (&s->loss, s->aim_bps);
  rcc_prober_target (&s->prober, s->target_bps,
      s->target_bps < before || s->loss.cause.phase != RCC_CAUSE_WATCH
      || rcc_l4s_active (&s->l4s, now), now);
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
  const double factor = rcc_feedback_interval_comes_back (&s->feedback, now);

  rcc_feedback_interval_heard (&s->feedback, s->first_sent, now);
  s->silence_next = RCC_NEVER;
  if (s->silence_bps == INFINITY)
    return;
  s->last_congestion = now;
  s->silence_bps = RCC_MAX (factor * s->silence_bps, SILENCE_LEAST);
  if (s->silence_bps >= s->limits.max_bps)
    s->silence_bps = INFINITY;
}

/* Nobody judges by delay. */
static bool
is_loss_alone (const RccGccSender *s)
{
  return !s->has_feedback && s->remb_bps == UINT32_MAX;
}

/* Who limited the rate says nothing any more: the losses alone are left to lead it on. */
static void
lead_by_loss (RccGccSender *s)
{
  if (is_loss_alone (s))
    s->loss.bps = RCC_MIN (s->loss.bps, s->aim_bps);
}

/* Whoever told of packets does so no more: what was learnt from it goes with it. */
static void
outlive_feedback (RccGccSender *s, RccTime now)
{
  const RccTime keep = RCC_MAX (FED_INTERVALS * s->fed_interval, FED_LEAST);

  if (!s->counts_packets || now < s->fed + keep)
    return;
  s->has_feedback = s->counts_packets = s->reported_run = false;
  s->fed_interval = 0;
  s->cluster_id = 0;
  rcc_flight_init (&s->flight, s->config.flight_extra);
  rcc_l4s_init (&s->l4s);
  rcc_gcc_delay_init (&s->delay, &s->config, s->target_bps);
  if (s->rtt != RCC_NEVER)
    rcc_gcc_delay_set_rtt (&s->delay, s->rtt);
  lead_by_loss (s);
}

static void
note_fed (RccGccSender *s, RccTime now)
{
  if (s->counts_packets)
    s->fed_interval = rcc_feedback_interval_update (s->fed_interval, now - s->fed);
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
  const RccTime least = s->feedback.heard == RCC_NEVER && s->silences == 0 ? FIRST_REPORT : 0;
  const bool again = s->silence_bps != INFINITY && s->config.timeout_repeat > 0;
  const bool reports = is_loss_alone (s) && !s->counts_packets;
  const RccTime wait = again
      ? RCC_MAX (s->config.timeout_repeat, rcc_feedback_interval_recent (&s->feedback, reports))
      : RCC_MAX (RCC_MAX (s->config.feedback_timeout, least),
          rcc_feedback_interval_timeout (&s->feedback, reports));

  return wait < RCC_NEVER - sent ? sent + wait : RCC_NEVER;
}

static RccUpdate
on_sent (RccSender *sender, const RccPacket *packet)
{
  RccGccSender *s = (RccGccSender *) sender;
  RccUpdate u = { 0 };

  if (s->first_sent == RCC_NEVER) {
    s->first_sent = packet->sent;
    rcc_prober_start (&s->prober, packet->sent);
  }
  s->last_sent = packet->sent;
  if (s->silence_next == RCC_NEVER)
    s->silence_next = silence_after (s, packet->sent);
  rcc_window_add (&s->sent, packet->size, packet->sent);
  rcc_flight_sent (&s->flight, packet->size, packet->sent);
  if (s->config.flight_extra > 0
      && fabs (flight_share (s, s->aim_bps) - s->flight_share) > FLIGHT_STEP)
    u = retarget (s, "data in flight", packet->sent);
  s->loss.packet_size += ((double) packet->size - s->loss.packet_size) * SIZE_MEMORY;
  return u;
}

/* What a queue that overflowed lost is the delay-based controller's to answer. */
static bool
is_calm (const RccGccSender *s, RccTime now)
{
  if (s->last_congestion != RCC_NEVER && now < s->last_congestion + CALM_REMB)
    return false;
  return s->delay.long_at == 0 || s->delay.arrival > s->delay.long_at + CALM;
}

static double
arrived (RccGccSender *s, double fraction_lost, RccTime now)
{
  return s->has_feedback ? s->delay.received_bps
      : (1.0 - fraction_lost) * rcc_window_bps (&s->sent, now);
}

/* Without loss the limit climbs, but only as far as the target is made use of. */
static void
take_loss (RccGccSender *s, double fraction, uint32_t expected, RccTime now)
{
  const RccTime rtt = s->rtt == RCC_NEVER ? 0 : s->rtt;
  const double before = s->loss.bps;

  s->loss.alone = is_loss_alone (s);
  if (s->config.loss_cause && expected > 0 && !s->loss.alone)
    rcc_loss_cause_packets (&s->loss.cause, fraction * expected, expected,
        arrived (s, fraction, now), s->aim_bps, is_calm (s, now), rtt, now);
  rcc_gcc_loss_report (&s->loss, fraction, expected, s->aim_bps, rtt, now);
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
    rcc_feedback_interval_reported (&s->feedback, now);
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

  if (bps < REMB_FALL * s->remb_bps && s->remb_bps != UINT32_MAX)
    s->last_congestion = now;
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
        rcc_gcc_delay_base (&s->delay), s->config.reordering);
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

static void
report_flight (RccGccSender *s, const RccPacket *packets, size_t n, RccTime now)
{
  RccTime last = 0, trip = 0;

  for (size_t i = 0; i < n; i++) {
    last = RCC_MAX (last, packets[i].sent);
    if (packets[i].arrived != RCC_NEVER && now > packets[i].sent)
      trip = RCC_MAX (trip, now - packets[i].sent);
  }
  if (n > 0)
    rcc_flight_reported (&s->flight, last, trip);
}

/* Feedback that is lost leaves a gap in the numbers between its neighbours.  What it reported
 * counts for R.  The same share of it was lost as of the others. */
static void
fill_gap (RccGccSender *s, const RccPacket *packets, size_t n)
{
  const bool run = packets[n - 1].seq - packets[0].seq == (int64_t) n - 1;
  const int64_t missing = packets[0].seq - s->reported_seq - 1;

  if (s->config.fill_gaps && run && s->reported_run && missing > 0 && missing < GAP_MOST)
    rcc_gcc_delay_unreported (&s->delay, (uint32_t) ((1.0 - s->loss.fraction) * (double) missing
            * s->loss.packet_size));
  s->reported_seq = packets[n - 1].seq;
  s->reported_run = run;
}

/* The first of @packets arrived. */
static void
take_arrival (RccGccSender *s, const RccPacket *packets, size_t n, RccTime now)
{
  const RccPacket *p = &packets[0];
  double probed;

  if (!s->has_feedback) {
    s->has_feedback = true;
    rcc_gcc_delay_raise (&s->delay, s->target_bps, p->arrived);
  }
  if (rcc_reorder_overtaken (packets, n, s->config.reordering))
    rcc_gcc_delay_unreported (&s->delay, p->size);
  else
    rcc_gcc_delay_packet (&s->delay, p->sent, p->arrived, p->size);
  probed = probe_packet (s, p);
  if (probed > 0 && s->delay.overuse.usage != RCC_USAGE_OVER) {
    rcc_gcc_delay_probed (&s->delay, probed, rcc_gcc_delay_least (&s->delay), p->arrived);
    rcc_l4s_shown (&s->l4s, probed / s->config.l4s_pacing, now);
  }
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  RccGccSender *s = (RccGccSender *) sender;
  RccL4sReport l4s = { 0 };
  size_t lost = 0, expected = n;

  heard (s, now);
  s->feedbacks++;
  report_flight (s, packets, n, now);
  if (n > 0)
    fill_gap (s, packets, n);
  for (size_t i = 0; i < n; i++) {
    lost += is_lost (s, &packets[i]);
    if (packets[i].arrived == RCC_NEVER)
      continue;
    l4s.packets++;
    l4s.marks += (packets[i].flags & RCC_PACKET_CE) != 0;
    l4s.sent = RCC_MAX (l4s.sent, packets[i].sent);
    take_arrival (s, &packets[i], n - i, now);
  }
  if (n > 0)
    note_fed (s, now);
  rcc_reorder_settle (&s->late, packets, &expected, s->config.reordering, &lost, now);
  rcc_gcc_delay_losses (&s->delay, (double) lost, (double) expected);
  if (expected > 0)
    take_loss (s, (double) lost / (double) expected, (uint32_t) expected, now);
  l4s.queue = s->delay.queue;
  if (s->config.l4s)
    rcc_l4s_report (&s->l4s, &l4s, s->aim_bps, now);
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
    .remb_bps = UINT32_MAX, .last_congestion = RCC_NEVER, .first_sent = RCC_NEVER,
    .last_sent = RCC_NEVER, .silence_next = RCC_NEVER, .silence_bps = INFINITY,
    .rtt = RCC_NEVER, .target_bps = limits->start_bps,
  };
  rcc_gcc_delay_init (&s->delay, config, limits->start_bps);
  rcc_gcc_loss_init (&s->loss, config->loss, limits->start_bps);
  s->loss.asks_cause = config->loss_cause;
  s->loss.cause.second_cut = config->loss_second_cut;
  rcc_flight_init (&s->flight, config->flight_extra);
  rcc_l4s_init (&s->l4s);
  rcc_feedback_interval_init (&s->feedback);
  rcc_prober_init (&s->prober, config->probe_first, config->probe_factor, config->probe_later,
      config->probe_interval, config->probe_span);
  s->prober.interval_most = config->probe_interval_most;
  rcc_window_init (&s->sent, config->rate_window);
  retarget (s, "start", 0);
}
