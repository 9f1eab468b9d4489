/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/sbpn/owd.h"

#include <glib.h>

#define MS RCC_MSEC
#define OFFSET (3600 * RCC_SEC)         /* the receiver's clock is ahead */

static RccSbpnOwd one_way;

/* Feedback, @back after the last of @n packets 10 ms apart has come, each after its owd;
 * 0: it was lost. */
static RccTime
feed (RccTime sent, const RccTime *owd, size_t n, RccTime back)
{
  RccPacket packets[8];
  RccTime now = sent + back;

  for (size_t i = 0; i < n; i++) {
    const RccTime left = sent + i * 10 * MS;

    packets[i] = (RccPacket) { .seq = (int64_t) i, .size = 100, .sent = left,
      .arrived = owd[i] > 0 ? left + owd[i] + OFFSET : RCC_NEVER };
    now = RCC_MAX (now, left + owd[i] + back);
  }
  rcc_sbpn_owd_feedback (&one_way, packets, n, now);
  return now;
}

#define FEED(sent, ...) \
  feed (sent, (const RccTime[]) { __VA_ARGS__ }, \
      G_N_ELEMENTS (((const RccTime[]) { __VA_ARGS__ })), 20 * MS)

/* 20 ms there, 20 ms back. */
static RccTime
quiet_path (RccSbpnOwdKind kind)
{
  RccTime now;

  rcc_sbpn_owd_init (&one_way, kind);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, RCC_SEC), ==, RCC_NEVER);
  now = FEED (RCC_SEC, 20 * MS);
  rcc_sbpn_owd_report (&one_way, 40 * MS, now);
  one_way.rtt = 40 * MS;
  return now;
}

/* A report's round trip is shorter than that of feedback, which waits. */
static void
the_shortest_round_trip_counts (void)
{
  RccTime now;

  rcc_sbpn_owd_init (&one_way, RCC_SBPN_OWD_MEASURED);
  now = feed (RCC_SEC, &(RccTime) { 20 * MS }, 1, 100 * MS);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 60 * MS);
  rcc_sbpn_owd_report (&one_way, 40 * MS, now);
  now = feed (now, &(RccTime) { 20 * MS }, 1, 100 * MS);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 20 * MS);
}

/* 150 ms of queue that only the way there has: RTT / 2 sees half of it. */
static void
one_direction (void)
{
  RccTime now = quiet_path (RCC_SBPN_OWD_MEASURED);

  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 20 * MS);
  now = FEED (2 * RCC_SEC, 170 * MS);
  rcc_sbpn_owd_report (&one_way, 190 * MS, now);
  one_way.rtt = 190 * MS;
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 170 * MS);
  one_way.kind = RCC_SBPN_OWD_HALF_RTT;
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 95 * MS);
}

/* A queue on the way back is nothing to what leaves. */
static void
other_direction (void)
{
  RccTime now = quiet_path (RCC_SBPN_OWD_MEASURED);

  now = feed (2 * RCC_SEC, (const RccTime[]) { 20 * MS }, 1, 300 * MS);
  one_way.rtt = 320 * MS;
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 20 * MS);
}

/* 600 ms there and back, and a life of 200 ms: all of it is for queues.  The paper's way has
 * nothing left. */
static void
a_long_path (void)
{
  RccTime now = RCC_SEC;

  rcc_sbpn_owd_init (&one_way, RCC_SBPN_OWD_MEASURED);
  one_way.life = 200 * MS;
  rcc_sbpn_owd_rtt (&one_way, 600 * MS, now);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 0);
  rcc_sbpn_owd_rtt (&one_way, 700 * MS, now + RCC_SEC); /* 50 ms of queue */
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now + RCC_SEC), ==, 50 * MS);
  now = FEED (3 * RCC_SEC, 330 * MS);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), <=, 80 * MS);
  one_way.kind = RCC_SBPN_OWD_HALF_RTT;
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 350 * MS);
  /* the path has become a short one: it is seen at once */
  one_way.kind = RCC_SBPN_OWD_MEASURED;
  rcc_sbpn_owd_rtt (&one_way, 40 * MS, 10 * RCC_SEC);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, 10 * RCC_SEC), ==, 20 * MS);
  /* and a long one again, which takes longer to believe */
  rcc_sbpn_owd_rtt (&one_way, 600 * MS, 11 * RCC_SEC);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, 11 * RCC_SEC), ==, 300 * MS);
  for (RccTime t = 12 * RCC_SEC; t < 610 * RCC_SEC; t += RCC_SEC) {
    rcc_sbpn_owd_rtt (&one_way, 600 * MS, t);
    if (t <= 310 * RCC_SEC)             /* five minutes at least */
      g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, t), ==, 300 * MS);
  }
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, 610 * RCC_SEC), ==, 0);
}

