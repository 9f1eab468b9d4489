/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * outqueue.h - the media that waits for the pacer: first in, first out, or scheduled
 * (sbpn.h)
 */
#ifndef RCC_WORLD_OUTQUEUE_H
#define RCC_WORLD_OUTQUEUE_H

#include "core/pacer.h"
#include "core/sbpn.h"
#include "core/sbpn-way.h"
#include "world/packet.h"

#define RCC_OUTQUEUE_ENTRIES 1024       /* that a scheduler holds at most */

typedef struct {
  bool scheduled;                       /* else the oldest falls when more is queued than
                                         * leaves within the pacer's max_queue */
  RccSbpnConfig scheduler;
  RccSbpnClassConfig classes[RCC_WORLD_STREAMS];
  RccSbpnWayKind way;                   /* what an expiry is tested against */
  bool tail_drop;                       /* what finds max_packets there falls, as in the
                                         * paper's kernel; else sbpn.h says who falls */
  bool drops_take_turns;                /* what is dropped for its expiry has had its turn
                                         * of the pacer; else the next has it */
} RccOutqueueConfig;

/* Not scheduled; if it were: sbpn2, audio before video, frames whole. */
RccOutqueueConfig rcc_outqueue_config (void);

typedef struct {
  RccPacer pacer;
  RccDatagram *head, **tail;            /* first in, first out */
  RccSbpn *scheduler;                   /* NULL: that */
  RccSbpnEntry *entries;
  bool tail_drop;
  RccSbpnWay way;
  RccSender ear;                        /* hears for the way what it passes on to */
  RccSender *control;                   /* this one */
} RccOutqueue;

typedef struct {
  RccDatagram *datagram;                /* the caller's from now on */
  bool dropped;                         /* else it is to be sent */
  RccSbpnCause cause;
  bool expired;                         /* to be sent all the same */
} RccOutqueueOut;

void rcc_outqueue_init (RccOutqueue *q, const RccOutqueueConfig *config, uint32_t bps,
    RccTime burst, RccTime max_queue, RccTime now);
void rcc_outqueue_clear (RccOutqueue *q);

/* Takes @d, which is of no use after @expiry; false: there is no room, and it stays the
 * caller's. */
bool rcc_outqueue_put (RccOutqueue *q, RccDatagram *d, RccTime expiry, RccTime now);
/* One datagram that has to go for want of room; false: there is room. */
bool rcc_outqueue_surplus (RccOutqueue *q, RccTime now, RccOutqueueOut *out);
/* The next that leaves, to the network or dropped; false: nothing is queued. */
bool rcc_outqueue_next (RccOutqueue *q, RccTime now, RccOutqueueOut *out);
/* Who is to hear in place of @control, which hears all of it too. */
RccSender *rcc_outqueue_ear (RccOutqueue *q, RccSender *control);
/* The round trip is @rtt (RCC_NEVER: unknown): what expires is tested anew. */
void rcc_outqueue_rtt (RccOutqueue *q, RccTime rtt, RccTime now);
/* A datagram of next() is sent, or padding; returns its probe cluster.  @cost: bytes
 * that the pacer counts it for. */
uint32_t rcc_outqueue_sent (RccOutqueue *q, const RccDatagram *d, uint32_t cost,
    RccTime now);

#endif
