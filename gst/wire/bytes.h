/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bytes.h - big-endian reads, and a bounded writer
 *
 * Every parser here is (const uint8_t *, size_t) -> struct: it never reads past what it is given
 * and allocates nothing.  Its work is in proportion to the bytes that are there, not to the
 * counts that they claim.
 */
#ifndef RCC_WIRE_BYTES_H
#define RCC_WIRE_BYTES_H

#include "core/rcc.h"

typedef struct {
  const uint8_t *data;
  size_t size;
} RccBytes;

static inline uint16_t
rcc_be16 (const uint8_t *p)
{
  return (uint16_t) (p[0] << 8 | p[1]);
}

static inline uint32_t
rcc_be24 (const uint8_t *p)
{
  return (uint32_t) p[0] << 16 | (uint32_t) p[1] << 8 | p[2];
}

static inline uint32_t
rcc_be32 (const uint8_t *p)
{
  return (uint32_t) p[0] << 24 | rcc_be24 (p + 1);
}

static inline uint64_t
rcc_be64 (const uint8_t *p)
{
  return (uint64_t) rcc_be32 (p) << 32 | rcc_be32 (p + 4);
}

static inline void
rcc_put16 (uint8_t *p, uint16_t v)
{
  p[0] = (uint8_t) (v >> 8);
  p[1] = (uint8_t) v;
}

static inline void
rcc_put24 (uint8_t *p, uint32_t v)
{
  p[0] = (uint8_t) (v >> 16);
  rcc_put16 (p + 1, (uint16_t) v);
}

static inline void
rcc_put32 (uint8_t *p, uint32_t v)
{
  rcc_put16 (p, (uint16_t) (v >> 16));
  rcc_put16 (p + 2, (uint16_t) v);
}

static inline void
rcc_put64 (uint8_t *p, uint64_t v)
{
  rcc_put32 (p, (uint32_t) (v >> 32));
  rcc_put32 (p + 4, (uint32_t) v);
}

/* The exponent and mantissa that REMB and TMMBR write a bitrate with: mantissa <<
 * exp, UINT64_MAX where that is more. */
static inline uint64_t
rcc_rate_from_float (uint32_t mantissa, unsigned exp)
{
  return mantissa > UINT64_MAX >> exp ? UINT64_MAX : (uint64_t) mantissa << exp;
}

/* The exponent (0..47) that leaves @bits bits (17..31) of mantissa; rounds down by
 * less than 2^-(bits - 1) of the value. */
static inline unsigned
rcc_rate_to_float (uint64_t bps, unsigned bits, uint32_t *mantissa)
{
  unsigned exp = 0;

  while (bps >> bits) {
    bps >>= 1;
    exp++;
  }
  *mantissa = (uint32_t) bps;
  return exp;
}

#endif
