/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * seq.h - unwrapped counters
 *
 * RTP sequence numbers, RTP timestamps, transport-wide numbers and reference
 * times are counters of @bits bits that wrap.  The unwrapped value is the one nearest to the last
 * value given.  So reordering by less than half the range is harmless (as RFC 3550 A.1, without
 * its probation).
 */
#ifndef RCC_SEQ_H
#define RCC_SEQ_H

#include "core/rcc.h"

typedef struct {
  int64_t last;
  bool valid;
} RccUnwrap;

/* The unwrapped value of @value, a counter of @bits bits (1..32); the first
 * call returns @value itself.  A step of exactly half the range counts as
 * forward. */
inline int64_t rcc_unwrap (RccUnwrap *u, uint32_t value, unsigned bits);

/* As rcc_unwrap(), but does not move @u: for numbers from the other side. */
inline int64_t
rcc_unwrap_peek (const RccUnwrap *u, uint32_t value, unsigned bits)
{
  const uint64_t range = UINT64_C (1) << bits;
  uint64_t ahead;

  if (!u->valid)
    return value;
  ahead = ((uint64_t) value - (uint64_t) u->last) & (range - 1);
  if (ahead <= range / 2)
    return u->last + (int64_t) ahead;
  return u->last - (int64_t) (range - ahead);
}

inline int64_t
rcc_unwrap (RccUnwrap *u, uint32_t value, unsigned bits)
{
  u->last = rcc_unwrap_peek (u, value, bits);
  u->valid = true;
  return u->last;
}

/* A clock of the other side, less than a wrap below 0.  One that is set back again and
 * again (or forged) starts anew rather than going under for days. */
int64_t rcc_unwrap_clock (RccUnwrap *u, uint32_t value, unsigned bits);

#endif
