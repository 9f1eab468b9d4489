/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scream/reordering.h - which missing packets are lost (screamv2 4.2.1.1): those that are still
 * missing a reordering window after feedback of a later one
 *
 * As in RACK (RFC 8985), the window is what the last packet took that was reported missing and
 * came all the same. It is at most a smoothed round trip.
 */
#ifndef RCC_SCREAM_REORDERING_H
#define RCC_SCREAM_REORDERING_H

#include "core/rcc.h"

#define RCC_SCREAM_MISSING 128

typedef struct {
  RccTime window;
  unsigned next;                        /* slot; the oldest is overwritten */
  struct {
    uint32_t ssrc;
    int64_t seq;
    RccTime since;                      /* RCC_NEVER: free */
    bool lost;                          /* counted; it may come all the same */
  } missing[RCC_SCREAM_MISSING];
  uint64_t lost, returned;              /* ever */
} RccScreamReordering;

void rcc_scream_reordering_init (RccScreamReordering *r);
/* Returns how many had to be taken for lost for want of room. */
unsigned rcc_scream_reordering_missing (RccScreamReordering *r, uint32_t ssrc, int64_t seq,
    RccTime now);
void rcc_scream_reordering_came (RccScreamReordering *r, uint32_t ssrc, int64_t seq, RccTime rtt,
    RccTime now);
/* How many packets are lost that were not before. */
unsigned rcc_scream_reordering_lost (RccScreamReordering *r, RccTime now);

#endif
