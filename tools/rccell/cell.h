/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cell.h - the downlink of one cell: a queue for each phone, and each ms a share for some
 *
 * The scheduler is proportionally fair: each TTI (1 ms) goes to who could take most of what it
 * got of late, and what that one has no use for to the next.  What has waited for longer than
 * the AQM allows is discarded, unless a part of it is sent.
 */
#ifndef RCC_CELL_CELL_H
#define RCC_CELL_CELL_H

#include "rccell/fifo.h"

#define RCC_CELL_TTI RCC_MSEC

typedef struct {
  RccFifo queue;                        /* ->at: came to the cell */
  double bits;                          /* that a whole TTI would carry to it; 0: none */
  double mean;                          /* bits a TTI, of late */
  double got;                           /* of this TTI; below 0: it has not been served */
} RccPhone;

/* Where datagrams of @phone go: through the air, or nowhere. */
typedef struct {
  void (*sent) (void *user, unsigned phone, const RccCarried *flight);
  void (*discarded) (void *user, unsigned phone, const RccCarried *flight);
  void *user;
} RccCellHooks;

/* Bits of one TTI at a signal to noise ratio of @sinr (no dB). */
double rcc_cell_bits (double sinr);

void rcc_phone_init (RccPhone *phone);
/* What waits too long at @now falls. */
void rcc_phone_discard (RccPhone *phone, unsigned i, RccTime limit, RccTime now,
    const RccCellHooks *hooks);
/* One TTI for those of @phones that @members names. How much of it was used, 0..1. */
double rcc_cell_serve (RccPhone *phones, const unsigned *members, unsigned n,
    const RccCellHooks *hooks);

#endif
