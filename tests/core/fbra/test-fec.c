/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/fbra/fec.h"

static RccFbraConfig config;

static guint
choose (double rate, double initial, double peak)
{
  return rcc_fbra_choose_n (&config, rate, initial, peak, FALSE);
}

static void
the_first_probe_is_the_boldest (void)
{
  config = rcc_fbra_config ();
  g_assert_cmpuint (rcc_fbra_choose_n (&config, 128000, 128000, 128000, TRUE), ==, 2);
}

static void
below_0_85_of_the_initial_goodput_n_is_8 (void)
{
  config = rcc_fbra_config ();
  g_assert_cmpuint (choose (84999, 100000, 85000), ==, 8);
  g_assert_cmpuint (choose (85000, 100000, 85000), ==, 14);
}

static void
below_half_the_peak_n_is_8 (void)
{
  config = rcc_fbra_config ();
  g_assert_cmpuint (choose (199999, 100000, 400000), ==, 8);
  g_assert_cmpuint (choose (200000, 100000, 400000), ==, 14);
}

static void
what_is_unknown_does_not_count (void)
{
  config = rcc_fbra_config ();
  g_assert_cmpuint (choose (100000, 0, 0), ==, 14);
  g_assert_cmpuint (choose (1, 0, 1), ==, 14);
  config.rule = RCC_FBRA_N_LINEAR;
  g_assert_cmpuint (choose (0, 0, 0), ==, 14);
  g_assert_cmpuint (choose (0, 100, 0), ==, 2);
}

static void
low_is_kept_within_min_and_max (void)
{
  config = rcc_fbra_config ();
  config.n_low = 30;
  g_assert_cmpuint (choose (1, 100, 100), ==, 14);
  config.n_low = 1;
  g_assert_cmpuint (choose (1, 100, 100), ==, 2);
}

static void
the_linear_rule_goes_from_min_to_max (void)
{
  config = rcc_fbra_config ();
  config.rule = RCC_FBRA_N_LINEAR;
  g_assert_cmpuint (choose (100, 100, 100), ==, 14);
  g_assert_cmpuint (choose (300, 100, 300), ==, 14);
  g_assert_cmpuint (choose (50, 100, 50), ==, 2);
  g_assert_cmpuint (choose (1, 100, 100), ==, 2);
  g_assert_cmpuint (choose (75, 100, 75), ==, 8);
}

static void
fits_below_the_maximum (void)
{
  double media, fec;

  /* as asked for */
  g_assert_cmpuint (rcc_fbra_fit (2, 14, 100000, 200000, &media, &fec), ==, 2);
  g_assert_cmpfloat (media, ==, 100000);
  g_assert_cmpfloat (fec, ==, 50000);
  /* half as much again is too much, a fifth fits */
  g_assert_cmpuint (rcc_fbra_fit (2, 14, 100000, 120000, &media, &fec), ==, 5);
  g_assert_cmpfloat (media, ==, 100000);
  g_assert_cmpfloat (fec, ==, 20000);
  /* not even a fourteenth: the media gives way, the sum is the maximum */
  g_assert_cmpuint (rcc_fbra_fit (2, 14, 100000, 102000, &media, &fec), ==, 14);
  g_assert_cmpfloat (media, <, 100000);
  g_assert_cmpfloat_with_epsilon (media + fec, 102000, 1e-6);
  g_assert_cmpfloat_with_epsilon (media / fec, 14, 1e-9);
  g_assert_cmpuint (rcc_fbra_fit (2, 14, 100000, 100000, &media, &fec), ==, 0);
  g_assert_cmpuint (rcc_fbra_fit (2, 14, 0, 100000, &media, &fec), ==, 0);
}

static void
the_peak_is_of_the_last_two_seconds (void)
{
  RccFbraPeak p;

  rcc_fbra_peak_init (&p, 2 * RCC_SEC);
  g_assert_cmpfloat (rcc_fbra_peak (&p, 0), ==, 0);
  rcc_fbra_peak_add (&p, 300, 10 * RCC_SEC);
  rcc_fbra_peak_add (&p, 200, 10 * RCC_SEC + RCC_MSEC);
  rcc_fbra_peak_add (&p, 100, 11 * RCC_SEC);
  g_assert_cmpfloat (rcc_fbra_peak (&p, 11 * RCC_SEC), ==, 300);
  /* to a bin of 100 ms */
  g_assert_cmpfloat (rcc_fbra_peak (&p, 11900 * RCC_MSEC), ==, 300);
  g_assert_cmpfloat (rcc_fbra_peak (&p, 12 * RCC_SEC), ==, 100);
  g_assert_cmpfloat (rcc_fbra_peak (&p, 13 * RCC_SEC), ==, 0);
  rcc_fbra_peak_add (&p, 50, 3600 * RCC_SEC);
  g_assert_cmpfloat (rcc_fbra_peak (&p, 3600 * RCC_SEC), ==, 50);
  /* a time before is the newest bin's */
  rcc_fbra_peak_add (&p, 60, RCC_SEC);
  g_assert_cmpfloat (rcc_fbra_peak (&p, 3600 * RCC_SEC), ==, 60);
}

/* However far along a clock is when it begins, or leaps. */
static void
a_clock_far_along_is_caught_up_with_at_once (void)
{
  RccFbraPeak p;

  rcc_fbra_peak_init (&p, RCC_SEC);
  rcc_fbra_peak_add (&p, 100000, RCC_NEVER / 4);
  g_assert_cmpfloat (rcc_fbra_peak (&p, RCC_NEVER / 4), ==, 100000);
  g_assert_cmpfloat (rcc_fbra_peak (&p, RCC_NEVER / 2), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fbra-fec/the-first-probe-is-the-boldest",
      the_first_probe_is_the_boldest);
  g_test_add_func ("/fbra-fec/below-0.85-of-the-initial-goodput-n-is-8",
      below_0_85_of_the_initial_goodput_n_is_8);
  g_test_add_func ("/fbra-fec/below-half-the-peak-n-is-8", below_half_the_peak_n_is_8);
  g_test_add_func ("/fbra-fec/what-is-unknown-does-not-count",
      what_is_unknown_does_not_count);
  g_test_add_func ("/fbra-fec/low-is-kept-within-min-and-max",
      low_is_kept_within_min_and_max);
  g_test_add_func ("/fbra-fec/the-linear-rule-goes-from-min-to-max",
      the_linear_rule_goes_from_min_to_max);
  g_test_add_func ("/fbra-fec/fits-below-the-maximum", fits_below_the_maximum);
  g_test_add_func ("/fbra-fec/the-peak-is-of-the-last-two-seconds",
      the_peak_is_of_the_last_two_seconds);
  g_test_add_func ("/fbra-fec/a-clock-far-along-is-caught-up-with-at-once",
      a_clock_far_along_is_caught_up_with_at_once);
  return g_test_run ();
}
