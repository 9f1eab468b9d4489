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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/losses/shares", shares);
  g_test_add_func ("/losses/of-nothing", of_nothing);
  g_test_add_func ("/losses/sums", sums);
  return g_test_run ();
}
