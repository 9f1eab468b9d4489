/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn/queue.h - the packets that wait in the Send Best Packet Next scheduler
 *
 * One queue per class, sorted by (expiry, arrival). McDonald and Nelson suggest this set of
 * queues in 4.3, in place of their one sorted queue. What a class holds lies in three rows:
 * packets that may be dropped, packets to keep, and packets of a broken frame. The last are
 * doomed. This file knows order and frames; who leaves and who falls is decided in sbpn.c.
 *
 * A frame is the packets of a class that carry the same number. They are of use together. So they
 * expire together, with the first of them, and are kept together, as soon as one of them is.
 * Hence they never overtake one another. A class remembers its RCC_SBPN_FRAMES newest frames. A
 * packet that comes after that many younger frames have begun counts as a frame of its own.
 */
#ifndef RCC_SBPN_QUEUE_H
#define RCC_SBPN_QUEUE_H

#include "core/rcc.h"

#define RCC_SBPN_CLASSES 32
#define RCC_SBPN_FRAMES 8
#define RCC_SBPN_NONE UINT32_MAX        /* no entry, no class */

typedef struct {
  void *handle;                         /* the caller's */
  uint64_t frame;                       /* any number but 0; 0: of no frame */
  RccTime expiry;                       /* of no use at the receiver after it; RCC_NEVER */
  uint32_t size;                        /* bytes */
  uint32_t class_index;                 /* < RCC_SBPN_CLASSES */
  bool keep;                            /* GST_BUFFER_FLAG_NON_DROPPABLE */
  bool delta;                           /* of no key frame */
  bool doomed;                          /* of no use: its frame builds upon a broken one */
} RccSbpnPacket;

typedef enum {
  RCC_SBPN_EXPIRED,                     /* would have come too late */
  RCC_SBPN_FULL,                        /* no room: max_packets, max_bytes */
  RCC_SBPN_OLD,                         /* waited longer than max_time */
  RCC_SBPN_FRAME,                       /* its frame had lost a packet */
  RCC_SBPN_FLUSHED,
  RCC_SBPN_CAUSES
} RccSbpnCause;

typedef struct {
  uint64_t packets, bytes;
} RccSbpnCount;

typedef struct {                        /* in = sent + dropped + queued, at any moment */
  RccSbpnCount in, queued, sent, dropped[RCC_SBPN_CAUSES];
  RccSbpnCount sent_expired;            /* among sent */
  uint64_t broken_frames;               /* lost a packet here, flushing aside */
  uint64_t broken_begun;                /* among them: part of it had left */
  RccTime queue_time;                   /* of the packet sent last */
  RccTime queue_time_max;               /* of any packet sent */
} RccSbpnCounters;

typedef enum { RCC_SBPN_DROPPABLE, RCC_SBPN_KEPT, RCC_SBPN_DOOMED, RCC_SBPN_ROWS } RccSbpnRow;
typedef enum {
  RCC_SBPN_ORDER, RCC_SBPN_ARRIVAL, RCC_SBPN_MATES, RCC_SBPN_LINKS
} RccSbpnLinkKind;

enum {                                  /* what is known of a packet's frame */
  RCC_SBPN_BEGUN = 1 << 0,              /* part of it has left */
  RCC_SBPN_BROKEN = 1 << 1,             /* part of it was dropped */
  RCC_SBPN_KEEP = 1 << 2,
};

typedef struct {
  uint32_t first, last;
} RccSbpnList;

typedef struct {
  RccSbpnPacket packet;                 /* expiry and keep are those of its frame */
  RccTime queued;
  uint64_t number;                      /* of arrival, over all classes */
  struct { uint32_t prev, next; } link[RCC_SBPN_LINKS];
  RccSbpnRow row;
  uint8_t flags;
  uint8_t slot;                         /* of its frame, for as long as that remembers it */
} RccSbpnEntry;

typedef struct {
  uint64_t frame;                       /* 0: unused */
  RccTime expiry;
  uint32_t last;                        /* its youngest queued packet */
  unsigned flags;
} RccSbpnFrame;

typedef struct {
  unsigned priority;                    /* 0: highest */
  uint32_t weight;                      /* share of the bytes; weighted mode only */
  bool whole_frames;                    /* a frame that lost a packet here loses its rest, and
                                         * one of which some has left is to be kept */
  bool up_to_key;                       /* ... and so do those of its stream (the upper half of
                                         * the frame's number) behind it, up to a key frame */
} RccSbpnClassConfig;

