/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/delay.h"

static RccTime
later (RccTime t, RccTime span)
{
  return t >= RCC_NEVER - span ? RCC_NEVER : t + span;
}

static RccTime
draw_jitter (RccDelayLine *d, RccTime jitter)
{
  const double half = (double) jitter / 2;      /* 3 std */
  const double z = rcc_rng_normal (&d->jitter) * half / 3;

  return (RccTime) (half + RCC_CLAMP (z, -half, half));
}

void
rcc_delay_line_init (RccDelayLine *d, uint64_t seed)
{
  *d = (RccDelayLine) { .last_delivery = 0 };
  rcc_rng_init (&d->jitter, seed, 0x717e);
  rcc_rng_init (&d->reorder, seed, 0x0de5);
}

RccTime
rcc_delay_line_delivery (RccDelayLine *d, const RccLinkDelays *delays, RccTime departed,
    RccTime serial)
{
  RccTime delivered = later (departed, delays->delay);

  if (delays->jitter)
    delivered = RCC_MAX (later (delivered, draw_jitter (d, delays->jitter)),
        later (d->last_delivery, d->last_serial));
  delivered = RCC_MAX (delivered, d->last_delivery);    /* the delay may have shrunk */
  d->last_delivery = delivered;
  d->last_serial = serial;
  if (delays->reorder > 0 && rcc_rng_uniform (&d->reorder) < delays->reorder)
    return later (delivered, (RccTime) (rcc_rng_uniform (&d->reorder)
            * (double) delays->reorder_by));
  return delivered;
}
