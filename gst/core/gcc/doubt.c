/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/doubt.h"

#include <math.h>

#define SAME 3.0                        /* standard deviations of the capacity */
#define CONFIRMED RCC_SEC               /* longer than a bucket lets more through */

void
rcc_doubt_init (RccDoubt *d, uint32_t most)
{
  *d = (RccDoubt) { .most = most, .beyond_since = RCC_NEVER };
}

void
rcc_doubt_claim (RccDoubt *d, double capacity, double deviation)
{
  d->over = d->crowded ? 0 : capacity;
  d->margin = SAME * deviation;
  d->tried = false;
  d->beyond_since = RCC_NEVER;
}

static void
settle (RccDoubt *d)
{
  d->over = 0;
  d->tried = false;
  d->beyond_since = RCC_NEVER;
}

void
rcc_doubt_over_use (RccDoubt *d, double received)
{
  if (d->over <= 0)
    return;
  d->tried = true;
  if (fabs (received - d->over) > d->margin)
    return;
  d->refuted = RCC_MIN (d->refuted + 1, d->most);
  settle (d);
}

static bool
is_confirmed (RccDoubt *d, double received, RccTime now)
{
  if (received <= d->over + d->margin)
    d->beyond_since = RCC_NEVER;
  else if (d->beyond_since == RCC_NEVER || now < d->beyond_since)
    d->beyond_since = now;
  return d->beyond_since != RCC_NEVER && now >= d->beyond_since + CONFIRMED;
}

void
rcc_doubt_normal (RccDoubt *d, double received, bool queued, RccTime now)
{
  if (d->over <= 0)
    return;
  if (queued) {
    d->beyond_since = RCC_NEVER;
  } else if (d->tried || is_confirmed (d, received, now)) {
    d->refuted = 0;
    settle (d);
  }
}

double
rcc_doubt_believed (const RccDoubt *d, double known, double bps)
{
  return bps <= known || d->crowded ? bps : known + ldexp (bps - known, -(int) d->refuted);
}
