/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/timing.h - Td and Tdr (RFC 8083 3) from the RTCP that comes in, and the numbers
 * of reports that follow from them
 */
#ifndef RCC_BREAKER_TIMING_H
#define RCC_BREAKER_TIMING_H

#include "core/breaker/config.h"
#include "core/rtcp-interval.h"

/* CB_INTERVAL is at most max (15 s, 3 Td) / Tdr. That is 150 where RTCP comes as often as counts,
 * and less than this in any case. */
#define RCC_BREAKER_INTERVALS 160
#define RCC_BREAKER_ARRIVALS 8          /* intervals that the observed mean is taken over */

typedef struct {
  RccTime td;                           /* of 4.1: ours, with Tmin 5 s; >= 5 s */
  RccTime tdr;                          /* the receiver's; >= RCC_BREAKER_MIN_INTERVAL */
  RccTime observed;                     /* mean interval of its reports; RCC_NEVER: too few */
  double rtcp_size;                     /* avg_rtcp_size of what comes in */
  double sent_bps;                      /* over the last 5 to 10 s; 0: too little seen yet */
  struct {
    RccTime at;
    uint64_t bytes;
  } marks[2];                           /* for sent_bps, the older one first */
  uint32_t observer;                    /* whose reports are timed */
  RccTime arrived;                      /* its last; RCC_NEVER: nobody's */
  RccTime intervals[RCC_BREAKER_ARRIVALS];
  uint64_t n_intervals;
  RccRtcpSession session;               /* as of the last compound with a report */
} RccBreakerTiming;

typedef struct {                        /* what holds for all streams of a session */
  const RccBreakerConfig *config;       /* clamped */
  RccTime td, tdr;
} RccBreakerTerms;

/* CB_INTERVAL (4.3) of a stream with Tf and Tr, RCC_NEVER where not known; 1 to
 * RCC_BREAKER_INTERVALS - 1. */
uint32_t rcc_breaker_cb_interval (const RccBreakerTerms *terms, RccTime tf, RccTime tr);
/* MEDIA_TIMEOUT (4.2), likewise; >= 1. */
uint32_t rcc_breaker_media_timeout (const RccBreakerTerms *terms, RccTime tf, RccTime tr);

void rcc_breaker_timing_init (RccBreakerTiming *t, const RccBreakerConfig *config);
/* Sending begins (again) after @bytes. */
void rcc_breaker_timing_start (RccBreakerTiming *t, uint64_t bytes, RccTime now);
/* One compound. @reporter: who told of a stream of ours in it. NULL: nobody, then it has no say
 * in Td and Tdr. @bytes: how many were ever sent. */
void rcc_breaker_timing_rtcp (RccBreakerTiming *t, const RccBreakerConfig *config,
    const RccRtcp *rtcp, const uint32_t *reporter, uint64_t bytes, RccTime now);
/* Td and Tdr again, after new settings. */
void rcc_breaker_timing_update (RccBreakerTiming *t, const RccBreakerConfig *config);

#endif
