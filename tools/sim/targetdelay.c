/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/targetdelay.h"

void
rcc_target_delay_init (RccTargetDelay *o, uint32_t bps)
{
  *o = (RccTargetDelay) { .bps = bps };
}

void
rcc_target_delay_put (RccTargetDelay *o, uint32_t bps, RccTime at)
{
  unsigned i = (o->first + o->n) % RCC_TARGET_DELAY_MAX;

  if (o->n == RCC_TARGET_DELAY_MAX)
    i = (i + RCC_TARGET_DELAY_MAX - 1) % RCC_TARGET_DELAY_MAX;
  else
    o->n++;
  o->queue[i].bps = bps;
  o->queue[i].at = at;
}

uint32_t
rcc_target_delay_due (RccTargetDelay *o, RccTime now)
{
  while (o->n > 0 && now >= o->queue[o->first].at) {
    o->bps = o->queue[o->first].bps;
    o->first = (o->first + 1) % RCC_TARGET_DELAY_MAX;
    o->n--;
  }
  return o->bps;
}
