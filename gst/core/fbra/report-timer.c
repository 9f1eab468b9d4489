/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/report-timer.h"

#define INTERVAL_MAX (7500 * RCC_MSEC)  /* 1.5 times RFC 3550's 5 s; longer: an outage */
#define INTERVAL_MEMORY 16              /* reports */
#define INTERVALS_KNOWN 3               /* before a report can be early */

void
rcc_report_timer_init (RccReportTimer *t)
{
  *t = (RccReportTimer) { .heard = RCC_NEVER, .silence_next = RCC_NEVER };
}

static RccTime
least (const RccReportTimerConfig *config, RccTime rtt)
{
  if (rtt == RCC_NEVER)
    return config->interval;
  return RCC_MAX (config->interval,
      (RccTime) RCC_MIN (config->interval_rtts * (double) rtt, (double) INTERVAL_MAX));
}

RccTime
rcc_report_timer_spacing (const RccReportTimer *t, const RccReportTimerConfig *config,
    RccTime rtt)
{
  if (config->pool || t->intervals == 0)
    return RCC_MAX (least (config, rtt), t->interval);
  return t->interval;
}

RccReportTiming
rcc_report_timer_heard (RccReportTimer *t, const RccReportTimerConfig *config,
    RccTime rtt, RccTime now)
{
  const RccTime since = now > t->heard ? now - t->heard : 0;
  RccReportTiming timing = RCC_REPORT_DUE;

  t->silence_next = RCC_NEVER;
  if (t->heard != RCC_NEVER) {
    const RccTime elapsed = RCC_MIN (since, INTERVAL_MAX);

    if (config->pool && since < least (config, rtt))
      return RCC_REPORT_POOLED;
    if (!config->pool && t->intervals >= INTERVALS_KNOWN
        && (double) since < config->early * (double) t->interval)
      timing = RCC_REPORT_EARLY;
    if (t->intervals++ == 0)
      t->interval = elapsed;
    else
      t->interval = (RccTime) ((int64_t) t->interval
          + ((int64_t) elapsed - (int64_t) t->interval) / INTERVAL_MEMORY);
  }
  t->heard = now;
  return timing;
}

void
rcc_report_timer_sent (RccReportTimer *t, const RccReportTimerConfig *config, RccTime rtt,
    RccTime sent)
{
  RccTime wait;

  if (t->silence_next != RCC_NEVER)
    return;
  wait = (RccTime) (config->silent_intervals
      * (double) rcc_report_timer_spacing (t, config, rtt));
  if (t->intervals == 0)
    wait = RCC_MAX (wait, config->first_timeout);
  /* a spacing that is still 0 would make every packet late */
  wait = RCC_MAX (wait, config->interval);
  t->silence_next = sent < RCC_NEVER - wait ? sent + wait : RCC_NEVER;
}

bool
rcc_report_timer_silent (RccReportTimer *t, RccTime now)
{
  if (now < t->silence_next)
    return false;
  t->silence_next = RCC_NEVER;
  return true;
}
