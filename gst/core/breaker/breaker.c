/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Departs from RFC 8083 (as do state.c, stream.c and congestion.c):
 * - 4.1: any RTCP counts when its sender has reported on one of our streams before. It is the
 *   receiver, and the return path works. Nobody else's does.
 * - 4.1: feedback per packet counts too, without any SR or RR: see on_feedback().
 * - 4.1: a deadline that is met more than 1 s late does not say that the receiver is silent. This
 *   host slept, suspended or had its clock set. It gets as much time again, up to the whole
 *   timeout.
 */
#include "core/breaker/breaker.h"

#include <string.h>

#define F(member, name, type, unit) RCC_FIELD (RccBreaker, member, name, type, unit)
#define TIMEOUT_INTERVALS 3             /* Td, 4.1 */
#define DRAFT_TIMEOUT_INTERVALS 2       /* the LTE paper, II */
#define LATE RCC_SEC

const RccField rcc_breaker_fields[] = {
  F (state_name, "state", RCC_STRING, ""),
  F (reason_name, "reason", RCC_STRING, ""),
  F (sending, "sending", RCC_BOOL, ""),
  F (timing.td, "td", RCC_TIME, "ns"),
  F (timing.tdr, "tdr", RCC_TIME, "ns"),
  F (timing.observed, "report-interval", RCC_TIME, "ns"),
  F (timing.rtcp_size, "rtcp-size", RCC_DOUBLE, "B"),
  F (triggers, "circuit-breaker-trigger-count", RCC_U64, ""),
  RCC_FIELDS_END,
};

static RccTime
since (RccTime then, RccTime now)
{
  return now > then ? now - then : 0;
}

static RccBreakerTerms
terms (const RccBreaker *b)
{
  return (RccBreakerTerms) { &b->config, b->timing.td, b->timing.tdr };
}

static RccBreakerStream *
find (RccBreaker *b, uint32_t ssrc)
{
  for (unsigned i = 0; i < b->n_streams; i++)
    if (b->ssrcs[i] == ssrc)
      return &b->streams[i];
  return NULL;
}

static RccTime
timeout_span (const RccBreaker *b)
{
  const unsigned n = b->config.mode == RCC_BREAKER_DRAFT2014 ? DRAFT_TIMEOUT_INTERVALS
      : TIMEOUT_INTERVALS;

  return n * b->timing.td;
}

RccTime
rcc_breaker_timeout_due (const RccBreaker *b)
{
  const RccTime span = timeout_span (b);

  if (!b->sending || !b->config.require_rtcp)
    return RCC_NEVER;
  return span < RCC_NEVER - b->silent_since ? b->silent_since + span : RCC_NEVER;
}

static void
start_sending (RccBreaker *b, RccTime now)
{
  b->sending = true;
  b->sending_since = b->silent_since = now;
  rcc_breaker_timing_start (&b->timing, b->bytes, now);
  b->timeout_at = rcc_breaker_timeout_due (b);
}

/* 4.1 and 4.2 are about what is being sent: nothing stays armed. */
static void
stop_sending (RccBreaker *b)
{
  b->sending = false;
  b->sending_since = b->timeout_at = RCC_NEVER;
  for (unsigned i = 0; i < b->n_streams; i++)
    rcc_breaker_stream_stop (&b->streams[i]);
}

static bool
is_idle (const RccBreaker *b, RccTime now)
{
  return since (b->last_sent, now) > b->idle_after;
}

static void
recalculate (RccBreaker *b, RccTime now)
{
  const RccBreakerTerms t = terms (b);

  b->idle_after = 2 * t.td;
  for (unsigned i = 0; i < b->n_streams; i++) {
    if (!b->streams[i].sending)
      continue;
    rcc_breaker_stream_recalculate (&b->streams[i], &t, now);
    b->idle_after = RCC_MAX (b->idle_after, b->streams[i].idle_after);
  }
}

/* A stream that has stopped makes room; an open one must be known as such. */
static RccBreakerStream *
find_room (RccBreaker *b, RccTime now)
{
  RccBreakerStream *silent = NULL;

  if (b->n_streams < RCC_BREAKER_STREAMS)
    return &b->streams[b->n_streams++];
  for (unsigned i = 0; i < b->n_streams; i++) {
    RccBreakerStream *s = &b->streams[i];

    if (s->state != RCC_BREAKER_OPEN && since (s->framing.packet_at, now) > s->idle_after
        && (!silent || s->framing.packet_at < silent->framing.packet_at))
      silent = s;
  }
  return silent;
}

