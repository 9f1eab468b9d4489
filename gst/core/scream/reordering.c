/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/reordering.h"

void
rcc_scream_reordering_init (RccScreamReordering *r)
{
  *r = (RccScreamReordering) { .window = 0 };
  for (unsigned i = 0; i < RCC_SCREAM_MISSING; i++)
    r->missing[i].since = RCC_NEVER;
}

unsigned
rcc_scream_reordering_missing (RccScreamReordering *r, uint32_t ssrc, int64_t seq, RccTime now)
{
  const unsigned i = r->next++ % RCC_SCREAM_MISSING;
  const bool overwritten = r->missing[i].since != RCC_NEVER && !r->missing[i].lost;

  r->lost += overwritten;
  r->missing[i].ssrc = ssrc;
  r->missing[i].seq = seq;
  r->missing[i].since = now;
  r->missing[i].lost = false;
  return overwritten;
}

void
rcc_scream_reordering_came (RccScreamReordering *r, uint32_t ssrc, int64_t seq, RccTime rtt,
    RccTime now)
{
  for (unsigned i = 0; i < RCC_SCREAM_MISSING; i++)
    if (r->missing[i].since != RCC_NEVER && r->missing[i].seq == seq
        && r->missing[i].ssrc == ssrc) {
      r->window = RCC_MIN (now - r->missing[i].since, rtt);
      r->missing[i].since = RCC_NEVER;
      r->returned++;
      return;
    }
}

unsigned
rcc_scream_reordering_lost (RccScreamReordering *r, RccTime now)
{
  unsigned n = 0;

  for (unsigned i = 0; i < RCC_SCREAM_MISSING; i++)
    if (r->missing[i].since != RCC_NEVER && !r->missing[i].lost
        && now - r->missing[i].since >= r->window) {
      r->missing[i].lost = true;
      n++;
    }
  r->lost += n;
  return n;
}
