/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/ecn.h"

#define FMT_ECN 8
#define COUNTERS_SIZE 16                /* the same in both formats, after SSRC or number */

static void
get_counters (const uint8_t *p, uint32_t ssrc, RccEcnCounters *c)
{
  *c = (RccEcnCounters) {
    .ssrc = ssrc, .ect0 = rcc_be32 (p), .ect1 = rcc_be32 (p + 4),
    .ce = rcc_be16 (p + 8), .not_ect = rcc_be16 (p + 10),
    .lost = rcc_be16 (p + 12), .duplicates = rcc_be16 (p + 14),
  };
}

static void
put_counters (uint8_t *p, const RccEcnCounters *c)
{
  rcc_put32 (p, c->ect0);
  rcc_put32 (p + 4, c->ect1);
  rcc_put16 (p + 8, c->ce);
  rcc_put16 (p + 10, c->not_ect);
  rcc_put16 (p + 12, c->lost);
  rcc_put16 (p + 14, c->duplicates);
}

bool
rcc_ecn_parse (const RccRtcpPacket *packet, RccEcnFeedback *fb)
{
  RccRtcpFeedback head;

  *fb = (RccEcnFeedback) { 0 };
  if (packet->type != RCC_RTCP_RTPFB || packet->count != FMT_ECN
      || !rcc_rtcp_feedback (packet, &head) || head.fci.size != 4 + COUNTERS_SIZE)
    return false;
  fb->sender_ssrc = head.sender_ssrc;
  fb->highest_seq = rcc_be32 (head.fci.data);
  get_counters (head.fci.data + 4, head.media_ssrc, &fb->counters);
  return true;
}

bool
rcc_ecn_next (RccBytes *rest, RccEcnCounters *counters)
{
  *counters = (RccEcnCounters) { 0 };
  if (rest->size < RCC_ECN_ENTRY_SIZE)
    return false;
  get_counters (rest->data + 4, rcc_be32 (rest->data), counters);
  rest->data += RCC_ECN_ENTRY_SIZE;
  rest->size -= RCC_ECN_ENTRY_SIZE;
  return true;
}

size_t
rcc_ecn_build (uint8_t *out, size_t size, const RccEcnFeedback *fb)
{
  if (size < RCC_ECN_FEEDBACK_SIZE)
    return 0;
  rcc_rtcp_put_header (out, RCC_RTCP_RTPFB, FMT_ECN, RCC_ECN_FEEDBACK_SIZE);
  rcc_put32 (out + 4, fb->sender_ssrc);
  rcc_put32 (out + 8, fb->counters.ssrc);
  rcc_put32 (out + 12, fb->highest_seq);
  put_counters (out + 16, &fb->counters);
  return RCC_ECN_FEEDBACK_SIZE;
}

size_t
rcc_ecn_put (uint8_t *out, size_t size, const RccEcnCounters *counters)
{
  if (size < RCC_ECN_ENTRY_SIZE)
    return 0;
  rcc_put32 (out, counters->ssrc);
  put_counters (out + 4, counters);
  return RCC_ECN_ENTRY_SIZE;
}
