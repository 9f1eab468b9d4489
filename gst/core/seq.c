/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/seq.h"

/* Several per packet, each with a constant @bits: inline where they are called, and
 * here for whoever takes their address. */
extern inline int64_t rcc_unwrap_peek (const RccUnwrap *u, uint32_t value, unsigned bits);
extern inline int64_t rcc_unwrap (RccUnwrap *u, uint32_t value, unsigned bits);

int64_t
rcc_unwrap_clock (RccUnwrap *u, uint32_t value, unsigned bits)
{
  int64_t clock = rcc_unwrap (u, value, bits);

  if (clock < -(INT64_C (1) << bits) || clock > INT64_C (1) << 42) {
    *u = (RccUnwrap) { 0 };
    clock = rcc_unwrap (u, value, bits);
  }
  return clock;
}
