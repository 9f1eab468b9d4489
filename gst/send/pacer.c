/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/pacer.h"

#include <math.h>

#define PROBE_TIMEOUT (200 * RCC_MSEC)  /* a cluster that starved says nothing */
#define OWED_MAX (100 * RCC_MSEC)       /* what a probe or a former rate leaves behind */
#define CATCH_UP 1.25                   /* of the rate, while there is credit */

static double
bits_in (double bps, RccTime span)
{
  return bps * (double) span * 1e-9;
}

static double
rate (const RccPacer *p)
{
  return p->bps == 0 ? 0.0 : RCC_MAX (p->bps, p->drain_bps);
}

static double
budget (const RccPacer *p)
{
  return RCC_MAX (bits_in (p->bps, p->burst), 1.0);
}

void
rcc_pacer_init (RccPacer *p, uint32_t bps, RccTime burst, RccTime now)
{
  *p = (RccPacer) { .bps = bps, .burst = burst, .updated = now, .group_start = now };
  p->budget = budget (p);
}

/* What waits while nothing leaves is credit. */
static void
pay (RccPacer *p, RccTime now)
{
  double credit = 0.0;

  if (now <= p->updated)                /* asked for, then sent; or queued while we slept */
    return;
  if (p->idle_credit)
    credit = INFINITY;
  else if (p->queued_packets > 0)
    credit = bits_in (p->bps, RCC_PACER_CREDIT);
  p->debt = RCC_MAX (p->debt - bits_in (rate (p), now - p->updated), -credit);
  p->updated = now;
}

/* Media must not wait until a much lower rate has paid for what left at a higher
 * one. */
static double
owed_max (const RccPacer *p)
{
  return bits_in (p->bps, OWED_MAX);
}

/* Credit of idle time is a time, whatever the rate was. */
static double
credit_after (const RccPacer *p, uint32_t bps)
{
  if (!p->idle_credit || p->debt >= 0)
    return bits_in (bps, RCC_PACER_CREDIT);
  return p->bps > 0 ? -p->debt * bps / p->bps : 0.0;
}

void
rcc_pacer_set_rate (RccPacer *p, uint32_t bps, RccTime now)
{
  double credit;

  pay (p, now);
  credit = credit_after (p, bps);
  p->debt = p->idle_credit && p->debt < 0 ? -credit : p->debt;
  p->bps = bps;
  p->budget = budget (p);
  p->debt = RCC_CLAMP (p->debt, -credit, owed_max (p));
}

void
rcc_pacer_drain (RccPacer *p, uint32_t bps, RccTime now)
{
  if (bps == p->drain_bps)
    return;
  pay (p, now);
  p->drain_bps = bps;
}

void
rcc_pacer_probe (RccPacer *p, uint32_t bps, uint32_t bytes, uint32_t id)
{
  p->probe_id = bps > 0 ? id : 0;       /* no rate, no cluster */
  p->probe_bps = bps;
  p->probe_bytes = bytes;
  p->probe_start = RCC_NEVER;
  p->probe_sent_bytes = 0;
  p->probe_sent_packets = 0;
}

void
rcc_pacer_queued (RccPacer *p, uint32_t size, RccTime now)
{
  if (p->queued_packets == 0)
    pay (p, now);                       /* until now nothing waited */
  p->queued_bytes += size;
  p->queued_packets++;
}

void
rcc_pacer_removed (RccPacer *p, uint32_t size)
{
  p->queued_bytes -= RCC_MIN (size, p->queued_bytes);
  p->queued_packets -= p->queued_packets > 0;
}

RccTime
rcc_pacer_queue_time (const RccPacer *p)
{
  const double owed = 8.0 * (double) p->queued_bytes + p->debt;

  if (p->queued_bytes == 0)
    return 0;
  if (p->bps == 0)
    return RCC_NEVER;
  return owed > 0 ? (RccTime) (owed * 1e9 / rate (p)) : 0;
}

