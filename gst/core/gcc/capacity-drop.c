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
begin (RccCapacityDrop *c, RccTime send, RccTime arrival)
{
  *c = (RccCapacityDrop) { .growth = c->growth, .begun = true, .sent = send, .arrived = arrival };
}

/* @sent and @arrived: since the packet before the row; a step back is longer than LONGEST.  A small
 * packet leaves a slow path sooner than a large one: a little less delay ends no row. */
static bool
goes_on (const RccCapacityDrop *c, RccTime sent, RccTime arrived)
{
  return c->begun && sent < arrived && arrived < LONGEST
      && (double) (arrived - sent) >= HALF * (double) arrived
      && arrived - sent + c->growth / 4 >= c->peak;
}

static bool
has_dropped (const RccCapacityDrop *c, double bits, RccTime sent, double target)
{
  return c->packets >= PACKETS && c->last >= c->growth && c->last / STEPS >= c->widest
      && bits <= FASTER * target * 1e-9 * (double) sent;
}

double
rcc_capacity_drop_packet (RccCapacityDrop *c, RccTime send, RccTime arrival, uint32_t size,
    double target)
{
  const RccTime sent = send - c->sent, arrived = arrival - c->arrived;
  double bits;

  if (c->growth == 0)
    return 0.0;
  if (!goes_on (c, sent, arrived)) {
    begin (c, send, arrival);
    return 0.0;
  }
  if (arrived - sent > c->last)
    c->widest = RCC_MAX (c->widest, arrived - sent - c->last);
  c->last = arrived - sent;
  c->peak = RCC_MAX (c->peak, c->last);
  c->bytes += size;
  c->packets++;
  bits = 8.0 * (double) c->bytes;
  if (!has_dropped (c, bits, sent, target))
    return 0.0;
  begin (c, send, arrival);
  return bits * 1e9 / (double) arrived;
}
