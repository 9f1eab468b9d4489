/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn/sbpn.h - which packet to send next: McDonald and Nelson, "Application-level QoS:
 * Improving Video Conferencing Quality through Sending the Best Packet Next"
 *
 * Whenever the rate control grants a packet, next() says which. It goes by priority, then by
 * expiry. One that would come too late goes never, or last. The owner keeps the packets, the
 * scheduler their descriptors, and each comes back exactly once: sent, dropped or flushed.
 *
 *   rcc_sbpn_put (q, &packet, now);
 *   while (rcc_sbpn_overflow (q, now, &out))
 *     drop (out.packet.handle);
 *   ...
 *   while ((verdict = rcc_sbpn_next (q, now, &out)) == RCC_SBPN_DROP)
 *     drop (out.packet.handle);
 *   if (verdict == RCC_SBPN_SEND)
 *     send (out.packet.handle);
 *
 * Departs from the paper: a queue per class in place of one sorted queue (the same order, 4.3).
 * It has a rule for the full queue, which the paper leaves open. It knows frames, and packets to
 * keep. The modes sbpn3 and weighted are what the paper names as further work (6).
 */
#ifndef RCC_SBPN_H
#define RCC_SBPN_H

#include "core/sbpn/queue.h"
#include "core/sbpn/settings.h"
#include "core/sbpn/share.h"
#include "core/stats.h"

#define RCC_SBPN_ALL RCC_SBPN_NONE      /* classes */

typedef struct {
  RccSbpnConfig config;
  RccTime owd;
  RccSbpnQueue queue;
  RccSbpnShare share;
} RccSbpn;

typedef enum { RCC_SBPN_EMPTY, RCC_SBPN_SEND, RCC_SBPN_DROP } RccSbpnVerdict;

typedef struct {                        /* a packet that leaves the scheduler */
  RccSbpnPacket packet;                 /* with the expiry and keep of its frame */
  RccTime queue_time;                   /* flushed: 0 */
  RccSbpnCause cause;                   /* of a drop */
  bool expired;                         /* sent all the same */
  bool breaks_frame;                    /* the first that its frame lost here: where its
                                         * decoder needs all frames, ask for a key frame */
  bool key_follows;                     /* ... unless one is queued, up to which all falls */
  bool frame_begun;                     /* others of its frame were sent before */
} RccSbpnOut;

extern const RccField rcc_sbpn_fields[];        /* over RccSbpn */
extern const RccField rcc_sbpn_class_fields[];  /* over RccSbpnClass */
extern const char *const rcc_sbpn_mode_names[]; /* fifo sbpn1 sbpn2 sbpn3 weighted; NULL */
extern const char *const rcc_sbpn_cause_names[];        /* expired full ... */

/* @entries and @classes stay the caller's and must outlive @q.  @capacity is at least 2 and
 * less than RCC_SBPN_NONE, @n_classes at most RCC_SBPN_CLASSES.  All classes are closed. */
void rcc_sbpn_init (RccSbpn *q, const RccSbpnConfig *config, RccSbpnEntry *entries,
    uint32_t capacity, RccSbpnClass *classes, uint32_t n_classes);
/* More room, for what is queued too.  @entries begins with those of @q, which may have moved,
 * as realloc() does.  There are at least as many. */
void rcc_sbpn_grow (RccSbpn *q, RccSbpnEntry *entries, uint32_t capacity);
/* More classes, in the same way. */
void rcc_sbpn_grow_classes (RccSbpn *q, RccSbpnClass *classes, uint32_t n);
/* New settings for what is queued too; a smaller room shows in overflow(). */
void rcc_sbpn_adjust (RccSbpn *q, const RccSbpnConfig *config);
/* Counters as new; what is queued counts as come. */
void rcc_sbpn_count_anew (RccSbpn *q);

/* Opens class @k with counters at 0, or changes an open one, queued packets
 * included. */
void rcc_sbpn_set_class (RccSbpn *q, uint32_t k, const RccSbpnClassConfig *config);
/* False, and nothing has changed, while packets of it are queued.  Flush them or let them
 * drain. */
bool rcc_sbpn_close_class (RccSbpn *q, uint32_t k);
/* A closed one where there are not so many. */
const RccSbpnClass *rcc_sbpn_class (const RccSbpn *q, uint32_t k);

/* How long a packet takes to the receiver: one way as measured, or RTT / 2.
 * RCC_NEVER: not known, taken as 0. */
void rcc_sbpn_set_owd (RccSbpn *q, RccTime owd);
/* What expires before it is expired at @now. */
static inline RccTime
rcc_sbpn_deadline (const RccSbpn *q, RccTime now)
{
  return now > RCC_NEVER - q->owd ? RCC_NEVER : now + q->owd;
}

/* Takes @packet.  False: its class is not open, or no entry is free.  The packet then stays the
 * caller's and is not counted.  After a run of overflow() an entry is free. */
bool rcc_sbpn_put (RccSbpn *q, const RccSbpnPacket *packet, RccTime now);
/* One packet that has to go, for want of room or because its frame is broken.  False: all
 * limits hold. */
bool rcc_sbpn_overflow (RccSbpn *q, RccTime now, RccSbpnOut *out);

RccSbpnVerdict rcc_sbpn_next (RccSbpn *q, RccTime now, RccSbpnOut *out);
/* What next() would answer; nothing leaves.  @packet is left alone when empty. */
RccSbpnVerdict rcc_sbpn_peek (RccSbpn *q, RccTime now, RccSbpnPacket *packet);

/* Takes out one packet of class @k or of all (RCC_SBPN_ALL).  False: there is none left, and
 * frames are forgotten. */
bool rcc_sbpn_flush (RccSbpn *q, uint32_t k, RccSbpnOut *out);

#endif
