/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/rng.h"

#define N 200000

static void
is_a_function_of_its_seed (void)
{
  RccRng a, b, c;
  guint same = 0;

  rcc_rng_init (&a, 42, 1);
  rcc_rng_init (&b, 42, 1);
  rcc_rng_init (&c, 42, 2);
  for (int i = 0; i < 1000; i++) {
    const guint32 x = rcc_rng_u32 (&a);

    g_assert_cmpuint (x, ==, rcc_rng_u32 (&b));
    same += x == rcc_rng_u32 (&c);
  }
  g_assert_cmpuint (same, <, 3);
}

static void
matches_the_reference (void)
{
  /* pcg32-global-demo of the reference implementation, seed 42, stream 54 */
  static const guint32 expected[] = { 0xa15c02b7, 0x7b47f409, 0xba1d3330 };
  RccRng r;

  rcc_rng_init (&r, 42, 54);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmphex (rcc_rng_u32 (&r), ==, expected[i]);
}

static void
moments (double (*draw) (RccRng *), double mean, double variance)
{
  double sum = 0, squares = 0;
  RccRng r;

  rcc_rng_init (&r, 7, 7);
  for (int i = 0; i < N; i++) {
    const double x = draw (&r);

    sum += x;
    squares += x * x;
  }
  g_assert_cmpfloat_with_epsilon (sum / N, mean, 0.02);
  g_assert_cmpfloat_with_epsilon (squares / N - (sum / N) * (sum / N), variance,
      0.03 * variance + 0.001);
}

static double exponential2 (RccRng *r) { return rcc_rng_exponential (r, 2.0); }
static double laplace1 (RccRng *r) { return rcc_rng_laplace (r, 1.0); }

static void
distributions (void)
{
  moments (rcc_rng_uniform, 0.5, 1.0 / 12);
  moments (rcc_rng_normal, 0.0, 1.0);
  moments (exponential2, 2.0, 4.0);
  moments (laplace1, 0.0, 2.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rng/is-a-function-of-its-seed", is_a_function_of_its_seed);
  g_test_add_func ("/rng/matches-the-reference", matches_the_reference);
  g_test_add_func ("/rng/distributions", distributions);
  return g_test_run ();
}
