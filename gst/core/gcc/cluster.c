/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/cluster.h"

#define SATURATED 0.9                   /* took less than this share: link full */
#define BACK_OFF 0.95                   /* then stay a little under it */
#define CONTRADICTS 2.0                 /* arrived faster: something held it back */
#define TOGETHER RCC_MSEC               /* packets of one group */
#define PACKETS 5                       /* shortest cluster that is judged */
#define SPAN (10 * RCC_MSEC)            /* from which on it has a sending rate of its own */

void
rcc_cluster_start (RccCluster *c, RccTime send, RccTime arrival, uint32_t size)
{
  *c = (RccCluster) {
    .first_send = send, .last_send = send, .first_arrival = arrival,
    .last_arrival = arrival, .first_size = size, .last_size = size, .bytes = size,
    .packets = 1, .n_groups = 1,
  };
  c->groups[0].send = send;
}

void
rcc_cluster_add (RccCluster *c, RccTime send, RccTime arrival, uint32_t size)
{
  c->reordered = RCC_MAX (c->reordered,
      RCC_MAX (rcc_reorder_back (c->last_send, send),
          rcc_reorder_back (c->last_arrival, arrival)));
  c->last_send = RCC_MAX (c->last_send, send);
  c->first_arrival = RCC_MIN (c->first_arrival, arrival);
  c->last_arrival = RCC_MAX (c->last_arrival, arrival);
  if (c->n_groups < RCC_CLUSTER_GROUPS
      && send > c->groups[c->n_groups - 1].send + TOGETHER) {
    c->groups[c->n_groups].send = send;
    c->groups[c->n_groups++].before = c->bytes;
  }
  c->bytes += size;
  c->last_size = size;
  c->packets++;
}

static double
bps (uint32_t bytes, int64_t span)
{
  return 8e9 * bytes / (double) RCC_MAX (span, (int64_t) RCC_MSEC);
}

static double
received (const RccCluster *c)
{
  return bps (c->bytes - c->first_size, (int64_t) (c->last_arrival - c->first_arrival));
}

/* The fastest link that explains when the last packet came.  @base has a packet in it. */
static double
taken (const RccCluster *c, int64_t base)
{
  double most = received (c);

  for (uint32_t i = 0; i < c->n_groups; i++) {
    const uint32_t not = c->groups[i].before + c->first_size;
    const int64_t took = (int64_t) (c->last_arrival - c->groups[i].send) - base;
    const double r = bps (c->bytes - RCC_MIN (not, c->bytes), took);

    most = RCC_MAX (most, r);
  }
  return most;
}

double
rcc_cluster_result (const RccCluster *c, double asked, int64_t base, RccTime reordering)
{
  const RccTime left = c->last_send - c->first_send;
  double in = asked, out;

  if (c->reordered > reordering || c->packets < PACKETS)
    return 0.0;
  if (left >= SPAN) {
    const double sent = bps (c->bytes - c->last_size, (int64_t) left);

    if (received (c) > CONTRADICTS * sent)
      return 0.0;
    in = asked > 0 ? RCC_MIN (asked, sent) : sent;
  }
  if (in <= 0)
    return 0.0;
  out = taken (c, base);
  return out < SATURATED * in ? BACK_OFF * out : RCC_MIN (in, out);
}
