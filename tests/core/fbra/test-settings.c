/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/cnadu.h"
#include "core/fbra/config.h"

#include "settings.h"

#define FBRA_SETTINGS_NAMES \
  "p-low, p-high, owd-window ns, owd-floor ns, max-delay ns, alpha-undershoot, " \
  "alpha-stay, alpha-down-probe, alpha-down-up, beta, stay-excess ns, alarm-excess ns, " \
  "stray-loss, recent, feedback-interval ns, interval-rtts, pool, early, " \
  "silent-intervals, first-timeout ns, undershoot-delta, undershoot-factor, " \
  "deactivate, deactivate-reports, by-capacity, ahead, bounce, bounce-kept, " \
  "probe-backoff ns, probe-backoff-max ns, reserve, share-varies, share-step, share-bounce, " \
  "share-backoff ns, roomy, near, rates-window ns, filled, fec-interval-rule, " \
  "parity-least, fec-flush, fec-interval-min, fec-interval-max, fec-interval-low, " \
  "fec-interval-initial, fec-interval-peak"

#define CNADU_SETTINGS_NAMES \
  "cnadu-increase, cnadu-p-low, cnadu-p-high, cnadu-max-delay ns"

static void
the_paper_is_in_range (void)
{
  const RccFbraConfig config = rcc_fbra_config ();

  assert_settings (rcc_fbra_settings, &config, sizeof config, FBRA_SETTINGS_NAMES);
}

static void
plus_is_in_range (void)
{
  const RccFbraConfig config = rcc_fbra_config_plus ();

  assert_settings (rcc_fbra_settings, &config, sizeof config, FBRA_SETTINGS_NAMES);
}

static void
cnadu_is_in_range (void)
{
  const RccCnaduConfig config = rcc_cnadu_config ();

  assert_settings (rcc_cnadu_settings, &config, sizeof config, CNADU_SETTINGS_NAMES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fbra-settings/the-paper", the_paper_is_in_range);
  g_test_add_func ("/fbra-settings/plus", plus_is_in_range);
  g_test_add_func ("/fbra-settings/cnadu", cnadu_is_in_range);
  return g_test_run ();
}
