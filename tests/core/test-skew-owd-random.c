/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random paths between random clocks: each delay held against one that is worked out anew from
 * what skew-owd.h says, the line below all bins by trying every pair of them.
 */
#include <math.h>
#include <glib.h>
#include "core/skew-owd.h"
#include "../random.h"

#define LIVES 60
#define STEPS 1500

typedef struct {
  RccTime begins;
  gdouble x, d;
} Bin;

typedef struct {
  RccTime now, before, since;
} Least;

static RccSkewOwd c;
static GArray *bins;
static gdouble slope, height;
static gboolean started;
static RccTime origin;
static guint64 origin_d, restarts;
static Least rtts, loops;

static Bin *
nth (guint i)
{
  return &g_array_index (bins, Bin, i);
}

/* The smallest of the last one to two minutes */
static void
take_least (Least *l, RccTime value, RccTime now)
{
  if (l->since == RCC_NEVER || now >= l->since + 60 * RCC_SEC) {
    l->before = l->now;
    l->now = RCC_NEVER;
    l->since = now;
  }
  l->now = MIN (l->now, value);
}

static RccTime
least_rtt (void)
{
  const RccTime rtt = MIN (rtts.now, rtts.before);

  return rtt == RCC_NEVER ? MIN (loops.now, loops.before) : rtt;
}

/* A drift is believed after a minute, from an edge over half of that.  Below all bins at the mean
 * of their times runs the edge of their hull: of all lines through two of them on either side the
 * lowest there. */
static void
fit_slope (void)
{
  const gdouble span = nth (bins->len - 1)->x - nth (0)->x;
  gdouble middle = 0, lowest = INFINITY, best = slope, length = 0;

  if (span < 60)
    return;
  for (guint i = 0; i < bins->len; i++)
    middle += nth (i)->x / bins->len;
  for (guint i = 0; i < bins->len; i++)
    for (guint k = i + 1; k < bins->len; k++) {
      const gdouble rise = (nth (k)->d - nth (i)->d) / (nth (k)->x - nth (i)->x);
      const gdouble at = nth (i)->d + rise * (middle - nth (i)->x);

      if (nth (i)->x < middle && nth (k)->x >= middle
          && (at < lowest - 1e-6 || (at <= lowest + 1e-6 && nth (k)->x - nth (i)->x > length))) {
        lowest = at;
        best = rise;
        length = nth (k)->x - nth (i)->x;
      }
    }
  if (length >= 0.5 * span && fabs (best) <= 200e-6 * 1e9)
    slope = best;
}

static void
fit_height (void)
{
  height = INFINITY;
  for (guint i = 0; i < bins->len; i++)
    height = MIN (height, nth (i)->d - slope * nth (i)->x);
}

/* 24 bins of 5 s */
static void
open_bin (RccTime since, gdouble d)
{
  if (bins->len > 1)
    fit_slope ();
  while (bins->len == 24
      || (bins->len > 0 && since - nth (0)->begins >= 24 * 5 * RCC_SEC))
    g_array_remove_index (bins, 0);
  g_array_append_val (bins, ((Bin) { since, (gdouble) since * 1e-9, d }));
  fit_height ();
}

static void
restart (RccTime since, gdouble d)
{
  g_array_set_size (bins, 0);
  restarts++;
  open_bin (since, d);
}

static gdouble
over_base (RccTime since, gdouble d)
{
  const gdouble x = (gdouble) since * 1e-9;
  Bin *last;

  /* 20 ms below all that is known: another path, or another clock */
  if (bins->len > 0 && d - (height + slope * x) < -20e6)
    restart (since, d);
  else if (bins->len == 0
      || (since > nth (bins->len - 1)->begins
          && since - nth (bins->len - 1)->begins >= 5 * RCC_SEC))
    open_bin (since, d);
  height = MIN (height, d - slope * x);
  last = nth (bins->len - 1);
  if (d - slope * x < last->d - slope * last->x) {
    last->x = x;
    last->d = d;
  }
  return MAX (d - (height + slope * x), 0);
}

