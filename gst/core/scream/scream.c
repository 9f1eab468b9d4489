/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/scream.h"

#define RTT_GAIN 0.125                  /* RFC 6298 2.3 */
#define VARIATION_GAIN 0.25             /* the same */
#define RTO_FIRST RCC_SEC               /* RFC 6298 2.1 and 2.4 */
#define RTO_MOST (60 * RCC_SEC)         /* RFC 6298 2.5 */
#define DRAIN_RTTS 5                    /* 4.5.1 */
#define DRAIN_LEAST (200 * RCC_MSEC)    /* 4.5.1 */

const RccField rcc_scream_fields[] = {
  RCC_FIELD (RccScream, target_bps, "target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccScream, pacing_bps, "pacing-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccScream, remb_bps, "remb-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccScream, window_bytes, "reference-window", RCC_U32, "B"),
  RCC_FIELD (RccScream, window.inflection, "inflection-point", RCC_DOUBLE, "B"),
  RCC_FIELD (RccScream, in_flight, "bytes-in-flight", RCC_U32, "B"),
  RCC_FIELD (RccScream, rtt, "rtt", RCC_TIME, "ns"),
  RCC_FIELD (RccScream, qdelay, "queuing-delay", RCC_TIME, "ns"),
  RCC_FIELD (RccScream, qdelay_mean, "queuing-delay-mean", RCC_TIME, "ns"),
  RCC_FIELD (RccScream, delay.scale, "delay-scale", RCC_DOUBLE, ""),
  RCC_FIELD (RccScream, window.alpha, "l4s-alpha", RCC_DOUBLE, ""),
  RCC_FIELD (RccScream, window.loss_rate, "loss-ratio", RCC_DOUBLE, ""),
  RCC_FIELD (RccScream, window.state, "state", RCC_STRING, ""),
  RCC_FIELD (RccScream, rate.adjust, "queue-adjustment", RCC_DOUBLE, ""),
  RCC_FIELD (RccScream, rate.deviation, "frame-size-deviation", RCC_DOUBLE, ""),
  RCC_FIELD (RccScream, lost, "lost-count", RCC_U64, ""),
  RCC_FIELD (RccScream, ce, "ce-count", RCC_U64, ""),
  RCC_FIELD (RccScream, window.losses, "loss-reaction-count", RCC_U64, ""),
  RCC_FIELD (RccScream, window.marks, "ce-reaction-count", RCC_U64, ""),
  RCC_FIELD (RccScream, window.queues, "queue-reaction-count", RCC_U64, ""),
  RCC_FIELD (RccScream, delay.resets, "base-delay-reset-count", RCC_U64, ""),
  RCC_FIELD (RccScream, feedbacks, "feedback-count", RCC_U64, ""),
  RCC_FIELD (RccScream, timeouts, "feedback-timeout-count", RCC_U64, ""),
  RCC_FIELDS_END,
};

static uint32_t
to_u32 (double value)
{
  return value >= UINT32_MAX ? UINT32_MAX : value > 0 ? (uint32_t) value : 0;
}

static uint32_t
most_bps (const RccScream *s)
{
  return RCC_MAX (RCC_MIN (s->limits.max_bps, s->remb_bps), s->limits.min_bps);
}

/* Reading 1: until a round trip is known the target stays. */
static RccUpdate
retarget (RccScream *s, RccTime now)
{
  RccUpdate u = { .reason = s->window.state };
  const uint32_t target = s->target_bps, pacing = s->pacing_bps;
  double bps = target;

  if (s->rtt != RCC_NEVER)
    bps = rcc_scream_rate_target (&s->rate, &s->config, s->window.bytes, s->rtt);
  if (now < s->drained)
    bps *= 0.5;
  s->target_bps = RCC_MAX (RCC_MIN (to_u32 (bps), most_bps (s)), s->limits.min_bps);
  s->pacing_bps = RCC_MAX (s->target_bps,
      to_u32 (rcc_scream_rate_pacing (&s->config, s->target_bps, most_bps (s))));
  s->window_bytes = to_u32 (s->window.bytes);
  s->in_flight = to_u32 ((double) rcc_scream_in_flight (&s->flight));
  u.changed |= s->target_bps != target ? RCC_TARGET : 0;
  u.changed |= s->pacing_bps != pacing ? RCC_PACING : 0;
  u.target_bps = s->target_bps;
  u.pacing_bps = s->pacing_bps;
  return u;
}

static RccUpdate
on_config (RccSender *sender, const RccConfig *config, RccTime now)
{
  RccScream *s = (RccScream *) sender;

  s->limits = *config;
  return retarget (s, now);
}

static RccUpdate
on_remb (RccSender *sender, uint32_t bps, RccTime now)
{
  RccScream *s = (RccScream *) sender;

  s->remb_bps = bps;
  return retarget (s, now);
}

/* --- what leaves ---------------------------------------------------------- */

/* RFC 6298 2.3 and 5.5 */
static RccTime
retransmission_timeout (const RccScream *s)
{
  const RccTime first = s->rtt == RCC_NEVER ? RTO_FIRST
      : RCC_MAX (s->rtt + 4 * s->rtt_variation, RTO_FIRST);

  return RCC_MIN (first << RCC_MIN (s->backoffs, 6), RTO_MOST);
}

static RccUpdate
on_sent (RccSender *sender, const RccPacket *packet)
{
  RccScream *s = (RccScream *) sender;
  const RccTime now = packet->sent;
  const RccTime since = sender->backlog ? sender->backlog->since : RCC_NEVER;
  const RccTime waited = now > since ? now - since : 0;

  rcc_scream_rate_sent (&s->rate, &s->config, packet, waited, s->target_bps);
  rcc_scream_flight_sent (&s->flight, packet->size, now);
  s->most_in_flight = RCC_MAX (s->most_in_flight, rcc_scream_in_flight (&s->flight));
  if (s->timeout == RCC_NEVER)
    s->timeout = now + retransmission_timeout (s);
  return (RccUpdate) { 0 };
}

/* 4.3.1.  After a timeout the smallest window is all until feedback comes, and one packet may
 * always be under way: readings 8 and 9. */
static uint64_t
allowance (const RccSender *sender, RccTime now)
{
  const RccScream *s = (const RccScream *) sender;
  const RccScreamConfig *c = &s->config;
  const double scale = c->overhead_min + (c->overhead_max - c->overhead_min) * s->delay.scale;
  const double window = s->backoffs > 0 ? c->min_window : s->window.bytes * scale;
  const uint64_t in_flight = rcc_scream_in_flight (&s->flight);

  (void) now;
  if (in_flight == 0)
    return UINT64_MAX;
  return window > (double) in_flight ? (uint64_t) (window - (double) in_flight) : 0;
}

/* --- what is heard -------------------------------------------------------- */

/* RFC 6298 2.2 and 2.3 */
static void
take_rtt (RccScream *s, RccTime sample)
{
  const double rtt = (double) RCC_MAX (sample, 1);

  if (s->rtt == RCC_NEVER) {
    s->rtt = (RccTime) rtt;
    s->rtt_variation = s->rtt / 2;
    s->window.bytes = RCC_MAX (s->window.bytes,
        rcc_scream_rate_window (&s->config, s->target_bps, s->rtt));    /* reading 1 */
    return;
  }
  s->rtt_variation = (RccTime) ((1.0 - VARIATION_GAIN) * (double) s->rtt_variation
      + VARIATION_GAIN * (rtt > (double) s->rtt ? rtt - (double) s->rtt : (double) s->rtt - rtt));
  s->rtt = (RccTime) RCC_MAX ((1.0 - RTT_GAIN) * (double) s->rtt + RTT_GAIN * rtt, 1.0);
}

/* One packet of those that came, in the past. */
static void
take_arrival (RccScream *s, const RccPacket *p, RccScreamSignals *in)
{
  const bool ce = p->flags & RCC_PACKET_CE;

  in->packets++;
  in->packets_ce += ce;
  in->acked_ce += ce ? p->size : 0;
  in->acked += rcc_scream_flight_acked (&s->flight, p->size, p->sent);
  rcc_scream_reordering_came (&s->reordering, p->ssrc, p->seq, s->rtt == RCC_NEVER ? 0 : s->rtt,
      in->now);
}

/* Answers the newest packet that came with a time; NULL: none did. */
static const RccPacket *
take_packets (RccScream *s, const RccPacket *packets, size_t n, RccScreamSignals *in)
{
  const RccPacket *newest = NULL;

  for (size_t i = 0; i < n; i++) {
    const RccPacket *p = &packets[i];

    if (p->sent > in->now)
      continue;                         /* from the future */
    if (!rcc_packet_received (p)) {
      in->lost += rcc_scream_reordering_missing (&s->reordering, p->ssrc, p->seq, in->now);
      continue;
    }
    take_arrival (s, p, in);
    if (p->arrived != RCC_NEVER && (!newest || p->sent >= newest->sent))
      newest = p;
  }
  in->lost += rcc_scream_reordering_lost (&s->reordering, in->now);
  s->lost += in->lost;
  s->ce += in->packets_ce;
  return newest;
}

static void
turn_round (RccScream *s, RccTime now)
{
  if (s->round != RCC_NEVER && now - s->round < s->rtt)
    return;
  if (s->round != RCC_NEVER)
    s->acked_bps = 8e9 * (double) s->acked / (double) (now - s->round);
  s->acked = 0;
  s->round = now;
  s->most_in_flight_before = s->most_in_flight;
  s->most_in_flight = rcc_scream_in_flight (&s->flight);
}

static void
take_delay (RccScream *s, const RccPacket *newest, RccTime now)
{
  take_rtt (s, now - newest->sent);
  rcc_scream_delay_packet (&s->delay, &s->config, newest->sent, newest->arrived, s->rtt, now);
  if (rcc_scream_delay_drift (&s->delay, &s->config, s->rtt, now))
    s->drained = now + RCC_MAX (DRAIN_RTTS * s->rtt, DRAIN_LEAST);
  s->qdelay = (RccTime) (1e9 * s->delay.qdelay);
  s->qdelay_mean = (RccTime) (1e9 * s->delay.mean);
}

static void
move_window (RccScream *s, RccScreamSignals *in)
{
  s->acked += in->acked;
  turn_round (s, in->now);
  in->rtt = s->rtt;
  in->qdelay = s->delay.qdelay;
  in->qdelay_mean = s->delay.mean;
  in->delay_scale = s->delay.scale;
  in->most_in_flight = s->most_in_flight;
  in->most_in_flight_before = s->most_in_flight_before;
  in->target_bps = s->target_bps;
  in->most_bps = most_bps (s);
  in->acked_bps = s->acked_bps;
  in->acked_ce = RCC_MIN (in->acked_ce, in->acked);
  rcc_scream_window_update (&s->window, &s->config, in);
}

/* Whoever waits for the window has to look again. */
static RccUpdate
opened (RccScream *s, RccTime now)
{
  RccUpdate u = retarget (s, now);

  u.changed |= RCC_STATE;
  return u;
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  RccScream *s = (RccScream *) sender;
  RccScreamSignals in = { .now = now };
  const RccPacket *newest = take_packets (s, packets, n, &in);

  if (in.packets == 0 && in.lost == 0)
    return (RccUpdate) { 0 };
  s->feedbacks++;
  if (newest)
    take_delay (s, newest, now);
  if (in.packets > 0) {                 /* losses alone do not show that the path works */
    s->backoffs = 0;
    s->timeout = rcc_scream_in_flight (&s->flight) > 0 ? now + retransmission_timeout (s)
        : RCC_NEVER;
  }
  if (s->rtt != RCC_NEVER)
    move_window (s, &in);
  return opened (s, now);
}

/* Reading 9: what is in flight is given up, as losses shrink the window. */
static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  RccScream *s = (RccScream *) sender;

  if (now < s->timeout)
    return (RccUpdate) { 0 };
  s->timeouts++;
  s->backoffs++;
  rcc_scream_flight_give_up (&s->flight);
  s->timeout = now + retransmission_timeout (s);
  s->window.bytes = RCC_MAX (s->config.beta_loss * s->window.bytes, s->config.min_window);
  s->window.reacted = now;
  s->window.state = "silence";
  return opened (s, now);
}

static RccTime
deadline (const RccSender *sender)
{
  return ((const RccScream *) sender)->timeout;
}

static const RccSenderOps ops = {
  .name = "scream",
  .on_config = on_config, .on_sent = on_sent, .allowance = allowance,
  .on_feedback = on_feedback, .on_remb = on_remb,
  .on_deadline = on_deadline, .deadline = deadline,
};

void
rcc_scream_init (RccScream *s, const RccScreamConfig *config, const RccConfig *limits)
{
  *s = (RccScream) { .sender.ops = &ops, .config = *config, .limits = *limits,
    .remb_bps = UINT32_MAX, .rtt = RCC_NEVER, .round = RCC_NEVER, .timeout = RCC_NEVER,
    .target_bps = limits->start_bps };
  rcc_scream_flight_init (&s->flight);
  rcc_scream_reordering_init (&s->reordering);
  rcc_scream_delay_init (&s->delay, config);
  rcc_scream_window_init (&s->window, config);
  rcc_scream_rate_init (&s->rate);
  retarget (s, 0);
}