static RccPacerVerdict
next_of_probe (RccPacer *p, RccTime now, RccTime *when)
{
  const double sent = 8e9 * (double) p->probe_sent_bytes;

  if (p->probe_start == RCC_NEVER)
    p->probe_start = now;
  *when = p->probe_start + (RccTime) (sent / p->probe_bps);
  if (*when > now)
    return RCC_PACER_WAIT;
  return p->queued_packets > 0 ? RCC_PACER_MEDIA : RCC_PACER_PADDING;
}

static bool
may_probe (const RccPacer *p)
{
  return p->probe_id && p->queued_packets > 0
      && (p->may_pad || p->queued_bytes >= p->probe_bytes);
}

static bool
is_probing (const RccPacer *p)
{
  return p->probe_id && p->probe_start != RCC_NEVER;
}

/* When the next group may begin.  With credit, what the last one had too much comes first. */
static RccTime
group_due (const RccPacer *p)
{
  RccTime due = p->burst;

  if (p->debt < 0.0 && p->group_bits > p->group_max)
    due = RCC_MAX (due, (RccTime) ((p->group_bits - p->group_max) * 1e9
            / (CATCH_UP * rate (p))) + 1);
  return p->group_start + due;
}

static void
begin_group (RccPacer *p, RccTime now)
{
  const RccTime since = now - p->group_start;
  const double owed = RCC_MAX (p->group_bits - p->group_max, 0.0);

  p->group_max = RCC_MIN (bits_in (CATCH_UP * rate (p), since) - owed,
      bits_in (rate (p), RCC_PACER_GROUP));
  p->group_bits = 0.0;
  p->group_start = now;
  p->group_full = false;
}

/* A group is a packet at least.  What credit it may use is bounded, what it may owe is
 * not: then the debt decides. */
static bool
has_room (const RccPacer *p)
{
  if (p->group_full || p->debt >= p->budget)
    return false;
  if (p->group_bits == 0.0)
    return true;
  if (p->group_bits + 8.0 * p->last_size > bits_in (rate (p), RCC_PACER_GROUP))
    return false;
  return p->debt >= 0.0 || p->group_bits < p->group_max;
}

RccPacerVerdict
rcc_pacer_next (RccPacer *p, RccTime now, RccTime *when)
{
  RccTime due;

  pay (p, now);
  *when = RCC_NEVER;
  if (is_probing (p) && now > p->probe_start + PROBE_TIMEOUT)
    p->probe_id = 0;
  if (p->bps == 0)
    return RCC_PACER_WAIT;
  if (is_probing (p) || may_probe (p))
    return next_of_probe (p, now, when);
  if (p->queued_packets == 0)
    return RCC_PACER_WAIT;
  if (p->idle_credit && p->debt < 0.0)
    return RCC_PACER_MEDIA;

  if (now >= group_due (p) && p->debt < p->budget)
    begin_group (p, now);
  if (has_room (p))
    return RCC_PACER_MEDIA;
  p->group_full = true;
  due = now;
  if (p->debt >= p->budget)
    due += (RccTime) ((p->debt - p->budget) * 1e9 / rate (p)) + 1;
  *when = RCC_MAX (due, group_due (p));
  return RCC_PACER_WAIT;
}

static void
count_probe (RccPacer *p, uint32_t size)
{
  p->probe_sent_bytes += size;
  p->probe_sent_packets++;
  if (p->probe_sent_bytes >= p->probe_bytes
      && p->probe_sent_packets >= RCC_PACER_PROBE_PACKETS)
    p->probe_id = 0;
}

uint32_t
rcc_pacer_sent (RccPacer *p, uint32_t size, RccTime now)
{
  const uint32_t id = is_probing (p) ? p->probe_id : 0;

  pay (p, now);
  if (id)
    p->debt = RCC_MAX (p->debt, RCC_MIN (p->debt + 8.0 * size, owed_max (p)));
  else
    p->debt += 8.0 * size;
  p->group_bits += 8.0 * size;
  p->last_size = size;
  if (id)
    count_probe (p, size);
  return id;
}
