/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>

#include "core/rng.h"
#include "core/rtx-wait.h"

#define S RCC_SEC
#define MS RCC_MSEC
#define assert_ms(wait, ms) g_assert_cmpuint ((wait) / MS, ==, ms)

static RccRtxWait
wait_new (void)
{
  RccRtxWait w;

  rcc_rtx_wait_init (&w, 300 * MS, 1000 * MS);
  return w;
}

typedef void (*Came) (RccRtxWait *w, uint16_t seq, RccTime now);

/* Asked for at @now, it comes after @rtt; what the wait is then, in ms. */
static guint
ask_and_come (RccRtxWait *w, Came came, RccTime now, RccTime rtt)
{
  const uint16_t seq = (uint16_t) (now / MS);

  rcc_rtx_wait_ask (w, seq, now);
  came (w, seq, now + rtt);
  return (guint) (rcc_rtx_wait (w, now + rtt) / MS);
}

#define repair(w, now, rtt) ask_and_come (w, rcc_rtx_wait_copy, now, rtt)
#define come(w, now, after) ask_and_come (w, rcc_rtx_wait_packet, now, after)

/* As one copy alone says nothing. */
static guint
repair_twice (RccRtxWait *w, RccTime now, RccTime rtt)
{
  repair (w, now, rtt);
  return repair (w, now + MS, rtt);
}

static void
a_copy_takes_a_round_trip_and_a_half (void)
{
  g_assert_cmpuint (rcc_rtx_time (200 * MS), ==, 300 * MS);
  g_assert_cmpuint (rcc_rtx_time (0), ==, 0);
  g_assert_cmpuint (rcc_rtx_time (RCC_NEVER - 1), ==, RCC_NEVER);
}

static void
grows_with_the_second_copy_that_is_late (void)
{
  RccRtxWait w = wait_new ();

  assert_ms (rcc_rtx_wait (&w, S), 300);
  rcc_rtx_wait_ask (&w, 5, 2 * S);
  assert_ms (rcc_rtx_wait (&w, 2 * S), 300);    /* no copy came yet */
  g_assert_cmpuint (repair (&w, 3 * S, 320 * MS), ==, 300);
  g_assert_cmpuint (repair (&w, 4 * S, 320 * MS), ==, 500);     /* 480, in steps */
  w = wait_new ();
  g_assert_cmpuint (repair_twice (&w, S, 900 * MS), ==, 1000);
}

static void
the_median_of_the_last_eight_counts (void)
{
  static const guint took[] = { 900, 400, 240, 260, 380, 320, 340, 360, 300, 280, 220, 100, 100 };
  static const guint median[] = { 0, 400, 400, 260, 380, 320, 340, 340, 320, 300, 300, 300, 280 };
  RccRtxWait w = wait_new ();

  for (guint i = 0; i < G_N_ELEMENTS (took); i++) {
    repair (&w, (i + 1) * S, took[i] * MS);
    assert_ms (w.rtt, median[i]);
  }
}

/* RTCP may not leave at once at the beginning of a call; and a request may be lost. */
static void
copies_that_took_many_round_trips_do_not_count (void)
{
  RccRtxWait w = wait_new ();

  g_assert_cmpuint (repair (&w, S, 900 * MS), ==, 300);
  for (guint i = 2; i < 200; i++)
    g_assert_cmpuint (repair (&w, i * S, (i % 7 ? 60 : 700) * MS), ==, 300);
}

/* Who asks again does so for the same copy. */
static void
the_first_request_counts (void)
{
  RccRtxWait w = wait_new ();

  repair (&w, MS, 400 * MS);
  for (guint i = 0; i < 10; i++)
    rcc_rtx_wait_ask (&w, 65535, S + i * 40 * MS);
  rcc_rtx_wait_copy (&w, 65535, S + 400 * MS);
  assert_ms (rcc_rtx_wait (&w, 2 * S), 600);
  rcc_rtx_wait_copy (&w, 65535, S + 900 * MS);  /* once more */
  assert_ms (rcc_rtx_wait (&w, 2 * S), 600);
}

