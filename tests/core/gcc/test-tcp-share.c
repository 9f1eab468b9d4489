/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/gcc/tcp-share.h"
#include "core/tcpeq.h"

#define FLOOR (15 * RCC_MSEC)
#define RTT (100 * RCC_MSEC)
#define SEGMENT 1460
#define BPS (1000 * 8 * 100.)
#define PLENTY 1e9                      /* bit/s: what comes is no limit */
#define GAP (10 * RCC_MSEC)             /* between packets */
#define LOW (50 * RCC_MSEC)
#define HIGH (100 * RCC_MSEC)

typedef struct {
  guint floors, tests, packets;         /* for how many there was one; were under way; in all */
} Counts;

static Counts counts;
static guint others = 100;              /* by how much of 1000 bytes their part changes ours */

/* Beside others: more of them in one part of a second, fewer in the next. */
static guint
size_at (RccTime now)
{
  return now / (300 * RCC_MSEC) % 2 ? 1000 + others : 1000 - others;
}

/* A packet behind @queue. */
static void
take (RccTcpShare *s, RccTime queue, gboolean full, RccTime now)
{
  rcc_tcp_share_packet (s, size_at (now), queue, full, RTT, now);
  counts.packets++;
  counts.floors += rcc_tcp_share_bps (s, PLENTY, RTT, now) > 0;
  counts.tests += rcc_tcp_share_tests (s, now);
}

/* From @from to @to: Reno's sawtooth, from @low to @high in 2 s; @every so many packets one is lost
 * where it is longest, and none with 0. */
static guint
run (RccTcpShare *s, RccTime low, RccTime high, guint every, RccTime from, RccTime to)
{
  counts = (Counts) { 0 };
  for (RccTime t = from; t < to; t += GAP) {
    const guint i = t / GAP, saw = i % 200;

    rcc_tcp_share_losses (s, every && i % every == MIN (every - 1, 199), 1, BPS, RTT, t);
    take (s, low + (high - low) / 200 * saw, FALSE, t);
  }
  return counts.floors;
}

static RccTcpShare
share (double of)
{
  RccTcpShare s;

  rcc_tcp_share_init (&s, of, FLOOR);
  return s;
}

/* At 9 s at the latest: five time constants of 5 s are 1.2 for .7, the first loss is at 2 s, the
 * test takes 1.9. */
static void
what_tcp_fills_has_a_floor (void)
{
  RccTcpShare s = share (0.5);
  const RccTcpPath path = { .packet_size = SEGMENT, .rtt = RTT };
  const double due = 4 * rcc_tcp_throughput (RCC_TCP_PADHYE, &path, 1 / 200.);

  g_assert_cmpuint (run (&s, LOW, HIGH, 200, 0, 6 * RCC_SEC), ==, 0);
  run (&s, LOW, HIGH, 200, 6 * RCC_SEC, 9 * RCC_SEC);
  g_assert_cmpuint (run (&s, LOW, HIGH, 200, 9 * RCC_SEC, 60 * RCC_SEC), >, 4000);
  s.test = RCC_NEVER;
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, RTT, 60 * RCC_SEC), >, 0.9 * due);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, RTT, 60 * RCC_SEC), <, 1.1 * due);
}

/* The kernel's Reno behind a queue of a round trip: each 1.7 s or so the queue is empty for a
 * moment. */
static void
what_reno_empties_for_a_moment_has_one (void)
{
  RccTcpShare s = share (0.5);

  run (&s, 5 * RCC_MSEC, 85 * RCC_MSEC, 1000, 0, 20 * RCC_SEC);
  g_assert_cmpuint (run (&s, 5 * RCC_MSEC, 85 * RCC_MSEC, 1000, 20 * RCC_SEC, 60 * RCC_SEC), >, 3000);
}

/* RFC 9438 5.1: 1.054 (RTT / p)^.75 packets in a round trip, where that is more than Reno's. */
static void
on_a_long_path_it_is_that_of_cubic (void)
{
  RccTcpShare s = share (1);
  const double p = 1 / 2000., due = 8 * 1.054 * SEGMENT * pow (1 / p, 0.75);

  for (RccTime t = 0; t < 200 * RCC_SEC; t += GAP) {
    rcc_tcp_share_losses (&s, t / GAP % 2000 == 0, 1, BPS, RCC_SEC, t);
    rcc_tcp_share_packet (&s, size_at (t), (80 + t / GAP % 200 / 5) * RCC_MSEC, FALSE, RCC_SEC, t);
  }
  s.test = RCC_NEVER;
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, RCC_SEC, 200 * RCC_SEC), >, 0.9 * due);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, RCC_SEC, 200 * RCC_SEC), <, 1.1 * due);
}

