/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/doubt.h - how much of what a probe shows is believed (ours; no paper has it)
 *
 * A token bucket lets a probe through faster than it will ever let the media.  So does a moment's
 * gap that other flows leave.  What a probe shows beyond the capacity, the rate at which over-use
 * was found, is a claim.  Over-use at the former capacity again refutes it, and each refuted claim
 * halves what is believed of the next.  Doubt ends where a claim proves right:
 *  - over-use was elsewhere, and its queue is gone;
 *  - or more than the former capacity came for CONFIRMED without a queue.
 * Behind a queue that stands, which somebody else fills, nothing is judged.
 */
#ifndef RCC_GCC_DOUBT_H
#define RCC_GCC_DOUBT_H

#include "core/rcc.h"

typedef struct {
  uint32_t most;                        /* halvings; 0: all is believed */
  uint32_t refuted;                     /* claims of late */
  bool crowded;                         /* a queue stands now; set from outside */
  double over, margin;                  /* bit/s: the capacity that is said to be outgrown, and how
                                         * near to it is the same; 0: nobody says so */
  bool tried;                           /* over-use has come since, elsewhere */
  RccTime beyond_since;                 /* more than that has come; RCC_NEVER: it has not */
} RccDoubt;

void rcc_doubt_init (RccDoubt *d, uint32_t most);

/* A rate shows that @capacity (bit/s, with its standard deviation) is outgrown. */
void rcc_doubt_claim (RccDoubt *d, double capacity, double deviation);
void rcc_doubt_over_use (RccDoubt *d, double received);
/* There is no over-use, and the queue is short or @queued. */
void rcc_doubt_normal (RccDoubt *d, double received, bool queued, RccTime now);

/* What is believed of @bps where @known was measured before. */
double rcc_doubt_believed (const RccDoubt *d, double known, double bps);

#endif
