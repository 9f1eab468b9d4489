/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/skew-owd.h"
#include "core/rng.h"

#define PATH (50 * RCC_MSEC)

static RccSkewOwd c;

/* The true time @t as a clock that runs @ppm fast and is @offset off shows it. */
static RccTime
shown (RccTime t, gint64 ppm, gint64 offset)
{
  return t + (guint64) ((gint64) (t / 1000000) * ppm + offset);
}

static RccTime
packet (RccTime sent, RccTime queue, gint64 ppm, gint64 offset)
{
  const RccTime arrived = sent + PATH + queue;

  return rcc_skew_owd_packet (&c, sent, shown (arrived, ppm, offset), arrived + PATH);
}

static void
start (void)
{
  rcc_skew_owd_init (&c);
  rcc_skew_owd_rtt (&c, 2 * PATH, 0);
}

static void
is_anchored_at_half_the_smallest_round_trip (void)
{
  start ();
  rcc_skew_owd_rtt (&c, 9 * PATH, 0);
  g_assert_cmpuint (packet (RCC_SEC, 0, 0, 12345678), ==, PATH);
  g_assert_cmpuint (packet (2 * RCC_SEC, 7 * RCC_MSEC, 0, 12345678), ==,
      PATH + 7 * RCC_MSEC);
  rcc_skew_owd_rtt (&c, PATH, 0);
  g_assert_cmpuint (packet (3 * RCC_SEC, 0, 0, 12345678), ==, PATH / 2);
}

/* No SR is echoed: the feedback's own loop bounds the round trip. */
static void
without_round_trip_feedback_bounds_it (void)
{
  rcc_skew_owd_init (&c);
  g_assert_cmpuint (rcc_skew_owd_rtt_min (&c), ==, RCC_NEVER);
  packet (RCC_SEC, 0, 0, 0);
  g_assert_cmpuint (rcc_skew_owd_rtt_min (&c), ==, 2 * PATH);
  rcc_skew_owd_rtt (&c, 3 * PATH, 0);
  g_assert_cmpuint (rcc_skew_owd_rtt_min (&c), ==, 3 * PATH);
}

static void
the_smallest_round_trip_is_of_late (void)
{
  start ();
  rcc_skew_owd_rtt (&c, 200 * RCC_MSEC, 61 * RCC_SEC);
  g_assert_cmpuint (rcc_skew_owd_rtt_min (&c), ==, 2 * PATH);
  rcc_skew_owd_rtt (&c, 200 * RCC_MSEC, 122 * RCC_SEC);
  g_assert_cmpuint (rcc_skew_owd_rtt_min (&c), ==, 200 * RCC_MSEC);
}

/* Ten minutes of one packet a frame, a queue that comes and goes in 1.5 s of 6, and two
 * clocks that drift apart: what is left of 60 ms of drift is under 2 ms. */
static void
drift_is_removed (void)
{
  static const gint64 ppms[] = { 100, -100, 20, 0 };

  for (guint k = 0; k < G_N_ELEMENTS (ppms); k++) {
    double worst = 0.0;
    RccRng r;

    rcc_rng_init (&r, 3, k);
    start ();
    for (guint i = 0; i < 18000; i++) {
      const RccTime sent = RCC_SEC + i * (RCC_SEC / 30);
      const RccTime queue = (i % 180 < 45 ? (i % 180) * RCC_MSEC : 0)
          + rcc_rng_u32 (&r) % RCC_MSEC;
      const RccTime owd = packet (sent, queue, ppms[k], 77 * (gint64) RCC_SEC);

      if (i > 70 * 30)
        worst = MAX (worst, fabs ((double) owd - (double) (PATH + queue)));
      if (i % 30 == 0)
        rcc_skew_owd_rtt (&c, 2 * PATH, sent);
    }
    g_assert_cmpfloat (worst, <, 2e6);
    g_assert_cmpfloat_with_epsilon (c.slope, (double) ppms[k] * 1e3, 3e3);
    g_assert_cmpuint (c.restarts, ==, 0);
  }
}

