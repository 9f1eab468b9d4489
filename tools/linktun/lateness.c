/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linktun/lateness.h"

void
lateness_note (Lateness *l, RccTime late, RccTime now)
{
  l->n++;
  l->counts[RCC_MIN (late / LATENESS_STEP, LATENESS_STEPS - 1)]++;
  if (late > l->most) {
    l->most = late;
    l->at = now;
  }
}

RccTime
lateness_within (const Lateness *l, double share)
{
  uint64_t n = 0;

  for (unsigned i = 0; i < LATENESS_STEPS - 1; i++) {
    n += l->counts[i];
    if ((double) n >= share * (double) l->n)
      return RCC_MIN ((i + 1) * LATENESS_STEP, l->most);
  }
  return l->most;
}
