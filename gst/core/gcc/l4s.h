/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/l4s.h - the answer to the share of packets marked CE on a path of L4S (RFC 9331 4.3)
 *
 * As TCP Prague has it (draft-briscoe-iccrg-prague-congestion-control), with a rate in place
 * of a window: alpha is the mean share of marks.  A round trip with a mark takes alpha / 2 of the
 * rate.  Each round trip adds a little: the marks, not a queue, say when to stop.  Departs from it:
 *  - what is added is a share of the rate per second, not a packet per round trip.  A frame is no
 *    greedy source, and the encoder follows late (measured: 20 and 40 % a second bring no rate,
 *    but up to 28 ms more in frames);
 *  - alpha starts from the first round's share.  Prague's 1 halves a rate that probes have shown;
 *  - the pacer has head room above the target (SCReAM v2 has it, too): a source of frames fills the
 *    rate for part of the time only, and what its pacer sends faster than the path is marked.
 */
#ifndef RCC_GCC_L4S_H
#define RCC_GCC_L4S_H

#include "core/rcc.h"

#define RCC_L4S_BURST 0                 /* of the pacer: two packets at once are a queue */

typedef struct {
  double bps;                           /* +inf: no mark yet, or not of late */
  double alpha;                         /* 0..1; < 0: not known yet */
  RccTime round;                        /* the current one began; RCC_NEVER: none */
  RccTime marked;                       /* a mark was last told of; RCC_NEVER: never */
  uint64_t packets, marks;              /* of the round */
  uint64_t decreases;
} RccL4s;

void rcc_l4s_init (RccL4s *l);
/* Feedback at @now: of @packets that came @marks bore CE.  @target: bit/s, what all limits
 * together allow.  @rtt: RCC_NEVER or 0 where it is not known. */
void rcc_l4s_packets (RccL4s *l, uint32_t packets, uint32_t marks, double target, RccTime rtt,
    RccTime now);
/* A probe came through at @bps without marks of late. */
void rcc_l4s_shown (RccL4s *l, double bps, RccTime now);
/* Marks of late: no probe now, what it says is a queue. */
bool rcc_l4s_active (const RccL4s *l, RccTime now);

#endif
