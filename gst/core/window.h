/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window.h - bitrate over a sliding window of time
 *
 * Bytes are kept in RCC_WINDOW_BINS bins, so memory does not depend on the packet rate. The
 * window's edge is exact to one bin (span / bins).
 */
#ifndef RCC_WINDOW_H
#define RCC_WINDOW_H

#include "core/rcc.h"

#define RCC_WINDOW_BINS 50

typedef struct {
  RccTime span;                         /* window length */
  RccTime first;                        /* first byte ever; RCC_NEVER: none */
  unsigned newest;                      /* bin */
  RccTime edge;                         /* its end; 0: nothing was added yet */
  uint64_t sum;                         /* bytes in all bins */
  uint32_t bins[RCC_WINDOW_BINS];
} RccWindow;

void rcc_window_init (RccWindow *w, RccTime span);
/* Empties the bins between the newest one and @now's, for the functions below. */
void rcc_window_turn (RccWindow *w, RccTime now);

inline void
rcc_window_add (RccWindow *w, uint32_t bytes, RccTime now)
{
  if (now >= w->edge)
    rcc_window_turn (w, now);
  if (w->first == RCC_NEVER)
    w->first = now;
  w->bins[w->newest] += bytes;
  w->sum += bytes;
}

/* bit/s over the last span, or since the first byte while that is shorter. It is never over less
 * than a tenth of the span. 0 when there is nothing. */
uint32_t rcc_window_bps (RccWindow *w, RccTime now);

/* Whether a whole span has gone by since the first byte. */
bool rcc_window_full (const RccWindow *w, RccTime now);

#endif
