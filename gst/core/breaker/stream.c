/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8083 4.2 to 4.4.  Departs from RFC 8083:
 * - 4.2, 4.3: intervals are counted per reporting interval, not per packet. A report nearer than
 *   max (100 ms, Tdr / 4) to the last one counted is merged into the interval under way. It is
 *   weighted by the packets it speaks of. So nobody trips it by sending faster.
 * - 4.2: a compound from the stream's own reporter may have room for a block about it, and none.
 *   That says that media does not arrive. Receivers leave a source out two intervals after they
 *   last heard of it (RFC 3550 6.4). So otherwise real ones would never report MEDIA_TIMEOUT
 *   times that nothing came. Such compounds count once per Tdr.
 * - 4.3: the first block after sending (again) only begins an interval. So does one whose
 *   previous highest number lies before that. What was dropped while open is not lost.
 * - 3: a measured Tf ends at a minute.
 */
#include "core/breaker/stream.h"

#include <string.h>

#define F(member, name, type, unit) RCC_FIELD (RccBreakerStream, member, name, type, unit)
#define MERGE_PART 4                    /* of Tdr */
#define BLOCKS_FULL 31                  /* the rest is in the next one, round-robin (4.1) */
#define TF_MOST (60 * RCC_SEC)
#define RTT_MOST (60 * RCC_SEC)
#define RESTART_SLACK 64                /* packets that come late or twice */
#define NO_WEIGHT 1e-9                  /* beside any report that speaks of a packet */
#define NUMBER_MOST (INT64_C (1) << 60)

const RccField rcc_breaker_stream_fields[] = {
  F (ssrc, "ssrc", RCC_U32, ""),
  F (state_name, "state", RCC_STRING, ""),
  F (reason_name, "reason", RCC_STRING, ""),
  F (loss, "loss-ratio", RCC_DOUBLE, ""),
  F (rtt, "rtt", RCC_TIME, "ns"),
  F (tcp_bps, "tcp-bitrate", RCC_DOUBLE, "bit/s"),
  F (sent_bps, "send-bitrate", RCC_DOUBLE, "bit/s"),
  F (ceiling.bps, "ceiling", RCC_U32, "bit/s"),
  F (packet_size, "packet-size", RCC_DOUBLE, "B"),
  F (frame_interval, "frame-interval", RCC_TIME, "ns"),
  F (cb_interval, "cb-interval", RCC_U32, ""),
  F (media_timeout, "media-timeout", RCC_U32, ""),
  F (unreceived, "reports-unreceived", RCC_U32, ""),
  F (reports, "report-count", RCC_U64, ""),
  RCC_FIELDS_END,
};

static RccTime
since (RccTime then, RccTime now)
{
  return now > then ? now - then : 0;
}

static RccTime
known (RccTime t)
{
  return t == RCC_NEVER ? 0 : t;
}

void
rcc_breaker_stream_set_state (RccBreakerStream *s, RccBreakerState state,
    RccBreakerReason reason)
{
  s->state = state;
  s->reason = reason;
  rcc_breaker_ceiling_init (&s->ceiling);
  s->state_name = rcc_breaker_state_names[state];
  s->reason_name = rcc_breaker_reason_names[reason];
}

static void
init_framing (RccBreakerStream *s, const RccBreakerTerms *terms)
{
  rcc_framing_init (&s->framing, 4 * terms->config->frame_group);
}

void
rcc_breaker_stream_init (RccBreakerStream *s, uint32_t ssrc, const RccBreakerTerms *terms)
{
  memset (s, 0, sizeof *s);
  s->ssrc = ssrc;
  rcc_breaker_stream_set_state (s, RCC_BREAKER_CLOSED, RCC_BREAKER_NO_REASON);
  init_framing (s, terms);
  rcc_breaker_congestion_init (&s->congestion);
  s->partial.start = s->started = s->rtt = s->frame_interval = RCC_NEVER;
  s->unusable_since = RCC_NEVER;
}

static uint32_t
media_timeout (const RccBreakerStream *s, const RccBreakerTerms *terms)
{
  return rcc_breaker_media_timeout (terms, s->frame_interval, s->rtt);
}

