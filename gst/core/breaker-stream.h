/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker-stream.h - what the circuit breaker knows of one SSRC (RFC 8083 4.2 - 4.4)
 *
 * Judges; what follows from a verdict is breaker.h's.
 */
#ifndef RCC_BREAKER_STREAM_H
#define RCC_BREAKER_STREAM_H

#include "core/framing.h"
#include "core/tcpeq.h"

typedef enum { RCC_BREAKER_RFC8083, RCC_BREAKER_DRAFT2014 } RccBreakerMode;
typedef enum { RCC_BREAKER_CLOSED, RCC_BREAKER_REDUCED, RCC_BREAKER_OPEN } RccBreakerState;
typedef enum {
  RCC_BREAKER_NO_REASON, RCC_BREAKER_RTCP_TIMEOUT, RCC_BREAKER_MEDIA_TIMEOUT,
  RCC_BREAKER_CONGESTION, RCC_BREAKER_USABILITY,
} RccBreakerReason;

typedef struct {
  RccBreakerMode mode;
  RccTcpModel model;
  double multiplier;                    /* > 0; 10 in the RFC */
  bool reduce_first;                    /* to a tenth; stop if it triggers again (4.3) */
  bool together;                        /* one stream's trigger is every stream's (8) */
  bool require_rtcp;                    /* false: no RTCP timeout, for peers without RTCP (4) */
  bool ecn_as_loss;                     /* CE counts in p (5); the RFC leaves it open (7) */
  unsigned media_timeout_reports;       /* k */
  unsigned frame_group;                 /* G; 0 counts as 1 */
  RccTime frame_interval;               /* Tf; RCC_NEVER: measured */
  RccTime rtcp_min_interval;            /* Tmin of the receiver's Td; RCC_NEVER: 5 s, or what
                                           its reports show where they come more often */
  RccTime rr_interval;                  /* T_rr_interval (RFC 4585 3.4); 0: none */
  uint32_t bandwidth_bps;               /* of the session; 0: what is sent */
  double rtcp_fraction;                 /* of it for RTCP; 0.05 in RFC 3550 */
  bool usability;                       /* 4.4, with the next three */
  double unusable_loss;                 /* 0..1 */
  RccTime unusable_delay;               /* RTT / 2 + jitter */
  RccTime unusable_time;                /* for so long */
} RccBreakerConfig;

/* Reports of one stream nearer than this are one interval: AVPF may bring several in
 * one round trip, and nobody can trip a breaker by sending faster. */
#define RCC_BREAKER_MIN_INTERVAL (100 * RCC_MSEC)
/* CB_INTERVAL is at most max (15 s, 3 Td) / Tdr. */
#define RCC_BREAKER_INTERVALS 160

typedef struct {                        /* one reporting interval */
  RccTime start, duration;
  double fraction;                      /* lost, CE added where asked */
  RccTime rtt;                          /* its sample; RCC_NEVER: none */
  int64_t highest, lost;                /* the counters at its end */
  uint64_t sent;                        /* bytes that left in it */
  bool steady;                          /* a packet at least every max (Tdr, Tr) (4.3) */
} RccBreakerInterval;

typedef struct {
  uint32_t ssrc;
  RccBreakerState state;
  RccBreakerReason reason;              /* of the state */
  RccFraming framing;
  bool sending;
  int64_t first_seq;                    /* first number since sending (again) */
  uint64_t bytes;                       /* ever */
  uint32_t reporter;                    /* who reports on it */
  RccBreakerInterval intervals[RCC_BREAKER_INTERVALS];
  uint64_t n_intervals;                 /* since sending, reduction or reset */
  RccTime rtt;                          /* Tr; RCC_NEVER: no sample yet */
  /* for stats: the newest judgement */
  double loss, tcp_bps, sent_bps, packet_size;
  RccTime framing_interval;
  uint32_t cb_interval, media_timeout, unreceived;
  uint64_t reports;
  /* the rest is breaker-stream.c's */
} RccBreakerStream;

#endif
