/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/discard-filter.h - how long a packet was under way, and whether that is too long to be of
 * use
 *
 * The sender's clock is another than ours. So the delay is relative to the smallest recent one.
 * The clocks' drift is taken out, and half the smallest round trip is added (skew-owd.h). Nothing
 * that a clock or a path does makes it call everything late. What has been late without exception
 * for RCC_DISCARD_FILTER_RESET, or is so by more than RCC_DISCARD_FILTER_DELAY_MAX, is the new
 * normal. A filter that was wrong so is silent for RCC_DISCARD_FILTER_DISABLED. Else a timestamp
 * that does not count in its clock rate would cost more than a tenth of the packets.
 */
#ifndef RCC_DISCARD_FILTER_H
#define RCC_DISCARD_FILTER_H

#include "core/skew-owd.h"

#define RCC_DISCARD_FILTER_RESET (2 * RCC_SEC)  /* of the receiver's time */
#define RCC_DISCARD_FILTER_DELAY_MAX (10 * RCC_SEC) /* no queue is as long */
#define RCC_DISCARD_FILTER_DISABLED (20 * RCC_SEC)
#define RCC_DISCARD_FILTER_PAUSE (30 * RCC_SEC) /* an abs-send-time may have wrapped twice */

typedef struct {
  RccSkewOwd clock;
  RccTime offset;                       /* modulo 2^64: puts send times before @arrived */
  bool begun;
  RccTime heard;
  RccTime late_since;                   /* nothing on time since then; RCC_NEVER */
  RccTime silent_until;
  RccTime delay;                        /* of the last packet; RCC_NEVER: none yet */
  uint64_t restarts;
} RccDiscardFilter;

void rcc_discard_filter_init (RccDiscardFilter *f);

/* What sends the times is another clock from now on. */
void rcc_discard_filter_restart (RccDiscardFilter *f);

/* The round trip was measured. */
void rcc_discard_filter_rtt (RccDiscardFilter *f, RccTime rtt, RccTime now);
/* The smallest of the last one to two minutes; RCC_NEVER: unknown. */
RccTime rcc_discard_filter_rtt_min (const RccDiscardFilter *f);

/* A packet came: whether it took longer than @max_delay.  @sent: on the sender's clock,
 * RCC_NEVER: unknown, and then it is not late. */
bool rcc_discard_filter_packet (RccDiscardFilter *f, RccTime sent, RccTime arrived,
    RccTime max_delay);

#endif
