/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdlib.h>
#include <glib.h>
#include "core/fbra/owd.h"
#include "core/rng.h"

static RccOwd o;

static gint
compare (const void *a, const void *b)
{
  const RccTime x = *(const RccTime *) a, y = *(const RccTime *) b;

  return x < y ? -1 : x > y;
}

static void
nearest_rank (void)
{
  rcc_owd_init (&o, 30 * RCC_SEC);
  g_assert_cmpuint (rcc_owd_percentile (&o, 0.4), ==, RCC_NEVER);
  for (guint i = 0; i < 5; i++)
    rcc_owd_add (&o, (5 - i) * 10, i);
  /* of 10 20 30 40 50: the second holds 40 % at or below it, the fourth 80 % */
  g_assert_cmpuint (rcc_owd_percentile (&o, 0.4), ==, 20);
  g_assert_cmpuint (rcc_owd_percentile (&o, 0.8), ==, 40);
  g_assert_cmpuint (rcc_owd_percentile (&o, 0.0), ==, 10);
  g_assert_cmpuint (rcc_owd_percentile (&o, 1.0), ==, 50);
  g_assert_cmpuint (rcc_owd_percentile (&o, 0.81), ==, 50);
}

static void
forgets_after_its_span (void)
{
  rcc_owd_init (&o, 30 * RCC_SEC);
  rcc_owd_add (&o, 1, RCC_SEC);
  rcc_owd_add (&o, 2, 2 * RCC_SEC);
  rcc_owd_expire (&o, 31 * RCC_SEC);
  g_assert_cmpuint (o.n, ==, 2);
  rcc_owd_expire (&o, 31 * RCC_SEC + 1);
  g_assert_cmpuint (o.n, ==, 1);
  g_assert_cmpuint (rcc_owd_percentile (&o, 0.4), ==, 2);
  rcc_owd_expire (&o, RCC_NEVER);
  g_assert_cmpuint (rcc_owd_percentile (&o, 0.4), ==, RCC_NEVER);
}

/* Then one is as old as the one before it. */
static void
a_clock_may_step_back (void)
{
  rcc_owd_init (&o, 30 * RCC_SEC);
  rcc_owd_add (&o, 1, 10 * RCC_SEC);
  rcc_owd_add (&o, 2, 5 * RCC_SEC);
  rcc_owd_expire (&o, 40 * RCC_SEC);
  g_assert_cmpuint (o.n, ==, 2);
  rcc_owd_expire (&o, 40 * RCC_SEC + 1);
  g_assert_cmpuint (o.n, ==, 0);
}

/* Against what the window should hold, sorted afresh: few values and many, so that
 * ties and evictions by age and by number all come up. */
static void
equals_a_naive_sort (void)
{
  static RccTime at[20000], owd[20000], sorted[RCC_OWD_SAMPLES];
  guint full = 0, aged = 0;
  RccRng r;

  for (guint run = 0; run < 4; run++) {
    const guint32 values = run % 2 ? 7 : 1000000;
    const RccTime step = run < 2 ? 10 * RCC_MSEC : 100 * RCC_MSEC;
    RccTime now = 0;
    guint first = 0;

    rcc_rng_init (&r, 7, run);
    rcc_owd_init (&o, 30 * RCC_SEC);
    for (guint i = 0; i < G_N_ELEMENTS (at); i++) {
      now += rcc_rng_u32 (&r) % (2 * step);
      at[i] = now;
      owd[i] = rcc_rng_u32 (&r) % values;
      rcc_owd_add (&o, owd[i], now);
      while (now - at[first] > 30 * RCC_SEC)
        first++, aged++;
      if (i + 1 - first > RCC_OWD_SAMPLES)
        first = i + 1 - RCC_OWD_SAMPLES, full++;
      g_assert_cmpuint (o.n, ==, i + 1 - first);
      if (i % 37)
        continue;
      for (guint k = first; k <= i; k++)
        sorted[k - first] = owd[k];
      qsort (sorted, o.n, sizeof sorted[0], compare);
      for (guint p = 1; p <= 100; p++)
        g_assert_cmpuint (rcc_owd_percentile (&o, p / 100.0), ==,
            sorted[(p * o.n + 99) / 100 - 1]);
    }
  }
  g_assert_cmpuint (full, >, 1000);
  g_assert_cmpuint (aged, >, 1000);
}

static void
a_clock_that_stands_or_goes_back (void)
{
  rcc_owd_init (&o, RCC_SEC);
  rcc_owd_add (&o, 1, 10 * RCC_SEC);
  rcc_owd_add (&o, 2, 5 * RCC_SEC);
  g_assert_cmpuint (o.n, ==, 2);
  rcc_owd_expire (&o, 11 * RCC_SEC);
  g_assert_cmpuint (o.n, ==, 2);
  rcc_owd_expire (&o, 12 * RCC_SEC);
  g_assert_cmpuint (o.n, ==, 0);
}

static void
correlation_is_a_finite_ratio (void)
{
  g_assert_cmpfloat_with_epsilon (rcc_owd_correlation (110 * RCC_MSEC, 100 * RCC_MSEC, 0),
      1.1, 1e-5);
  /* 5 ms more: twice the delay, or a tenth of it with a floor of 50 ms */
  g_assert_cmpfloat_with_epsilon (rcc_owd_correlation (10 * RCC_MSEC, 5 * RCC_MSEC, 0),
      2.0, 1e-3);
  g_assert_cmpfloat_with_epsilon (rcc_owd_correlation (10 * RCC_MSEC, 5 * RCC_MSEC,
          50 * RCC_MSEC), 60.0 / 55.0, 1e-3);
  g_assert_cmpfloat (rcc_owd_correlation (RCC_NEVER, 1, 0), ==, 1.0);
  g_assert_cmpfloat (rcc_owd_correlation (1, RCC_NEVER, 0), ==, 1.0);
  g_assert_cmpfloat (rcc_owd_correlation (0, 0, 0), ==, 1.0);
  g_assert_true (isfinite (rcc_owd_correlation (RCC_NEVER - 1, 0, RCC_NEVER)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/owd/nearest-rank", nearest_rank);
  g_test_add_func ("/owd/forgets-after-its-span", forgets_after_its_span);
  g_test_add_func ("/owd/equals-a-naive-sort", equals_a_naive_sort);
  g_test_add_func ("/owd/a-clock-that-stands-or-goes-back", a_clock_that_stands_or_goes_back);
  g_test_add_func ("/owd/correlation-is-a-finite-ratio", correlation_is_a_finite_ratio);
  g_test_add_func ("/owd/a-clock-may-step-back", a_clock_may_step_back);
  return g_test_run ();
}
