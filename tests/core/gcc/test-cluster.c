/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/cluster.h"

#include <glib.h>

#define ASKED 900e3
#define PACKETS 6
#define SIZE 600
#define BASE (40 * RCC_MSEC)

/* @n packets of @size that left at @at and came over a link of @capacity bit/s, which had
 * nothing to do before. */
static RccCluster
cluster (const RccTime *at, guint n, guint32 size, double capacity)
{
  const RccTime takes = (RccTime) (8e9 * size / capacity);
  RccTime free = 0;
  RccCluster c;

  for (guint i = 0; i < n; i++) {
    free = RCC_MAX (free, at[i]) + takes;
    if (i == 0)
      rcc_cluster_start (&c, at[i], BASE + free, size);
    else
      rcc_cluster_add (&c, at[i], BASE + free, size);
  }
  return c;
}

/* As a pacer that wakes every @sleep lets it go: all that is due. */
static guint
departures (RccTime *at, double bps, RccTime sleep)
{
  for (guint i = 0; i < PACKETS; i++) {
    const RccTime due = RCC_SEC + (RccTime) (8e9 * SIZE * i / bps);

    at[i] = sleep ? RCC_SEC + (due - RCC_SEC + sleep - 1) / sleep * sleep : due;
  }
  return PACKETS;
}

/* Whether the sender wakes in time or not: a free path shows what was asked for, a slower
 * one what it has. */
static void
clocks (void)
{
  static const RccTime sleeps[] = { 0, 7 * RCC_MSEC, 12 * RCC_MSEC, 20 * RCC_MSEC,
    40 * RCC_MSEC, 100 * RCC_MSEC };
  RccTime at[PACKETS];

  for (guint i = 0; i < G_N_ELEMENTS (sleeps); i++) {
    const guint n = departures (at, ASKED, sleeps[i]);
    /* the last wake-up may be as long after it was due */
    const double whole = 8.0 * SIZE * (PACKETS - 1) / ASKED;
    const double share = whole / (whole + 1e-9 * (double) sleeps[i]);
    RccCluster free = cluster (at, n, SIZE, 20e6), full = cluster (at, n, SIZE, 500e3);
    const double most = rcc_cluster_result (&free, ASKED, BASE, 0);
    const double half = rcc_cluster_result (&full, ASKED, BASE, 0);

    g_test_message ("woken each %" G_GUINT64_FORMAT " ms: %.0f, %.0f", sleeps[i] / RCC_MSEC,
        most, half);
    g_assert_cmpfloat (most, <=, ASKED);
    g_assert_cmpfloat (most, >, 0.95 * share * ASKED);
    g_assert_cmpfloat (half, <=, 500e3);
    g_assert_cmpfloat (half, >, RCC_MIN (0.90 * 500e3, 0.70 * share * ASKED));
  }
}

/* All at once on a fast path: no more than was asked for. */
static void
at_once (void)
{
  const RccTime at[PACKETS] = { 0 };
  RccCluster c = cluster (at, PACKETS, SIZE, 1e9);

  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 0), ==, ASKED);
}

/* A cluster that left at half of what was asked for shows that half. */
static void
starved (void)
{
  RccTime at[PACKETS];
  RccCluster c = cluster (at, departures (at, ASKED / 2, 0), SIZE, 20e6);

  g_assert_cmpfloat_with_epsilon (rcc_cluster_result (&c, ASKED, BASE, 0), ASKED / 2, 1e3);
}

/* What waited somewhere and came at once says nothing of the path. */
static void
held_back (void)
{
  RccTime at[PACKETS];
  RccCluster c;

  departures (at, ASKED, 0);
  rcc_cluster_start (&c, at[0], 2 * RCC_SEC, SIZE);
  for (guint i = 1; i < PACKETS; i++)
    rcc_cluster_add (&c, at[i], 2 * RCC_SEC + i * RCC_MSEC / 10, SIZE);
  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 0), ==, 0.0);
}

static void
short_or_reordered (void)
{
  RccTime at[PACKETS];
  RccCluster c;

  departures (at, ASKED, 0);
  c = cluster (at, 4, SIZE, 20e6);
  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 0), ==, 0.0);
  c = cluster (at, PACKETS, SIZE, 20e6);
  rcc_cluster_add (&c, at[1], c.last_arrival + RCC_MSEC, SIZE);
  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 0), ==, 0.0);
  c = cluster (at, PACKETS, SIZE, 20e6);
  rcc_cluster_add (&c, c.last_send + RCC_MSEC, c.last_arrival - 1, SIZE);
  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 0), ==, 0.0);
}

/* Where that is allowed, what was reordered still shows the path's rate, and less than that where
 * the last packets are late. */
