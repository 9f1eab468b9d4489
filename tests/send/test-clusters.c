/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "send/clusters.h"

#define MS(x) ((RccTime) (x) * RCC_MSEC)

static void
a_time_finds_its_cluster (void)
{
  RccSendClusters c = { 0 };

  g_assert_cmpuint (rcc_send_clusters_at (&c, 0), ==, 0);
  rcc_send_clusters_sent (&c, 7, MS (100));
  rcc_send_clusters_sent (&c, 7, MS (105));
  rcc_send_clusters_sent (&c, 9, MS (200));
  g_assert_cmpuint (rcc_send_clusters_at (&c, MS (99)), ==, 0);
  g_assert_cmpuint (rcc_send_clusters_at (&c, MS (100)), ==, 7);
  g_assert_cmpuint (rcc_send_clusters_at (&c, MS (105) + RCC_SEND_CLUSTER_SLACK), ==, 7);
  g_assert_cmpuint (rcc_send_clusters_at (&c, MS (105) + RCC_SEND_CLUSTER_SLACK + 1), ==, 0);
  g_assert_cmpuint (rcc_send_clusters_at (&c, MS (200)), ==, 9);
}

static void
the_newest_are_kept (void)
{
  RccSendClusters c = { 0 };

  for (guint i = 1; i <= 2 * RCC_SEND_CLUSTERS + 3; i++)
    rcc_send_clusters_sent (&c, i, MS (100 * i));
  for (guint i = 1; i <= 2 * RCC_SEND_CLUSTERS + 3; i++)
    g_assert_cmpuint (rcc_send_clusters_at (&c, MS (100 * i)), ==,
        i > RCC_SEND_CLUSTERS + 3 ? i : 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clusters/a-time-finds-its-cluster", a_time_finds_its_cluster);
  g_test_add_func ("/clusters/the-newest-are-kept", the_newest_are_kept);
  return g_test_run ();
}