typedef struct {
  RccSbpnClassConfig config;
  bool open;
  RccSbpnList rows[RCC_SBPN_ROWS];
  uint32_t live;                        /* where the expired ones ended when last asked */
  RccSbpnFrame frames[RCC_SBPN_FRAMES];
  unsigned newest;                      /* frame */
  RccSbpnCounters count;
} RccSbpnClass;

typedef struct {
  RccSbpnEntry *entries;                /* the caller's */
  uint32_t capacity, free;
  uint32_t busy;                        /* bit k: class k holds packets that are not doomed */
  uint32_t doomed;                      /* bit k: class k holds doomed packets */
  uint32_t units;                       /* frames, and packets of none, not doomed */
  uint64_t arrivals;
  RccSbpnList arrived[RCC_SBPN_DOOMED]; /* oldest first, by row */
  RccSbpnClass *classes;                /* the caller's */
  uint32_t n_classes;                   /* RCC_SBPN_CLASSES at most */
  RccSbpnCounters total;                /* closed classes included */
} RccSbpnQueue;

/* for (k of the bits in mask) */
#define rcc_sbpn_each(k, mask) \
  for (uint32_t k, k##_left = (mask); \
      k##_left && ((k = (uint32_t) __builtin_ctz (k##_left)), true); \
      k##_left &= k##_left - 1)

void rcc_sbpn_queue_init (RccSbpnQueue *q, RccSbpnEntry *entries, uint32_t capacity,
    RccSbpnClass *classes, uint32_t n_classes);
void rcc_sbpn_queue_grow_classes (RccSbpnQueue *q, RccSbpnClass *classes, uint32_t n);
/* @entries begins with those that @q had, maybe elsewhere; @capacity is no less. */
void rcc_sbpn_queue_grow (RccSbpnQueue *q, RccSbpnEntry *entries, uint32_t capacity);

/* The entry, RCC_SBPN_NONE where there is none left.  A packet of a broken frame is
 * doomed from the start where frames are whole.  Constant time where @packet expires
 * no earlier than what its class holds; else it walks past what expires later. */
uint32_t rcc_sbpn_queue_add (RccSbpnQueue *q, const RccSbpnPacket *packet, RccTime now);
void rcc_sbpn_queue_remove (RccSbpnQueue *q, uint32_t e);

/* Each returns an entry or RCC_SBPN_NONE.  The doomed are in none but pop_doomed(). */
uint32_t rcc_sbpn_queue_first (const RccSbpnQueue *q, uint32_t k);
/* The first that is kept or does not expire before @deadline.  Constant time but for
 * the packets that have expired since it was asked before. */
uint32_t rcc_sbpn_queue_live (RccSbpnQueue *q, uint32_t k, RccTime deadline);
uint32_t rcc_sbpn_queue_oldest (const RccSbpnQueue *q, bool kept_too);
uint32_t rcc_sbpn_queue_youngest (const RccSbpnQueue *q);
uint32_t rcc_sbpn_queue_doomed (const RccSbpnQueue *q);

/* Whether @a is before @b in (expiry, arrival). */
bool rcc_sbpn_queue_before (const RccSbpnQueue *q, uint32_t a, uint32_t b);
/* The first of both in (priority, expiry, arrival); RCC_SBPN_NONE is after all. */
uint32_t rcc_sbpn_queue_better (const RccSbpnQueue *q, uint32_t a, uint32_t b);

/* @e is about to leave: the rest of its frame follows something, and a whole frame's rest
 * is kept. */
void rcc_sbpn_queue_begin (RccSbpnQueue *q, uint32_t e);
/* @e is about to be dropped.  True where it is the first its frame loses; the rest
 * of a whole frame is doomed. */
bool rcc_sbpn_queue_break (RccSbpnQueue *q, uint32_t e);

/* The frame of @e is broken: those of its stream behind it are doomed, up to the first that
 * is no delta.  True: there is one. */
bool rcc_sbpn_queue_doom_up_to_key (RccSbpnQueue *q, uint32_t e);

/* Forgets the frames of a class that holds nothing. */
void rcc_sbpn_queue_forget (RccSbpnQueue *q, uint32_t k);

#endif
