/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What can be set, as people and their programs find it: in gst-inspect-1.0, in the help of rccsim,
 * in the reference.  A row that changes is changed in settings-tables.h, too, knowingly.
 */
#include <glib.h>
#include "core/breaker/config.h"
#include "core/fbra/cnadu.h"
#include "core/fbra/config.h"
#include "core/fbra/probe.h"
#include "core/fbra/protection-choice.h"
#include "core/gcc/config.h"
#include "core/sbpn/owd.h"
#include "core/sbpn/sbpn.h"
#include "core/scream/config.h"
#include "core/nada/settings.h"
#include "core/tfrc/tfrc.h"
#include "settings-tables.h"
#include "settings-tables-scream.h"

static void
print_choices (GString *out, const RccChoices *choices)
{
  g_string_append_printf (out, " %s\n", choices->type);
  for (const RccChoice *c = choices->values; c->name; c++)
    g_string_append_printf (out, "  %s = %d: %s\n", c->name, c->value, c->text);
}

static void
print_row (GString *out, const RccSetting *row)
{
  static const gchar *const types[] = { "u32", "time", "double", "bool", "choice" };

  g_string_append_printf (out, "%s %s%s [%.10g, %.10g] '%s'\n %s\n", row->name,
      row->live ? "live " : "", types[row->type], row->least, row->most, row->unit, row->text);
  if (row->source)
    g_string_append_printf (out, " (%s)\n", row->source);
  if (row->choices)
    print_choices (out, row->choices);
}

