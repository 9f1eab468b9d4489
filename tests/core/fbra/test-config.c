/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <glib.h>
#include "core/fbra/config.h"

/* The paper's order of its own thresholds, whatever their values. */
static void
thresholds_are_in_the_papers_order (void)
{
  const RccFbraConfig c = rcc_fbra_config ();

  g_assert_cmpfloat (c.p_low, <, 0.5);
  g_assert_cmpfloat (c.p_high, >, 0.5);
  /* all in [1;2]; less sensitive in PROBE than in UP, least in DOWN */
  g_assert_cmpfloat (1.0, <, c.alpha_stay);
  g_assert_cmpfloat (c.alpha_stay, <, c.alpha_down_up);
  g_assert_cmpfloat (c.alpha_down_up, <, c.alpha_down_probe);
  g_assert_cmpfloat (c.alpha_down_probe, <, c.alpha_undershoot);
  g_assert_cmpfloat (c.alpha_undershoot, <=, 2.0);
  g_assert_cmpfloat (c.beta, <, 1.5);
  g_assert_cmpuint (c.n_min, ==, 2);
  g_assert_cmpuint (c.n_max, ==, 14);
  g_assert_cmpuint (c.d_max, ==, 400 * RCC_MSEC);
}

static void
what_is_ours_is_off (void)
{
  const RccFbraConfig c = rcc_fbra_config ();

  g_assert_cmpuint (c.owd_floor, ==, 0);
  g_assert_cmpuint (c.parity_least, ==, 0);
  g_assert_false (c.reports.pool);
  g_assert_cmpint (c.rule, ==, RCC_FBRA_N_STEP);
  g_assert_false (c.by_capacity || c.ahead || c.bounce_kept);
  g_assert_cmpuint (c.stay_excess + c.alarm_excess + c.probe_backoff + c.roomy, ==, 0);
  g_assert_cmpfloat (c.stray, ==, 0);
  g_assert_cmpfloat (c.share_varies, ==, 0);
}

static void
excesses_stand_in_for_ratios (void)
{
  const RccFbraConfig paper = rcc_fbra_config (), plus = rcc_fbra_config_plus ();
  const RccTime far = 250 * RCC_MSEC;
  RccFbraConfig c = rcc_fbra_config_at (&paper, far);

  g_assert_cmpfloat (c.alpha_stay, ==, paper.alpha_stay);
  g_assert_cmpfloat (c.alpha_undershoot, ==, paper.alpha_undershoot);
  for (guint i = 0; i < 2; i++) {       /* with nothing measured nothing changes */
    c = rcc_fbra_config_at (&plus, i ? RCC_NEVER : 0);
    g_assert_cmpfloat (c.alpha_stay, ==, plus.alpha_stay);
    g_assert_cmpfloat (c.alpha_undershoot, ==, plus.alpha_undershoot);
    g_assert_cmpfloat (c.alpha_down_probe, ==, plus.alpha_down_probe);
    g_assert_cmpfloat (c.alpha_down_up, ==, plus.alpha_down_up);
  }
  c = rcc_fbra_config_at (&plus, far);
  g_assert_cmpfloat_with_epsilon ((c.alpha_stay - 1) * 250, plus.stay_excess / 1e6, 1e-6);
  g_assert_cmpfloat_with_epsilon ((c.alpha_undershoot - 1) * 250, plus.alarm_excess / 1e6, 1e-6);
  g_assert_cmpfloat (c.alpha_down_up, <=, c.alpha_undershoot);
  g_assert_cmpfloat (c.alpha_down_probe, <=, c.alpha_undershoot);
  c = plus;
  c.alarm_excess = 1;                   /* any but 0, of which there is none */
  g_assert_cmpfloat (rcc_fbra_config_at (&c, far).alpha_undershoot, <, 1.001);
  /* on a short path the paper's are the least sensitive there are */
  c = rcc_fbra_config_at (&plus, 20 * RCC_MSEC);
  g_assert_cmpfloat (c.alpha_down_up, ==, paper.alpha_down_up);
}

static void
what_is_ours_is_as_measured (void)
{
  const RccFbraConfig c = rcc_fbra_config_plus ();

  g_assert_cmpfloat (c.p_high, ==, 0.4);
  g_assert_cmpfloat (c.alpha_stay, ==, 3.0);
  g_assert_cmpuint (c.stay_excess, ==, 25 * RCC_MSEC);
  g_assert_cmpuint (c.alarm_excess, ==, 60 * RCC_MSEC);
  g_assert_cmpfloat (c.stray, ==, 0.05);
  g_assert_true (c.by_capacity && c.ahead);
  g_assert_cmpfloat (c.bounce, ==, 0.95);
  g_assert_cmpfloat (c.reserve, ==, 0.94);
  g_assert_cmpuint (c.probe_backoff, ==, 12 * RCC_SEC);
  g_assert_cmpuint (c.probe_backoff_max, ==, 12 * RCC_SEC);
  g_assert_cmpuint (c.roomy, ==, 12);
  g_assert_cmpfloat (c.share_varies, ==, 0.03);
  g_assert_cmpfloat (c.share_step, ==, 50e3);
  g_assert_cmpfloat (c.share_bounce, ==, 0.85);
  g_assert_cmpuint (c.share_backoff, ==, 2 * RCC_SEC);
  g_assert_cmpint (c.rule, ==, RCC_FBRA_N_STREAK);
  g_assert_cmpuint (c.n_min, ==, 7);
  g_assert_cmpuint (c.parity_least, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fbra-config/thresholds-are-in-the-papers-order",
      thresholds_are_in_the_papers_order);
  g_test_add_func ("/fbra-config/what-is-ours-is-off", what_is_ours_is_off);
  g_test_add_func ("/fbra-config/excesses-stand-in-for-ratios", excesses_stand_in_for_ratios);
  g_test_add_func ("/fbra-config/what-is-ours-is-as-measured", what_is_ours_is_as_measured);
  return g_test_run ();
}
