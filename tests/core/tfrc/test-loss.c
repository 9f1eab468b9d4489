/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/rng.h"
#include "core/tcpeq.h"
#include "core/tfrc/loss.h"

#define NEAR(a, b) g_assert_cmpfloat_with_epsilon ((a), (b), 1e-9)
#define SPACING 10                      /* ms between packets */

static RccTfrcLoss l;
static RccTfrcPath path;

static void
start (gboolean discounting, guint rtt_ms)
{
  rcc_tfrc_loss_init (&l, discounting);
  path = (RccTfrcPath) { rtt_ms * RCC_MSEC, 50000.0, 1000.0 };
}

static gboolean
at (gint64 seq, guint ms)
{
  return rcc_tfrc_loss_packet (&l, seq, ms * RCC_MSEC, FALSE, &path);
}

/* Packet @seq when its turn is. */
static gboolean
packet (gint64 seq)
{
  return at (seq, (guint) (seq * SPACING));
}

static void
packets (gint64 from, gint64 to)
{
  for (gint64 seq = from; seq <= to; seq++)
    packet (seq);
}

static void
no_loss_no_rate (void)
{
  start (FALSE, 100);
  g_assert_cmpfloat (rcc_tfrc_loss_rate (&l), ==, 0.0);
  packets (1, 1000);
  g_assert_cmpfloat (rcc_tfrc_loss_rate (&l), ==, 0.0);
  g_assert_cmpfloat (rcc_tfrc_loss_open (&l), ==, 0.0);
}

/* 5.1: three later packets, and no fewer, mean loss */
static void
reordering_is_no_loss (void)
{
  start (FALSE, 100);
  packets (1, 10);
  g_assert_false (at (12, 120));
  g_assert_false (at (13, 130));
  g_assert_false (at (11, 131));        /* two behind */
  for (gint64 seq = 14; seq < 600; seq += 3) {
    g_assert_false (packet (seq + 2));
    g_assert_false (packet (seq + 1));
    g_assert_false (packet (seq));
  }
  g_assert_cmpuint (l.lost, ==, 0);
  g_assert_cmpuint (l.events, ==, 0);

  g_assert_false (at (604, 6040));      /* the loop ended with 601 */
  g_assert_false (at (605, 6050));
  g_assert_cmpuint (l.lost, ==, 0);
  g_assert_true (at (606, 6060));
  g_assert_cmpuint (l.lost, ==, 2);
  g_assert_cmpuint (l.events, ==, 1);
}

/* 5.2: T_loss between the arrivals around the hole, in proportion to the numbers */
static void
interpolates_the_time_of_a_loss (void)
{
  start (FALSE, 15);
  at (10, 1000);
  at (14, 1040);
  at (15, 1050);
  g_assert_true (at (16, 1060));
  g_assert_cmpuint (l.lost, ==, 3);
  /* 11 at 1010 begins; 12 at 1020 is within 15 ms; 13 at 1030 is not */
  g_assert_cmpuint (l.events, ==, 2);
  g_assert_cmpint (l.now.start.seq, ==, 13);
  g_assert_cmpuint (l.now.start.at, ==, 1030 * RCC_MSEC);
  NEAR (l.now.interval[1], 2.0);
}

/* S_before is the last to arrive before anything above the hole, S_after the first
 * above it: what fills part of the hole later is neither. */
static void
interpolates_across_what_came_late (void)
{
  start (FALSE, 1);
  at (10, 1000);
  at (15, 1050);
  at (12, 1052);
  at (16, 1060);
  g_assert_cmpuint (l.lost, ==, 1);     /* 11: 12, 15 and 16 are there */
  g_assert_cmpuint (l.now.start.at, ==, 1010 * RCC_MSEC);
  at (17, 1070);
  g_assert_cmpuint (l.lost, ==, 3);     /* 13 at 1030 and 14 at 1040 as well */
  g_assert_cmpint (l.now.start.seq, ==, 14);
  g_assert_cmpuint (l.now.start.at, ==, 1040 * RCC_MSEC);

  start (FALSE, 1);                     /* the last to arrive below need not be the highest */
  at (10, 1000);
  at (12, 1020);
  at (11, 1021);
  at (15, 1051);
  at (16, 1060);
  at (17, 1070);
  g_assert_cmpint (l.now.start.seq, ==, 14);
  /* 1021 + 30 * 3/4 */
  g_assert_cmpuint (l.now.start.at, ==, 1043 * RCC_MSEC + 500 * RCC_USEC);
}

