/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/nack.h"

#define FMT_NACK 1
#define FIXED_SIZE 12                   /* header, two SSRCs */

bool
rcc_nack_parse (const RccRtcpPacket *packet, RccNack *nack)
{
  RccRtcpFeedback fb;

  *nack = (RccNack) { 0 };
  if (packet->type != RCC_RTCP_RTPFB || packet->count != FMT_NACK
      || !rcc_rtcp_feedback (packet, &fb) || fb.fci.size < 4)
    return false;
  *nack = (RccNack) {
    .sender_ssrc = fb.sender_ssrc, .media_ssrc = fb.media_ssrc,
    .n_pairs = (unsigned) (fb.fci.size / 4),
    .pairs = { fb.fci.data, fb.fci.size / 4 * 4 },
  };
  return true;
}

unsigned
rcc_nack_pair (const RccNack *nack, unsigned i, uint16_t seqs[RCC_NACK_SPAN])
{
  const uint8_t *pair = nack->pairs.data + 4 * (size_t) i;
  const uint16_t pid = rcc_be16 (pair), blp = rcc_be16 (pair + 2);
  unsigned n = 0;

  seqs[n++] = pid;
  for (unsigned bit = 0; bit < 16; bit++)
    if (blp & 1u << bit)
      seqs[n++] = (uint16_t) (pid + bit + 1);
  return n;
}

size_t
rcc_nack_build (uint8_t *out, size_t size, uint32_t sender_ssrc, uint32_t media_ssrc,
    const uint16_t *seqs, unsigned n)
{
  size_t total = FIXED_SIZE;

  for (unsigned i = 0; i < n; total += 4) {
    const uint16_t pid = seqs[i];
    uint16_t blp = 0;

    for (i++; i < n && (uint16_t) (seqs[i] - pid) < RCC_NACK_SPAN; i++)
      blp |= (uint16_t) (1u << ((uint16_t) (seqs[i] - pid) - 1));
    if (size < total + 4)
      return 0;
    rcc_put16 (out + total, pid);
    rcc_put16 (out + total + 2, blp);
  }
  if (n == 0)
    return 0;
  rcc_rtcp_put_header (out, RCC_RTCP_RTPFB, FMT_NACK, total);
  rcc_put32 (out + 4, sender_ssrc);
  rcc_put32 (out + 8, media_ssrc);
  return total;
}
