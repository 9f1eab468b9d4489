/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Carlucci et al., ANRW'16, Algorithm 1; draft-ietf-rmcat-gcc-02 5.2.
 * Departs from them:
 *  - a packet that left before its group's first one is not grouped (both are
 *    silent on reordering; libwebrtc drops it too);
 *  - when the pre-filter takes a packet in, the rest of what left with it (within
 *    dT) belongs too: it merges groups, and packets that leave back to back but
 *    arrive a serialisation time apart have d > 0 among themselves.  The draft's
 *    words, taken literally, split every such burst again;
 *  - with normal_bps, a packet that left RCC_GROUPS_PAUSE groups after the one before and took
 *    as long to come as packets take on this path belongs to no burst.  A sender that wakes late
 *    sends in bursts, which a full link takes apart: they come evenly, and the pre-filter
 *    would merge them up to its cap, ten groups a second in place of a hundred.  What an
 *    outage held back comes much faster.  Packets that left evenly are merged as ever: on
 *    the Wi-Fi trace of the paper the path is hardly faster after an outage than on average;
 *  - gaps over JUMP start anew, and so do groups as long as that, whose send time
 *    stands: a clock that jumps or stops or a stream that paused says
 *    nothing about a queue.
 */
#include "core/gcc/groups.h"

#define JUMP (3 * RCC_SEC)
#define BACKWARDS_MAX 3

void
rcc_groups_init (RccGroups *g, RccGrouping mode, RccTime burst,
    RccTime merge_cap)
{
  *g = (RccGroups) { .mode = mode, .burst = burst, .merge_cap = merge_cap };
}

static void
restart (RccGroups *g)
{
  g->current.packets = g->previous.packets = 0;
  g->backwards = 0;
}

static void
open_group (RccGroups *g, RccTime send, RccTime arrival, uint32_t size)
{
  g->current = (RccGroup) {
    .first_send = send, .burst_send = send, .send = send,
    .first_arrival = arrival, .arrival = arrival, .size = size, .packets = 1,
  };
}

static bool
arrived_in_burst (const RccGroups *g, RccTime send, RccTime arrival, uint32_t size)
{
  /* what came before the last one is in no group, so this is its arrival, too */
  const RccTime ref_arrival = g->current.arrival;
  RccTime ref_send = g->current.send;

  if (g->mode == RCC_GROUPING_NONE)
    return false;
  if (g->mode == RCC_GROUPING_PAPER)
    ref_send = g->last_send;
  if (g->merge_cap != RCC_NEVER
      && arrival - g->current.first_arrival >= g->merge_cap)
    return false;
  if (arrival >= ref_arrival + g->burst)
    return false;
  if (rcc_groups_paused (g, send)
      && 8e9 * size < g->normal_bps * (double) (int64_t) (arrival - ref_arrival))
    return false;
  return (int64_t) (arrival - ref_arrival) < (int64_t) (send - ref_send);
}

/* Both forms of "left within dT": Algorithm 1 compares with the packet before,
 * the draft with the first packet of the group as it departed. */
static bool
left_in_burst (const RccGroups *g, RccTime send)
{
  if (g->mode == RCC_GROUPING_DRAFT)
    return send <= g->current.burst_send + g->burst;
  /* From packet to packet a stream that leaves evenly, less than dT apart, is one
   * group for ever: the cap holds here as well, from the last burst merged on. */
  if (g->merge_cap != RCC_NEVER && send >= g->current.burst_send + g->merge_cap)
    return false;
  return send < g->last_send + g->burst;
}

static void
merge (RccGroups *g, RccTime send, RccTime arrival, uint32_t size)
{
  RccGroup *c = &g->current;

  c->send = RCC_MAX (c->send, send);
  c->arrival = RCC_MAX (c->arrival, arrival);
  c->size += size;
  c->packets++;
}

/* Arrivals that never stop while the send time stands: its clock did not run. */
static bool
stands (const RccGroups *g, RccTime send, RccTime arrival)
{
  return send == g->last_send && arrival > g->current.first_arrival
      && arrival - g->current.first_arrival > JUMP;
}

/* What the arrival-time filter gets; false when there is nothing to compare. */
static bool
close_group (RccGroups *g, RccGroupDelta *delta)
{
  const RccGroup *c = &g->current, *p = &g->previous;
  const bool pair = p->packets > 0;

  if (pair)
    *delta = (RccGroupDelta) {
      .d_send = (int64_t) (c->send - p->send),
      .d_arrival = (int64_t) (c->arrival - p->arrival),
      .d_size = (int64_t) c->size - p->size,
      .send = c->send, .arrival = c->arrival, .packets = c->packets,
    };
  g->previous = *c;
  g->groups++;
  return pair;
}

static bool
jumped (const RccGroups *g, RccTime send, RccTime arrival)
{
  const int64_t ds = (int64_t) (send - g->last_send);
  const int64_t da = (int64_t) (arrival - g->last_arrival);
  const int64_t limit = (int64_t) JUMP;

  return ds > limit || ds < -limit || da > limit || da < -limit;
}

bool
rcc_groups_add (RccGroups *g, RccTime send, RccTime arrival, uint32_t size,
    RccGroupDelta *delta)
{
  bool closed = false;

  if (g->current.packets > 0 && (jumped (g, send, arrival)
          || stands (g, send, arrival))) {
    restart (g);
    g->resets++;
  }
  if (g->current.packets == 0) {
    open_group (g, send, arrival, size);
  } else if (arrival < g->last_arrival && ++g->backwards >= BACKWARDS_MAX) {
    restart (g);
    g->resets++;
    open_group (g, send, arrival, size);
  } else if (send < g->current.first_send || arrival < g->last_arrival) {
    g->reordered++;
    return false;
  } else if (arrived_in_burst (g, send, arrival, size)) {
    if (send > g->current.burst_send + g->burst)
      g->current.burst_send = send;
    merge (g, send, arrival, size);
    g->merged++;
  } else if (left_in_burst (g, send)) {
    merge (g, send, arrival, size);
  } else {
    closed = close_group (g, delta);
    open_group (g, send, arrival, size);
  }
  if (arrival >= g->last_arrival)
    g->backwards = 0;
  g->last_send = send;
  g->last_arrival = arrival;
  return closed;
}
