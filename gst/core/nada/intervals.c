/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/intervals.h"

#include <string.h>

#define N RCC_NADA_INTERVALS

/* w_i, i = 0..n-1 (RFC 5348 5.4) */
static double
weight (unsigned i)
{
  return i < N / 2 ? 1.0 : 2.0 * (N - i) / (N + 2.0);
}

void
rcc_nada_intervals_packet (RccNadaIntervals *l, bool lost, RccTime sent, RccTime rtt)
{
  l->since = lost ? 0 : l->since + 1;
  if (lost && (l->n == 0 || (sent > l->event && sent - l->event > rtt))) {
    memmove (l->closed + 1, l->closed, (N - 1) * sizeof *l->closed);
    l->closed[0] = RCC_MAX ((double) l->open, 1.0);
    l->n = RCC_MIN (l->n + 1, N);
    l->event = sent;
    l->open = 0;
  }
  l->open++;
}

double
rcc_nada_intervals_mean (const RccNadaIntervals *l)
{
  double total0 = 0.0, total1 = 0.0, weights = 0.0;

  for (unsigned i = 0; i < l->n; i++) {
    total0 += (i == 0 ? (double) l->open : l->closed[i - 1]) * weight (i);
    total1 += l->closed[i] * weight (i);
    weights += weight (i);
  }
  return l->n > 0 ? RCC_MAX (total0, total1) / weights : 0.0;
}

double
rcc_nada_intervals_warped (const RccNadaIntervals *l, double multi_loss)
{
  const double mean = rcc_nada_intervals_mean (l);

  if (l->n == 0)
    return 0.0;
  return RCC_CLAMP (multi_loss + 1.0 - (double) l->since / mean, 0.0, 1.0);
}
