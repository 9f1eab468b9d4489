/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/intervals.h"

#include <glib.h>

#define MS RCC_MSEC

static RccNadaIntervals l;
static RccTime sent;

/* @n packets, 10 ms apart, the last of which is lost if @lost */
static void
packets (guint n, gboolean lost)
{
  for (guint i = 1; i <= n; i++)
    rcc_nada_intervals_packet (&l, lost && i == n, sent += 10 * MS, 100 * MS);
}

static void
begin (void)
{
  l = (RccNadaIntervals) { 0 };
  sent = 0;
}

static void
first_loss (void)
{
  begin ();
  packets (100, FALSE);
  g_assert_cmpfloat (rcc_nada_intervals_mean (&l), ==, 0);
  g_assert_cmpfloat (rcc_nada_intervals_warped (&l, 7), ==, 0);
  packets (1, TRUE);
  g_assert_cmpfloat (rcc_nada_intervals_mean (&l), ==, 100);
  g_assert_cmpfloat (rcc_nada_intervals_warped (&l, 7), ==, 1);
}

/* The first packet of all: an interval of one.  Weights 1 1 1 1 .8: (4 * 20 + .8) / 4.8. */
static void
a_first_packet_may_be_lost (void)
{
  begin ();
  packets (1, TRUE);
  g_assert_cmpfloat (rcc_nada_intervals_mean (&l), ==, 1);
  for (guint i = 0; i < 4; i++)
    packets (20, TRUE);
  g_assert_cmpfloat_with_epsilon (rcc_nada_intervals_mean (&l), 80.8 / 4.8, 1e-9);
}

/* RFC 5348 5.4, by hand: I_1 = 50, I_2 = 20, I_3 = 100; w = 1, 1, 1.
 * Closed alone: 170 / 3.  With I_0 = 81: (81 + 50 + 20) / 3 is less, with 111 it is 181 / 3. */
static void
mean_of_three (void)
{
  begin ();
  packets (101, TRUE);
  packets (20, TRUE);
  packets (50, TRUE);
  g_assert_cmpfloat_with_epsilon (rcc_nada_intervals_mean (&l), 170 / 3.0, 1e-9);
  packets (80, FALSE);
  g_assert_cmpfloat_with_epsilon (rcc_nada_intervals_mean (&l), 170 / 3.0, 1e-9);
  packets (30, FALSE);
  g_assert_cmpfloat_with_epsilon (rcc_nada_intervals_mean (&l), 181 / 3.0, 1e-9);
}

/* Weights 1 1 1 1 .8 .6 .4 .2, together 6: the newest four have 40, the older four 20,
 * (4 * 40 + 2 * 20) / 6. */
static void
older_ones_count_less (void)
{
  begin ();
  packets (1001, TRUE);
  for (guint i = 0; i < 4; i++)
    packets (20, TRUE);
  for (guint i = 0; i < 4; i++)
    packets (40, TRUE);
  g_assert_cmpuint (l.n, ==, 8);
  g_assert_cmpfloat_with_epsilon (rcc_nada_intervals_mean (&l), 200 / 6.0, 1e-9);
}

/* RFC 5348 5.2: 100 ms after an event's first packet another one may begin. */
static void
losses_within_a_round_trip (void)
{
  begin ();
  packets (101, TRUE);
  for (guint i = 0; i < 10; i++)
    packets (1, TRUE);
  g_assert_cmpuint (l.n, ==, 1);
  g_assert_cmpfloat (rcc_nada_intervals_mean (&l), ==, 100);
  packets (1, TRUE);                    /* after 110 ms */
  g_assert_cmpuint (l.n, ==, 2);
  g_assert_cmpfloat (l.closed[0], ==, 11);
}

/* loss_int 100: full until 700 packets after it, none from 800 on. */
static void
a_loss_expires (void)
{
  begin ();
  packets (101, TRUE);
  packets (50, FALSE);
  g_assert_cmpfloat (rcc_nada_intervals_warped (&l, 7), ==, 1);
  l.open = 1;                           /* so that the mean stands */
  l.since = 700;
  g_assert_cmpfloat (rcc_nada_intervals_warped (&l, 7), ==, 1);
  l.since = 750;
  g_assert_cmpfloat_with_epsilon (rcc_nada_intervals_warped (&l, 7), 0.5, 1e-9);
  l.since = 800;
  g_assert_cmpfloat (rcc_nada_intervals_warped (&l, 7), ==, 0);
  l.since = 900;
  g_assert_cmpfloat (rcc_nada_intervals_warped (&l, 7), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/nada/intervals/first-packet", a_first_packet_may_be_lost);
  g_test_add_func ("/core/nada/intervals/first-loss", first_loss);
  g_test_add_func ("/core/nada/intervals/mean-of-three", mean_of_three);
  g_test_add_func ("/core/nada/intervals/older-ones-count-less", older_ones_count_less);
  g_test_add_func ("/core/nada/intervals/losses-within-a-round-trip", losses_within_a_round_trip);
  g_test_add_func ("/core/nada/intervals/a-loss-expires", a_loss_expires);
  return g_test_run ();
}
