/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * draft-ietf-rmcat-gcc-02 5.4.  Departs from it, as libwebrtc does:
 *  - the timer starts at half the first send delta, and over-use takes two groups at least;
 *  - the threshold adapts after it was compared with, at the arrival of the packet that ended
 *    the group, by 100 ms at most.
 */
#include "core/gcc/overuse.h"

#include <math.h>

#define THRESHOLD_START 12.5
#define THRESHOLD_MIN 6.0
#define THRESHOLD_MAX 600.0
#define OUTLIER 15.0                    /* ms above the threshold: not adapted to */
#define STEP_MAX 100.0                  /* ms */

void
rcc_overuse_init (RccOveruse *o, const RccOveruseConfig *config)
{
  *o = (RccOveruse) {
    .config = *config,
    .threshold = config->threshold > 0 ? config->threshold : THRESHOLD_START,
    .updated = RCC_NEVER, .over_for = RCC_NEVER,
  };
}

static void
adapt (RccOveruse *o, double trend, RccTime now)
{
  const double off = fabs (trend) - o->threshold;
  const double k = off < 0 ? o->config.k_down : o->config.k_up;
  double dt;

  dt = now > o->updated ? (double) (now - o->updated) * 1e-6 : 0.0;
  o->updated = now;
  if (off > OUTLIER)
    return;
  o->threshold += RCC_MIN (dt, STEP_MAX) * k * off;
  o->threshold = RCC_CLAMP (o->threshold, THRESHOLD_MIN, THRESHOLD_MAX);
}

static bool
lasted (RccOveruse *o, double trend, int64_t d_send)
{
  const RccTime step = d_send > 0 ? (RccTime) d_send : 0;

  o->over_for = o->over_for == RCC_NEVER ? step / 2 : o->over_for + step;
  o->over_count++;
  if (o->over_for <= o->config.overuse_time || o->over_count < 2
      || trend < o->previous)
    return false;
  o->over_for = 0;
  o->over_count = 0;
  return true;
}

RccUsage
rcc_overuse_update (RccOveruse *o, double trend, int64_t d_send, RccTime now)
{
  if (trend > o->threshold) {
    if (lasted (o, trend, d_send)) {
      o->usage = RCC_USAGE_OVER;
      o->overuses++;
    }
  } else {
    o->over_for = RCC_NEVER;
    o->over_count = 0;
    o->usage = trend < -o->threshold ? RCC_USAGE_UNDER : RCC_USAGE_NORMAL;
  }
  o->previous = trend;
  adapt (o, trend, now);
  return o->usage;
}
