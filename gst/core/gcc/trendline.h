/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/trendline.h - least-squares slope of the smoothed accumulated delay, the
 * arrival-time filter of today's libwebrtc
 */
#ifndef RCC_GCC_TRENDLINE_H
#define RCC_GCC_TRENDLINE_H

#include "core/gcc/groups.h"

#define RCC_TRENDLINE_WINDOW 20

typedef struct {
  double x[RCC_TRENDLINE_WINDOW];       /* arrival, ms since the first group */
  double y[RCC_TRENDLINE_WINDOW];       /* smoothed accumulated variation, ms */
  unsigned n;                           /* groups seen */
  RccTime first_arrival;
  double accumulated, smoothed;         /* ms */
} RccTrendline;

void rcc_trendline_init (RccTrendline *t);

/* The slope, in ms of delay a ms of time; 0 until the window is full. */
double rcc_trendline_update (RccTrendline *t, const RccGroupDelta *d);

#endif
