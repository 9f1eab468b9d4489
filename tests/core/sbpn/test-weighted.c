/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rng.h"

#include "fixture.h"

#define MOST 6                          /* classes */

static void
weighted_weighs_priority_against_urgency (void)
{
  Fixture f;

  setup (&f, RCC_SBPN_WEIGHTED);        /* a step of priority is worth 100 ms */
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = 200 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 99 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = 100 * MS }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 0, .expiry = RCC_NEVER }, 0);
  put (&f, (RccSbpnPacket) { .class_index = 1, .expiry = RCC_NEVER }, 0);
  sends (&f, 0, 2);
  sends (&f, 0, 1);
  sends (&f, 0, 3);
  sends (&f, 0, 4);
  sends (&f, 0, 5);
}

/* 3.6's audio above a flood: sbpn2 never lets the flood's lower class in, weighted
 * gives it its share. */
static void
only_weighted_ends_starvation (void)
{
  for (guint i = 0; i < 2; i++) {
    Fixture f;
    RccSbpnOut out;
    guint64 low = 0;

    setup (&f, i == 0 ? RCC_SBPN_2 : RCC_SBPN_WEIGHTED);
    for (guint n = 0; n < 1000; n++) {
      for (guint k = 0; k < 2; k++) {
        put (&f, (RccSbpnPacket) { .class_index = k, .expiry = n * MS + RCC_SEC, .size = 1000 },
            n * MS);
        while (rcc_sbpn_overflow (&f.q, n * MS, &out));
      }
      g_assert_cmpint (rcc_sbpn_next (&f.q, n * MS, &out), ==, RCC_SBPN_SEND);
      low += out.packet.class_index == 1;
    }
    if (i == 0)
      g_assert_cmpuint (low, ==, 0);
    else
      g_assert_cmpuint (low, >=, 495);
  }
}

static void
who_had_nothing_to_send_is_owed_nothing (void)
{
  for (guint emptied = 0; emptied < 2; emptied++) {
    RccSbpnPacket high = { .class_index = 0, .expiry = RCC_SEC, .size = 1000 };
    RccSbpnPacket low = { .class_index = 1, .expiry = RCC_SEC, .size = 1000 };
    RccSbpnOut out;
    Fixture f;

    setup (&f, RCC_SBPN_WEIGHTED);
    put (&f, low, 0);
    for (guint i = 0; i < 7; i++)       /* 500 B each are owed to the low one: 3500 */
      sends (&f, 0, put (&f, high, 0));
    if (emptied) {
      g_assert_true (rcc_sbpn_flush (&f.q, 1, &out));
      put (&f, low, 0);
    }
    put (&f, high, 0);
    g_assert_cmpint (rcc_sbpn_next (&f.q, 0, &out), ==, RCC_SBPN_SEND);
    g_assert_cmpuint (out.packet.class_index, ==, emptied ? 0 : 1);
  }
}

/* Random arrivals of which every class always has some that is live. */
static double
worst_lack (guint64 seed)
{
  const guint n = 2 + seed % 5;
  double lag[MOST] = { 0 }, least[MOST] = { 0 }, weights = 0, worst = 0;
  RccSbpnConfig config = rcc_sbpn_config ();
  RccTime now = 0;
  RccSbpnOut out;
  RccRng rng;
  Fixture f;

  rcc_rng_init (&rng, seed, 1);
  config.mode = RCC_SBPN_WEIGHTED;
  config.deficit_limit = rcc_rng_u32 (&rng) % 10000;
  f.put = 0;
  rcc_sbpn_init (&f.q, &config, f.entries, CAPACITY, f.classes, RCC_SBPN_CLASSES);
  for (guint k = 0; k < n; k++) {
    rcc_sbpn_set_class (&f.q, k, &(RccSbpnClassConfig) { .priority = k,
            .weight = 1 + rcc_rng_u32 (&rng) % 20 });
    weights += f.q.share.weight[k];
  }
  for (guint i = 0; i < 20000; i++, now += MS) {
    for (guint k = 0; k < n; k++)
      while (rcc_sbpn_class (&f.q, k)->count.queued.packets < 4)
        put (&f, (RccSbpnPacket) { .class_index = k, .size = rcc_rng_u32 (&rng) % 1501,
                .expiry = i % 100 ? now + (k ? 200 : 20) * MS : RCC_NEVER }, now);
    g_assert_cmpint (rcc_sbpn_next (&f.q, now, &out), ==, RCC_SBPN_SEND);
    for (guint k = 0; k < n; k++) {
      const double share = f.q.share.weight[k] / weights;

      if (rcc_sbpn_queue_live (&f.q.queue, k, now) == RCC_SBPN_NONE
          && out.packet.class_index != k)
        least[k] = lag[k];              /* all of it expired: it was not backlogged */
      lag[k] += share * out.packet.size - (out.packet.class_index == k ? out.packet.size : 0);
      least[k] = MIN (least[k], lag[k]);
      worst = MAX (worst, lag[k] - least[k]);
    }
    while (rcc_sbpn_overflow (&f.q, now, &out));
    for (guint k = 0; k < n; k++)       /* the expired make way for live ones */
      if (rcc_sbpn_queue_live (&f.q.queue, k, now + 2 * MS) == RCC_SBPN_NONE)
        while (rcc_sbpn_flush (&f.q, k, &out))
          least[k] = lag[k];
  }
  balances (&f.q.queue.total);
  return worst / rcc_sbpn_share_bound (&f.q.share, 1500);
}

static void
weighted_gives_each_its_share_over_any_window (void)
{
  double worst = 0;

  for (guint64 seed = 1; seed <= 25; seed++) {
    const double lack = worst_lack (seed);

    g_assert_cmpfloat (lack, <=, 1 + 1e-9);
    worst = MAX (worst, lack);
  }
  g_assert_cmpfloat (worst, >=, 0.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn-weighted/weighted-weighs-priority-against-urgency",
      weighted_weighs_priority_against_urgency);
  g_test_add_func ("/sbpn-weighted/only-weighted-ends-starvation",
      only_weighted_ends_starvation);
  g_test_add_func ("/sbpn-weighted/who-had-nothing-to-send-is-owed-nothing",
      who_had_nothing_to_send_is_owed_nothing);
  g_test_add_func ("/sbpn-weighted/weighted-gives-each-its-share-over-any-window",
      weighted_gives_each_its_share_over_any_window);
  return g_test_run ();
}