static guint64
events_of_two_losses (gint64 first, gint64 second)
{
  start (FALSE, 100);
  for (gint64 seq = 1; seq < 60; seq++)
    if (seq != first && seq != second)
      packet (seq);
  g_assert_cmpuint (l.lost, ==, 2);
  return l.events;
}

/* 5.2: T_old + R >= T_new is the same event */
static void
losses_within_a_round_trip_are_one_event (void)
{
  g_assert_cmpuint (events_of_two_losses (11, 12), ==, 1);
  g_assert_cmpuint (events_of_two_losses (11, 21), ==, 1);
  g_assert_cmpuint (events_of_two_losses (11, 22), ==, 2);
  NEAR (l.now.interval[1], 11.0);
}

static void
a_long_hole_is_an_event_per_round_trip (void)
{
  start (FALSE, 100);
  packets (1, 10);
  packets (41, 43);                     /* 11 at 110, 22 at 220, 33 at 330 */
  g_assert_cmpuint (l.lost, ==, 30);
  g_assert_cmpuint (l.events, ==, 3);
  g_assert_cmpint (l.now.start.seq, ==, 33);
  NEAR (l.now.interval[1], 11.0);
  NEAR (l.now.interval[2], 11.0);
}

/* One packet lost after every so many, oldest first; returns the last one's number. */
static gint64
lose (const guint *intervals, gsize n)
{
  gint64 lost = 100, next = 1;

  for (gsize i = 0; i <= n; i++) {
    packets (next, lost - 1);
    next = lost + 1;
    if (i < n)
      lost += intervals[i];
  }
  packets (next, next + 2);
  return lost;
}

/* 5.4, by hand */
static void
averages_the_intervals (void)
{
  static const guint down[] = { 80, 70, 60, 50, 40, 30, 20, 10 };
  gint64 last;

  start (FALSE, 1);
  last = lose (down, 8);
  g_assert_cmpuint (l.events, ==, 9);
  g_assert_cmpuint (l.now.n, ==, 8);
  for (guint i = 1; i <= 8; i++)
    NEAR (l.now.interval[i], 10.0 * i);
  /* I_0 = 4 would lower the mean: I_tot0 = 4+10+20+30 + .8 40 + .6 50 + .4 60 + .2 70 = 164,
   * I_tot1 = 10+20+30+40 + .8 50 + .6 60 + .4 70 + .2 80 = 220, of weights 6 */
  NEAR (rcc_tfrc_loss_open (&l), 4.0);
  NEAR (rcc_tfrc_loss_rate (&l), 6.0 / 220);
  packets (last + 4, last + 59);        /* 60: I_tot0 = 220, the same */
  NEAR (rcc_tfrc_loss_rate (&l), 6.0 / 220);
  packets (last + 60, last + 99);       /* I_0 = 100: I_tot0 = 260 */
  NEAR (rcc_tfrc_loss_open (&l), 100.0);
  NEAR (rcc_tfrc_loss_rate (&l), 6.0 / 260);
}

static void
averages_fewer_than_eight (void)
{
  static const guint two[] = { 40, 100 };
  double first;

  start (FALSE, 1);
  lose (two, 2);
  g_assert_cmpuint (l.now.n, ==, 3);
  first = l.now.interval[3];            /* the synthetic one */
  NEAR (l.now.interval[1], 100.0);
  NEAR (l.now.interval[2], 40.0);
  NEAR (rcc_tfrc_loss_rate (&l), 3.0 / MAX (4.0 + 100.0 + 40.0, 100.0 + 40.0 + first));
}

