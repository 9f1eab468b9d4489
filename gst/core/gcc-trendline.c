/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc-trendline.h"

#define SMOOTHING 0.9
#define N RCC_TRENDLINE_WINDOW

void
rcc_trendline_init (RccTrendline *t)
{
  *t = (RccTrendline) { .first_arrival = RCC_NEVER };
}

double
rcc_trendline_update (RccTrendline *t, const RccGroupDelta *d)
{
  const unsigned newest = t->n % N;
  double mean_x = 0, mean_y = 0, covariance = 0, variance = 0;

  if (t->first_arrival == RCC_NEVER)
    t->first_arrival = d->arrival;
  t->accumulated += rcc_group_variation_ms (d);
  t->smoothed = SMOOTHING * t->smoothed + (1.0 - SMOOTHING) * t->accumulated;
  t->x[newest] = (double) (int64_t) (d->arrival - t->first_arrival) * 1e-6;
  t->y[newest] = t->smoothed;
  t->share_x[newest] = t->x[newest] / N;        /* 2 divisions now, not 40 each time */
  t->share_y[newest] = t->y[newest] / N;
  if (++t->n < N)
    return 0.0;

  for (int i = 0; i < N; i++) {
    mean_x += t->share_x[i];
    mean_y += t->share_y[i];
  }
  for (int i = 0; i < N; i++) {
    covariance += (t->x[i] - mean_x) * (t->y[i] - mean_y);
    variance += (t->x[i] - mean_x) * (t->x[i] - mean_x);
  }
  return variance > 0 ? covariance / variance : 0.0;
}
