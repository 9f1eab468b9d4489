/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/link.h"

#define NONE RCC_LINK_NONE
#define WORK(bytes) ((uint64_t) (bytes) * 8 * RCC_SEC)  /* bits * 1e9 */

const RccField rcc_link_fields[] = {
#define FIELD(member, name, type, unit) RCC_FIELD (RccLinkStats, member, name, type, unit)
  FIELD (packets_in, "packets-in", RCC_U64, ""),
  FIELD (bytes_in, "bytes-in", RCC_U64, "B"),
  FIELD (packets_out, "packets-out", RCC_U64, ""),
  FIELD (bytes_out, "bytes-out", RCC_U64, "B"),
  FIELD (dropped[RCC_LINK_PASSED], "packets-dropped", RCC_U64, ""),
  FIELD (bytes_dropped, "bytes-dropped", RCC_U64, "B"),
  FIELD (dropped[RCC_LINK_DROP_LOSS], "dropped-loss", RCC_U64, ""),
  FIELD (dropped[RCC_LINK_DROP_BURST], "dropped-burst", RCC_U64, ""),
  FIELD (dropped[RCC_LINK_DROP_QUEUE], "dropped-queue", RCC_U64, ""),
  FIELD (dropped[RCC_LINK_DROP_AQM], "dropped-aqm", RCC_U64, ""),
  FIELD (dropped[RCC_LINK_DROP_AGE], "dropped-age", RCC_U64, ""),
  FIELD (dropped[RCC_LINK_DROP_BOUND], "dropped-bound", RCC_U64, ""),
  FIELD (dropped[RCC_LINK_DROP_DRAIN], "dropped-drain", RCC_U64, ""),
  FIELD (marked, "packets-marked", RCC_U64, ""),
  FIELD (queue_packets, "queue-packets", RCC_U32, ""),
  FIELD (queue_bytes, "queue-bytes", RCC_U64, "B"),
  FIELD (queue_time, "queue-time", RCC_TIME, "ns"),
  FIELD (flight_packets, "flight-packets", RCC_U32, ""),
  FIELD (flight_bytes, "flight-bytes", RCC_U64, "B"),
  FIELD (capacity_bps, "capacity", RCC_U64, "bit/s"),
#undef FIELD
  RCC_FIELDS_END
};

static RccTime
later (RccTime t, RccTime span)
{
  return t >= RCC_NEVER - span ? RCC_NEVER : t + span;
}

/* --- the server ----------------------------------------------------------- */

static bool
is_unlimited (const RccLink *l)
{
  return !l->config.trace && l->config.rate_bps == RCC_LINK_UNLIMITED;
}

/* When the server acts next: the head is out (rate) or a slot comes (trace). */
static RccTime
service_time (const RccLink *l)
{
  const uint64_t rate = l->config.rate_bps;

  if (!l->queue.n)
    return RCC_NEVER;
  if (l->config.trace)
    return rcc_trace_time (l->config.trace, &l->cursor, l->trace_start);
  if (rate == RCC_LINK_UNLIMITED)
    return l->since;
  return rate ? later (l->since, l->work / rate + (l->work % rate > 0)) : RCC_NEVER;
}

/* The first packet that only waits, the one that max_age can take. */
static const RccLinkNode *
first_waiting (const RccLink *l)
{
  const uint32_t node = !l->queue.n ? NONE
      : l->started ? l->pool.nodes[l->queue.head].next : l->queue.head;

  return node == NONE ? NULL : &l->pool.nodes[node];
}

static RccTime
age_time (const RccLink *l)
{
  const RccLinkNode *node;

  if (l->config.max_age == RCC_NEVER || !(node = first_waiting (l)))
    return RCC_NEVER;
  return later (node->packet.arrived, l->config.max_age);
}

/* What an idle server would let go at once. */
static uint64_t
tokens (const RccLink *l)
{
  const uint64_t full = WORK (l->config.bucket), rate = l->config.rate_bps;
  const RccTime idle = l->now - l->since;

  if (full == 0 || l->config.trace || rate == 0 || rate == RCC_LINK_UNLIMITED)
    return 0;
  if (l->tokens >= full || idle > (full - l->tokens) / rate)
    return full;
  return l->tokens + rate * idle;
}

static void
drop_waiting (RccLink *l, RccLinkOutcome outcome, RccTime t)
{
  const uint32_t node = rcc_link_fifo_take (&l->pool, &l->queue, l->started);

  l->pool.nodes[node].packet.outcome = outcome;
  l->pool.nodes[node].packet.departed = t;
  l->pool.nodes[node].packet.delivered = RCC_NEVER;
  rcc_link_fifo_append (&l->pool, &l->dropped, node);
}

