/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/remb.h"

#define FMT_AFB 15                      /* RFC 4585 6.4: application layer feedback */
#define REMB 0x52454D42                 /* "REMB" */
#define MANTISSA_BITS 18
#define FIXED_SIZE 20                   /* header, two SSRCs, identifier, num/exp/mantissa */

bool
rcc_remb_parse (const RccRtcpPacket *packet, RccRemb *remb)
{
  RccRtcpFeedback fb;
  uint32_t rate;

  *remb = (RccRemb) { 0 };
  if (packet->type != RCC_RTCP_PSFB || packet->count != FMT_AFB
      || !rcc_rtcp_feedback (packet, &fb) || fb.fci.size < 8
      || rcc_be32 (fb.fci.data) != REMB)
    return false;
  if (fb.fci.size != 8 + 4u * fb.fci.data[4])
    return false;
  rate = rcc_be24 (fb.fci.data + 5);
  *remb = (RccRemb) {
    .sender_ssrc = fb.sender_ssrc,
    .bps = rcc_rate_from_float (rate & 0x3ffff, rate >> MANTISSA_BITS),
    .n_ssrcs = fb.fci.data[4],
    .ssrcs = { fb.fci.data + 8, 4u * fb.fci.data[4] },
  };
  return true;
}

uint32_t
rcc_remb_ssrc (const RccRemb *remb, unsigned i)
{
  return rcc_be32 (remb->ssrcs.data + 4 * (size_t) i);
}

size_t
rcc_remb_build (uint8_t *out, size_t size, uint32_t sender_ssrc, uint64_t bps,
    const uint32_t *ssrcs, unsigned n)
{
  const size_t total = FIXED_SIZE + 4 * (size_t) n;
  uint32_t mantissa;
  unsigned exp;

  if (n > RCC_REMB_SSRCS_MAX || size < total)
    return 0;
  exp = rcc_rate_to_float (bps, MANTISSA_BITS, &mantissa);
  rcc_rtcp_put_header (out, RCC_RTCP_PSFB, FMT_AFB, total);
  rcc_put32 (out + 4, sender_ssrc);
  rcc_put32 (out + 8, 0);               /* draft 2.2: media source SHALL be 0 */
  rcc_put32 (out + 12, REMB);
  out[16] = (uint8_t) n;
  rcc_put24 (out + 17, exp << MANTISSA_BITS | mantissa);
  for (unsigned i = 0; i < n; i++)
    rcc_put32 (out + FIXED_SIZE + 4 * (size_t) i, ssrcs[i]);
  return total;
}
