/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include "core/tcpeq.h"

static double
loss_at (RccTcpModel model, double size, guint rtt_ms, double bps, double multiplier)
{
  const RccTcpPath path = { .packet_size = size, .rtt = rtt_ms * RCC_MSEC };

  return rcc_tcp_loss (model, &path, bps / 8 / multiplier);
}

static void
throughput_of_known_paths (void)
{
  static const struct {
    double s;
    guint ms;
    double p, mathis, padhye;
  } v[] = {
    { 1200, 100, 0.01, 146969, 134799 }, { 1200, 100, 0.05, 65727, 44231 },
    { 1200, 100, 0.10, 46476, 21241 }, { 1200, 100, 0.20, 32863, 6439 },
    { 1200, 300, 0.02, 34641, 29300 }, { 500, 80, 0.01, 76547, 70208 },
    { 1436, 100, 0.50, 24872, 599 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (v); i++) {
    const RccTcpPath path = { .packet_size = v[i].s, .rtt = v[i].ms * RCC_MSEC };

    g_assert_cmpfloat_with_epsilon (rcc_tcp_throughput (RCC_TCP_MATHIS, &path, v[i].p),
        v[i].mathis, 0.51);
    g_assert_cmpfloat_with_epsilon (rcc_tcp_throughput (RCC_TCP_PADHYE, &path, v[i].p),
        v[i].padhye, 0.51);
  }
}

/* The LTE paper's Figure 10: at 1.5 Mbit/s and 1436 B, in percent. */
static void
loss_of_the_lte_paper (void)
{
  static const double v[5][4] = {
    { 88.0, 22.0, 12.4, 7.2 }, { 22.0, 5.5, 7.2, 3.2 }, { 9.8, 2.4, 4.7, 1.8 },
    { 5.5, 1.4, 3.2, 1.1 }, { 3.5, 0.88, 2.4, 0.77 },
  };

  for (guint i = 0; i < 5; i++) {
    for (guint k = 0; k < 4; k++) {
      const double p = loss_at (k / 2, 1436, 100 * (i + 1), 1.5e6, k % 2 ? 5 : 10);

      g_assert_cmpfloat_with_epsilon (100 * p, v[i][k], v[i][k] < 1 ? 0.0051 : 0.051);
    }
  }
}

/* "10 x TCP" with 1200 B; a limit above 1 is never reached. */
static void
loss_at_which_ten_times_tcp_trips (void)
{
  static const struct {
    double bps;
    guint ms;
    double mathis, padhye;
  } v[] = {
    { 1.5e6, 50, 2, 0.167 }, { 1.5e6, 100, 0.614, 0.110 }, { 1.5e6, 200, 0.154, 0.060 },
    { 1.5e6, 500, 0.025, 0.018 }, { 0.5e6, 50, 2, 0.269 }, { 0.5e6, 100, 2, 0.203 },
    { 0.5e6, 200, 2, 0.142 }, { 0.5e6, 500, 0.221, 0.072 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (v); i++) {
    const double mathis = loss_at (RCC_TCP_MATHIS, 1200, v[i].ms, v[i].bps, 10);

    if (v[i].mathis > 1)
      g_assert_cmpfloat (mathis, >, 1);
    else
      g_assert_cmpfloat_with_epsilon (mathis, v[i].mathis, 0.00051);
    g_assert_cmpfloat_with_epsilon (loss_at (RCC_TCP_PADHYE, 1200, v[i].ms, v[i].bps, 10),
        v[i].padhye, 0.00051);
  }
}

static void
loss_inverts_throughput (void)
{
  for (int model = 0; model < 2; model++)
    for (double p = 1e-12; p < 1e4; p *= 3)
      for (guint64 rtt = 1; rtt < 100 * RCC_SEC; rtt *= 7)
        for (double b = 1; b < 3; b++) {
          const RccTcpPath path = { .packet_size = 900, .rtt = rtt, .b = b };
          const double x = rcc_tcp_throughput (model, &path, p);

          g_assert_cmpfloat_with_epsilon (rcc_tcp_loss (model, &path, x) / p, 1, 1e-9);
        }
}

static void
defaults_are_the_rfcs (void)
{
  const RccTcpPath bare = { .packet_size = 1000, .rtt = 80 * RCC_MSEC };
  const RccTcpPath spelt = { .packet_size = 1000, .rtt = 80 * RCC_MSEC,
    .rto = 320 * RCC_MSEC, .b = 1 };
  const RccTcpPath slow = { .packet_size = 1000, .rtt = 80 * RCC_MSEC, .rto = RCC_SEC };

  g_assert_cmpfloat (rcc_tcp_throughput (RCC_TCP_PADHYE, &bare, 0.1), ==,
      rcc_tcp_throughput (RCC_TCP_PADHYE, &spelt, 0.1));
  g_assert_cmpfloat (rcc_tcp_throughput (RCC_TCP_PADHYE, &slow, 0.1), <,
      rcc_tcp_throughput (RCC_TCP_PADHYE, &bare, 0.1));
}

static void
no_loss_or_no_rtt_is_no_limit (void)
{
  const RccTcpPath path = { .packet_size = 1000, .rtt = RCC_SEC }, here = { 1000, 0, 0, 0 };

  for (int model = 0; model < 2; model++) {
    g_assert_cmpfloat (rcc_tcp_throughput (model, &path, 0), ==, INFINITY);
    g_assert_cmpfloat (rcc_tcp_throughput (model, &path, NAN), ==, INFINITY);
    g_assert_cmpfloat (rcc_tcp_throughput (model, &here, 0.5), ==, INFINITY);
    g_assert_cmpfloat (rcc_tcp_loss (model, &here, 1e5), ==, 0);
    g_assert_cmpfloat (rcc_tcp_loss (model, &path, 0), ==, INFINITY);
    g_assert_cmpfloat (rcc_tcp_throughput (model, &path, 1), >, 0);
  }
}

/* Whatever t_RTO is. */
static void
without_a_round_trip_there_is_no_bound (void)
{
  const RccTcpPath path = { .packet_size = 1200, .rto = RCC_SEC };

  for (guint model = 0; model < 2; model++) {
    g_assert_true (isinf (rcc_tcp_throughput ((RccTcpModel) model, &path, 0.1)));
    g_assert_cmpfloat (rcc_tcp_loss ((RccTcpModel) model, &path, 1e5), ==, 0.0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tcpeq/throughput-of-known-paths", throughput_of_known_paths);
  g_test_add_func ("/tcpeq/loss-of-the-lte-paper", loss_of_the_lte_paper);
  g_test_add_func ("/tcpeq/loss-at-which-ten-times-tcp-trips",
      loss_at_which_ten_times_tcp_trips);
  g_test_add_func ("/tcpeq/loss-inverts-throughput", loss_inverts_throughput);
  g_test_add_func ("/tcpeq/defaults-are-the-rfcs", defaults_are_the_rfcs);
  g_test_add_func ("/tcpeq/no-loss-or-no-rtt-is-no-limit", no_loss_or_no_rtt_is_no_limit);
  g_test_add_func ("/tcpeq/without-a-round-trip-there-is-no-bound",
      without_a_round_trip_there_is_no_bound);
  return g_test_run ();
}
