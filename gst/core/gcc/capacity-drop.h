/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/capacity-drop.h - a path that has become much slower, found within a few packets
 *
 * The trendline takes 300 to 400 ms for a path that falls to a fifth. A queue of that length has
 * overflowed by then. Here it is over-use at once where packets in a row wait longer and longer,
 * by @growth in all, and come out at half the rate at which they were sent, and at half the target,
 * or less.
 *
 * A path that stands still for a moment is one long step, and no row. Probes, and what a late clock
 * sends at once, make a row of any path: they come out at the target, or faster.
 */
#ifndef RCC_GCC_CAPACITY_DROP_H
#define RCC_GCC_CAPACITY_DROP_H

#include "core/rcc.h"

typedef struct {
  RccTime growth;                       /* ns; 0: off */
  bool begun;
  RccTime sent, arrived;                /* the packet before the row */
  RccTime last;                         /* the row: how much longer its newest waited */
  RccTime widest;                       /* step from one packet to the next */
  uint64_t bytes;
  unsigned packets;
} RccCapacityDrop;

void rcc_capacity_drop_init (RccCapacityDrop *c, RccTime growth);

/* A packet of @size bytes, in order of arrival; @arrival may step back. @target: what is to be
 * sent, bit/s. Returns what comes out of the path, in bit/s, once that has dropped; else 0. */
double rcc_capacity_drop_packet (RccCapacityDrop *c, RccTime send, RccTime arrival, uint32_t size,
    double target);

#endif
