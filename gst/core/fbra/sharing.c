/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/sharing.h"

#include <math.h>

#define CHANGE_MOST 0.1                 /* a link's step, which is in two reports, is no evidence */
#define REPORTS 6.0                     /* that the mean is about: few have a queue */
#define N_LEAST 2u
#define N_MOST 40u                      /* of the 48 of RFC 5109's mask, whatever config.n_max is */

void
rcc_fbra_sharing_report (RccFbraSharing *s, const RccFbraConfig *config, double bps)
{
  if (config->share_varies <= 0)
    return;
  if (bps > 0 && s->last > 0) {
    const double change = RCC_MIN (fabs (bps / s->last - 1.0), CHANGE_MOST);

    s->varies += (change - s->varies) / REPORTS;
    if (s->varies > config->share_varies)
      s->shared = true;
    else if (s->varies < 0.5 * config->share_varies)
      s->shared = false;
  }
  s->last = bps;
}

uint32_t
rcc_fbra_sharing_n (const RccFbraConfig *config, double rate)
{
  if (rate >= N_MOST * config->share_step)
    return N_MOST;
  return RCC_MAX (N_LEAST, (uint32_t) (rate / config->share_step));
}
