/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/fec.h"

#include <string.h>

void
rcc_fbra_peak_init (RccFbraPeak *p, RccTime span)
{
  *p = (RccFbraPeak) { .span = span };
}

static void
turn (RccFbraPeak *p, RccTime now)
{
  const RccTime width = RCC_MAX (p->span / RCC_FBRA_PEAK_BINS, 1);
  const uint64_t bin = now / width;

  if (bin > p->newest && bin - p->newest >= RCC_FBRA_PEAK_BINS) {
    memset (p->bins, 0, sizeof p->bins);
    p->newest = bin;
  }
  while (p->newest < bin)
    p->bins[++p->newest % RCC_FBRA_PEAK_BINS] = 0.0;
}

void
rcc_fbra_peak_add (RccFbraPeak *p, double bps, RccTime now)
{
  double *bin;

  turn (p, now);
  bin = &p->bins[p->newest % RCC_FBRA_PEAK_BINS];
  *bin = RCC_MAX (*bin, bps);
}

double
rcc_fbra_peak (RccFbraPeak *p, RccTime now)
{
  double peak = 0.0;

  turn (p, now);
  for (unsigned i = 0; i < RCC_FBRA_PEAK_BINS; i++)
    peak = RCC_MAX (peak, p->bins[i]);
  return peak;
}

static double
ratio (double rate, double reference)
{
  return reference > 0 ? rate / reference : 1.0;
}

/* Half the best known rate or less: min; all of it: max. */
static double
linear (const RccFbraConfig *c, double rate, double initial, double peak)
{
  const double part = RCC_MIN (ratio (rate, initial), ratio (rate, peak));

  return c->n_min + RCC_CLAMP (2.0 * part - 1.0, 0.0, 1.0) * (c->n_max - c->n_min) + 0.5;
}

uint32_t
rcc_fbra_choose_n (const RccFbraConfig *c, double rate, double initial, double peak,
    bool first)
{
  if (first)
    return c->n_min;
  if (c->rule == RCC_FBRA_N_LINEAR)
    return (uint32_t) linear (c, rate, initial, peak);
  /* Conflict: the port starts at 8 and takes one off while both ratios are at most 1. Its author
   * marks that as his own. */
  if (ratio (rate, initial) < c->n_initial || ratio (rate, peak) < c->n_peak)
    return RCC_CLAMP (c->n_low, c->n_min, c->n_max);
  return c->n_max;
}

uint32_t
rcc_fbra_fit (uint32_t n, uint32_t n_max, double rate, double max, double *media,
    double *fec)
{
  if (rate <= 0 || rate >= max)
    return 0;
  while (n < n_max && rate * (n + 1) > max * n)
    n++;
  *media = RCC_MIN (rate, max * n / (n + 1));
  *fec = *media / n;
  return n;
}
