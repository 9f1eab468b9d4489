/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/delay.h"

#include <string.h>

void
rcc_nada_delay_init (RccNadaDelay *d, RccTime horizon)
{
  *d = (RccNadaDelay) { .horizon = horizon };
}

static int64_t
base_of (const RccNadaDelay *d)
{
  int64_t base = INT64_MAX;

  for (unsigned i = 0; i < d->n_bases; i++)
    base = RCC_MIN (base, d->bases[i]);
  return base;
}

static void
restart (RccNadaDelay *d, int64_t delay, RccTime now)
{
  d->bases[0] = delay;
  d->n_bases = 1;
  d->since = now;
  d->n_taps = 0;
}

/* The tenths of the horizon that went by; those without a packet have no minimum of their
 * own, but they age the others. */
static void
age (RccNadaDelay *d, int64_t delay, RccTime now)
{
  const RccTime width = d->horizon == RCC_NEVER ? RCC_NEVER : d->horizon / RCC_NADA_BASES;
  const RccTime passed = now > d->since ? (now - d->since) / width : 0;

  if (passed == 0)
    return;
  for (RccTime i = 0; i < RCC_MIN (passed, RCC_NADA_BASES); i++) {
    memmove (d->bases + 1, d->bases, (RCC_NADA_BASES - 1) * sizeof *d->bases);
    d->bases[0] = delay;
    d->n_bases = RCC_MIN (d->n_bases + 1, RCC_NADA_BASES);
  }
  d->since += passed * width;
}

RccTime
rcc_nada_delay_packet (RccNadaDelay *d, RccTime sent, RccTime arrived, RccTime now)
{
  uint64_t queue;
  int64_t delay;

  if (sent > now)
    return RCC_NEVER;
  if (!d->started) {
    d->started = true;
    d->origin = arrived - sent;
    restart (d, 0, now);
  }
  delay = (int64_t) (arrived - sent - d->origin);
  age (d, delay, now);
  d->bases[0] = RCC_MIN (d->bases[0], delay);
  queue = (uint64_t) delay - (uint64_t) base_of (d);
  if (queue > now - sent) {
    restart (d, delay, now);
    d->restarts++;
    queue = 0;
  }
  d->taps[d->n_taps++ % RCC_NADA_TAPS] = delay;
  return queue;
}

RccTime
rcc_nada_delay_queue (const RccNadaDelay *d)
{
  int64_t least = INT64_MAX;

  if (d->n_taps == 0)
    return 0;
  for (unsigned i = 0; i < RCC_MIN (d->n_taps, RCC_NADA_TAPS); i++)
    least = RCC_MIN (least, d->taps[i]);
  return (uint64_t) least - (uint64_t) base_of (d);
}
