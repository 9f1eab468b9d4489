/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "linktun/lateness.h"

#include <glib.h>

static void
shares (void)
{
  Lateness l = { 0 };

  g_assert_cmpuint (lateness_within (&l, 0.99), ==, 0);
  for (guint i = 0; i < 199; i++)
    lateness_note (&l, 42 * RCC_USEC, RCC_SEC);
  lateness_note (&l, 7 * RCC_MSEC + 3, 2 * RCC_SEC);
  lateness_note (&l, 7 * RCC_MSEC, 3 * RCC_SEC);
  g_assert_cmpuint (l.n, ==, 201);
  g_assert_cmpuint (l.at, ==, 2 * RCC_SEC);
  g_assert_cmpuint (lateness_within (&l, 0.5), ==, 50 * RCC_USEC);
  g_assert_cmpuint (lateness_within (&l, 0.99), ==, 50 * RCC_USEC);
  g_assert_cmpuint (lateness_within (&l, 1), ==, 7 * RCC_MSEC + 3);
}

/* Beyond what is counted in steps the largest is all there is to say. */
static void
very_late (void)
{
  Lateness l = { 0 };

  lateness_note (&l, RCC_SEC, 0);
  lateness_note (&l, 3 * RCC_SEC, 0);
  g_assert_cmpuint (lateness_within (&l, 0.5), ==, 3 * RCC_SEC);
  g_assert_cmpuint (l.most, ==, 3 * RCC_SEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linktun/lateness/shares", shares);
  g_test_add_func ("/linktun/lateness/very-late", very_late);
  return g_test_run ();
}
