/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * link.h - one direction of a simulated link, without clock, thread or I/O
 *
 *   push -> [random loss] -> queue (drop-tail, CoDel, max-age) -> server
 *        -> one-way delay + jitter + reordering -> pop
 *
 * The server works in virtual time.  When a packet leaves is computed from what was
 * pushed and configured, and when, never from when the owner asks.  So a late call moves
 * nothing.  The arithmetic is exact: a busy server neither gains nor loses a nanosecond.
 * A change of rate re-times the packet in service: its remaining bits go at the new rate.
 * Where something arrives at the instant at which the server acts, the server acts first.
 *
 * Calls do not overlap and @now does not run backwards (it is clamped).  The
 * owner applies what is due (rcc_scenario_apply()) before it pushes or pops.
 *
 * Packets are opaque: a cookie, a size and an ECN codepoint.  Each accepted
 * packet comes back from rcc_link_pop() or rcc_link_drain() exactly once.
 */
#ifndef RCC_LINK_LINK_H
#define RCC_LINK_LINK_H

#include "core/rng.h"
#include "core/stats.h"
#include "link/codel.h"
#include "link/delay.h"
#include "link/packets.h"
#include "link/trace.h"

#define RCC_LINK_UNLIMITED UINT64_MAX   /* a rate: no serialisation time, no queue */
#define RCC_LINK_MAX_SIZE (1u << 24)    /* bytes of one packet, overhead included */

typedef enum { RCC_LIMIT_NONE, RCC_LIMIT_PACKETS, RCC_LIMIT_BYTES, RCC_LIMIT_TIME }
  RccLimitUnit;

/* What may wait besides the packet at the head, which is in service. A limit of 0 is a link
 * without a queue. Time is turned into bytes at the current capacity. That is the rate (while it
 * is 0, the last one above 0), or the trace's mean. */
typedef struct {
  RccLimitUnit unit;
  uint64_t value;                       /* packets, bytes or ns */
} RccLinkLimit;

typedef enum { RCC_AQM_DROPTAIL, RCC_AQM_CODEL } RccLinkAqm;

typedef struct {
  uint64_t rate_bps;                    /* 0: nothing leaves; RCC_LINK_UNLIMITED */
  const RccTrace *trace;                /* in place of the rate, or NULL; not owned */
  RccTime delay;                        /* one way */
  RccTime jitter;                       /* largest extra delay, see delay.h */
  double reorder;                       /* 0..1, each packet on its own: it comes later ... */
  RccTime reorder_by;                   /* ... by up to this, and others overtake it */
  RccLinkLimit queue;
  RccLinkLimit ecn_threshold;           /* an ECT packet that finds more is marked CE ... */
  uint64_t ecn_ramp;                    /* ... never at it, always at so much more, in its unit
                                         * (a ramp as in RFC 9332, A.1); 0: a step */
  RccLinkAqm aqm;
  bool ecn;                             /* CoDel marks ECT packets, drops the others */
  double loss;                          /* 0..1, each packet on its own */
  double ge_p, ge_r;                    /* good -> bad, bad -> good, per packet; all
                                           packets of the bad state are lost */
  RccTime max_age;                      /* RCC_NEVER: none */
  uint32_t bucket;                      /* bytes that leave at once after a pause, as tc-tbf(8)
                                         * has it; the rate fills it.  0, or on a trace: none */
  uint32_t overhead;                    /* bytes added to each packet: 28 = UDP, IPv4 */
} RccLinkConfig;

/* At any time packets_in = packets_out + dropped + queue_packets + flight_packets.  There
 * packets_out and the drops in the queue count what was popped.  The same holds for bytes.  Bytes
 * include the overhead. */
typedef struct {
  uint64_t packets_in, bytes_in, packets_out, bytes_out;
  uint64_t dropped[RCC_LINK_OUTCOMES];  /* by RccLinkOutcome; [RCC_LINK_PASSED]: all */
  uint64_t bytes_dropped;
  uint64_t marked;                      /* set to CE here */
  uint32_t queue_packets, flight_packets;
  uint64_t queue_bytes, flight_bytes;   /* queue: head included; flight: delay line */
  RccTime queue_time;                   /* see rcc_link_queue_time() */
  uint64_t capacity_bps;                /* see rcc_link_capacity() */
} RccLinkStats;

extern const RccField rcc_link_fields[];        /* over RccLinkStats */

typedef struct {                        /* all private */
  RccLinkConfig config;
  RccRng loss_rng, mark_rng;            /* apart, as the delay line's: jitter moves no loss */
  RccDelayLine line;
  bool bad;                             /* Gilbert-Elliott state */
  RccCodel codel;
  RccTime now;                          /* everything up to here has happened */
  RccTime since;                        /* `work' was right then */
  uint64_t work;                        /* of the head, in bits * 1e9 */
  uint64_t tokens;                      /* of the bucket, like `work', at `since' */
  bool started;                         /* the head is in service */
  uint64_t last_rate;                   /* the last above 0 */
  RccTime trace_start;
  RccTraceCursor cursor;                /* the next slot, while the queue has packets */
  RccLinkPool pool;
  RccLinkFifo queue, flight, dropped;
  RccLinkStats stats;
} RccLink;

/* 0 delay, unlimited rate, 300 ms drop-tail queue (RFC 8867 section 4), no loss,
 * 28 bytes overhead. */
RccLinkConfig rcc_link_config_default (void);

/* @config NULL: the default.  Time begins at 0. */
void rcc_link_init (RccLink *l, const RccLinkConfig *config, uint64_t seed);
/* Frees the link's own memory; cookies are the owner's: drain first. */
void rcc_link_clear (RccLink *l);
/* Takes effect at @now.  A trace other than the current one starts at @now. */
void rcc_link_configure (RccLink *l, const RccLinkConfig *config, RccTime now);

/* RCC_LINK_PASSED: accepted; else the packet is dropped and its cookie not kept. */
RccLinkOutcome rcc_link_push (RccLink *l, uint64_t cookie, uint32_t size, RccEcn ecn,
    RccTime now);
/* No packet is delivered before this time, unless something is pushed or configured.
 * RCC_NEVER: none at all.  A time in the past: pop now. */
RccTime rcc_link_next (const RccLink *l);
/* The next packet that was delivered or dropped up to @now, in order of time. */
bool rcc_link_pop (RccLink *l, RccTime now, RccLinkPacket *out);
/* Any packet that is left, as dropped; false when the link is empty. */
bool rcc_link_drain (RccLink *l, RccLinkPacket *out);

/* How long what is queued at @now takes to leave at the current capacity.  On a trace these are
 * its real slots; at rate 0 it is the age of the head. */
RccTime rcc_link_queue_time (RccLink *l, RccTime now);
/* bit/s: the rate, or what the trace offered in the second before @now.  Unlimited
 * is RCC_LINK_UNLIMITED. */
uint64_t rcc_link_capacity (const RccLink *l, RccTime now);
RccLinkStats rcc_link_stats (RccLink *l, RccTime now);

#endif
