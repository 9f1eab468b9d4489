/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * McDonald and Nelson, "Application-level QoS: Improving Video Conferencing Quality through
 * Sending the Best Packet Next": figures 1 to 8 as tables.  The Ekiga model over TFRC in RFC
 * 3448's form, expiry 200 ms, runs of 60 s without their first 3 s, means over the seeds with
 * 95 % intervals (t); gains are of pairs of equal seed.  RCC_SBPN_SEEDS sets how many seeds
 * (30: the paper's).
 *
 * What the paper leaves open, and what stands here: the axis of its congested figures
 * (the capacity that the call shares with two Reno flows, behind a drop-tail queue of 50 ms
 * of 519 B packets, at least 10), and what falls when the sender's queue is full.  That
 * decides most.  "Kernel" is tail drop, which is what Linux does in front of the
 * transmit queue; "ours" is sbpn.h's rule, in which the arriving packet competes.
 */
#include <math.h>
#include <stdlib.h>

#include "figures.h"

#define MS RCC_MSEC

/* ---- figures 1 to 3: random loss ---- */

static const Sender unmodified = { "unmodified", RCC_SBPN_FIFO, .tail_drop = TRUE };
static const Sender kernel[] = {
  { "sbpn1", RCC_SBPN_1, .tail_drop = TRUE }, { "sbpn2", RCC_SBPN_2, .tail_drop = TRUE },
  { "sbpn3", RCC_SBPN_3, .tail_drop = TRUE },
  { "weighted", RCC_SBPN_WEIGHTED, .tail_drop = TRUE },
};
static const Sender ours[] = {
  { "sbpn1", .mode = RCC_SBPN_1 }, { "sbpn2", .mode = RCC_SBPN_2 },
  { "sbpn3", .mode = RCC_SBPN_3 }, { "weighted", .mode = RCC_SBPN_WEIGHTED },
};

static Path
lossy (double percent)
{
  Path p = { .x = percent, .rtt = 80 * MS, .queue = 5 };

  g_snprintf (p.text, sizeof p.text, "0 both rate unlimited delay 40\n0 fwd loss %.1f%%\n",
      percent);
  return p;
}

static Path
congested (guint kbps, guint rtt_ms, guint queue)
{
  Path p = { .x = kbps, .rtt = rtt_ms * MS, .queue = queue, .renos = 2 };

  g_snprintf (p.text, sizeof p.text, "0 both rate %uk delay %.1f queue %u\n", kbps,
      rtt_ms / 2.0, MAX (kbps * 50 / 8 / 519, 10));
  return p;
}

static void
measure_all (const Path *p, const Sender *senders, Result *base, Result *others)
{
  measure (p, &unmodified, base);
  print_point (p->x, base, NULL);
  for (guint k = 0; k < 4; k++) {
    measure (p, &senders[k], &others[k]);
    print_point (p->x, &others[k], base);
  }
}

static void
figures_1_to_3 (gconstpointer data)
{
  Result base, others[4];

  g_test_message ("figures 1-3: random loss, 80 ms, queue of 5, when full: %s",
      data == ours ? "ours" : "kernel");
  print_columns ("loss %");
  for (guint i = 0; i <= 10; i++) {
    const Path p = lossy (i);

    measure_all (&p, data, &base, others);
  }
}

static void
congestion (guint rtt_ms, guint queue, const Sender *senders)
{
  static const guint rates[] = { 400, 600, 800, 1000, 1200, 1600, 2000 };
  Result base, others[4];

  print_columns ("kbit/s");
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    const Path p = congested (rates[i], rtt_ms, queue);

    measure_all (&p, senders, &base, others);
  }
}

static void
figure_4 (void)
{
  g_test_message ("figure 4: two Renos, 80 ms, queue of 5, ours");
  congestion (80, 5, ours);
  g_test_message ("kernel");
  congestion (80, 5, kernel);
}

static void
figure_5 (void)
{
  g_test_message ("figure 5: two Renos, 80 ms, queue of 32, ours");
  congestion (80, 32, ours);
  g_test_message ("kernel");
  congestion (80, 32, kernel);
}

static void
figure_6 (void)
{
  g_test_message ("figure 6: two Renos, 30 ms, queue of 5, ours");
  congestion (30, 5, ours);
}

static void
figure_7 (void)
{
  g_test_message ("figure 7: two Renos, 150 ms, queue of 5, ours");
  congestion (150, 5, ours);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/sbpn/figures-1-3/kernel", kernel, figures_1_to_3);
  g_test_add_data_func ("/sbpn/figures-1-3/ours", ours, figures_1_to_3);
  g_test_add_func ("/sbpn/figure-4", figure_4);
  g_test_add_func ("/sbpn/figure-5", figure_5);
  g_test_add_func ("/sbpn/figure-6", figure_6);
  g_test_add_func ("/sbpn/figure-7", figure_7);
  return g_test_run ();
}
