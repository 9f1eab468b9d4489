/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/drain.h"

#include <math.h>

#define SHORTENED 0.7                   /* of the queue before: the decrease helped */

void
rcc_drain_init (RccDrain *d, const RccDrainConfig *config)
{
  *d = (RccDrain) { .config = *config };
}

double
rcc_drain_begin (RccDrain *d, RccTime queue, double received, double before, RccTime rtt,
    RccTime now)
{
  if (d->bps <= 0)
    d->before = before;
  d->bps = d->config.resume * RCC_MIN (received, d->before);
  if (d->config.time == 0)
    return 0.0;
  if (d->from == 0 || now + d->config.time + rtt < d->until) {
    d->from = d->least = queue;
    d->until = now + d->config.time + rtt;
  }
  return ldexp ((double) queue / (double) d->config.time, -(int) d->vain);
}

static void
judge (RccDrain *d)
{
  if ((double) d->least > SHORTENED * (double) d->from)
    d->vain = RCC_MIN (d->vain + 1, d->config.most);
  else if (d->vain > 0)
    d->vain--;
  d->from = 0;
}

double
rcc_drain_queue (RccDrain *d, RccTime queue, RccTime now)
{
  const double bps = d->bps;

  if (queue < d->config.floor) {
    d->bps = 0;
    d->vain = 0;
    d->from = 0;
    return bps;
  }
  d->least = RCC_MIN (d->least, queue);
  if (d->from > 0 && now >= d->until)
    judge (d);
  return 0.0;
}
