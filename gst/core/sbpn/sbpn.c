/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/sbpn.h"
#include "core/sbpn/eviction.h"

#define NONE RCC_SBPN_NONE

#define COUNT(T, member, name) \
  RCC_FIELD (T, member.packets, "packets-" name, RCC_U64, ""), \
  RCC_FIELD (T, member.bytes, "bytes-" name, RCC_U64, "B")

#define COUNTERS(T, count) \
  COUNT (T, count.in, "in"), \
  COUNT (T, count.sent, "sent"), \
  COUNT (T, count.sent_expired, "sent-expired"), \
  COUNT (T, count.dropped[RCC_SBPN_EXPIRED], "dropped-expired"), \
  COUNT (T, count.dropped[RCC_SBPN_FULL], "dropped-full"), \
  COUNT (T, count.dropped[RCC_SBPN_OLD], "dropped-old"), \
  COUNT (T, count.dropped[RCC_SBPN_FRAME], "dropped-frame"), \
  COUNT (T, count.dropped[RCC_SBPN_FLUSHED], "flushed"), \
  RCC_FIELD (T, count.queued.packets, "queue-packets", RCC_U64, ""), \
  RCC_FIELD (T, count.queued.bytes, "queue-bytes", RCC_U64, "B"), \
  RCC_FIELD (T, count.broken_frames, "frames-broken", RCC_U64, ""), \
  RCC_FIELD (T, count.broken_begun, "frames-broken-begun", RCC_U64, ""), \
  RCC_FIELD (T, count.queue_time, "queue-time", RCC_TIME, "ns"), \
  RCC_FIELD (T, count.queue_time_max, "queue-time-max", RCC_TIME, "ns")

const RccField rcc_sbpn_fields[] = {
  COUNTERS (RccSbpn, queue.total),
  RCC_FIELD (RccSbpn, owd, "one-way-delay-used", RCC_TIME, "ns"),
  RCC_FIELDS_END,
};

const RccField rcc_sbpn_class_fields[] = {
  COUNTERS (RccSbpnClass, count),
  RCC_FIELDS_END,
};

const char *const rcc_sbpn_mode_names[] = {
  "fifo", "sbpn1", "sbpn2", "sbpn3", "weighted", NULL
};

const char *const rcc_sbpn_cause_names[] = {
  "expired", "full", "old", "frame", "flushed", NULL
};

RccSbpnConfig
rcc_sbpn_config (void)
{
  return (RccSbpnConfig) {
    .mode = RCC_SBPN_2, .max_time = RCC_NEVER,
    .priority_weight = 100 * RCC_MSEC, .deficit_limit = 3000,
  };
}

void
rcc_sbpn_init (RccSbpn *q, const RccSbpnConfig *config, RccSbpnEntry *entries,
    uint32_t capacity, RccSbpnClass *classes, uint32_t n_classes)
{
  q->owd = 0;
  q->share = (RccSbpnShare) { 0 };
  rcc_sbpn_queue_init (&q->queue, entries, capacity, classes, n_classes);
  rcc_sbpn_adjust (q, config);
}

void
rcc_sbpn_grow (RccSbpn *q, RccSbpnEntry *entries, uint32_t capacity)
{
  rcc_sbpn_queue_grow (&q->queue, entries, capacity);
}

void
rcc_sbpn_grow_classes (RccSbpn *q, RccSbpnClass *classes, uint32_t n)
{
  rcc_sbpn_queue_grow_classes (&q->queue, classes, n);
}

void
rcc_sbpn_adjust (RccSbpn *q, const RccSbpnConfig *config)
{
  q->config = *config;
  q->share.deficit_limit = config->deficit_limit;
}

static RccSbpnCounters
queued_alone (const RccSbpnCounters *c)
{
  return (RccSbpnCounters) { .in = c->queued, .queued = c->queued };
}

void
rcc_sbpn_count_anew (RccSbpn *q)
{
  q->queue.total = queued_alone (&q->queue.total);
  for (uint32_t k = 0; k < q->queue.n_classes; k++)
    q->queue.classes[k].count = queued_alone (&q->queue.classes[k].count);
}

void
rcc_sbpn_set_class (RccSbpn *q, uint32_t k, const RccSbpnClassConfig *config)
{
  RccSbpnClass *c = &q->queue.classes[k];

  if (!c->open)
    c->count = (RccSbpnCounters) { 0 };
  c->open = true;
  c->config = *config;
  q->share.weight[k] = config->weight;
}

bool
rcc_sbpn_close_class (RccSbpn *q, uint32_t k)
{
  RccSbpnClass *c = &q->queue.classes[k];

  if (c->count.queued.packets > 0)
    return false;
  c->open = false;
  q->share.weight[k] = 0;
  q->share.owed[k] = 0;
  rcc_sbpn_queue_forget (&q->queue, k);
  return true;
}

const RccSbpnClass *
rcc_sbpn_class (const RccSbpn *q, uint32_t k)
{
  static const RccSbpnClass closed = { .open = false };

  return k < q->queue.n_classes ? &q->queue.classes[k] : &closed;
}

