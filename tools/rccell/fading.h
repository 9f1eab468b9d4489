/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fading.h - Rayleigh fading of a walker, at two antennas: a sum of sinusoids (Clarke)
 */
#ifndef RCC_CELL_FADING_H
#define RCC_CELL_FADING_H

#include "core/rng.h"

#define RCC_FADING_STEP (5 * RCC_MSEC)  /* 3 km/h at 2 GHz change little in it */
#define RCC_FADING_ANTENNAS 2
#define RCC_FADING_PATHS 12

typedef struct {
  struct {
    double re, im, step_re, step_im;
  } paths[RCC_FADING_ANTENNAS][RCC_FADING_PATHS];
} RccFading;

void rcc_fading_init (RccFading *f, RccRng *rng);
/* Power after RCC_FADING_STEP more, both antennas together; 1 in the mean. */
double rcc_fading_next (RccFading *f);

#endif
