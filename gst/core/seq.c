/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/seq.h"

int64_t
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

int64_t
rcc_unwrap (RccUnwrap *u, uint32_t value, unsigned bits)
{
  u->last = rcc_unwrap_peek (u, value, bits);
  u->valid = true;
  return u->last;
}
