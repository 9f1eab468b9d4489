/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/sbpn.h"

#include "settings.h"

#define SBPN_SETTINGS_NAMES \
  "priority-weight ns, deficit-limit B"

static void
the_scheduler_is_in_range (void)
{
  const RccSbpnConfig config = rcc_sbpn_config ();

  assert_settings (rcc_sbpn_settings, &config, sizeof config, SBPN_SETTINGS_NAMES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn-settings/the-scheduler", the_scheduler_is_in_range);
  return g_test_run ();
}
