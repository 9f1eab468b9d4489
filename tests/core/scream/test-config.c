/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/config.h"

#include "settings.h"

#define SCREAM_SETTINGS_NAMES \
  "scream-l4s, scream-mss B, scream-min-window B, scream-beta-loss, scream-beta-ecn, " \
  "scream-alpha-up, scream-alpha-down, scream-qdelay-target ns, scream-qdelay-gain, " \
  "scream-reduce-jitter, scream-jitter-threshold ns, scream-virtual-rtt ns, " \
  "scream-post-congestion-rtts, scream-increase, scream-headroom, scream-overhead-min, " \
  "scream-overhead-max, scream-pacing-headroom, scream-pacing-min bit/s, " \
  "scream-relaxed-pacing, scream-relaxed-from, scream-packet-overhead B, " \
  "scream-adjust-gain, scream-frame-gain, scream-clock-drift, scream-conditional-loss, " \
  "scream-loss-threshold, scream-policer, scream-policer-threshold, scream-beta-policer, " \
  "scream-undershoot"

static void
draft_is_in_range (void)
{
  const RccScreamConfig config = rcc_scream_config ();

  assert_settings (rcc_scream_settings, &config, sizeof config, SCREAM_SETTINGS_NAMES);
}

/* Copied from the draft, section by section. */
static void
constants_are_those_of_the_draft (void)
{
  static const struct {
    const gchar *name;
    double value;
  } rows[] = {
    { "scream-l4s", 0 }, { "scream-mss", 1000 }, { "scream-min-window", 3000 },
    { "scream-beta-loss", 0.7 }, { "scream-beta-ecn", 0.8 },
    { "scream-alpha-up", 1.0 / 8 }, { "scream-alpha-down", 1.0 / 128 },
    { "scream-qdelay-target", 60e6 }, { "scream-qdelay-gain", 1.0 / 4 },
    { "scream-reduce-jitter", 0 }, { "scream-jitter-threshold", 10e6 },
    { "scream-virtual-rtt", 25e6 }, { "scream-post-congestion-rtts", 100 },
    { "scream-increase", 0.02 }, { "scream-headroom", 1.5 },
    { "scream-overhead-min", 1.5 }, { "scream-overhead-max", 3.0 },
    { "scream-pacing-headroom", 1.5 }, { "scream-pacing-min", 50000 },
    { "scream-relaxed-pacing", 4.0 }, { "scream-relaxed-from", 0.8 },
    { "scream-packet-overhead", 20 }, { "scream-adjust-gain", 1.0 / 16 },
    { "scream-frame-gain", 1.0 / 64 }, { "scream-loss-threshold", 0.01 },
    { "scream-policer-threshold", 0.1 }, { "scream-beta-policer", 0.9 },
  };
  const RccScreamConfig config = rcc_scream_config ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const RccSetting *row = rcc_setting_find (rcc_scream_settings, rows[i].name);

    g_assert_nonnull (row);
    g_assert_cmpfloat_with_epsilon (rcc_setting_get (row, &config), rows[i].value, 1e-9);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/scream/config/draft-is-in-range", draft_is_in_range);
  g_test_add_func ("/core/scream/config/constants-are-those-of-the-draft",
      constants_are_those_of_the_draft);
  return g_test_run ();
}
