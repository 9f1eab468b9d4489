/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The share is kept by a purse: a compound is paid for by the time that the share takes to
 * carry it.  A regular report waits until the purse holds one (of average size), an early
 * one only until there is no debt, and the purse holds no more than one: so what was sent
 * is never ahead of the share by more than the compound just sent.
 */
#include "core/avpf.h"

#include "core/rtcp-interval.h"

#define WINDOW RCC_SEC
#define FIRST_SIZE 120.0                /* until one was sent: RR, CNAME, XR, UDP/IP */

void
rcc_avpf_init (RccAvpf *a, const RccAvpfConfig *config)
{
  *a = (RccAvpf) { .config = *config, .last = RCC_NEVER, .next = RCC_NEVER,
    .allow_early = true };              /* 3.5.1 */
  rcc_window_init (&a->received, WINDOW);
}

static RccTime
cost (RccAvpf *a, double size, RccTime now)
{
  const double bps = a->config.share * rcc_window_bps (&a->received, now);
  const double ns = 8e9 * size / RCC_MAX (bps, 1.0);

  return ns < (double) RCC_AVPF_LONGEST ? (RccTime) ns : RCC_AVPF_LONGEST;
}

static RccTime
average_cost (RccAvpf *a, RccTime now)
{
  return cost (a, a->average_size > 0 ? a->average_size : FIRST_SIZE, now);
}

RccTime
rcc_avpf_t_rr (RccAvpf *a, RccTime now)
{
  return RCC_MAX (a->config.interval, average_cost (a, now));
}

/* 3.5.2 4: once between two regular reports.  When tn has come that is over, whether a
 * report was sent then or not (6). */
static bool
early_allowed (const RccAvpf *a, RccTime now)
{
  return a->config.early && a->urgent && (a->allow_early || now >= a->tn);
}

static RccTime
regular_at (RccAvpf *a, RccTime now)
{
  return RCC_MAX (a->tn, a->paid + average_cost (a, now));
}

static void
schedule (RccAvpf *a, RccTime now)
{
  if (!a->pending)
    a->next = RCC_NEVER;
  else if (early_allowed (a, now))
    a->next = RCC_MIN (RCC_MAX (a->paid, now), regular_at (a, now));
  else
    a->next = regular_at (a, now);
}

void
rcc_avpf_packet (RccAvpf *a, uint32_t size, RccTime now)
{
  rcc_window_add (&a->received, size, now);
  if (!a->begun) {
    a->begun = true;
    a->tp = a->paid = now;
    a->tn = now + rcc_avpf_t_rr (a, now);
  }
  if (!a->pending) {
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
  const RccTime quarter = rcc_avpf_t_rr (a, now) / 4;

  if (rcc_avpf_due (a, now))
    return true;
  return a->pending && now >= a->paid && now + quarter >= a->tn;
}

/* tn, too, is kept to the grid of T_rr, so that a report that was late by a wake-up does
 * not put off all that follow; one that was late by more begins a new grid. */
static void
advance (RccAvpf *a, RccTime now)
{
  const RccTime t_rr = rcc_avpf_t_rr (a, now);
  const RccTime late = now > a->tn ? now - a->tn : 0;

  a->tp = late < t_rr / 8 ? a->tn : now;
  a->tn = a->tp + t_rr;
  a->allow_early = true;
}

void
rcc_avpf_sent (RccAvpf *a, uint32_t size, bool appended, RccTime now)
{
  const bool early = !appended && now < a->tn;
  const RccTime purse = average_cost (a, now);
  const double whole = appended ? size : size + RCC_RTCP_UDP_IP;

  a->paid = RCC_MAX (a->paid, now > purse ? now - purse : 0) + cost (a, whole, now);
  if (appended) {
    a->appended++;
    a->tn = RCC_MIN (a->tn, now);       /* it was the regular one */
    advance (a, now);
  } else if (early) {                   /* 3.5.2 6 */
    const RccTime tn = a->tp + 2 * rcc_avpf_t_rr (a, now);

    a->early++;
    a->allow_early = false;
    a->tp = a->tn;
    a->tn = tn;
  } else {
    a->regular++;
    advance (a, now);
  }
  if (!appended)
    a->average_size = rcc_rtcp_average_size (a->average_size, size);
  a->last = now;
  a->pending = a->urgent = false;
  schedule (a, now);
}

void
rcc_avpf_nothing (RccAvpf *a, RccTime now)
{
  advance (a, now);
  a->pending = a->urgent = false;
  schedule (a, now);
}
