/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/utilization.h"

#define MEMORY (2.0 * RCC_SEC)          /* ten of the VBV that rtpbitrateadapter sets */
#define ENOUGH RCC_SEC                  /* the first key frame is large */
#define MISSING 1.5                     /* intervals: some were left out */
#define LAG (0.5 * RCC_SEC)             /* an encoder with a VBV of 200 ms behind a climb */
#define AIM 0.95                        /* the rest is for pictures that come out larger */
#define INTERVAL_GAIN (1.0 / 16)

void
rcc_utilization_init (RccUtilization *u, double most)
{
  *u = (RccUtilization) { .most = RCC_MAX (most, 1.0), .before = RCC_NEVER };
}

/* False: some were left out, or the rate of pictures has just changed. */
static bool
is_next (RccUtilization *u, double interval)
{
  const double most = 2.0 * u->interval;

  if (u->interval <= 0) {
    u->interval = interval;
    return true;
  }
  u->interval += ((interval < most ? interval : most) - u->interval) * INTERVAL_GAIN;
  return interval < MISSING * u->interval;
}

void
rcc_utilization_picture (RccUtilization *u, uint32_t bytes, uint32_t bps, RccTime time)
{
  const RccTime before = u->before;
  double interval, keep;

  if (time == RCC_NEVER)
    return;
  u->before = time;
  if (before == RCC_NEVER || time <= before || bps == 0)
    return;
  interval = (double) (time - before);
  if (!is_next (u, interval))
    return;
  if (bps < u->lagging || u->lagging <= 0)
    u->lagging = bps;
  else
    u->lagging += (bps - u->lagging) * RCC_MIN (interval / LAG, 1.0);
  keep = RCC_MAX (1.0 - interval / MEMORY, 0.0);
  u->made = keep * u->made + 8.0 * bytes;
  u->set = keep * u->set + u->lagging * interval * 1e-9;
  u->covered = RCC_MIN (u->covered + (time - before), ENOUGH);
}

double
rcc_utilization_share (const RccUtilization *u)
{
  return u->covered < ENOUGH || u->set <= 0 ? 0.0 : u->made / u->set;
}

double
rcc_utilization_correction (const RccUtilization *u)
{
  const double share = rcc_utilization_share (u);
  double wanted;

  if (share <= 0 || share >= AIM)
    return 1.0;
  wanted = AIM / share;
  return wanted <= u->most ? wanted : RCC_MAX (2.0 * u->most - wanted, 1.0);
}
