/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/capacity-drop.h"

#define PACKETS 5                       /* at least */
#define STEPS 3                         /* at least, of the longest: a pause is one */
#define LONGEST (500 * RCC_MSEC)        /* of a row: the filter knows by then */
#define HALF 0.5                        /* of what was sent, and of the target */

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

/* @sent and @arrived: since the packet before the row; a step back is longer than LONGEST.  A
 * packet that waits less ends no row: a small one leaves a slow path sooner, and so does what left
 * after a gap. */
static bool
goes_on (const RccCapacityDrop *c, RccTime sent, RccTime arrived)
{
  return c->begun && sent < arrived && arrived < LONGEST
      && (double) (arrived - sent) >= HALF * (double) arrived;
}

/* The target and not the time in which they were sent: what a late clock sends at once was meant
 * for more time than that. */
static bool
has_dropped (const RccCapacityDrop *c, double out, double target)
{
  return c->packets >= PACKETS && c->last >= c->growth && c->last / STEPS >= c->widest
      && out <= HALF * target;
}

double
rcc_capacity_drop_packet (RccCapacityDrop *c, RccTime send, RccTime arrival, uint32_t size,
    double target)
{
  const RccTime sent = send - c->sent, arrived = arrival - c->arrived;
  double out;

  if (c->growth == 0)
    return 0.0;
  if (!goes_on (c, sent, arrived)) {
    begin (c, send, arrival);
    return 0.0;
  }
  if (arrived - sent > c->last)
    c->widest = RCC_MAX (c->widest, arrived - sent - c->last);
  c->last = arrived - sent;
  c->bytes += size;
  c->packets++;
  out = 8e9 * (double) c->bytes / (double) arrived;
  if (!has_dropped (c, out, target))
    return 0.0;
  begin (c, send, arrival);
  return out;
}