static void
what_empties_has_none (void)
{
  RccTcpShare s = share (1);

  g_assert_cmpuint (run (&s, 0, 20 * RCC_MSEC, 200, 0, 60 * RCC_SEC), ==, 0);
  /* nor a tenth of a long one */
  s = share (1);
  for (RccTime t = 0; t < 60 * RCC_SEC; t += GAP) {
    rcc_tcp_share_losses (&s, t / GAP % 200 == 0, 1, BPS, RTT, t);
    take (&s, t / GAP % 25 ? 400 * RCC_MSEC : 39 * RCC_MSEC, FALSE, t);
  }
  g_assert_cmpuint (counts.floors, ==, 0);
}

/* 300 kbit/s: a packet takes 30 ms, and who is alone waits for those of its own frame.  The first of
 * each frame waits for nobody. */
static void
a_frame_is_no_queue (void)
{
  RccTcpShare s = share (1);

  counts = (Counts) { 0 };
  for (RccTime t = 0; t < 60 * RCC_SEC; t += 50 * RCC_MSEC) {
    rcc_tcp_share_losses (&s, t / RCC_SEC % 4 == 0 && t % RCC_SEC == 0, 1, BPS, RTT, t);
    take (&s, t / (50 * RCC_MSEC) % 5 ? 60 * RCC_MSEC : 2 * RCC_MSEC, FALSE, t);
  }
  g_assert_cmpuint (counts.floors, ==, 0);
}

/* It overflows at 300 ms. */
static void
overflow (RccTcpShare *s, RccTime from)
{
  run (s, 300 * RCC_MSEC, 300 * RCC_MSEC, 0, from, from + RCC_SEC);
  rcc_tcp_share_losses (s, 3, 3, BPS, RTT, from + RCC_SEC);
  rcc_tcp_share_losses (s, 0, 4, BPS, RTT, from + RCC_SEC);
}

/* A path that fell once: what is left of the queue is little beside what overflowed then. */
static void
a_queue_far_from_full_has_none (void)
{
  static const guint lows[] = { 40, 80 };       /* a sixth of its height; less than .35 */
  RccTcpShare s;

  for (guint i = 0; i < G_N_ELEMENTS (lows); i++) {
    s = share (1);
    overflow (&s, 0);
    g_assert_cmpuint (run (&s, lows[i] * RCC_MSEC, (lows[i] + 20) * RCC_MSEC, 0, RCC_SEC,
            60 * RCC_SEC), ==, 0);
  }
  /* and one that is as long as that has */
  overflow (&s, 60 * RCC_SEC);
  g_assert_cmpuint (run (&s, 200 * RCC_MSEC, 300 * RCC_MSEC, 0, 61 * RCC_SEC, 90 * RCC_SEC), >, 1000);
}

static void
without_losses_there_is_none (void)
{
  RccTcpShare s = share (1);

  g_assert_cmpuint (run (&s, LOW, HIGH, 0, 0, 60 * RCC_SEC), ==, 0);
  rcc_tcp_share_losses (&s, 3, 3, BPS, RTT, 60 * RCC_SEC);   /* for a minute */
  rcc_tcp_share_losses (&s, 0, 4, BPS, RTT, 60 * RCC_SEC);
  g_assert_cmpuint (run (&s, LOW, HIGH, 0, 60 * RCC_SEC, 120 * RCC_SEC), >, 1000);
  g_assert_cmpuint (run (&s, LOW, HIGH, 0, 120 * RCC_SEC, 180 * RCC_SEC), ==, 0);
}

static void
with_many_losses_there_is_none (void)
{
  RccTcpShare s = share (1);

  run (&s, LOW, HIGH, 20, 0, 60 * RCC_SEC);
  g_assert_cmpuint (run (&s, LOW, HIGH, 20, 60 * RCC_SEC, 120 * RCC_SEC), ==, 0);
}

