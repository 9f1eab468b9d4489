/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * packets.h - the packets of a simulated link: a pool of them, and lists of what waits
 *
 * A packet is an index into the pool, for the pool moves as it grows.  It is free or in one
 * list.
 */
#ifndef RCC_LINK_PACKETS_H
#define RCC_LINK_PACKETS_H

#include "core/rcc.h"

#define RCC_LINK_MAX_PACKETS 131072     /* queued and in flight; more are dropped */
#define RCC_LINK_NONE UINT32_MAX        /* no packet */

typedef enum {                          /* what became of a packet */
  RCC_LINK_PASSED,
  RCC_LINK_DROP_LOSS,                   /* independent random loss */
  RCC_LINK_DROP_BURST,                  /* Gilbert-Elliott, bad state */
  RCC_LINK_DROP_QUEUE,                  /* drop-tail */
  RCC_LINK_DROP_AQM,                    /* CoDel */
  RCC_LINK_DROP_AGE,                    /* queued for more than max_age */
  RCC_LINK_DROP_BOUND,                  /* RCC_LINK_MAX_PACKETS or RCC_LINK_MAX_SIZE */
  RCC_LINK_DROP_DRAIN,                  /* taken out by rcc_link_drain() */
  RCC_LINK_OUTCOMES
} RccLinkOutcome;

typedef struct {                        /* what comes out */
  uint64_t cookie;
  uint32_t size;                        /* as pushed */
  RccEcn ecn;                           /* CE where the link marked it */
  RccLinkOutcome outcome;               /* RCC_LINK_PASSED, or why it was dropped */
  RccTime arrived;                      /* when it was pushed */
  RccTime departed;                     /* last bit left the server, or the drop */
  RccTime delivered;                    /* RCC_NEVER for a drop */
} RccLinkPacket;

typedef struct {
  RccLinkPacket packet;
  uint32_t wire;                        /* size with overhead */
  uint32_t next;                        /* in its list, or of the free ones */
  uint32_t before;                      /* in its list; of the head: any */
} RccLinkNode;

typedef struct {
  RccLinkNode *nodes;
  uint32_t n, free;
} RccLinkPool;

#define RCC_LINK_POOL_INIT { NULL, 0, RCC_LINK_NONE }

typedef struct {                        /* all 0: it is empty */
  uint32_t head, tail, n;
  uint64_t bytes;                       /* on the wire */
} RccLinkFifo;

/* A packet that was free; RCC_LINK_NONE: there are RCC_LINK_MAX_PACKETS, or no memory. */
uint32_t rcc_link_pool_get (RccLinkPool *p);
void rcc_link_pool_free (RccLinkPool *p, uint32_t node);
/* Gives its memory back. */
void rcc_link_pool_clear (RccLinkPool *p);

void rcc_link_fifo_append (RccLinkPool *p, RccLinkFifo *f, uint32_t node);
/* In front of what is delivered later; the list is in that order. */
void rcc_link_fifo_insert (RccLinkPool *p, RccLinkFifo *f, uint32_t node);
/* Takes the head out, or, where @after_head, the one behind it.  There is one. */
uint32_t rcc_link_fifo_take (RccLinkPool *p, RccLinkFifo *f, bool after_head);

#endif
