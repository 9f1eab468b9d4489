/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/repair.h"

#include <string.h>

void
rcc_world_repair_init (RccWorldRepair *r, uint32_t ssrc)
{
  memset (r, 0, sizeof *r);
  r->ssrc = ssrc;
}

static void
keep (RccRepairPacket *slot, uint16_t seq, RccBytes bytes)
{
  if (bytes.size > sizeof slot->data)
    return;
  slot->any = true;
  slot->seq = seq;
  slot->size = (uint16_t) bytes.size;
  memcpy (slot->data, bytes.data, bytes.size);
}

void
rcc_world_repair_packet (RccWorldRepair *r, const RccRtp *rtp, RccBytes packet)
{
  if (rtp->pt == RCC_WORLD_PT_PARITY) {
    keep (&r->parities[r->next++ % RCC_REPAIR_PARITIES], rtp->seq,
        (RccBytes) { packet.data + rtp->header_size, packet.size - rtp->header_size });
    r->parsed++;
  } else if (rtp->ssrc == r->ssrc) {
    keep (&r->media[rtp->seq % RCC_REPAIR_PACKETS], rtp->seq, packet);
  }
}

static RccBytes
find (void *user, uint32_t ssrc, uint16_t seq)
{
  const RccWorldRepair *r = user;
  const RccRepairPacket *p = &r->media[seq % RCC_REPAIR_PACKETS];

  if (ssrc != r->ssrc || !p->any || p->seq != seq)
    return (RccBytes) { NULL, 0 };
  return (RccBytes) { p->data, p->size };
}

static bool
is_video (void *user, const RccRtp *rtp)
{
  (void) user;
  return rtp->pt == RCC_WORLD_PT_VIDEO;
}

/* One parity that still waits: what it gives, 0: nothing, or not yet. */
static size_t
attempt (RccWorldRepair *r, RccRepairPacket *p, uint8_t *out)
{
  const RccParitySource source = { .packet = find, .accept = is_video, .user = r };
  RccParityResult result;
  RccParity parity;

  if (!rcc_ulpfec_parse ((RccBytes) { p->data, p->size }, r->ssrc, &parity)) {
    r->malformed++;
    p->any = false;
    return 0;
  }
  result = rcc_parity_recover (&parity, &source, out, RCC_PARITY_PACKET_MAX);
  if (result.verdict == RCC_PARITY_SHORT)
    return 0;
  p->any = false;
  r->refused += result.verdict == RCC_PARITY_REFUSED;
  if (result.verdict != RCC_PARITY_RECOVERED)
    return 0;
  r->recovered++;
  keep (&r->media[result.seq % RCC_REPAIR_PACKETS], result.seq,
      (RccBytes) { out, result.size });
  return result.size;
}

size_t
rcc_world_repair_next (RccWorldRepair *r, uint8_t *out)
{
  for (unsigned i = 0; i < RCC_REPAIR_PARITIES; i++) {
    RccRepairPacket *p = &r->parities[i];
    const size_t size = p->any ? attempt (r, p, out) : 0;

    if (size > 0)
      return size;
  }
  return 0;
}