static RccBreakerStream *
add_stream (RccBreaker *b, uint32_t ssrc, RccTime now)
{
  const RccBreakerTerms t = terms (b);
  RccBreakerStream *s = find_room (b, now);

  if (!s)
    return NULL;
  b->ssrcs[s - b->streams] = ssrc;
  rcc_breaker_stream_init (s, ssrc, &t);
  rcc_breaker_join (b, s);
  return s;
}

static RccUpdate
on_sent (RccSender *sender, const RccPacket *packet)
{
  RccBreaker *b = (RccBreaker *) sender;
  const RccBreakerTerms t = terms (b);
  RccBreakerStream *s = find (b, packet->ssrc);

  if (s ? s->state == RCC_BREAKER_OPEN : !rcc_breaker_passes (b, packet->ssrc))
    return (RccUpdate) { 0 };
  if (!s)
    s = add_stream (b, packet->ssrc, packet->sent);
  if (!b->sending || is_idle (b, packet->sent))
    start_sending (b, packet->sent);
  b->last_sent = packet->sent;
  b->bytes += packet->size;
  if (!s)
    return (RccUpdate) { 0 };
  rcc_breaker_stream_sent (s, &t, packet);
  b->idle_after = RCC_MAX (b->idle_after, s->idle_after);
  return (RccUpdate) { 0 };
}

/* @s: whose trigger it is, NULL: the session's. */
static RccUpdate
trip (RccBreaker *b, RccBreakerStream *s, RccBreakerReason reason, RccTime now)
{
  const RccBreakerTerms t = terms (b);
  const RccTime interval = s ? rcc_breaker_stream_triggering_interval (s, &t, reason)
      : timeout_span (b);
  const RccUpdate u = rcc_breaker_trip (b, s, reason, interval, now);
  bool sending = false;

  for (unsigned i = 0; i < b->n_streams; i++)
    sending |= b->streams[i].sending;
  if (!sending)
    stop_sending (b);
  return u;
}

static RccUpdate
on_report (RccSender *sender, const RccReport *report, RccTime now)
{
  RccBreaker *b = (RccBreaker *) sender;
  const RccBreakerTerms t = terms (b);
  RccBreakerStream *s = find (b, report->ssrc);
  RccBreakerReason reason;

  if (!s)
    return (RccUpdate) { 0 };
  reason = rcc_breaker_stream_report (s, &t, report, now);
  if (reason)
    return trip (b, s, reason, now);
  if (s->state == RCC_BREAKER_REDUCED && s->calm >= s->cb_interval)
    return rcc_breaker_step_back (b, s, now);
  if (rcc_breaker_stream_hold (s, &t))
    return (RccUpdate) { .changed = RCC_TARGET, .target_bps = s->ceiling.bps,
        .reason = s->ceiling.bps == RCC_BREAKER_NO_CEILING
            ? "circuit breaker: congestion nears no more" : "circuit breaker: congestion nears" };
  return (RccUpdate) { 0 };
}

/* Who reported on one of our streams in the compound that has just been read. */
static const uint32_t *
reporter_of_ours (const RccBreaker *b)
{
  for (unsigned i = 0; i < b->n_streams; i++)
    if (b->streams[i].reported)
      return &b->streams[i].reporter;
  return NULL;
}

static RccUpdate
on_rtcp (RccSender *sender, const RccRtcp *rtcp, RccTime now)
{
  RccBreaker *b = (RccBreaker *) sender;
  const RccBreakerTerms t = terms (b);
  const uint32_t *reporter = reporter_of_ours (b);
  RccUpdate u = { 0 };

  if (rtcp->from_reporter)              /* 4.1, and 5 for what is no SR or RR */
    b->heard = b->silent_since = now;   /* timeout_at stays: that wake finds nothing due */
  if (b->sending && is_idle (b, now))
    stop_sending (b);
  for (unsigned i = 0; i < b->n_streams; i++) {
    RccBreakerStream *s = &b->streams[i];
    const RccBreakerReason reason = rcc_breaker_stream_compound (s, &t, rtcp, now);

    if (reason)
      u = rcc_update_merge (u, trip (b, s, reason, now));
  }
  /* 4.3: CB_INTERVAL after the checks */
  rcc_breaker_timing_rtcp (&b->timing, &b->config, rtcp, reporter, b->bytes, now);
  recalculate (b, now);
  b->timeout_at = RCC_MIN (b->timeout_at, rcc_breaker_timeout_due (b));
  return u;
}

