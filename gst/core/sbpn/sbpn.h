/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn/sbpn.h - which packet to send next: McDonald and Nelson, "Application-level QoS:
 * Improving Video Conferencing Quality through Sending the Best Packet Next"
 *
 * Whenever the rate control grants a packet, next() says which: by priority, then by
 * expiry, and never (or last) one that would come too late.  The owner keeps the
 * packets, the scheduler their descriptors, and each comes back exactly once: sent,
 * dropped or flushed.
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
 * Departs from the paper: a queue per class in place of one sorted queue (the same
 * order, 4.3); a rule for the full queue, which the paper leaves open; frames; packets
 * to keep; sbpn3 and weighted, which it names as further work (6).
 */
#ifndef RCC_SBPN_H
#define RCC_SBPN_H

#include "core/sbpn/queue.h"
#include "core/sbpn/share.h"
#include "core/settings.h"
#include "core/stats.h"

#define RCC_SBPN_ALL RCC_SBPN_NONE      /* classes */

/* A packet is expired when it expires before now + owd, unless it is to be kept.
 * Between equals the one that came first goes first.  The sbpn modes are strict: a
 * class may starve for those above it. */
typedef enum {
  /* In order of arrival; an arriving packet that finds no room is dropped.  Priority,
   * expiry and keep mean nothing: the paper's unmodified transport. */
  RCC_SBPN_FIFO,
  /* By (priority, expiry); an expired packet that comes to the head is dropped (3.2). */
  RCC_SBPN_1,
  /* As 1, but what is alone in the queue is sent though expired, lest the rate
   * control see idleness (3.3): a packet, and where frames are whole a frame. */
  RCC_SBPN_2,
  /* Nothing is dropped for its expiry while there is room.  Live packets leave by
   * (priority, expiry); expired ones, in the same order, when nothing is live (6).
   * These then leave after younger ones of their class. */
  RCC_SBPN_3,
  /* As 3, but of the classes' first live packets the one with the lowest score
   *   priority * priority_weight + (expiry - (now + owd))
   * leaves, and a class that is owed more than its deficit limit goes before any score:
   * see sbpn-share.h for the bound.  When full, the class that holds most for its
   * weight gives way, so nobody starves in front of the queue either: a class with no
   * more than weight / (all weights) of the room is never chosen for what is live,
   * unless the rest are packets to keep. */
  RCC_SBPN_WEIGHTED,
} RccSbpnMode;

/* When full, in all modes but fifo, the arriving packet among the others: expired ones
 * fall first, lowest priority and most expired before others; then of the lowest
 * priority that which expires last; packets to keep after all others.  What waited for
 * longer than max_time falls in any mode, but not what is to be kept (in fifo it too). */
typedef struct {
  RccSbpnMode mode;
  uint32_t max_packets;                 /* 0: as many as there are entries, less one */
  uint64_t max_bytes;                   /* 0: no limit */
  RccTime max_time;                     /* RCC_NEVER: no limit */
  RccTime priority_weight;              /* weighted: what a step of priority is worth */
  uint32_t deficit_limit;               /* weighted: bytes a class may be owed */
} RccSbpnConfig;

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

/* sbpn2, limited by @entries alone; a step of priority is worth 100 ms, the deficit limit 3000
 * B. */
RccSbpnConfig rcc_sbpn_config (void);
extern const RccSetting rcc_sbpn_settings[];
extern const RccChoices rcc_sbpn_modes;
/* @entries and @classes stay the caller's and must outlive @q; @capacity at least 2, less than
 * RCC_SBPN_NONE; @n_classes at most RCC_SBPN_CLASSES.  All classes are closed. */
void rcc_sbpn_init (RccSbpn *q, const RccSbpnConfig *config, RccSbpnEntry *entries,
    uint32_t capacity, RccSbpnClass *classes, uint32_t n_classes);
/* More room, with all that is queued: @entries begins with those of @q, which may have
 * moved (realloc() does so), and are at least as many. */
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
/* False, and nothing changed, while packets of it are queued: flush() them or let
 * them drain. */
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

/* Takes @packet.  False where its class is not open or no entry is free: the packet stays the
 * caller's and is not counted.  After a run of overflow() an entry is free. */
bool rcc_sbpn_put (RccSbpn *q, const RccSbpnPacket *packet, RccTime now);
/* One packet that has to go for want of room, or because its frame is broken; false:
 * all limits hold. */
bool rcc_sbpn_overflow (RccSbpn *q, RccTime now, RccSbpnOut *out);

RccSbpnVerdict rcc_sbpn_next (RccSbpn *q, RccTime now, RccSbpnOut *out);
/* What next() would answer; nothing leaves.  @packet is left alone when empty. */
RccSbpnVerdict rcc_sbpn_peek (RccSbpn *q, RccTime now, RccSbpnPacket *packet);

/* Takes out one packet of class @k or of all (RCC_SBPN_ALL); false when there is none
 * left, and what was known of frames is forgotten. */
bool rcc_sbpn_flush (RccSbpn *q, uint32_t k, RccSbpnOut *out);

#endif