void
rcc_sbpn_set_owd (RccSbpn *q, RccTime owd)
{
  q->owd = owd == RCC_NEVER ? 0 : owd;
}

static inline const RccSbpnEntry *
at (const RccSbpn *q, uint32_t e)
{
  return &q->queue.entries[e];
}

static void
count (RccSbpnCount *c, uint32_t size)
{
  c->packets++;
  c->bytes += size;
}

static void
uncount (RccSbpnCount *c, uint32_t size)
{
  c->packets--;
  c->bytes -= size;
}

bool
rcc_sbpn_put (RccSbpn *q, const RccSbpnPacket *packet, RccTime now)
{
  RccSbpnCounters *counters[] = { &q->queue.total, NULL };

  if (packet->class_index >= q->queue.n_classes || !q->queue.classes[packet->class_index].open
      || rcc_sbpn_queue_add (&q->queue, packet, now) == NONE)
    return false;
  counters[1] = &q->queue.classes[packet->class_index].count;
  for (int i = 0; i < 2; i++) {
    count (&counters[i]->in, packet->size);
    count (&counters[i]->queued, packet->size);
  }
  return true;
}

/* Out of the queue, into @out. */
static void
take (RccSbpn *q, uint32_t e, RccTime now, RccSbpnOut *out)
{
  const RccSbpnEntry *entry = at (q, e);
  const uint32_t k = entry->packet.class_index;

  *out = (RccSbpnOut) {
    .packet = entry->packet,
    .queue_time = now > entry->queued ? now - entry->queued : 0,
    .frame_begun = entry->flags & RCC_SBPN_BEGUN,
  };
  rcc_sbpn_queue_remove (&q->queue, e);
  uncount (&q->queue.total.queued, out->packet.size);
  uncount (&q->queue.classes[k].count.queued, out->packet.size);
  if (!(q->queue.busy >> k & 1))
    q->share.owed[k] = 0;
}

static void
drop (RccSbpn *q, uint32_t e, RccSbpnCause cause, RccTime now, RccSbpnOut *out)
{
  const bool breaks = cause < RCC_SBPN_FRAME && rcc_sbpn_queue_break (&q->queue, e);
  const bool up_to_key = q->queue.classes[at (q, e)->packet.class_index].config.up_to_key;
  const bool key_follows = breaks && up_to_key
      && rcc_sbpn_queue_doom_up_to_key (&q->queue, e);
  RccSbpnCounters *counters[] = {
    &q->queue.total, &q->queue.classes[at (q, e)->packet.class_index].count
  };

  take (q, e, now, out);
  out->cause = cause;
  out->breaks_frame = breaks;
  out->key_follows = key_follows;
  for (int i = 0; i < 2; i++) {
    count (&counters[i]->dropped[cause], out->packet.size);
    counters[i]->broken_frames += breaks;
    counters[i]->broken_begun += breaks && out->frame_begun;
  }
}

static void
send (RccSbpn *q, uint32_t e, RccTime now, RccSbpnOut *out)
{
  RccSbpnCounters *counters[] = {
    &q->queue.total, &q->queue.classes[at (q, e)->packet.class_index].count
  };
  const bool begun = at (q, e)->flags & RCC_SBPN_BEGUN;

  rcc_sbpn_queue_begin (&q->queue, e);
  take (q, e, now, out);
  out->frame_begun = begun;
  out->expired = out->packet.expiry < rcc_sbpn_deadline (q, now);
  for (int i = 0; i < 2; i++) {
    count (&counters[i]->sent, out->packet.size);
    if (out->expired)
      count (&counters[i]->sent_expired, out->packet.size);
    counters[i]->queue_time = out->queue_time;
    counters[i]->queue_time_max = RCC_MAX (counters[i]->queue_time_max, out->queue_time);
  }
}

static uint32_t
strict_first (const RccSbpn *q)
{
  uint32_t first = NONE;

  rcc_sbpn_each (k, q->queue.busy)
    first = rcc_sbpn_queue_better (&q->queue, first,
        rcc_sbpn_queue_first (&q->queue, k));
  return first;
}

static uint32_t
strict_live (RccSbpn *q, RccTime limit)
{
  uint32_t first = NONE;

  rcc_sbpn_each (k, q->queue.busy)
    first = rcc_sbpn_queue_better (&q->queue, first,
        rcc_sbpn_queue_live (&q->queue, k, limit));
  return first;
}

static uint32_t
with_live (RccSbpn *q, RccTime limit)
{
  uint32_t live = 0;

  rcc_sbpn_each (k, q->queue.busy)
    if (rcc_sbpn_queue_live (&q->queue, k, limit) != NONE)
      live |= UINT32_C (1) << k;
  return live;
}

/* ns; lower goes first, RCC_NEVER last. */
static RccTime
score (const RccSbpn *q, uint32_t e, RccTime limit)
{
  const RccTime expiry = at (q, e)->packet.expiry, step = q->config.priority_weight;
  const RccTime left = expiry > limit ? expiry - limit : 0;
  const uint64_t p = q->queue.classes[at (q, e)->packet.class_index].config.priority;

  if (expiry == RCC_NEVER || (step > 0 && p > (RCC_NEVER - left) / step))
    return RCC_NEVER;
  return p * step + left;
}