static RccUpdate
on_deadline (RccSender *sender, RccTime now)
{
  RccBreaker *b = (RccBreaker *) sender;
  const RccTime due = rcc_breaker_timeout_due (b), span = timeout_span (b);
  RccTime late;

  if (now < b->timeout_at)
    return (RccUpdate) { 0 };
  if (is_idle (b, now)) {
    stop_sending (b);
    return (RccUpdate) { 0 };
  }
  late = since (RCC_MAX (due, b->timeout_at), now);
  if (due > now) {
    b->timeout_at = due;
  } else if (late > LATE) {
    b->timeout_at = now + RCC_MIN (late, span);
    b->silent_since = b->timeout_at - span;
  } else {
    return trip (b, NULL, RCC_BREAKER_RTCP_TIMEOUT, now);
  }
  return (RccUpdate) { 0 };
}

/* Packets arrive, and somebody can say which: 5 has that counted for 4.1. rtpsession of 1.22 drops
 * a regular report that is due while an early one waits. At low rates, and on a busy host, 15 s and
 * more were seen to go by with feedback in RRs without blocks alone. */
static RccUpdate
on_feedback (RccSender *sender, const RccPacket *packets, size_t n, RccTime now)
{
  RccBreaker *b = (RccBreaker *) sender;

  for (size_t i = 0; i < n; i++)
    if (rcc_packet_received (&packets[i]))
      b->heard = b->silent_since = now;
  return (RccUpdate) { 0 };
}

static RccTime
deadline (const RccSender *sender)
{
  return ((const RccBreaker *) sender)->timeout_at;
}

static const RccSenderOps ops = {
  .name = "breaker",
  .on_sent = on_sent,
  .on_report = on_report,
  .on_feedback = on_feedback,
  .on_rtcp = on_rtcp,
  .on_deadline = on_deadline,
  .deadline = deadline,
};

void
rcc_breaker_init (RccBreaker *b, const RccBreakerConfig *config, RccTime now)
{
  memset (b, 0, sizeof *b);
  b->sender.ops = &ops;
  b->config = rcc_breaker_config_clamp (config);
  b->sending_since = b->heard = b->timeout_at = RCC_NEVER;
  b->last_sent = now;
  rcc_breaker_timing_init (&b->timing, &b->config);
  recalculate (b, now);
  rcc_breaker_take_worst (b);
}

void
rcc_breaker_resume (RccBreaker *b, const RccBreakerConfig *config, RccTime left, RccTime now)
{
  const RccBreakerHeld held = rcc_breaker_hold (b);

  rcc_breaker_init (b, config, now);
  for (unsigned i = 0; i < held.n; i++) {
    const RccBreakerTerms t = terms (b);

    b->ssrcs[i] = held.streams[i].ssrc;
    rcc_breaker_stream_init (&b->streams[b->n_streams++], b->ssrcs[i], &t);
  }
  rcc_breaker_release (b, &held);
  b->retry_at = now + left;
}

void
rcc_breaker_adjust (RccBreaker *b, const RccBreakerConfig *config, RccTime now)
{
  const bool required = b->config.require_rtcp;
  RccBreakerTerms t;

  b->config = rcc_breaker_config_clamp (config);
  rcc_breaker_timing_update (&b->timing, &b->config);
  t = terms (b);
  for (unsigned i = 0; i < b->n_streams; i++)
    rcc_breaker_stream_adjust (&b->streams[i], &t, now);
  recalculate (b, now);
  if (!required)
    b->silent_since = now;
  b->timeout_at = rcc_breaker_timeout_due (b);
  if (b->timeout_at != RCC_NEVER)
    b->timeout_at = RCC_MAX (b->timeout_at, now);
}

bool
rcc_breaker_passes (const RccBreaker *b, uint32_t ssrc)
{
  bool room = b->n_streams < RCC_BREAKER_STREAMS;

  if (b->state != RCC_BREAKER_OPEN)
    return true;
  for (unsigned i = 0; i < b->n_streams; i++) {
    if (b->ssrcs[i] == ssrc)
      return b->streams[i].state != RCC_BREAKER_OPEN;
    room |= b->streams[i].state != RCC_BREAKER_OPEN;
  }
  return room && !b->all_open;
}

void
rcc_breaker_ended (RccBreaker *b)
{
  stop_sending (b);
}

RccTime
rcc_breaker_retry_after (const RccBreaker *b, RccTime now)
{
  return b->state == RCC_BREAKER_CLOSED ? 0 : since (now, b->retry_at);
}

bool
rcc_breaker_reset (RccBreaker *b, RccTime now, RccUpdate *update)
{
  *update = (RccUpdate) { 0 };
  if (rcc_breaker_retry_after (b, now) > 0)
    return false;
  if (b->state == RCC_BREAKER_CLOSED)
    return true;
  rcc_breaker_close (b, now);
  stop_sending (b);
  *update = (RccUpdate) { .changed = RCC_TARGET, .target_bps = UINT32_MAX,
      .reason = "circuit breaker: reset" };
  return true;
}
