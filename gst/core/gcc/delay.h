/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/delay.h - the delay-based controller: groups, filter, detector, AIMD
 *
 * The same code runs at the receiver (behind REMB) and at the sender (behind
 * transport feedback).  Its only clock is the packets' arrival time.
 */
#ifndef RCC_GCC_DELAY_H
#define RCC_GCC_DELAY_H

#include "core/gcc/base-delay.h"
#include "core/gcc/capacity-drop.h"
#include "core/gcc/config.h"
#include "core/gcc/full-queue.h"
#include "core/gcc/kalman.h"
#include "core/gcc/standing.h"
#include "core/gcc/tcp-share.h"
#include "core/gcc/trendline.h"
#include "core/stats.h"
#include "core/window.h"

#define RCC_QUEUE_LONG (100 * RCC_MSEC) /* what it loses is the delay-based controller's
                                         * business */

typedef struct {
  RccGccConfig config;
  RccGroups groups;
  union {
    RccKalman kalman;
    RccKalman2 kalman2;
    RccTrendline trendline;
  } filter;
  RccOveruse overuse;
  RccAimd aimd;
  RccWindow rate, fast;
  RccStanding standing;
  RccCapacityDrop drop;
  double dropped_bps;                   /* what comes out since; 0: it has not, or is known */
  RccFullQueue full;
  RccTcpShare tcp;
  RccTime paused;                       /* a pause ended; RCC_NEVER: none has */
  uint64_t paused_bytes;                /* received since */
  uint32_t paused_bps;                  /* received before it */
  RccTime stands_since;                 /* the queue at aimd.queue_floor and more */
  uint64_t stands_bytes;                /* received since */
  RccBaseDelay base;
  int64_t owd;                          /* of the last packet, between two clocks */
  RccTime arrival;
  /* state, for stats */
  double variation, m, trend;           /* ms */
  double threshold;                     /* ms */
  RccTime least[2], least_since;        /* queue in this and in the previous 30 ms */
  RccTime queue;                        /* above the base delay */
  bool queue_full;                      /* with the last packet (gcc/full-queue.h) */
  RccTime long_at;                      /* last arrival behind RCC_QUEUE_LONG; 0: none */
  uint32_t received_bps, estimate_bps;
  const char *usage, *state;
  uint64_t samples;
} RccGccDelay;

extern const RccField rcc_gcc_delay_fields[];

void rcc_gcc_delay_init (RccGccDelay *d, const RccGccConfig *config,
    double start_bps);

/* One packet in order of arrival; @size with RTP header.  True when the estimate
 * was worked out anew (a group has ended). */
bool rcc_gcc_delay_packet (RccGccDelay *d, RccTime send, RccTime arrival,
    uint32_t size);

/* Of @expected packets more @lost are missing; less than 0: some of those before have come. */
void rcc_gcc_delay_losses (RccGccDelay *d, double lost, double expected);
/* @bytes came that nobody reported, until the last packet. */
void rcc_gcc_delay_unreported (RccGccDelay *d, uint32_t bytes);

/* The path takes @bps. */
void rcc_gcc_delay_raise (RccGccDelay *d, double bps, RccTime now);
/* A probe says so, behind a queue of @queue.  Others may have made room for it, and what they lose
 * is no capacity: with probe-trust the rate rises the less the longer that queue is. */
void rcc_gcc_delay_probed (RccGccDelay *d, double bps, RccTime queue, RccTime now);
/* The queue that stands: the shortest of the last 30 to 60 ms, ns. */
RccTime rcc_gcc_delay_least (const RccGccDelay *d);
void rcc_gcc_delay_set_rtt (RccGccDelay *d, RccTime rtt);

/* The time from departure to arrival without a queue, by the packets' two clocks (ns); INT64_MAX
 * before the first packet. */
int64_t rcc_gcc_delay_base (const RccGccDelay *d);
/* A_r, bit/s. */
double rcc_gcc_delay_bps (const RccGccDelay *d);
/* What A_r is limited by, as in limited-by. */
const char *rcc_gcc_delay_limit (const RccGccDelay *d);

#endif
