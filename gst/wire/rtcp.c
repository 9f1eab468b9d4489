/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/rtcp.h"

#include <string.h>

#define BLOCK_SIZE 24                   /* RFC 3550 6.4.1 */
#define SENDER_INFO_SIZE 20
#define FMT_TWCC 15

/* Transport-wide feedback is the one format that gets padded to its word with a P bit and a count
 * of 1..3. That is in any place of a compound. So do libwebrtc and pion, hence every browser. */
static bool
pads_by_bytes (const uint8_t *header)
{
  return header[1] == RCC_RTCP_RTPFB && (header[0] & 0x1f) == FMT_TWCC;
}

/* Padding bytes at the end of the packet @whole; -1 when the count is no good. */
static int
padding (RccBytes whole, bool last)
{
  const uint8_t *header = whole.data;
  const int count = whole.data[whole.size - 1];

  if (!(header[0] & 0x20))
    return 0;
  if (count == 0 || (size_t) count > whole.size - 4)
    return -1;
  if (!pads_by_bytes (header) && (!last || count % 4))
    return -1;
  return count;
}

bool
rcc_rtcp_next (RccBytes *rest, RccRtcpPacket *packet)
{
  const uint8_t *p = rest->data;
  RccBytes whole = { p, 0 };
  int pad;

  *packet = (RccRtcpPacket) { 0 };
  if (rest->size < 4 || p[0] >> 6 != 2)
    return false;
  whole.size = 4 * ((size_t) rcc_be16 (p + 2) + 1);
  if (whole.size > rest->size)
    return false;
  pad = padding (whole, whole.size == rest->size);
  if (pad < 0)
    return false;
  *packet = (RccRtcpPacket) {
    .type = p[1], .count = p[0] & 0x1f, .whole = whole,
    .body = { p + 4, whole.size - 4 - (size_t) pad },
  };
  rest->data += whole.size;
  rest->size -= whole.size;
  return true;
}

bool
rcc_rtcp_has (RccBytes compound, uint8_t type)
{
  RccRtcpPacket packet;

  while (rcc_rtcp_next (&compound, &packet))
    if (packet.type == type)
      return true;
  return false;
}

bool
rcc_rtcp_may_append (RccBytes compound, uint64_t *truncated)
{
  bool ok = false, bye = false;
  RccRtcpPacket p;

  while (rcc_rtcp_next (&compound, &p)) {
    ok = !(p.whole.data[0] & 0x20) && p.whole.size % 4 == 0;
    bye |= p.type == RCC_RTCP_BYE;
  }
  *truncated += compound.size;
  return ok && !bye && compound.size == 0;
}

bool
rcc_rtcp_report (const RccRtcpPacket *packet, RccRtcpReport *report)
{
  const uint8_t *p = packet->body.data;
  const bool is_sr = packet->type == RCC_RTCP_SR;
  const size_t fixed = is_sr ? 4 + SENDER_INFO_SIZE : 4;
  size_t present;

  *report = (RccRtcpReport) { 0 };
  if ((!is_sr && packet->type != RCC_RTCP_RR) || packet->body.size < fixed)
    return false;
  report->ssrc = rcc_be32 (p);
  report->is_sr = is_sr;
  if (is_sr) {
    report->ntp = rcc_be64 (p + 4);
    report->rtp_time = rcc_be32 (p + 12);
    report->packets = rcc_be32 (p + 16);
    report->octets = rcc_be32 (p + 20);
  }
  present = (packet->body.size - fixed) / BLOCK_SIZE;
  report->n_blocks = (unsigned) RCC_MIN (present, (size_t) packet->count);
  report->blocks = (RccBytes) { p + fixed, (size_t) BLOCK_SIZE * report->n_blocks };
  return true;
}

void
rcc_rtcp_block (const RccRtcpReport *report, unsigned i, RccReportBlock *block)
{
  const uint8_t *p = report->blocks.data + (size_t) BLOCK_SIZE * i;
  const int32_t lost = (int32_t) rcc_be24 (p + 5);

  *block = (RccReportBlock) {
    .ssrc = rcc_be32 (p), .fraction = p[4],
    .lost = lost & 0x800000 ? lost - 0x1000000 : lost,
    .highest_seq = rcc_be32 (p + 8), .jitter = rcc_be32 (p + 12),
    .lsr = rcc_be32 (p + 16), .dlsr = rcc_be32 (p + 20),
  };
}

