/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/xr.h"

#include <string.h>

#define PACKET_MAX ((size_t) 4 << 16)   /* 16 bits of words minus one */

bool
rcc_xr_parse (const RccRtcpPacket *packet, RccXr *xr)
{
  *xr = (RccXr) { 0 };
  if (packet->type != RCC_RTCP_XR || packet->body.size < 4)
    return false;
  xr->ssrc = rcc_be32 (packet->body.data);
  xr->blocks = (RccBytes) { packet->body.data + 4, packet->body.size - 4 };
  return true;
}

bool
rcc_xr_next (RccBytes *rest, RccXrBlock *block)
{
  size_t body;

  *block = (RccXrBlock) { 0 };
  if (rest->size < 4)
    return false;
  body = 4 * (size_t) rcc_be16 (rest->data + 2);
  if (body > rest->size - 4)
    return false;
  *block = (RccXrBlock) { rest->data[0], rest->data[1], { rest->data + 4, body } };
  rest->data += 4 + body;
  rest->size -= 4 + body;
  return true;
}

size_t
rcc_xr_begin (uint8_t *out, size_t size, uint32_t ssrc)
{
  if (size < 8)
    return 0;
  rcc_rtcp_put_header (out, RCC_RTCP_XR, 0, 8);
  rcc_put32 (out + 4, ssrc);
  return 8;
}

size_t
rcc_xr_room (size_t size, size_t used)
{
  const size_t most = RCC_MIN (size, PACKET_MAX) & ~(size_t) 3;

  return used > 0 && most >= used + 4 ? most - used - 4 : 0;
}

size_t
rcc_xr_close (uint8_t *out, size_t used, uint8_t type, uint8_t specific, size_t body)
{
  out[used] = type;
  out[used + 1] = specific;
  rcc_put16 (out + used + 2, (uint16_t) (body / 4));
  rcc_rtcp_put_header (out, RCC_RTCP_XR, 0, used + 4 + body);
  return used + 4 + body;
}

size_t
rcc_xr_add (uint8_t *out, size_t size, size_t used, const RccXrBlock *block)
{
  const size_t total = used + 4 + block->body.size;

  if (used == 0 || block->body.size % 4 || total > size || total > PACKET_MAX)
    return 0;
  if (block->body.size > 0)
    memcpy (out + used + 4, block->body.data, block->body.size);
  return rcc_xr_close (out, used, block->type, block->specific, block->body.size);
}

bool
rcc_xr_range_parse (const RccXrBlock *block, RccXrRange *range)
{
  const uint8_t *p = block->body.data;

  *range = (RccXrRange) { 0 };
  if (block->body.size < RCC_XR_RANGE_SIZE
      || (uint16_t) (rcc_be16 (p + 6) - rcc_be16 (p + 4)) > RCC_XR_RANGE_MAX)
    return false;
  *range = (RccXrRange) { .ssrc = rcc_be32 (p), .begin_seq = rcc_be16 (p + 4),
    .end_seq = rcc_be16 (p + 6), .thinning = block->specific & 15 };
  return true;
}

uint32_t
rcc_xr_range_count (const RccXrRange *range, uint16_t *first)
{
  const uint32_t step = UINT32_C (1) << (range->thinning & 15);
  const uint32_t length = (uint16_t) (range->end_seq - range->begin_seq);
  const uint32_t before = (0u - range->begin_seq) & (step - 1);

  if (length <= before)
    return 0;
  *first = (uint16_t) (range->begin_seq + before);
  return (length - before - 1) / step + 1;
}

void
rcc_xr_put_range (uint8_t *body, const RccXrRange *range)
{
  rcc_put32 (body, range->ssrc);
  rcc_put16 (body + 4, range->begin_seq);
  rcc_put16 (body + 6, range->end_seq);
}
