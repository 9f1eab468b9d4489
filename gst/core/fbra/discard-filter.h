/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/discard-filter.h - how long a packet was under way, and whether that is too long to be of
 * use
 *
 * The sender's clock is another than ours: the delay is relative to the smallest of late,
 * with the clocks' drift taken out and half the smallest round trip added (skew-owd.h).
 * Nothing that a clock or a path does makes it call everything late: what has been late
 * without exception for RCC_LATENESS_PATIENCE, or is so by more than RCC_LATENESS_ABSURD,
 * is the new normal; and whoever was wrong so is silent for RCC_LATENESS_SILENT, lest a
 * timestamp that does not count in its clock rate costs more than a tenth of the packets.
 */
#ifndef RCC_LATENESS_H
#define RCC_LATENESS_H

#include "core/skew-owd.h"

#define RCC_LATENESS_PATIENCE (2 * RCC_SEC)     /* of the receiver's time */
#define RCC_LATENESS_ABSURD (10 * RCC_SEC)      /* no queue is as long */
#define RCC_LATENESS_SILENT (20 * RCC_SEC)
#define RCC_LATENESS_PAUSE (30 * RCC_SEC)       /* an abs-send-time may have wrapped twice */

typedef struct {
  RccOwdClock clock;
  RccTime offset;                       /* modulo 2^64: puts send times before @arrived */
  bool begun;
  RccTime heard;
  RccTime late_since;                   /* nothing on time since then; RCC_NEVER */
  RccTime silent_until;
  RccTime delay;                        /* of the last packet; RCC_NEVER: none yet */
  uint64_t restarts;
} RccLateness;

void rcc_lateness_init (RccLateness *l);

/* What sends the times is another clock from now on. */
void rcc_lateness_restart (RccLateness *l);

/* The round trip was measured. */
void rcc_lateness_rtt (RccLateness *l, RccTime rtt, RccTime now);
/* The smallest of the last one to two minutes; RCC_NEVER: unknown. */
RccTime rcc_lateness_rtt_min (const RccLateness *l);

/* A packet came: whether it took longer than @max_delay.  @sent: on the sender's clock,
 * RCC_NEVER: unknown, and then it is not late. */
bool rcc_lateness_packet (RccLateness *l, RccTime sent, RccTime arrived, RccTime max_delay);

#endif
