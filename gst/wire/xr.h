/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * xr.h - extended reports: the packet and the walk over its blocks (RFC 3611 2, 3)
 *
 * What a block says is its own module's. This one knows types and lengths, and the range of
 * numbers that the blocks about single packets begin with.
 */
#ifndef RCC_WIRE_XR_H
#define RCC_WIRE_XR_H

#include "wire/rtcp.h"

enum {
  RCC_XR_LOSS_RLE = 1, RCC_XR_RECEIPT_TIMES = 3, RCC_XR_RRTR = 4, RCC_XR_DLRR = 5,
  RCC_XR_ECN_SUMMARY = 13,              /* RFC 6679 5.2 */
  RCC_XR_DISCARD_RLE = 25,              /* RFC 7097 3 */
};

#define RCC_XR_RANGE_MAX 65533          /* "65,534 or greater" MUST NOT be reported upon */
#define RCC_XR_RANGE_SIZE 8             /* at the front of a body */

typedef struct {
  uint32_t ssrc;                        /* who reports */
  RccBytes blocks;
} RccXr;

typedef struct {
  uint8_t type;                         /* BT */
  uint8_t specific;                     /* the byte after it */
  RccBytes body;                        /* after the 4-byte head; empty at length 0 */
} RccXrBlock;

/* What the RLE and receipt times blocks speak of (RFC 3611 4.1). Of the numbers from begin_seq to
 * before end_seq, modulo 2^16, those are the multiples of 2^thinning. */
typedef struct {
  uint32_t ssrc;                        /* whose packets */
  uint16_t begin_seq, end_seq;          /* equal: none */
  uint8_t thinning;                     /* T, 0..15 */
} RccXrRange;

/* False for other types and when there is no SSRC. */
bool rcc_xr_parse (const RccRtcpPacket *packet, RccXr *xr);
/* Takes the next block off the front of @rest (start with xr->blocks), of whatever
 * type.  False at the end (@rest empty) and where a block claims more than is there:
 * then @rest is what was not understood. */
bool rcc_xr_next (RccBytes *rest, RccXrBlock *block);

/* The range that stands at the front of @block, whatever its type; false when it is cut
 * short or longer than RCC_XR_RANGE_MAX. */
bool rcc_xr_range_parse (const RccXrBlock *block, RccXrRange *range);
/* How many numbers it speaks of, and the first of them (untouched when there is none);
 * they are 2^thinning apart. */
uint32_t rcc_xr_range_count (const RccXrRange *range, uint16_t *first);

/* Building: begin, then any number of blocks; what is there is a whole packet at every
 * step.  Each returns the new total size, or 0 when it does not fit (what was there
 * stays valid).  @body.size: a multiple of 4. */
size_t rcc_xr_begin (uint8_t *out, size_t size, uint32_t ssrc);
size_t rcc_xr_add (uint8_t *out, size_t size, size_t used, const RccXrBlock *block);
/* For the builders of this folder, which write a body at @out + @used + 4 themselves. How large
 * it may get (a multiple of 4); and then its head, which returns the new total size. */
size_t rcc_xr_room (size_t size, size_t used);
size_t rcc_xr_close (uint8_t *out, size_t used, uint8_t type, uint8_t specific, size_t body);
/* The range at the front of such a body, as rcc_xr_range_parse() reads it. */
void rcc_xr_put_range (uint8_t *body, const RccXrRange *range);

#endif
