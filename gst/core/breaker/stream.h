/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/stream.h - what the circuit breaker knows of one SSRC (RFC 8083 4.2 - 4.4)
 *
 * Judges; what follows from a verdict is breaker.h's.
 */
#ifndef RCC_BREAKER_STREAM_H
#define RCC_BREAKER_STREAM_H

#include "core/breaker/ceiling.h"
#include "core/breaker/timing.h"
#include "core/breaker/framing.h"
#include "core/stats.h"

typedef struct {                        /* the reports since the last interval ended */
  RccTime start;                        /* RCC_NEVER: the next report is the baseline */
  int64_t highest, lost;                /* the counters at the start */
  uint64_t sent, packets;               /* ever, at the start */
  double weight, lost_weight, ce_weight;
  double rtts;                          /* sum of the samples, ns */
  unsigned n_rtts;
  RccTime jitter;                       /* the largest */
} RccBreakerPartial;

typedef struct {
  uint32_t ssrc;
  RccBreakerState state;
  RccBreakerReason reason;              /* of the state */
  bool sending;
  bool reported;                        /* by the compound that is being read */
  bool known;                           /* has ever been reported on */
  RccTime started;                      /* since when it is sending (again) */
  RccTime idle_after;                   /* so long without a packet: it stopped (4.2) */
  RccTime longest_gap;                  /* between packets in this interval */
  uint64_t bytes, packets;              /* ever */
  int64_t first_seq;                    /* first number since sending (again) */
  RccFraming framing;
  uint32_t reporter;                    /* who reports on it */
  int64_t highest, lost;                /* of the last report */
  RccBreakerPartial partial;
  RccBreakerCongestion congestion;
  RccTime media_at;                     /* last report that 4.2 looked at */
  RccTime arrivals_at;                  /* a reporter last told of packets; RCC_NEVER */
  uint64_t media_bytes;                 /* as of then */
  RccTime unusable_since;               /* RCC_NEVER: usable */
  /* while reduced, for breaker.c: back to where it was in steps */
  uint32_t before_bps, target_bps;
  uint64_t calm;                        /* intervals since the last step */
  RccBreakerCeiling ceiling;            /* while closed */
  /* for stats */
  const char *state_name, *reason_name;
  double loss, tcp_bps, sent_bps, packet_size;
  RccTime rtt;                          /* Tr; RCC_NEVER: no sample yet */
  RccTime frame_interval;               /* Tf; RCC_NEVER: not known */
  uint32_t cb_interval, media_timeout, unreceived;
  uint64_t reports;
} RccBreakerStream;

extern const RccField rcc_breaker_stream_fields[];

void rcc_breaker_stream_init (RccBreakerStream *s, uint32_t ssrc,
    const RccBreakerTerms *terms);
/* Other settings; histories stay, only s begins anew where G is another. */
void rcc_breaker_stream_adjust (RccBreakerStream *s, const RccBreakerTerms *terms,
    RccTime now);
void rcc_breaker_stream_sent (RccBreakerStream *s, const RccBreakerTerms *terms,
    const RccPacket *packet);
/* What reports have said so far counts no more: the next one is the baseline. */
void rcc_breaker_stream_forget (RccBreakerStream *s);
/* That, and nothing is sent until the next packet, which starts anew. */
void rcc_breaker_stream_stop (RccBreakerStream *s);
void rcc_breaker_stream_set_state (RccBreakerStream *s, RccBreakerState state,
    RccBreakerReason reason);

/* A report block on it: what it triggers, mostly nothing.  Never anything while open. */
RccBreakerReason rcc_breaker_stream_report (RccBreakerStream *s,
    const RccBreakerTerms *terms, const RccReport *report, RccTime now);
/* After a report that triggered nothing.  True: the ceiling is another one. */
bool rcc_breaker_stream_hold (RccBreakerStream *s, const RccBreakerTerms *terms);
/* After a compound's reports: is its reporter there, but not a word about this stream? */
RccBreakerReason rcc_breaker_stream_compound (RccBreakerStream *s,
    const RccBreakerTerms *terms, const RccRtcp *rtcp, RccTime now);
/* CB_INTERVAL and Tf again, after the compound's checks (4.3). */
void rcc_breaker_stream_recalculate (RccBreakerStream *s, const RccBreakerTerms *terms,
    RccTime now);
/* The triggering interval (4.5) of what was just triggered. */
RccTime rcc_breaker_stream_triggering_interval (const RccBreakerStream *s,
    const RccBreakerTerms *terms, RccBreakerReason reason);

#endif
