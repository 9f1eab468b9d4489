/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * clusters.h - which probe cluster a packet was of, by the time at which it was sent
 *
 * For feedback that names send times only.
 */
#ifndef RCC_SEND_CLUSTERS_H
#define RCC_SEND_CLUSTERS_H

#include "core/rcc.h"

#define RCC_SEND_CLUSTERS 8             /* the newest are kept */
#define RCC_SEND_CLUSTER_SLACK (2 * RCC_MSEC)   /* the session stamps a little later */

typedef struct {
  struct {
    uint32_t id;
    RccTime first, last;
  } items[RCC_SEND_CLUSTERS];
  unsigned n;                           /* ever */
} RccSendClusters;

/* A packet of cluster @id leaves. */
static inline void
rcc_send_clusters_sent (RccSendClusters *c, uint32_t id, RccTime now)
{
  unsigned i = (c->n + RCC_SEND_CLUSTERS - 1) % RCC_SEND_CLUSTERS;

  if (c->n == 0 || c->items[i].id != id) {
    i = c->n++ % RCC_SEND_CLUSTERS;
    c->items[i].id = id;
    c->items[i].first = now;
  }
  c->items[i].last = now;
}

/* 0: none was being sent at @sent. */
static inline uint32_t
rcc_send_clusters_at (const RccSendClusters *c, RccTime sent)
{
  for (unsigned i = 0; i < RCC_MIN (c->n, RCC_SEND_CLUSTERS); i++)
    if (sent >= c->items[i].first && sent <= c->items[i].last + RCC_SEND_CLUSTER_SLACK)
      return c->items[i].id;
  return 0;
}

#endif
