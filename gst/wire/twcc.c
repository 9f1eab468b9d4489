/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/twcc.h"

#include <string.h>

#define FMT_TWCC 15
#define FIXED_SIZE 20                   /* header, two SSRCs, base .. fb count */
#define TICK_US 250
#define REFERENCE_TICKS 256             /* 64 ms */
#define RUN_MAX 8191
#define ONE_BIT_MAX 14
#define TWO_BIT_MAX 7

/* Symbols, numbered by the bytes that their delta takes. */
enum { LOST = 0, SMALL = 1, LARGE = 2, RESERVED = 3 };

/* How many symbols a chunk has. */
static unsigned
chunk_size (uint16_t chunk)
{
  if (!(chunk & 0x8000))
    return chunk & RUN_MAX;
  return chunk & 0x4000 ? TWO_BIT_MAX : ONE_BIT_MAX;
}

/* The first of the @left last symbols of a chunk. */
static unsigned
symbol_of (uint16_t chunk, unsigned left)
{
  if (!(chunk & 0x8000))
    return chunk >> 13 & 3;
  return chunk & 0x4000 ? chunk >> (2 * left - 2) & 3 : chunk >> (left - 1) & 1;
}

/* Where the deltas begin; false when the chunks end before @n symbols: what was read may
 * well have been deltas then. */
static bool
find_deltas (RccBytes *rest, unsigned n)
{
  while (n > 0) {
    if (rest->size < 2)
      return false;
    n -= RCC_MIN (n, chunk_size (rcc_be16 (rest->data)));
    rest->data += 2;
    rest->size -= 2;
  }
  return true;
}

bool
rcc_twcc_parse (const RccRtcpPacket *packet, RccTwcc *twcc)
{
  RccRtcpFeedback fb;
  unsigned claimed;
  int32_t reference;
  RccBytes rest;

  *twcc = (RccTwcc) { 0 };
  if (packet->type != RCC_RTCP_RTPFB || packet->count != FMT_TWCC
      || !rcc_rtcp_feedback (packet, &fb) || fb.fci.size < 8)
    return false;
  claimed = rcc_be16 (fb.fci.data + 2);
  reference = (int32_t) rcc_be24 (fb.fci.data + 4);
  if (reference & 0x800000)
    reference -= 0x1000000;
  rest = (RccBytes) { fb.fci.data + 8, fb.fci.size - 8 };
  if (claimed == 0 || !find_deltas (&rest, claimed))
    return false;
  *twcc = (RccTwcc) {
    .sender_ssrc = fb.sender_ssrc, .media_ssrc = fb.media_ssrc,
    .base_seq = rcc_be16 (fb.fci.data), .n_statuses = (uint16_t) claimed,
    .reference = reference, .fb_count = fb.fci.data[7],
    .chunks = { fb.fci.data + 8, (size_t) (rest.data - fb.fci.data) - 8 }, .deltas = rest,
  };
  return true;
}

void
rcc_twcc_begin (RccTwccWalk *walk, const RccTwcc *twcc)
{
  *walk = (RccTwccWalk) { .chunks = twcc->chunks, .deltas = twcc->deltas,
    .left = twcc->n_statuses, .seq = twcc->base_seq,
    .us = (int64_t) twcc->reference * REFERENCE_TICKS * TICK_US };
}

static bool
next_chunk_of (RccTwccWalk *walk)
{
  while (walk->chunk_left == 0) {
    if (walk->chunks.size < 2)
      return false;
    walk->chunk = rcc_be16 (walk->chunks.data);
    walk->chunk_left = chunk_size (walk->chunk);
    walk->chunks.data += 2;
    walk->chunks.size -= 2;
  }
  return true;
}

static void
pass (RccTwccWalk *walk, unsigned n, size_t delta)
{
  walk->left -= n;
  walk->chunk_left -= n;
  walk->seq = (uint16_t) (walk->seq + n);
  walk->deltas.data += delta;
  walk->deltas.size -= delta;
}

bool
rcc_twcc_next (RccTwccWalk *walk, RccTwccRun *run)
{
  unsigned symbol;

  if (walk->left == 0 || !next_chunk_of (walk))
    return false;
  *run = (RccTwccRun) { .seq = walk->seq, .n = 1 };
  symbol = symbol_of (walk->chunk, walk->chunk_left);
  /* whether a delta belongs to the reserved symbol nobody can know */
  if (symbol == RESERVED || walk->deltas.size < symbol)
    return false;
  if (symbol == LOST) {
    if (!(walk->chunk & 0x8000))
      run->n = (uint16_t) RCC_MIN (walk->chunk_left, walk->left);
    pass (walk, run->n, 0);
    return true;
  }
  walk->us += TICK_US * (symbol == SMALL ? walk->deltas.data[0]
      : (int16_t) rcc_be16 (walk->deltas.data));
  run->status = (RccTwccStatus) { true, walk->us };
  pass (walk, 1, symbol);
  return true;
}

