/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * feedback-rtcp.h - the sender's feedback parser: RTCP that comes in, told to an RccSender
 *
 * The one place where RTCP bytes become events of the sender family, for elements, the
 * simulated world and the fuzzer alike.  It believes and refuses as reports.h does.  It tells
 * the core what reports, REMB, TMMBR, transport-wide feedback, RFC 8888 and extended reports
 * (feedback-xr.h) say of what feedback.h remembers.
 */
#ifndef RCC_WIRE_FEEDBACK_RTCP_H
#define RCC_WIRE_FEEDBACK_RTCP_H

#include "wire/feedback-xr.h"

/* Writes the TMMBN that is owed since a TMMBR came, to append to @compound, which goes out.
 * 0: none is owed, @size is less than 20, or @compound begins with no SSRC. */
size_t rcc_feedback_notification (RccFeedback *f, RccBytes compound, uint8_t *out,
    size_t size);

/* A compound of ours goes out: remembers it. Writes what is owed into @out, as far as @size goes:
 * that TMMBN, and the DLRR (feedback-xr.h). Returns how many bytes. */
size_t rcc_feedback_answer (RccFeedback *f, RccBytes compound, RccTime now, uint8_t *out,
    size_t size);

/* A compound came in; @ntp_middle as for rcc_rtt_judge().  Tells @sender of the reports, then
 * of all else in order, then of the compound, and returns what it answered, merged. */
RccUpdate rcc_feedback_rtcp (RccFeedback *f, RccBytes compound, uint32_t ntp_middle,
    RccTime now, RccSender *sender);

#endif
