/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/window.h"

#include <string.h>

void
rcc_window_init (RccWindow *w, RccTime span)
{
  *w = (RccWindow) { .span = span, .first = RCC_NEVER };
}

static void
turn (RccWindow *w, RccTime now)
{
  const RccTime width = w->span / RCC_WINDOW_BINS;
  const bool next = w->edge > 0 && now - w->edge < width;
  const uint64_t bin = next ? w->head + 1 : now / width;

  w->edge = (bin + 1) * width;
  if (bin - w->head >= RCC_WINDOW_BINS) {
    memset (w->bins, 0, sizeof w->bins);
    w->sum = 0;
    w->head = bin;
  }
  while (w->head < bin) {
    uint32_t *slot = &w->bins[++w->head % RCC_WINDOW_BINS];

    w->sum -= *slot;
    *slot = 0;
  }
  w->newest = (unsigned) (bin % RCC_WINDOW_BINS);
}

/* Per packet: no division unless a new bin begins, and rarely then. */
static inline void
advance (RccWindow *w, RccTime now)
{
  if (now >= w->edge)
    turn (w, now);
}

void
rcc_window_add (RccWindow *w, uint32_t bytes, RccTime now)
{
  advance (w, now);
  if (w->first == RCC_NEVER)
    w->first = now;
  w->bins[w->newest] += bytes;
  w->sum += bytes;
}

uint32_t
rcc_window_bps (RccWindow *w, RccTime now)
{
  RccTime span = w->span;

  advance (w, now);
  if (w->sum == 0)
    return 0;
  if (now < w->first + span)
    span = RCC_MAX (now > w->first ? now - w->first : 0, span / 10);
  return (uint32_t) RCC_MIN ((double) w->sum * 8e9 / (double) span, UINT32_MAX);
}

bool
rcc_window_full (const RccWindow *w, RccTime now)
{
  return w->first != RCC_NEVER && now >= w->first + w->span;
}
