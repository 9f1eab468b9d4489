/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/avpf.h"

#include "core/rtcp-interval.h"

#define FIRST_SIZE 120.0                /* until one was sent: RR, CNAME, XR, UDP/IP */
#define ENOUGH 0.75                     /* for a report that rides on another compound */

void
rcc_avpf_init (RccAvpf *a, const RccAvpfConfig *config)
{
  *a = (RccAvpf) { .config = *config, .average_size = FIRST_SIZE, .next = RCC_NEVER,
    .allow_early = true };              /* 3.5.1 */
}

/* 3.5.2 4: once between two regular reports.  When tn has come that is over, whether a
 * report was sent then or not (6). */
static bool
early_allowed (const RccAvpf *a, RccTime now)
{
  return a->config.early && a->urgent && (a->allow_early || now >= a->tn);
}

static bool
can_pay (const RccAvpf *a, RccTime now)
{
  return a->budget >= (early_allowed (a, now) ? 0.0 : a->average_size);
}

static void
schedule (RccAvpf *a, RccTime now)
{
  const RccTime at = early_allowed (a, now) ? RCC_MIN (now, a->tn) : a->tn;

  a->poor = a->pending && !can_pay (a, now);
  if (!a->pending)
    a->next = RCC_NEVER;
  else
    a->next = a->poor ? RCC_MAX (a->tn, a->last + RCC_AVPF_LONGEST) : at;
}

void
rcc_avpf_packet (RccAvpf *a, uint32_t size, RccTime now)
{
  a->earned += a->config.share * size;
  a->budget = RCC_MIN (a->budget + a->config.share * size, a->average_size);
  if (!a->begun) {
    a->begun = true;
    a->tp = a->last = now;
    a->tn = now + a->config.interval;
  }
  if (!a->pending || (a->poor && can_pay (a, now))) {
    a->pending = true;
    schedule (a, now);
  }
}

void
rcc_avpf_event (RccAvpf *a, RccTime now)
{
  if (a->urgent)
    return;
  a->urgent = true;
  schedule (a, now);
}

void
rcc_avpf_more (RccAvpf *a, RccTime now)
{
  a->pending = true;
  schedule (a, now);
}

bool
rcc_avpf_due (RccAvpf *a, RccTime now)
{
  schedule (a, now);
  return now >= a->next;
}

bool
rcc_avpf_may_append (RccAvpf *a, RccTime now)
{
  const RccTime ahead = (RccTime) ((1 - ENOUGH) * (double) a->config.interval);

  if (rcc_avpf_due (a, now))
    return true;
  return a->pending && a->budget >= ENOUGH * a->average_size && now + ahead >= a->tn;
}

uint32_t
rcc_avpf_budget (const RccAvpf *a)
{
  return (uint32_t) RCC_CLAMP (a->earned - RCC_RTCP_UDP_IP, 0.0, 65535.0);
}

/* tn, too, is kept to the grid of T_rr. So a report that was late by a wake-up does not put off
 * all that follow. One that was late by more begins a new grid. */
static void
advance (RccAvpf *a, RccTime now)
{
  const RccTime late = now > a->tn ? now - a->tn : 0;

  a->tp = late < a->config.interval / 8 ? a->tn : now;
  a->tn = a->tp + a->config.interval;
  a->allow_early = true;
  a->earned = 0;
  a->last = now;
  a->pending = a->urgent = false;
}

/* 3.5.2 6 */
static void
skip_regular (RccAvpf *a, RccTime now)
{
  const RccTime tn = a->tp + 2 * a->config.interval;

  a->tp = a->tn;
  a->tn = tn;
  a->allow_early = false;
  a->earned = 0;
  a->last = now;
  a->pending = a->urgent = false;
}

void
rcc_avpf_sent (RccAvpf *a, uint32_t size, bool appended, RccTime now)
{
  const bool early = !appended && now < a->tn;

  if (a->budget >= 0)                    /* else it is RCC_AVPF_LONGEST's: a gift */
    a->budget -= size + (appended ? 0 : RCC_RTCP_UDP_IP);
  if (!appended)
    a->average_size = rcc_rtcp_average_size (a->average_size, size);
  if (early) {
    skip_regular (a, now);
  } else {
    a->tn = RCC_MIN (a->tn, now);       /* appended ahead of its time: the regular one */
    advance (a, now);
  }
  a->early += early;
  a->appended += appended;
  a->regular += !early && !appended;
  schedule (a, now);
}

void
rcc_avpf_nothing (RccAvpf *a, RccTime now)
{
  advance (a, now);
  schedule (a, now);
}
