/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/flight.h"

#include <glib.h>

#define MS RCC_MSEC

/* screamv2 4.1.1's own example: of SN-5 is heard, SN-4 to SN are in flight, lost or not. */
static void
counts_what_left_after_the_newest_that_came (void)
{
  RccScreamFlight f;

  rcc_scream_flight_init (&f);
  for (guint i = 0; i < 10; i++)
    rcc_scream_flight_sent (&f, 100 + i, i * MS);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 1045);
  g_assert_cmpuint (rcc_scream_flight_acked (&f, 104, 4 * MS), ==, 510);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 105 + 106 + 107 + 108 + 109);
  /* 4.1.2's: from N to N+3 all three count, whatever became of N+2 */
  g_assert_cmpuint (rcc_scream_flight_acked (&f, 107, 7 * MS), ==, 105 + 106 + 107);
  g_assert_cmpuint (rcc_scream_flight_acked (&f, 106, 6 * MS), ==, 0);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 108 + 109);
}

static void
packets_of_one_moment_count_one_by_one (void)
{
  RccScreamFlight f;

  rcc_scream_flight_init (&f);
  for (guint i = 0; i < 4; i++)
    rcc_scream_flight_sent (&f, 1000, 5 * MS);
  rcc_scream_flight_sent (&f, 500, 6 * MS);
  g_assert_cmpuint (rcc_scream_flight_acked (&f, 1000, 5 * MS), ==, 1000);
  g_assert_cmpuint (rcc_scream_flight_acked (&f, 1000, 5 * MS), ==, 1000);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 2500);
  g_assert_cmpuint (rcc_scream_flight_acked (&f, 500, 6 * MS), ==, 2500);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 0);
}

static void
the_absurd_changes_nothing (void)
{
  RccScreamFlight f;

  rcc_scream_flight_init (&f);
  g_assert_cmpuint (rcc_scream_flight_acked (&f, 1000, 5 * MS), ==, 0);
  rcc_scream_flight_sent (&f, 1000, 5 * MS);
  g_assert_cmpuint (rcc_scream_flight_acked (&f, 1000, 4 * MS), ==, 0);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 1000);
  for (guint i = 0; i < 5; i++)         /* told again and again: no more than left */
    rcc_scream_flight_acked (&f, 1000, 5 * MS);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 0);
  rcc_scream_flight_sent (&f, 700, 9 * MS);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 700);
}

/* Ten times as many packets as there are runs: nothing is lost count of.  What is heard is wrong
 * by two runs at most, and 5.12 s in 256 runs are 20 packets each. */
static void
many_packets_merge (void)
{
  RccScreamFlight f;

  rcc_scream_flight_init (&f);
  for (guint i = 0; i < 5120; i++)
    rcc_scream_flight_sent (&f, 10, (i + 1) * MS);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 51200);
  g_assert_cmpuint (f.n, <=, RCC_SCREAM_RUNS);
  rcc_scream_flight_acked (&f, 10, 2560 * MS);
  g_assert_cmpuint (rcc_scream_in_flight (&f), >=, 25600);
  g_assert_cmpuint (rcc_scream_in_flight (&f), <=, 25600 + 41 * 10);
  rcc_scream_flight_acked (&f, 10, 5120 * MS);
  rcc_scream_flight_give_up (&f);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 0);
}

/* Of runs that many packets share, too, no packet counts as having come before it has. */
static void
nothing_is_acknowledged_early (void)
{
  RccScreamFlight f;

  rcc_scream_flight_init (&f);
  for (guint i = 1; i <= 5120; i++)
    rcc_scream_flight_sent (&f, 10, i * MS);
  for (guint i = 1; i <= 5120; i++) {
    rcc_scream_flight_acked (&f, 10, i * MS);
    g_assert_cmpuint (rcc_scream_in_flight (&f), >=, (5120 - i) * 10);
  }
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 0);
}

static void
what_is_given_up_is_not_heard_of (void)
{
  RccScreamFlight f;

  rcc_scream_flight_init (&f);
  rcc_scream_flight_sent (&f, 1000, 5 * MS);
  rcc_scream_flight_give_up (&f);
  rcc_scream_flight_sent (&f, 300, 6 * MS);
  g_assert_cmpuint (rcc_scream_flight_acked (&f, 1000, 5 * MS), ==, 0);
  g_assert_cmpuint (rcc_scream_in_flight (&f), ==, 300);
}

/* Once they merge, a run is as long as half of them are on average. */
static void
runs_get_longer_where_they_merge (void)
{
  RccScreamFlight f;

  rcc_scream_flight_init (&f);
  for (guint i = 0; i <= RCC_SCREAM_RUNS; i++) {
    g_assert_cmpuint (f.grain, ==, 0);
    rcc_scream_flight_sent (&f, 10, i * MS);
  }
  g_assert_cmpuint (f.n, ==, RCC_SCREAM_RUNS / 2 + 1);
  g_assert_cmpuint (f.grain, ==, (RCC_SCREAM_RUNS - 1) * MS / (RCC_SCREAM_RUNS / 2));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/scream/flight/newest-that-came",
      counts_what_left_after_the_newest_that_came);
  g_test_add_func ("/core/scream/flight/one-moment", packets_of_one_moment_count_one_by_one);
  g_test_add_func ("/core/scream/flight/absurd", the_absurd_changes_nothing);
  g_test_add_func ("/core/scream/flight/merge", many_packets_merge);
  g_test_add_func ("/core/scream/flight/not-early", nothing_is_acknowledged_early);
  g_test_add_func ("/core/scream/flight/given-up", what_is_given_up_is_not_heard_of);
  g_test_add_func ("/core/scream/flight/grain", runs_get_longer_where_they_merge);
  return g_test_run ();
}
