/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mutator-fec.h - FEC packets for mutator.h, and the media that they protect
 *
 * Packet @seq of a stream is a function of its number, so that the target of the
 * mutation test has at hand what the seeds were made of.
 */
#ifndef RCC_TEST_MUTATOR_FEC_H
#define RCC_TEST_MUTATOR_FEC_H

#include "core/rng.h"
#include "wire/flexfec.h"
#include "wire/ulpfec.h"
#include "../wire/vectors-fec.h"

#define FEC_ARRAY(name, ...) static const uint8_t name[] = { __VA_ARGS__ };
RCC_FEC_VECTORS (FEC_ARRAY)

#define FEC_MEDIA_MAX 200
#define FEC_MEDIA_FIRST 65408           /* 256 numbers exist, over the wrap */
#define FEC_SSRC 3

static inline RccBytes
fec_media (uint16_t seq, uint8_t *out)
{
  RccRng r;
  size_t size;

  rcc_rng_init (&r, 7, seq);
  size = RCC_RTP_HEADER_MIN + rcc_rng_u32 (&r) % (FEC_MEDIA_MAX - RCC_RTP_HEADER_MIN);
  for (size_t i = 0; i < size; i++)
    out[i] = (uint8_t) rcc_rng_u32 (&r);
  out[0] = size > RCC_RTP_HEADER_MIN && seq % 4 == 0 ? 0xa0 : 0x80;
  out[size - 1] = size > RCC_RTP_HEADER_MIN ? 1 : out[size - 1];
  rcc_put16 (out + 2, seq);
  rcc_put32 (out + 8, FEC_SSRC);
  return (RccBytes) { out, size };
}

/* One packet in eight never arrives. */
static inline bool
fec_media_lost (uint16_t seq)
{
  return seq % 8 == 3;
}

/* Eight numbers in a row, and so one that is lost; some of the others left out. */
static inline void
fec_block (RccRng *r, RccParityBlock *block)
{
  const uint16_t base = (uint16_t) (FEC_MEDIA_FIRST + rcc_rng_u32 (r) % 240);
  const uint32_t out = rcc_rng_u32 (r) & rcc_rng_u32 (r);
  uint8_t media[FEC_MEDIA_MAX];

  rcc_parity_init (block, RCC_FLEXFEC_SPAN);
  for (unsigned i = 0; i < 8; i++)
    if (fec_media_lost ((uint16_t) (base + i)) || !(out >> i & 1))
      rcc_parity_add (block, fec_media ((uint16_t) (base + i), media));
}

static inline size_t
build_ulpfec (RccRng *r, uint8_t *out, size_t size)
{
  const RccRtp rtp = { .pt = 100, .ssrc = FEC_SSRC };
  const size_t head = rcc_rtp_build (out, size, &rtp, NULL, 0);
  RccParityBlock block;

  fec_block (r, &block);
  return head + rcc_ulpfec_build (out + head, size - head, &block);
}

static inline size_t
build_flexfec (RccRng *r, uint8_t *out, size_t size)
{
  const RccRtp rtp = { .pt = 101, .ssrc = 4 };
  RccParityBlock block;
  size_t used;

  fec_block (r, &block);
  used = rcc_flexfec_build (out, size, &rtp, &block);
  if (block.mask[0] == UINT64_C (0xff) << 56 && rcc_rng_u32 (r) & 1) {
    out[16] |= 0x40;                    /* the same as a row */
    rcc_put16 (out + 26, 8 << 8);
  }
  return used;
}

#endif
