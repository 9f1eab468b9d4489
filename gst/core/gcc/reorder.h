/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/reorder.h - a short buffer that gives packets back in the order in which they left
 *
 * A path that reorders by some milliseconds delivers a train of packets in another order.  What
 * judges the train waits as long for what is late.  What is later than that comes out as it came.
 * Where nothing was late for ten seconds nothing waits.
 */
#ifndef RCC_GCC_REORDER_H
#define RCC_GCC_REORDER_H

#include "core/rcc.h"

#define RCC_REORDER_PACKETS 64          /* 20 ms of 30 Mbit/s; with more it waits less */

typedef struct {
  RccTime send, arrival;
  uint32_t size;
} RccReorderPacket;

typedef struct {
  RccTime span;                         /* a packet waits so long ... */
  RccTime until;                        /* ... if it came before this */
  RccTime newest;                       /* of those that left */
  uint32_t head, n;
  RccReorderPacket packets[RCC_REORDER_PACKETS];        /* a ring, in order of departure */
} RccReorder;

/* How far a time lies back. */
static inline RccTime
rcc_reorder_back (RccTime before, RccTime now)
{
  return before > now ? before - now : 0;
}

void rcc_reorder_init (RccReorder *r, RccTime span);

/* Whether a packet goes by at once, as all do where nothing is late; else it has to be added. */
static inline bool
rcc_reorder_passes (RccReorder *r, RccTime send, RccTime arrival)
{
  if (r->n > 0 || send < r->newest || arrival < r->until)
    return false;
  r->newest = send;
  return true;
}

/* Packets come in order of arrival.  After each one take what has waited. */
void rcc_reorder_add (RccReorder *r, RccTime send, RccTime arrival, uint32_t size);
bool rcc_reorder_take (RccReorder *r, RccTime now, RccReorderPacket *packet);

/* Whether one of @packets that left after the first of them, by up to @span, came before it.  Then
 * how late the first one is says nothing of a queue.  They are in order of departure. */
bool rcc_reorder_overtaken (const RccPacket *packets, size_t n, RccTime span);

/* What is missing by feedback may only be late.  Where packets came after all in the last ten
 * seconds, one that left up to @span before the last one told of is lost only if the next feedback
 * does not tell of it.  Elsewhere nothing waits. */
typedef struct {                        /* all 0: nothing is missing */
  size_t pending;
  RccTime until;                        /* something came after all, ten seconds before */
} RccReorderLosses;

/* Feedback of @n packets at @now, of which @lost are missing: corrects both. */
void rcc_reorder_settle (RccReorderLosses *l, const RccPacket *packets, size_t *n, RccTime span,
    size_t *lost, RccTime now);

#endif