bool
rcc_rtcp_feedback (const RccRtcpPacket *packet, RccRtcpFeedback *fb)
{
  const uint8_t *p = packet->body.data;

  *fb = (RccRtcpFeedback) { 0 };
  if ((packet->type != RCC_RTCP_RTPFB && packet->type != RCC_RTCP_PSFB)
      || packet->body.size < 8)
    return false;
  fb->sender_ssrc = rcc_be32 (p);
  fb->media_ssrc = rcc_be32 (p + 4);
  fb->fci = (RccBytes) { p + 8, packet->body.size - 8 };
  return true;
}

void
rcc_rtcp_put_header (uint8_t *out, uint8_t type, uint8_t count, size_t size)
{
  out[0] = (uint8_t) (0x80 | (count & 0x1f));
  out[1] = type;
  rcc_put16 (out + 2, (uint16_t) (size / 4 - 1));
}

static void
put_blocks (uint8_t *p, const RccReportBlock *blocks, unsigned n)
{
  for (unsigned i = 0; i < n; i++, p += BLOCK_SIZE) {
    const int32_t lost = RCC_CLAMP (blocks[i].lost, -0x800000, 0x7fffff);

    rcc_put32 (p, blocks[i].ssrc);
    p[4] = blocks[i].fraction;
    rcc_put24 (p + 5, (uint32_t) lost & 0xffffff);
    rcc_put32 (p + 8, blocks[i].highest_seq);
    rcc_put32 (p + 12, blocks[i].jitter);
    rcc_put32 (p + 16, blocks[i].lsr);
    rcc_put32 (p + 20, blocks[i].dlsr);
  }
}

size_t
rcc_rtcp_build_sr (uint8_t *out, size_t size, const RccRtcpReport *sr,
    const RccReportBlock *blocks, unsigned n)
{
  const size_t total = 8 + SENDER_INFO_SIZE + (size_t) BLOCK_SIZE * n;

  if (n > RCC_RTCP_BLOCKS_MAX || size < total)
    return 0;
  rcc_rtcp_put_header (out, RCC_RTCP_SR, (uint8_t) n, total);
  rcc_put32 (out + 4, sr->ssrc);
  rcc_put64 (out + 8, sr->ntp);
  rcc_put32 (out + 16, sr->rtp_time);
  rcc_put32 (out + 20, sr->packets);
  rcc_put32 (out + 24, sr->octets);
  put_blocks (out + 28, blocks, n);
  return total;
}

size_t
rcc_rtcp_build_rr (uint8_t *out, size_t size, uint32_t ssrc,
    const RccReportBlock *blocks, unsigned n)
{
  const size_t total = 8 + (size_t) BLOCK_SIZE * n;

  if (n > RCC_RTCP_BLOCKS_MAX || size < total)
    return 0;
  rcc_rtcp_put_header (out, RCC_RTCP_RR, (uint8_t) n, total);
  rcc_put32 (out + 4, ssrc);
  put_blocks (out + 8, blocks, n);
  return total;
}

/* RFC 3550 6.5: the items of a chunk end with at least one zero byte, up to the word. The text
 * itself has no terminator. */
size_t
rcc_rtcp_build_cname (uint8_t *out, size_t size, uint32_t ssrc, const char *cname)
{
  const size_t length = strnlen (cname, 255);
  const size_t total = (8 + 2 + length + 1 + 3) & ~(size_t) 3;

  if (size < total)
    return 0;
  memset (out, 0, total);
  rcc_rtcp_put_header (out, RCC_RTCP_SDES, 1, total);
  rcc_put32 (out + 4, ssrc);
  out[8] = 1;                           /* CNAME */
  out[9] = (uint8_t) length;
  memcpy (out + 10, cname, length);
  return total;
}
