/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>

#include "core/losses.h"

/* Each share has its own whole: what was dropped before sending never left. */
static void
shares (void)
{
  const RccLosses l = { .offered = 1000, .unsent = 200, .left = 800, .lost = 8, .late = 40,
    .deadline = true };

  g_assert_cmpfloat (rcc_losses_unsent (&l), ==, 0.2);
  g_assert_cmpfloat (rcc_losses_lost (&l), ==, 0.01);
  g_assert_cmpfloat (rcc_losses_late (&l), ==, 0.05);
}

static void
of_nothing (void)
{
  const RccLosses none = { 0 }, dated = { .deadline = true };

  g_assert_cmpfloat (rcc_losses_unsent (&none), ==, 0);
  g_assert_cmpfloat (rcc_losses_lost (&none), ==, 0);
  g_assert_true (isnan (rcc_losses_late (&none)));
  g_assert_cmpfloat (rcc_losses_late (&dated), ==, 0);
}

/* Of the sum, not the mean of the shares. */
static void
sums (void)
{
  const RccLosses few = { 10, 5, 5, 5, 0, false }, many = { 90, 0, 95, 5, 10, true };
  RccLosses sum = { 0 };

  rcc_losses_add (&sum, &few);
  g_assert_false (sum.deadline);
  rcc_losses_add (&sum, &many);
  g_assert_cmpfloat (rcc_losses_unsent (&sum), ==, 0.05);
  g_assert_cmpfloat (rcc_losses_lost (&sum), ==, 0.1);
  g_assert_cmpfloat (rcc_losses_late (&sum), ==, 0.1);
}

static void
the_mean_follows (void)
{
  static const struct { double mean, lost, expected, is; } cases[] = {
    { 0, 1, 10, 0.01 }, { 0.5, 0, 100, 0 }, { 0.5, 0, 1000, 0 }, { 0.5, 0, 0, 0.5 },
    { 0.5, 3, 0, 0.5 }, { 0, 50, 10, 0.1 }, { 0.2, -50, 10, 0.08 }, { 0.2, -1, 10, 0.17 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat_with_epsilon (rcc_losses_mean (cases[i].mean, cases[i].lost,
            cases[i].expected, 100), cases[i].is, 1e-12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/losses/shares", shares);
  g_test_add_func ("/losses/of-nothing", of_nothing);
  g_test_add_func ("/losses/sums", sums);
  g_test_add_func ("/losses/the-mean-follows", the_mean_follows);
  return g_test_run ();
}
