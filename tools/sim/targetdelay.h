/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * targetdelay.h - targets on their way from the controller to the encoder
 */
#ifndef RCC_WORLD_TARGET_DELAY_H
#define RCC_WORLD_TARGET_DELAY_H

#include "core/rcc.h"

#define RCC_TARGET_DELAY_MAX 64

typedef struct {
  struct {
    uint32_t bps;
    RccTime at;
  } queue[RCC_TARGET_DELAY_MAX];
  unsigned n, first;
  uint32_t bps;                         /* the last that has arrived */
} RccTargetDelay;

void rcc_target_delay_init (RccTargetDelay *o, uint32_t bps);
/* @bps arrives at @at.  With the line full it takes the place of the newest. */
void rcc_target_delay_put (RccTargetDelay *o, uint32_t bps, RccTime at);
/* What has arrived by @now. */
uint32_t rcc_target_delay_due (RccTargetDelay *o, RccTime now);

#endif