static void
depart (RccLink *l, RccTime t)
{
  const uint32_t node = rcc_link_fifo_take (&l->pool, &l->queue, false);
  const RccLinkConfig *c = &l->config;
  const RccLinkDelays delays = { c->delay, c->jitter, c->reorder, c->reorder_by };
  RccLinkPacket *packet = &l->pool.nodes[node].packet;
  const RccTime serial = c->trace || is_unlimited (l) || !c->rate_bps ? 0
      : WORK (l->pool.nodes[node].wire) / c->rate_bps;

  packet->departed = t;
  packet->delivered = rcc_delay_line_delivery (&l->line, &delays, t, serial);
  l->started = false;
  rcc_link_fifo_insert (&l->pool, &l->flight, node);
}

/* Puts the head in service at @t, after CoDel has taken what it wants.  @credit: work on it
 * that is done already.  False: the queue is empty now. */
static bool
start (RccLink *l, uint64_t credit, RccTime t)
{
  while (l->queue.n) {
    RccLinkNode *head = &l->pool.nodes[l->queue.head];
    const RccEcn ecn = head->packet.ecn;
    RccCodelVerdict verdict = RCC_CODEL_PASS;

    if (l->config.aqm == RCC_AQM_CODEL)
      verdict = rcc_codel_dequeue (&l->codel, t - head->packet.arrived,
          l->queue.bytes - head->wire, l->config.ecn && ecn != RCC_ECN_NOT_ECT, t);
    if (verdict == RCC_CODEL_DROP) {
      drop_waiting (l, RCC_LINK_DROP_AQM, t);
      continue;
    }
    if (verdict == RCC_CODEL_MARK && ecn != RCC_ECN_CE) {
      head->packet.ecn = RCC_ECN_CE;
      l->stats.marked++;
    }
    l->started = true;
    l->since = t;
    l->work = WORK (head->wire);
    l->tokens = RCC_MIN (credit - RCC_MIN (credit, l->work), WORK (l->config.bucket));
    l->work -= RCC_MIN (credit, l->work);
    return true;
  }
  l->tokens = RCC_MIN (credit, WORK (l->config.bucket));
  l->since = t;
  return false;
}

/* A slot of the trace, at @t: bytes for a mahimahi one, else one packet. */
static void
serve_slot (RccLink *l, RccTime t)
{
  uint64_t budget = WORK (RCC_TRACE_MTU);

  rcc_trace_step (l->config.trace, &l->cursor);
  while (l->started || start (l, 0, t)) {
    const uint64_t done = RCC_MIN (l->work, budget);

    if (l->config.trace->kind == RCC_TRACE_SLOTS) {
      depart (l, t);
      return;
    }
    l->work -= done;
    budget -= done;
    if (l->work > 0)
      return;
    depart (l, t);
    if (!budget)
      return;
  }
}

static void
serve (RccLink *l, RccTime t)
{
  uint64_t credit = 0;

  if (l->config.trace) {
    serve_slot (l, t);
    return;
  }
  /* Departures are rounded up to a nanosecond: the next packet gets the rest of it. */
  if (!is_unlimited (l))
    credit = l->config.rate_bps * (t - l->since) - l->work + l->tokens;
  depart (l, t);
  start (l, credit, t);
}

static void
advance (RccLink *l, RccTime now)
{
  for (;;) {
    const RccTime service = service_time (l), age = age_time (l);

    if (RCC_MIN (service, age) > now)
      break;
    l->now = RCC_MAX (l->now, RCC_MIN (service, age));
    if (age < service)
      drop_waiting (l, RCC_LINK_DROP_AGE, l->now);
    else
      serve (l, service);
  }
  l->now = RCC_MAX (l->now, now);
}

/* --- what enters ---------------------------------------------------------- */

static bool
exceeds (const RccLink *l, RccLinkLimit limit, uint32_t wire)
{
  const RccTrace *trace = l->config.trace;
  uint64_t packets, bytes;

  if (limit.unit == RCC_LIMIT_NONE || !l->queue.n)
    return false;
  packets = l->queue.n;                 /* one of them the head, one the new one */
  bytes = l->queue.bytes - l->pool.nodes[l->queue.head].wire + wire;
  if (limit.unit == RCC_LIMIT_PACKETS)
    return packets > limit.value;
  if (limit.unit == RCC_LIMIT_BYTES)
    return bytes > limit.value;
  if (trace && trace->kind == RCC_TRACE_SLOTS)
    return (double) packets * trace->period * 1e6 > (double) limit.value * trace->n;
  return 8e9 * (double) bytes > (double) limit.value
      * (double) (trace ? rcc_trace_mean_bps (trace) : l->last_rate);
}

