/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8083 4.3, 4.5 and 8.  Departs from RFC 8083:
 * - 4.3: the rate comes back by doubling, one step each CB_INTERVAL intervals without a trigger.
 *   Any trigger on the way is the second one, and stops.
 * - 4.5: a reduction, too, lasts at least the triggering interval.
 */
#include "core/breaker/state.h"

#include <string.h>

#define REDUCTION 10                    /* 4.3 */

static const char *const reasons[] = {
  [RCC_BREAKER_RTCP_TIMEOUT] = "circuit breaker: no RTCP comes back",
  [RCC_BREAKER_MEDIA_TIMEOUT] = "circuit breaker: media does not arrive",
  [RCC_BREAKER_CONGESTION] = "circuit breaker: far more than TCP would send",
  [RCC_BREAKER_USABILITY] = "circuit breaker: media is of no use to the receiver",
};

static uint32_t
to_bps (double bps)
{
  return bps >= UINT32_MAX ? UINT32_MAX : bps > 1 ? (uint32_t) bps : 1;
}

static void
add_event (RccBreaker *b, const RccBreakerEvent *event)
{
  b->events[b->n_events++ % RCC_BREAKER_EVENTS] = *event;
}

void
rcc_breaker_take_worst (RccBreaker *b)
{
  b->state = RCC_BREAKER_CLOSED;
  b->reason = RCC_BREAKER_NO_REASON;
  for (unsigned i = 0; i < b->n_streams; i++) {
    if (b->streams[i].state > b->state) {
      b->state = b->streams[i].state;
      b->reason = b->streams[i].reason;
    }
  }
  b->state_name = rcc_breaker_state_names[b->state];
  b->reason_name = rcc_breaker_reason_names[b->reason];
}

static void
move (RccBreakerStream *s, RccBreakerState state, RccBreakerReason reason)
{
  rcc_breaker_stream_set_state (s, state, reason);
  if (state == RCC_BREAKER_OPEN)
    rcc_breaker_stream_stop (s);
  else
    rcc_breaker_stream_forget (s);
}

static void
reduce_to_a_tenth (RccBreakerStream *s, double sent_bps)
{
  s->before_bps = to_bps (sent_bps);
  s->target_bps = RCC_MAX (s->before_bps / REDUCTION, 1);
}

RccUpdate
rcc_breaker_trip (RccBreaker *b, RccBreakerStream *s, RccBreakerReason reason,
    RccTime interval, RccTime now)
{
  const bool all = !s || b->config.together;
  const bool reduce = reason == RCC_BREAKER_CONGESTION && b->config.reduce_first
      && s->state == RCC_BREAKER_CLOSED;
  const RccBreakerState state = reduce ? RCC_BREAKER_REDUCED : RCC_BREAKER_OPEN;
  const double own = s ? s->sent_bps : 0;
  const double sent_bps = all ? RCC_MAX (own, b->timing.sent_bps) : own;
  RccBreakerEvent event = { .state = state, .reason = reason, .rtt = RCC_NEVER,
      .interval = interval, .at = now };

  if (s) {
    event.ssrc = all ? 0 : s->ssrc;
    event.loss = s->loss;
    event.rtt = s->rtt;
    event.tcp_bps = s->tcp_bps;
    event.sent_bps = s->sent_bps;
  }
  add_event (b, &event);
  b->triggers++;
  b->retry_at = b->state == RCC_BREAKER_CLOSED ? now + interval
      : RCC_MAX (b->retry_at, now + interval);
  for (unsigned i = 0; i < b->n_streams; i++) {
    if (!all && &b->streams[i] != s)
      continue;
    if (reduce)
      reduce_to_a_tenth (&b->streams[i], sent_bps);
    move (&b->streams[i], state, reason);
  }
  b->all_open |= all && !reduce;
  rcc_breaker_take_worst (b);
  return (RccUpdate) { .changed = reduce ? RCC_TARGET : RCC_STOP,
      .target_bps = reduce ? s->target_bps : 0, .reason = reasons[reason] };
}

/* 4.3: "MAY gradually increase the rate" */
RccUpdate
rcc_breaker_step_back (RccBreaker *b, RccBreakerStream *s, RccTime now)
{
  const bool all = b->config.together;
  const bool close = s->target_bps >= s->before_bps / 2;
  const uint32_t target = close ? UINT32_MAX : 2 * s->target_bps;

  for (unsigned i = 0; i < b->n_streams; i++) {
    RccBreakerStream *other = &b->streams[i];

    if (other->state != RCC_BREAKER_REDUCED || !(all || other == s))
      continue;
    other->calm = 0;
    other->target_bps = target;
    if (close)
      rcc_breaker_stream_set_state (other, RCC_BREAKER_CLOSED, RCC_BREAKER_NO_REASON);
  }
  if (close)
    add_event (b, &(RccBreakerEvent) { .ssrc = all ? 0 : s->ssrc, .loss = s->loss,
        .rtt = s->rtt, .tcp_bps = s->tcp_bps, .sent_bps = s->sent_bps, .at = now });
  rcc_breaker_take_worst (b);
  return (RccUpdate) { .changed = RCC_TARGET, .target_bps = target,
      .reason = close ? "circuit breaker: closed again" : "circuit breaker: no congestion now" };
}

/* A group is reduced as a whole, with what joins it (8). */
void
rcc_breaker_join (RccBreaker *b, RccBreakerStream *s)
{
  for (unsigned i = 0; b->config.together && i < b->n_streams; i++) {
    const RccBreakerStream *other = &b->streams[i];

    if (other == s || other->state != RCC_BREAKER_REDUCED)
      continue;
    rcc_breaker_stream_set_state (s, other->state, other->reason);
    s->before_bps = other->before_bps;
    s->target_bps = other->target_bps;
    break;
  }
  rcc_breaker_take_worst (b);
}

void
rcc_breaker_close (RccBreaker *b, RccTime now)
{
  for (unsigned i = 0; i < b->n_streams; i++)
    rcc_breaker_stream_set_state (&b->streams[i], RCC_BREAKER_CLOSED, RCC_BREAKER_NO_REASON);
  b->all_open = false;
  rcc_breaker_take_worst (b);
  add_event (b, &(RccBreakerEvent) { .rtt = RCC_NEVER, .at = now });
}

RccBreakerHeld
rcc_breaker_hold (const RccBreaker *b)
{
  RccBreakerHeld held = { .all_open = b->all_open, .n_events = b->n_events,
      .triggers = b->triggers };

  memcpy (held.events, b->events, sizeof held.events);
  for (unsigned i = 0; i < b->n_streams; i++) {
    const RccBreakerStream *s = &b->streams[i];

    if (s->state == RCC_BREAKER_CLOSED)
      continue;
    held.streams[held.n].ssrc = s->ssrc;
    held.streams[held.n].state = s->state;
    held.streams[held.n].reason = s->reason;
    held.streams[held.n].before_bps = s->before_bps;
    held.streams[held.n++].target_bps = s->target_bps;
  }
  return held;
}

void
rcc_breaker_release (RccBreaker *b, const RccBreakerHeld *held)
{
  b->all_open = held->all_open;
  b->n_events = held->n_events;
  b->triggers = held->triggers;
  memcpy (b->events, held->events, sizeof held->events);
  for (unsigned i = 0; i < held->n; i++) {
    b->streams[i].before_bps = held->streams[i].before_bps;
    b->streams[i].target_bps = held->streams[i].target_bps;
    rcc_breaker_stream_set_state (&b->streams[i], held->streams[i].state,
        held->streams[i].reason);
  }
  rcc_breaker_take_worst (b);
}
