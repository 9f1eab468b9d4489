/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/xr-rle.h"

#define VECTOR 0x8000                   /* 4.1.1, 4.1.2: chunk type */
#define RUN_OF_ONES 0x4000
#define VECTOR_BITS 15
#define RUN_MAX 16383
#define EARLY 0x10                      /* RFC 7097 3: E, above T */

bool
rcc_xr_rle_parse (const RccXrBlock *block, RccXrRle *rle)
{
  *rle = (RccXrRle) { 0 };
  if ((block->type != RCC_XR_LOSS_RLE && block->type != RCC_XR_DISCARD_RLE)
      || !rcc_xr_range_parse (block, &rle->range))
    return false;
  rle->discard = block->type == RCC_XR_DISCARD_RLE;
  rle->early = rle->discard && block->specific & EARLY;
  rle->chunks = (RccBytes) { block->body.data + RCC_XR_RANGE_SIZE,
    block->body.size - RCC_XR_RANGE_SIZE };
  return true;
}

void
rcc_xr_rle_begin (RccXrRleWalk *walk, const RccXrRle *rle)
{
  *walk = (RccXrRleWalk) { .chunks = rle->chunks,
    .step = (uint16_t) (1u << (rle->range.thinning & 15)) };
  walk->left = rcc_xr_range_count (&rle->range, &walk->seq);
}

/* A null chunk is a run of none. */
static bool
open_chunk (RccXrRleWalk *walk)
{
  while (walk->chunk_left == 0) {
    if (walk->chunks.size < 2)
      return false;
    walk->chunk = rcc_be16 (walk->chunks.data);
    walk->chunks.data += 2;
    walk->chunks.size -= 2;
    walk->chunk_left = walk->chunk & VECTOR ? VECTOR_BITS : walk->chunk & RUN_MAX;
  }
  return true;
}

static void
advance (RccXrRleWalk *walk, uint32_t n)
{
  walk->chunk_left -= n;
  walk->left -= n;
  walk->seq = (uint16_t) (walk->seq + n * walk->step);
}

void
rcc_xr_rle_skip (RccXrRleWalk *walk, uint32_t n)
{
  while (n > 0 && walk->left > 0 && open_chunk (walk)) {
    const uint32_t part = RCC_MIN (RCC_MIN (n, walk->left), walk->chunk_left);

    advance (walk, part);
    n -= part;
  }
}

bool
rcc_xr_rle_next (RccXrRleWalk *walk, uint16_t *seq, bool *bit)
{
  if (walk->left == 0 || !open_chunk (walk))
    return false;
  *seq = walk->seq;
  *bit = walk->chunk & VECTOR ? walk->chunk >> (walk->chunk_left - 1) & 1
      : walk->chunk & RUN_OF_ONES;
  advance (walk, 1);
  return true;
}

/* --- building ------------------------------------------------------------- */

typedef struct {
  bool (*bit) (void *user, uint16_t seq);
  void *user;
  uint32_t left;                        /* numbers that no chunk speaks of yet */
  uint16_t seq, step;
} Trace;

static bool
bit_at (const Trace *t, uint32_t i)
{
  return t->bit (t->user, (uint16_t) (t->seq + i * t->step));
}

/* A run where it says no less than a bit vector. A chunk that begins later never ends earlier. So
 * taking the longer of the two each time gives the fewest there can be. Bits beyond the trace
 * MUST be zero (4.1). */
static uint16_t
next_chunk (Trace *t)
{
  const uint32_t most = RCC_MIN (t->left, RUN_MAX);
  const bool first = bit_at (t, 0);
  uint16_t vector = 0;
  uint32_t n = 1;

  while (n < most && bit_at (t, n) == first)
    n++;
  if (n < VECTOR_BITS && n < t->left) {
    n = RCC_MIN (VECTOR_BITS, t->left);
    for (uint32_t i = 0; i < n; i++)
      vector |= (uint16_t) (bit_at (t, i) << (VECTOR_BITS - 1 - i));
    vector |= VECTOR;
  } else {
    vector = (uint16_t) ((first ? RUN_OF_ONES : 0) | n);
  }
  t->left -= n;
  t->seq = (uint16_t) (t->seq + n * t->step);
  return vector;
}

/* What one block may speak of. */
static RccXrRange
clip (const RccXrRange *range)
{
  RccXrRange part = *range;

  if ((uint16_t) (part.end_seq - part.begin_seq) > RCC_XR_RANGE_MAX)
    part.end_seq = (uint16_t) (part.begin_seq + RCC_XR_RANGE_MAX);
  return part;
}

size_t
rcc_xr_rle_add (uint8_t *out, size_t size, size_t used, const RccXrRle *rle,
    bool (*bit) (void *user, uint16_t seq), void *user, uint16_t *end)
{
  const size_t room = rcc_xr_room (size, used);
  const uint8_t specific = (uint8_t) ((rle->range.thinning & 15)
      | (rle->discard && rle->early ? EARLY : 0));
  RccXrRange part = clip (&rle->range);
  Trace t = { bit, user, 0, 0, (uint16_t) (1u << (part.thinning & 15)) };
  size_t body = RCC_XR_RANGE_SIZE;

  t.left = rcc_xr_range_count (&part, &t.seq);
  *end = t.left > 0 ? part.begin_seq : part.end_seq;
  if (t.left == 0 || room < RCC_XR_RANGE_SIZE + 4)
    return t.left == 0 ? used : 0;
  for (; t.left > 0 && body < room; body += 2)
    rcc_put16 (out + used + 4 + body, next_chunk (&t));
  if (t.left > 0)
    part.end_seq = t.seq;
  if (body % 4) {
    rcc_put16 (out + used + 4 + body, 0);
    body += 2;
  }
  rcc_xr_put_range (out + used + 4, &part);
  *end = part.end_seq;
  return rcc_xr_close (out, used, rle->discard ? RCC_XR_DISCARD_RLE : RCC_XR_LOSS_RLE,
      specific, body);
}
