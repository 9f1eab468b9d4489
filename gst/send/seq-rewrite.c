/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/seq-rewrite.h"

#define SLOT(seq) ((seq) & (RCC_SEQ_REWRITE_RING - 1))
#define WORD(seq) (SLOT (seq) / 64)
#define BIT(seq) (UINT64_C (1) << SLOT (seq) % 64)
#define NOTHING 0                       /* former[] of a number that is nobody's */
#define PADDING 1                       /* the same, where padding left by it */

void
rcc_seq_rewrite_init (RccSeqRewrite *n)
{
  n->arrived = n->departed = n->leave_out = false;
  n->used = n->changed = 0;
  n->offset = 0;
}

RccNumber
rcc_seq_rewrite_arrive (RccSeqRewrite *n, uint16_t seq)
{
  const int16_t by = (int16_t) (seq - n->highest);
  RccNumber number = { .seq = seq };

  if (n->arrived && by <= 0 && by > -RCC_SEQ_REWRITE_RING) {
    number.late = true;
    return number;
  }
  /* a jump back is one far ahead: a new beginning (RFC 3550 A.1), which is not ours to hide */
  if (n->arrived)
    number.gap = (uint16_t) (by - 1);
  n->arrived = true;
  n->highest = seq;
  return number;
}

/* The next number, @former the one that its packet came with. */
static uint16_t
take (RccSeqRewrite *n, uint16_t former, bool nobody)
{
  const uint16_t seq = ++n->last;

  n->used++;
  n->former[SLOT (seq)] = former;
  if (nobody)
    n->nobody[WORD (seq)] |= BIT (seq);
  else
    n->nobody[WORD (seq)] &= ~BIT (seq);
  return seq;
}

static void
leave_out (RccSeqRewrite *n)
{
  if (n->leave_out && n->departed)
    take (n, NOTHING, true);
  n->leave_out = false;
}

static bool
is_known (const RccSeqRewrite *n, uint16_t seq)
{
  return n->departed && (uint16_t) (n->last - seq) < RCC_MIN (n->used, RCC_SEQ_REWRITE_RING);
}

/* What was missing keeps its numbers, so that one that was overtaken finds its own. */
static void
skip (RccSeqRewrite *n, RccNumber number)
{
  const uint16_t named = (uint16_t) RCC_MIN (number.gap, RCC_SEQ_REWRITE_SKIP_MAX);
  const uint16_t unnamed = (uint16_t) (number.gap - named);

  n->last = (uint16_t) (n->last + unnamed);
  if (unnamed > 0)
    n->used = 0;                        /* the ring has nothing of those */
  for (uint16_t i = named; i > 0; i--)
    take (n, (uint16_t) (number.seq - i), false);
}

/* A copy, or a packet that newer ones have overtaken: as it is known. */
static bool
find (const RccSeqRewrite *n, uint16_t former, uint16_t *seq)
{
  for (uint16_t i = 0; i < RCC_MIN (n->used, RCC_SEQ_REWRITE_RING); i++) {
    *seq = (uint16_t) (n->last - i);
    if (n->former[SLOT (*seq)] == former && !(n->nobody[WORD (*seq)] & BIT (*seq)))
      return true;
  }
  return false;
}

uint16_t
rcc_seq_rewrite_depart (RccSeqRewrite *n, RccNumber number)
{
  uint16_t seq;

  if (!n->departed) {
    n->departed = true;
    n->leave_out = false;
    n->last = (uint16_t) (number.seq - 1);
  } else if (number.late) {
    if (!find (n, number.seq, &seq))
      seq = (uint16_t) (number.seq + n->offset);
    n->changed += seq != number.seq;
    return seq;
  } else {
    leave_out (n);
    if (number.gap > 0)
      skip (n, number);
  }
  seq = take (n, number.seq, false);
  n->offset = (uint16_t) (seq - number.seq);
  n->changed += seq != number.seq;
  return seq;
}

void
rcc_seq_rewrite_drop (RccSeqRewrite *n, RccNumber number, bool begun)
{
  n->leave_out |= begun || number.gap > 0;
}

uint16_t
rcc_seq_rewrite_insert (RccSeqRewrite *n, bool padding)
{
  leave_out (n);
  return take (n, padding ? PADDING : NOTHING, true);
}

bool
rcc_seq_rewrite_request (const RccSeqRewrite *n, uint16_t seq, uint16_t *former)
{
  if (!is_known (n, seq) || n->nobody[WORD (seq)] & BIT (seq))
    return false;
  *former = n->former[SLOT (seq)];
  return true;
}

bool
rcc_seq_rewrite_is_padding (const RccSeqRewrite *n, uint16_t seq)
{
  return is_known (n, seq) && n->nobody[WORD (seq)] & BIT (seq) && n->former[SLOT (seq)] == PADDING;
}