typedef struct {                        /* a message to be written */
  int64_t reference;                    /* not yet cut to 24 bits */
  unsigned n;
  uint8_t symbols[RCC_TWCC_STATUSES_MAX];
  int16_t deltas[RCC_TWCC_STATUSES_MAX];
} Plan;

static int64_t
floor_div (int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* Rounded to nearest, each arrival by itself, so that errors do not add up. */
static int64_t
ticks_from_us (int64_t us)
{
  const int64_t whole = floor_div (us, TICK_US);

  return whole + (us - whole * TICK_US >= TICK_US / 2);
}

/* Symbols and deltas of @statuses up to the first delta that 16 bits cannot say. */
static void
plan_deltas (Plan *plan, const RccTwccStatus *statuses, unsigned n)
{
  bool any = false;
  int64_t last = 0;

  for (plan->n = 0; plan->n < n; plan->n++) {
    const RccTwccStatus *status = &statuses[plan->n];
    int64_t ticks, delta;

    plan->symbols[plan->n] = LOST;
    if (!status->received)
      continue;
    ticks = ticks_from_us (status->arrived_us);
    if (!any) {
      plan->reference = floor_div (ticks, REFERENCE_TICKS);
      last = plan->reference * REFERENCE_TICKS;
      any = true;
    }
    delta = ticks - last;
    if (delta < INT16_MIN || delta > INT16_MAX)
      return;
    plan->symbols[plan->n] = delta >= 0 && delta <= UINT8_MAX ? SMALL : LARGE;
    plan->deltas[plan->n] = (int16_t) delta;
    last = ticks;
  }
}

/* The chunk that says most of the next @left symbols; @n gets how many.  A run
 * that covers what a vector would is as short, and may go on. */
static uint16_t
next_chunk (const uint8_t *symbols, unsigned left, unsigned *n)
{
  unsigned run = 1, chunk = 0x8000;
  bool large;

  while (run < RCC_MIN (left, RUN_MAX) && symbols[run] == symbols[0])
    run++;
  *n = RCC_MIN (left, ONE_BIT_MAX);
  large = memchr (symbols, LARGE, *n);
  if (large)
    *n = RCC_MIN (left, TWO_BIT_MAX);
  if (run >= *n) {
    *n = run;
    return (uint16_t) (symbols[0] << 13 | run);
  }
  if (large)
    chunk |= 0x4000;
  for (unsigned i = 0; i < *n; i++)
    chunk |= (unsigned) symbols[i] << (large ? 12 - 2 * i : 13 - i);
  return (uint16_t) chunk;
}

/* How many of the planned statuses fit in @room bytes. */
static unsigned
fitting (const Plan *plan, size_t room)
{
  unsigned i = 0, n;

  while (i < plan->n && room >= 2) {
    next_chunk (plan->symbols + i, plan->n - i, &n);
    room -= 2;
    for (; n > 0; n--, i++) {
      if (room < plan->symbols[i])
        return i;
      room -= plan->symbols[i];
    }
  }
  return i;
}

/* Chunks, deltas and zeros up to the word; returns the end.  The zeros need no P
 * bit: a reader knows by the count of statuses where the deltas end. */
static uint8_t *
write_plan (uint8_t *out, const Plan *plan)
{
  uint8_t *p = out;
  unsigned i, n;

  for (i = 0; i < plan->n; i += n, p += 2)
    rcc_put16 (p, next_chunk (plan->symbols + i, plan->n - i, &n));
  for (i = 0; i < plan->n; i++) {
    if (plan->symbols[i] == SMALL)
      *p = (uint8_t) plan->deltas[i];
    else if (plan->symbols[i] == LARGE)
      rcc_put16 (p, (uint16_t) plan->deltas[i]);
    p += plan->symbols[i];
  }
  while ((p - out) % 4)
    *p++ = 0;
  return p;
}

size_t
rcc_twcc_build (uint8_t *out, size_t size, const RccTwcc *head,
    const RccTwccStatus *statuses, unsigned n, unsigned *done)
{
  Plan plan;
  size_t total;

  *done = 0;
  if (size < FIXED_SIZE)
    return 0;
  plan.reference = head->reference;
  plan_deltas (&plan, statuses, RCC_MIN (n, RCC_TWCC_STATUSES_MAX));
  plan.n = fitting (&plan, (size - FIXED_SIZE) & ~(size_t) 3);
  if (plan.n == 0)
    return 0;
  total = (size_t) (write_plan (out + FIXED_SIZE, &plan) - out);
  rcc_rtcp_put_header (out, RCC_RTCP_RTPFB, FMT_TWCC, total);
  rcc_put32 (out + 4, head->sender_ssrc);
  rcc_put32 (out + 8, head->media_ssrc);
  rcc_put16 (out + 12, head->base_seq);
  rcc_put16 (out + 14, (uint16_t) plan.n);
  rcc_put24 (out + 16, (uint32_t) (plan.reference & 0xffffff));
  out[19] = head->fb_count;
  *done = plan.n;
  return total;
}
