/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * interleave.h - which packets a parity packet covers: every D-th of a run
 *
 * D blocks are begun at a time and packets join them in turn. When each has N they are due, one
 * behind the other. So of any D packets in a row, parity or not, no two are one block's. RFC
 * 5109's mask, and RFC 8627's, say so as they say anything else: who repairs has nothing to know
 * of it. With D = 1 a block is N packets in a row.
 *
 * Add a packet, then write down all that is due before the next one.
 */
#ifndef RCC_WIRE_INTERLEAVE_H
#define RCC_WIRE_INTERLEAVE_H

#include "wire/parity.h"

#define RCC_INTERLEAVE_DEPTH 16         /* the largest D */

typedef struct {
  unsigned n;                           /* packets to a block; 0: nothing joins */
  unsigned span;                        /* as for rcc_parity_init() */
  unsigned depth;                       /* D */
  unsigned wanted;                      /* D once nothing is begun */
  unsigned turn;                        /* the block that the next packet joins */
  bool ending;                          /* what is begun is due as it is */
  RccParityBlock *blocks;
  unsigned room;                        /* for them: the largest D so far */
  RccResize resize;
} RccInterleave;

/* The largest number of blocks up to @depth of which each has @n packets within @span
 * numbers; no less than 1. */
unsigned rcc_interleave_fit (unsigned depth, unsigned n, unsigned span);

/* Nothing begun, n 0 and D 1. */
void rcc_interleave_init (RccInterleave *x, unsigned span, RccResize resize);
/* Gives its memory back. */
void rcc_interleave_clear (RccInterleave *x);
/* @n packets to a block from now on, also to what is begun; 0: none, what is begun is
 * dropped.  @depth, which is what _fit() makes of it, holds when what is begun is due, which
 * after the next packet it is. */
void rcc_interleave_set (RccInterleave *x, unsigned n, unsigned depth);
/* Drops what is begun. */
void rcc_interleave_drop (RccInterleave *x);
/* How many blocks are begun. */
unsigned rcc_interleave_begun (const RccInterleave *x);

/* As rcc_parity_add_parts() to the block whose turn it is. False: it does not join. A number that
 * has jumped does once all that is begun has been ended and written down. */
bool rcc_interleave_add (RccInterleave *x, const RccRtp *rtp, const RccBytes *parts,
    unsigned n);
/* What is begun is due as it is. */
void rcc_interleave_end (RccInterleave *x);
/* The next block to write down, which _written() then empties; NULL: none is due. */
RccParityBlock *rcc_interleave_due (RccInterleave *x);
void rcc_interleave_written (RccInterleave *x, RccParityBlock *block);

/* Moves what is begun in @other to the blocks of @x, where it fits below the masks: fewer
 * parity packets for all.  What does not fit stays. */
void rcc_interleave_merge (RccInterleave *x, RccInterleave *other);

#endif
