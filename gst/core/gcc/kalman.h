/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/kalman.h - the arrival-time filters: queueing delay gradient m from the
 * measured variation d = m + noise
 */
#ifndef RCC_GCC_KALMAN_H
#define RCC_GCC_KALMAN_H

#include "core/gcc/groups.h"

/* Scalar filter, draft-ietf-rmcat-gcc-02 5.3; the one the packet-grouping paper
 * has (its Eq. 3 has no size term). */
typedef struct {
  double m;                             /* ms */
  double e;                             /* error variance of m */
  double var;                           /* measurement noise variance, ms^2 */
  double clip;                          /* residuals that the variance takes, to so many
                                         * standard deviations; may be set after init; 0:
                                         * as they are */
  bool clip_state;                      /* what the state takes, too; after init */
  RccTime intervals[60];                /* send deltas of the last groups: f_max */
  unsigned n;
} RccKalman;

void rcc_kalman_init (RccKalman *k);
double rcc_kalman_update (RccKalman *k, const RccGroupDelta *d);        /* m, ms */

/* Two states (slope in ms a byte, offset m in ms), as libwebrtc's receive side
 * ran it.  @drift: -1 the detector says under-use, 0 normal, +1 over-use. */
typedef struct {
  double slope, m;
  double e[2][2];
  double slope_noise, offset_noise;     /* Q's diagonal; may be set after init */
  double noise_mean, var;
  double previous_m;
  RccTime intervals[60];
  unsigned n;
} RccKalman2;

void rcc_kalman2_init (RccKalman2 *k);
double rcc_kalman2_update (RccKalman2 *k, const RccGroupDelta *d, int drift);

#endif