/* 5.5, by hand: eight intervals of 10 */
static void
discounts_history (void)
{
  static const guint ten[] = { 10, 10, 10, 10, 10, 10, 10, 10 };
  gint64 last;

  start (TRUE, 1);
  last = lose (ten, 8);
  NEAR (rcc_tfrc_loss_rate (&l), 0.1);
  packets (last + 4, last + 19);        /* I_0 = 20, not more than twice the mean */
  NEAR (rcc_tfrc_loss_rate (&l), 6.0 / 70);
  packets (last + 20, last + 39);       /* 40: DF = 1/2; (1 + 5/2) / (40 + 50/2) */
  NEAR (rcc_tfrc_loss_rate (&l), 3.5 / 65);
  packets (last + 40, last + 199);      /* 200: DF = 1/4, its least */
  NEAR (rcc_tfrc_loss_rate (&l), 2.25 / 212.5);

  packets (last + 201, last + 203);     /* a loss closes it */
  NEAR (l.now.interval[1], 200.0);
  NEAR (l.now.df[1], 1.0);
  for (guint i = 2; i <= 8; i++)
    NEAR (l.now.df[i], 0.25);
  /* I_tot1 = 200 + 10/4 (1+1+1+.8+.6+.4+.2), of 1 + 5/4 */
  NEAR (rcc_tfrc_loss_rate (&l), 2.25 / 212.5);
  /* I_0 = 150: I_tot0 = 150 + 200 + 10/4 (1+1+.8+.6+.4+.2), of 2 + 4/4 */
  packets (last + 204, last + 349);
  NEAR (rcc_tfrc_loss_open (&l), 150.0);
  NEAR (rcc_tfrc_loss_rate (&l), 3.0 / 360);

  start (FALSE, 1);
  last = lose (ten, 8);
  packets (last + 4, last + 199);
  NEAR (rcc_tfrc_loss_rate (&l), 6.0 / 250);
}

/* 6.3.1 */
static void
seeds_the_first_interval (void)
{
  const RccTcpPath tcp = { .packet_size = 1000.0, .rtt = 100 * RCC_MSEC };
  double p;

  start (FALSE, 100);                   /* 50000 B/s were received */
  packets (1, 10);
  packets (12, 14);
  p = rcc_tfrc_loss_rate (&l);
  g_assert_cmpfloat_with_epsilon (rcc_tcp_throughput (RCC_TCP_PADHYE, &tcp, p), 50000.0, 50.0);
  g_assert_cmpuint (l.now.n, ==, 1);

  start (FALSE, 100);                   /* the null interval: half a packet per R */
  path.target = 0.0;
  g_assert_true (rcc_tfrc_loss_packet (&l, 1, RCC_SEC, TRUE, &path));
  g_assert_cmpfloat_with_epsilon (rcc_tcp_throughput (RCC_TCP_PADHYE, &tcp,
          1.0 / l.now.interval[1]), 5000.0, 5.0);
}

/* 5.1's own example: n-1, n+1, marked n+2 */
static void
a_mark_counts_at_once (void)
{
  start (FALSE, 100);
  g_assert_false (packet (9));
  g_assert_false (packet (11));
  g_assert_true (rcc_tfrc_loss_packet (&l, 12, 120 * RCC_MSEC, TRUE, &path));
  g_assert_cmpint (l.now.start.seq, ==, 10);
  g_assert_cmpuint (l.now.start.at, ==, 100 * RCC_MSEC);
  g_assert_cmpuint (l.events, ==, 1);
  g_assert_cmpuint (l.lost, ==, 1);
  g_assert_cmpuint (l.marked, ==, 1);
  packets (13, 20);                     /* 10 is not counted a second time */
  g_assert_cmpuint (l.lost, ==, 1);
  g_assert_true (rcc_tfrc_loss_packet (&l, 21, 210 * RCC_MSEC, TRUE, &path));
  g_assert_cmpuint (l.events, ==, 2);   /* 110 ms after */
  NEAR (rcc_tfrc_loss_open (&l), 1.0);  /* 5.3: S_A == S_C */
}

