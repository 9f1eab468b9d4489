/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reporter.h - the receiver's feedback writer: an estimate or arrivals as RTCP bytes
 */
#ifndef RCC_WIRE_REPORTER_H
#define RCC_WIRE_REPORTER_H

#include "wire/arrivals.h"
#include "wire/rtcp-source.h"
#include "wire/rtp.h"

typedef enum {
  RCC_FEEDBACK_REMB,
  RCC_FEEDBACK_TMMBR,
  RCC_FEEDBACK_CCFB,                    /* RFC 8888 */
  RCC_FEEDBACK_TWCC,
} RccFeedbackFormat;

typedef struct {
  RccFeedbackFormat format;
  uint8_t twcc_id;                      /* extension id, for RCC_FEEDBACK_TWCC */
  RccRtcpSource source;
  RccArrivals arrivals;                 /* streams are RccArrivalStreams */
  RccArrivalStream transport;           /* of the transport-wide numbers */
  unsigned next;                        /* the stream that reports begin with */
  unsigned repeat;                      /* RFC 8888: packets of a stream told a second time and
                                         * again, for feedback that is lost; 0 until set */
  uint8_t fb_count;
  RccTime named;                        /* REMB, TMMBR: a packet, when last; RCC_NEVER: not yet */
  uint64_t missing;                     /* REMB, TMMBR: numbers that were passed over and have not
                                         * come since; a copy counts as one that has */
} RccReporter;

/* @ssrc: used until a compound of the session has passed. */
void rcc_reporter_init (RccReporter *r, RccFeedbackFormat format, uint32_t ssrc,
    RccResize resize);
/* Gives its memory back. */
void rcc_reporter_clear (RccReporter *r);

/* A packet came in.  @ecn: RCC_ECN_* */
void rcc_reporter_packet (RccReporter *r, const RccRtp *rtp, uint8_t ecn,
    RccTime arrival);

/* The feedback packet alone, to append to a compound; 0 when there is nothing to
 * say or no room.  Arrivals that were told are not told again, but for @repeat. */
size_t rcc_reporter_packet_of (RccReporter *r, uint32_t bps, RccTime now,
    uint8_t *out, size_t size);

/* Whether there are arrivals that no message has had room for. */
bool rcc_reporter_pending (const RccReporter *r);

/* A compound of its own: an empty RR, the CNAME if it is known, the feedback.  Where that names no
 * packets (REMB, TMMBR), once a second, and there is room: an XR packet with the newest packet's
 * number. */
size_t rcc_reporter_compound (RccReporter *r, uint32_t bps, RccTime now,
    uint8_t *out, size_t size);

#endif