/* With one in 200 lost it would look like TCP; so would a path whose rate falls each 20 s. */
static void
what_comes_at_one_rate_is_our_own (void)
{
  RccTcpShare s = share (1);

  others = 10;                          /* 1 ms in 100 */
  g_assert_cmpuint (run (&s, LOW, HIGH, 200, 0, 120 * RCC_SEC), ==, 0);
  counts = (Counts) { 0 };
  for (RccTime t = 120 * RCC_SEC; t < 240 * RCC_SEC; t += GAP) {
    const gboolean gone = t / GAP % 97 == 0;

    rcc_tcp_share_losses (&s, gone, 1, BPS, RTT, t);
    if (!gone && t / GAP % (t / (20 * RCC_SEC) % 2 + 1) == 0)
      rcc_tcp_share_packet (&s, 1000, LOW + t / GAP % 100 * 200 * RCC_USEC, FALSE, RTT, t);
    counts.floors += rcc_tcp_share_bps (&s, PLENTY, RTT, t) > 0;
  }
  g_assert_cmpuint (counts.floors, ==, 0);
  others = 100;
  g_assert_cmpuint (run (&s, LOW, HIGH, 200, 240 * RCC_SEC, 300 * RCC_SEC), >, 2000);
}

/* What comes of an empty queue comes at the source's rate, and says nothing of the link's. */
static void
an_empty_queue_does_not_vary (void)
{
  RccTcpShare s = share (1);

  for (RccTime t = 0; t < 60 * RCC_SEC; t += GAP)
    rcc_tcp_share_packet (&s, 1000, t / (300 * RCC_MSEC) % 5 ? HIGH : 0, FALSE, RTT, t);
  g_assert_cmpfloat (s.busy, >, 0.6);
  g_assert_cmpfloat (s.varies, <, 0.1);
}

/* Flows as ours have filled it, and each waits for the others. */
static void
behind_a_full_queue_there_is_none (void)
{
  RccTcpShare s = share (1);

  run (&s, LOW, HIGH, 200, 0, 20 * RCC_SEC);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, RTT, 20 * RCC_SEC), >, 0);
  take (&s, HIGH, TRUE, 20 * RCC_SEC);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, RTT, 20 * RCC_SEC), ==, 0);
}

/* Two of them in 24 s, of 600 ms and a round trip, and no floor until 1.2 s behind. */
static void
there_are_tests (void)
{
  RccTcpShare s = share (1);

  run (&s, LOW, HIGH, 200, 0, 15 * RCC_SEC);
  run (&s, LOW, HIGH, 200, 15 * RCC_SEC, 42 * RCC_SEC);
  g_assert_cmpuint (counts.tests, ==, 2 * 70);
  g_assert_cmpuint (counts.packets - counts.floors, ==, 2 * 190);
}

/* Behind the decrease the queue is empty, and longer than ever at all other times. */
static void
our_own_queue_is_found_out (void)
{
  RccTcpShare s = share (1);
  RccTime decreased = 0;

  counts = (Counts) { 0 };
  for (RccTime t = RTT; t < 120 * RCC_SEC; t += GAP) {
    if (rcc_tcp_share_tests (&s, t))
      decreased = t;
    rcc_tcp_share_losses (&s, t / GAP % 200 == 0, 1, BPS, RTT, t);
    take (&s, decreased && t < decreased + 1500 * RCC_MSEC ? 0 : HIGH, FALSE, t);
  }
  g_assert_cmpuint (counts.tests, >, 3 * 70);
  g_assert_cmpuint (counts.floors, <, 20);
}

/* The shortest in each window is the same to 2 ms, whatever we send. */
static void
a_path_that_got_longer_has_none (void)
{
  RccTcpShare s = share (1);

  counts = (Counts) { 0 };
  for (RccTime t = RTT; t < 60 * RCC_SEC; t += GAP) {
    rcc_tcp_share_losses (&s, t / GAP % 500 == 0, 1, BPS, RTT, t);
    take (&s, (60 + t / GAP % 23) * RCC_MSEC, FALSE, t);
  }
  g_assert_cmpuint (counts.tests, >, 70);
  g_assert_cmpuint (counts.floors, <, 10);
}

/* As above, and behind the test's decrease the base is known anew: the queue of 60 ms was none. */
static guint
floors_with_a_new_base (RccTime at, gboolean told)
{
  RccTcpShare s = share (1);
  RccTime tested = 0;

  counts = (Counts) { 0 };
  for (RccTime t = RTT; t < 20 * RCC_SEC; t += GAP) {
    const RccTime before = tested;

    if (tested == 0 && rcc_tcp_share_tests (&s, t))
      tested = t;
    rcc_tcp_share_losses (&s, t / GAP % 500 == 0, 1, BPS, RTT, t);
    if (told && tested && t == tested + at)
      rcc_tcp_share_rebase (&s, 60 * RCC_MSEC, RTT, t);
    take (&s, (before && t >= tested + at ? 0 : 60 * RCC_MSEC) + t / GAP % 23 * RCC_MSEC, FALSE, t);
  }
  g_assert_cmpuint (tested, >, 0);
  return counts.floors;
}