static void
a_late_packet_takes_its_event_back (void)
{
  double before;

  start (TRUE, 100);
  packets (1, 10);
  packets (12, 100);
  before = rcc_tfrc_loss_rate (&l);
  packets (102, 104);
  g_assert_cmpuint (l.events, ==, 2);
  g_assert_true (at (101, 1045));
  g_assert_cmpuint (l.events, ==, 1);
  g_assert_cmpfloat (rcc_tfrc_loss_rate (&l), <=, before);
  NEAR (rcc_tfrc_loss_open (&l), 104.0 - 11 + 1);
  g_assert_false (at (101, 1046));      /* again: a duplicate */
  g_assert_false (at (11, 1047));       /* the event before is history */
  g_assert_cmpuint (l.events, ==, 1);

  start (TRUE, 100);                    /* two in the event: it stands */
  packets (1, 10);
  packets (13, 20);
  g_assert_false (at (11, 205));
  g_assert_cmpuint (l.events, ==, 1);
}

static void
a_duplicate_changes_nothing (void)
{
  RccTfrcLoss before;

  start (TRUE, 100);
  packets (1, 10);
  packets (12, 20);
  before = l;
  for (gint64 seq = 18; seq <= 20; seq++)
    g_assert_false (at (seq, 300));
  g_assert_cmpmem (&before, sizeof before, &l, sizeof l);
  g_assert_false (at (5, 300));
  g_assert_cmpuint (l.events, ==, 1);
  g_assert_cmpfloat (rcc_tfrc_loss_rate (&l), ==, rcc_tfrc_loss_rate (&before));
}

/* Numbers that start anew are no loss, and forget none. */
static void
a_jump_is_no_loss (void)
{
  double before;

  start (FALSE, 100);
  packets (1, 10);
  packets (12, 50);
  before = rcc_tfrc_loss_rate (&l);
  g_assert_false (at (G_MAXINT64, 600));
  g_assert_false (at (-5000000, 610));
  g_assert_false (at (-4999999, 620));
  g_assert_false (at (-4999998, 630));
  g_assert_cmpuint (l.lost, ==, 1);
  g_assert_cmpuint (l.events, ==, 1);
  g_assert_cmpfloat (rcc_tfrc_loss_rate (&l), <=, before);
  g_assert_cmpfloat (rcc_tfrc_loss_open (&l), <, 50.0);
  at (-4999996, 650);
  at (-4999995, 660);
  g_assert_true (at (-4999994, 670) && l.events == 2);
}

/* What happens after the receiver's clock was set back is not the event from before. */
static void
a_clock_set_back_starts_an_event (void)
{
  start (FALSE, 100);
  packets (1, 300);
  packets (302, 310);
  g_assert_cmpuint (l.events, ==, 1);
  for (gint64 seq = 311; seq < 350; seq++)
    if (seq != 330)
      at (seq, (guint) (seq - 310) * SPACING);
  g_assert_cmpuint (l.lost, ==, 2);
  g_assert_cmpuint (l.events, ==, 2);
}

static void
anything_may_come (void)
{
  RccRng rng;

  rcc_rng_init (&rng, 7, 1);
  for (guint round = 0; round < 40; round++) {
    gint64 seq = (gint64) rcc_rng_u32 (&rng) - 0x7fffffff;
    RccTime now = rcc_rng_u32 (&rng);

    start (round & 1, 0);
    for (guint i = 0; i < 2000; i++) {
      const guint what = rcc_rng_u32 (&rng) % 64;
      double p;

      path.rtt = what == 0 ? G_MAXUINT64 : rcc_rng_u32 (&rng);
      path.target = what == 1 ? INFINITY : rcc_rng_exponential (&rng, 1e5);
      path.packet_size = 1.0 + rcc_rng_u32 (&rng) % 65536;
      seq += what == 2 ? G_MAXINT32 : what == 3 ? -(gint64) G_MAXINT32
          : what < 8 ? (gint64) (rcc_rng_u32 (&rng) % 3000) : (gint64) (what % 4) - 1;
      now = what == 60 ? G_MAXUINT64 : what == 61 ? 0 : now + rcc_rng_u32 (&rng) / 16;
      rcc_tfrc_loss_packet (&l, what == 62 ? G_MININT64 : seq, now, what == 63, &path);
      p = rcc_tfrc_loss_rate (&l);
      g_assert_true (p >= 0.0 && p <= 1.0);
      g_assert_true ((p > 0.0) == (l.now.n > 0));
      g_assert_true (rcc_tfrc_loss_open (&l) >= (l.now.n > 0 ? 1.0 : 0.0));
    }
  }
}

