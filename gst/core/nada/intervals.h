/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nada/intervals.h - loss_int and loss_exp of RFC 8698 4.2, after RFC 5348 5.4
 *
 * It is told of packets in the order in which they left.  Losses that left within one round
 * trip are one loss event (RFC 5348 5.2).  The first interval is what was sent before the first
 * event: RFC 5348 takes it from TCP's equation, which NADA has not.
 */
#ifndef RCC_NADA_INTERVALS_H
#define RCC_NADA_INTERVALS_H

#include "core/rcc.h"

#define RCC_NADA_INTERVALS 8            /* n, RFC 5348 5.4 */

typedef struct {
  double closed[RCC_NADA_INTERVALS];    /* I_1.. I_n, packets */
  unsigned n;                           /* known; 0: nothing was lost yet */
  uint64_t open;                        /* I_0, from the first packet of the newest event on */
  uint64_t since;                       /* packets after the last one that was lost */
  RccTime event;                        /* when the newest event's first packet left */
} RccNadaIntervals;

void rcc_nada_intervals_packet (RccNadaIntervals *l, bool lost, RccTime sent, RccTime rtt);

/* loss_int, packets; 0 before the first loss. */
double rcc_nada_intervals_mean (const RccNadaIntervals *l);

/* How much of the delay is warped (4.2). It is 1 until loss_exp = @multi_loss * loss_int packets
 * after the last loss. From there it goes in a straight line to 0 within loss_int. */
double rcc_nada_intervals_warped (const RccNadaIntervals *l, double multi_loss);

#endif
