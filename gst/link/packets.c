/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/packets.h"

#include <stdlib.h>

#define NONE RCC_LINK_NONE

void
rcc_link_fifo_append (RccLinkPool *p, RccLinkFifo *f, uint32_t node)
{
  p->nodes[node].next = NONE;
  p->nodes[node].before = f->tail;
  if (f->n++)
    p->nodes[f->tail].next = node;
  else
    f->head = node;
  f->tail = node;
  f->bytes += p->nodes[node].wire;
}

void
rcc_link_fifo_insert (RccLinkPool *p, RccLinkFifo *f, uint32_t node)
{
  const RccTime delivered = p->nodes[node].packet.delivered;
  uint32_t next = f->tail;

  if (f->n == 0 || p->nodes[f->tail].packet.delivered <= delivered) {
    rcc_link_fifo_append (p, f, node);
    return;
  }
  while (next != f->head && p->nodes[p->nodes[next].before].packet.delivered > delivered)
    next = p->nodes[next].before;
  p->nodes[node].next = next;
  p->nodes[node].before = p->nodes[next].before;
  if (next == f->head)
    f->head = node;
  else
    p->nodes[p->nodes[next].before].next = node;
  p->nodes[next].before = node;
  f->n++;
  f->bytes += p->nodes[node].wire;
}

uint32_t
rcc_link_fifo_take (RccLinkPool *p, RccLinkFifo *f, bool after_head)
{
  const uint32_t node = after_head ? p->nodes[f->head].next : f->head;

  if (after_head) {
    p->nodes[f->head].next = p->nodes[node].next;
    if (f->tail == node)
      f->tail = f->head;
    else
      p->nodes[p->nodes[node].next].before = f->head;
  } else {
    f->head = p->nodes[node].next;
  }
  f->n--;
  f->bytes -= p->nodes[node].wire;
  return node;
}

uint32_t
rcc_link_pool_get (RccLinkPool *p)
{
  uint32_t node;

  if (p->free == NONE) {
    const uint32_t grown = p->n ? p->n * 2 : 64;
    RccLinkNode *nodes = grown > RCC_LINK_MAX_PACKETS ? NULL
        : realloc (p->nodes, grown * sizeof *nodes);

    if (!nodes)
      return NONE;
    p->nodes = nodes;
    for (node = p->n; node < grown; node++)
      nodes[node].next = node + 1 < grown ? node + 1 : NONE;
    p->free = p->n;
    p->n = grown;
  }
  node = p->free;
  p->free = p->nodes[node].next;
  return node;
}

void
rcc_link_pool_free (RccLinkPool *p, uint32_t node)
{
  p->nodes[node].next = p->free;
  p->free = node;
}

void
rcc_link_pool_clear (RccLinkPool *p)
{
  free (p->nodes);
  *p = (RccLinkPool) RCC_LINK_POOL_INIT;
}
