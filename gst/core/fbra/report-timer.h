/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/report-timer.h - how far apart reports come, and what early and late mean
 *
 * The receiver decides when it reports; the sender can only see it, and from two
 * reports on it does.  FBRA, the external probe and C-NADU-like share this.
 */
#ifndef RCC_REPORT_TIMER_H
#define RCC_REPORT_TIMER_H

#include "core/rcc.h"

typedef struct {
  RccTime interval;                     /* least spacing, until two reports are in */
  double interval_rtts;                 /* and no less than so many RTTs */
  /* Feedback more frequent than that (RFC 8888, transport-wide) is judged together, and
   * no report is early.  May be set at any time. */
  bool pool;
  double early;                         /* of the spacing: what comes sooner is early */
  double silent_intervals;              /* without a report are silence */
  RccTime first_timeout;                /* silence, until two reports are in: at least */
} RccReportTimerConfig;

typedef enum {
  RCC_REPORT_DUE,
  RCC_REPORT_EARLY,
  RCC_REPORT_POOLED,                    /* not to be judged yet */
} RccReportTiming;

typedef struct {
  RccTime heard;                        /* the last that was due or early; RCC_NEVER */
  RccTime interval;                     /* smoothed; 0: not known yet */
  unsigned intervals;                   /* measured */
  RccTime silence_next;                 /* RCC_NEVER: not armed */
} RccReportTimer;

void rcc_report_timer_init (RccReportTimer *t);

/* @rtt: the smallest; RCC_NEVER: unknown */
RccTime rcc_report_timer_spacing (const RccReportTimer *t,
    const RccReportTimerConfig *config, RccTime rtt);

/* A report came. */
RccReportTiming rcc_report_timer_heard (RccReportTimer *t,
    const RccReportTimerConfig *config, RccTime rtt, RccTime now);

/* A packet left. Silence is that of a sender that sends. It is counted from the first packet
 * after a report, or after the last silence. */
void rcc_report_timer_sent (RccReportTimer *t, const RccReportTimerConfig *config,
    RccTime rtt, RccTime sent);
/* Whether it has come to that; then it begins anew. */
bool rcc_report_timer_silent (RccReportTimer *t, RccTime now);

#endif