void
rcc_breaker_stream_recalculate (RccBreakerStream *s, const RccBreakerTerms *terms,
    RccTime now)
{
  RccTime tf = terms->config->frame_interval;

  if (tf == RCC_NEVER) {
    tf = rcc_framing_interval (&s->framing, now);
    if (tf != RCC_NEVER)
      tf = RCC_MIN (tf, TF_MOST);
  }
  s->frame_interval = tf;
  s->idle_after = 2 * RCC_MAX (terms->td, known (tf));
  s->cb_interval = rcc_breaker_cb_interval (terms, tf, s->rtt);
}

void
rcc_breaker_stream_adjust (RccBreakerStream *s, const RccBreakerTerms *terms, RccTime now)
{
  const RccFraming before = s->framing;

  init_framing (s, terms);
  if (before.n_slots == s->framing.n_slots
      && before.frames_per_slot == s->framing.frames_per_slot)
    s->framing = before;
  else
    s->framing.packet_at = before.packet_at;
  rcc_breaker_stream_recalculate (s, terms, now);
}

static void
begin_partial (RccBreakerStream *s, RccTime start)
{
  s->partial = (RccBreakerPartial) {
    .start = start, .highest = s->highest, .lost = s->lost, .sent = s->bytes,
    .packets = s->packets,
  };
  s->longest_gap = 0;
}

void
rcc_breaker_stream_forget (RccBreakerStream *s)
{
  rcc_breaker_congestion_clear (&s->congestion);
  begin_partial (s, RCC_NEVER);
  s->unreceived = 0;
  s->unusable_since = RCC_NEVER;
  s->calm = 0;
}

void
rcc_breaker_stream_stop (RccBreakerStream *s)
{
  s->sending = false;
  rcc_breaker_stream_forget (s);
}

/* A pause is no frame interval. But where one frame was all that was sent since the last pause,
 * this is how the stream is. It has less than a frame each 10 s (3). */
static void
start (RccBreakerStream *s, int64_t seq, RccTime now)
{
  if (s->framing.frame_at != s->started)
    rcc_framing_pause (&s->framing);
  rcc_breaker_stream_forget (s);
  s->sending = true;
  s->started = s->media_at = now;
  s->arrivals_at = RCC_NEVER;
  s->media_bytes = s->bytes;
  s->first_seq = seq;
}

void
rcc_breaker_stream_sent (RccBreakerStream *s, const RccBreakerTerms *terms,
    const RccPacket *packet)
{
  const RccTime now = packet->sent, before = s->framing.packet_at;
  const RccTime gap = since (before, now);

  if (!s->sending || gap > s->idle_after) {
    start (s, RCC_CLAMP (packet->seq, -NUMBER_MOST, NUMBER_MOST), now);
    rcc_framing_packet (&s->framing, packet->timestamp, packet->size, now);
    rcc_breaker_stream_recalculate (s, terms, now);
    s->media_timeout = media_timeout (s, terms);
  } else {
    s->longest_gap = RCC_MAX (s->longest_gap, gap);
    rcc_framing_packet (&s->framing, packet->timestamp, packet->size, now);
  }
  s->bytes += packet->size;
  s->packets++;
}

/* 4.2: one more report says that nothing came, if there was anything to come. */
static RccBreakerReason
unreceived (RccBreakerStream *s, const RccBreakerTerms *terms)
{
  s->media_timeout = RCC_MAX (s->media_timeout, media_timeout (s, terms));
  if (s->bytes == s->media_bytes)
    return RCC_BREAKER_NO_REASON;
  s->media_bytes = s->bytes;
  s->unreceived++;
  return s->unreceived >= s->media_timeout ? RCC_BREAKER_MEDIA_TIMEOUT
      : RCC_BREAKER_NO_REASON;
}

static RccTime
merged_within (const RccBreakerTerms *terms)
{
  return RCC_MAX (RCC_BREAKER_MIN_INTERVAL, terms->tdr / MERGE_PART);
}

static RccBreakerReason
check_media (RccBreakerStream *s, const RccBreakerTerms *terms, bool received, RccTime now)
{
  if (!received && since (s->media_at, now) < merged_within (terms))
    return RCC_BREAKER_NO_REASON;
  s->media_at = now;
  if (!received)
    return unreceived (s, terms);
  s->unreceived = 0;
  s->media_bytes = s->bytes;
  s->media_timeout = media_timeout (s, terms);
  return RCC_BREAKER_NO_REASON;
}

