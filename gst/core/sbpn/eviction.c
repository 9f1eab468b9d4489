/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/eviction.h"

#define NONE RCC_SBPN_NONE

static inline const RccSbpnEntry *
at (const RccSbpnQueue *q, uint32_t e)
{
  return &q->entries[e];
}

static inline unsigned
priority (const RccSbpnQueue *q, uint32_t e)
{
  return q->classes[at (q, e)->packet.class_index].config.priority;
}

/* What has expired, of the lowest priority the most expired. */
static uint32_t
most_expired (const RccSbpnQueue *q, RccTime limit)
{
  uint32_t worst = NONE;

  rcc_sbpn_each (k, q->busy) {
    const uint32_t e = q->classes[k].rows[RCC_SBPN_DROPPABLE].first;

    if (e == NONE || at (q, e)->packet.expiry >= limit)
      continue;
    if (worst == NONE || priority (q, e) > priority (q, worst)
        || (priority (q, e) == priority (q, worst)
            && rcc_sbpn_queue_before (q, e, worst)))
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

/* Above 0 where the class of @a holds more of the room for its weight than that of @b, below 0
 * where less. 0: they are even. */
static int
heavier (const RccSbpnQueue *q, uint32_t a, uint32_t b, bool by_bytes)
{
  const RccSbpnClass *x = &q->classes[at (q, a)->packet.class_index];
  const RccSbpnClass *y = &q->classes[at (q, b)->packet.class_index];
  const uint64_t held_x = by_bytes ? x->count.queued.bytes : x->count.queued.packets;
  const uint64_t held_y = by_bytes ? y->count.queued.bytes : y->count.queued.packets;
  const double product_x = (double) held_x * weight_of (y);
  const double product_y = (double) held_y * weight_of (x);

  return (product_x > product_y) - (product_x < product_y);
}

/* Of the class that has to give way in @row, the one that expires last. */
static uint32_t
least_wanted (const RccSbpnQueue *q, RccSbpnRow row, bool weighted, bool by_bytes)
{
  uint32_t worst = NONE;

  rcc_sbpn_each (k, q->busy) {
    const uint32_t e = q->classes[k].rows[row].last;
    int h;

    if (e == NONE)
      continue;
    h = worst == NONE ? 1 : weighted ? heavier (q, e, worst, by_bytes) : 0;
    if (h > 0 || (h == 0 && rcc_sbpn_queue_better (q, e, worst) == worst))
      worst = e;
  }
  return worst;
}

/* One entry stays free for the packet that arrives. */
static uint32_t
max_packets (const RccSbpnQueue *q, const RccSbpnConfig *config)
{
  const uint32_t room = q->capacity > 1 ? q->capacity - 1 : 1;

  return config->max_packets > 0 ? RCC_MIN (config->max_packets, room) : room;
}

static bool
is_too_old (const RccSbpnQueue *q, uint32_t e, RccTime max_time, RccTime now)
{
  const RccTime queued = at (q, e)->queued;

  return now > queued && now - queued > max_time;
}

uint32_t
rcc_sbpn_victim (const RccSbpnQueue *q, const RccSbpnConfig *config, RccTime now,
    RccTime deadline, RccSbpnCause *cause)
{
  const RccSbpnCount *held = &q->total.queued;
  const bool weighted = config->mode == RCC_SBPN_WEIGHTED;
  const bool fifo = config->mode == RCC_SBPN_FIFO;
  const bool by_bytes = config->max_bytes > 0 && held->bytes > config->max_bytes;
  uint32_t e = rcc_sbpn_queue_doomed (q);

  *cause = RCC_SBPN_FRAME;
  if (e != NONE)
    return e;
  *cause = RCC_SBPN_OLD;
  e = rcc_sbpn_queue_oldest (q, fifo);
  if (e != NONE && is_too_old (q, e, config->max_time, now))
    return e;
  *cause = RCC_SBPN_FULL;
  if (!by_bytes && held->packets <= max_packets (q, config))
    return NONE;
  if (fifo)
    return rcc_sbpn_queue_youngest (q);
  e = most_expired (q, deadline);
  if (e == NONE)
    e = least_wanted (q, RCC_SBPN_DROPPABLE, weighted, by_bytes);
  if (e == NONE)
    e = least_wanted (q, RCC_SBPN_KEPT, weighted, by_bytes);
  return e;
}
