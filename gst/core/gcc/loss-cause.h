/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/loss-cause.h - is it congestion that loses packets, or the path itself?
 *
 * Loss that goes away when less is sent than arrived is congestion: of a queue too short to be
 * seen by its delay, or of one that is managed (RFC 8289, RFC 8033).  Loss that stays is the
 * path's own.  So where packets are lost and no queue is long, the limit goes to CUT of what
 * arrived, and the loss is counted again:
 *  - it has more than halved: congestion.  What arrived is the capacity.  The limit comes back
 *    to it as CUBIC does (RFC 9438): soon near it, long about it, then beyond;
 *  - it has not, and was not the path's own the last time: with @second_cut it is counted once
 *    more, with less sent.  A TCP flow beside fills the room of the first cut within a second, and
 *    then both lose packets as before;
 *  - it still has not: for KNOWN it is taken for the path's own, and only what is above it counts.
 *    After that one test is enough, unless more than twice that share is lost.
 * Heavy loss is answered whatever its cause.
 */
#ifndef RCC_GCC_LOSS_CAUSE_H
#define RCC_GCC_LOSS_CAUSE_H

#include "core/rcc.h"

typedef enum { RCC_CAUSE_WATCH, RCC_CAUSE_TEST, RCC_CAUSE_CONGESTION } RccCausePhase;

typedef struct {
  RccCausePhase phase;
  double bps;                           /* limit; +inf: none */
  double own;                           /* share that the path itself loses, as far as known */
  double mean, recent;                  /* shares lost of late */
  double before, cluster;               /* the same before the test; how many together */
  double capacity, from;                /* bit/s: what arrived at the last cut, its limit */
  double expected, lost, squares;       /* packets of this observation; sum of squares of what
                                         * was lost at once */
  double second_cut;                    /* of what arrived; 0: one test is enough */
  bool second;                          /* the test is that one */
  double sure;                          /* share that both found to be the path's own, with no
                                         * congestion since; 0: none */
  RccTime since;                        /* it began */
  RccTime cut;                          /* the last one */
  RccTime known;                        /* own holds until then */
  RccTime keep;                         /* for so long it is believed the next time */
  uint64_t tests, congestions;
} RccLossCause;

void rcc_loss_cause_init (RccLossCause *c);

/* @lost of @expected packets are missing.  @arrived: bit/s of late, @target: bit/s in
 * use.  @calm: no queue was long of late. */
void rcc_loss_cause_packets (RccLossCause *c, double lost, double expected, double arrived,
    double target, bool calm, RccTime rtt, RccTime now);

/* The share of @fraction that has to be answered at once. */
double rcc_loss_cause_rest (const RccLossCause *c, double fraction);

#endif
