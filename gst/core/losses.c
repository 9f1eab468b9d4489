/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/losses.h"

#include <math.h>

static double
share (uint64_t part, uint64_t whole)
{
  return whole ? (double) part / (double) whole : 0.0;
}

double
rcc_losses_unsent (const RccLosses *l)
{
  return share (l->unsent, l->offered);
}

double
rcc_losses_lost (const RccLosses *l)
{
  return share (l->lost, l->left);
}

double
rcc_losses_late (const RccLosses *l)
{
  return l->deadline ? share (l->late, l->left) : NAN;
}

void
rcc_losses_add (RccLosses *sum, const RccLosses *part)
{
  sum->offered += part->offered;
  sum->unsent += part->unsent;
  sum->left += part->left;
  sum->lost += part->lost;
  sum->late += part->late;
  sum->deadline |= part->deadline;
}

double
rcc_losses_mean (double mean, double lost, double expected, double packets)
{
  const double part = expected > 0 ? RCC_CLAMP (lost / expected, -1.0, 1.0) : 0.0;

  return mean + (part - mean) * RCC_MIN (expected / packets, 1.0);
}
