/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/ulpfec.h"

#include <string.h>

#define FEC_HEADER 10                   /* RFC 5109 7.3 */
#define LEVEL_SHORT 4                   /* 7.4: protection length and mask */
#define LEVEL_LONG 8
#define LONG_BIT 0x40                   /* L; E above it */

/* Takes one level off @rest: its mask, from the top bit on, and its part of the body. */
static bool
next_level (RccBytes *rest, size_t head, uint64_t *mask, RccBytes *body)
{
  const uint8_t *p = rest->data;
  size_t length;

  if (rest->size < head)
    return false;
  length = rcc_be16 (p);
  if (length > rest->size - head)
    return false;
  *mask = (uint64_t) rcc_be16 (p + 2) << 48;
  if (head == LEVEL_LONG)
    *mask |= (uint64_t) rcc_be32 (p + 4) << 16;
  *body = (RccBytes) { p + head, length };
  rest->data += head + length;
  rest->size -= head + length;
  return true;
}

bool
rcc_ulpfec_parse (RccBytes payload, uint32_t ssrc, RccParity *parity)
{
  const uint8_t *p = payload.data;
  RccBytes rest, skipped;
  uint64_t mask, other;
  size_t head;

  *parity = (RccParity) { 0 };
  if (payload.size < FEC_HEADER)
    return false;
  head = p[0] & LONG_BIT ? LEVEL_LONG : LEVEL_SHORT;
  rest = (RccBytes) { p + FEC_HEADER, payload.size - FEC_HEADER };
  if (!next_level (&rest, head, &mask, &parity->body) || mask == 0)
    return false;
  while (rest.size > 0)
    if (!next_level (&rest, head, &other, &skipped))
      return false;
  parity->head = rcc_be64 (p);
  parity->length = rcc_be16 (p + 8);
  parity->n_streams = 1;
  parity->streams[0] = (RccParityStream) { ssrc, rcc_be16 (p + 2), 1, { mask } };
  return true;
}

size_t
rcc_ulpfec_build (uint8_t *out, size_t size, const RccParityBlock *block)
{
  const uint64_t beyond_short = block->mask[0] << RCC_ULPFEC_SPAN;
  const bool is_long = beyond_short != 0;
  const size_t head = FEC_HEADER + (is_long ? LEVEL_LONG : LEVEL_SHORT);

  if (block->n == 0 || beyond_short << (RCC_ULPFEC_SPAN_LONG - RCC_ULPFEC_SPAN) != 0
      || block->mask[1] != 0 || size < head + block->size)
    return 0;
  rcc_put64 (out, block->head);
  out[0] = (uint8_t) ((out[0] & 0x3f) | (is_long ? LONG_BIT : 0));
  rcc_put16 (out + 2, block->base);
  rcc_put16 (out + 8, block->length);
  rcc_put16 (out + FEC_HEADER, (uint16_t) block->size);
  rcc_put16 (out + FEC_HEADER + 2, (uint16_t) (block->mask[0] >> 48));
  if (is_long)
    rcc_put32 (out + FEC_HEADER + 4, (uint32_t) (block->mask[0] >> 16));
  memcpy (out + head, block->body, block->size);
  return head + block->size;
}
