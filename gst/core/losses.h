/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * losses.h - what becomes of media packets, in the three words that all of our tools use
 *
 *   unsent     of the media packets that came to the sender's own send path, the share that it
 *              dropped before departure.  That is its scheduler, its pacer, its circuit
 *              breaker.  To the receiver they never were.
 *   lost       the share of the media packets that left the sender which did not arrive: what
 *              the link, or the network, lost.
 *   late       the share of the media packets that left the sender which arrived after their
 *              playout deadline, where the tool has one.  They are not lost.
 *
 * Media are the packets that carry what an encoder made, each once.  Padding, parity and
 * retransmissions are none.  In human words: lost on the link, dropped before sending, too late.
 *
 * A packet that still waits has come and is neither unsent nor has it left. One that is on its
 * way has left and is neither lost nor late. Whoever counts says what it does with those.
 */
#ifndef RCC_LOSSES_H
#define RCC_LOSSES_H

#include "core/rcc.h"

typedef struct {                        /* packets of media; zeroed: none */
  uint64_t offered, unsent;             /* to the send path; of those */
  uint64_t left, lost, late;            /* the sender; of those */
  bool deadline;                        /* some have one; else late says nothing */
} RccLosses;

/* 0..1; of nothing 0. */
double rcc_losses_unsent (const RccLosses *l);
double rcc_losses_lost (const RccLosses *l);
/* The same; NAN: there is no deadline. */
double rcc_losses_late (const RccLosses *l);
void rcc_losses_add (RccLosses *sum, const RccLosses *part);

/* @mean, a share, follows what became of @expected packets more: a mean of the last @packets or so.
 * @lost of them are missing; less than 0: some of those before have come. */
double rcc_losses_mean (double mean, double lost, double expected, double packets);

#endif
