/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/window.h"

#include <string.h>

/* per packet, and so inline */
extern inline void rcc_window_add (RccWindow *w, uint32_t bytes, RccTime now);

void
rcc_window_init (RccWindow *w, RccTime span)
{
  *w = (RccWindow) { .span = span, .first = RCC_NEVER };
}

/* One bin after the other, which needs no division, or all of them. */
void
rcc_window_turn (RccWindow *w, RccTime now)
{
  const RccTime width = w->span / RCC_WINDOW_BINS;

  if (w->edge == 0 || now - w->edge >= (RCC_WINDOW_BINS - 1) * width) {
    memset (w->bins, 0, sizeof w->bins);
    w->sum = 0;
    w->edge = (now / width + 1) * width;
    return;
  }
  for (; now >= w->edge; w->edge += width) {
    w->newest = w->newest + 1 < RCC_WINDOW_BINS ? w->newest + 1 : 0;
    w->sum -= w->bins[w->newest];
    w->bins[w->newest] = 0;
  }
}

uint32_t
rcc_window_bps (RccWindow *w, RccTime now)
{
  RccTime span = w->span;

  if (now >= w->edge)
    rcc_window_turn (w, now);
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
