/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/feedback-interval.h - how far apart the peer's feedback comes, and how long none of
 * it is silence
 *
 * Feedback per packet and REMB come about evenly: two intervals without any are silence.  Receiver
 * reports do not (RFC 3550 6.3.1: at random between half and one and a half times the same
 * interval), so that one may take three times as long as the one before.
 */
#ifndef RCC_GCC_FEEDBACK_INTERVAL_H
#define RCC_GCC_FEEDBACK_INTERVAL_H

#include "core/rcc.h"

typedef struct {
  RccTime heard;                        /* last feedback of any kind; RCC_NEVER */
  RccTime interval;                     /* between feedbacks, the longest of late */
  RccTime reported;                     /* the last receiver report; RCC_NEVER */
  RccTime report_interval;              /* the same between those; 0: not known yet */
} RccFeedbackInterval;

void rcc_feedback_interval_init (RccFeedbackInterval *r);

/* Feedback of any kind.  @first_sent: where the first interval begins; RCC_NEVER: nothing left */
void rcc_feedback_interval_heard (RccFeedbackInterval *r, RccTime first_sent, RccTime now);
/* A receiver report, besides. */
void rcc_feedback_interval_reported (RccFeedbackInterval *r, RccTime now);

/* How long to wait for feedback of which nothing is missing; @reports_alone: no other feedback
 * comes. */
RccTime rcc_feedback_interval_timeout (const RccFeedbackInterval *r, bool reports_alone);
/* The longest interval of late, for who counts in intervals. */
RccTime rcc_feedback_interval_recent (const RccFeedbackInterval *r, bool reports_alone);

/* By what the rate may grow with feedback at @now, where silence has lowered it.  To be asked
 * before rcc_feedback_interval_heard(). */
double rcc_feedback_interval_comes_back (const RccFeedbackInterval *r, RccTime now);

/* The longest of late, now that @gap was the last one. */
RccTime rcc_feedback_interval_update (RccTime interval, RccTime gap);

#endif
