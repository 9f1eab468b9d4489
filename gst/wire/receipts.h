/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * receipts.h - packets that came, of all streams together, until their senders are told
 *
 * They are 8 bytes each and stand in the order in which they came. Whoever writes a report reads
 * each once, mostly on another CPU than the one that packets come in on. What a report costs there
 * is the cache lines that it reads: 13 for a hundred packets.
 */
#ifndef RCC_WIRE_RECEIPTS_H
#define RCC_WIRE_RECEIPTS_H

#include "core/ssrcs.h"

#define RCC_RECEIPTS 32768              /* at most, as in reporter.c; 0.3 s of 1 Gbit/s */
#define RCC_RECEIPT_NUMBERS (1 << 20)   /* a receipt's number is modulo that */

typedef struct {
  uint32_t ticks;                       /* when it came; wraps */
  uint32_t number : 20;
  uint32_t stream : 6;                  /* its place in an RccSsrcs, */
  uint32_t life : 5;                    /* and for which of its streams */
  uint32_t late : 1;
} RccReceipt;

typedef struct {
  RccResize resize;
  RccReceipt *receipts;                 /* a ring */
  uint32_t capacity;                    /* a power of two, or 0 */
  uint32_t places;                      /* given so far; wraps */
  uint32_t live;                        /* the last so many of them are there */
  uint8_t lives[RCC_SSRCS];             /* of each place */
} RccReceipts;

/* No memory is taken yet. */
void rcc_receipts_init (RccReceipts *r, RccResize resize);
/* Gives the memory back; as after init. */
void rcc_receipts_clear (RccReceipts *r);

/* Another stream is at place @stream, or its numbers have begun anew. True: rcc_receipts_keep()
 * has to follow, as the lives of a place begin anew. */
bool rcc_receipts_renew (RccReceipts *r, unsigned stream);

/* Of a full one the oldest has to go, or it has to grow, before another is added. */
static inline bool
rcc_receipts_full (const RccReceipts *r)
{
  return r->live == r->capacity;
}
/* False: it is RCC_RECEIPTS large. */
bool rcc_receipts_grow (RccReceipts *r);
static inline void
rcc_receipts_drop_oldest (RccReceipts *r)
{
  r->live--;
}
void rcc_receipts_add (RccReceipts *r, unsigned stream, int64_t number, bool late, uint32_t ticks);

/* The @i-th of r->live, from the oldest on. */
static inline RccReceipt *
rcc_receipts_at (const RccReceipts *r, uint32_t i)
{
  return &r->receipts[(r->places - r->live + i) & (r->capacity - 1)];
}

/* Whether it is of the stream that is at its place now. */
static inline bool
rcc_receipt_is_current (const RccReceipts *r, const RccReceipt *receipt)
{
  return receipt->life == r->lives[receipt->stream];
}

/* Keeps those that @is_needed says true of. It is asked for those of current streams alone: of
 * all others nobody will be told. */
void rcc_receipts_keep (RccReceipts *r,
    bool (*is_needed) (void *user, const RccReceipt *receipt), void *user);

#endif
