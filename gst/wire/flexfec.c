/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/flexfec.h"

#include <string.h>

#define RTP_HEADER (RCC_RTP_HEADER_MIN + 4)     /* with the one CSRC */
#define FEC_HEADER 8                    /* RFC 8627 4.2.2: up to the first SN base */
#define R_BIT 0x80
#define F_BIT 0x40
#define K_BIT 0x80                      /* another part of the mask follows */

/* 4.2.2.1: 15 bits, then 31, then 64; a k bit before the first two. */
static size_t
read_mask (RccBytes rest, RccParityStream *stream)
{
  const uint8_t *p = rest.data;
  uint64_t more;

  if (rest.size < 4)
    return 0;
  stream->step = 1;
  stream->mask[0] = (uint64_t) rcc_be16 (p + 2) << 49;
  if (!(p[2] & K_BIT))
    return 4;
  if (rest.size < 8)
    return 0;
  stream->mask[0] |= (rcc_be32 (p + 4) & UINT64_C (0x7fffffff)) << 18;
  if (!(p[4] & K_BIT))
    return 8;
  if (rest.size < 16)
    return 0;
  more = rcc_be64 (p + 8);
  stream->mask[0] |= more >> 46;
  stream->mask[1] = more << 18;
  return 16;
}

/* 4.2.2.2, Figure 14: rows are L in a row, columns are every L-th, D of them. */
static size_t
read_rows (RccBytes rest, RccParityStream *stream)
{
  unsigned n;

  if (rest.size < 4 || rest.data[2] == 0)
    return 0;
  stream->step = rest.data[3] > 1 ? rest.data[2] : 1;
  n = rest.data[3] > 1 ? rest.data[3] : rest.data[2];
  for (unsigned i = 0; i < n; i++)
    stream->mask[i / 64] |= UINT64_C (1) << (63 - i % 64);
  return 4;
}

/* One block per CSRC, then the body. */
static bool
read_streams (RccBytes rest, const uint8_t *csrcs, bool rows, RccParity *parity)
{
  for (unsigned i = 0; i < parity->n_streams; i++) {
    RccParityStream *stream = &parity->streams[i];
    const size_t used = rows ? read_rows (rest, stream) : read_mask (rest, stream);

    if (used == 0 || (stream->mask[0] == 0 && stream->mask[1] == 0))
      return false;
    stream->ssrc = rcc_be32 (csrcs + 4 * i);
    stream->base = rcc_be16 (rest.data);
    rest.data += used;
    rest.size -= used;
  }
  parity->body = rest;
  return true;
}

bool
rcc_flexfec_parse (RccBytes packet, const RccRtp *rtp, RccParity *parity)
{
  const int padding = rcc_rtp_padding (packet, rtp);
  const uint8_t *p = packet.data + rtp->header_size;
  RccBytes rest;

  *parity = (RccParity) { 0 };
  if (padding < 0 || rtp->csrc_count == 0
      || packet.size - rtp->header_size - (size_t) padding < FEC_HEADER || p[0] & R_BIT)
    return false;
  rest.data = p + FEC_HEADER;
  rest.size = packet.size - rtp->header_size - (size_t) padding - FEC_HEADER;
  parity->n_streams = rtp->csrc_count;
  parity->head = (uint64_t) rcc_be16 (p) << 48 | rcc_be32 (p + 4);
  parity->length = rcc_be16 (p + 2);
  if (read_streams (rest, packet.data + RCC_RTP_HEADER_MIN, (p[0] & F_BIT) != 0, parity))
    return true;
  *parity = (RccParity) { 0 };
  return false;
}

/* Bytes of SN base and mask: by the last bit that is set. */
static size_t
mask_size (const RccParityBlock *block)
{
  if (block->mask[0] << RCC_FLEXFEC_SPAN == 0 && block->mask[1] == 0)
    return 4;
  return block->mask[0] << RCC_FLEXFEC_SPAN_LONG == 0 && block->mask[1] == 0 ? 8 : 16;
}

static void
put_mask (uint8_t *p, const RccParityBlock *block, size_t size)
{
  rcc_put16 (p, block->base);
  rcc_put16 (p + 2, (uint16_t) (block->mask[0] >> 49));
  if (size == 4)
    return;
  p[2] |= K_BIT;
  rcc_put32 (p + 4, (uint32_t) (block->mask[0] >> 18) & UINT32_C (0x7fffffff));
  if (size == 8)
    return;
  p[4] |= K_BIT;
  rcc_put64 (p + 8, block->mask[0] << 46 | block->mask[1] >> 18);
}

size_t
rcc_flexfec_build (uint8_t *out, size_t size, const RccRtp *rtp, const RccParityBlock *block)
{
  const size_t mask = mask_size (block);
  const size_t head = RTP_HEADER + FEC_HEADER + mask;
  uint8_t *p = out + RTP_HEADER;

  if (block->n == 0 || size < head + block->size)
    return 0;
  out[0] = 0x81;                        /* version 2, one CSRC */
  out[1] = rtp->pt & 0x7f;
  rcc_put16 (out + 2, rtp->seq);
  rcc_put32 (out + 4, rtp->timestamp);
  rcc_put32 (out + 8, rtp->ssrc);
  rcc_put32 (out + RCC_RTP_HEADER_MIN, block->ssrc);
  rcc_put16 (p, (uint16_t) (block->head >> 48) & 0x3fff);
  rcc_put16 (p + 2, block->length);
  rcc_put32 (p + 4, (uint32_t) block->head);
  put_mask (p + FEC_HEADER, block, mask);
  memcpy (out + head, block->body, block->size);
  return head + block->size;
}