static void
copies_that_nobody_asked_for_say_nothing (void)
{
  RccRtxWait w = wait_new ();

  rcc_rtx_wait_copy (&w, 0, S);
  rcc_rtx_wait_ask (&w, 7, S);
  rcc_rtx_wait_copy (&w, 8, S + 500 * MS);
  rcc_rtx_wait_copy (&w, 7, S + 5 * S); /* of another round of the numbers */
  g_assert_cmpuint (w.copies, ==, 0);
  rcc_rtx_wait_ask (&w, 7, 7 * S);
  rcc_rtx_wait_copy (&w, 7, 7 * S + 500 * MS);
  g_assert_cmpuint (w.copies, ==, 1);
  rcc_rtx_wait_ask (&w, 9, 9 * S);
  rcc_rtx_wait_copy (&w, 9, 9 * S + 2900 * MS); /* late, and still that request's */
  g_assert_cmpuint (w.copies, ==, 2);
}

/* A burst that is longer than what is remembered. */
static void
the_newest_requests_are_remembered (void)
{
  RccRtxWait w = wait_new ();

  for (guint16 seq = 0; seq < 2 * RCC_RTX_WAIT_ASKED; seq++)
    rcc_rtx_wait_ask (&w, seq, S + seq * MS);
  rcc_rtx_wait_copy (&w, RCC_RTX_WAIT_ASKED - 1, 2 * S);
  g_assert_cmpuint (w.copies, ==, 0);
  rcc_rtx_wait_copy (&w, RCC_RTX_WAIT_ASKED, S + (RCC_RTX_WAIT_ASKED + 400) * MS);
  rcc_rtx_wait_copy (&w, RCC_RTX_WAIT_ASKED + 1, S + (RCC_RTX_WAIT_ASKED + 401) * MS);
  assert_ms (rcc_rtx_wait (&w, 3 * S), 600);
}

static void
copies_in_the_stream_itself_count (void)
{
  RccRtxWait w = wait_new ();

  g_assert_cmpuint (come (&w, S, 400 * MS), ==, 300);
  rcc_rtx_wait_packet (&w, 1000, S + 900 * MS); /* once more, and what nobody asked for */
  rcc_rtx_wait_packet (&w, 1001, S + 900 * MS);
  g_assert_cmpuint (w.copies, ==, 1);
  g_assert_cmpuint (come (&w, 2 * S, 400 * MS), ==, 600);
  rcc_rtx_wait_ask (&w, 7, 3 * S);
  rcc_rtx_wait_packet (&w, 7, 3 * S + 2900 * MS);
  g_assert_cmpuint (w.copies, ==, 3);
  rcc_rtx_wait_ask (&w, 8, 9 * S);
  rcc_rtx_wait_packet (&w, 8, 12 * S);          /* too late for that request */
  g_assert_cmpuint (w.copies, ==, 3);
}

/* Packets in another order than they were sent in are asked for, too, and come soon. */
static void
what_was_on_its_way_says_nothing (void)
{
  RccRtxWait w = wait_new ();

  for (RccTime now = 2 * S; now < 40 * S; now += S) {
    come (&w, now, 500 * MS);
    for (guint i = 1; i < 10; i++)
      come (&w, now + i * 50 * MS, 199 * MS);
  }
  assert_ms (w.rtt, 500);
  assert_ms (rcc_rtx_wait (&w, 41 * S), 750);
  g_assert_cmpuint (w.copies, ==, 38);
  come (&w, 42 * S, 200 * MS);
  g_assert_cmpuint (w.copies, ==, 39);
  rcc_rtx_wait_ask (&w, 7, 43 * S);
  rcc_rtx_wait_packet (&w, 7, 43 * S + 30 * MS);
  rcc_rtx_wait_copy (&w, 7, 43 * S + 900 * MS); /* it came already */
  g_assert_cmpuint (w.copies, ==, 39);
}

/* Seconds until the wait is the least again, after the last need at @last. */
static guint
seconds_to_fall (RccTime last)
{
  RccRtxWait w = wait_new ();
  RccTime now;

  for (now = 0; now <= last; now += 200 * MS)
    g_assert_cmpuint (repair (&w, now, 160 * MS), ==, 300);
  w.copies = 0;
  g_assert_cmpuint (repair_twice (&w, last, 400 * MS), ==, 600);
  for (now = last + 400 * MS; rcc_rtx_wait (&w, now) > 300 * MS; now += 200 * MS);
  return (guint) ((now - last) / S);
}

static void
falls_after_thirty_to_sixty_seconds (void)
{
  for (RccTime last = S; last < 100 * S; last += 7 * S) {
    g_assert_cmpuint (seconds_to_fall (last), >=, 29);
    g_assert_cmpuint (seconds_to_fall (last), <=, 61);
  }
}

