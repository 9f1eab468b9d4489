/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/reordering.h"

#include <glib.h>

#define MS RCC_MSEC

static void
without_reordering_a_loss_is_one_at_once (void)
{
  RccScreamReordering r;

  rcc_scream_reordering_init (&r);
  g_assert_cmpuint (rcc_scream_reordering_lost (&r, 5 * MS), ==, 0);
  g_assert_cmpuint (rcc_scream_reordering_missing (&r, 1, 10, 5 * MS), ==, 0);
  g_assert_cmpuint (rcc_scream_reordering_missing (&r, 2, 10, 5 * MS), ==, 0);
  g_assert_cmpuint (rcc_scream_reordering_lost (&r, 5 * MS), ==, 2);
  g_assert_cmpuint (rcc_scream_reordering_lost (&r, 6 * MS), ==, 0);
}

/* 20 ms late: the next one is waited for as long. */
static void
the_window_is_what_the_last_one_took (void)
{
  RccScreamReordering r;

  rcc_scream_reordering_init (&r);
  rcc_scream_reordering_missing (&r, 1, 10, 100 * MS);
  g_assert_cmpuint (rcc_scream_reordering_lost (&r, 100 * MS), ==, 1);
  rcc_scream_reordering_came (&r, 2, 10, 50 * MS, 120 * MS);    /* another stream's */
  g_assert_cmpuint (r.window, ==, 0);
  rcc_scream_reordering_came (&r, 1, 10, 50 * MS, 120 * MS);
  g_assert_cmpuint (r.window, ==, 20 * MS);
  rcc_scream_reordering_missing (&r, 1, 20, 200 * MS);
  rcc_scream_reordering_missing (&r, 1, 21, 200 * MS);
  g_assert_cmpuint (rcc_scream_reordering_lost (&r, 219 * MS), ==, 0);
  rcc_scream_reordering_came (&r, 1, 20, 50 * MS, 219 * MS);    /* 19 ms; never lost */
  g_assert_cmpuint (rcc_scream_reordering_lost (&r, 219 * MS), ==, 1);
  g_assert_cmpuint (r.lost, ==, 2);
  g_assert_cmpuint (r.returned, ==, 2);
}

static void
the_window_is_a_round_trip_at_most (void)
{
  RccScreamReordering r;

  rcc_scream_reordering_init (&r);
  rcc_scream_reordering_missing (&r, 1, 10, 0);
  rcc_scream_reordering_came (&r, 1, 10, 50 * MS, 9 * RCC_SEC);
  g_assert_cmpuint (r.window, ==, 50 * MS);
}

static void
none_is_forgotten_where_many_are_missing (void)
{
  RccScreamReordering r;
  guint lost = 0;

  rcc_scream_reordering_init (&r);
  r.window = 50 * MS;
  for (guint i = 0; i < 1000; i++)
    lost += rcc_scream_reordering_missing (&r, 1, i, 100 * MS);
  g_assert_cmpuint (lost, ==, 1000 - RCC_SCREAM_MISSING);
  g_assert_cmpuint (rcc_scream_reordering_lost (&r, 150 * MS), ==, RCC_SCREAM_MISSING);
  g_assert_cmpuint (r.lost, ==, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/scream/reordering/at-once", without_reordering_a_loss_is_one_at_once);
  g_test_add_func ("/core/scream/reordering/window", the_window_is_what_the_last_one_took);
  g_test_add_func ("/core/scream/reordering/most", the_window_is_a_round_trip_at_most);
  g_test_add_func ("/core/scream/reordering/many", none_is_forgotten_where_many_are_missing);
  return g_test_run ();
}
