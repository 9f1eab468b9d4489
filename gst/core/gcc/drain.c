/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/drain.h"

#include <math.h>

#include "core/losses.h"

#define SHORTENED 0.7                   /* of the queue before: the decrease helped */
#define LONG (100 * RCC_MSEC)           /* flows that heed delay keep it shorter */
#define RECENT (30 * RCC_SEC)
#define LOSS_MEMORY 600.0               /* packets */
#define LOSSY 0.03                      /* more than a flow of ours loses beside TCP */

void
rcc_drain_init (RccDrain *d, const RccDrainConfig *config)
{
  *d = (RccDrain) { .config = *config, .lost_at = RCC_NEVER, .lossy_at = RCC_NEVER };
}

/* A clock may have been set back since. */
static bool
is_recent (RccTime then, RccTime now)
{
  return then != RCC_NEVER && (now < then ? then - now : now - then) < RECENT;
}

void
rcc_drain_losses (RccDrain *d, double lost, double expected, RccTime now)
{
  d->loss = rcc_losses_mean (d->loss, lost, expected, LOSS_MEMORY);
  if (lost > 0)
    d->lost_at = now;
  if (d->loss > LOSSY)
    d->lossy_at = now;
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
  return ldexp ((double) queue / (double) d->config.time,
      is_recent (d->lossy_at, now) ? 0 : -(int) d->vain);
}

static void
judge (RccDrain *d, RccTime now)
{
  const bool somebody_else = d->least >= LONG && is_recent (d->lost_at, now);

  if (somebody_else && (double) d->least > SHORTENED * (double) d->from)
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
    judge (d, now);
  return 0.0;
}
