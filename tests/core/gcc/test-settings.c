/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/config.h"

#include "settings.h"

#define GCC_SETTINGS_NAMES \
  "filter, grouping, loss-control, burst ns, merge-cap ns, merge-faster, slope-noise, " \
  "offset-noise ms^2, clip standard deviations, clip-state, gain, " \
  "threshold-up 1/ms, threshold-down 1/ms, threshold-start ms, overuse-time ns, eta 1/s, eta-varies, " \
  "beta, cap, converge, learn, beta-small, drain-time ns, drain-resume, drain-doubt, " \
  "queue-floor ns, recover, recover-free, climb, " \
  "rate-window ns, fast-window ns, pause ns, l4s, l4s-pacing, ecn-as-loss, base-rise ns, capacity-drop ns, stand-time ns, " \
  "stand-limit ns, loss-cause, loss-second-cut, full-queue ns, tcp-share, flight-extra ns, " \
  "fill-gaps, pacing-factor, queue-drain ns, backlog-from ns, backlog-over ns, pacing-floor, " \
  "feedback-timeout ns, timeout-repeat ns, probe-first, probe-factor, probe-later, probe-interval ns, " \
  "probe-interval-most ns, probe-trust ns, probe-doubt, probe-span ns, reordering ns, " \
  "feedback-interval ns, repeat packets, trains, train-factor, train-interval ns"

static void
the_default_profile_is_in_range (void)
{
  const RccGccConfig config = rcc_gcc_config (RCC_GCC_DEFAULT);

  assert_settings (rcc_gcc_settings, &config, sizeof config, GCC_SETTINGS_NAMES);
}

static void
the_paper_is_in_range (void)
{
  const RccGccConfig config = rcc_gcc_config (RCC_GCC_PAPER);

  assert_settings (rcc_gcc_settings, &config, sizeof config, GCC_SETTINGS_NAMES);
}

static void
rrtcc_is_in_range (void)
{
  const RccGccConfig config = rcc_gcc_config (RCC_GCC_RRTCC);

  assert_settings (rcc_gcc_settings, &config, sizeof config, GCC_SETTINGS_NAMES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-settings/the-default-profile", the_default_profile_is_in_range);
  g_test_add_func ("/gcc-settings/the-paper", the_paper_is_in_range);
  g_test_add_func ("/gcc-settings/rrtcc", rrtcc_is_in_range);
  return g_test_run ();
}
