/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/breaker.h - the RTP circuit breaker (RFC 8083)
 *
 * Told of every RTP packet that leaves, every report block and every RTCP compound, it
 * says when a flow must stop: when RTCP stays away (4.1), media does not arrive (4.2), the
 * flow takes ten times what TCP would (4.3) or nobody can use it any more (4.4, off by
 * default).  Its only answers are RCC_STOP and, where asked to reduce first, RCC_TARGET: a
 * tenth of the rate, then back in steps, UINT32_MAX once it is closed again.  A target is
 * that of the stream which the newest event names, or of all streams together.
 *
 * Streams come from what is sent, never from what RTCP says.
 */
#ifndef RCC_BREAKER_H
#define RCC_BREAKER_H

#include "core/breaker/stream.h"

/* SSRCs.  Beyond, one that has stopped sending makes room, the longest silent first, but
 * none that is open.  While none has, more SSRCs pass, but are judged by 4.1 only; while
 * all are open, none passes. */
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

extern const RccField rcc_breaker_fields[];

void rcc_breaker_init (RccBreaker *b, const RccBreakerConfig *config, RccTime now);
/* The same for a new life in which what is open or reduced stays so, and reset() is refused
 * for @left more: stopping everything and starting it again shortens no interval (4.5).
 * @now has nothing to do with the former life's. */
void rcc_breaker_resume (RccBreaker *b, const RccBreakerConfig *config, RccTime left,
    RccTime now);
/* New settings for what comes from now on; states and histories stay. */
void rcc_breaker_adjust (RccBreaker *b, const RccBreakerConfig *config, RccTime now);

/* Whether RTP of @ssrc may leave.  One that may not is not told by on_sent. */
bool rcc_breaker_passes (const RccBreaker *b, uint32_t ssrc);

/* Sending has ended: nothing is judged until the next packet, which begins anew (4.2). */
void rcc_breaker_ended (RccBreaker *b);

/* How long reset() is still refused (4.5: the triggering interval); 0: it is not. */
RccTime rcc_breaker_retry_after (const RccBreaker *b, RccTime now);
/* Closes what is open or reduced and begins to judge anew; where nothing is, changes
 * nothing.  False, and nothing changed, while it is refused. */
bool rcc_breaker_reset (RccBreaker *b, RccTime now, RccUpdate *update);

#endif
