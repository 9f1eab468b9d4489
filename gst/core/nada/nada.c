/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/nada.h"

#define RATE_LEAST 1000.0               /* bit/s: from 0 nothing grows */

const RccField rcc_nada_fields[] = {
  RCC_FIELD (RccNada, target_bps, "target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccNada, pacing_bps, "pacing-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccNada, r_ref_bps, "reference-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccNada, r_recv_bps, "received-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccNada, remb_bps, "remb-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccNada, x, "congestion-signal", RCC_TIME, "ns"),
  RCC_FIELD (RccNada, d_queue, "queuing-delay", RCC_TIME, "ns"),
  RCC_FIELD (RccNada, warped, "warped-part", RCC_DOUBLE, ""),
  RCC_FIELD (RccNada, p_loss, "loss-ratio", RCC_DOUBLE, ""),
  RCC_FIELD (RccNada, p_mark, "marking-ratio", RCC_DOUBLE, ""),
  RCC_FIELD (RccNada, loss_interval, "loss-interval", RCC_DOUBLE, ""),
  RCC_FIELD (RccNada, rtt, "rtt", RCC_TIME, "ns"),
  RCC_FIELD (RccNada, state, "state", RCC_STRING, ""),
  RCC_FIELD (RccNada, delay.restarts, "base-delay-restarts", RCC_U64, ""),
  RCC_FIELD (RccNada, feedbacks, "feedback-count", RCC_U64, ""),
  RCC_FIELD (RccNada, reports, "report-count", RCC_U64, ""),
  RCC_FIELD (RccNada, silences, "feedback-timeout-count", RCC_U64, ""),
  RCC_FIELDS_END,
};

static double
r_max (const RccNada *n)
{
  return RCC_MAX (RCC_MAX (n->limits.max_bps, n->limits.min_bps), RATE_LEAST);
}

static double
r_min (const RccNada *n)
{
  return RCC_MAX (n->limits.min_bps, RATE_LEAST);
}

static uint32_t
limited (const RccNada *n, double bps)
{
  const uint32_t most = RCC_MIN (n->limits.max_bps, n->remb_bps);

  return (uint32_t) RCC_MAX (RCC_MIN (bps, (double) most), (double) n->limits.min_bps);
}

/* (8), (9), and (11) to (14). */
static RccUpdate
retarget (RccNada *n, double rate, const char *state)
{
  const uint32_t target = n->target_bps, pacing = n->pacing_bps;
  const uint64_t waits = n->sender.backlog ? n->sender.backlog->bytes : 0;
  const char *before = n->state;

  n->r_ref = RCC_CLAMP (rate, r_min (n), r_max (n));
  n->r_ref_bps = (uint32_t) n->r_ref;
  n->state = state;
  n->target_bps = limited (n, n->r_ref
      - rcc_nada_difference (&n->config, n->config.beta_v, n->r_ref, waits));
  n->pacing_bps = limited (n, n->r_ref
      + rcc_nada_difference (&n->config, n->config.beta_s, n->r_ref, waits));
  return (RccUpdate) {
    .changed = (n->target_bps != target ? RCC_TARGET : 0)
        | (n->pacing_bps != pacing ? RCC_PACING : 0) | (state != before ? RCC_STATE : 0),
    .target_bps = n->target_bps, .pacing_bps = n->pacing_bps, .reason = state,
  };
}

static RccUpdate
on_config (RccSender *sender, const RccConfig *config, RccTime now)
{
  RccNada *n = (RccNada *) sender;

  (void) now;
  n->limits = *config;
  return retarget (n, n->r_ref, n->state);
}

static RccUpdate
on_sent (RccSender *sender, const RccPacket *packet)
{
  RccNada *n = (RccNada *) sender;

  if (n->reported == RCC_NEVER)
    n->reported = packet->sent;
  if (n->silence == RCC_NEVER && n->config.feedback_timeout != RCC_NEVER)
    n->silence = packet->sent + n->config.feedback_timeout;
  return (RccUpdate) { 0 };
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  RccNada *n = (RccNada *) sender;

  (void) now;
  if (report->rtt != RCC_NEVER) {
    n->rtt = report->rtt;
    n->echoed = true;
  }
  return (RccUpdate) { 0 };
}

static RccUpdate
on_remb (RccSender *sender, uint32_t bps, RccTime now)
{
  RccNada *n = (RccNada *) sender;

  (void) now;
  n->remb_bps = bps;
  return retarget (n, n->r_ref, n->state);
}

/* Was called lost before; if so, it is forgotten. */
static bool
known_lost (RccNada *n, const RccPacket *p)
{
  for (unsigned i = 0; i < RCC_NADA_LATE; i++)
    if (n->lost[i].used && n->lost[i].seq == p->seq && n->lost[i].ssrc == p->ssrc) {
      n->lost[i].used = false;
      return true;
    }
  return false;
}

static void
take_lost (RccNada *n, const RccPacket *p, RccTime rtt)
{
  const unsigned slot = n->n_lost++ % RCC_NADA_LATE;

  n->lost[slot].ssrc = p->ssrc;
  n->lost[slot].seq = p->seq;
  n->lost[slot].used = true;
  rcc_nada_window_lost (&n->window);
  rcc_nada_intervals_packet (&n->intervals, true, p->sent, rtt);
}

static void
take_packet (RccNada *n, const RccPacket *p, RccTime now)
{
  const RccTime rtt = n->rtt == RCC_NEVER ? 0 : n->rtt;
  const bool marked = p->flags & RCC_PACKET_CE;
  RccTime queue;

  if (!rcc_packet_received (p)) {
    take_lost (n, p, rtt);
    return;
  }
  if (known_lost (n, p))
    return;
  rcc_nada_intervals_packet (&n->intervals, false, p->sent, rtt);
  queue = p->arrived == RCC_NEVER ? RCC_NEVER
      : rcc_nada_delay_packet (&n->delay, p->sent, p->arrived, now);
  if (queue == RCC_NEVER)
    rcc_nada_window_received (&n->window, p->size, marked);
  else
    rcc_nada_window_arrived (&n->window, p->arrived, p->size, marked,
        queue >= n->config.q_eps);
}

static void
estimate_rtt (RccNada *n, const RccPacket *packets, size_t count, RccTime now)
{
  RccTime least = RCC_NEVER;

  for (size_t i = 0; !n->echoed && i < count; i++)
    if (rcc_packet_received (&packets[i]) && packets[i].sent <= now)
      least = RCC_MIN (least, now - packets[i].sent);
  if (least != RCC_NEVER)
    n->rtt = least;
}

/* Of the moments at which feedback comes, this is the nearest to DELTA after the last. */
static bool
due (const RccNada *n, RccTime now)
{
  const RccTime gap = now > n->heard ? now - n->heard : 0;

  return now >= n->reported && now - n->reported + gap / 2 >= n->config.delta;
}

/* 4.2's report, and 4.3 on it. */
static RccUpdate
report (RccNada *n, RccTime now)
{
  const RccNadaConfig *c = &n->config;
  const RccNadaCounts *seen = &n->window.sum;
  RccNadaStep step = { .r_max = r_max (n), .delta = RCC_MIN (now - n->reported, c->tau),
    .x_prev = n->x_curr };

  n->p_loss += c->alpha * (rcc_nada_window_loss (&n->window) - n->p_loss);
  n->p_mark += c->alpha * (rcc_nada_window_marks (&n->window) - n->p_mark);
  n->r_recv = rcc_nada_window_bps (&n->window);
  n->r_recv_bps = (uint32_t) RCC_MIN (n->r_recv, UINT32_MAX);
  n->d_queue = rcc_nada_delay_queue (&n->delay);
  n->loss_interval = rcc_nada_intervals_mean (&n->intervals);
  n->warped = rcc_nada_intervals_warped (&n->intervals, c->multi_loss);
  step.x_curr = n->x_curr = rcc_nada_signal (c, (double) n->d_queue, n->warped, n->p_loss,
      n->p_mark);
  n->x = (RccTime) n->x_curr;
  n->reported = now;
  n->reports++;
  if (seen->lost == 0 && seen->queued == 0 && seen->marked == 0)
    return retarget (n, rcc_nada_ramp_up (c, n->r_ref, n->r_recv,
            n->rtt == RCC_NEVER ? 0 : n->rtt), "ramp-up");
  return retarget (n, rcc_nada_gradual (c, n->r_ref, &step), "gradual");
}

static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t count, RccTime now)
{
  RccNada *n = (RccNada *) sender;
  bool is_due;

  if (count == 0)
    return (RccUpdate) { 0 };
  n->feedbacks++;
  if (n->reported == RCC_NEVER)
    n->reported = now;
  estimate_rtt (n, packets, count, now);
  for (size_t i = 0; i < count; i++)
    take_packet (n, &packets[i], now);
  is_due = due (n, now);
  n->heard = now;
  n->silence = RCC_NEVER;
  return is_due ? report (n, now) : (RccUpdate) { 0 };
}

static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  RccNada *n = (RccNada *) sender;

  if (now < n->silence)
    return (RccUpdate) { 0 };
  n->silences++;
  n->silence = now + n->config.feedback_timeout;
  return retarget (n, 0.5 * n->r_ref, "silence");
}

static RccTime
deadline (const RccSender *sender)
{
  return ((const RccNada *) sender)->silence;
}

static const RccSenderOps ops = {
  .name = "nada",
  .on_config = on_config, .on_sent = on_sent, .on_report = on_report,
  .on_feedback = on_feedback, .on_remb = on_remb,
  .on_deadline = on_deadline, .deadline = deadline,
};

void
rcc_nada_init (RccNada *n, const RccNadaConfig *config, const RccConfig *limits)
{
  *n = (RccNada) { .sender.ops = &ops, .config = *config, .limits = *limits,
    .heard = RCC_NEVER, .reported = RCC_NEVER, .silence = RCC_NEVER, .rtt = RCC_NEVER,
    .remb_bps = UINT32_MAX };
  rcc_nada_settle (&n->config);
  rcc_nada_delay_init (&n->delay, n->config.base_horizon);
  rcc_nada_window_init (&n->window, n->config.log_window);
  retarget (n, limits->start_bps, "start");
}
