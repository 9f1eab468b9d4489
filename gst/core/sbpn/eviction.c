/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/eviction.h"

#define NONE RCC_SBPN_NONE

static inline const RccSbpnEntry *
at (const RccSbpn *q, uint32_t e)
{
  return &q->queue.entries[e];
}

static inline unsigned
priority (const RccSbpn *q, uint32_t e)
{
  return q->queue.classes[at (q, e)->packet.class_index].config.priority;
}

/* What has expired, of the lowest priority the most expired. */
static uint32_t
most_expired (const RccSbpn *q, RccTime limit)
{
  uint32_t worst = NONE;

  rcc_sbpn_each (k, q->queue.busy) {
    const uint32_t e = q->queue.classes[k].rows[RCC_SBPN_DROPPABLE].first;

    if (e == NONE || at (q, e)->packet.expiry >= limit)
      continue;
    if (worst == NONE || priority (q, e) > priority (q, worst)
        || (priority (q, e) == priority (q, worst)
            && rcc_sbpn_queue_before (&q->queue, e, worst)))
      worst = e;
  }
  return worst;
}

/* Weight 0 is less than any: were it none, a class that holds nothing would be even with
 * all others. */
static inline double
weight_of (const RccSbpnClass *c)
{
  return c->config.weight > 0 ? c->config.weight : 1e-9;
}

/* Above 0 where the class of @a holds more of the room for its weight than that of @b,
 * below where less; 0: they are even, or the mode does not ask. */
static int
heavier (const RccSbpn *q, uint32_t a, uint32_t b, bool by_bytes)
{
  const RccSbpnClass *x = &q->queue.classes[at (q, a)->packet.class_index];
  const RccSbpnClass *y = &q->queue.classes[at (q, b)->packet.class_index];
  const uint64_t held_x = by_bytes ? x->count.queued.bytes : x->count.queued.packets;
  const uint64_t held_y = by_bytes ? y->count.queued.bytes : y->count.queued.packets;
  const double product_x = (double) held_x * weight_of (y);
  const double product_y = (double) held_y * weight_of (x);

  if (q->config.mode != RCC_SBPN_WEIGHTED)
    return 0;
  return (product_x > product_y) - (product_x < product_y);
}

/* Of the class that has to give way in @row, the one that expires last. */
static uint32_t
least_wanted (const RccSbpn *q, RccSbpnRow row, bool by_bytes)
{
  uint32_t worst = NONE;

  rcc_sbpn_each (k, q->queue.busy) {
    const uint32_t e = q->queue.classes[k].rows[row].last;
    int h;

    if (e == NONE)
      continue;
    h = worst == NONE ? 1 : heavier (q, e, worst, by_bytes);
    if (h > 0 || (h == 0 && rcc_sbpn_queue_better (&q->queue, e, worst) == worst))
      worst = e;
  }
  return worst;
}

/* One entry stays free for the packet that arrives. */
static uint32_t
max_packets (const RccSbpn *q)
{
  const uint32_t room = q->queue.capacity > 1 ? q->queue.capacity - 1 : 1;

  return q->config.max_packets > 0 ? RCC_MIN (q->config.max_packets, room) : room;
}

static bool
is_too_old (const RccSbpn *q, uint32_t e, RccTime now)
{
  const RccTime queued = at (q, e)->queued;

  return now > queued && now - queued > q->config.max_time;
}

uint32_t
rcc_sbpn_victim (const RccSbpn *q, RccTime now, RccSbpnCause *cause)
{
  const RccSbpnCount *held = &q->queue.total.queued;
  const bool fifo = q->config.mode == RCC_SBPN_FIFO;
  const bool by_bytes = q->config.max_bytes > 0 && held->bytes > q->config.max_bytes;
  uint32_t e = rcc_sbpn_queue_doomed (&q->queue);

  *cause = RCC_SBPN_FRAME;
  if (e != NONE)
    return e;
  *cause = RCC_SBPN_OLD;
  e = rcc_sbpn_queue_oldest (&q->queue, fifo);
  if (e != NONE && is_too_old (q, e, now))
    return e;
  *cause = RCC_SBPN_FULL;
  if (!by_bytes && held->packets <= max_packets (q))
    return NONE;
  if (fifo)
    return rcc_sbpn_queue_youngest (&q->queue);
  e = most_expired (q, rcc_sbpn_deadline (q, now));
  if (e == NONE)
    e = least_wanted (q, RCC_SBPN_DROPPABLE, by_bytes);
  if (e == NONE)
    e = least_wanted (q, RCC_SBPN_KEPT, by_bytes);
  return e;
}
