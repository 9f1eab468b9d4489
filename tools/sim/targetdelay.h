/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * targetdelay.h - targets on their way from the controller to the encoder
 */
#ifndef RCC_WORLD_ORDERS_H
#define RCC_WORLD_ORDERS_H

#include "core/rcc.h"

#define RCC_WORLD_ORDERS 64

typedef struct {
  struct {
    uint32_t bps;
    RccTime at;
  } queue[RCC_WORLD_ORDERS];
  unsigned n, first;
  uint32_t bps;                         /* the last that has arrived */
} RccOrders;

void rcc_orders_init (RccOrders *o, uint32_t bps);
/* @bps arrives at @at.  With the line full it takes the place of the newest. */
void rcc_orders_put (RccOrders *o, uint32_t bps, RccTime at);
/* What has arrived by @now. */
uint32_t rcc_orders_due (RccOrders *o, RccTime now);

#endif
