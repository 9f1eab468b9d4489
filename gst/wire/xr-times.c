/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/xr-times.h"

#define TIME_SIZE 4

bool
rcc_xr_times_parse (const RccXrBlock *block, RccXrTimes *times)
{
  *times = (RccXrTimes) { 0 };
  if (block->type != RCC_XR_RECEIPT_TIMES || !rcc_xr_range_parse (block, &times->range))
    return false;
  times->times = (RccBytes) { block->body.data + RCC_XR_RANGE_SIZE,
    block->body.size - RCC_XR_RANGE_SIZE };
  return true;
}

void
rcc_xr_times_begin (RccXrTimesWalk *walk, const RccXrTimes *times)
{
  *walk = (RccXrTimesWalk) { .times = times->times.data,
    .step = (uint16_t) (1u << (times->range.thinning & 15)) };
  walk->left = (uint32_t) RCC_MIN (rcc_xr_range_count (&times->range, &walk->seq),
      times->times.size / TIME_SIZE);
}

void
rcc_xr_times_skip (RccXrTimesWalk *walk, uint32_t n)
{
  n = RCC_MIN (n, walk->left);
  walk->left -= n;
  walk->seq = (uint16_t) (walk->seq + n * walk->step);
  walk->times += (size_t) n * TIME_SIZE;
}

bool
rcc_xr_times_next (RccXrTimesWalk *walk, uint16_t *seq, uint32_t *ticks)
{
  if (walk->left == 0)
    return false;
  *seq = walk->seq;
  *ticks = rcc_be32 (walk->times);
  rcc_xr_times_skip (walk, 1);
  return true;
}

/* --- building ------------------------------------------------------------- */

typedef struct {
  bool (*when) (void *user, uint16_t seq, uint32_t *ticks);
  void *user;
  uint32_t left;
  uint16_t seq, step;
} Trace;

static void
advance (Trace *t)
{
  t->left--;
  t->seq = (uint16_t) (t->seq + t->step);
}

/* The next stretch without a loss, from t->seq, whose packet came. */
static size_t
add_stretch (uint8_t *out, size_t room, size_t used, RccXrRange part, Trace *t)
{
  size_t body = RCC_XR_RANGE_SIZE;
  uint32_t ticks;

  part.begin_seq = t->seq;
  while (t->left > 0 && body + TIME_SIZE <= room && t->when (t->user, t->seq, &ticks)) {
    rcc_put32 (out + used + 4 + body, ticks);
    part.end_seq = (uint16_t) (t->seq + 1);
    body += TIME_SIZE;
    advance (t);
  }
  rcc_xr_put_range (out + used + 4, &part);
  return rcc_xr_close (out, used, RCC_XR_RECEIPT_TIMES, part.thinning & 15, body);
}

size_t
rcc_xr_times_add (uint8_t *out, size_t size, size_t used, const RccXrRange *range,
    bool (*when) (void *user, uint16_t seq, uint32_t *ticks), void *user, uint16_t *end)
{
  const size_t before = used;
  Trace t = { when, user, 0, 0, (uint16_t) (1u << (range->thinning & 15)) };
  uint32_t ticks;

  t.left = rcc_xr_range_count (range, &t.seq);
  while (t.left > 0) {
    if (!when (user, t.seq, &ticks)) {
      advance (&t);
    } else if (rcc_xr_room (size, used) >= RCC_XR_RANGE_SIZE + TIME_SIZE) {
      used = add_stretch (out, rcc_xr_room (size, used), used, *range, &t);
    } else {
      *end = t.seq;
      return used > before ? used : 0;
    }
  }
  *end = range->end_seq;
  return used;
}
