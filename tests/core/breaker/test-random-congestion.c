/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Random intervals: each verdict held against RFC 8083 4.3 and what congestion.c says it departs
 * by, worked out from all intervals and all samples of the round trip each time.
 */
#include <math.h>
#include <glib.h>
#include "core/breaker/congestion.h"
#include "../../random.h"

#define LIVES 200
#define STEPS 200

typedef struct {
  RccBreakerInterval i;
  gint sample;                          /* which of the round trips it was; -1: none */
} Interval;

static RccBreakerCongestion c;
static RccBreakerConfig config;
static GArray *intervals, *samples;     /* since the last clear; ever */
static RccTime rtt;                     /* Tr */
static gint64 lost;
static guint over_in_a_row;
static gboolean waiting;

static const RccBreakerInterval *
nth (guint i)
{
  return &g_array_index (intervals, Interval, i).i;
}

static RccTime
sample (guint i)
{
  return g_array_index (samples, RccTime, i);
}

static void
take_sample (RccTime t)
{
  g_array_append_val (samples, t);
  rtt = rtt == RCC_NEVER ? t : (RccTime) (0.8 * (gdouble) rtt + 0.2 * (gdouble) t + 0.5);
}

static gdouble
limit (gdouble size, RccTime r, gdouble p)
{
  const RccTcpPath path = { .packet_size = size, .rtt = r };

  return rcc_tcp_throughput (config.model, &path, p);
}

typedef struct {
  gdouble lost, duration, sent, packets;        /* ns of loss, ns, bytes */
} Sum;

/* Of @from up to @end, which is not among them, without @but. */
static Sum
sum_of (guint from, guint end, gint but)
{
  Sum s = { 0 };

  for (guint k = from; k < end; k++)
    if ((gint) k != but) {
      s.lost += nth (k)->fraction * (gdouble) nth (k)->duration;
      s.duration += (gdouble) nth (k)->duration;
      s.sent += (gdouble) nth (k)->sent;
      s.packets += (gdouble) nth (k)->packets;
    }
  return s;
}

/* The rate is no more than what left in the newest of all. */
static gdouble
rate_of (const Sum *s)
{
  const RccBreakerInterval *newest = nth (intervals->len - 1);

  return MIN (s->sent / s->duration, (gdouble) newest->sent / (gdouble) newest->duration) * 1e9;
}

static gboolean
exceeds (const Sum *s, gdouble size, RccTime r)
{
  return s->duration > 0
      && rate_of (s) > config.multiplier * limit (size, r, s->lost / s->duration);
}

/* Tr = 0.8 Tr + 0.2 Tr_new: what it would be had that sample no weight */
static RccTime
rtt_without (gint k)
{
  const gint age = (gint) samples->len - 1 - k;
  gdouble weight = pow (0.8, age) * (k > 0 ? 0.2 : 1);

  if (k < 0 || age >= 64)
    return rtt;
  if (samples->len == 1)
    return 0;
  return (RccTime) MAX (0, ((gdouble) rtt - weight * (gdouble) sample ((guint) k)) / (1 - weight));
}

static gdouble
packets_of (const RccBreakerInterval *i)
{
  return MAX (1, MAX ((gdouble) i->expected, (gdouble) i->packets));
}

/* Not for one report's sake, nor one sample's: or as far as later counts bear it out. */
static gboolean
robust (guint from, guint end, gdouble size)
{
  const Sum all = sum_of (from, end, -1);
  RccTime least = samples->len > 1 ? rtt : 0;

  for (gint k = 0; k < (gint) samples->len; k++)
    if (sample ((guint) k) > rtt)
      least = MIN (least, rtt_without (k));
  if (!exceeds (&all, size, least))
    return FALSE;
  for (guint k = from; k < end; k++) {
    const Interval *one = &g_array_index (intervals, Interval, k);
    const Sum rest = sum_of (from, end, (gint) k);
    const RccTime r = rtt_without (one->sample);
    gdouble later = 0, borne_out;
    Sum cut = all;

    if (one->i.fraction <= 0 || exceeds (&rest, size, r))
      continue;
    if (k + 1 == intervals->len)
      return FALSE;
    for (guint l = k + 1; l < intervals->len; l++)
      later += nth (l)->fraction * packets_of (nth (l));
    borne_out = CLAMP (((gdouble) (lost - one->i.lost_before) - later + 2) / packets_of (&one->i),
        0, one->i.fraction);
    cut.lost -= (one->i.fraction - borne_out) * (gdouble) one->i.duration;
    if (!exceeds (&cut, size, r))
      return FALSE;
  }
  return TRUE;
}

static void
same_figures (const Sum *s, gdouble size, RccTime r)
{
  const gdouble p = s->lost / s->duration, x = 8 * limit (size, r, p);

  g_assert_cmpfloat_with_epsilon (c.figures.loss, p, 1e-9);
  g_assert_cmpfloat_with_epsilon (c.figures.sent_bps, 8 * rate_of (s),
      1e-6 * (1 + 8 * rate_of (s)));
  if (c.figures.tcp_bps != x)
    g_assert_cmpfloat_with_epsilon (c.figures.tcp_bps, x, 1e-6 * x);
  g_assert_cmpuint (c.figures.duration, ==, (RccTime) s->duration);
}

static gdouble
size_of (const Sum *s, gdouble size)
{
  if (config.mode == RCC_BREAKER_DRAFT2014 || !config.interval_size || !(s->packets > 0))
    return size;
  return MAX (size, s->sent / s->packets);
}

