/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The equations of screamv2 4.2.1.3, 4.2.2, 4.5.2 and 4.5.3, with numbers worked out by hand.
 */
#include "core/scream/window.h"

#include <glib.h>
#include <math.h>

#define MS RCC_MSEC
#define EPS 1e-6

static RccScreamConfig config;
static RccScreamWindow w;
static RccScreamSignals in;

/* A window of @bytes that is full, for a round trip of 100 ms, and the rate is not its most. */
static void
begin (double bytes)
{
  config = rcc_scream_config ();
  rcc_scream_window_init (&w, &config);
  w.bytes = bytes;
  in = (RccScreamSignals) { .now = 10 * RCC_SEC, .rtt = 100 * MS, .packets = 10,
    .delay_scale = 1.0, .most_in_flight = 1000000, .most_in_flight_before = 1000000,
    .target_bps = 1e6, .most_bps = 2e6 };
}

static void
update (void)
{
  rcc_scream_window_update (&w, &config, &in);
}

/* 4.2.2.1: .7, no oftener than each 25 ms; the inflection point stays until it grows again. */
static void
losses_leave_seven_tenths (void)
{
  begin (10000);
  in.lost = 1;
  update ();
  g_assert_cmpuint (w.detected, ==, in.now);
  g_assert_cmpfloat_with_epsilon (w.bytes, 7000, EPS);
  g_assert_cmpfloat_with_epsilon (w.inflection, 10000, EPS);
  in.now += 24 * MS;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 7000, EPS);
  in.now += MS;
  in.lost = 0;                          /* that of 1 ms ago is not forgotten */
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 4900, EPS);
  g_assert_cmpfloat_with_epsilon (w.inflection, 10000, EPS);
  in.now += 25 * MS;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 4900, EPS);
  in.lost = 1;
  in.now += 25 * MS;
  update ();
  in.now += 25 * MS;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 3000, EPS);          /* MIN_REF_WND */
  g_assert_cmpuint (w.losses, ==, 4);
  g_assert_cmpstr (w.state, ==, "loss");
}

static void
classic_marks_leave_four_fifths (void)
{
  begin (10000);
  in.packets_ce = 1;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 8000, EPS);
  in.lost = 1;                          /* a loss is worth more */
  in.now += 25 * MS;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 5600, EPS);
}

/* 4.2.1.3: half of the packets, 1/8: .0625; half of that off.  The first mark for long takes the
 * window to what was in flight. */
static void
l4s_marks_count_in_proportion (void)
{
  begin (10000);
  config.l4s = true;
  in.rtt = 25 * MS;
  in.packets_ce = 5;
  in.most_in_flight_before = 8000;
  update ();
  g_assert_cmpfloat_with_epsilon (w.alpha, 0.0625, EPS);
  g_assert_cmpfloat_with_epsilon (w.bytes, 8000 * (1 - 0.03125), EPS);
  in.packets_ce = 0;
  in.now += 9 * MS;                     /* each 10 ms */
  update ();
  g_assert_cmpfloat_with_epsilon (w.alpha, 0.0625, EPS);
  in.now += MS;
  update ();
  g_assert_cmpfloat_with_epsilon (w.alpha, 0.0625 * 127 / 128, EPS);
  g_assert_cmpfloat_with_epsilon (w.bytes, 7750, EPS);
}

/* Twice the virtual round trip: half as much.  At the inflection point a quarter, but not where
 * a queue stands. */
static void
l4s_steps_are_milder (void)
{
  begin (10000);
  config.l4s = true;
  w.alpha = 0.2;
  w.reacted = in.now - RCC_SEC;
  w.alpha_updated = in.now;             /* stays */
  in.rtt = 50 * MS;
  in.packets_ce = 10;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 10000 * (1 - 0.05), EPS);
  w.bytes = w.inflection = 10000;
  w.alpha = 0.2;
  in.now += 25 * MS;
  w.alpha_updated = in.now;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 10000 * (1 - 0.0125), EPS);
  w.bytes = w.inflection = 10000;
  w.alpha = 0.2;
  in.now += 25 * MS;
  w.alpha_updated = in.now;
  in.qdelay = 0.016;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 10000 * (1 - 0.05), EPS);
}

