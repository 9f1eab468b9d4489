/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/share.h"

uint32_t
rcc_sbpn_share_first (const RccSbpnShare *s, uint32_t backlogged)
{
  double most = s->deficit_limit;
  uint32_t first = RCC_SBPN_NONE;

  rcc_sbpn_each (k, backlogged) {
    if (s->owed[k] > most) {
      most = s->owed[k];
      first = k;
    }
  }
  return first;
}

void
rcc_sbpn_share_sent (RccSbpnShare *s, uint32_t backlogged, uint32_t k, uint32_t size)
{
  double weights = 0;

  rcc_sbpn_each (i, backlogged)
    weights += s->weight[i];
  for (uint32_t i = 0; i < RCC_SBPN_CLASSES; i++) {
    if (!(backlogged >> i & 1) || s->weight[i] == 0)
      s->owed[i] = 0;
    else
      s->owed[i] += (double) size * s->weight[i] / weights;
  }
  s->owed[k] = RCC_MAX (s->owed[k] - size, 0);
}

double
rcc_sbpn_share_bound (const RccSbpnShare *s, uint32_t largest)
{
  double packets = 1;
  unsigned n = 0;

  for (uint32_t k = 0; k < RCC_SBPN_CLASSES; k++) {
    if (s->weight[k] == 0)
      continue;
    if (n > 0)
      packets += 1.0 / n;
    n++;
  }
  return s->deficit_limit + largest * packets;
}