/* A queue that stands for a minute and a half is no new base, and no drift either. */
static void
a_standing_queue_is_a_queue (void)
{
  RccTime owd = 0;

  start ();
  for (guint i = 0; i < 150; i++) {
    const RccTime queue = i < 60 ? 0 : 80 * RCC_MSEC;

    owd = packet (RCC_SEC + i * RCC_SEC, queue, 0, 0);
    g_assert_cmpuint (owd, >=, PATH + queue - 20 * RCC_MSEC);
    g_assert_cmpuint (owd, <=, PATH + queue + RCC_MSEC);
  }
  /* two minutes after the last empty queue it is all that is known */
  for (guint i = 150; i < 200; i++)
    owd = packet (RCC_SEC + i * RCC_SEC, 80 * RCC_MSEC, 0, 0);
  g_assert_cmpuint (owd, <=, PATH + RCC_MSEC);
}

static void
a_shorter_path_is_seen_at_once (void)
{
  start ();
  packet (RCC_SEC, 300 * RCC_MSEC, 0, 0);
  g_assert_cmpuint (packet (2 * RCC_SEC, 0, 0, 0), ==, PATH);
  g_assert_cmpuint (packet (3 * RCC_SEC, 5 * RCC_MSEC, 0, 0), ==, PATH + 5 * RCC_MSEC);
}

/* T1: the receiver's clock is set anew, by hours or by seconds. */
static void
a_clock_jump_is_no_queue (void)
{
  static const gint64 jumps[] = { 3600, -3600, 4, -4, 1000000000, -1000000000 };

  for (guint j = 0; j < G_N_ELEMENTS (jumps); j++) {
    start ();
    for (guint i = 0; i < 600; i++) {
      const gint64 offset = i < 300 ? 0 : jumps[j] * (gint64) RCC_SEC;
      const RccTime owd = packet (7200 * RCC_SEC + i * (RCC_SEC / 10), 0, 0, offset);

      g_assert_cmpuint (owd, ==, PATH);
    }
    g_assert_cmpuint (c.restarts, ==, 1);
  }
}

/* Both clocks wrap through 2^64: differences are all that counts. */
static void
wraps_are_invisible (void)
{
  start ();
  for (guint i = 0; i < 100; i++)
    g_assert_cmpuint (packet (RCC_SEC + i * RCC_SEC, 0, 0, -50 * (gint64) RCC_SEC), ==, PATH);
}

static void
hostile_times_are_survived (void)
{
  RccTime now = RCC_SEC;
  RccRng r;

  g_assert_cmpuint (rcc_skew_owd_packet (&c, 2, 5, 1), ==, RCC_NEVER);
  rcc_rng_init (&r, 11, 0);
  start ();
  for (guint i = 0; i < 300000; i++) {
    const guint64 wild = ((guint64) rcc_rng_u32 (&r) << 32) | rcc_rng_u32 (&r);
    RccTime sent = now, arrived = now, owd;

    now += rcc_rng_u32 (&r) % RCC_SEC;
    if (rcc_rng_u32 (&r) % 3 == 0)
      sent = wild >> rcc_rng_u32 (&r) % 64;
    if (rcc_rng_u32 (&r) % 3 == 0)
      arrived = wild >> rcc_rng_u32 (&r) % 64;
    if (rcc_rng_u32 (&r) % 10 == 0)
      rcc_skew_owd_rtt (&c, wild % RCC_NEVER, now);
    owd = rcc_skew_owd_packet (&c, sent, arrived, now);
    g_assert_true ((owd == RCC_NEVER) == (sent > now));
    g_assert_true (isfinite (c.slope) && isfinite (c.height));
    g_assert_cmpfloat (fabs (c.slope), <=, RCC_SKEW_OWD_DRIFT * 1e9);
    g_assert_cmpuint (c.n, <=, RCC_SKEW_OWD_BINS);
    for (guint k = 1; k < c.n; k++)
      g_assert_cmpfloat (c.bins[k].x, >, c.bins[k - 1].x);
  }
}

