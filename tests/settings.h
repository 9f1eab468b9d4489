/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * settings.h - what every table of RccSetting keeps to, and what is in one
 */
#ifndef RCC_TESTS_SETTINGS_H
#define RCC_TESTS_SETTINGS_H

#include "core/settings.h"
#include "fields.h"

static inline void
assert_setting (const RccSetting *row)
{
  g_assert_true (field_name_is_kebab (row->name));
  g_assert_true (field_unit_is_known (row->unit) || g_str_equal (row->unit, "packets"));
  g_assert_cmpstr (row->unit, ==, row->type == RCC_SET_TIME ? "ns" : row->unit);
  g_assert_cmpuint (strlen (row->text), >, 8);
  g_assert_false (g_str_has_suffix (row->text, "."));
  g_assert_cmpfloat (row->least, <=, row->most);
  g_assert_true ((row->type == RCC_SET_CHOICE) == (row->choices != NULL));
}

/* @listed: the names in their order, each with its unit behind it where it has one.  Each
 * allows what @defaults, a structure that the rows speak of, has; and takes it back. */
static inline void
assert_settings (const RccSetting *rows, const void *defaults, gsize size, const gchar *listed)
{
  g_autofree gpointer copy = g_memdup2 (defaults, size);
  g_autoptr (GString) all = g_string_new (NULL);

  for (const RccSetting *row = rows; row->name; row++) {
    assert_setting (row);
    for (const RccSetting *other = rows; other < row; other++)
      g_assert_cmpstr (row->name, !=, other->name);
    g_assert_true (rcc_setting_find (rows, row->name) == row);
    if (!rcc_setting_set (row, copy, rcc_setting_get (row, defaults)))
      g_error ("%s cannot be %g", row->name, rcc_setting_get (row, defaults));
    g_string_append_printf (all, "%s%s%s%s", row > rows ? ", " : "", row->name,
        *row->unit ? " " : "", row->unit);
  }
  g_assert_cmpmem (copy, size, defaults, size);
  g_assert_cmpstr (all->str, ==, listed);
}

#endif
