/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/state.h - closed, reduced, open: what follows from a verdict (RFC 8083 4.3, 8)
 *
 * The part of breaker.c that moves states; whoever uses a breaker needs none of it.
 */
#ifndef RCC_BREAKER_STATE_H
#define RCC_BREAKER_STATE_H

#include "core/breaker/breaker.h"

/* @s: whose trigger it is, NULL: the session's (4.1); @interval: the triggering one. */
RccUpdate rcc_breaker_trip (RccBreaker *b, RccBreakerStream *s, RccBreakerReason reason,
    RccTime interval, RccTime now);
/* @s is reduced and was calm for CB_INTERVAL intervals: one step back to its rate. */
RccUpdate rcc_breaker_step_back (RccBreaker *b, RccBreakerStream *s, RccTime now);
/* @s is new among the streams. */
void rcc_breaker_join (RccBreaker *b, RccBreakerStream *s);
void rcc_breaker_close (RccBreaker *b, RccTime now);

typedef struct {                        /* what outlives a restart */
  struct {
    uint32_t ssrc, before_bps, target_bps;
    RccBreakerState state;
    RccBreakerReason reason;
  } streams[RCC_BREAKER_STREAMS];
  unsigned n;
  bool all_open;
  RccBreakerEvent events[RCC_BREAKER_EVENTS];
  uint64_t n_events, triggers;
} RccBreakerHeld;

/* Of the streams only those that are not closed. */
RccBreakerHeld rcc_breaker_hold (const RccBreaker *b);
/* Its streams are those of @held, in that order. */
void rcc_breaker_release (RccBreaker *b, const RccBreakerHeld *held);

/* The session's state is that of its worst stream. */
void rcc_breaker_take_worst (RccBreaker *b);

#endif
