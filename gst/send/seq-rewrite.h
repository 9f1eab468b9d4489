/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * seq-rewrite.h - rewrites one stream's RTP sequence numbers when packets leave
 *
 * Then what the sender drops before it leaves is no gap to anybody. Packets of its own (padding,
 * parity) take numbers among the others. A gap or a copy that was there before stays one: it is
 * not ours to hide. A stream begins with its first packet's own number.
 *
 * What number a packet had before is remembered for the newest RCC_SEQ_REWRITE_RING ones. So a
 * request for a retransmission finds it (RFC 4585 6.2.1).
 */
#ifndef RCC_SEND_SEQ_REWRITE_H
#define RCC_SEND_SEQ_REWRITE_H

#include "core/rcc.h"

#define RCC_SEQ_REWRITE_RING 1024       /* a power of 2 */
#define RCC_SEQ_REWRITE_SKIP_MAX 64     /* numbers of a gap that a late packet may yet take */

typedef struct {                        /* a packet's, from when it comes until it leaves */
  uint16_t seq;                         /* the number that it came with */
  uint16_t gap;                         /* numbers that were missing before it then */
  bool late;                            /* newer ones had come: a copy, or overtaken */
} RccNumber;

typedef struct {                        /* all zeros: nothing has come */
  bool arrived, departed;
  uint16_t highest;                     /* that has come */
  uint16_t last;                        /* that has left */
  uint16_t offset;                      /* by which the last packet's number has changed */
  bool leave_out;                       /* one number is missing before the next */
  uint64_t used;                        /* numbers so far */
  uint64_t changed;                     /* packets that left by another number */
  uint16_t former[RCC_SEQ_REWRITE_RING]; /* by the number that left */
  uint64_t nobody[RCC_SEQ_REWRITE_RING / 64];   /* bit: ours, or nothing left by it */
} RccSeqRewrite;

/* Forgets all; cheap. */
void rcc_seq_rewrite_init (RccSeqRewrite *n);

RccNumber rcc_seq_rewrite_arrive (RccSeqRewrite *n, uint16_t seq);
/* The number by which it leaves. */
uint16_t rcc_seq_rewrite_depart (RccSeqRewrite *n, RccNumber number);
/* It does not leave. @begun: others of its frame have left, so that the receiver has to see that
 * something is missing. A depayloader would take what follows for the rest. */
void rcc_seq_rewrite_drop (RccSeqRewrite *n, RccNumber number, bool begun);
/* The number of a packet of our own. */
uint16_t rcc_seq_rewrite_insert (RccSeqRewrite *n, bool padding);

/* The receiver wants @seq again: *@former is the number that it came with.  False: it was
 * ours, never left, or left too long ago. */
bool rcc_seq_rewrite_request (const RccSeqRewrite *n, uint16_t seq, uint16_t *former);
/* Whether @seq, not too long ago, was padding of ours. */
bool rcc_seq_rewrite_is_padding (const RccSeqRewrite *n, uint16_t seq);

#endif
