/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/trendline.h"

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
  double sums[8] = { 0 }, sum_x, covariance, variance;

  if (t->first_arrival == RCC_NEVER)
    t->first_arrival = d->arrival;
  t->accumulated += rcc_group_variation_ms (d);
  t->smoothed = SMOOTHING * t->smoothed + (1.0 - SMOOTHING) * t->accumulated;
  t->x[newest] = (double) (int64_t) (d->arrival - t->first_arrival) * 1e-6;
  t->y[newest] = t->smoothed;
  if (++t->n < N)
    return 0.0;

  /* Sums relative to the newest point keep the numbers small, however long the call;
   * two chains of additions, for one would wait for itself. */
  for (int i = 0; i < N; i += 2) {
    const double x0 = t->x[i] - t->x[newest], y0 = t->y[i] - t->y[newest];
    const double x1 = t->x[i + 1] - t->x[newest], y1 = t->y[i + 1] - t->y[newest];

    sums[0] += x0, sums[1] += y0, sums[2] += x0 * x0, sums[3] += x0 * y0;
    sums[4] += x1, sums[5] += y1, sums[6] += x1 * x1, sums[7] += x1 * y1;
  }
  sum_x = sums[0] + sums[4];
  variance = sums[2] + sums[6] - sum_x * sum_x / N;
  covariance = sums[3] + sums[7] - sum_x * (sums[1] + sums[5]) / N;
  return variance > 0 ? covariance / variance : 0.0;
}
