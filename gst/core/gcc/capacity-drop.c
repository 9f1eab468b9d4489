/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/capacity-drop.h"

#define PACKETS 5                       /* at least */
#define STEPS 3                         /* at least, of the longest: a pause is one */
#define LONGEST (500 * RCC_MSEC)        /* of a row: the filter knows by then */
#define HALF 0.5                        /* growth of the delay in the arrivals' time */
#define FASTER 1.3                      /* than the target: a probe, or what left late */

void
rcc_capacity_drop_init (RccCapacityDrop *c, RccTime growth)
{
  *c = (RccCapacityDrop) { .growth = growth };
}

static void
begin (RccCapacityDrop *c, RccTime send, RccTime arrival, int64_t owd)
{
  *c = (RccCapacityDrop) { .growth = c->growth, .begun = true, .sent = send,
    .arrived = arrival, .first = owd, .last = owd, .peak = owd };
}

/* A small packet leaves a slow path sooner than a large one: a little less delay ends no row. */
static bool
goes_on (const RccCapacityDrop *c, RccTime send, RccTime arrival, int64_t owd)
{
  const RccTime span = arrival - c->arrived;

  return c->begun && send >= c->sent && arrival > c->arrived && span < LONGEST
      && owd > c->first && owd >= c->peak - (int64_t) (c->growth / 4)
      && (double) (owd - c->first) >= HALF * (double) span;
}

static bool
has_dropped (const RccCapacityDrop *c, double sent_bits, RccTime sent, double target)
{
  const RccTime growth = (RccTime) (c->last - c->first);

  return c->packets >= PACKETS && growth >= c->growth && growth / STEPS >= c->widest
      && sent_bits <= FASTER * target * 1e-9 * (double) sent;
}

double
rcc_capacity_drop_packet (RccCapacityDrop *c, RccTime send, RccTime arrival, uint32_t size,
    double target)
{
  const int64_t owd = (int64_t) (arrival - send);
  double bits;

  if (c->growth == 0)
    return 0.0;
  if (!goes_on (c, send, arrival, owd)) {
    begin (c, send, arrival, owd);
    return 0.0;
  }
  if (owd > c->last)
    c->widest = RCC_MAX (c->widest, (RccTime) (owd - c->last));
  c->last = owd;
  c->peak = RCC_MAX (c->peak, owd);
  c->bytes += size;
  c->packets++;
  bits = 8.0 * (double) c->bytes;
  if (!has_dropped (c, bits, send - c->sent, target))
    return 0.0;
  bits *= 1e9 / (double) (arrival - c->arrived);
  begin (c, send, arrival, owd);
  return bits;
}