/* From 30 ms on, all of it at 60: 45 ms are .5, half of that off, over 100 / 25 ms. */
static void
a_queue_stands_for_marks (void)
{
  begin (10000);
  in.qdelay_mean = 0.030;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 10000, EPS);
  in.qdelay_mean = 0.045;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 10000 * (1 - 0.25 / 4), EPS);
  g_assert_cmpstr (w.state, ==, "queue");
  begin (10000);
  in.qdelay_mean = 3.0;
  in.rtt = 20 * MS;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 5000, EPS);
}

/* The reference's reaction to the queue hides losses. */
static void
a_queue_hides_no_loss (void)
{
  begin (10000);
  in.qdelay_mean = 0.045;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 9375, EPS);
  in.now += 10 * MS;
  in.lost = 1;
  update ();
  in.lost = 0;
  in.now += 15 * MS;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 9375 * 0.7, EPS);
}

static double
growth (double bytes, guint64 acked)
{
  w.bytes = bytes;
  in.acked = acked;
  in.now += 100 * MS;
  update ();
  return w.bytes - bytes;
}

/* 4.2.2.2: an MSS for a window that came back, and up to 2 % of it more. */
static void
it_grows_by_what_is_acknowledged (void)
{
  begin (20000);
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 1400, EPS);
  g_assert_cmpstr (w.state, ==, "increase");
  g_assert_cmpfloat_with_epsilon (growth (20000, 10000), 700, EPS);
  in.acked_ce = 5000;
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 0.75 * 1400, EPS);
  in.acked_ce = 0;
  w.detected = in.now + 100 * MS;       /* just now */
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 1000, EPS);
  w.detected = in.now + 100 * MS - 5 * RCC_SEC; /* 50 round trips ago */
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 1200, EPS);
}

/* As after the longest calm, when the clock begins as later. */
static void
before_any_congestion_it_grows_in_full (void)
{
  begin (20000);
  in.now = 0;
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 1400, EPS);
}

/* All of a round trip is kept until its end. */
static void
it_grows_once_a_round_trip (void)
{
  begin (20000);
  growth (20000, 20000);
  w.bytes = 20000;
  in.acked = 5000;
  for (guint i = 0; i < 3; i++) {
    in.now += 25 * MS;
    update ();
    g_assert_cmpfloat_with_epsilon (w.bytes, 20000, EPS);
  }
  in.now += 25 * MS;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 21400, EPS);
}

/* At the last maximum a quarter and a tenth of the multiple; 1/16 above it .25 of both. */
static void
it_grows_slowly_near_the_inflection_point (void)
{
  begin (20000);
  w.inflection = 20000;
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 250 * 1.04, EPS);
  g_assert_cmpfloat_with_epsilon (growth (21250, 21250), 250 * (1 + 0.425 * 0.25), EPS);
  g_assert_cmpfloat_with_epsilon (growth (22500, 22500), 1000 * 1.45, EPS);
  in.delay_scale = 0.5;
  g_assert_cmpfloat_with_epsilon (growth (22500, 22500), 500 * 1.45, EPS);
  in.delay_scale = 0.0;
  g_assert_cmpfloat_with_epsilon (growth (22500, 22500), 100 * 1.45, EPS);
}

static void
it_does_not_outgrow_what_is_in_flight (void)
{
  begin (20000);
  in.most_in_flight_before = 0;
  in.most_in_flight = 13500;            /* 1000 + 20250 */
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 0, EPS);
  in.most_in_flight = 13600;            /* 1000 + 20400 */
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 1400, EPS);
  in.target_bps = in.most_bps;
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 0, EPS);
}

static void
short_round_trips_grow_less (void)
{
  begin (20000);
  in.rtt = 5 * MS;
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 280, EPS);
}

