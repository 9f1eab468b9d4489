/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/owd.h - percentiles of the one-way delay over a sliding window, exact
 *
 * Which samples are good enough to be taken in is the caller's to say.  Memory is
 * fixed: beyond RCC_OWD_SAMPLES the oldest goes, however young it is.
 */
#ifndef RCC_OWD_H
#define RCC_OWD_H

#include "core/rcc.h"

#define RCC_OWD_SAMPLES 1024            /* gst-mprtp's; 30 s at 34 reports a second */

typedef struct {
  RccTime span;
  unsigned oldest, n;                   /* of the ring */
  struct {
    RccTime at, owd;
  } ring[RCC_OWD_SAMPLES];
  uint16_t order[RCC_OWD_SAMPLES];      /* places of the same @n, by delay, ascending */
} RccOwd;

void rcc_owd_init (RccOwd *o, RccTime span);
/* Forgets what is older than the span; a sample exactly as old as it stays. */
void rcc_owd_expire (RccOwd *o, RccTime now);
/* Expires, then takes @owd in.  @now of before the last call is as if it were then. */
void rcc_owd_add (RccOwd *o, RccTime owd, RccTime now);

/* The smallest sample that at least @fraction (0..1) of all do not exceed: nearest
 * rank, no interpolation.  RCC_NEVER when there is none. */
RccTime rcc_owd_percentile (const RccOwd *o, double fraction);

/* (@owd + @floor) / (@reference + @floor), finite; 1 where either is RCC_NEVER: who
 * knows nothing sees no congestion. */
double rcc_owd_correlation (RccTime owd, RccTime reference, RccTime floor);

#endif
