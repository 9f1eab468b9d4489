/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/ratesplit.h"

static uint64_t
weight_of (const RccRateShare *s)
{
  return s->weight > 0 ? s->weight : 1;
}

/* The lowest priority that comes after @priority; UINT64_MAX: none. */
static uint64_t
next_priority (const RccRateShare *shares, size_t n, uint64_t after, bool first)
{
  uint64_t next = UINT64_MAX;

  for (size_t i = 0; i < n; i++)
    if (first || shares[i].priority > after)
      next = RCC_MIN (next, shares[i].priority);
  return next;
}

/* Hands @left out to those of @priority by weight, none beyond its cap; returns what
 * nobody took.  Whoever is filled leaves the round, and the rest share anew. */
static uint32_t
fill (RccRateShare *shares, const uint32_t *caps, size_t n, uint64_t priority, uint32_t left)
{
  bool filled = true;

  while (left > 0 && filled) {
    const uint64_t round = left;           /* times a weight: 64 bits */
    uint64_t weights = 0;

    filled = false;
    for (size_t i = 0; i < n; i++)
      if (shares[i].priority == priority && shares[i].share_bps < caps[i])
        weights += weight_of (&shares[i]);
    for (size_t i = 0; i < n; i++) {
      const uint32_t room = caps[i] > shares[i].share_bps ? caps[i] - shares[i].share_bps : 0;
      uint64_t part;

      if (shares[i].priority != priority || room == 0)
        continue;
      part = round * weight_of (&shares[i]) / weights;
      if (part >= room) {
        part = room;
        filled = true;
      }
      shares[i].share_bps += (uint32_t) part;
      left -= (uint32_t) part;
    }
  }
  /* fewer bits are left than there are streams */
  for (size_t i = 0; i < n && left > 0; i++)
    if (shares[i].priority == priority && shares[i].share_bps < caps[i]) {
      const uint32_t part = RCC_MIN (left, caps[i] - shares[i].share_bps);

      shares[i].share_bps += part;
      left -= part;
    }
  return left;
}

static uint32_t
usable (const RccRateShare *s, bool others_below)
{
  uint64_t use = s->max_bps;

  if (s->max_bps == RCC_RATESPLIT_NONE && others_below)
    use = RCC_MAX (s->measured_bps + (uint64_t) s->measured_bps / 4, RCC_RATESPLIT_FLOOR);
  return (uint32_t) RCC_MIN (RCC_MAX (use, s->min_bps), UINT32_MAX);
}

uint32_t
rcc_ratesplit (RccRateShare *shares, size_t n, uint32_t target_bps)
{
  uint32_t caps[RCC_RATESPLIT_MAX], left = target_bps;
  uint64_t p;

  for (size_t i = 0; i < n; i++) {
    shares[i].share_bps = 0;
    caps[i] = shares[i].min_bps;
  }
  for (p = next_priority (shares, n, 0, true); p != UINT64_MAX;
      p = next_priority (shares, n, p, false))
    left = fill (shares, caps, n, p, left);
  for (p = next_priority (shares, n, 0, true); p != UINT64_MAX;
      p = next_priority (shares, n, p, false)) {
    const bool below = next_priority (shares, n, p, false) != UINT64_MAX;

    for (size_t i = 0; i < n; i++)
      caps[i] = usable (&shares[i], below);
    left = fill (shares, caps, n, p, left);
  }
  return target_bps - left;
}
