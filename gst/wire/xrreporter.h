/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * xrreporter.h - the receiver's feedback writer for extended reports: what became of each packet
 *
 * For each SSRC of a session it writes Loss RLE (RFC 3611 4.1) over the numbers since the report
 * before.  It adds Discard RLE (RFC 7097, E=0) where some came too late, and Packet Receipt Times
 * (RFC 3611 4.3).  Now and then it adds a Receiver Reference Time (4.4), whose answer tells the
 * round trip.  Every number is told once; one that was told as lost and comes
 * after all is told again, by itself.  A hole among the last three numbers may yet be
 * filled by reordering: one report waits for it, the next does not.
 */
#ifndef RCC_WIRE_XRREPORTER_H
#define RCC_WIRE_XRREPORTER_H

#include "core/rtt.h"
#include "core/stats.h"
#include "wire/rtcp-source.h"
#include "wire/xr-arrivals.h"

typedef struct {
  RccRtcpSource source;
  RccXrArrivals arrivals;
  uint32_t clock_rate;                  /* Hz, of every stream; 0: unknown, and no times */
  bool times;                           /* say when packets came */
  unsigned next;                        /* the stream that reports begin with */
  RccSrLog echoes;                      /* what the other side may echo: */
  RccSrs rrtrs, srs;
  RccTime rrtr_sent;                    /* RCC_NEVER: none yet */
  RccRtt rtt;
  uint64_t reported_received, reported_lost, reported_late, reported_again; /* packets */
} RccXrReporter;

extern const RccField rcc_xr_reporter_fields[];

/* @ssrc: used until a compound of the session has passed.  @r->clock_rate and ->times are
 * for the caller to set. */
void rcc_xr_reporter_init (RccXrReporter *r, uint32_t ssrc, RccResize resize);
/* Gives its memory back. */
void rcc_xr_reporter_clear (RccXrReporter *r);

/* A packet came in, @late: too late, and was (or should be) discarded.  Returns true when
 * the sender should know soon: it was late, or shows that one before it is lost. */
bool rcc_xr_reporter_packet (RccXrReporter *r, const RccRtp *rtp, bool late,
    RccTime arrival);

/* A compound of our session goes out: who we are, and its SRs, if we send, too. */
void rcc_xr_reporter_rtcp_passed (RccXrReporter *r, RccBytes compound, RccTime now);

/* RTCP that came in. It answers our reference times, in DLRR blocks about our SSRC, and our SRs,
 * in report blocks about it. Returns true when r->rtt has a new sample. */
bool rcc_xr_reporter_rtcp (RccXrReporter *r, RccBytes compound, RccTime now);

/* The XR packet alone, to append to a compound; 0 when there is nothing to say or no room. What
 * was told is not told again. Receipt times are thinned (4.1) until it is not larger than
 * @budget, or they are no more than half of it. @size is never exceeded. */
size_t rcc_xr_reporter_packet_of (RccXrReporter *r, RccTime now, size_t budget,
    uint8_t *out, size_t size);

/* A compound of its own: an empty RR, the CNAME if it is known, the XR packet. */
size_t rcc_xr_reporter_compound (RccXrReporter *r, RccTime now, size_t budget,
    uint8_t *out, size_t size);

/* Whether something is left to tell: the last report waited for a hole, or was full. */
bool rcc_xr_reporter_pending (const RccXrReporter *r);

#endif