static bool
is_among (uint32_t ssrc, const RccRtcp *rtcp)
{
  for (unsigned i = 0; i < rtcp->n_reporters; i++)
    if (rtcp->reporters[i] == ssrc)
      return true;
  return false;
}

static void
rest (RccBreakerStream *s, RccTime now)
{
  if (s->sending && since (s->framing.packet_at, now) > s->idle_after)
    rcc_breaker_stream_stop (s);
}

/* A compound that speaks of us, but has no block, is early feedback with the empty RR of RFC 4585
 * 3.1. It says nothing of what was received. So is one beside feedback per packet: GStreamer sends
 * that alone (RFC 5506) behind an empty RR, and puts its reports off. */
RccBreakerReason
rcc_breaker_stream_compound (RccBreakerStream *s, const RccBreakerTerms *terms,
    const RccRtcp *rtcp, RccTime now)
{
  const bool reported = s->reported;

  s->reported = false;
  rest (s, now);
  if (rtcp->arrivals && rtcp->from_reporter)
    s->arrivals_at = now;
  if (s->arrivals_at <= now && since (s->arrivals_at, now) < terms->tdr)
    return RCC_BREAKER_NO_REASON;
  if (reported || !s->sending || s->state == RCC_BREAKER_OPEN || !s->known
      || rtcp->about_us || rtcp->n_blocks >= BLOCKS_FULL || !is_among (s->reporter, rtcp)
      || since (s->media_at, now) < terms->tdr)
    return RCC_BREAKER_NO_REASON;
  /* what is over Tdr counts for the next one: intervals are random */
  s->media_at = RCC_MAX (s->media_at + terms->tdr, now - terms->tdr);
  return unreceived (s, terms);
}

/* 4.4; CE marks arrive and never count */
static RccBreakerReason
check_usability (RccBreakerStream *s, const RccBreakerConfig *config, double loss,
    RccTime now)
{
  const RccTime delay = known (s->rtt) / 2 + s->partial.jitter;

  if (!config->usability
      || !(loss > config->unusable_loss || delay > config->unusable_delay)) {
    s->unusable_since = RCC_NEVER;
    return RCC_BREAKER_NO_REASON;
  }
  if (s->unusable_since == RCC_NEVER)
    s->unusable_since = now;
  return since (s->unusable_since, now) >= config->unusable_time
      && now != s->unusable_since ? RCC_BREAKER_USABILITY : RCC_BREAKER_NO_REASON;
}

static RccBreakerReason
check_congestion (RccBreakerStream *s, const RccBreakerConfig *config)
{
  const bool over = rcc_breaker_congestion_judge (&s->congestion, config, s->cb_interval,
      s->packet_size);

  s->loss = s->congestion.figures.loss;
  s->tcp_bps = s->congestion.figures.tcp_bps;
  s->sent_bps = s->congestion.figures.sent_bps;
  return over ? RCC_BREAKER_CONGESTION : RCC_BREAKER_NO_REASON;
}

static RccTime
mean_rtt (const RccBreakerPartial *p)
{
  return p->n_rtts ? (RccTime) (p->rtts / p->n_rtts + 0.5) : RCC_NEVER;
}

static RccBreakerReason
end_interval (RccBreakerStream *s, const RccBreakerTerms *terms, RccTime now)
{
  const RccBreakerPartial *p = &s->partial;
  const RccTime silence = RCC_MAX (s->longest_gap, since (s->framing.packet_at, now));
  const double loss = p->lost_weight / p->weight;
  const double ce = terms->config->ecn_as_loss ? p->ce_weight / p->weight : 0;
  const RccBreakerInterval interval = {
    .duration = since (p->start, now), .fraction = RCC_MIN (loss + ce, 1.0),
    .rtt = mean_rtt (p), .expected = s->highest - p->highest, .lost_before = p->lost,
    .sent = s->bytes - p->sent, .packets = s->packets - p->packets,
    .steady = silence <= RCC_MAX (terms->tdr, known (s->rtt)),
  };
  RccBreakerReason congestion, usability;

  rcc_breaker_congestion_add (&s->congestion, &interval, s->lost);
  s->rtt = s->congestion.rtt;
  s->packet_size = rcc_framing_packet_size (&s->framing);
  s->calm++;
  congestion = check_congestion (s, terms->config);
  usability = check_usability (s, terms->config, loss, now);
  begin_partial (s, now);
  return congestion ? congestion : usability;
}

