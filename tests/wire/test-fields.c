/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The names in statistics and in CSV, which people's programs read.
 */
#include "../fields.h"
#include "wire/feedback.h"
#include "wire/reports.h"
#include "wire/xrreporter.h"

static void
names_are_told_from_others (void)
{
  g_assert_true (field_name_is_kebab ("a") && field_name_is_kebab ("rtt-p75"));
  g_assert_false (field_name_is_kebab ("") || field_name_is_kebab ("-a")
      || field_name_is_kebab ("a-") || field_name_is_kebab ("a--b")
      || field_name_is_kebab ("A") || field_name_is_kebab ("a+b")
      || field_name_is_kebab ("a_b") || field_name_is_kebab ("a b"));
  g_assert_true (field_unit_is_known ("bit/s") && field_unit_is_known (""));
  g_assert_false (field_unit_is_known ("bit*s") || field_unit_is_known ("b"));
}

static void
tables_are_as_published (void)
{
  assert_fields (rcc_reports_fields, "rtcp-compounds, rtcp-truncated B, rtcp-ignored, "
      "rtcp-forged, rtcp-duplicates, rtcp-stale, rtcp-unproven, rtt-smoothed ns");
  assert_fields (rcc_feedback_fields, "feedback-unknown-packets");
  assert_fields (rcc_xr_reporter_fields,
      "reported-received, reported-lost, reported-late, reported-again, " "unreported");
}

/* They stand in one structure. */
static void
feedback_names_are_none_of_the_reports (void)
{
  for (const RccField *f = rcc_feedback_fields; f->name; f++)
    for (const RccField *r = rcc_reports_fields; r->name; r++)
      g_assert_cmpstr (f->name, !=, r->name);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/fields/" path, func)
  ADD ("names-are-told-from-others", names_are_told_from_others);
  ADD ("tables-are-as-published", tables_are_as_published);
  ADD ("feedback-names-are-none-of-the-reports", feedback_names_are_none_of_the_reports);
  return g_test_run ();
}
