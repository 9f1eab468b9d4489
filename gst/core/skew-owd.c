/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The drift is the slope of the one edge of the lower hull of the bins' minima that lies under
 * their middle. Of all lines below the points it is the nearest to them (Moon, Skelly and
 * Towsley, INFOCOM'99). A queue that empties now and then leaves such an edge alone, one that
 * stands and moves breaks it into short ones.
 */
#include "core/skew-owd.h"

#include <math.h>
#include <string.h>

#define MIN_SPAN (60 * RCC_SEC)
#define FIT_AT_LEAST 60.0               /* s of minima before a drift is believed */
#define EDGE_AT_LEAST 0.5               /* of them, that the edge spans */
#define QUEUE_MAX 1e15                  /* ns; eleven days are no queue by any clock */

static void
min_take (RccSkewOwdMin *m, RccTime value, RccTime now)
{
  if (m->since == RCC_NEVER || (now > m->since && now - m->since >= MIN_SPAN)) {
    m->before = m->now;
    m->now = RCC_NEVER;
    m->since = now;
  }
  m->now = RCC_MIN (m->now, value);
}

void
rcc_skew_owd_init (RccSkewOwd *c)
{
  *c = (RccSkewOwd) {
    .rtt = { RCC_NEVER, RCC_NEVER, RCC_NEVER },
    .loop = { RCC_NEVER, RCC_NEVER, RCC_NEVER },
  };
}

void
rcc_skew_owd_rtt (RccSkewOwd *c, RccTime rtt, RccTime now)
{
  min_take (&c->rtt, rtt, now);
}

RccTime
rcc_skew_owd_rtt_min (const RccSkewOwd *c)
{
  const RccTime rtt = RCC_MIN (c->rtt.now, c->rtt.before);

  return rtt != RCC_NEVER ? rtt : RCC_MIN (c->loop.now, c->loop.before);
}

/* > 0: @b lies above the line from @a to @c. */
static double
above (const RccSkewOwd *o, unsigned a, unsigned b, unsigned c)
{
  const double x = o->bins[c].x - o->bins[a].x, d = o->bins[c].d - o->bins[a].d;

  return (o->bins[b].d - o->bins[a].d) * x - d * (o->bins[b].x - o->bins[a].x);
}

static void
fit_slope (RccSkewOwd *c)
{
  const double span = c->bins[c->n - 1].x - c->bins[0].x;
  unsigned hull[RCC_SKEW_OWD_BINS], n = 0;
  double middle = 0.0;

  if (span < FIT_AT_LEAST)
    return;
  for (unsigned i = 0; i < c->n; i++) {
    while (n >= 2 && above (c, hull[n - 2], hull[n - 1], i) >= 0)
      n--;
    hull[n++] = i;
    middle += c->bins[i].x / c->n;
  }
  for (unsigned i = 1; i < n; i++) {
    const double from = c->bins[hull[i - 1]].x, to = c->bins[hull[i]].x;
    double slope;

    if (to < middle)
      continue;
    slope = (c->bins[hull[i]].d - c->bins[hull[i - 1]].d) / (to - from);
    if (to - from >= EDGE_AT_LEAST * span && fabs (slope) <= RCC_SKEW_OWD_DRIFT * 1e9)
      c->slope = slope;
    return;
  }
}

static void
fit_height (RccSkewOwd *c)
{
  c->height = INFINITY;
  for (unsigned i = 0; i < c->n; i++)
    c->height = RCC_MIN (c->height, c->bins[i].d - c->slope * c->bins[i].x);
}

static void
open_bin (RccSkewOwd *c, RccTime since, double d)
{
  unsigned old = 0;

  if (c->n > 1)
    fit_slope (c);
  while (old < c->n && (c->n - old == RCC_SKEW_OWD_BINS
          || since - c->bins[old].begins >= RCC_SKEW_OWD_BINS * RCC_SKEW_OWD_BIN))
    old++;
  c->n -= old;
  memmove (c->bins, c->bins + old, c->n * sizeof c->bins[0]);
  c->bins[c->n].begins = since;
  c->bins[c->n].x = (double) since * 1e-9;
  c->bins[c->n].d = d;
  c->n++;
  fit_height (c);
}

/* Anew from this packet on, but with the drift that was learnt. */
static void
restart (RccSkewOwd *c, RccTime since, double d)
{
  c->n = 0;
  c->restarts++;
  open_bin (c, since, d);
}

static double
over_base (RccSkewOwd *c, RccTime since, double d)
{
  const double x = (double) since * 1e-9;
  double queue = c->n > 0 ? d - (c->height + c->slope * x) : 0.0;

  if (-queue > (double) RCC_SKEW_OWD_DROP)
    restart (c, since, d);
  else if (c->n == 0 || (since > c->bins[c->n - 1].begins
          && since - c->bins[c->n - 1].begins >= RCC_SKEW_OWD_BIN))
    open_bin (c, since, d);
  c->height = RCC_MIN (c->height, d - c->slope * x);
  /* a packet that was overtaken belongs to an older bin: the hull wants them in order */
  if (since >= c->bins[c->n - 1].begins
      && d - c->slope * x < c->bins[c->n - 1].d - c->slope * c->bins[c->n - 1].x) {
    c->bins[c->n - 1].x = x;
    c->bins[c->n - 1].d = d;
  }
  queue = d - (c->height + c->slope * x);
  return RCC_MAX (queue, 0.0);
}

RccTime
rcc_skew_owd_packet (RccSkewOwd *c, RccTime sent, RccTime arrived, RccTime now)
{
  RccTime since, anchor;
  double d, queue;

  if (sent > now)
    return RCC_NEVER;
  if (!c->started) {
    c->started = true;
    c->origin = sent;
    c->origin_d = arrived - sent;
  }
  /* one that left before the first one of all: taken for as old as that */
  since = sent > c->origin ? sent - c->origin : 0;
  d = (double) (int64_t) (arrived - sent - c->origin_d);
  queue = over_base (c, since, d);
  if (queue > RCC_MIN ((double) (now - sent), QUEUE_MAX)) {
    restart (c, since, d);
    queue = 0.0;
  }
  min_take (&c->loop, now - sent, now);
  anchor = rcc_skew_owd_rtt_min (c);
  return (RccTime) queue + anchor / 2;
}
