/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/owd.h"

#include <math.h>
#include <string.h>

void
rcc_owd_init (RccOwd *o, RccTime span)
{
  o->span = span;
  o->oldest = o->n = 0;
}

/* How many of the delays are smaller. */
static unsigned
rank (const RccOwd *o, RccTime owd)
{
  unsigned lo = 0, hi = o->n;

  while (lo < hi) {
    const unsigned middle = (lo + hi) / 2;

    if (o->ring[o->order[middle]].owd < owd)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

static void
drop_oldest (RccOwd *o)
{
  unsigned at = rank (o, o->ring[o->oldest].owd);

  while (o->order[at] != o->oldest)     /* others are as large */
    at++;
  memmove (&o->order[at], &o->order[at + 1], (o->n - at - 1) * sizeof o->order[0]);
  o->oldest = (o->oldest + 1) % RCC_OWD_SAMPLES;
  o->n--;
}

void
rcc_owd_expire (RccOwd *o, RccTime now)
{
  while (o->n > 0 && now > o->ring[o->oldest].at && now - o->ring[o->oldest].at > o->span)
    drop_oldest (o);
}

void
rcc_owd_add (RccOwd *o, RccTime owd, RccTime now)
{
  unsigned newest, at;

  rcc_owd_expire (o, now);
  if (o->n == RCC_OWD_SAMPLES)
    drop_oldest (o);
  newest = (o->oldest + o->n) % RCC_OWD_SAMPLES;
  o->ring[newest].at = now;
  o->ring[newest].owd = owd;
  at = rank (o, owd);
  memmove (&o->order[at + 1], &o->order[at], (o->n - at) * sizeof o->order[0]);
  o->order[at] = (uint16_t) newest;
  o->n++;
}

RccTime
rcc_owd_percentile (const RccOwd *o, double fraction)
{
  double nearest;

  if (o->n == 0)
    return RCC_NEVER;
  /* 0.8 * 5 must be the fourth of five, whatever 0.8 is in binary */
  nearest = ceil (fraction * o->n - 1e-9);
  return o->ring[o->order[(unsigned) RCC_CLAMP (nearest, 1.0, (double) o->n) - 1]].owd;
}

double
rcc_owd_correlation (RccTime owd, RccTime reference, RccTime floor)
{
  if (owd == RCC_NEVER || reference == RCC_NEVER)
    return 1.0;
  /* a microsecond keeps a path without delay from dividing by nothing */
  return ((double) owd + (double) floor + RCC_USEC)
      / ((double) reference + (double) floor + RCC_USEC);
}
