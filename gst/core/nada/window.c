/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/window.h"

#include <string.h>

#define BACKWARDS_MAX RCC_SEC

void
rcc_nada_window_init (RccNadaWindow *w, RccTime span)
{
  *w = (RccNadaWindow) { .span = span };
}

static void
forget (RccNadaWindow *w, RccNadaCounts *bin)
{
  w->sum.bytes -= bin->bytes;
  w->sum.received -= bin->received;
  w->sum.lost -= bin->lost;
  w->sum.marked -= bin->marked;
  w->sum.queued -= bin->queued;
  *bin = (RccNadaCounts) { 0 };
}

static void
begin (RccNadaWindow *w, RccTime arrived, RccTime width)
{
  memset (w->bins, 0, sizeof w->bins);
  w->sum = (RccNadaCounts) { 0 };
  w->edge = arrived - arrived % width + width;
  w->newest_arrived = arrived;
}

/* The bin that @arrived belongs to; NULL: none any more. */
static RccNadaCounts *
bin_of (RccNadaWindow *w, RccTime arrived)
{
  const RccTime width = w->span / RCC_NADA_BINS;
  RccTime back;

  if (w->edge == 0 || (arrived >= w->edge && arrived - w->edge >= w->span))
    begin (w, arrived, width);
  if (arrived < w->edge && w->edge - arrived > w->span) {
    if (w->edge - arrived <= w->span + BACKWARDS_MAX)
      return NULL;
    begin (w, arrived, width);
  }
  for (; arrived >= w->edge; w->edge += width) {
    w->newest = (w->newest + 1) % RCC_NADA_BINS;
    forget (w, &w->bins[w->newest]);
  }
  w->newest_arrived = RCC_MAX (w->newest_arrived, arrived);
  back = RCC_MIN ((w->edge - 1 - arrived) / width, RCC_NADA_BINS - 1);
  return &w->bins[(w->newest + RCC_NADA_BINS - (unsigned) back) % RCC_NADA_BINS];
}

static void
count (RccNadaWindow *w, RccNadaCounts *bin, RccNadaCounts packet)
{
  RccNadaCounts *const to[] = { bin, &w->sum };

  for (unsigned i = 0; i < 2; i++) {
    to[i]->bytes += packet.bytes;
    to[i]->received += packet.received;
    to[i]->lost += packet.lost;
    to[i]->marked += packet.marked;
    to[i]->queued += packet.queued;
  }
}

void
rcc_nada_window_arrived (RccNadaWindow *w, RccTime arrived, uint32_t size, bool marked,
    bool queued)
{
  RccNadaCounts *bin = bin_of (w, RCC_MIN (arrived, UINT64_MAX / 4));

  if (bin)
    count (w, bin, (RccNadaCounts) { size, 1, 0, marked, queued });
}

void
rcc_nada_window_received (RccNadaWindow *w, uint32_t size, bool marked)
{
  count (w, &w->bins[w->newest], (RccNadaCounts) { size, 1, 0, marked, 0 });
}

void
rcc_nada_window_lost (RccNadaWindow *w)
{
  count (w, &w->bins[w->newest], (RccNadaCounts) { .lost = 1 });
}

static double
ratio (const RccNadaWindow *w, uint32_t part)
{
  const double all = (double) w->sum.received + w->sum.lost;

  return all > 0 ? part / all : 0.0;
}

double
rcc_nada_window_loss (const RccNadaWindow *w)
{
  return ratio (w, w->sum.lost);
}

double
rcc_nada_window_marks (const RccNadaWindow *w)
{
  return ratio (w, w->sum.marked);
}

/* The newest bin is not over: the time that the bins cover is that much shorter. */
double
rcc_nada_window_bps (const RccNadaWindow *w)
{
  const RccTime rest = w->edge > w->newest_arrived ? w->edge - 1 - w->newest_arrived : 0;

  return (double) w->sum.bytes * 8e9 / (double) (w->span - RCC_MIN (rest, w->span / 2));
}
