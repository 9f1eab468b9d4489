/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/settings.h"

#include <math.h>

#include "settings.h"

typedef enum { RED = 3, GREEN = 5 } Colour;

typedef struct {
  uint32_t count;
  RccTime time;
  double number;
  bool flag;
  Colour colour;
} Thing;

static const RccChoice colour_values[] = {
  { RED, "Red", "red" }, { GREEN, "Green", "green" }, { 0, NULL, NULL },
};
static const RccChoices colours = { "Colour", colour_values };

static const RccSetting rows[] = {
  RCC_SETTING (Thing, count, "count", RCC_SET_U32, true, "B", 2, UINT32_MAX, "How many", NULL),
  RCC_SETTING (Thing, time, "time", RCC_SET_TIME, true, "ns", 0, RCC_FOREVER, "How long", NULL),
  RCC_SETTING (Thing, number, "number", RCC_SET_DOUBLE, true, "", -1, 1, "How much", NULL),
  RCC_SETTING (Thing, flag, "flag", RCC_SET_BOOL, true, "", 0, 1, "Whether", NULL),
  RCC_SETTING_CHOICE (Thing, colour, "colour", true, &colours, "Which one", NULL),
  RCC_SETTINGS_END
};

static const Thing thing = { 7, 12, 0.5, true, GREEN };

static const RccSetting *
row (const gchar *name)
{
  return rcc_setting_find (rows, name);
}

static void
finds_rows_by_name (void)
{
  g_assert_true (row ("count") == &rows[0]);
  g_assert_true (row ("colour") == &rows[4]);
  g_assert_null (row ("colours"));
  g_assert_null (row (""));
}

static void
gets_what_is_there (void)
{
  g_assert_cmpfloat (rcc_setting_get (row ("count"), &thing), ==, 7);
  g_assert_cmpfloat (rcc_setting_get (row ("time"), &thing), ==, 12);
  g_assert_cmpfloat (rcc_setting_get (row ("number"), &thing), ==, 0.5);
  g_assert_cmpfloat (rcc_setting_get (row ("flag"), &thing), ==, 1);
  g_assert_cmpfloat (rcc_setting_get (row ("colour"), &thing), ==, GREEN);
}

static void
sets_one_member_and_no_other (void)
{
  static const double values[] = { 4294967295.0, 1e18, -1, 0, RED };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    Thing t = thing;

    g_assert_true (rcc_setting_set (&rows[i], &t, values[i]));
    for (guint k = 0; k < G_N_ELEMENTS (values); k++)
      g_assert_cmpfloat (rcc_setting_get (&rows[k], &t), ==,
          k == i ? values[i] : rcc_setting_get (&rows[k], &thing));
  }
}

static void
refuses_what_is_out_of_range (void)
{
  static const struct {
    const gchar *name;
    double value;
  } bad[] = {
    { "count", 1 }, { "count", 4294967296.0 }, { "count", NAN }, { "time", -1 },
    { "time", 2e20 }, { "number", -1.01 }, { "number", 1.01 }, { "number", INFINITY },
    { "flag", 2 }, { "flag", 0.5 }, { "colour", 4 }, { "colour", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    Thing t = thing;

    g_assert_false (rcc_setting_allows (row (bad[i].name), bad[i].value));
    g_assert_false (rcc_setting_set (row (bad[i].name), &t, bad[i].value));
    for (guint k = 0; rows[k].name; k++)
      g_assert_cmpfloat (rcc_setting_get (&rows[k], &t), ==, rcc_setting_get (&rows[k], &thing));
  }
}

static void
never_is_a_time (void)
{
  Thing t = thing;

  g_assert_true (rcc_setting_set (row ("time"), &t, (double) RCC_NEVER));
  g_assert_cmpuint (t.time, ==, RCC_NEVER);
  g_assert_cmpfloat (rcc_setting_get (row ("time"), &t), ==, (double) RCC_NEVER);
}

static void
words_are_values (void)
{
  double value = 77;

  g_assert_true (rcc_setting_word (row ("colour"), "red", &value));
  g_assert_cmpfloat (value, ==, RED);
  g_assert_true (rcc_setting_word (row ("flag"), "true", &value));
  g_assert_cmpfloat (value, ==, 1);
  g_assert_true (rcc_setting_word (row ("flag"), "false", &value));
  g_assert_cmpfloat (value, ==, 0);
  g_assert_true (rcc_setting_word (row ("time"), "none", &value));
  g_assert_cmpfloat (value, ==, (double) RCC_NEVER);
}

static void
other_words_are_none (void)
{
  static const gchar *const bad[][2] = { { "colour", "blue" }, { "colour", "" },
    { "colour", "none" }, { "flag", "none" }, { "flag", "TRUE" }, { "time", "true" },
    { "time", "" }, { "number", "none" }, { "count", "none" } };
  double value = 77;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (rcc_setting_word (row (bad[i][0]), bad[i][1], &value));
  g_assert_cmpfloat (value, ==, 77);
}

static void
limits_are_three_rates (void)
{
  static const RccConfig limits = RCC_LIMITS_DEFAULT;

  assert_settings (rcc_limits_settings, &limits, sizeof limits,
      "min-bitrate bit/s, start-bitrate bit/s, max-bitrate bit/s");
  g_assert_cmpuint (limits.min_bps, <, limits.start_bps);
  g_assert_cmpuint (limits.start_bps, <, limits.max_bps);
  g_assert_false (rcc_setting_allows (&rcc_limits_settings[0], RCC_BITRATE_LEAST - 1));
  g_assert_true (rcc_setting_allows (&rcc_limits_settings[0], RCC_BITRATE_LEAST));
  g_assert_true (rcc_setting_allows (&rcc_limits_settings[2], UINT32_MAX));
  g_assert_true (rcc_limits_settings[0].live && rcc_limits_settings[2].live);
  g_assert_false (rcc_limits_settings[1].live);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/find", finds_rows_by_name);
  g_test_add_func ("/settings/get", gets_what_is_there);
  g_test_add_func ("/settings/set", sets_one_member_and_no_other);
  g_test_add_func ("/settings/range", refuses_what_is_out_of_range);
  g_test_add_func ("/settings/never", never_is_a_time);
  g_test_add_func ("/settings/words", words_are_values);
  g_test_add_func ("/settings/no-words", other_words_are_none);
  g_test_add_func ("/settings/limits", limits_are_three_rates);
  return g_test_run ();
}
