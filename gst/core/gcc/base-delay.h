/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/base-delay.h - the delay of a path without a queue: the shortest of the last 10 to 20 s
 *
 * After a change of route to a longer one the shortest is wrong for that time: a queue seems to
 * stand. Here the longer one is known after @rise, if the delay stood still since, while the rate
 * varied and nothing was lost. Behind a queue of our own the rate is what the path takes, and does
 * not vary. A queue of others does not stand still, unless they are many times faster: then it is
 * none that we could shorten.
 */
#ifndef RCC_GCC_BASE_DELAY_H
#define RCC_GCC_BASE_DELAY_H

#include "core/rcc.h"

#define RCC_BASE_PARTS 8

typedef struct {
  int64_t owd;                          /* the shortest, between two clocks */
  uint32_t size;                        /* bytes of the packet that it is of */
  uint64_t bytes;                       /* received */
} RccBasePart;

typedef struct {
  RccTime rise;                         /* ns; 0: a longer path is known after 10 to 20 s */
  RccBasePart now, before;              /* this and the previous 10 s */
  RccTime since;                        /* of `now'; RCC_NEVER: no packet has come */
  RccBasePart parts[RCC_BASE_PARTS];    /* of rise, the newest is parts[n - 1] */
  unsigned n;
  RccTime part_since;
} RccBaseDelay;

void rcc_base_delay_init (RccBaseDelay *b, RccTime rise);

/* A packet of @size bytes arrived at @arrival after @owd, between two clocks. Returns by how much
 * the base has risen with it, ns. */
RccTime rcc_base_delay_packet (RccBaseDelay *b, int64_t owd, RccTime arrival, uint32_t size);

/* Packets were lost: what a queue that overflows does. */
void rcc_base_delay_lost (RccBaseDelay *b);
/* A clock was set anew. */
void rcc_base_delay_forget (RccBaseDelay *b);

/* INT64_MAX before the first packet. */
int64_t rcc_base_delay_ns (const RccBaseDelay *b);
/* Bytes of the packet that it is of. */
uint32_t rcc_base_delay_size (const RccBaseDelay *b);

#endif
