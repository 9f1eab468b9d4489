/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reports-stream.h - one stream of ours and what is said of it: is a report block forged,
 * a copy, late, or news?
 *
 * Not judged here: whether the fraction lost fits the cumulative count.  They are of different
 * spans.  The fraction is of the receiver's last interval.  The difference of the counts also
 * covers every report that was lost on the way.  Duplicates lower the count without bound.  So
 * 255/256 beside a count that fell can be honest (RFC 3550 A.3, 6.4.1).  Who acts on fractions
 * must ask the counts over several reports.
 */
#ifndef RCC_WIRE_REPORTS_STREAM_H
#define RCC_WIRE_REPORTS_STREAM_H

#include "core/rtt.h"
#include "core/seq.h"
#include "wire/rtcp.h"

/* Without an LSR two equal blocks are a copy only if so near each other. */
#define RCC_REPORTS_COPY (500 * RCC_MSEC)
/* A receiver that says less than before, and nothing else for so long, is believed. */
#define RCC_REPORTS_STALE (10 * RCC_SEC)

#define RCC_REPORTS_FROM 4              /* reporters on one stream that are told apart */

typedef struct {                        /* what one reporter has said */
  uint32_t reporter;
  RccReportBlock last;                  /* the newest believed */
  RccTime last_at;
  int64_t highest;                      /* of it, unwrapped */
  RccTime lsr_at;                       /* when the SR that it echoes left; RCC_NEVER: not known */
  RccTime stale_since;                  /* blocks have been stale since; RCC_NEVER: none is */
  bool ce_known;
  uint16_t ce;                          /* its counter of ECN-CE, as last believed */
} RccReportsFrom;

typedef struct {
  uint32_t ssrc;
  uint32_t clock_rate;                  /* Hz; 0: unknown */
  uint64_t packets;                     /* numbers given so far, unsent ones too */
  RccUnwrap unwrap;                     /* of the numbers as sent */
  int64_t newest;                       /* highest number sent; reordering leaves it */
  int64_t mark, mark_before;            /* newest, when the mark was set: each 2 s */
  RccTime marked;
  RccSrs srs;
  struct {
    uint32_t n;                         /* numbers that were given to packets that never left */
    int64_t asked;                      /* the number up to which was last asked ... */
    uint32_t n_asked;                   /* ... and how many those were */
  } unsent;
  RccReportsFrom from[RCC_REPORTS_FROM];
  unsigned n_from;
} RccReportsStream;

typedef enum {
  RCC_REPORT_FORGED,                    /* refuse all that came with it */
  RCC_REPORT_COPY,                      /* of the last believed */
  RCC_REPORT_STALE,                     /* made before the last believed */
  RCC_REPORT_NEWS,
} RccReportVerdict;

typedef struct {                        /* a block, understood */
  uint32_t reporter;
  int64_t highest;                      /* unwrapped; INT64_MAX: never sent */
  RccTime lsr_at;                       /* when the SR left; RCC_NEVER: not known */
  RccTime rtt;
  RccEcho echo;
} RccReportJudged;

void rcc_reports_stream_init (RccReportsStream *s, uint32_t ssrc);
/* A packet left, or its number was given to one that will not. */
void rcc_reports_stream_sent (RccReportsStream *s, uint16_t seq, RccTime now);

/* @block, from @reporter, speaks of @s, whose SRs are in @log; @ntp_middle as for rcc_rtt_judge().
 * Changes nothing. */
RccReportVerdict rcc_reports_stream_judge (const RccReportsStream *s, const RccSrLog *log,
    uint32_t reporter, const RccReportBlock *block, uint32_t ntp_middle, RccTime now,
    RccReportJudged *judged);
/* Whether number @highest left within the last 2 to 4 s in which anything was sent. Who has not
 * seen packets can hardly guess one. */
bool rcc_reports_stream_is_recent (const RccReportsStream *s, int64_t highest);
/* It was judged so and not refused: @s knows of it.  @ce: the peer's counter of ECN-CE
 * that came with it (RFC 6679), -1 if none did.  True: it is news, in @report. */
bool rcc_reports_stream_take (RccReportsStream *s, RccReportVerdict verdict,
    const RccReportBlock *block, const RccReportJudged *judged, int ce, RccTime now,
    RccReport *report);

#endif