static double
ratio (double x)
{
  return x > 0 ? RCC_MIN (x, 1.0) : 0;
}

/* One block into the interval under way; @new_numbers: that the highest went up by. */
static void
merge (RccBreakerPartial *p, const RccReport *r, int64_t new_numbers)
{
  const double weight = new_numbers > 0 ? (double) new_numbers : NO_WEIGHT;
  const double expected = r->expected ? r->expected : RCC_MAX (weight, 1);

  p->weight += weight;
  p->lost_weight += weight * ratio (r->fraction_lost);
  p->ce_weight += weight * ratio (r->ce / expected);
  p->jitter = RCC_MAX (p->jitter, RCC_MIN (known (r->jitter), RTT_MOST));
}

static void
take_rtt (RccBreakerStream *s, RccTime rtt)
{
  if (rtt == RCC_NEVER)
    return;
  s->partial.rtts += (double) RCC_MIN (rtt, RTT_MOST);
  s->partial.n_rtts++;
}

/* The counters of a receiver that began again.  Cumulative loss may fall, by as many as
 * came twice. */
static bool
starts_over (const RccBreakerStream *s, int64_t highest, int64_t lost)
{
  const int64_t more = highest - s->highest;

  return more < 0 || lost - s->lost < -2 * more - RESTART_SLACK;
}

static void
take_baseline (RccBreakerStream *s, RccTime now)
{
  const RccTime rtt = mean_rtt (&s->partial);

  if (rtt != RCC_NEVER)
    rcc_breaker_congestion_rtt (&s->congestion, rtt);
  s->rtt = s->congestion.rtt;
  begin_partial (s, now);
}

RccBreakerReason
rcc_breaker_stream_report (RccBreakerStream *s, const RccBreakerTerms *terms,
    const RccReport *report, RccTime now)
{
  const int64_t highest = RCC_CLAMP (report->highest_seq, -NUMBER_MOST, NUMBER_MOST);
  const int64_t lost = RCC_CLAMP (report->lost, -NUMBER_MOST, NUMBER_MOST);
  const int64_t more = s->known ? highest - s->highest : highest - s->first_seq + 1;
  const bool baseline = !s->known || s->highest < s->first_seq
      || s->partial.start == RCC_NEVER || starts_over (s, highest, lost);
  RccBreakerReason media, other = RCC_BREAKER_NO_REASON;

  rest (s, now);
  s->known = s->reported = true;
  s->reporter = report->reporter;
  s->highest = highest;
  s->lost = lost;
  s->reports++;
  take_rtt (s, report->rtt);
  if (!s->sending || s->state == RCC_BREAKER_OPEN) {
    take_baseline (s, RCC_NEVER);
    return RCC_BREAKER_NO_REASON;
  }
  media = check_media (s, terms, more > 0, now);
  if (baseline) {
    take_baseline (s, now);
  } else {
    merge (&s->partial, report, more);
    if (since (s->partial.start, now) >= merged_within (terms))
      other = end_interval (s, terms, now);
  }
  return media ? media : other;
}

bool
rcc_breaker_stream_hold (RccBreakerStream *s, const RccBreakerTerms *terms)
{
  return s->state == RCC_BREAKER_CLOSED && rcc_breaker_ceiling_report (&s->ceiling,
      &s->congestion, terms->config, s->cb_interval, s->packet_size);
}

RccTime
rcc_breaker_stream_triggering_interval (const RccBreakerStream *s,
    const RccBreakerTerms *terms, RccBreakerReason reason)
{
  switch (reason) {
    case RCC_BREAKER_MEDIA_TIMEOUT:
      return s->media_timeout * terms->tdr;
    case RCC_BREAKER_CONGESTION:
      return RCC_MAX (s->congestion.figures.duration, s->cb_interval * terms->tdr);
    case RCC_BREAKER_USABILITY:
      return terms->config->unusable_time;
    default:
      return 0;
  }
}