static void
a_shorter_path_is_had_after_that (void)
{
  RccRtxWait w = wait_new ();

  g_assert_cmpuint (repair_twice (&w, S, 500 * MS), ==, 750);
  for (RccTime now = 2 * S; now < 80 * S; now += S)
    repair (&w, now, 220 * MS);
  g_assert_cmpuint (repair (&w, 80 * S, 220 * MS), ==, 350);
}

/* A machine that slept: what is longer ago than two spans says nothing. */
static void
a_long_sleep_forgets (void)
{
  RccRtxWait w = wait_new ();

  g_assert_cmpuint (repair_twice (&w, S, 500 * MS), ==, 750);
  assert_ms (rcc_rtx_wait (&w, 3600 * S), 300);
  g_assert_cmpuint (repair_twice (&w, RCC_NEVER - S, 500 * MS), ==, 750);
}

static void
the_limits_hold (void)
{
  RccRtxWait w = wait_new ();

  g_assert_cmpuint (repair_twice (&w, S, 600 * MS), ==, 900);
  rcc_rtx_wait_limit (&w, 100 * MS, 220 * MS);
  assert_ms (rcc_rtx_wait (&w, 2 * S), 220);
  rcc_rtx_wait_limit (&w, 100 * MS, 0);
  assert_ms (rcc_rtx_wait (&w, 2 * S), 100);
  rcc_rtx_wait_limit (&w, 700 * MS, 500 * MS);
  assert_ms (rcc_rtx_wait (&w, 2 * S), 700);
  rcc_rtx_wait_limit (&w, 0, RCC_NEVER);
  assert_ms (rcc_rtx_wait (&w, 2 * S), 900);
}

/* Of any size. */
static RccTime
any_time (RccRng *rng)
{
  const RccTime high = rcc_rng_u32 (rng);

  return (high << 32 | rcc_rng_u32 (rng)) >> rcc_rng_u32 (rng) % 64;
}

static void
anything_leaves_it_within_its_limits (void)
{
  RccRtxWait w = wait_new ();
  RccRng rng;
  RccTime now = 0;

  rcc_rng_init (&rng, 7, 0);
  for (guint i = 0; i < 200000; i++) {
    const RccTime least = any_time (&rng), most = any_time (&rng);
    RccTime wait;

    now += RCC_MIN (RCC_NEVER - now, any_time (&rng) >> 20);
    rcc_rtx_wait_limit (&w, least, most);
    rcc_rtx_wait_ask (&w, rcc_rng_u32 (&rng) & 15, now);
    rcc_rtx_wait_packet (&w, rcc_rng_u32 (&rng) & 15, now);
    rcc_rtx_wait_copy (&w, rcc_rng_u32 (&rng) & 15, now);
    wait = rcc_rtx_wait (&w, now);
    g_assert_cmpuint (wait, >=, least);
    g_assert_cmpuint (wait, <=, RCC_MAX (least, most));
    g_assert_cmpuint (w.rtt, <=, 3 * S);
  }
}

#define ADD(name, f) g_test_add_func ("/rtx-wait/" name, f)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("a-copy-takes-a-round-trip-and-a-half", a_copy_takes_a_round_trip_and_a_half);
  ADD ("grows-with-the-second-copy-that-is-late", grows_with_the_second_copy_that_is_late);
  ADD ("the-median-of-the-last-eight-counts", the_median_of_the_last_eight_counts);
  ADD ("copies-that-took-many-round-trips-do-not-count",
      copies_that_took_many_round_trips_do_not_count);
  ADD ("the-first-request-counts", the_first_request_counts);
  ADD ("copies-that-nobody-asked-for-say-nothing", copies_that_nobody_asked_for_say_nothing);
  ADD ("copies-in-the-stream-itself-count", copies_in_the_stream_itself_count);
  ADD ("what-was-on-its-way-says-nothing", what_was_on_its_way_says_nothing);
  ADD ("the-newest-requests-are-remembered", the_newest_requests_are_remembered);
  ADD ("falls-after-thirty-to-sixty-seconds", falls_after_thirty_to_sixty_seconds);
  ADD ("a-shorter-path-is-had-after-that", a_shorter_path_is_had_after_that);
  ADD ("a-long-sleep-forgets", a_long_sleep_forgets);
  ADD ("the-limits-hold", the_limits_hold);
  ADD ("anything-leaves-it-within-its-limits", anything_leaves_it_within_its_limits);
  return g_test_run ();
}