static void
a_test_in_which_the_base_is_known_anew_begins_anew (void)
{
  /* 700 ms of decrease and then 1.2 s in which the queue is looked at */
  g_assert_cmpuint (floors_with_a_new_base (1500 * RCC_MSEC, FALSE), >, 100);
  for (RccTime at = 0; at < 1900 * RCC_MSEC; at += 100 * RCC_MSEC)
    g_assert_cmpuint (floors_with_a_new_base (at, TRUE), <, 10);
}

/* Neither a small step within a test, nor a large one between two. */
static void
another_base_than_that_begins_no_test (void)
{
  RccTcpShare s = share (1);

  run (&s, LOW, HIGH, 200, 0, 20 * RCC_SEC);
  for (RccTime t = 0; t < 60 * RCC_SEC; t += GAP) {
    const RccTime begun = s.test;

    rcc_tcp_share_rebase (&s, 5 * RCC_MSEC, RTT, 20 * RCC_SEC + t);
    g_assert_cmpuint (s.test, ==, begun);
  }
  s.test = 10 * RCC_SEC;
  rcc_tcp_share_rebase (&s, 60 * RCC_MSEC, RTT, 20 * RCC_SEC);
  g_assert_false (rcc_tcp_share_tests (&s, 20 * RCC_SEC));
}

static void
no_more_is_due_than_a_tenth_above_what_came (void)
{
  RccTcpShare s = share (1);
  double due;

  run (&s, LOW, HIGH, 200, 0, 20 * RCC_SEC);
  s.test = RCC_NEVER;
  due = rcc_tcp_share_bps (&s, PLENTY, RTT, 20 * RCC_SEC);
  g_assert_cmpfloat (due, >, 1.2e6);
  s.peak = 0;
  g_assert_cmpfloat_with_epsilon (rcc_tcp_share_bps (&s, 1e6, RTT, 20 * RCC_SEC), 1.1e6, 1);
  /* what came fades, by a twentieth in a second */
  g_assert_cmpfloat_with_epsilon (rcc_tcp_share_bps (&s, 1, RTT, 21 * RCC_SEC), 1.046e6, 1000);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, due, RTT, 21 * RCC_SEC), ==, due);
  /* another clock's peak is none */
  g_assert_cmpfloat_with_epsilon (rcc_tcp_share_bps (&s, 1e6, RTT, 20 * RCC_SEC), 1.1e6, 1);
}

/* Nothing is due where TCP's equation knows no end. */
static void
without_a_round_trip_there_is_none (void)
{
  RccTcpShare s = share (1);

  run (&s, LOW, HIGH, 200, 0, 20 * RCC_SEC);
  s.test = RCC_NEVER;
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, RTT, 20 * RCC_SEC), >, 0);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, 0, 20 * RCC_SEC), ==, 0);
}

static void
a_clock_that_is_set_ends_it (void)
{
  RccTcpShare s = share (1);

  run (&s, LOW, HIGH, 200, 1000 * RCC_SEC, 1020 * RCC_SEC);
  s.test = RCC_NEVER;
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, RTT, 1020 * RCC_SEC), >, 0);
  take (&s, HIGH, FALSE, RCC_SEC);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, PLENTY, RTT, RCC_SEC), ==, 0);
  g_assert_cmpuint (run (&s, LOW, HIGH, 200, RCC_SEC, 61 * RCC_SEC), >, 4000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(f) g_test_add_func ("/gcc/tcp-share/" #f, f)
  ADD (what_tcp_fills_has_a_floor);
  ADD (what_reno_empties_for_a_moment_has_one);
  ADD (on_a_long_path_it_is_that_of_cubic);
  ADD (what_empties_has_none);
  ADD (a_frame_is_no_queue);
  ADD (a_queue_far_from_full_has_none);
  ADD (without_losses_there_is_none);
  ADD (with_many_losses_there_is_none);
  ADD (an_empty_queue_does_not_vary);
  ADD (behind_a_full_queue_there_is_none);
  ADD (what_comes_at_one_rate_is_our_own);
  ADD (there_are_tests);
  ADD (our_own_queue_is_found_out);
  ADD (a_path_that_got_longer_has_none);
  ADD (a_test_in_which_the_base_is_known_anew_begins_anew);
  ADD (another_base_than_that_begins_no_test);
  ADD (no_more_is_due_than_a_tenth_above_what_came);
  ADD (without_a_round_trip_there_is_none);
  ADD (a_clock_that_is_set_ends_it);
  return g_test_run ();
}