static RccLinkOutcome
draw_loss (RccLink *l)
{
  /* the state moves whether or not the packet is lost otherwise */
  if (l->config.ge_p > 0) {
    const double u = rcc_rng_uniform (&l->loss_rng);

    l->bad = l->bad ? u >= l->config.ge_r : u < l->config.ge_p;
  } else {
    l->bad = false;
  }
  if (l->config.loss > 0 && rcc_rng_uniform (&l->loss_rng) < l->config.loss)
    return RCC_LINK_DROP_LOSS;
  return l->bad ? RCC_LINK_DROP_BURST : RCC_LINK_PASSED;
}

static void
count_drop (RccLink *l, RccLinkOutcome outcome, uint64_t wire)
{
  l->stats.dropped[RCC_LINK_PASSED]++;
  l->stats.dropped[outcome]++;
  l->stats.bytes_dropped += wire;
}

/* A threshold drawn evenly from the ramp is a probability that grows evenly along it. */
static RccLinkLimit
mark_threshold (RccLink *l)
{
  RccLinkLimit limit = l->config.ecn_threshold;

  if (l->config.ecn_ramp > 0)
    limit.value += (uint64_t) (rcc_rng_uniform (&l->mark_rng) * (double) l->config.ecn_ramp);
  return limit;
}

static void
enqueue (RccLink *l, uint32_t node, uint32_t wire)
{
  RccLinkPacket *packet = &l->pool.nodes[node].packet;

  if (packet->ecn != RCC_ECN_NOT_ECT && packet->ecn != RCC_ECN_CE
      && exceeds (l, mark_threshold (l), wire)) {
    packet->ecn = RCC_ECN_CE;
    l->stats.marked++;
  }
  l->pool.nodes[node].wire = wire;
  rcc_link_fifo_append (&l->pool, &l->queue, node);
  if (l->queue.n > 1)
    return;
  if (l->config.trace)                  /* the slots that found no packet are lost */
    rcc_trace_seek (l->config.trace, &l->cursor, l->trace_start, l->now);
  else
    start (l, tokens (l), l->now);
}

RccLinkOutcome
rcc_link_push (RccLink *l, uint64_t cookie, uint32_t size, RccEcn ecn, RccTime now)
{
  const uint64_t wire = (uint64_t) size + l->config.overhead;
  RccLinkOutcome outcome;
  uint32_t node = NONE;

  advance (l, now);
  l->stats.packets_in++;
  l->stats.bytes_in += wire;
  outcome = draw_loss (l);
  if (outcome == RCC_LINK_PASSED && wire > RCC_LINK_MAX_SIZE)
    outcome = RCC_LINK_DROP_BOUND;
  if (outcome == RCC_LINK_PASSED && exceeds (l, l->config.queue, (uint32_t) wire))
    outcome = RCC_LINK_DROP_QUEUE;
  if (outcome == RCC_LINK_PASSED && (node = rcc_link_pool_get (&l->pool)) == NONE)
    outcome = RCC_LINK_DROP_BOUND;
  if (outcome != RCC_LINK_PASSED) {
    count_drop (l, outcome, wire);
    return outcome;
  }
  l->pool.nodes[node].packet = (RccLinkPacket) {
    .cookie = cookie, .size = size, .ecn = ecn, .arrived = l->now,
    .departed = RCC_NEVER, .delivered = RCC_NEVER,
  };
  enqueue (l, node, (uint32_t) wire);
  return RCC_LINK_PASSED;
}

/* --- what leaves ---------------------------------------------------------- */

RccTime
rcc_link_next (const RccLink *l)
{
  const RccTime service = service_time (l);
  const RccTime drop = l->dropped.n ? l->pool.nodes[l->dropped.head].packet.departed
      : age_time (l);

  const RccTime delivery = l->flight.n ? l->pool.nodes[l->flight.head].packet.delivered
      : RCC_NEVER;

  /* What leaves the server next may overtake what took the longer way. */
  return RCC_MIN (drop, RCC_MIN (delivery, later (service, l->config.delay)));
}

static void
hand_out (RccLink *l, RccLinkFifo *f, RccLinkPacket *out)
{
  const uint32_t node = rcc_link_fifo_take (&l->pool, f, false);

  *out = l->pool.nodes[node].packet;
  if (out->outcome == RCC_LINK_PASSED) {
    l->stats.packets_out++;
    l->stats.bytes_out += l->pool.nodes[node].wire;
  } else {
    count_drop (l, out->outcome, l->pool.nodes[node].wire);
  }
  rcc_link_pool_free (&l->pool, node);
}

bool
rcc_link_pop (RccLink *l, RccTime now, RccLinkPacket *out)
{
  RccTime drop, delivery;

  advance (l, now);
  drop = l->dropped.n ? l->pool.nodes[l->dropped.head].packet.departed : RCC_NEVER;
  delivery = l->flight.n ? l->pool.nodes[l->flight.head].packet.delivered : RCC_NEVER;
  if (RCC_MIN (drop, delivery) > l->now)
    return false;
  hand_out (l, drop < delivery ? &l->dropped : &l->flight, out);
  return true;
}

