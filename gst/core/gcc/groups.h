/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/groups.h - packet groups and the delay variation between them, with the
 * pre-filter that merges what a channel outage delivered as one burst
 *
 * Sign: variation = d_arrival - d_send, positive while the queue grows.  Eq. 2 of
 * the packet-grouping paper (Carlucci et al., ANRW'16) prints the opposite sign of
 * its own Algorithm 1, Figure 7 and Eq. 3; the algorithm is followed.
 */
#ifndef RCC_GCC_GROUPS_H
#define RCC_GCC_GROUPS_H

#include "core/rcc.h"

#define RCC_GROUPS_PAUSE 2              /* groups */

typedef enum {
  RCC_GROUPING_NONE,    /* groups by departure alone: no pre-filter */
  RCC_GROUPING_PAPER,   /* ANRW'16 Algorithm 1, packet against previous packet */
  RCC_GROUPING_DRAFT,   /* draft-ietf-rmcat-gcc-02 5.2, packet against group */
} RccGrouping;

typedef struct {
  int64_t d_send, d_arrival;            /* ns, newest group less the one before */
  int64_t d_size;                       /* bytes */
  RccTime send, arrival;                /* of the newer group, its last packet */
  uint32_t packets;                     /* in the newer group */
} RccGroupDelta;

static inline double
rcc_group_variation_ms (const RccGroupDelta *d)
{
  return (double) (d->d_arrival - d->d_send) * 1e-6;
}

typedef struct {
  RccTime first_send, send;             /* first packet; latest departure */
  RccTime burst_send;                   /* first of those that left within dT */
  RccTime first_arrival, arrival;       /* first packet; last arrival */
  uint32_t size, packets;
} RccGroup;

typedef struct {
  RccGrouping mode;
  RccTime burst;                        /* dT: 5 ms */
  RccTime merge_cap;                    /* longest a group may grow; RCC_NEVER: any */
  double normal_bps;                    /* the owner's, bit/s: what left after a pause and comes
                                         * slower is no burst; 0: all are */
  RccGroup current, previous;           /* packets == 0: none */
  RccTime last_send, last_arrival;      /* of the last packet */
  unsigned backwards;                   /* arrival deltas < 0 in a row */
  uint64_t groups, merged, reordered, resets;
} RccGroups;

void rcc_groups_init (RccGroups *g, RccGrouping mode, RccTime burst,
    RccTime merge_cap);

/* Whether a packet that leaves at @send leaves after a pause: then .normal_bps is asked for. */
static inline bool
rcc_groups_paused (const RccGroups *g, RccTime send)
{
  return send > g->last_send + RCC_GROUPS_PAUSE * g->burst;
}

/* One packet, in order of arrival.  True when it closed a group and there was one
 * before: @delta then compares the two. */
bool rcc_groups_add (RccGroups *g, RccTime send, RccTime arrival, uint32_t size,
    RccGroupDelta *delta);

#endif
