/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/interleave.h"

unsigned
rcc_interleave_fit (unsigned depth, unsigned n, unsigned span)
{
  const unsigned most = n > 1 ? (span - 1) / (n - 1) : RCC_INTERLEAVE_DEPTH;

  return RCC_CLAMP (RCC_MIN (depth, most), 1, RCC_INTERLEAVE_DEPTH);
}

/* Nothing is begun: whatever waited for that comes into force. */
static void
begin (RccInterleave *x)
{
  x->depth = x->wanted;
  if (x->depth > x->room)
    x->blocks = x->resize (x->blocks, x->depth * sizeof *x->blocks);
  for (; x->room < x->depth; x->room++)
    rcc_parity_init (&x->blocks[x->room], x->span);
  x->turn = 0;
  x->ending = false;
}

void
rcc_interleave_drop (RccInterleave *x)
{
  for (unsigned i = 0; i < x->room; i++)
    rcc_parity_init (&x->blocks[i], x->span);
  begin (x);
}

void
rcc_interleave_init (RccInterleave *x, unsigned span, RccResize resize)
{
  *x = (RccInterleave) { .span = RCC_CLAMP (span, 1, RCC_PARITY_SPAN_MAX), .wanted = 1,
    .resize = resize };
  begin (x);
}

void
rcc_interleave_clear (RccInterleave *x)
{
  rcc_release (x->resize, x->blocks);
  x->blocks = NULL;
  x->room = 0;
}

unsigned
rcc_interleave_begun (const RccInterleave *x)
{
  unsigned begun = 0;

  for (unsigned i = 0; i < x->depth; i++)
    begun += x->blocks[i].n > 0;
  return begun;
}

void
rcc_interleave_set (RccInterleave *x, unsigned n, unsigned depth)
{
  x->n = n;
  x->wanted = rcc_interleave_fit (depth, n, x->span);
  if (n == 0)
    rcc_interleave_drop (x);
  else if (rcc_interleave_begun (x) == 0)
    begin (x);
}

bool
rcc_interleave_add (RccInterleave *x, const RccRtp *rtp, const RccBytes *parts, unsigned n)
{
  if (x->n == 0 || !rcc_parity_add_parts (&x->blocks[x->turn], rtp, parts, n))
    return false;
  if (++x->turn == x->depth)
    x->turn = 0;
  x->ending |= x->wanted != x->depth;
  return true;
}

void
rcc_interleave_end (RccInterleave *x)
{
  x->ending = rcc_interleave_begun (x) > 0;
}

/* The one that a packet has joined last comes last: what is lost together with that packet
 * is the parity of others. */
RccParityBlock *
rcc_interleave_due (RccInterleave *x)
{
  x->ending |= x->n > 0 && x->blocks[x->depth - 1].n >= x->n;
  for (unsigned i = 0; x->ending && i < x->depth; i++) {
    RccParityBlock *block = &x->blocks[(x->turn + i) % x->depth];

    if (block->n > 0)
      return block;
  }
  return NULL;
}

void
rcc_interleave_written (RccInterleave *x, RccParityBlock *block)
{
  rcc_parity_init (block, x->span);
  if (rcc_interleave_begun (x) == 0)
    begin (x);
}

void
rcc_interleave_merge (RccInterleave *x, RccInterleave *other)
{
  for (unsigned i = 0; i < RCC_MIN (x->depth, other->depth); i++)
    if (other->blocks[i].n > 0 && rcc_parity_merge (&x->blocks[i], &other->blocks[i]))
      rcc_parity_init (&other->blocks[i], other->span);
  if (rcc_interleave_begun (other) > 0)
    return;
  x->turn = other->turn % x->depth;
  begin (other);
}