/* An absurd R ends at 64 s, and not before. */
static void
an_event_lasts_for_64_seconds_at_most (void)
{
  for (guint second = 0; second < 2; second++) {
    start (FALSE, 100000);
    for (guint i = 0; i < 200; i++)
      if (i != 10 && i != (second ? 139 : 138))
        at (i, i * 500);
    g_assert_cmpuint (l.lost, ==, 2);
    g_assert_cmpuint (l.events, ==, second ? 2 : 1);
  }
}

/* From one end of the numbers to the other is further than they can count. */
static void
the_longest_jump_is_one (void)
{
  start (FALSE, 100);
  at (G_MININT64, 10);
  at (G_MAXINT64, 20);
  g_assert_cmpuint (l.n_top, ==, 1);
  g_assert_cmpuint (l.lost + l.late, ==, 0);
  at (G_MININT64, 30);
  g_assert_cmpuint (l.n_top, ==, 1);
  g_assert_cmpuint (l.lost + l.late, ==, 0);
}

/* 5.1: what is missing below a mark came first, what is missing above it is not known yet. */
static void
a_mark_judges_what_is_below_it (void)
{
  start (FALSE, 100);
  packet (9);
  g_assert_true (rcc_tfrc_loss_packet (&l, 11, 110 * RCC_MSEC, TRUE, &path));
  g_assert_cmpint (l.now.start.seq, ==, 10);
  g_assert_cmpuint (l.lost, ==, 1);
  start (FALSE, 100);
  packet (8);
  at (12, 120);
  g_assert_true (rcc_tfrc_loss_packet (&l, 10, 125 * RCC_MSEC, TRUE, &path));
  g_assert_cmpint (l.now.start.seq, ==, 9);
  g_assert_cmpuint (l.lost, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tfrc-loss/no-loss-no-rate", no_loss_no_rate);
  g_test_add_func ("/tfrc-loss/reordering", reordering_is_no_loss);
  g_test_add_func ("/tfrc-loss/t-loss", interpolates_the_time_of_a_loss);
  g_test_add_func ("/tfrc-loss/t-loss-late", interpolates_across_what_came_late);
  g_test_add_func ("/tfrc-loss/one-event", losses_within_a_round_trip_are_one_event);
  g_test_add_func ("/tfrc-loss/longest-event", an_event_lasts_for_64_seconds_at_most);
  g_test_add_func ("/tfrc-loss/long-hole", a_long_hole_is_an_event_per_round_trip);
  g_test_add_func ("/tfrc-loss/average", averages_the_intervals);
  g_test_add_func ("/tfrc-loss/average-of-few", averages_fewer_than_eight);
  g_test_add_func ("/tfrc-loss/discounting", discounts_history);
  g_test_add_func ("/tfrc-loss/first-interval", seeds_the_first_interval);
  g_test_add_func ("/tfrc-loss/mark", a_mark_counts_at_once);
  g_test_add_func ("/tfrc-loss/late", a_late_packet_takes_its_event_back);
  g_test_add_func ("/tfrc-loss/duplicate", a_duplicate_changes_nothing);
  g_test_add_func ("/tfrc-loss/jump", a_jump_is_no_loss);
  g_test_add_func ("/tfrc-loss/clock", a_clock_set_back_starts_an_event);
  g_test_add_func ("/tfrc-loss/hostile", anything_may_come);
  g_test_add_func ("/tfrc-loss/longest-jump", the_longest_jump_is_one);
  g_test_add_func ("/tfrc-loss/below-a-mark", a_mark_judges_what_is_below_it);
  return g_test_run ();
}
