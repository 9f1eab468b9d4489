/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/cluster.h - what the path made of a probe cluster that we sent ourselves
 *
 * A receiver has to guess what a train was meant to be (gcc/probe-bitrate.h).  We know which
 * packets are the cluster's and what rate we asked for.  That counts where the sender
 * wakes late: its packets leave a few at a time then, or all at once, and what they say
 * of the rate they left at is little.
 *
 * The answer is the rate of the fastest link on which the last packet would have come as
 * late as it did.  A link of r bit/s that has nothing else to do delivers it at the maximum
 * over j of s_j + B_j / r + base: s_j is when the j-th group left, B_j are the bits from it
 * to the end, base is the shortest delay of the path.  So r is the maximum over j of
 * B_j / (a - base - s_j), a being when the last one came.  Where there was something else
 * to do, that is too low, never too high.  What arrived after the first packet over the
 * time that it took (libwebrtc's probe estimator) is the other lower bound.
 */
#ifndef RCC_GCC_CLUSTER_H
#define RCC_GCC_CLUSTER_H

#include "core/gcc/reorder.h"

#define RCC_CLUSTER_GROUPS 16           /* what leaves later is judged with the last of them */

typedef struct {
  RccTime first_send, last_send, first_arrival, last_arrival;
  struct {
    RccTime send;                       /* its first packet */
    uint32_t before;                    /* bytes of the cluster that left earlier */
  } groups[RCC_CLUSTER_GROUPS];
  uint32_t n_groups, packets, bytes, first_size, last_size;
  RccTime reordered;                    /* the most by which one came before those that left
                                         * earlier */
} RccCluster;

void rcc_cluster_start (RccCluster *c, RccTime send, RccTime arrival, uint32_t size);
void rcc_cluster_add (RccCluster *c, RccTime send, RccTime arrival, uint32_t size);

/* What the path took, bit/s, at most @asked, which the cluster was to leave at (0: not known;
 * then one that left all at once says nothing).  @base: the
 * shortest time from departure to arrival of late, by whatever two clocks (ns).  0: it is
 * too short, it was reordered by more than @reordering, or it came much faster than it left. */
double rcc_cluster_result (const RccCluster *c, double asked, int64_t base, RccTime reordering);

#endif
