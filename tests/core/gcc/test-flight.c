/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/gcc/flight.h"

#define EXTRA (350 * RCC_MSEC)
#define TRIP (150 * RCC_MSEC)           /* a round trip of 100 ms and half an interval */
#define BPS 1e6
#define SIZE 1250                       /* each 10 ms: 1 Mbit/s */
#define EACH (10 * RCC_MSEC)

/* One packet each 10 ms, told of TRIP later if @told. */
static RccTime
run (RccFlight *f, RccTime from, RccTime to, gboolean told)
{
  RccTime t;

  for (t = from; t < to; t += EACH) {
    rcc_flight_sent (f, SIZE, t);
    if (told && t >= TRIP)
      rcc_flight_reported (f, t - TRIP, TRIP);
  }
  return t;
}

static void
a_path_that_tells_of_everything_is_left_alone (void)
{
  RccFlight f;

  rcc_flight_init (&f, EXTRA);
  for (RccTime t = 0; t < 20 * RCC_SEC; t += EACH) {
    run (&f, t, t + EACH, TRUE);
    g_assert_cmpfloat (rcc_flight_share (&f, BPS, 0), ==, 1.0);
    g_assert_cmpuint (rcc_flight_bytes (&f), <=, 16 * SIZE);
  }
}

/* In flight may be 1 Mbit/s * (150 + 350 ms) = 62500 bytes, 50 packets; at 125 the target
 * is 0. */
static void
silence_lowers_the_target_to_nothing (void)
{
  RccFlight f;
  RccTime t;

  rcc_flight_init (&f, EXTRA);
  t = run (&f, 0, 10 * RCC_SEC, TRUE);
  t = run (&f, t, t + 340 * RCC_MSEC, FALSE);
  g_assert_cmpfloat (rcc_flight_share (&f, BPS, 0), ==, 1.0);
  t = run (&f, t, t + 410 * RCC_MSEC, FALSE);
  /* 15 + 34 + 41 packets: 90 of 50 to 125 */
  g_assert_cmpfloat_with_epsilon (rcc_flight_share (&f, BPS, 0), 35.0 / 75.0, 0.02);
  t = run (&f, t, t + 350 * RCC_MSEC, FALSE);
  g_assert_cmpfloat (rcc_flight_share (&f, BPS, 0), ==, 0.0);
  /* the next feedback is enough */
  rcc_flight_reported (&f, t - TRIP, TRIP);
  g_assert_cmpfloat (rcc_flight_share (&f, BPS, 0), ==, 1.0);
}

static void
the_least_round_trip_counts (void)
{
  RccFlight f;

  rcc_flight_init (&f, EXTRA);
  run (&f, 0, 10 * RCC_SEC, TRUE);
  /* a queue of a second: more round trips of 1.15 s than there are places for the short ones */
  for (RccTime t = 10 * RCC_SEC; t < 12 * RCC_SEC; t += EACH)
    rcc_flight_sent (&f, SIZE, t);
  for (guint i = 0; i < RCC_FLIGHT_TRIPS - 1; i++)
    rcc_flight_reported (&f, 11 * RCC_SEC, 1150 * RCC_MSEC);
  /* 99 packets in flight of 50 to 125 */
  g_assert_cmpfloat_with_epsilon (rcc_flight_share (&f, BPS, 0), 26.0 / 75.0, 0.02);
  rcc_flight_reported (&f, 11 * RCC_SEC, 1150 * RCC_MSEC);
  /* of 150: the short round trips are forgotten */
  g_assert_cmpfloat (rcc_flight_share (&f, BPS, 0), ==, 1.0);
}

/* 1 Mbit/s * (150 + 350 + 500 ms) are 100 packets. */
static void
an_interval_of_feedback_is_no_silence (void)
{
  RccFlight f;
  RccTime t;

  rcc_flight_init (&f, EXTRA);
  t = run (&f, 0, 10 * RCC_SEC, TRUE);
  run (&f, t, t + 840 * RCC_MSEC, FALSE);
  g_assert_cmpfloat (rcc_flight_share (&f, BPS, 500 * RCC_MSEC), ==, 1.0);
  g_assert_cmpfloat (rcc_flight_share (&f, BPS, 0), <, 0.5);
}

static void
nothing_is_said_before_the_first_feedback (void)
{
  RccFlight f;

  rcc_flight_init (&f, EXTRA);
  run (&f, 0, 30 * RCC_SEC, FALSE);
  g_assert_cmpfloat (rcc_flight_share (&f, BPS, 0), ==, 1.0);
  /* of what was lost alone there is no round trip */
  rcc_flight_reported (&f, RCC_SEC, 0);
  g_assert_cmpfloat (rcc_flight_share (&f, BPS, 0), ==, 1.0);
}

