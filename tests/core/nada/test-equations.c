/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RFC 8698's equations with its own defaults; what is expected was worked out by hand. */
#include "core/nada/equations.h"

#include <glib.h>

#define MS 1e6

static RccNadaConfig c;

static void
about (gdouble is, gdouble should)
{
  g_assert_cmpfloat_with_epsilon (is, should, 1e-4 * ABS (should) + 1e-9);
}

/* (1): 50 exp (-0.5 (q - 50) / 50) */
static void
warping (void)
{
  about (rcc_nada_warp (&c, 0), 0);
  about (rcc_nada_warp (&c, 40 * MS), 40 * MS);
  about (rcc_nada_warp (&c, 49.999 * MS), 49.999 * MS);
  about (rcc_nada_warp (&c, 50 * MS), 50 * MS);
  about (rcc_nada_warp (&c, 100 * MS), 30.3265 * MS);   /* 50 / sqrt (e) */
  about (rcc_nada_warp (&c, 150 * MS), 18.3940 * MS);   /* 50 / e */
}

/* (2): 20 + 2 (3 / 1)^2 + 10 (2 / 1)^2 */
static void
congestion_signal (void)
{
  about (rcc_nada_signal (&c, 20 * MS, 0, 0, 0), 20 * MS);
  about (rcc_nada_signal (&c, 20 * MS, 0, 0.02, 0), 60 * MS);
  about (rcc_nada_signal (&c, 20 * MS, 0, 0, 0.03), 38 * MS);
  about (rcc_nada_signal (&c, 20 * MS, 0, 0.02, 0.03), 78 * MS);
  about (rcc_nada_signal (&c, 100 * MS, 0, 0, 0), 100 * MS);
  about (rcc_nada_signal (&c, 100 * MS, 1, 0, 0), 30.3265 * MS);
  about (rcc_nada_signal (&c, 100 * MS, 0.5, 0, 0), 65.1633 * MS);
  about (rcc_nada_signal (&c, 0, 0, 0.5, 0), 500 * MS); /* of 25 s */
}

/* (3), (4): 50 / (100 + 100 + 120) */
static void
ramp_up (void)
{
  RccNadaConfig short_loop = c;

  about (rcc_nada_gamma (&c, 100 * RCC_MSEC), 0.15625);
  about (rcc_nada_gamma (&c, 0), 50.0 / 220);
  about (rcc_nada_ramp_up (&c, 1e6, 1e6, 100 * RCC_MSEC), 1156250);
  about (rcc_nada_ramp_up (&c, 2e6, 1e6, 100 * RCC_MSEC), 2e6);
  short_loop.d_filt = 0;
  short_loop.q_bound = 80 * RCC_MSEC;   /* 80 / 100, of which GAMMA_MAX leaves 0.5 */
  about (rcc_nada_gamma (&short_loop, 0), 0.5);
}

/* (5) to (7): at 1 of 1.5 Mbit/s the equilibrium is 10 ms * 1.5 = 15 ms */
static void
gradual (void)
{
  RccNadaStep step = { .r_max = 1.5e6, .x_curr = 15 * MS, .x_prev = 15 * MS,
    .delta = 100 * RCC_MSEC };
  RccNadaConfig prior = c;

  about (rcc_nada_gradual (&c, 1e6, &step), 1e6);
  step.x_curr = step.x_prev = 0;        /* + 0.5 * 100/500 * 15/500 */
  about (rcc_nada_gradual (&c, 1e6, &step), 1003000);
  step.delta = 200 * RCC_MSEC;
  about (rcc_nada_gradual (&c, 1e6, &step), 1006000);
  step.delta = 100 * RCC_MSEC;
  step.x_curr = 25 * MS;                /* - 0.5 * 0.2 * 10/500 - 0.5 * 2 * 10/500 */
  step.x_prev = 15 * MS;
  about (rcc_nada_gradual (&c, 1e6, &step), 1e6 - 2000 - 20000);
  step.x_prev = 25 * MS;
  about (rcc_nada_gradual (&c, 1e6, &step), 998000);
  prior.priority = 2;                   /* the equilibrium is 30 ms */
  about (rcc_nada_gradual (&prior, 1e6, &step), 1001000);
}

/* 5.2.2: "a rate-shaping buffer of 2000 bytes will lead to a rate adjustment of 48 Kbps" */
static void
shaping (void)
{
  about (rcc_nada_difference (&c, c.beta_v, 2e6, 2000), 48000);
  about (rcc_nada_difference (&c, c.beta_s, 500e3, 2000), 25000);
  about (rcc_nada_difference (&c, 0, 2e6, 2000), 0);
  about (rcc_nada_difference (&c, c.beta_s, 500e3, 0), 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  c = rcc_nada_config ();
  g_test_add_func ("/core/nada/equations/warping", warping);
  g_test_add_func ("/core/nada/equations/signal", congestion_signal);
  g_test_add_func ("/core/nada/equations/ramp-up", ramp_up);
  g_test_add_func ("/core/nada/equations/gradual", gradual);
  g_test_add_func ("/core/nada/equations/shaping", shaping);
  return g_test_run ();
}