static uint32_t
weighted_live (RccSbpn *q, RccTime limit)
{
  const uint32_t live = with_live (q, limit);
  const uint32_t owed = rcc_sbpn_share_first (&q->share, live);
  uint32_t first = NONE;
  RccTime lowest = RCC_NEVER;

  if (owed != NONE)
    return rcc_sbpn_queue_live (&q->queue, owed, limit);
  rcc_sbpn_each (k, live) {
    const uint32_t e = rcc_sbpn_queue_live (&q->queue, k, limit);
    const RccTime s = score (q, e, limit);

    if (first == NONE || s < lowest
        || (s == lowest && rcc_sbpn_queue_better (&q->queue, first, e) == e)) {
      first = e;
      lowest = s;
    }
  }
  return first;
}

static bool
is_alone (const RccSbpn *q, uint32_t e)
{
  if (q->queue.classes[at (q, e)->packet.class_index].config.whole_frames)
    return q->queue.units == 1;
  return q->queue.total.queued.packets == 1;
}

/* Whether the first in strict order is not worth sending. */
static bool
is_refused (const RccSbpn *q, uint32_t e, RccTime limit)
{
  if (at (q, e)->packet.keep || at (q, e)->packet.expiry >= limit)
    return false;
  return q->config.mode == RCC_SBPN_1 || (q->config.mode == RCC_SBPN_2 && !is_alone (q, e));
}

/* The one that leaves next, NONE where nothing is queued, and how. */
static uint32_t
choose (RccSbpn *q, RccTime now, RccSbpnVerdict *verdict, RccSbpnCause *cause)
{
  const RccTime limit = rcc_sbpn_deadline (q, now);
  uint32_t e = rcc_sbpn_queue_doomed (&q->queue);

  *verdict = RCC_SBPN_DROP;
  *cause = RCC_SBPN_FRAME;
  if (e != NONE)
    return e;
  *cause = RCC_SBPN_EXPIRED;
  if (q->config.mode == RCC_SBPN_FIFO)
    e = rcc_sbpn_queue_oldest (&q->queue, true);
  else if (q->config.mode == RCC_SBPN_3)
    e = strict_live (q, limit);
  else if (q->config.mode == RCC_SBPN_WEIGHTED)
    e = weighted_live (q, limit);
  if (e == NONE) {                      /* in sbpn3 and weighted: nothing is live */
    e = strict_first (q);
    if (e == NONE)
      *verdict = RCC_SBPN_EMPTY;
    if (e == NONE || is_refused (q, e, limit))
      return e;
  }
  *verdict = RCC_SBPN_SEND;
  return e;
}

RccSbpnVerdict
rcc_sbpn_next (RccSbpn *q, RccTime now, RccSbpnOut *out)
{
  RccSbpnVerdict verdict;
  RccSbpnCause cause;
  const uint32_t e = choose (q, now, &verdict, &cause);

  if (verdict == RCC_SBPN_DROP)
    drop (q, e, cause, now, out);
  if (verdict != RCC_SBPN_SEND)
    return verdict;
  if (q->config.mode == RCC_SBPN_WEIGHTED)
    rcc_sbpn_share_sent (&q->share, with_live (q, rcc_sbpn_deadline (q, now)),
        at (q, e)->packet.class_index, at (q, e)->packet.size);
  send (q, e, now, out);
  return verdict;
}

RccSbpnVerdict
rcc_sbpn_peek (RccSbpn *q, RccTime now, RccSbpnPacket *packet)
{
  RccSbpnVerdict verdict;
  RccSbpnCause cause;
  const uint32_t e = choose (q, now, &verdict, &cause);

  if (e != NONE)
    *packet = at (q, e)->packet;
  return verdict;
}

bool
rcc_sbpn_overflow (RccSbpn *q, RccTime now, RccSbpnOut *out)
{
  RccSbpnCause cause;
  const uint32_t e = rcc_sbpn_victim (&q->queue, &q->config, now, rcc_sbpn_deadline (q, now),
      &cause);

  if (e != NONE)
    drop (q, e, cause, now, out);
  return e != NONE;
}

bool
rcc_sbpn_flush (RccSbpn *q, uint32_t k, RccSbpnOut *out)
{
  const uint32_t mask = k == RCC_SBPN_ALL ? UINT32_MAX : UINT32_C (1) << k;

  rcc_sbpn_each (i, (q->queue.busy | q->queue.doomed) & mask) {
    const uint32_t doomed = q->queue.classes[i].rows[RCC_SBPN_DOOMED].first;

    drop (q, doomed != NONE ? doomed : rcc_sbpn_queue_first (&q->queue, i),
        RCC_SBPN_FLUSHED, 0, out);
    return true;
  }
  for (uint32_t i = 0; i < q->queue.n_classes; i++)
    if (mask >> i & 1)
      rcc_sbpn_queue_forget (&q->queue, i);
  return false;
}
