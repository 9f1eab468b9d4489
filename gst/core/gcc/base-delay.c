/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/base-delay.h"

#include <string.h>

#define WINDOW (10 * RCC_SEC)
#define SAME (2 * (int64_t) RCC_MSEC)   /* it stands still within that */
#define LEAST_RISE (10 * (int64_t) RCC_MSEC)    /* less is no queue to a decrease (queue-floor) */
#define VARIES 1.2                      /* the most of a part of rise, of the least ... */
#define VARIES_BYTES 3600               /* ... and more by three packets: a part ends between two */

static const RccBasePart none = { INT64_MAX, 0, 0 };

void
rcc_base_delay_init (RccBaseDelay *b, RccTime rise)
{
  *b = (RccBaseDelay) { .rise = rise, .now = none, .before = none, .since = RCC_NEVER };
}

static void
add (RccBasePart *p, int64_t owd, uint32_t size)
{
  p->bytes += size;
  if (owd < p->owd) {
    p->owd = owd;
    p->size = size;
  }
}

static bool
is_longer (const RccBaseDelay *b)
{
  int64_t least = INT64_MAX, most = INT64_MIN;
  uint64_t few = UINT64_MAX, many = 0;

  for (unsigned i = 0; i < RCC_BASE_PARTS; i++) {
    const RccBasePart *p = &b->parts[i];

    least = RCC_MIN (least, p->owd);
    most = RCC_MAX (most, p->owd);
    few = RCC_MIN (few, p->bytes);
    many = RCC_MAX (many, p->bytes);
  }
  return most - least <= SAME && least - rcc_base_delay_ns (b) >= LEAST_RISE
      && many >= few + VARIES_BYTES && (double) many >= VARIES * (double) few;
}

static void
take_longer (RccBaseDelay *b, RccTime arrival)
{
  b->now = none;
  for (unsigned i = 0; i < RCC_BASE_PARTS; i++)
    add (&b->now, b->parts[i].owd, b->parts[i].size);
  b->before = none;
  b->since = arrival;
  b->n = 0;
}

/* A part in which nothing came is none.  Nor is one in which the clock went back: the difference
 * has no sign. */
static void
track_rise (RccBaseDelay *b, int64_t owd, RccTime arrival, uint32_t size)
{
  const RccTime length = b->rise / RCC_BASE_PARTS;

  if (b->n == 0 || arrival - b->part_since >= 2 * length) {
    b->n = 0;
  } else if (arrival - b->part_since < length) {
    add (&b->parts[b->n - 1], owd, size);
    return;
  } else if (b->n == RCC_BASE_PARTS) {
    if (is_longer (b))
      take_longer (b, arrival);
    else
      memmove (b->parts, b->parts + 1, --b->n * sizeof *b->parts);
  }
  b->parts[b->n] = none;
  add (&b->parts[b->n++], owd, size);
  b->part_since = arrival;
}

RccTime
rcc_base_delay_packet (RccBaseDelay *b, int64_t owd, RccTime arrival, uint32_t size)
{
  const int64_t before = rcc_base_delay_ns (b);

  if (b->since == RCC_NEVER || arrival >= b->since + WINDOW) {
    b->before = b->since == RCC_NEVER ? none : b->now;
    b->now = none;
    b->since = arrival;
  }
  if (b->rise > 0)
    track_rise (b, owd, arrival, size);
  add (&b->now, owd, size);
  return rcc_base_delay_ns (b) > before ? (RccTime) (rcc_base_delay_ns (b) - before) : 0;
}

void
rcc_base_delay_lost (RccBaseDelay *b)
{
  b->n = 0;
}

void
rcc_base_delay_forget (RccBaseDelay *b)
{
  b->since = RCC_NEVER;
  b->n = 0;
}

int64_t
rcc_base_delay_ns (const RccBaseDelay *b)
{
  return RCC_MIN (b->now.owd, b->before.owd);
}

uint32_t
rcc_base_delay_size (const RccBaseDelay *b)
{
  return b->before.owd < b->now.owd ? b->before.size : b->now.size;
}
