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
rcc_xr_add (uint8_t *out, size_t size, size_t used, const RccXrBlock *block)
{
  const size_t total = used + 4 + block->body.size;

  if (used == 0 || block->body.size % 4 || total > size || total > PACKET_MAX)
    return 0;
  out[used] = block->type;
  out[used + 1] = block->specific;
  rcc_put16 (out + used + 2, (uint16_t) (block->body.size / 4));
  if (block->body.size > 0)
    memcpy (out + used + 4, block->body.data, block->body.size);
  rcc_rtcp_put_header (out, RCC_RTCP_XR, 0, total);
  return total;
}