static void
a_full_ring_forgets_no_byte (void)
{
  RccFlight f;
  RccTime t;

  rcc_flight_init (&f, EXTRA);
  t = run (&f, 0, 60 * RCC_SEC, FALSE);
  g_assert_cmpuint (rcc_flight_bytes (&f), ==, 6000 * SIZE);
  rcc_flight_reported (&f, RCC_SEC, TRIP);
  g_assert_cmpuint (rcc_flight_bytes (&f), ==, (6000 - 101) * SIZE);
  rcc_flight_reported (&f, t, TRIP);
  g_assert_cmpuint (rcc_flight_bytes (&f), ==, 0);
  /* and after that it works on */
  run (&f, t, t + RCC_SEC, TRUE);
  g_assert_cmpuint (rcc_flight_bytes (&f), <=, 16 * SIZE);
}

static void
two_packets_may_always_be_out (void)
{
  RccFlight f;

  rcc_flight_init (&f, EXTRA);
  rcc_flight_sent (&f, 1500, 0);
  rcc_flight_reported (&f, 0, TRIP);
  rcc_flight_sent (&f, 1500, RCC_SEC);
  rcc_flight_sent (&f, 1500, RCC_SEC);
  g_assert_cmpfloat (rcc_flight_share (&f, 1000, 0), ==, 1.0);
  rcc_flight_sent (&f, 1500, RCC_SEC);
  g_assert_cmpfloat_with_epsilon (rcc_flight_share (&f, 1000, 0), 2.0 / 3.0, 1e-9);
}

static void
off_it_does_nothing (void)
{
  RccFlight f;

  rcc_flight_init (&f, 0);
  run (&f, 0, RCC_SEC, TRUE);
  run (&f, RCC_SEC, 9 * RCC_SEC, FALSE);
  g_assert_cmpfloat (rcc_flight_share (&f, BPS, 0), ==, 1.0);
  g_assert_cmpuint (rcc_flight_bytes (&f), ==, 0);
}

/* 1 + 90 packets, of 50 to 125. */
static void
one_round_trip_is_enough (void)
{
  RccFlight f;

  rcc_flight_init (&f, EXTRA);
  rcc_flight_sent (&f, SIZE, 0);
  rcc_flight_reported (&f, 0, TRIP);
  for (guint i = 1; i <= 90; i++)
    rcc_flight_sent (&f, SIZE, i * EACH);
  g_assert_cmpfloat_with_epsilon (rcc_flight_share (&f, BPS, 0), 35.0 / 75.0, 1e-9);
}

/* Ten milliseconds share a mark, and are told of when the last of them is. */
static void
what_leaves_within_10_ms_is_one (void)
{
  RccFlight f;

  rcc_flight_init (&f, EXTRA);
  for (guint i = 0; i < 30; i++)
    rcc_flight_sent (&f, SIZE, i * RCC_MSEC);
  rcc_flight_reported (&f, 8 * RCC_MSEC, TRIP);
  g_assert_cmpuint (rcc_flight_bytes (&f), ==, 30 * SIZE);
  rcc_flight_reported (&f, 9 * RCC_MSEC, TRIP);
  g_assert_cmpuint (rcc_flight_bytes (&f), ==, 20 * SIZE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flight/a-path-that-tells-of-everything-is-left-alone",
      a_path_that_tells_of_everything_is_left_alone);
  g_test_add_func ("/flight/silence-lowers-the-target-to-nothing",
      silence_lowers_the_target_to_nothing);
  g_test_add_func ("/flight/the-least-round-trip-counts", the_least_round_trip_counts);
  g_test_add_func ("/flight/an-interval-of-feedback-is-no-silence",
      an_interval_of_feedback_is_no_silence);
  g_test_add_func ("/flight/nothing-is-said-before-the-first-feedback",
      nothing_is_said_before_the_first_feedback);
  g_test_add_func ("/flight/a-full-ring-forgets-no-byte", a_full_ring_forgets_no_byte);
  g_test_add_func ("/flight/two-packets-may-always-be-out", two_packets_may_always_be_out);
  g_test_add_func ("/flight/off-it-does-nothing", off_it_does_nothing);
  g_test_add_func ("/flight/one-round-trip-is-enough", one_round_trip_is_enough);
  g_test_add_func ("/flight/what-leaves-within-10-ms-is-one", what_leaves_within_10_ms_is_one);
  return g_test_run ();
}
