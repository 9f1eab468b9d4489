/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "world/protect.h"

#include <stdlib.h>

void
rcc_world_protect_init (RccWorldProtect *p, uint32_t ssrc)
{
  p->ssrc = ssrc;
  p->seq = 2000;
  p->timestamp = 0;
  rcc_interleave_init (&p->blocks, RCC_ULPFEC_SPAN_LONG);
}

void
rcc_world_protect_set (RccWorldProtect *p, uint32_t n, uint32_t depth)
{
  rcc_interleave_set (&p->blocks, n, depth);
}

/* Of the newest media packet's instant, as RFC 5109 14.1 has it for a stream apart. */
RccDatagram *
rcc_world_protect_next (RccWorldProtect *p, RccTime now)
{
  RccParityBlock *block = rcc_interleave_due (&p->blocks);
  RccDatagram *d;
  RccRtp rtp;
  size_t head;

  if (!block)
    return NULL;
  rtp = (RccRtp) { .pt = RCC_WORLD_PT_PARITY, .seq = p->seq++, .timestamp = p->timestamp,
    .ssrc = p->ssrc };
  d = calloc (1, sizeof *d);
  head = rcc_rtp_build (d->data, sizeof d->data, &rtp, NULL, 0);
  d->size = (uint32_t) (head
      + rcc_ulpfec_build (d->data + head, sizeof d->data - head, block));
  d->parity = true;
  d->stream = RCC_WORLD_VIDEO;
  d->created = now;
  rcc_interleave_written (&p->blocks, block);
  return d;
}

RccDatagram *
rcc_world_protect_sent (RccWorldProtect *p, const RccDatagram *media, RccTime now)
{
  const RccBytes packet = { media->data, media->size };
  RccRtp rtp;

  if (p->blocks.n == 0 || !rcc_rtp_parse (packet, &rtp))
    return NULL;
  p->timestamp = rtp.timestamp;
  if (!rcc_interleave_add (&p->blocks, &rtp, &packet, 1)) {
    rcc_interleave_drop (&p->blocks);
    rcc_interleave_add (&p->blocks, &rtp, &packet, 1);
  }
  return rcc_world_protect_next (p, now);
}