/* 4.5.2: one loss of a hundred is not heeded, with a queue it is. */
static void
single_losses_can_be_left_unheeded (void)
{
  begin (50000);
  config.conditional_loss = true;
  in.packets = 100;
  in.lost = 1;
  update ();
  g_assert_cmpfloat_with_epsilon (w.loss_rate, 0.0025, EPS);
  g_assert_cmpfloat_with_epsilon (w.bytes, 50000, EPS);
  in.now += 25 * MS;
  in.qdelay_mean = 0.016;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 35000, EPS);
  in.qdelay_mean = 0.0;
  for (guint i = 0; w.loss_rate <= 0.01; i++) {
    in.lost = 5;
    in.now += 25 * MS;
    update ();
    g_assert_cmpuint (i, <, 10);
  }
  g_assert_cmpuint (w.losses, ==, 2);
}

/* Unheeded, it does not hide the queue. */
static void
what_is_unheeded_hides_nothing (void)
{
  begin (10000);
  config.conditional_loss = true;
  config.qdelay_target = 60 * MS;
  in.packets = 10000;
  in.lost = 1;
  update ();
  in.lost = 0;
  in.qdelay_mean = 0.045;
  in.now += 25 * MS;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 9375, EPS);
}

/* 4.5.2; the reference's limit overflows after two minutes. */
static void
a_policer_limits_the_window_for_a_time (void)
{
  begin (100000);
  config.policer = true;
  in.packets = 0;
  w.lost = true;
  w.loss_rate = config.policer_threshold;       /* and not more */
  update ();
  g_assert_true (isinf (w.policed));
  begin (100000);
  config.policer = true;
  in.packets = 0;
  in.lost = 60;                         /* 1 - .9975^60 = .139 */
  update ();
  g_assert_cmpfloat_with_epsilon (w.policed, 90000 * 1.001, EPS);
  g_assert_cmpfloat_with_epsilon (w.bytes, 70000, EPS);
  in.lost = 0;
  g_assert_cmpfloat (growth (95000, 0), <, 0);
  for (guint i = 0; i < 2000000; i++) {
    in.now += 100 * MS;
    update ();
  }
  g_assert_cmpfloat (w.policed, >, 1e9);
  g_assert_cmpfloat_with_epsilon (growth (20000, 20000), 1400, EPS);
}

/* 4.5.3 */
static void
an_undershoot_is_softened (void)
{
  begin (10000);
  config.undershoot = true;
  in.qdelay_mean = 0.060;
  in.acked_bps = 1.2e6;                 /* .8 of it is below the target */
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 8750, EPS);
  begin (10000);
  config.undershoot = true;
  in.qdelay_mean = 0.060;
  in.acked_bps = 1.3e6;
  update ();
  g_assert_cmpfloat_with_epsilon (w.bytes, 10000 * (1 - 0.125 / 4), EPS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/scream/window/losses", losses_leave_seven_tenths);
  g_test_add_func ("/core/scream/window/classic-ecn", classic_marks_leave_four_fifths);
  g_test_add_func ("/core/scream/window/l4s", l4s_marks_count_in_proportion);
  g_test_add_func ("/core/scream/window/l4s-milder", l4s_steps_are_milder);
  g_test_add_func ("/core/scream/window/queue", a_queue_stands_for_marks);
  g_test_add_func ("/core/scream/window/queue-hides-no-loss", a_queue_hides_no_loss);
  g_test_add_func ("/core/scream/window/growth", it_grows_by_what_is_acknowledged);
  g_test_add_func ("/core/scream/window/once", it_grows_once_a_round_trip);
  g_test_add_func ("/core/scream/window/inflection", it_grows_slowly_near_the_inflection_point);
  g_test_add_func ("/core/scream/window/in-flight", it_does_not_outgrow_what_is_in_flight);
  g_test_add_func ("/core/scream/window/short-rtt", short_round_trips_grow_less);
  g_test_add_func ("/core/scream/window/conditional", single_losses_can_be_left_unheeded);
  g_test_add_func ("/core/scream/window/unheeded", what_is_unheeded_hides_nothing);
  g_test_add_func ("/core/scream/window/policer", a_policer_limits_the_window_for_a_time);
  g_test_add_func ("/core/scream/window/before-congestion", before_any_congestion_it_grows_in_full);
  g_test_add_func ("/core/scream/window/undershoot", an_undershoot_is_softened);
  return g_test_run ();
}