/* A packet that left before the newest bin began, and was under way for less long than those
 * that overtook it, is no point of that bin: the drift would be measured between points that
 * are not in order. */
static void
an_overtaken_packet_is_of_no_newer_bin (void)
{
  start ();
  for (guint i = 0; i < 60; i++) {
    const RccTime t = (10 + i) * RCC_SEC;

    packet (t, 20 * RCC_MSEC, 0, 0);
    if (i % 5 == 0 && i > 0)
      rcc_skew_owd_packet (&c, t - 7 * RCC_SEC, t - 7 * RCC_SEC + PATH + 15 * RCC_MSEC,
          t + RCC_SEC);
    for (guint k = 1; k < c.n; k++)
      g_assert_cmpfloat (c.bins[k].x, >, c.bins[k - 1].x);
  }
}

/* Fifty years after 1970, a double of it would be off by a quarter of a microsecond. */
static void
a_wall_clocks_times_lose_nothing (void)
{
  const RccTime wall = 1600000000 * RCC_SEC + 1;

  start ();
  for (guint i = 0; i < 100; i++)
    g_assert_cmpuint (packet (wall + i * RCC_SEC, i % 2, 0, 3), ==, PATH + i % 2);
  start ();                             /* the receiver's alone is one */
  for (guint i = 0; i < 100; i++)
    g_assert_cmpuint (packet (i * RCC_SEC, i % 2, 0, (gint64) wall), ==, PATH + i % 2);
}

/* After a pause longer than all that is remembered, the path may be another one. */
static void
a_long_pause_forgets_the_base (void)
{
  const RccTime all = RCC_SKEW_OWD_BINS * RCC_SKEW_OWD_BIN;

  start ();
  for (guint i = 1; i <= 20; i++)
    packet (i * RCC_SEC, 0, 0, 0);
  rcc_skew_owd_rtt (&c, 2 * PATH, 20 * RCC_SEC + 3 * all);
  g_assert_cmpuint (packet (20 * RCC_SEC + 3 * all, 30 * RCC_MSEC, 0, 0), ==, PATH);
  g_assert_cmpuint (packet (21 * RCC_SEC + 3 * all, 35 * RCC_MSEC, 0, 0), ==,
      PATH + 5 * RCC_MSEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/skew-owd/is-anchored-at-half-the-smallest-round-trip",
      is_anchored_at_half_the_smallest_round_trip);
  g_test_add_func ("/skew-owd/without-round-trip-feedback-bounds-it",
      without_round_trip_feedback_bounds_it);
  g_test_add_func ("/skew-owd/the-smallest-round-trip-is-of-late",
      the_smallest_round_trip_is_of_late);
  g_test_add_func ("/skew-owd/drift-is-removed", drift_is_removed);
  g_test_add_func ("/skew-owd/a-standing-queue-is-a-queue", a_standing_queue_is_a_queue);
  g_test_add_func ("/skew-owd/a-shorter-path-is-seen-at-once",
      a_shorter_path_is_seen_at_once);
  g_test_add_func ("/skew-owd/a-clock-jump-is-no-queue", a_clock_jump_is_no_queue);
  g_test_add_func ("/skew-owd/wraps-are-invisible", wraps_are_invisible);
  g_test_add_func ("/skew-owd/hostile-times-are-survived", hostile_times_are_survived);
  g_test_add_func ("/skew-owd/an-overtaken-packet-is-of-no-newer-bin",
      an_overtaken_packet_is_of_no_newer_bin);
  g_test_add_func ("/skew-owd/a-wall-clocks-times-lose-nothing",
      a_wall_clocks_times_lose_nothing);
  g_test_add_func ("/skew-owd/a-long-pause-forgets-the-base", a_long_pause_forgets_the_base);
  return g_test_run ();
}
