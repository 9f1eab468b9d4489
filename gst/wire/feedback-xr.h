/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * feedback-xr.h - what extended reports say of our packets
 *
 * Loss RLE, Discard RLE and Packet Receipt Times of one compound are read as one.  RRTR asks
 * for an answer.  A packet came if a block says that it was received or discarded, or when.
 * It is lost if all blocks that name it say that it was not received.  It is told with
 *  - arrived: where its receipt time and its stream's clock rate are known;
 *  - RCC_PACKET_RECEIVED: where they are not;
 *  - RCC_PACKET_LATE: as well, where Discard RLE has it as late.
 */
#ifndef RCC_WIRE_FEEDBACK_XR_H
#define RCC_WIRE_FEEDBACK_XR_H

#include "wire/feedback-parser.h"

/* All XR packets of @compound, which rcc_reports_open() has let in. */
void rcc_feedback_xr (RccFeedbackParser *e, RccBytes compound);

/* An XR packet to append to @compound, which goes out at @now. It has the DLRR (RFC 3611 4.5)
 * that is owed for each RRTR since the last one. 0 when none is owed, @size is short of 12 and 12
 * for each, or @compound begins with no SSRC. */
size_t rcc_feedback_dlrr (RccFeedback *f, RccBytes compound, RccTime now, uint8_t *out,
    size_t size);

#endif
