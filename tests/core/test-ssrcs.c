/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <string.h>
#include "core/rng.h"
#include "core/ssrcs.h"

static RccSsrcs s;

static void
start (void)
{
  memset (&s, 0xa5, sizeof s);
  rcc_ssrcs_init (&s);
}

static void
each_has_its_place (void)
{
  start ();
  g_assert_cmpint (rcc_ssrcs_find (&s, 0), ==, -1);
  for (guint i = 0; i < RCC_SSRCS; i++) {
    g_assert_cmpint (rcc_ssrcs_find (&s, i * i), ==, -1);
    rcc_ssrcs_add (&s, i * i);
  }
  for (guint i = 0; i < RCC_SSRCS; i++)
    g_assert_cmpint (rcc_ssrcs_find (&s, i * i), ==, (gint) i);
  g_assert_cmpint (rcc_ssrcs_find (&s, 2), ==, -1);
}

static void
one_that_is_replaced_is_gone (void)
{
  guint32 mine[RCC_SSRCS];
  RccRng r;

  rcc_rng_init (&r, 20261123, 2);
  start ();
  for (guint i = 0; i < RCC_SSRCS; i++)
    rcc_ssrcs_add (&s, mine[i] = rcc_rng_u32 (&r));
  for (guint n = 0; n < 10000; n++) {
    const guint place = rcc_rng_u32 (&r) % RCC_SSRCS;
    const guint32 before = mine[place];

    /* some fall into one another's slots */
    mine[place] = rcc_rng_u32 (&r) % 2 ? rcc_rng_u32 (&r) : n << 8;
    rcc_ssrcs_replace (&s, place, mine[place]);
    if (before != mine[place])
      g_assert_cmpint (rcc_ssrcs_find (&s, before), ==, -1);
    for (guint i = 0; i < RCC_SSRCS; i += 7)
      g_assert_cmpint (rcc_ssrcs_find (&s, mine[i]), ==, (gint) i);
  }
  g_assert_cmpuint (s.n, ==, RCC_SSRCS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ssrcs/each-has-its-place", each_has_its_place);
  g_test_add_func ("/ssrcs/one-that-is-replaced-is-gone", one_that_is_replaced_is_gone);
  return g_test_run ();
}
