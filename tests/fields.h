/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fields.h - what every table of RccField keeps to, and what is in one
 */
#ifndef RCC_TESTS_FIELDS_H
#define RCC_TESTS_FIELDS_H

#include <glib.h>
#include "core/stats.h"

/* Words of small letters and digits, one hyphen between two of them. */
static inline gboolean
field_name_is_kebab (const gchar *name)
{
  gchar before = '-';

  for (; *name; before = *name++)
    if (*name == '-' ? before == '-' : !g_ascii_islower (*name) && !g_ascii_isdigit (*name))
      return FALSE;
  return before != '-';
}

static inline gboolean
field_unit_is_known (const gchar *unit)
{
  static const gchar *const units[] = { "", "%", "1/ms", "1/s", "B", "bit/s", "ms", "ms^2",
    "ns", "standard deviations", NULL };

  return g_strv_contains (units, unit);
}

/* @listed: the names in their order, each with its unit behind it where it has one, as
 * "rtcp-compounds, rtcp-truncated B, rtt-smoothed ns". */
static inline void
assert_fields (const RccField *fields, const gchar *listed)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (const RccField *f = fields; f->name; f++) {
    g_assert_true (field_name_is_kebab (f->name));
    g_assert_true (field_unit_is_known (f->unit));
    g_assert_cmpstr (f->unit, ==, f->type == RCC_TIME ? "ns" : f->unit);
    for (const RccField *g = fields; g < f; g++)
      g_assert_cmpstr (f->name, !=, g->name);
    g_string_append_printf (all, "%s%s%s%s", f > fields ? ", " : "", f->name,
        *f->unit ? " " : "", f->unit);
  }
  g_assert_cmpstr (all->str, ==, listed);
}

#endif
