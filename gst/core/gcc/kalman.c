/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * draft-ietf-rmcat-gcc-02 5.3 (scalar) and libwebrtc's over-use estimator (two
 * states).  The outlier filter of 5.3 stands around the update of the noise variance
 * alone: the state takes the whole residual, as it does in libwebrtc.  Departs from the
 * draft: that filter is on both sides (the draft's is on the positive one), f_max is of 60
 * groups, and the variance starts at 50 ms^2, so that the first outliers do not set the
 * filter's gain.
 */
#include "core/gcc/kalman.h"

#include <math.h>

#define STATE_NOISE 1e-3                /* q, ms^2 a group */
#define CHI 0.01                        /* draft: between 0.001 and 0.1 */
#define VAR_START 50.0
#define VAR_FLOOR 1.0
#define CLIP 3.0                        /* standard deviations */

#define SLOPE_START (8.0 / 512.0)
#define SLOPE_NOISE 1e-13
#define OFFSET_NOISE 1e-3
#define OFFSET_BOOST 10.0               /* when state and detector disagree */

static RccTime
shortest (RccTime *intervals, size_t size, unsigned n, int64_t d_send)
{
  RccTime min = RCC_NEVER;

  intervals[n % size] = d_send > 0 ? (RccTime) d_send : RCC_NEVER;
  for (size_t i = 0; i < RCC_MIN (size, n + 1); i++)
    min = RCC_MIN (min, intervals[i]);
  return min == RCC_NEVER ? 33 * RCC_MSEC : min;
}

/* The forgetting factor of the noise estimate is chi for 30 groups a second. */
static double
forget (double chi, RccTime interval)
{
  return pow (1.0 - chi, 30.0 * (double) interval / (double) RCC_SEC);
}

void
rcc_kalman_init (RccKalman *k)
{
  *k = (RccKalman) { .e = 0.1, .var = VAR_START, .clip = CLIP };
}

double
rcc_kalman_update (RccKalman *k, const RccGroupDelta *d)
{
  const RccTime interval = shortest (k->intervals, 60, k->n++, d->d_send);
  const double alpha = forget (CHI, interval);
  const double z = rcc_group_variation_ms (d) - k->m;
  const double limit = k->clip > 0 ? k->clip * sqrt (k->var) : HUGE_VAL;
  const double clipped = RCC_CLAMP (z, -limit, limit);
  double gain;

  k->var = RCC_MAX (alpha * k->var + (1.0 - alpha) * clipped * clipped, VAR_FLOOR);
  gain = (k->e + STATE_NOISE) / (k->var + k->e + STATE_NOISE);
  k->m += gain * (k->clip_state ? clipped : z);
  k->e = (1.0 - gain) * (k->e + STATE_NOISE);
  return k->m;
}

void
rcc_kalman2_init (RccKalman2 *k)
{
  *k = (RccKalman2) {
    .slope = SLOPE_START, .slope_noise = SLOPE_NOISE, .offset_noise = OFFSET_NOISE,
    .var = VAR_START,
    .e = { { 100.0, 0.0 }, { 0.0, 0.1 } },
  };
}

static void
update_noise (RccKalman2 *k, double residual, RccTime interval)
{
  const double beta = forget (k->n > 300 ? 0.002 : 0.01, interval);
  const double off = residual - k->noise_mean;

  k->noise_mean = beta * k->noise_mean + (1.0 - beta) * residual;
  k->var = RCC_MAX (beta * k->var + (1.0 - beta) * off * off, VAR_FLOOR);
}

double
rcc_kalman2_update (RccKalman2 *k, const RccGroupDelta *d, int drift)
{
  const RccTime interval = shortest (k->intervals, 60, k->n++, d->d_send);
  const double size = (double) d->d_size;
  const double limit = 3.0 * sqrt (k->var);
  double residual, denominator, gain[2], eh[2];

  k->e[0][0] += k->slope_noise;
  k->e[1][1] += k->offset_noise;
  if ((drift > 0 && k->m < k->previous_m) || (drift < 0 && k->m > k->previous_m))
    k->e[1][1] += OFFSET_BOOST * k->offset_noise;

  residual = rcc_group_variation_ms (d) - k->slope * size - k->m;
  if (drift == 0)
    update_noise (k, RCC_CLAMP (residual, -limit, limit), interval);

  eh[0] = k->e[0][0] * size + k->e[0][1];
  eh[1] = k->e[1][0] * size + k->e[1][1];
  denominator = k->var + size * eh[0] + eh[1];
  gain[0] = eh[0] / denominator;
  gain[1] = eh[1] / denominator;

  /* E = (I - K h) E; E is symmetric, so h E is E h' */
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      k->e[i][j] -= gain[i] * eh[j];
  k->e[0][1] = k->e[1][0] = 0.5 * (k->e[0][1] + k->e[1][0]);

  k->previous_m = k->m;
  k->slope += gain[0] * residual;
  k->m += gain[1] * residual;
  return k->m;
}