bool
rcc_link_drain (RccLink *l, RccLinkPacket *out)
{
  RccLinkFifo *f = l->dropped.n ? &l->dropped : l->flight.n ? &l->flight : &l->queue;

  if (!f->n)
    return false;
  if (f != &l->dropped) {
    l->pool.nodes[f->head].packet.outcome = RCC_LINK_DROP_DRAIN;
    l->pool.nodes[f->head].packet.delivered = RCC_NEVER;
  }
  if (f == &l->queue)
    l->started = false;
  hand_out (l, f, out);
  return true;
}

/* --- life and questions --------------------------------------------------- */

RccLinkConfig
rcc_link_config_default (void)
{
  return (RccLinkConfig) {
    .rate_bps = RCC_LINK_UNLIMITED,
    .queue = { RCC_LIMIT_TIME, 300 * RCC_MSEC },
    .max_age = RCC_NEVER,
    .overhead = 28,
  };
}

void
rcc_link_init (RccLink *l, const RccLinkConfig *config, uint64_t seed)
{
  *l = (RccLink) {
    .config = config ? *config : rcc_link_config_default (), .pool = RCC_LINK_POOL_INIT,
  };
  l->last_rate = l->config.rate_bps ? l->config.rate_bps : RCC_LINK_UNLIMITED;
  rcc_rng_init (&l->loss_rng, seed, 0x1055);
  rcc_delay_line_init (&l->line, seed);
  rcc_rng_init (&l->mark_rng, seed, 0xec9);
  l->tokens = WORK (l->config.bucket);
}

void
rcc_link_clear (RccLink *l)
{
  rcc_link_pool_clear (&l->pool);
}

void
rcc_link_configure (RccLink *l, const RccLinkConfig *config, RccTime now)
{
  const RccLinkConfig old = l->config;

  advance (l, now);
  if (l->started && !old.trace && old.rate_bps != RCC_LINK_UNLIMITED)
    l->work -= old.rate_bps * (l->now - l->since);
  l->tokens = l->started ? l->tokens : tokens (l);
  l->since = l->now;
  if (config->bucket != old.bucket)     /* it comes full, as the kernel's */
    l->tokens = l->started ? 0 : WORK (config->bucket);
  l->config = *config;
  if (config->rate_bps)
    l->last_rate = config->rate_bps;
  if (config->aqm != old.aqm)
    l->codel = (RccCodel) { 0 };
  if (config->trace && config->trace != old.trace) {
    l->trace_start = l->now;
    rcc_trace_seek (config->trace, &l->cursor, l->now, l->now);
  }
  if (!config->trace && !l->started)
    start (l, l->tokens, l->now);
}

RccTime
rcc_link_queue_time (RccLink *l, RccTime now)
{
  const RccTrace *trace = l->config.trace;
  uint64_t work, slots;

  advance (l, now);
  if (!l->queue.n || is_unlimited (l))
    return 0;
  work = WORK (RCC_MIN (l->queue.bytes, UINT32_MAX / 2));      /* no overflow */
  if (l->started)                       /* the head's part that is done */
    work -= WORK (l->pool.nodes[l->queue.head].wire) - l->work;
  if (trace) {
    slots = trace->kind == RCC_TRACE_SLOTS ? l->queue.n
        : (work + WORK (RCC_TRACE_MTU) - 1) / WORK (RCC_TRACE_MTU);
    const RccTraceCursor last = rcc_trace_ahead (trace, l->cursor, slots - 1);

    return rcc_trace_time (trace, &last, l->trace_start) - l->now;
  }
  if (!l->config.rate_bps)
    return l->now - l->pool.nodes[l->queue.head].packet.arrived;
  return l->since + work / l->config.rate_bps + (work % l->config.rate_bps > 0) - l->now;
}

uint64_t
rcc_link_capacity (const RccLink *l, RccTime now)
{
  return l->config.trace
      ? rcc_trace_recent_bps (l->config.trace, l->trace_start, now) : l->config.rate_bps;
}

RccLinkStats
rcc_link_stats (RccLink *l, RccTime now)
{
  RccLinkStats s;

  advance (l, now);
  s = l->stats;
  s.queue_packets = l->queue.n + l->dropped.n;
  s.queue_bytes = l->queue.bytes + l->dropped.bytes;
  s.flight_packets = l->flight.n;
  s.flight_bytes = l->flight.bytes;
  s.queue_time = rcc_link_queue_time (l, l->now);
  s.capacity_bps = rcc_link_capacity (l, l->now);
  return s;
}