static void
assert_table (const RccSetting *rows, const gchar *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (; rows->name; rows++)
    print_row (out, rows);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
assert_choices (const RccChoices *choices, const gchar *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  print_choices (out, choices);
  g_assert_cmpstr (out->str, ==, expected);
}

/* What each has by default: config.h says where from. */
static void
assert_defaults (const RccSetting *rows, const void *config, const gchar *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (; rows->name; rows++)
    g_string_append_printf (out, "%s=%.10g\n", rows->name, rcc_setting_get (rows, config));
  g_assert_cmpstr (out->str, ==, expected);
}

static void
defaults (void)
{
  const RccFbraConfig fbra = rcc_fbra_config (), plus = rcc_fbra_config_plus ();
  const RccCnaduConfig cnadu = rcc_cnadu_config ();
  const RccGccConfig paper = rcc_gcc_config (RCC_GCC_PAPER);
  const RccGccConfig usual = rcc_gcc_config (RCC_GCC_DEFAULT);
  const RccGccConfig rrtcc = rcc_gcc_config (RCC_GCC_RRTCC);
  const RccBreakerConfig rfc = rcc_breaker_config (RCC_BREAKER_RFC8083);
  const RccBreakerConfig draft = rcc_breaker_config (RCC_BREAKER_DRAFT2014);
  const RccNadaConfig nada = rcc_nada_config ();
  const RccScreamConfig scream = rcc_scream_config ();
  const RccTfrcConfig tfrc = rcc_tfrc_config ();
  const RccSbpnConfig sbpn = rcc_sbpn_config ();
  const RccConfig limits = RCC_LIMITS_DEFAULT;

  assert_defaults (rcc_fbra_settings, &fbra, FBRA_DEFAULTS);
  assert_defaults (rcc_fbra_settings, &plus, FBRA_PLUS_DEFAULTS);
  assert_defaults (rcc_cnadu_settings, &cnadu, CNADU_DEFAULTS);
  assert_defaults (rcc_gcc_settings, &paper, GCC_PAPER_DEFAULTS);
  assert_defaults (rcc_gcc_settings, &usual, GCC_DEFAULTS);
  assert_defaults (rcc_gcc_settings, &rrtcc, GCC_RRTCC_DEFAULTS);
  assert_defaults (rcc_breaker_settings, &rfc, BREAKER_DEFAULTS);
  assert_defaults (rcc_breaker_rules, &rfc, BREAKER_RULES_DEFAULTS);
  assert_defaults (rcc_breaker_rules, &draft, BREAKER_RULES_DRAFT_DEFAULTS);
  assert_defaults (rcc_nada_settings, &nada, NADA_DEFAULTS);
  assert_defaults (rcc_scream_settings, &scream, SCREAM_DEFAULTS);
  assert_defaults (rcc_tfrc_settings, &tfrc, TFRC_DEFAULTS);
  assert_defaults (rcc_sbpn_settings, &sbpn, SBPN_DEFAULTS);
  assert_defaults (rcc_limits_settings, &limits, LIMITS_DEFAULTS);
}

static void
assert_reports (const RccReportTimerConfig *c, double early, double silent, RccTime first)
{
  g_assert_cmpuint (c->interval, ==, 100 * RCC_MSEC);
  g_assert_cmpfloat (c->interval_rtts, ==, 2.0);
  g_assert_true (c->pool);
  g_assert_cmpfloat (c->early, ==, early);
  g_assert_cmpfloat (c->silent_intervals, ==, silent);
  g_assert_cmpuint (c->first_timeout, ==, first);
}

/* The members that no row speaks of. */
static void
defaults_without_a_row (void)
{
  const RccCnaduConfig cnadu = rcc_cnadu_config ();
  const RccSbpnConfig sbpn = rcc_sbpn_config ();

  for (guint i = 0; i < 3; i++) {
    const RccGccConfig gcc = rcc_gcc_config ((RccGccProfile) i);

    g_assert_cmpint (gcc.profile, ==, i);
    g_assert_false (gcc.arrivals);
  }
  g_assert_false (rcc_breaker_config (RCC_BREAKER_RFC8083).together);
  g_assert_false (rcc_breaker_config (RCC_BREAKER_DRAFT2014).together);
  assert_reports (&cnadu.reports, 0.5, 2.0, 2500 * RCC_MSEC);
  g_assert_cmpuint (cnadu.window, ==, 30 * RCC_SEC);
  g_assert_true (cnadu.tfrc);
  g_assert_cmpint (sbpn.mode, ==, RCC_SBPN_2);
  g_assert_cmpuint (sbpn.max_packets, ==, 0);
  g_assert_cmpuint (sbpn.max_bytes, ==, 0);
  g_assert_cmpuint (sbpn.max_time, ==, RCC_NEVER);
}

/* The configurations that have no table. */
static void
defaults_without_a_table (void)
{
  const RccProtectionChoiceConfig choice = rcc_protection_choice_config ();
  const RccFbraProbeConfig probe = rcc_fbra_probe_config ();

  g_assert_cmpuint (choice.latency, ==, 300 * RCC_MSEC);
  g_assert_cmpfloat (choice.on, ==, 0.005);
  g_assert_cmpfloat (choice.off, ==, 0.002);
  g_assert_cmpuint (choice.span, ==, 4 * RCC_SEC);
  g_assert_cmpuint (choice.least, ==, 2 * RCC_SEC);
  assert_reports (&probe.reports, 0.0, 0.0, 0);
  g_assert_cmpuint (probe.n_min, ==, 2);
  g_assert_cmpuint (probe.n_max, ==, 14);
  g_assert_cmpuint (probe.parity_least, ==, 1);
  g_assert_cmpfloat (probe.direct, ==, 1.02);
  g_assert_cmpfloat (probe.back_off, ==, 2.0);
  g_assert_cmpfloat (probe.timeout, ==, 8.0);
  g_assert_cmpuint (probe.d_max, ==, 400 * RCC_MSEC);
}

static void
breaker (void)
{
  assert_table (rcc_breaker_settings, BREAKER_SETTINGS);
  assert_table (rcc_breaker_rules, BREAKER_RULES);
  assert_choices (&rcc_breaker_states, BREAKER_STATES);
}

static void
fbra (void)
{
  assert_table (rcc_fbra_settings, FBRA_SETTINGS);
  assert_table (rcc_cnadu_settings, CNADU_SETTINGS);
}

static void
gcc (void)
{
  assert_table (rcc_gcc_settings, GCC_SETTINGS);
  assert_choices (&rcc_gcc_profiles, GCC_PROFILES);
}

static void
limits (void)
{
  assert_table (rcc_limits_settings, LIMITS_SETTINGS);
}

static void
nada (void)
{
  assert_table (rcc_nada_settings, NADA_SETTINGS);
}

static void
sbpn (void)
{
  assert_table (rcc_sbpn_settings, SBPN_SETTINGS);
  assert_choices (&rcc_sbpn_modes, SBPN_MODES);
  assert_choices (&rcc_sbpn_one_way_delays, SBPN_ONE_WAY_DELAYS);
}

static void
scream (void)
{
  assert_table (rcc_scream_settings, SCREAM_SETTINGS);
}

static void
tfrc (void)
{
  assert_table (rcc_tfrc_settings, TFRC_SETTINGS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings-tables/breaker", breaker);
  g_test_add_func ("/settings-tables/defaults", defaults);
  g_test_add_func ("/settings-tables/defaults-without-a-row", defaults_without_a_row);
  g_test_add_func ("/settings-tables/defaults-without-a-table", defaults_without_a_table);
  g_test_add_func ("/settings-tables/fbra", fbra);
  g_test_add_func ("/settings-tables/gcc", gcc);
  g_test_add_func ("/settings-tables/limits", limits);
  g_test_add_func ("/settings-tables/nada", nada);
  g_test_add_func ("/settings-tables/sbpn", sbpn);
  g_test_add_func ("/settings-tables/scream", scream);
  g_test_add_func ("/settings-tables/tfrc", tfrc);
  return g_test_run ();
}
