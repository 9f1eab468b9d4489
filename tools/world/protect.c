/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "world/protect.h"

#include <stdlib.h>

static void
begin (RccWorldProtect *p, unsigned block)
{
  rcc_parity_init (&p->blocks[block],
      p->depth > 1 ? RCC_ULPFEC_SPAN_LONG : RCC_ULPFEC_SPAN);
}

void
rcc_world_protect_init (RccWorldProtect *p, uint32_t ssrc, unsigned depth)
{
  p->ssrc = ssrc;
  p->seq = 2000;
  p->interval = 0;
  p->depth = RCC_CLAMP (depth, 1, RCC_PROTECT_DEPTH);
  p->next = 0;
  for (unsigned i = 0; i < p->depth; i++)
    begin (p, i);
}

void
rcc_world_protect_interval (RccWorldProtect *p, uint32_t n)
{
  p->interval = n;
  if (n > 0)
    return;
  p->next = 0;
  for (unsigned i = 0; i < p->depth; i++)
    begin (p, i);
}

/* Of the newest media packet's instant, as RFC 5109 14.1 has it for a stream apart. */
static RccDatagram *
close_block (RccWorldProtect *p, const RccParityBlock *block, uint32_t timestamp,
    RccTime now)
{
  const RccRtp rtp = { .pt = RCC_WORLD_PT_PARITY, .seq = p->seq++, .timestamp = timestamp,
    .ssrc = p->ssrc };
  RccDatagram *d = calloc (1, sizeof *d);
  const size_t head = rcc_rtp_build (d->data, sizeof d->data, &rtp, NULL, 0);

  d->size = (uint32_t) (head
      + rcc_ulpfec_build (d->data + head, sizeof d->data - head, block));
  d->parity = true;
  d->stream = RCC_WORLD_VIDEO;
  d->created = now;
  return d;
}

RccDatagram *
rcc_world_protect_sent (RccWorldProtect *p, const RccDatagram *media, RccTime now)
{
  const RccBytes packet = { media->data, media->size };
  const unsigned at = p->next;
  RccParityBlock *block = &p->blocks[at];
  RccDatagram *parity;

  if (p->interval == 0)
    return NULL;
  p->next = (at + 1) % p->depth;
  if (!rcc_parity_add (block, packet)) {
    begin (p, at);
    rcc_parity_add (block, packet);
  }
  if (block->n < p->interval)
    return NULL;
  parity = close_block (p, block, rcc_be32 (media->data + 4), now);
  begin (p, at);
  return parity;
}