/* Half a life may be a queue; from there on a little less is left for the path until it takes
 * all of it and nothing counts, so that no step is seen. */
static void
a_path_of_nearly_a_life (void)
{
  static const guint halves[] = { 150, 200, 201, 250, 300, 399, 400, 500 };
  static const guint beyond[] = { 0, 0, 2, 100, 200, 398, 400, 500 };

  for (guint i = 0; i < G_N_ELEMENTS (halves); i++) {
    rcc_sbpn_owd_init (&one_way, RCC_SBPN_OWD_MEASURED);
    one_way.life = 400 * MS;
    rcc_sbpn_owd_rtt (&one_way, 2 * halves[i] * MS, RCC_SEC);
    g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, RCC_SEC), ==, (halves[i] - beyond[i]) * MS);
  }
}

/* The newest feedback alone, its mean; lost packets say nothing, nor does a feedback in
 * which nothing came. */
static void
newest_mean (void)
{
  RccTime now = quiet_path (RCC_SBPN_OWD_MEASURED);

  now = FEED (2 * RCC_SEC, 50 * MS, 0, 60 * MS, 70 * MS);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 60 * MS);
  now = FEED (2100 * MS, 30 * MS);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 30 * MS);
  now = FEED (2200 * MS, 0, 0);
  rcc_sbpn_owd_feedback (&one_way, NULL, 0, now);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 30 * MS);
}

/* What is measured stands for a second; then RTT / 2 does. */
static void
goes_stale (void)
{
  const RccTime now = quiet_path (RCC_SBPN_OWD_MEASURED);

  one_way.rtt = 90 * MS;
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now + RCC_SEC), ==, 20 * MS);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now + RCC_SEC + 1), ==, 45 * MS);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, 0), ==, 20 * MS);
}

/* A way that nothing survives would keep itself from being measured anew. */
static void
leaves_a_choice (void)
{
  RccTime now = quiet_path (RCC_SBPN_OWD_MEASURED);

  now = FEED (2 * RCC_SEC, 230 * MS);
  one_way.rtt = 250 * MS;
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 230 * MS);
  one_way.life = 231 * MS;
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 230 * MS);
  one_way.life = 230 * MS;
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 125 * MS);
  one_way.rtt = RCC_NEVER;
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 230 * MS);
}

/* Without reports the shortest time from departure to feedback stands for the round trip,
 * and half of it for the empty path. */
static void
without_reports (void)
{
  RccTime now;

  rcc_sbpn_owd_init (&one_way, RCC_SBPN_OWD_MEASURED);
  FEED (RCC_SEC, 20 * MS);
  rcc_sbpn_owd_report (&one_way, RCC_NEVER, 2 * RCC_SEC);
  now = FEED (2 * RCC_SEC, 100 * MS);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 100 * MS);
}

/* The receiver's word is bounded by what the sender saw: nothing is on its way for
 * longer than since it left, nor came before it left. */
static void
lies (void)
{
  static const RccTime arrivals[] = { 0, 1, OFFSET, RCC_NEVER / 2, RCC_NEVER - 1 };
  const RccTime now = 10 * RCC_SEC;

  for (guint i = 0; i < G_N_ELEMENTS (arrivals); i++)
    for (guint k = 0; k < G_N_ELEMENTS (arrivals); k++) {
      const RccPacket packets[] = {
        { .seq = 1, .sent = RCC_SEC, .arrived = arrivals[i] },
        { .seq = 2, .sent = 2 * RCC_SEC, .arrived = arrivals[k] },
        { .seq = 3, .sent = now + 1, .arrived = arrivals[k] },
      };

      rcc_sbpn_owd_init (&one_way, RCC_SBPN_OWD_MEASURED);
      rcc_sbpn_owd_feedback (&one_way, packets, G_N_ELEMENTS (packets), now);
      g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), <=, 9 * RCC_SEC);
      rcc_sbpn_owd_feedback (&one_way, packets + 2, 1, now);
      g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), <=, 9 * RCC_SEC);
    }
}