static RccTime
model_packet (RccTime sent, RccTime arrived, RccTime now)
{
  RccTime since;
  gdouble d, queue;

  if (sent > now)
    return RCC_NEVER;
  if (!started) {
    started = TRUE;
    origin = sent;
    origin_d = arrived - sent;
  }
  since = sent > origin ? sent - origin : 0;
  d = (gdouble) (gint64) (arrived - sent - origin_d);
  queue = over_base (since, d);
  /* no packet is under way for longer than since it left */
  if (queue > (gdouble) (now - sent)) {
    restart (since, d);
    queue = 0;
  }
  take_least (&loops, now - sent, now);
  return (RccTime) queue + least_rtt () / 2;
}

static void
live (void)
{
  const gdouble ppm = 150 * (rcc_rng_uniform (&rng) - 0.5) * 2;
  const guint busy = 1 + below (100);
  const gboolean echoed = chance (0.7);
  RccTime sent = RCC_SEC + below (1000) * RCC_MSEC, queue = 0, path = 20 * RCC_MSEC;
  gint64 offset = chance (0.5) ? 0 : (gint64) (90 * RCC_SEC);

  memset (&c, 0xa5, sizeof c);
  rcc_skew_owd_init (&c);
  g_array_set_size (bins, 0);
  started = FALSE;
  slope = height = 0;
  restarts = 0;
  rtts = loops = (Least) { RCC_NEVER, RCC_NEVER, RCC_NEVER };
  for (guint i = 0; i < STEPS; i++) {
    const RccTime jitter = below (3000) * RCC_USEC;
    const RccTime under_way = path + queue + jitter, now = sent + under_way + path;
    /* overtaken, but no further back than the newest bin begins */
    const RccTime bin = bins->len > 0 ? origin + nth (bins->len - 1)->begins : sent;
    const RccTime back = chance (0.02) ? below (7000) * RCC_MSEC : 0;
    const RccTime left = MAX (bin, sent - MIN (sent, back));
    const RccTime arrived = (RccTime) ((gint64) (left + under_way) + offset
        + (gint64) (ppm * 1e-6 * (gdouble) sent));

    g_assert_cmpuint (rcc_skew_owd_rtt_min (&c), ==, least_rtt ());
    if (echoed && chance (0.2)) {
      rcc_skew_owd_rtt (&c, 2 * path + jitter, now);
      take_least (&rtts, 2 * path + jitter, now);
    }
    {
      const RccTime mine = model_packet (left, arrived, now);
      const RccTime its = rcc_skew_owd_packet (&c, left, arrived, now);

      g_assert_cmpint (ABS ((gint64) mine - (gint64) its), <=, 2);
    }
    g_assert_cmpuint (c.restarts, ==, restarts);
    g_assert_cmpfloat_with_epsilon (c.slope, slope, 1e-6);
    if (chance (0.01))                  /* a packet from the future is none */
      g_assert_cmpuint (rcc_skew_owd_packet (&c, now + 1, arrived, now), ==, RCC_NEVER);
    sent += below (100) < busy ? 40 * RCC_MSEC : below (4000) * RCC_MSEC;
    if (chance (0.002))
      sent += below (300) * RCC_SEC;
    if (chance (0.05))
      queue = chance (0.5) ? 0 : below (400) * RCC_MSEC;
    if (chance (0.005))
      path = (5 + below (100)) * RCC_MSEC;
    if (chance (0.002))
      offset += ((gint64) below (20000) - 10000) * (gint64) RCC_MSEC;
  }
}

static void
delays_are_over_the_line_below_all (void)
{
  bins = g_array_new (FALSE, FALSE, sizeof (Bin));
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 24, i);
    live ();
  }
  g_array_unref (bins);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/skew-owd-random/delays-are-over-the-line-below-all",
      delays_are_over_the_line_below_all);
  return g_test_run ();
}