static void
reordered_within_limits (void)
{
  static const RccTime late[PACKETS] = { 0, 4 * RCC_MSEC, 9 * RCC_MSEC, 0, 7 * RCC_MSEC, 0 };
  RccTime at[PACKETS];
  RccCluster c;

  departures (at, ASKED, 0);
  for (guint i = 0; i < PACKETS; i++)
    if (i == 0)
      rcc_cluster_start (&c, at[i], BASE + at[i], SIZE);
    else
      rcc_cluster_add (&c, at[i], BASE + at[i] + late[i], SIZE);
  /* they left 5.33 ms apart */
  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 0), ==, 0.0);
  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 3 * RCC_MSEC), ==, 0.0);
  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 4 * RCC_MSEC), >, 0.7 * ASKED);
  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 4 * RCC_MSEC), <=, ASKED);
}

/* More groups than are kept. */
static void
long_one (void)
{
  RccTime at[200];
  RccCluster c;

  for (guint i = 0; i < G_N_ELEMENTS (at); i++)
    at[i] = i * 2 * RCC_MSEC;
  c = cluster (at, G_N_ELEMENTS (at), 1200, 3e6);       /* 4.8 Mbit/s */
  g_assert_cmpuint (c.n_groups, ==, RCC_CLUSTER_GROUPS);
  g_assert_cmpfloat_with_epsilon (rcc_cluster_result (&c, 4.8e6, BASE, 0), 0.95 * 3e6, 20e3);
}

/* From 10 ms on a cluster has a sending rate of its own, which the path took.  A shorter one is
 * taken to have left as was asked: then the path was full. */
static void
ten_milliseconds_tell_a_rate (void)
{
  for (guint i = 0; i < 2; i++) {
    const RccTime span = 10 * RCC_MSEC - i;
    const RccTime at[] = { 0, span / 4, span / 2, 3 * span / 4, span };
    RccCluster c = cluster (at, G_N_ELEMENTS (at), SIZE, 1e9);
    const double sent = 8e9 * SIZE * 4 / (double) span;

    g_assert_cmpfloat_with_epsilon (rcc_cluster_result (&c, 2 * sent, BASE, 0),
        (i ? 0.95 : 1) * sent, 0.01 * sent);
  }
}

static void
nothing_asked_and_no_span_is_no_rate (void)
{
  const RccTime at[PACKETS] = { 0 };
  RccCluster c = cluster (at, PACKETS, SIZE, 1e9);

  g_assert_cmpfloat (rcc_cluster_result (&c, 0.0, BASE, 0), ==, 0.0);
}

/* The sender woke twice: what came of the second half alone shows what the path takes. */
static void
the_second_half_speaks_for_itself (void)
{
  const RccTime at[] = { 0, 0, 0, 40 * RCC_MSEC, 40 * RCC_MSEC, 40 * RCC_MSEC };
  RccCluster c = cluster (at, G_N_ELEMENTS (at), SIZE, 1.5e6);

  g_assert_cmpfloat (rcc_cluster_result (&c, ASKED, BASE, 0), ==, 8.0 * SIZE * 5 / 0.04);
}

/* A path is full from less than 90 % of what left. */
static void
nine_tenths_is_no_full_path (void)
{
  static const double shares[] = { 0.91, 0.89 };

  for (guint i = 0; i < 2; i++) {
    RccTime at[PACKETS];
    RccCluster c = cluster (at, departures (at, ASKED, 0), SIZE, shares[i] * ASKED);

    g_assert_cmpfloat_with_epsilon (rcc_cluster_result (&c, ASKED, BASE, 0),
        (i ? 0.95 : 1) * shares[i] * ASKED, 100);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-cluster/clocks", clocks);
  g_test_add_func ("/gcc-cluster/at-once", at_once);
  g_test_add_func ("/gcc-cluster/starved", starved);
  g_test_add_func ("/gcc-cluster/held-back", held_back);
  g_test_add_func ("/gcc-cluster/short-or-reordered", short_or_reordered);
  g_test_add_func ("/gcc-cluster/reordered-within-limits", reordered_within_limits);
  g_test_add_func ("/gcc-cluster/long", long_one);
  g_test_add_func ("/gcc-cluster/ten-milliseconds-tell-a-rate", ten_milliseconds_tell_a_rate);
  g_test_add_func ("/gcc-cluster/nothing-asked-and-no-span-is-no-rate", nothing_asked_and_no_span_is_no_rate);
  g_test_add_func ("/gcc-cluster/the-second-half-speaks-for-itself", the_second_half_speaks_for_itself);
  g_test_add_func ("/gcc-cluster/nine-tenths-is-no-full-path", nine_tenths_is_no_full_path);
  return g_test_run ();
}