/* A round trip that is not known says nothing of the path. */
static void
no_round_trip_is_no_long_path (void)
{
  RccTime now;

  rcc_sbpn_owd_init (&one_way, RCC_SBPN_OWD_MEASURED);
  one_way.life = 200 * MS;
  rcc_sbpn_owd_rtt (&one_way, RCC_NEVER, RCC_SEC);
  g_assert_cmpuint (one_way.least[0], ==, RCC_NEVER);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, RCC_SEC), ==, RCC_NEVER);
  now = FEED (RCC_SEC, 20 * MS);
  rcc_sbpn_owd_report (&one_way, 40 * MS, now);
  now = FEED (2 * RCC_SEC, 20 * MS);
  g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, 20 * MS);
}

/* The least of the last 5 to 10 minutes: after a longer pause, of none before it. */
static void
a_pause_forgets_the_path (void)
{
  static const guint pauses[] = { 4, 6, 9, 11, 16, 1000 };      /* minutes */

  for (guint i = 0; i < G_N_ELEMENTS (pauses); i++) {
    RccTime now = quiet_path (RCC_SBPN_OWD_MEASURED), least;

    rcc_sbpn_owd_report (&one_way, 40 * MS, now + pauses[i] * 60 * RCC_SEC);
    feed (now + pauses[i] * 60 * RCC_SEC, (const RccTime[]) { 90 * MS }, 1, 20 * MS);
    least = RCC_MIN (one_way.least[0], one_way.least[1]);
    if (pauses[i] < 10)
      g_assert_cmpuint (least, ==, 20 * MS);
    else
      g_assert_cmpuint (one_way.least[1], ==, RCC_NEVER);
  }
}

/* Of a life of ten seconds a half counts, and what is beyond it is taken off twice, until nothing
 * is left. */
static void
a_path_of_seconds (void)
{
  static const struct { guint path, estimate; } cases[] = {      /* s */
    { 4, 4 }, { 5, 5 }, { 6, 4 }, { 8, 2 }, { 9, 1 }, { 10, 0 }, { 12, 0 }, { 30, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccTime now;

    rcc_sbpn_owd_init (&one_way, RCC_SBPN_OWD_MEASURED);
    one_way.life = 10 * RCC_SEC;
    rcc_sbpn_owd_report (&one_way, 2 * cases[i].path * RCC_SEC, 0);
    rcc_sbpn_owd_rtt (&one_way, 2 * cases[i].path * RCC_SEC, 0);
    now = feed (RCC_SEC, (const RccTime[]) { cases[i].path * RCC_SEC }, 1,
        cases[i].path * RCC_SEC);
    g_assert_cmpuint (rcc_sbpn_owd_estimate (&one_way, now), ==, cases[i].estimate * RCC_SEC);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn-owd/one-direction", one_direction);
  g_test_add_func ("/sbpn-owd/the-shortest-round-trip", the_shortest_round_trip_counts);
  g_test_add_func ("/sbpn-owd/other-direction", other_direction);
  g_test_add_func ("/sbpn-owd/a-long-path", a_long_path);
  g_test_add_func ("/sbpn-owd/a-path-of-nearly-a-life", a_path_of_nearly_a_life);
  g_test_add_func ("/sbpn-owd/newest-mean", newest_mean);
  g_test_add_func ("/sbpn-owd/goes-stale", goes_stale);
  g_test_add_func ("/sbpn-owd/leaves-a-choice", leaves_a_choice);
  g_test_add_func ("/sbpn-owd/without-reports", without_reports);
  g_test_add_func ("/sbpn-owd/lies", lies);
  g_test_add_func ("/sbpn-owd/no-round-trip-is-no-long-path", no_round_trip_is_no_long_path);
  g_test_add_func ("/sbpn-owd/a-pause-forgets-the-path", a_pause_forgets_the_path);
  g_test_add_func ("/sbpn-owd/a-path-of-seconds", a_path_of_seconds);
  return g_test_run ();
}
