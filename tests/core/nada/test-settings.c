/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/settings.h"

#include "settings.h"

#define NADA_SETTINGS_NAMES \
  "nada-form, nada-priority, nada-x-ref ns, nada-kappa, nada-eta, nada-tau ns, nada-delta ns, " \
  "nada-log-window ns, nada-q-eps ns, nada-d-filt ns, nada-gamma-max, nada-q-bound ns, " \
  "nada-multi-loss, nada-q-th ns, nada-lambda, nada-plr-ref, nada-pmr-ref, nada-d-loss ns, " \
  "nada-d-mark ns, nada-fps, nada-alpha, nada-beta-s, nada-beta-v, nada-x-max ns, " \
  "nada-base-horizon ns, nada-feedback-timeout ns"

static void
rfc8698_is_in_range (void)
{
  const RccNadaConfig config = rcc_nada_config ();

  assert_settings (rcc_nada_settings, &config, sizeof config, NADA_SETTINGS_NAMES);
}

static void
the_authors_code (void)
{
  RccNadaConfig config = rcc_nada_config (), settled = config;

  rcc_nada_settle (&settled);
  g_assert_cmpmem (&settled, sizeof settled, &config, sizeof config);
  settled.form = RCC_NADA_NS3_RMCAT;
  rcc_nada_settle (&settled);
  g_assert_cmpfloat (settled.beta_s, ==, 0);
  g_assert_cmpfloat (settled.beta_v, ==, 0);
  g_assert_cmpuint (settled.base_horizon, ==, RCC_NEVER);
  g_assert_cmpuint (settled.feedback_timeout, ==, RCC_NEVER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nada-settings/rfc8698", rfc8698_is_in_range);
  g_test_add_func ("/nada-settings/the-authors-code", the_authors_code);
  return g_test_run ();
}
