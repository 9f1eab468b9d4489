/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/codel.h"

#include <math.h>

static RccTime
control_law (RccTime t, uint32_t count)
{
  return t + (RccTime) ((double) RCC_CODEL_INTERVAL / sqrt (count));
}

/* Whether the sojourn time has stood above target for a whole interval. */
static bool
ok_to_drop (RccCodel *c, RccTime sojourn, uint64_t backlog, RccTime now)
{
  if (sojourn < RCC_CODEL_TARGET || backlog <= RCC_CODEL_MTU) {
    c->first_above = 0;
    return false;
  }
  if (c->first_above == 0) {
    c->first_above = now + RCC_CODEL_INTERVAL;
    return false;
  }
  return now >= c->first_above;
}

static void
start_dropping (RccCodel *c, RccTime now)
{
  const uint32_t delta = c->count - c->last_count;

  c->dropping = true;
  c->dropped = false;
  /* A queue that was under control a moment ago resumes near the drop rate
   * that controlled it. */
  c->count = delta > 1 && now < c->drop_next + 16 * RCC_CODEL_INTERVAL ? delta : 1;
  c->last_count = c->count;
  c->drop_next = control_law (now, c->count);
}

RccCodelVerdict
rcc_codel_dequeue (RccCodel *c, RccTime sojourn, uint64_t backlog, bool can_mark,
    RccTime now)
{
  const bool ok = ok_to_drop (c, sojourn, backlog, now);

  if (!c->dropping) {
    if (!ok)
      return RCC_CODEL_PASS;
    start_dropping (c, now);
    return can_mark ? RCC_CODEL_MARK : RCC_CODEL_DROP;
  }
  if (!ok) {
    c->dropping = c->dropped = false;
    return RCC_CODEL_PASS;
  }
  if (c->dropped) {
    c->drop_next = control_law (c->drop_next, c->count);
    c->dropped = false;
  }
  if (now < c->drop_next)
    return RCC_CODEL_PASS;
  c->count++;
  if (can_mark) {
    c->drop_next = control_law (c->drop_next, c->count);
    return RCC_CODEL_MARK;
  }
  c->dropped = true;
  return RCC_CODEL_DROP;
}
