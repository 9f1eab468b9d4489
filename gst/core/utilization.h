/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * utilization.h - how much an encoder makes of the bitrate that it is set to (ours; libwebrtc's
 * EncoderBitrateAdjuster measures it, too, but only lowers the bitrate by it)
 *
 * x264 with a short VBV makes less than it is set to: 86 % at 437 kbit/s with a VBV of 200 ms,
 * VGA, videotestsrc's zone plate. The rest of the target would be lost.
 */
#ifndef RCC_UTILIZATION_H
#define RCC_UTILIZATION_H

#include "core/rcc.h"

typedef struct {
  double most;                          /* correction at most; 1: none */
  RccTime before;                       /* the last picture; RCC_NEVER: none */
  double interval;                      /* ns between pictures, the mean; 0: not known */
  double lagging;                       /* bit/s: what it is set to, half a second late */
  double made, set;                     /* bits, the older the less they count */
  RccTime covered;                      /* of set */
} RccUtilization;

/* @most: 1 and more. */
void rcc_utilization_init (RccUtilization *u, double most);

/* A picture of @bytes, at stream time @time, from an encoder that is set to @bps. A rise of that
 * counts half a second late, as encoders follow it late. Pictures that are missing before this one
 * do not count, nor does a time that is missing (RCC_NEVER) or goes back. */
void rcc_utilization_picture (RccUtilization *u, uint32_t bytes, uint32_t bps, RccTime time);

/* The share that it made of the last seconds' bitrate; 0: not known. */
double rcc_utilization_share (const RccUtilization *u);

/* What to multiply its bitrate by so that it makes 95 % of what it is meant to: 1 to @most. Where
 * that would take more than @most, pictures need no more: the less it makes, the nearer to 1. */
double rcc_utilization_correction (const RccUtilization *u);

#endif
