/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/reorder.h"

#define STEP RCC_SEC                    /* back by more: the sender's clock was set */
#define MEMORY (10 * RCC_SEC)           /* of a packet that was late */

static RccReorderPacket *
place (RccReorder *r, uint32_t i)
{
  return &r->packets[(r->head + i) % RCC_REORDER_PACKETS];
}

void
rcc_reorder_init (RccReorder *r, RccTime span)
{
  r->span = span;
  r->until = r->newest = 0;
  r->head = r->n = 0;
}

void
rcc_reorder_add (RccReorder *r, RccTime send, RccTime arrival, uint32_t size)
{
  const RccTime late = rcc_reorder_back (r->newest, send);
  uint32_t i;

  if (late > STEP)
    r->n = 0;                           /* what left later by that clock would stay for ever */
  else if (late > 0)
    r->until = arrival + MEMORY;
  if (late == 0 || late > STEP)
    r->newest = send;
  i = r->n++;
  for (; i > 0 && place (r, i - 1)->send > send; i--)
    *place (r, i) = *place (r, i - 1);
  *place (r, i) = (RccReorderPacket) { send, arrival, size };
}

bool
rcc_reorder_take (RccReorder *r, RccTime now, RccReorderPacket *packet)
{
  const RccReorderPacket *first = place (r, 0);

  if (r->n == 0)
    return false;
  /* nor does the arrival clock hold it for ever */
  if (r->n < RCC_REORDER_PACKETS && first->arrival < r->until && now >= first->arrival
      && now < first->arrival + r->span)
    return false;
  *packet = *first;
  r->head = (r->head + 1) % RCC_REORDER_PACKETS;
  r->n--;
  return true;
}

bool
rcc_reorder_overtaken (const RccPacket *packets, size_t n, RccTime span)
{
  for (size_t i = 1; i < RCC_MIN (n, RCC_REORDER_PACKETS); i++) {
    if (packets[i].sent - packets[0].sent > span)
      return false;
    if (packets[i].arrived < packets[0].arrived)
      return span > 0;
  }
  return false;
}

void
rcc_reorder_settle (RccReorderLosses *l, const RccPacket *packets, size_t *n, RccTime span,
    size_t *lost, RccTime now)
{
  size_t young = 0, after_all = 0;

  if (span == 0 || *n == 0)
    return;
  for (size_t i = 0; i < *n; i++) {
    if (!rcc_packet_received (&packets[i]))
      young += packets[*n - 1].sent - packets[i].sent <= span;
    else
      after_all += (packets[i].flags & RCC_PACKET_MISSED) != 0;
  }
  if (after_all > 0)
    l->until = now + MEMORY;
  if (now >= l->until)
    young = 0;
  *lost += l->pending - RCC_MIN (l->pending, after_all) - young;
  *n += l->pending - RCC_MIN (*n + l->pending, after_all + young);
  l->pending = young;
}
