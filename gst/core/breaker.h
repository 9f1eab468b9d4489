/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker.h - the RTP circuit breaker (RFC 8083)
 *
 * Told of every RTP packet that leaves, every report block and every RTCP compound, it
 * says when a flow must stop: when RTCP stays away (4.1), media does not arrive (4.2), the
 * flow takes ten times what TCP would (4.3) or nobody can use it any more (4.4, off by
 * default).  Its only answers are RCC_STOP and, where asked to reduce first, RCC_TARGET: a
 * tenth of the rate, then back in steps, UINT32_MAX once it is closed again.
 *
 * Streams come from what is sent, never from what RTCP says.
 */
#ifndef RCC_BREAKER_H
#define RCC_BREAKER_H

#include "core/breaker-stream.h"
#include "core/stats.h"

#define RCC_BREAKER_STREAMS 8           /* SSRCs; beyond, the longest silent makes room */
#define RCC_BREAKER_EVENTS 16

typedef struct {                        /* a change of state and what it rests on */
  RccBreakerState state;
  RccBreakerReason reason;
  uint32_t ssrc;                        /* 0: all streams */
  double loss;                          /* p, 0..1 */
  RccTime rtt;                          /* Tr; RCC_NEVER: not known */
  double tcp_bps, sent_bps;             /* X and the rate it was compared with, bit/s */
  RccTime interval;                     /* the triggering interval (4.5) */
  RccTime at;
} RccBreakerEvent;

typedef struct {
  RccSender sender;                     /* on_sent, on_report, on_rtcp, on_deadline */
  RccBreakerConfig config;
  RccBreakerStream streams[RCC_BREAKER_STREAMS];
  unsigned n_streams;
  RccTime heard;                        /* RTCP that counts for 4.1; RCC_NEVER: none */
  RccTime sending_since;                /* RCC_NEVER: nothing is sent */
  RccTime last_sent;
  double rtcp_size;                     /* avg_rtcp_size of what comes in */
  RccTime td, tdr;                      /* Td of 4.1, with Tmin 5 s; Tdr */
  RccTime observed;                     /* mean interval of the reports seen; RCC_NEVER: too few */
  RccTime timeout_at;                   /* of 4.1; RCC_NEVER: not armed */
  RccBreakerState state;                /* the worst of the streams */
  RccBreakerEvent events[RCC_BREAKER_EVENTS];
  uint64_t n_events;                    /* ever; number i lies at i % RCC_BREAKER_EVENTS */
  uint64_t triggers;                    /* W3C circuitBreakerTriggerCount */
} RccBreaker;

extern const RccField rcc_breaker_fields[];
extern const RccField rcc_breaker_stream_fields[];
extern const char *const rcc_breaker_state_names[];     /* closed reduced open */
extern const char *const rcc_breaker_reason_names[];    /* none rtcp-timeout ... */

/* RFC 8083 with Mathis, factor 10, k = 5. */
RccBreakerConfig rcc_breaker_config (RccBreakerMode mode);
void rcc_breaker_init (RccBreaker *b, const RccBreakerConfig *config, RccTime now);
/* New settings for what comes from now on; states and histories stay. */
void rcc_breaker_adjust (RccBreaker *b, const RccBreakerConfig *config, RccTime now);

/* Whether RTP of @ssrc may leave.  One that may not is not told by on_sent. */
bool rcc_breaker_passes (const RccBreaker *b, uint32_t ssrc);

/* How long reset() is still refused (4.5: the triggering interval); 0: it is not. */
RccTime rcc_breaker_retry_after (const RccBreaker *b, RccTime now);
/* Closes what is open or reduced and begins to judge anew.  False, and nothing changed,
 * while it is refused. */
bool rcc_breaker_reset (RccBreaker *b, RccTime now, RccUpdate *update);

#endif
