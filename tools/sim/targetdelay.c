/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/targetdelay.h"

void
rcc_orders_init (RccOrders *o, uint32_t bps)
{
  *o = (RccOrders) { .bps = bps };
}

void
rcc_orders_put (RccOrders *o, uint32_t bps, RccTime at)
{
  unsigned i = (o->first + o->n) % RCC_WORLD_ORDERS;

  if (o->n == RCC_WORLD_ORDERS)
    i = (i + RCC_WORLD_ORDERS - 1) % RCC_WORLD_ORDERS;
  else
    o->n++;
  o->queue[i].bps = bps;
  o->queue[i].at = at;
}

uint32_t
rcc_orders_due (RccOrders *o, RccTime now)
{
  while (o->n > 0 && now >= o->queue[o->first].at) {
    o->bps = o->queue[o->first].bps;
    o->first = (o->first + 1) % RCC_WORLD_ORDERS;
    o->n--;
  }
  return o->bps;
}
