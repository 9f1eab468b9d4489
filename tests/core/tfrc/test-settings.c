/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/tfrc/tfrc.h"

#include "settings.h"

#define TFRC_SETTINGS_NAMES \
  "tfrc-form, tfrc-packet-size B, tfrc-mss B, tfrc-damping, tfrc-discounting, " \
  "tfrc-faster-restart"

static void
rfc5348_is_in_range (void)
{
  const RccTfrcConfig config = rcc_tfrc_config ();

  assert_settings (rcc_tfrc_settings, &config, sizeof config, TFRC_SETTINGS_NAMES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tfrc-settings/rfc5348", rfc5348_is_in_range);
  return g_test_run ();
}