/* The verdict on the @n before @end; what it rests on is shown. */
static gboolean
window (guint end, guint n, gdouble frames)
{
  const Sum s = sum_of (end - n, end, -1);
  const gdouble size = size_of (&s, frames);
  gboolean steady = TRUE;

  for (guint k = end - n; k < end; k++)
    steady &= nth (k)->steady;
  waiting = steady && exceeds (&s, size, rtt);
  return waiting && robust (end - n, end, size);
}

static gboolean
model_judge (guint n, gdouble size, Sum *shown)
{
  const guint len = intervals->len;

  *shown = (Sum) { 0 };
  if (rtt == RCC_NEVER || len == 0 || !(size > 0))
    return FALSE;
  if (config.mode == RCC_BREAKER_DRAFT2014) {
    const RccBreakerInterval *i = nth (len - 1);
    const gdouble x = config.multiplier
        * limit (size, sample (samples->len - 1), sum_of (len - 1, len, -1).lost / i->duration);

    *shown = sum_of (len - 1, len, -1);
    over_in_a_row = i->steady && rate_of (shown) >= x ? over_in_a_row + 1 : 0;
    return over_in_a_row >= 2;
  }
  if (len < n) {
    waiting = FALSE;
    return FALSE;
  }
  if (waiting && len > n) {
    *shown = sum_of (len - 1 - n, len - 1, -1);
    if (window (len - 1, n, size))
      return TRUE;
  }
  *shown = sum_of (len - n, len, -1);
  return window (len, n, size);
}

static void
add (gdouble bad, gboolean honest)
{
  const guint n = 1 + below (1000);
  const gdouble fraction = chance (0.3) ? 0 : MIN (1, bad * (0.5 + rcc_rng_uniform (&rng)));
  const RccBreakerInterval i = {
    .duration = (100 + below (5000)) * RCC_MSEC, .fraction = fraction, .lost_before = lost,
    .rtt = chance (0.4) ? RCC_NEVER : (1 + below (chance (0.1) ? 5000 : 300)) * RCC_MSEC,
    .expected = chance (0.1) ? 0 : n, .packets = chance (0.1) ? n / 2 : n,
    .sent = n * (500 + below (700)), .steady = !chance (0.02),
  };
  const Interval mine = { i, i.rtt == RCC_NEVER ? -1 : (gint) samples->len };

  if (honest || chance (0.5))
    lost += (gint64) (fraction * n + 0.5);
  rcc_breaker_congestion_add (&c, &i, lost);
  if (i.rtt != RCC_NEVER)
    take_sample (i.rtt);
  g_array_append_val (intervals, mine);
}

static void
live (void)
{
  const guint most = chance (0.2) ? RCC_BREAKER_INTERVALS - 1 : 1 + below (12);
  const gboolean honest = chance (0.5), sizeless = chance (0.05);
  gdouble bad = rcc_rng_uniform (&rng) * 0.3;

  config = rcc_breaker_config (chance (0.2) ? RCC_BREAKER_DRAFT2014 : RCC_BREAKER_RFC8083);
  config.interval_size = chance (0.7);
  config.model = chance (0.5) ? RCC_TCP_MATHIS : RCC_TCP_PADHYE;
  config.multiplier = chance (0.3) ? 10 : 0.2 + 2 * rcc_rng_uniform (&rng);
  memset (&c, 0xa5, sizeof c);
  rcc_breaker_congestion_init (&c);
  g_array_set_size (intervals, 0);
  g_array_set_size (samples, 0);
  rtt = RCC_NEVER;
  lost = over_in_a_row = 0;
  waiting = FALSE;
  for (guint i = 0; i < STEPS; i++) {
    const gdouble size = sizeless ? 0 : chance (0.5) ? 1000 : 40 + below (1000);
    const guint n = MAX (1, most - (chance (0.2) ? below (most) : 0));
    gboolean mine;
    Sum shown = { 0 };

    add (bad, honest);
    mine = model_judge (n, size, &shown);
    g_assert_cmpint (rcc_breaker_congestion_judge (&c, &config, n, size), ==, mine);
    g_assert_cmpuint (c.rtt, ==, rtt);
    if (shown.duration > 0)
      same_figures (&shown, size_of (&shown, size),
          config.mode == RCC_BREAKER_DRAFT2014 ? sample (samples->len - 1) : rtt);
    if (chance (0.03))
      bad = chance (0.3) ? 0 : rcc_rng_uniform (&rng);
    if (chance (0.05)) {
      rcc_breaker_congestion_rtt (&c, 77 * RCC_MSEC);
      take_sample (77 * RCC_MSEC);
    }
    if (chance (most > 20 ? 0.002 : 0.02)) {
      rcc_breaker_congestion_clear (&c);
      g_array_set_size (intervals, 0);
      over_in_a_row = 0;
      waiting = FALSE;
    }
  }
}

static void
verdicts_rest_on_more_than_one_report (void)
{
  intervals = g_array_new (FALSE, FALSE, sizeof (Interval));
  samples = g_array_new (FALSE, FALSE, sizeof (RccTime));
  for (guint i = 0; i < LIVES; i++) {
    rcc_rng_init (&rng, 43, i);
    live ();
  }
  g_array_unref (intervals);
  g_array_unref (samples);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/breaker-random-congestion/verdicts-rest-on-more-than-one-report",
      verdicts_rest_on_more_than_one_report);
  return g_test_run ();
}
