/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/ccfb.h"

#define FMT_CCFB 11
#define LENGTH_MAX (4u * 65536)         /* of one RTCP packet, in bytes */
#define ATO_OVER 0x1FFE                 /* more than 8189/1024 s before the report */
#define ATO_NONE 0x1FFF                 /* unavailable, or after the report */
/* As the offset 8189 is read, which is rounded up by half a nanosecond. */
#define ATO_LIMIT ((8189 * RCC_SEC + 512) / 1024)

/* Metric blocks of @n packets, zero-padded to the word. */
static size_t
reports_size (unsigned n)
{
  return ((size_t) n + 1) / 2 * 4;
}

/* The word that other feedback has its media SSRC in is the first block's SSRC. */
bool
rcc_ccfb_parse (const RccRtcpPacket *packet, RccCcfb *ccfb)
{
  const RccBytes body = packet->body;

  *ccfb = (RccCcfb) { 0 };
  if (packet->type != RCC_RTCP_RTPFB || packet->count != FMT_CCFB || body.size < 8)
    return false;
  *ccfb = (RccCcfb) {
    .sender_ssrc = rcc_be32 (body.data),
    .timestamp = rcc_be32 (body.data + body.size - 4),
    .blocks = { body.data + 4, body.size - 8 },
  };
  return true;
}

bool
rcc_ccfb_next (RccBytes *rest, RccCcfbBlock *block)
{
  const uint8_t *p = rest->data;
  size_t size;

  *block = (RccCcfbBlock) { 0 };
  if (rest->size < 8)
    return false;
  size = 8 + reports_size (rcc_be16 (p + 6));
  if (rcc_be16 (p + 6) > RCC_CCFB_REPORTS_MAX || size > rest->size)
    return false;
  *block = (RccCcfbBlock) {
    .ssrc = rcc_be32 (p), .begin_seq = rcc_be16 (p + 4),
    .n_reports = rcc_be16 (p + 6), .reports = p + 8,
  };
  rest->data += size;
  rest->size -= size;
  return true;
}

void
rcc_ccfb_report (const RccCcfbBlock *block, unsigned i, RccCcfbReport *report)
{
  const uint16_t metric = rcc_be16 (block->reports + 2 * (size_t) i);
  const uint16_t ato = metric & 0x1fff;

  *report = (RccCcfbReport) { .before = RCC_NEVER };
  if (!(metric & 0x8000))
    return;                             /* "the subsequent 15 bits MUST be ignored" */
  report->received = true;
  report->ecn = metric >> 13 & 3;
  if (ato < ATO_OVER)
    report->before = (ato * RCC_SEC + 512) / 1024;
}

static uint16_t
metric_from_report (const RccCcfbReport *report)
{
  uint16_t ato;

  if (!report->received)
    return 0;
  if (report->before == RCC_NEVER)
    ato = ATO_NONE;
  else if (report->before > ATO_LIMIT)
    ato = ATO_OVER;
  else
    ato = (uint16_t) ((report->before * 1024 + RCC_SEC / 2) / RCC_SEC);
  return (uint16_t) (0x8000 | (report->ecn & 3) << 13 | ato);
}

size_t
rcc_ccfb_begin (uint8_t *out, size_t size, uint32_t sender_ssrc)
{
  if (size < 8 + 4)
    return 0;
  rcc_rtcp_put_header (out, RCC_RTCP_RTPFB, FMT_CCFB, 8);
  rcc_put32 (out + 4, sender_ssrc);
  return 8;
}

size_t
rcc_ccfb_add (uint8_t *out, size_t size, size_t used, uint32_t ssrc,
    uint16_t begin_seq, const RccCcfbReport *reports, unsigned n)
{
  const size_t room = RCC_MIN (size, LENGTH_MAX);
  uint8_t *p;

  if (n > RCC_CCFB_REPORTS_MAX || used + 8 + reports_size (n) + 4 > room)
    return 0;
  p = out + used;
  rcc_put32 (p, ssrc);
  rcc_put16 (p + 4, begin_seq);
  rcc_put16 (p + 6, (uint16_t) n);
  p += 8;
  for (unsigned i = 0; i < n; i++, p += 2)
    rcc_put16 (p, metric_from_report (&reports[i]));
  if (n % 2)
    rcc_put16 (p, 0);
  return used + 8 + reports_size (n);
}

size_t
rcc_ccfb_end (uint8_t *out, size_t size, size_t used, uint32_t timestamp)
{
  if (used + 4 > RCC_MIN (size, LENGTH_MAX))
    return 0;
  rcc_put32 (out + used, timestamp);
  rcc_rtcp_put_header (out, RCC_RTCP_RTPFB, FMT_CCFB, used + 4);
  return used + 4;
}
