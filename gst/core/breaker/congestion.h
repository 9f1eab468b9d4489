/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/congestion.h - does a stream take more than its share? (RFC 8083 4.3)
 *
 * Reporting intervals go in, a verdict over the last CB_INTERVAL of them comes out.
 */
#ifndef RCC_BREAKER_CONGESTION_H
#define RCC_BREAKER_CONGESTION_H

#include "core/breaker/timing.h"

#define RCC_BREAKER_RTTS 64             /* 0.8^64 of a minute is less than 40 us */

typedef struct {                        /* one reporting interval */
  RccTime duration;                     /* > 0 */
  double fraction;                      /* lost, CE added where asked; 0..1 */
  RccTime rtt;                          /* the mean of its samples; RCC_NEVER: none */
  uint64_t rtt_number;                  /* congestion.c's: which of rtts[] that is */
  int64_t expected;                     /* numbers that the highest one went up by */
  int64_t lost_before;                  /* the cumulative count at its start */
  uint64_t sent, packets;               /* bytes and packets that left in it */
  bool steady;                          /* a packet at least every max (Tdr, Tr) */
} RccBreakerInterval;

typedef struct {                        /* the figures of a verdict */
  double loss, tcp_bps, sent_bps;       /* p; X and the rate it is compared with, bit/s */
  RccTime duration;                     /* of the intervals it rests on */
} RccBreakerFigures;

typedef struct {
  RccBreakerInterval intervals[RCC_BREAKER_INTERVALS];
  uint64_t n_intervals;                 /* number i lies at i % RCC_BREAKER_INTERVALS */
  RccTime rtt;                          /* Tr; RCC_NEVER: no sample yet */
  RccTime rtts[RCC_BREAKER_RTTS];       /* samples, number i at i % RCC_BREAKER_RTTS */
  uint64_t n_rtts;
  int64_t lost;                         /* the newest cumulative count */
  bool waiting;                         /* the last verdict rested on one report alone */
  unsigned over;                        /* draft2014: reports over the limit, in a row */
  RccBreakerFigures figures;            /* of the newest verdict */
} RccBreakerCongestion;

void rcc_breaker_congestion_init (RccBreakerCongestion *c);
/* Forgets the intervals; Tr stays. */
void rcc_breaker_congestion_clear (RccBreakerCongestion *c);
/* Tr = 0.8 Tr + 0.2 @sample.  For reports that end no interval; add() does it itself. */
void rcc_breaker_congestion_rtt (RccBreakerCongestion *c, RccTime sample);
/* @lost: the cumulative count at the end of @interval. */
void rcc_breaker_congestion_add (RccBreakerCongestion *c, const RccBreakerInterval *interval,
    int64_t lost);
/* Once per interval: is the limit passed?  @cb_interval: 1 to RCC_BREAKER_INTERVALS - 1;
 * @packet_size: s of RFC 8083. */
bool rcc_breaker_congestion_judge (RccBreakerCongestion *c, const RccBreakerConfig *config,
    uint32_t cb_interval, double packet_size);

#endif
