/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * xr.h - extended reports: the packet and the walk over its blocks (RFC 3611 2, 3)
 *
 * What a block says is its own module's: this one knows types and lengths only.
 */
#ifndef RCC_WIRE_XR_H
#define RCC_WIRE_XR_H

#include "wire/rtcp.h"

enum { RCC_XR_ECN_SUMMARY = 13 };       /* RFC 6679 5.2 */

typedef struct {
  uint32_t ssrc;                        /* who reports */
  RccBytes blocks;
} RccXr;

typedef struct {
  uint8_t type;                         /* BT */
  uint8_t specific;                     /* the byte after it */
  RccBytes body;                        /* after the 4-byte head; empty at length 0 */
} RccXrBlock;

/* False for other types and when there is no SSRC. */
bool rcc_xr_parse (const RccRtcpPacket *packet, RccXr *xr);
/* Takes the next block off the front of @rest (start with xr->blocks), of whatever
 * type.  False at the end (@rest empty) and where a block claims more than is there:
 * then @rest is what was not understood. */
bool rcc_xr_next (RccBytes *rest, RccXrBlock *block);

/* Building: begin, then any number of blocks; what is there is a whole packet at every
 * step.  Each returns the new total size, or 0 when it does not fit (what was there
 * stays valid).  @body.size: a multiple of 4. */
size_t rcc_xr_begin (uint8_t *out, size_t size, uint32_t ssrc);
size_t rcc_xr_add (uint8_t *out, size_t size, size_t used, const RccXrBlock *block);

#endif
