/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/l4s.h - the answer to the share of packets marked CE on a path of L4S (RFC 9331 4.3)
 *
 * As TCP Prague has it (draft-briscoe-iccrg-prague-congestion-control), with a rate in place
 * of a window: alpha is the mean share of marks.  A round with a mark takes alpha / 2 of the
 * rate.  A round ends with the report of a packet that was sent after it began, so no decrease
 * is made twice for the same packets.  A queue that stands makes round trips long.  Then each
 * report ends a round.  Each round adds a little: the marks, not a queue, say when to stop.
 * Departs from it:
 *  - a packet is added per 100 ms, which reports and an encoder need to follow, and not more than
 *    half of the rate in a second.  Marked packets add nothing (SCReAM v2 4.2.2.2);
 *  - near the rate at which marks began, both steps are smaller (scl_t of SCReAM v2 4.2.2.1): an
 *    encoder answers a change of a tenth with a large frame, and that is marked again.  A queue
 *    that stands takes the whole of alpha / 2;
 *  - alpha starts from the first round's share.  Prague's 1 halves a rate that probes have shown;
 *  - the pacer has head room above the target (SCReAM v2 has it, too): a source of frames fills the
 *    rate for part of the time only, and what its pacer sends faster than the path is marked.  So
 *    what a probe has shown holds for the pacer.
 */
#ifndef RCC_GCC_L4S_H
#define RCC_GCC_L4S_H

#include "core/rcc.h"

#define RCC_L4S_BURST 0                 /* of the pacer: two packets at once are a queue */

typedef struct {
  double bps;                           /* +inf: no mark yet, or not of late */
  double alpha;                         /* 0..1; < 0: not known yet */
  double inflection;                    /* bit/s at which marks last began; 0: they never did */
  bool calm;                            /* no mark in the last round */
  RccTime round;                        /* the current one began; RCC_NEVER: none */
  RccTime marked;                       /* a mark was last told of; RCC_NEVER: never */
  uint64_t packets, marks;              /* of the round */
  uint64_t decreases;
} RccL4s;

typedef struct {                        /* what one feedback says */
  uint32_t packets, marks;              /* that came; of them with CE */
  RccTime sent;                         /* the latest of them */
  RccTime queue;                        /* on the way, above the base delay */
} RccL4sReport;

void rcc_l4s_init (RccL4s *l);
/* @target: bit/s, what all limits together allow. */
void rcc_l4s_report (RccL4s *l, const RccL4sReport *report, double target, RccTime now);
/* A probe has shown room for a target of @bps. */
void rcc_l4s_shown (RccL4s *l, double bps, RccTime now);
/* Marks of late: no probe now, what it says is a queue. */
bool rcc_l4s_active (const RccL4s *l, RccTime now);

#endif
