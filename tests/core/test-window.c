/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/window.h"

static void
measures_a_constant_rate (void)
{
  RccWindow w;

  rcc_window_init (&w, 500 * RCC_MSEC);
  for (RccTime t = 0; t < 3 * RCC_SEC; t += 10 * RCC_MSEC)
    rcc_window_add (&w, 1250, t);       /* 1 Mbit/s */
  g_assert_true (rcc_window_full (&w, 3 * RCC_SEC));
  g_assert_cmpuint (rcc_window_bps (&w, 3 * RCC_SEC - 1), >=, 980000);
  g_assert_cmpuint (rcc_window_bps (&w, 3 * RCC_SEC - 1), <=, 1020000);
}

static void
forgets_after_its_span (void)
{
  RccWindow w;

  rcc_window_init (&w, 500 * RCC_MSEC);
  rcc_window_add (&w, 125000, RCC_SEC);
  g_assert_cmpuint (rcc_window_bps (&w, RCC_SEC + 490 * RCC_MSEC), >, 1900000);
  g_assert_cmpuint (rcc_window_bps (&w, RCC_SEC + 510 * RCC_MSEC), ==, 0);
  rcc_window_add (&w, 1000, 3600 * RCC_SEC);
  g_assert_cmpuint (rcc_window_bps (&w, 3600 * RCC_SEC), ==, 16000);
}

static void
starts_without_a_spike (void)
{
  RccWindow w;

  rcc_window_init (&w, 500 * RCC_MSEC);
  g_assert_cmpuint (rcc_window_bps (&w, 0), ==, 0);
  g_assert_false (rcc_window_full (&w, 0));
  rcc_window_add (&w, 1250, RCC_SEC);
  /* one packet counts over a tenth of the span, not over zero time */
  g_assert_cmpuint (rcc_window_bps (&w, RCC_SEC), ==, 200000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/measures-a-constant-rate", measures_a_constant_rate);
  g_test_add_func ("/window/forgets-after-its-span", forgets_after_its_span);
  g_test_add_func ("/window/starts-without-a-spike", starts_without_a_spike);
  return g_test_run ();
}
