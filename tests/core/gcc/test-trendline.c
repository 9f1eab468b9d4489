/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/gcc/trendline.h"
#include "core/rng.h"

/* @n groups 20 ms apart whose delay grows by @slope ms a ms of arrival time. */
static double
ramp (RccTrendline *t, double slope, guint n, RccTime *arrival)
{
  double result = 0;

  while (n--) {
    RccGroupDelta d;

    *arrival += 20 * RCC_MSEC;
    d = (RccGroupDelta) { .arrival = *arrival, .d_arrival = 20 * RCC_MSEC,
      .d_send = (gint64) ((1 - slope) * 20e6) };
    result = rcc_trendline_update (t, &d);
  }
  return result;
}

static void
is_exact_on_a_ramp (void)
{
  static const double slopes[] = { 0.1, -0.1, 0.5, 0.001, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (slopes); i++) {
    RccTime arrival = G_GUINT64_CONSTANT (1000000000000000000);  /* 31 years */
    RccTrendline t;

    rcc_trendline_init (&t);
    /* the smoothing of 0.9 a group has settled to 0.9^300 */
    g_assert_cmpfloat_with_epsilon (ramp (&t, slopes[i], 320, &arrival), slopes[i], 1e-7);
  }
}

static void
the_clock_may_begin_anywhere (void)
{
  RccTime early = 12345, late = RCC_NEVER / 3;
  RccTrendline a, b;

  rcc_trendline_init (&a);
  rcc_trendline_init (&b);
  g_assert_cmpfloat (ramp (&a, 0.3, 50, &early), ==, ramp (&b, 0.3, 50, &late));
}

static void
says_nothing_before_the_window_is_full (void)
{
  RccTime arrival = RCC_SEC;
  RccTrendline t;

  rcc_trendline_init (&t);
  g_assert_cmpfloat (ramp (&t, 0.3, RCC_TRENDLINE_WINDOW - 1, &arrival), ==, 0);
  g_assert_cmpfloat (ramp (&t, 0.3, 1, &arrival), >, 0);
}

static void
sees_the_queue_turn (void)
{
  RccTime arrival = RCC_SEC;
  RccTrendline t;

  rcc_trendline_init (&t);
  g_assert_cmpfloat (ramp (&t, 0.2, 60, &arrival), >, 0.1);
  g_assert_cmpfloat (ramp (&t, -0.2, 60, &arrival), <, -0.1);
  g_assert_cmpfloat_with_epsilon (ramp (&t, 0, 200, &arrival), 0, 1e-3);
}

/* Against the textbook formula, recomputed over the whole series. */
static void
matches_least_squares_on_noise (void)
{
  double x[200], y[200], accumulated = 0, smoothed = 0;
  RccTime arrival = 5 * RCC_SEC;
  RccTrendline t;
  RccRng r;

  rcc_rng_init (&r, 3, 3);
  rcc_trendline_init (&t);
  for (guint i = 0; i < 200; i++) {
    const gint64 gap = (gint64) (40e6 * rcc_rng_uniform (&r));
    const RccGroupDelta d = { .arrival = arrival += (RccTime) gap, .d_arrival = gap,
      .d_send = (gint64) (40e6 * rcc_rng_uniform (&r)) };
    const double slope = rcc_trendline_update (&t, &d);
    double n = 0, sx = 0, sy = 0, sxy = 0, sxx = 0;

    accumulated += (double) (d.d_arrival - d.d_send) * 1e-6;
    smoothed += 0.1 * (accumulated - smoothed);
    x[i] = (double) (arrival - 5 * RCC_SEC) * 1e-6;
    y[i] = smoothed;
    if (i + 1 < RCC_TRENDLINE_WINDOW)
      continue;
    for (guint k = i + 1 - RCC_TRENDLINE_WINDOW; k <= i; k++)
      n++, sx += x[k], sy += y[k], sxy += x[k] * y[k], sxx += x[k] * x[k];
    g_assert_cmpfloat_with_epsilon (slope, (n * sxy - sx * sy) / (n * sxx - sx * sx), 1e-6);
  }
}

static void
one_instant_has_no_slope (void)
{
  const RccGroupDelta d = { .arrival = RCC_SEC, .d_send = -5 * (gint64) RCC_MSEC };
  RccTrendline t;

  rcc_trendline_init (&t);
  for (guint i = 0; i < 50; i++)
    g_assert_cmpfloat (rcc_trendline_update (&t, &d), ==, 0);
}

/* T1: an hour forward or back between two groups is not a slope. */
static void
a_clock_jump_is_no_slope (void)
{
  for (guint back = 0; back < 2; back++) {
    RccTime arrival = 10000 * RCC_SEC;
    RccTrendline t;

    rcc_trendline_init (&t);
    ramp (&t, 0, 50, &arrival);
    arrival += back ? -3600 * RCC_SEC : 3600 * RCC_SEC;
    for (guint i = 0; i < 60; i++)
      g_assert_cmpfloat (fabs (ramp (&t, 0, 1, &arrival)), <, 1e-6);
    g_assert_cmpfloat_with_epsilon (ramp (&t, 0.1, 320, &arrival), 0.1, 1e-6);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-trendline/is-exact-on-a-ramp", is_exact_on_a_ramp);
  g_test_add_func ("/gcc-trendline/says-nothing-before-the-window-is-full",
      says_nothing_before_the_window_is_full);
  g_test_add_func ("/gcc-trendline/sees-the-queue-turn", sees_the_queue_turn);
  g_test_add_func ("/gcc-trendline/matches-least-squares-on-noise",
      matches_least_squares_on_noise);
  g_test_add_func ("/gcc-trendline/one-instant-has-no-slope", one_instant_has_no_slope);
  g_test_add_func ("/gcc-trendline/a-clock-jump-is-no-slope", a_clock_jump_is_no_slope);
  g_test_add_func ("/gcc-trendline/the-clock-may-begin-anywhere", the_clock_may_begin_anywhere);
  return g_test_run ();
}
