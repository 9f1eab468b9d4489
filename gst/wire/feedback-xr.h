/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * feedback-xr.h - what extended reports say of our packets: Loss RLE, Discard RLE and
 * Packet Receipt Times, of one compound as one, and RRTR, which asks for an answer
 *
 * A packet came if a block says that it was received, discarded or when; it is lost if
 * all that speak of it say that it was not received.  It is told with
 *  - arrived: where its receipt time and its stream's clock rate are known;
 *  - RCC_PACKET_RECEIVED: where they are not;
 *  - RCC_PACKET_LATE: as well, where Discard RLE has it as late.
 */
#ifndef RCC_WIRE_FEEDBACK_XR_H
#define RCC_WIRE_FEEDBACK_XR_H

#include "wire/feedback-parser.h"

/* All XR packets of @compound, which rcc_reports_open() has let in. */
void rcc_feedback_xr (RccFeedbackParser *e, RccBytes compound);

#endif
