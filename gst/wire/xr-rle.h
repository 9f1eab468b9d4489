/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * xr-rle.h - which packets came, and which of those were discarded. They are the run-length
 * encoded blocks Loss RLE (RFC 3611 4.1) and Discard RLE (RFC 7097).
 */
#ifndef RCC_WIRE_XR_RLE_H
#define RCC_WIRE_XR_RLE_H

#include "wire/xr.h"

typedef struct {
  RccXrRange range;
  bool discard;                         /* a one says discarded; false: a one says received */
  bool early;                           /* E, of discards: for being too early, not too late */
  RccBytes chunks;                      /* parsed; not read when building */
} RccXrRle;

typedef struct {                        /* a walk over the numbers; begin sets it up */
  RccBytes chunks;                      /* those not begun */
  uint32_t left;                        /* numbers of the range that are to come */
  uint16_t seq, step;
  uint16_t chunk;                       /* the one under way ... */
  unsigned chunk_left;                  /* ... and how many numbers it still has */
} RccXrRleWalk;

/* False for other blocks and for a range that rcc_xr_range_parse() refuses. */
bool rcc_xr_rle_parse (const RccXrBlock *block, RccXrRle *rle);

void rcc_xr_rle_begin (RccXrRleWalk *walk, const RccXrRle *rle);
/* Passes over @n numbers, in work by chunks and not by numbers. */
void rcc_xr_rle_skip (RccXrRleWalk *walk, uint32_t n);
/* The next number and what is said of it.  False at the end of the range or of the chunks,
 * whichever comes first: at most RCC_XR_RANGE_MAX times true, whatever runs claim.  A null
 * chunk says nothing, wherever it stands. */
bool rcc_xr_rle_next (RccXrRleWalk *walk, uint16_t *seq, bool *bit);

/* Adds a block to an XR packet, as rcc_xr_add() does, with what @bit says of each number of
 * rle->range. It is asked up to three times of each. The chunks are the fewest there can be.
 * Where room is short, or the range longer than RCC_XR_RANGE_MAX, it speaks of the first part.
 * *@end is where the rest begins, range.end_seq when nothing is left. Returns the new total size,
 * or @used when the range has no number. 0 when there is not room for one chunk pair (*@end is
 * range.begin_seq then). */
size_t rcc_xr_rle_add (uint8_t *out, size_t size, size_t used, const RccXrRle *rle,
    bool (*bit) (void *user, uint16_t seq), void *user, uint16_t *end);

#endif
