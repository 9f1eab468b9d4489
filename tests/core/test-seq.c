/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/seq.h"

static void
wraps_forward (void)
{
  RccUnwrap u = { 0 };

  g_assert_cmpint (rcc_unwrap (&u, 65534, 16), ==, 65534);
  g_assert_cmpint (rcc_unwrap (&u, 65535, 16), ==, 65535);
  g_assert_cmpint (rcc_unwrap (&u, 0, 16), ==, 65536);
  g_assert_cmpint (rcc_unwrap (&u, 5, 16), ==, 65541);
}

static void
wraps_backward (void)
{
  RccUnwrap u = { 0 };

  g_assert_cmpint (rcc_unwrap (&u, 1, 16), ==, 1);
  g_assert_cmpint (rcc_unwrap (&u, 65535, 16), ==, -1);
  g_assert_cmpint (rcc_unwrap (&u, 2, 16), ==, 2);
}

static void
half_range_is_forward (void)
{
  RccUnwrap u = { 0 };

  rcc_unwrap (&u, 0, 16);
  g_assert_cmpint (rcc_unwrap_peek (&u, 32768, 16), ==, 32768);
  g_assert_cmpint (rcc_unwrap_peek (&u, 32769, 16), ==, -32767);
  g_assert_cmpint (u.last, ==, 0);
}

static void
many_wraps_of_every_width (void)
{
  static const unsigned bits[] = { 8, 16, 24, 32 };

  for (gsize b = 0; b < G_N_ELEMENTS (bits); b++) {
    const gint64 range = G_GINT64_CONSTANT (1) << bits[b];
    const gint64 step = range / 3;
    RccUnwrap u = { 0 };

    for (gint64 i = 0, v = 0; i < 1000; i++, v += step)
      g_assert_cmpint (rcc_unwrap (&u, (guint32) (v & (range - 1)), bits[b]), ==, v);
  }
}

/* Up to 2^42 it goes, beyond and a wrap below 0 it begins anew. */
static void
a_clock_that_runs_away_begins_anew (void)
{
  static const unsigned bits[] = { 24, 32 };

  for (gsize b = 0; b < G_N_ELEMENTS (bits); b++) {
    const gint64 range = G_GINT64_CONSTANT (1) << bits[b], most = G_GINT64_CONSTANT (1) << 42;
    RccUnwrap u = { most - 1, true }, down = { 0 - range + 1, true };

    g_assert_cmpint (rcc_unwrap_clock (&u, 0, bits[b]), ==, most);
    g_assert_cmpint (rcc_unwrap_clock (&u, 1, bits[b]), ==, 1);
    g_assert_cmpint (u.last, ==, 1);
    g_assert_cmpint (rcc_unwrap_clock (&down, 0, bits[b]), ==, 0 - range);
    g_assert_cmpint (rcc_unwrap_clock (&down, (guint32) (range - 1), bits[b]), ==, range - 1);
    g_assert_cmpint (down.last, ==, range - 1);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/seq/wraps-forward", wraps_forward);
  g_test_add_func ("/seq/wraps-backward", wraps_backward);
  g_test_add_func ("/seq/half-range-is-forward", half_range_is_forward);
  g_test_add_func ("/seq/many-wraps-of-every-width", many_wraps_of_every_width);
  g_test_add_func ("/seq/a-clock-that-runs-away-begins-anew",
      a_clock_that_runs_away_begins_anew);
  return g_test_run ();
}
