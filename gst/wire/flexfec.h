/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * flexfec.h - flexible FEC, its parity packets (RFC 8627)
 *
 * Not FlexFEC-03, the draft that Chrome speaks, which has the protected SSRCs in the
 * payload.  Departs from the RFC: a retransmission (R=1, 4.2.2.3) is refused, and L=D=0,
 * which 6.3.1 lets SDP give a meaning to, is too.
 */
#ifndef RCC_WIRE_FLEXFEC_H
#define RCC_WIRE_FLEXFEC_H

#include "wire/parity.h"

#define RCC_FLEXFEC_SPAN 15             /* of the three masks, for rcc_parity_init() */
#define RCC_FLEXFEC_SPAN_LONG 46
#define RCC_FLEXFEC_SPAN_LONGEST 110
#define RCC_FLEXFEC_HEADER_MAX (16 + 24)        /* bytes before the body, RTP's included */

/* @packet: a whole RTP packet, and @rtp as rcc_rtp_parse() read it: the CSRC list names the
 * streams that are protected. Reads both forms, mask (F=0) and rows or columns (F=1). False when
 * it is of another form, and when the headers or the padding do not fit. False, too, when no
 * stream is named or one of them has no packet in it. */
bool rcc_flexfec_parse (RccBytes packet, const RccRtp *rtp, RccParity *parity);

/* The whole repair packet for @block, in mask form with the shortest mask that does. Returns its
 * size, or 0 when the block is empty or @size is too small. Uses pt, seq, timestamp and ssrc of
 * @rtp, which are the repair stream's own (4.2.1). */
size_t rcc_flexfec_build (uint8_t *out, size_t size, const RccRtp *rtp,
    const RccParityBlock *block);

#endif
