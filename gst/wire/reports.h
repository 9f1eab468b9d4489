/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reports.h - SR and RR that speak of our streams, believed or refused
 *
 * Knows what was sent by SSRC and number and when our SRs left, and turns report blocks
 * into RccReports and compounds into RccRtcps.  Refused, with everything else in the
 * compound: a block that has received numbers which were not sent, echoes an SR that
 * never left, or held one for longer than it exists.  Ignored, with the compound still
 * heard: a block about nobody's stream, a copy of the one before, one that came too late.
 * No state is ever made for an SSRC that RTCP names.
 */
#ifndef RCC_WIRE_REPORTS_H
#define RCC_WIRE_REPORTS_H

#include "core/rtt.h"
#include "core/seq.h"
#include "core/stats.h"
#include "wire/rtcp.h"
#include "wire/rtp.h"

#define RCC_REPORTS_STREAMS 8           /* SSRCs of ours that are told apart */

typedef struct {
  uint32_t ssrc;
  uint32_t clock_rate;                  /* Hz; 0: unknown */
  RccTime used;                         /* when it last sent */
  RccUnwrap unwrap;                     /* of the numbers as sent */
  int64_t newest;                       /* highest number sent; reordering leaves it */
  bool reported;
  RccReportBlock last;                  /* the newest believed */
  RccTime last_at;
  int64_t highest;                      /* of it, unwrapped */
  RccTime lsr_at;                       /* when the SR that it echoes left; RCC_NEVER: not known */
  uint32_t ce;                          /* ECN-CE counted so far, as the peer has it */
} RccReportsStream;

typedef struct {
  RccReportsStream streams[RCC_REPORTS_STREAMS];
  unsigned n_streams;
  RccRtt rtt;
  uint64_t compounds, truncated_bytes, ignored, forged, duplicates, stale;
} RccReports;

#endif
