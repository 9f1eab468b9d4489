/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * renumber.h - sequence numbers given at departure, so that what was dropped or
 * overtaken before is no loss to anybody
 *
 * A stream (SSRC) goes on from its first packet's own number, one by one.  What number
 * a packet had before is remembered for its newest RCC_RENUMBER_RING packets, so that a
 * request for a retransmission finds it (RFC 4585 6.2.1), and what was asked for, so
 * that the retransmission's OSN (RFC 4588 4) can say the number that the receiver knows.
 */
#ifndef RCC_RENUMBER_H
#define RCC_RENUMBER_H

#include "core/rcc.h"

#define RCC_RENUMBER_STREAMS 32         /* beyond, the one used longest ago is forgotten */
#define RCC_RENUMBER_RING 1024          /* a power of 2 */
#define RCC_RENUMBER_REQUESTS 64
#define RCC_RENUMBER_NOBODY UINT32_MAX

typedef struct {
  uint32_t ssrc;
  uint32_t owner;                       /* the caller's: who sent its newest packet */
  uint16_t next;
  bool changed;                         /* some packet has left by another number */
  uint64_t departed, used;
  uint16_t former[RCC_RENUMBER_RING];   /* by new number */
} RccRenumberStream;

typedef struct {
  RccRenumberStream streams[RCC_RENUMBER_STREAMS];
  unsigned n_streams, hit;              /* hit: the one that was used last */
  struct {
    uint16_t former, left;
  } requests[RCC_RENUMBER_REQUESTS];
  unsigned n_requests;                  /* ever: the ring's next */
  uint64_t uses;
} RccRenumber;

void rcc_renumber_init (RccRenumber *r);

/* The number by which packet @seq of @ssrc leaves now. */
uint16_t rcc_renumber_depart (RccRenumber *r, uint32_t ssrc, uint16_t seq, uint32_t owner);
/* Who sent @ssrc last; RCC_RENUMBER_NOBODY: it has not been seen. */
uint32_t rcc_renumber_owner (const RccRenumber *r, uint32_t ssrc);
void rcc_renumber_disown (RccRenumber *r, uint32_t owner);

/* The receiver wants @seq of @ssrc again: *@former is what it was called before.  False:
 * it never left, or too long ago.  True and the same number for a stream that has never
 * been seen. */
bool rcc_renumber_request (RccRenumber *r, uint32_t ssrc, uint16_t seq, uint16_t *former);
/* A retransmission of what was called @former: *@left is the number asked for last.
 * False: nobody asked for it. */
bool rcc_renumber_answer (const RccRenumber *r, uint16_t former, uint16_t *left);

#endif
