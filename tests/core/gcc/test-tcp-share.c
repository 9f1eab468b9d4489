/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/gcc/tcp-share.h"
#include "core/tcpeq.h"

#define FLOOR (15 * RCC_MSEC)
#define RTT (100 * RCC_MSEC)
#define SIZE 1000
#define BPS (SIZE * 8 * 100.)
#define GAP (10 * RCC_MSEC)             /* between packets */

/* From @from to @to: Reno's sawtooth, from @low to @high in 2 s; @every so many packets one is
 * lost.  Returns for how many there was a floor. */
static guint
run (RccTcpShare *s, RccTime low, RccTime high, guint every, RccTime from, RccTime to)
{
  guint n = 0, i = 0;

  for (RccTime t = from; t < to; t += GAP) {
    const RccTime queue = low + (high - low) / 200 * (t / GAP % 200);

    rcc_tcp_share_losses (s, every && ++i % every == 0, 1, BPS, RTT, t);
    rcc_tcp_share_packet (s, queue, SIZE, RTT, t);
    n += rcc_tcp_share_bps (s, RTT, t) > 0;
  }
  return n;
}

static RccTcpShare
share (double of)
{
  RccTcpShare s;

  rcc_tcp_share_init (&s, of, FLOOR);
  return s;
}

static void
what_tcp_fills_has_a_floor (void)
{
  RccTcpShare s = share (0.5);
  const RccTcpPath path = { .packet_size = SIZE, .rtt = RTT };
  double due;

  g_assert_cmpuint (run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 200, 0, 3 * RCC_SEC), ==, 0);
  g_assert_cmpuint (run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 200, 3 * RCC_SEC, 60 * RCC_SEC),
      >, 4000);
  due = 4 * rcc_tcp_throughput (RCC_TCP_PADHYE, &path, 1 / 200.);
  while (rcc_tcp_share_tests (&s, RTT, 60 * RCC_SEC))
    s.test -= RCC_SEC;
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, RTT, 60 * RCC_SEC), >, 0.9 * due);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, RTT, 60 * RCC_SEC), <, 1.1 * due);
}

/* RFC 9438 5.1: 1.054 (RTT / p)^.75 packets in a round trip, where that is more than Reno's. */
static void
on_a_long_path_it_is_that_of_cubic (void)
{
  RccTcpShare s = share (1);
  const double p = 1 / 2000., due = 8 * 1.054 * SIZE * pow (1 / p, 0.75);

  for (RccTime t = 0; t < 200 * RCC_SEC; t += GAP) {
    rcc_tcp_share_losses (&s, t / GAP % 2000 == 0, 1, BPS, RCC_SEC, t);
    rcc_tcp_share_packet (&s, 100 * RCC_MSEC, SIZE, RCC_SEC, t);
  }
  s.test = RCC_NEVER;
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, RCC_SEC, 200 * RCC_SEC), >, 0.9 * due);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, RCC_SEC, 200 * RCC_SEC), <, 1.1 * due);
}

static void
what_empties_has_none (void)
{
  RccTcpShare s = share (1);

  g_assert_cmpuint (run (&s, 5 * RCC_MSEC, 100 * RCC_MSEC, 200, 0, 60 * RCC_SEC), ==, 0);
  /* nor a tenth of a long one */
  s = share (1);
  g_assert_cmpuint (run (&s, 25 * RCC_MSEC, 400 * RCC_MSEC, 200, 60 * RCC_SEC, 120 * RCC_SEC), ==, 0);
}

static void
without_losses_there_is_none (void)
{
  RccTcpShare s = share (1);

  g_assert_cmpuint (run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 0, 0, 60 * RCC_SEC), ==, 0);
  rcc_tcp_share_losses (&s, 3, 3, BPS, RTT, 60 * RCC_SEC);   /* one loss event */
  rcc_tcp_share_losses (&s, 1, 1, BPS, RTT, 60 * RCC_SEC + RTT / 2);
  g_assert_cmpuint (run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 0, 60 * RCC_SEC, 120 * RCC_SEC), ==, 0);
}

static void
with_many_losses_there_is_none (void)
{
  RccTcpShare s = share (1);

  run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 20, 0, 60 * RCC_SEC);
  g_assert_cmpuint (run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 20, 60 * RCC_SEC, 120 * RCC_SEC), ==, 0);
}

/* What only we filled is empty behind it. */
static void
there_are_tests (void)
{
  RccTcpShare s = share (1);
  guint n = 0;

  run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 200, 0, 10 * RCC_SEC);
  for (RccTime t = 10 * RCC_SEC; t < 40 * RCC_SEC; t += GAP) {
    rcc_tcp_share_packet (&s, 50 * RCC_MSEC, SIZE, RTT, t);
    if (rcc_tcp_share_tests (&s, RTT, t)) {
      n++;
      g_assert_cmpfloat (rcc_tcp_share_bps (&s, RTT, t), ==, 0);
    }
  }
  /* two of them, of 600 ms and a round trip */
  g_assert_cmpuint (n, ==, 2 * 70);
  run (&s, 0, 10 * RCC_MSEC, 0, 40 * RCC_SEC, 40 * RCC_SEC + 100 * RCC_MSEC);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, RTT, 40 * RCC_SEC + 100 * RCC_MSEC), ==, 0);
}

/* Nothing is due where TCP's equation knows no end. */
static void
without_a_round_trip_there_is_none (void)
{
  RccTcpShare s = share (1);

  run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 200, 0, 10 * RCC_SEC);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, RTT, 10 * RCC_SEC), >, 0);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, 0, 10 * RCC_SEC), ==, 0);
}

static void
a_clock_that_is_set_ends_it (void)
{
  RccTcpShare s = share (1);

  run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 200, 1000 * RCC_SEC, 1010 * RCC_SEC);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, RTT, 1010 * RCC_SEC), >, 0);
  rcc_tcp_share_packet (&s, 50 * RCC_MSEC, SIZE, RTT, RCC_SEC);
  g_assert_cmpfloat (rcc_tcp_share_bps (&s, RTT, RCC_SEC), ==, 0);
  g_assert_cmpuint (run (&s, 25 * RCC_MSEC, 100 * RCC_MSEC, 200, RCC_SEC, 61 * RCC_SEC), >, 4000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(f) g_test_add_func ("/gcc/tcp-share/" #f, f)
  ADD (what_tcp_fills_has_a_floor);
  ADD (on_a_long_path_it_is_that_of_cubic);
  ADD (what_empties_has_none);
  ADD (without_losses_there_is_none);
  ADD (with_many_losses_there_is_none);
  ADD (there_are_tests);
  ADD (without_a_round_trip_there_is_none);
  ADD (a_clock_that_is_set_ends_it);
  return g_test_run ();
}
