/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/feedback-interval.h"

#include <math.h>

#define INTERVAL_MAX (7500 * RCC_MSEC)  /* 1.5 times RFC 3550's 5 s; longer: an outage */
#define INTERVAL_FIRST (600 * RCC_MSEC) /* nobody's is known yet; libwebrtc's REMB is each second */
#define INTERVAL_MEMORY (4 * RCC_SEC)   /* until a longer one than the others is forgotten */
#define INTERVALS 2                     /* without feedback are silence */
/* Early reports of RFC 4585 come in between, and are no measure of the regular ones. */
#define REPORT_MEMORY (30 * RCC_SEC)
#define DOUBLES_IN (100 * RCC_MSEC)     /* after silence; libwebrtc has TWCC so often; each message
                                         * does ... */
#define COMES_BACK_MOST 4.0             /* ... and none does more */
#define REPORT_SPREAD 3                 /* RFC 3550 6.3.1: 1.5 over 0.5 */

void
rcc_feedback_interval_init (RccFeedbackInterval *r)
{
  *r = (RccFeedbackInterval) { .heard = RCC_NEVER, .interval = INTERVAL_FIRST,
    .reported = RCC_NEVER };
}

/* It fades with time, not with each message: one compound may have several. */
static RccTime
fade (RccTime interval, RccTime gap, RccTime memory)
{
  const double left = 1.0 - (double) RCC_MIN (gap, memory) / (double) memory;

  return RCC_MAX (RCC_MIN (gap, INTERVAL_MAX), (RccTime) (left * (double) interval));
}

RccTime
rcc_feedback_interval_update (RccTime interval, RccTime gap)
{
  return fade (interval, gap, INTERVAL_MEMORY);
}

void
rcc_feedback_interval_heard (RccFeedbackInterval *r, RccTime first_sent, RccTime now)
{
  const RccTime since = r->heard != RCC_NEVER ? r->heard : first_sent;

  if (since != RCC_NEVER)
    r->interval = rcc_feedback_interval_update (r->interval, now - since);
  r->heard = now;
}

/* What went before the first one is half as long (6.2), and is not counted. */
void
rcc_feedback_interval_reported (RccFeedbackInterval *r, RccTime now)
{
  if (r->reported != RCC_NEVER)
    r->report_interval = fade (r->report_interval, now - r->reported, REPORT_MEMORY);
  r->reported = now;
}

RccTime
rcc_feedback_interval_recent (const RccFeedbackInterval *r, bool reports_alone)
{
  if (!reports_alone || r->reported == RCC_NEVER)
    return r->interval;
  return r->report_interval > 0 ? r->report_interval : INTERVAL_MAX;
}

RccTime
rcc_feedback_interval_timeout (const RccFeedbackInterval *r, bool reports_alone)
{
  const RccTime interval = rcc_feedback_interval_recent (r, reports_alone);

  if (!reports_alone || r->reported == RCC_NEVER)
    return INTERVALS * interval;
  return RCC_MIN (REPORT_SPREAD * interval, INTERVAL_MAX);
}

/* As with feedback of packets, however far apart it comes: REMB each 200 ms has seen as much.  What
 * ends the silence has seen none of it, nor has what comes after a clock went back. */
double
rcc_feedback_interval_comes_back (const RccFeedbackInterval *r, RccTime now)
{
  if (r->heard == RCC_NEVER || now - r->heard > r->interval)
    return 2.0;
  return RCC_CLAMP (exp2 ((double) (now - r->heard) / (double) DOUBLES_IN), 2.0, COMES_BACK_MOST);
}
