/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/rng.h"
#include "core/sbpn/share.h"

/* Whom to serve while nobody must be. */
typedef enum { ANYONE, FAVOURITE, LEAST_OWED, RULES } Rule;

static guint32
pick (const RccSbpnShare *s, guint32 backlogged, Rule rule, RccRng *rng)
{
  guint32 best = RCC_SBPN_NONE, first = rcc_rng_u32 (rng) % 32;

  rcc_sbpn_each (k, backlogged) {
    if (rule == FAVOURITE)
      return k;
    if (best == RCC_SBPN_NONE || (rule == ANYONE && best < first)
        || (rule == LEAST_OWED && s->owed[k] < s->owed[best]))
      best = k;
  }
  return best;
}

/* Classes join and leave at random where @joins; returns the most bytes that any class
 * lacked of its share over any window in which it was backlogged, per the bound. */
static double
worst_lack (guint n, Rule rule, gboolean joins, guint32 deficit_limit, guint64 seed)
{
  RccSbpnShare s = { .deficit_limit = deficit_limit };
  double lag[RCC_SBPN_CLASSES] = { 0 }, least[RCC_SBPN_CLASSES] = { 0 }, worst = 0;
  guint32 all = n < 32 ? (1u << n) - 1 : UINT32_MAX, backlogged = all;
  RccRng rng;

  rcc_rng_init (&rng, seed, n);
  for (guint k = 0; k < n; k++)
    s.weight[k] = 1 + rcc_rng_u32 (&rng) % (seed % 2 ? 1 : 100);
  for (guint i = 0; i < 20000; i++) {
    const guint32 size = seed % 3 ? 1500 : rcc_rng_u32 (&rng) % 1501;
    double weights = 0;
    guint32 k;

    if (joins && i % 50 == 0)
      backlogged = all & (rcc_rng_u32 (&rng) | 1);
    k = rcc_sbpn_share_first (&s, backlogged);
    if (k == RCC_SBPN_NONE)
      k = pick (&s, backlogged, rule, &rng);
    rcc_sbpn_each (j, backlogged)
      weights += s.weight[j];
    rcc_sbpn_share_sent (&s, backlogged, k, size);
    for (guint j = 0; j < n; j++) {
      if (backlogged >> j & 1)
        lag[j] += (double) size * s.weight[j] / weights - (j == k ? size : 0);
      else
        least[j] = lag[j];
      least[j] = MIN (least[j], lag[j]);
      worst = MAX (worst, lag[j] - least[j]);
    }
  }
  return worst / rcc_sbpn_share_bound (&s, 1500);
}

static void
nobody_lacks_more_than_the_bound (void)
{
  static const guint32 deficit_limit[] = { 0, 1500, 3000, 100000 };
  double worst = 0;

  for (guint n = 1; n <= 32; n = n < 4 ? n + 1 : n * 2)
    for (guint rule = 0; rule < RULES; rule++)
      for (guint p = 0; p < G_N_ELEMENTS (deficit_limit); p++)
        for (guint seed = 0; seed < 6; seed++) {
          const double lack = worst_lack (n, rule, seed >= 3, deficit_limit[p], seed);

          g_assert_cmpfloat (lack, <=, 1 + 1e-9);
          worst = MAX (worst, lack);
        }
  g_assert_cmpfloat (worst, >=, 0.9);   /* and the bound is no loose one */
}

static void
the_bound_is_what_the_header_says (void)
{
  RccSbpnShare s = { .deficit_limit = 3000, .weight = { [3] = 1 } };

  g_assert_cmpfloat (rcc_sbpn_share_bound (&s, 1200), ==, 3000 + 1200);
  s.weight[31] = 7;
  g_assert_cmpfloat (rcc_sbpn_share_bound (&s, 1200), ==, 3000 + 2 * 1200);
  s.weight[0] = 7;
  g_assert_cmpfloat (rcc_sbpn_share_bound (&s, 1200), ==, 3000 + 2.5 * 1200);
}

static void
who_wants_nothing_is_owed_nothing (void)
{
  RccSbpnShare s = { .deficit_limit = 100, .weight = { 1, 3, 0 } };

  rcc_sbpn_share_sent (&s, 7, 2, 400);  /* class 2 has no weight */
  g_assert_cmpfloat (s.owed[0], ==, 100);
  g_assert_cmpfloat (s.owed[1], ==, 300);
  g_assert_cmpfloat (s.owed[2], ==, 0);
  g_assert_cmpuint (rcc_sbpn_share_first (&s, 7), ==, 1);
  g_assert_cmpuint (rcc_sbpn_share_first (&s, 5), ==, RCC_SBPN_NONE);
  rcc_sbpn_share_sent (&s, 5, 2, 8);
  g_assert_cmpfloat (s.owed[0], ==, 108);
  g_assert_cmpfloat (s.owed[1], ==, 0);
  rcc_sbpn_share_sent (&s, 0, 0, 1000); /* nobody was backlogged, one left all the same */
  g_assert_cmpfloat (s.owed[0], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sbpn-share/nobody-lacks-more-than-the-bound",
      nobody_lacks_more_than_the_bound);
  g_test_add_func ("/sbpn-share/the-bound-is-what-the-header-says",
      the_bound_is_what_the_header_says);
  g_test_add_func ("/sbpn-share/who-wants-nothing-is-owed-nothing",
      who_wants_nothing_is_owed_nothing);
  return g_test_run ();
}
