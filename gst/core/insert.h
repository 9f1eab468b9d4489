/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * insert.h - sequence numbers of a stream into which packets of our own are put
 *
 * Each such packet takes a number, and what follows it leaves by one more than before.
 * Unlike renumber.h a gap stays a gap and a copy a copy.  The newest RCC_INSERT_MAX
 * numbers taken are remembered, so that a request for a retransmission finds what it
 * means (RFC 4585 6.2.1), and what was asked for, so that the retransmission's OSN
 * (RFC 4588 4) can say the number that the receiver knows.
 */
#ifndef RCC_INSERT_H
#define RCC_INSERT_H

#include "core/rcc.h"

#define RCC_INSERT_MAX 256
#define RCC_INSERT_REQUESTS 64

typedef struct {                        /* one stream; all zeros: nothing put in yet */
  uint16_t offset;                      /* how many were, modulo 2^16 */
  uint16_t numbers[RCC_INSERT_MAX];
  uint64_t n;                           /* ever */
} RccInsert;

typedef struct {                        /* all zeros: nobody has asked */
  struct {
    uint16_t former, left;
  } asked[RCC_INSERT_REQUESTS];
  uint64_t n;                           /* ever */
} RccInsertRequests;

/* The number by which packet @seq leaves. */
static inline uint16_t
rcc_insert_leaves (const RccInsert *i, uint16_t seq)
{
  return (uint16_t) (seq + i->offset);
}

/* A packet of ours leaves by @number, which is behind all that have left. */
void rcc_insert_put (RccInsert *i, uint16_t number);

/* The receiver wants @seq again: *@former is what it was called before, and @requests
 * remembers that.  False: it was one of ours, or left too long ago to tell. */
bool rcc_insert_request (const RccInsert *i, RccInsertRequests *requests, uint16_t seq,
    uint16_t *former);
/* A retransmission of what was called @former: *@left is the number asked for last.
 * False: nobody asked for it. */
bool rcc_insert_answer (const RccInsertRequests *requests, uint16_t former,
    uint16_t *left);

#endif
