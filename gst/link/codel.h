/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * codel.h - Controlled Delay, the verdict on one packet (RFC 8289 section 5)
 *
 * The queue's owner asks about each packet as it takes it from the queue. On DROP it throws the
 * packet away and asks about the next one, at the same time.
 *
 * Departs from RFC 8289: nothing but that the loop lives in the caller.  Marking
 * is RFC 8289's "drop or mark": one mark ends the loop, since the packet leaves.
 */
#ifndef RCC_LINK_CODEL_H
#define RCC_LINK_CODEL_H

#include "core/rcc.h"

#define RCC_CODEL_TARGET   (5 * RCC_MSEC)       /* RFC 8289 section 4.4 */
#define RCC_CODEL_INTERVAL (100 * RCC_MSEC)     /* RFC 8289 section 4.3 */
#define RCC_CODEL_MTU      1500                 /* never empties the last packet */

typedef enum { RCC_CODEL_PASS, RCC_CODEL_DROP, RCC_CODEL_MARK } RccCodelVerdict;

typedef struct {                        /* zero is the initial state */
  RccTime first_above;                  /* 0: below target */
  RccTime drop_next;
  uint32_t count, last_count;           /* drops in this and the last episode */
  bool dropping;
  bool dropped;                         /* a drop whose successor was not seen yet */
} RccCodel;

/* @sojourn: how long the packet was queued; @backlog: bytes behind it;
 * @can_mark: it is ECN-capable and marking is on. */
RccCodelVerdict rcc_codel_dequeue (RccCodel *c, RccTime sojourn,
    uint64_t backlog, bool can_mark, RccTime now);

#endif
