/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lateness.h - how late something came, over a run
 */
#ifndef LINKTUN_LATENESS_H
#define LINKTUN_LATENESS_H

#include "core/rcc.h"

#define LATENESS_STEP (10 * RCC_USEC)
#define LATENESS_STEPS 2000u            /* up to 20 ms; the largest is known beyond */

typedef struct {                        /* zero is the initial state */
  uint64_t n, counts[LATENESS_STEPS];
  RccTime most, at;                     /* the largest, and the time of it */
} Lateness;

/* Noted @now. */
void lateness_note (Lateness *l, RccTime late, RccTime now);
/* The time within which the @share came, to a step; of nothing: 0. */
RccTime lateness_within (const Lateness *l, double share);

#endif
