/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/tmmbr.h"

enum { FMT_TMMBR = 3, FMT_TMMBN = 4 };
#define ENTRY_SIZE 8
#define MANTISSA_BITS 17
#define OVERHEAD_BITS 9

bool
rcc_tmmbr_parse (const RccRtcpPacket *packet, RccTmmbr *tmmbr)
{
  RccRtcpFeedback fb;

  *tmmbr = (RccTmmbr) { 0 };
  if (packet->type != RCC_RTCP_RTPFB
      || (packet->count != FMT_TMMBR && packet->count != FMT_TMMBN)
      || !rcc_rtcp_feedback (packet, &fb))
    return false;
  *tmmbr = (RccTmmbr) {
    .sender_ssrc = fb.sender_ssrc,
    .notification = packet->count == FMT_TMMBN,
    .n_entries = (unsigned) (fb.fci.size / ENTRY_SIZE),
    .fci = fb.fci,
  };
  return true;
}

void
rcc_tmmbr_entry (const RccTmmbr *tmmbr, unsigned i, RccTmmbrEntry *entry)
{
  const uint8_t *p = tmmbr->fci.data + ENTRY_SIZE * (size_t) i;
  const uint32_t word = rcc_be32 (p + 4);

  entry->ssrc = rcc_be32 (p);
  entry->bps = rcc_rate_from_float (word >> OVERHEAD_BITS & 0x1ffff,
      word >> (OVERHEAD_BITS + MANTISSA_BITS));
  entry->overhead = word & 0x1ff;
}

size_t
rcc_tmmbr_build (uint8_t *out, size_t size, uint32_t sender_ssrc, bool notification,
    const RccTmmbrEntry *entries, unsigned n)
{
  const size_t total = 12 + ENTRY_SIZE * (size_t) n;
  uint8_t *p;

  if (n > RCC_TMMBR_ENTRIES_MAX || size < total || (n == 0 && !notification))
    return 0;
  rcc_rtcp_put_header (out, RCC_RTCP_RTPFB, notification ? FMT_TMMBN : FMT_TMMBR, total);
  rcc_put32 (out + 4, sender_ssrc);
  rcc_put32 (out + 8, 0);               /* RFC 5104 4.2.1.2, 4.2.2.2: SHALL be 0 */
  p = out + 12;
  for (unsigned i = 0; i < n; i++, p += ENTRY_SIZE) {
    const uint32_t overhead = RCC_MIN (entries[i].overhead, 0x1ff);
    uint32_t mantissa;
    const unsigned exp = rcc_rate_to_float (entries[i].bps, MANTISSA_BITS, &mantissa);

    rcc_put32 (p, entries[i].ssrc);
    rcc_put32 (p + 4, exp << (OVERHEAD_BITS + MANTISSA_BITS)
        | mantissa << OVERHEAD_BITS | overhead);
  }
  return total;
}
