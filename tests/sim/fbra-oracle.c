/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fbra.h"

#define FRAMES_AHEAD (40 * RCC_MSEC)    /* of queue, where the oracle sends again */

typedef struct {
  const RccWorld *w;
  RccTime rtt;
  RccTime free;                         /* the link is, from then on */
  double bits, good_bits, packets, bad;
} Oracle;

static double
capacity (const RccWorld *w, RccTime at)
{
  return (double) w->queue[MIN (at / (w->grain * RCC_WORLD_QUEUE_STEP), w->n_queue - 1)].capacity_bps;
}

/* When @bits that come at @now have left. */
static RccTime
serve (Oracle *o, double bits, RccTime now)
{
  o->free = RCC_MAX (o->free, now);
  while (bits > 0) {
    const RccTime step = RCC_WORLD_QUEUE_STEP - o->free % RCC_WORLD_QUEUE_STEP;
    const double bps = capacity (o->w, o->free);
    const double most = bps * (double) step * 1e-9;

    o->free += most > bits ? (RccTime) (bits / bps * 1e9) : step;
    bits -= most;
  }
  return o->free;
}

/* What it would send: @share of the capacity, of which it knows one round trip late; once
 * it knows that this is less than there was, nothing but the minimum until the queue that
 * came of it has left. */
static double
rate (const Oracle *o, double share, double least, RccTime now)
{
  const double known = capacity (o->w, now > o->rtt ? now - o->rtt : 0);
  const bool fell = capacity (o->w, now) <= known && o->free > now + FRAMES_AHEAD
      && o->free - now > 160 * RCC_MSEC;

  return fell ? least : RCC_MAX (share * known, least);
}

FbraRun
fbra_oracle (const RccWorld *w, guint owd_ms, double share, guint64 seed)
{
  const RccFlowConfig *c = &w->flows[0]->config;
  Oracle o = { .w = w, .rtt = 2 * owd_ms * RCC_MSEC };
  RccSource source;
  char error[RCC_SCENARIO_ERROR];

  g_assert_true (rcc_source_init (&source, &c->source, c->limits.start_bps, seed, 0, error,
          sizeof error));
  while (source.next < w->duration) {
    const RccTime now = source.next;
    RccTime left;
    double bits;

    rcc_source_target (&source, (uint32_t) rate (&o, share, c->limits.min_bps, now), now);
    bits = 8.0 * rcc_source_frame (&source);
    left = serve (&o, bits, now);
    o.packets++;
    if (left + owd_ms * RCC_MSEC > now + c->d_max)
      o.bad++;
    else
      o.good_bits += bits;
  }
  rcc_source_clear (&source);
  return (FbraRun) { .goodput = o.good_bits / (double) w->duration * 1e6,
    .bad = 100.0 * o.bad / o.packets };
}
