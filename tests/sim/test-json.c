/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The writer of JSON: commas and lines, numbers, text of any bytes.
 */
#include <glib.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "sim/json.h"

typedef void (*Write) (RccJson *j);

static void
assert_writes (Write write, const gchar *expected)
{
  gchar *text = NULL;
  gsize size = 0;
  FILE *out = open_memstream (&text, &size);
  RccJson j = rcc_json (out);

  write (&j);
  g_assert_cmpuint (j.depth, ==, 0);
  fclose (out);
  g_assert_cmpstr (text, ==, expected);
  free (text);
}

static void
nested (RccJson *j)
{
  rcc_json_object (j, NULL);
  rcc_json_count (j, "a", 1);
  rcc_json_array (j, "list");
  rcc_json_object (j, NULL);
  rcc_json_flag (j, "yes", true);
  rcc_json_object (j, "deep");
  rcc_json_text (j, "x", NULL);
  rcc_json_flag (j, "no", false);
  rcc_json_end (j);
  rcc_json_end (j);
  rcc_json_array (j, NULL);
  rcc_json_count (j, NULL, 2);
  rcc_json_count (j, NULL, 3);
  rcc_json_end (j);
  rcc_json_end (j);
  rcc_json_object (j, "empty");
  rcc_json_end (j);
  rcc_json_array (j, "none");
  rcc_json_end (j);
  rcc_json_end (j);
}

/* Members of the two outer objects have lines of their own. */
static void
groups (void)
{
  assert_writes (nested, "{\n  \"a\": 1,\n  \"list\": [{\n    \"yes\": true,\n    \"deep\": "
      "{\"x\": null, \"no\": false}\n  }, [2, 3]],\n  \"empty\": {},\n  \"none\": []\n}\n");
}

static void
some_numbers (RccJson *j)
{
  const double values[] = { 0, -1.5, 1e-9, 1.0 / 3, 100e6, 9007199254740991.0, 1e300, NAN,
    INFINITY, -INFINITY
  };

  rcc_json_array (j, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    rcc_json_number (j, NULL, values[i]);
  rcc_json_rounded (j, NULL, 2.0 / 3, 2);
  rcc_json_rounded (j, NULL, 7, 0);
  rcc_json_rounded (j, NULL, NAN, 3);
  rcc_json_count (j, NULL, G_MAXUINT64);
  rcc_json_end (j);
}

#define NUMBERS "[0, -1.5, 1e-09, 0.3333333333, 100000000, 9007199254740991, 1e+300, null, null, " \
  "null, 0.67, 7, null, 18446744073709551615]\n"

static void
numbers (void)
{
  assert_writes (some_numbers, NUMBERS);
}

static void
a_locale_with_a_comma (void)
{
  static const gchar *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "nl_NL.UTF-8" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (setlocale (LC_NUMERIC, names[i])) {
      g_assert_cmpstr (localeconv ()->decimal_point, ==, ",");
      assert_writes (some_numbers, NUMBERS);
      setlocale (LC_NUMERIC, "C");
      return;
    }
  g_test_skip ("no locale with a comma is installed");
}

static const gchar *said;

static void
a_text (RccJson *j)
{
  rcc_json_text (j, NULL, said);
}

/* What is no UTF-8: by RFC 3629 no overlong form, no surrogate, nothing above 10FFFF. */
static void
texts (void)
{
  static const struct {
    const gchar *bytes, *written;
  } cases[] = {
    { "", "\"\"" },
    { "a \"b\" \\ / \x7f", "\"a \\\"b\\\" \\\\ / \x7f\"" },
    { "\x01\n\t\x1f", "\"\\u0001\\u000a\\u0009\\u001f\"" },
    { "\xc3\xa9 \xe2\x82\xac \xf0\x9f\xa6\x9c", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\xa6\x9c\"" },
    { "\xff|\x80|\xc3", "\"\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd\"" },
    { "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
    { "\xf4\x90\x80\x80x", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx\"" },
    { "\xf0\x9f\xa6", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    said = cases[i].bytes;
    assert_writes (a_text, cases[i].written);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/groups", groups);
  g_test_add_func ("/json/numbers", numbers);
  g_test_add_func ("/json/locale", a_locale_with_a_comma);
  g_test_add_func ("/json/texts", texts);
  return g_test_run ();
}
