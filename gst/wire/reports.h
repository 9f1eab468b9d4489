/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reports.h - SR and RR that speak of our streams, believed or refused
 *
 * Knows what was sent by SSRC and number, and when our SRs left. Turns report blocks into
 * RccReports, and compounds into RccRtcps. Refused, with everything else in the compound, is a
 * block that cannot be true. It has received numbers which were not sent, echoes an SR that never
 * left, or held one for longer than it exists. Ignored, with the compound still heard, is a block
 * about nobody's stream, a copy of the one before, or one that came too late. So is one of a
 * stranger while a reporter is known to be on the path (reporters.h). No state is ever made for
 * an SSRC that RTCP names.
 */
#ifndef RCC_WIRE_REPORTS_H
#define RCC_WIRE_REPORTS_H

#include "core/ssrcs.h"
#include "core/stats.h"
#include "wire/reporters.h"
#include "wire/reports-stream.h"
#include "wire/rtp.h"

#define RCC_REPORTS_STREAMS RCC_SSRCS   /* SSRCs of ours that are told apart */
#define RCC_REPORTS_REPORTERS 32        /* of one compound; further ones are not listed */
#define RCC_REPORTS_COMPOUND_MAX 16384  /* bytes of one that are read; no MTU has room for more */

typedef struct {
  RccSsrcs streams;                     /* of RccReportsStream */
  RccSrLog srs;                         /* that left, of all streams */
  RccRtt rtt;
  RccReporters reporters;
  uint64_t compounds, truncated_bytes;
  uint64_t ignored;                     /* blocks and messages about nobody's stream */
  uint64_t forged;                      /* compounds refused */
  uint64_t duplicates, stale;           /* blocks */
} RccReports;

extern const RccField rcc_reports_fields[];

void rcc_reports_init (RccReports *r, RccResize resize);
/* Gives its memory back. */
void rcc_reports_clear (RccReports *r);
/* As new. */
void rcc_reports_reset (RccReports *r);

/* A packet left.  Returns its stream, whose unwrap.last is its number; valid until the
 * next call.  packets == 1: the stream is new, and may stand where an older one stood. */
RccReportsStream *rcc_reports_sent (RccReports *r, const RccRtp *rtp, RccTime now);
void rcc_reports_clock_rate (RccReports *r, uint32_t ssrc, uint32_t clock_rate);
/* A compound of ours goes out: its SRs are remembered, by the stream they are of. */
void rcc_reports_rtcp_sent (RccReports *r, RccBytes compound, RccTime now);
/* NULL: not ours, or nothing of it was ever sent. */
RccReportsStream *rcc_reports_find (RccReports *r, uint32_t ssrc);

/* A compound that came in, on its way through. */
typedef struct {
  RccRtcp rtcp;                         /* whole once it has been opened */
  uint32_t reporters[RCC_REPORTS_REPORTERS];
  uint32_t ntp_middle;
  RccTime now;
  struct {                              /* RFC 6679, by stream */
    bool known;
    uint16_t ce;
  } ecn[RCC_REPORTS_STREAMS];
  struct {                              /* packets named by their number */
    bool any, wrong;                    /* one that has just left; one that has not */
    uint32_t ssrc;                      /* whose word it is */
  } proved;
  RccBytes whole;                       /* as much of it as is read */
  RccBytes rest;                        /* from here on rcc_reports_next() goes on */
  RccRtcpReport report;
  unsigned block;
} RccReportsCompound;

/* Judges a whole compound before anything is told of it; @ntp_middle as for rcc_rtt_judge().
 * False: it was refused as forged, or there was nothing in it that is RTCP. Then no state but the
 * counters has changed. @c must stay where it is. */
bool rcc_reports_open (RccReports *r, RccReportsCompound *c, RccBytes compound,
    uint32_t ntp_middle, RccTime now);
/* The next believed block of all the SRs and RRs in the compound; false: no more. */
bool rcc_reports_next (RccReports *r, RccReportsCompound *c, RccReport *report);

/* The walk for those who need nothing but reports: on_report for each, then on_rtcp. */
RccUpdate rcc_reports_rtcp (RccReports *r, RccBytes compound, uint32_t ntp_middle, RccTime now,
    RccSender *sender);

#endif
