/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/pacer.h"

#define PROBE_TIMEOUT (200 * RCC_MSEC)  /* a cluster that starved says nothing */
#define OWED_MAX (100 * RCC_MSEC)       /* what a probe or a former rate leaves behind */

static double
budget (const RccPacer *p)
{
  return RCC_MAX ((double) p->bps * (double) p->burst * 1e-9, 1.0);
}

void
rcc_pacer_init (RccPacer *p, uint32_t bps, RccTime burst, RccTime max_queue,
    RccTime now)
{
  *p = (RccPacer) {
    .bps = bps, .burst = burst, .max_queue = max_queue,
    .updated = now, .group_start = now,
  };
  p->budget = budget (p);
}

static void
pay (RccPacer *p, RccTime now)
{
  double paid;

  if (now == p->updated)                /* a packet is asked for, then sent */
    return;
  paid = (double) p->bps * (double) (int64_t) (now - p->updated) * 1e-9;
  p->debt = RCC_MAX (p->debt - paid, 0.0);
  p->updated = now;
}

/* Media must not wait until a much lower rate has paid for what left at a higher
 * one. */
static double
owed_max (const RccPacer *p)
{
  return (double) p->bps * (double) OWED_MAX * 1e-9;
}

void
rcc_pacer_set_rate (RccPacer *p, uint32_t bps, RccTime now)
{
  pay (p, now);
  p->bps = bps;
  p->budget = budget (p);
  p->debt = RCC_MIN (p->debt, owed_max (p));
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
rcc_pacer_queued (RccPacer *p, uint32_t size)
{
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
  if (p->queued_bytes == 0)
    return 0;
  if (p->bps == 0)
    return RCC_NEVER;
  return (RccTime) (((double) p->queued_bytes * 8.0 + p->debt) * 1e9 / p->bps);
}

bool
rcc_pacer_over (const RccPacer *p)
{
  return p->queued_packets > 1 && rcc_pacer_queue_time (p) > p->max_queue;
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

RccPacerVerdict
rcc_pacer_next (RccPacer *p, RccTime now, RccTime *when)
{
  RccTime due;

  pay (p, now);
  *when = RCC_NEVER;
  if (p->probe_id && p->probe_start != RCC_NEVER
      && now > p->probe_start + PROBE_TIMEOUT)
    p->probe_id = 0;
  if (p->bps == 0)
    return RCC_PACER_WAIT;
  if (p->probe_id && (p->queued_packets > 0 || p->probe_start != RCC_NEVER))
    return next_of_probe (p, now, when);
  if (p->queued_packets == 0)
    return RCC_PACER_WAIT;

  if (now >= p->group_start + p->burst && p->debt < p->budget) {
    p->group_start = now;
    p->group_full = false;
  }
  if (!p->group_full && p->debt < p->budget)
    return RCC_PACER_MEDIA;
  p->group_full = true;
  due = now;
  if (p->debt >= p->budget)
    due += (RccTime) ((p->debt - p->budget) * 1e9 / p->bps) + 1;
  *when = RCC_MAX (due, p->group_start + p->burst);
  return RCC_PACER_WAIT;
}

uint32_t
rcc_pacer_sent (RccPacer *p, uint32_t size, bool padding, RccTime now)
{
  const uint32_t id = p->probe_id && p->probe_start != RCC_NEVER ? p->probe_id : 0;

  pay (p, now);
  if (id)
    p->debt = RCC_MAX (p->debt, RCC_MIN (p->debt + 8.0 * size, owed_max (p)));
  else
    p->debt += 8.0 * size;
  if (!padding)
    rcc_pacer_removed (p, size);
  if (id) {
    p->probe_sent_bytes += size;
    p->probe_sent_packets++;
    if (p->probe_sent_bytes >= p->probe_bytes
        && p->probe_sent_packets >= RCC_PACER_PROBE_PACKETS)
      p->probe_id = 0;
  }
  return id;
}
