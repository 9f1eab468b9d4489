/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/state.h - a breaker's state, and how it moves: closed, reduced, open (RFC 8083
 * 4.3, 8)
 *
 * What follows from a verdict.  Whoever uses a breaker reads these structures, and calls the
 * functions of breaker.h.
 */
#ifndef RCC_BREAKER_STATE_H
#define RCC_BREAKER_STATE_H

#include "core/breaker/stream.h"

/* SSRCs that are kept apart.  For one more, the stream that has been silent longest makes room,
 * unless it is open or still sends.  Where none can, more SSRCs pass and only 4.1 judges them.
 * While all are open, none passes. */
#define RCC_BREAKER_STREAMS 8
#define RCC_BREAKER_EVENTS 16

typedef struct {                        /* a change of state and what it rests on */
  RccBreakerState state;
  RccBreakerReason reason;
  uint32_t ssrc;                        /* 0: all streams */
  double loss;                          /* p, 0..1 */
  RccTime rtt;                          /* Tr; RCC_NEVER: not known */
  double tcp_bps, sent_bps;             /* X, infinite without loss, and the rate, bit/s */
  RccTime interval;                     /* the triggering interval (4.5); 0: it closed */
  RccTime at;
} RccBreakerEvent;

typedef struct {
  RccSender sender;                     /* on_sent, on_report, on_rtcp, on_deadline */
  RccBreakerConfig config;              /* clamped */
  uint32_t ssrcs[RCC_BREAKER_STREAMS];  /* of the streams, side by side to be found fast */
  unsigned n_streams;
  bool sending;
  bool all_open;                        /* SSRCs not seen yet may not pass either */
  uint64_t bytes;                       /* ever sent */
  RccTime sending_since;                /* RCC_NEVER: nothing is sent */
  RccTime last_sent;
  RccTime idle_after;                   /* so long without a packet: nothing is sent */
  RccTime heard;                        /* RTCP that counts for 4.1; RCC_NEVER: none */
  RccTime silent_since;                 /* what 3 Td run from */
  RccTime timeout_at;                   /* of 4.1, or earlier; RCC_NEVER: not armed */
  RccBreakerTiming timing;
  RccBreakerState state;                /* the worst of the streams */
  RccBreakerReason reason;              /* of that one */
  const char *state_name, *reason_name;
  RccTime retry_at;                     /* until then reset() is refused, unless closed */
  RccBreakerEvent events[RCC_BREAKER_EVENTS];
  uint64_t n_events;                    /* ever; number i lies at i % RCC_BREAKER_EVENTS */
  uint64_t triggers;                    /* W3C circuitBreakerTriggerCount */
  RccBreakerStream streams[RCC_BREAKER_STREAMS];
} RccBreaker;

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
