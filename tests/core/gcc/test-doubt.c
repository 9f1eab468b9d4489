/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>

#include "core/gcc/aimd.h"

#define CAPACITY 1e6
#define DEVIATION 1e4
#define PROBED 2e6

static RccDoubt
doubt (guint most, guint refuted)
{
  RccDoubt d;

  rcc_doubt_init (&d, most);
  d.refuted = refuted;
  rcc_doubt_claim (&d, CAPACITY, DEVIATION);
  return d;
}

static void
each_refuted_claim_halves (void)
{
  static const struct { guint most; gdouble believed[4]; } cases[] = {
    { 0, { 1, 1, 1, 1 } }, { 1, { 1, .5, .5, .5 } }, { 2, { 1, .5, .25, .25 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccDoubt d = doubt (cases[i].most, 0);

    for (guint k = 0; k < 4; k++) {
      g_assert_cmpfloat (rcc_doubt_believed (&d, CAPACITY, PROBED), ==,
          CAPACITY + cases[i].believed[k] * (PROBED - CAPACITY));
      g_assert_cmpfloat (rcc_doubt_believed (&d, CAPACITY, .9 * CAPACITY), ==, .9 * CAPACITY);
      rcc_doubt_over_use (&d, CAPACITY);
      rcc_doubt_over_use (&d, CAPACITY);        /* of the same claim */
      rcc_doubt_claim (&d, CAPACITY, DEVIATION);
    }
  }
}

/* Within three standard deviations it is the former capacity. */
static void
over_use_elsewhere_ends_it (void)
{
  static const struct { gdouble received; guint left; } cases[] = {
    { 1.03e6, 3 }, { .97e6, 3 }, { 1.031e6, 0 }, { .969e6, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccDoubt d = doubt (4, 2);

    rcc_doubt_over_use (&d, cases[i].received);
    rcc_doubt_normal (&d, cases[i].received, TRUE, RCC_SEC);
    g_assert_cmpuint (d.refuted, ==, MAX (cases[i].left, 2));   /* its queue may be the same one */
    rcc_doubt_normal (&d, cases[i].received, FALSE, RCC_SEC);
    g_assert_cmpuint (d.refuted, ==, cases[i].left);
  }
}

/* For a second, and without a queue. */
static void
what_stands_is_confirmed (void)
{
  static const struct { gdouble received; gboolean queued; RccTime stands; guint left; } cases[] = {
    { 1.6e6, FALSE, 1000 * RCC_MSEC, 0 }, { 1.6e6, FALSE, 900 * RCC_MSEC, 2 },
    { 1.0e6, FALSE, 2000 * RCC_MSEC, 2 }, { 1.6e6, TRUE, 2000 * RCC_MSEC, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccDoubt d = doubt (4, 2);

    for (RccTime t = 0; t <= cases[i].stands; t += 100 * RCC_MSEC)
      rcc_doubt_normal (&d, cases[i].received, cases[i].queued, RCC_SEC + t);
    g_assert_cmpuint (d.refuted, ==, cases[i].left);
  }
}

static void
a_pause_begins_the_second_anew (void)
{
  RccDoubt d = doubt (4, 2);

  rcc_doubt_normal (&d, 1.6e6, FALSE, RCC_SEC);
  rcc_doubt_normal (&d, 1.0e6, FALSE, 3 * RCC_SEC / 2);
  rcc_doubt_normal (&d, 1.6e6, FALSE, 2 * RCC_SEC);
  g_assert_cmpuint (d.refuted, ==, 2);
  rcc_doubt_normal (&d, 1.6e6, FALSE, RCC_SEC);         /* the clock was set */
  rcc_doubt_normal (&d, 1.6e6, FALSE, 19 * RCC_SEC / 10);
  g_assert_cmpuint (d.refuted, ==, 2);
  rcc_doubt_normal (&d, 1.6e6, FALSE, 2 * RCC_SEC);
  g_assert_cmpuint (d.refuted, ==, 0);
}

static void
beside_others_nothing_is_judged (void)
{
  RccDoubt d;

  rcc_doubt_init (&d, 4);
  d.refuted = 2;
  d.crowded = true;
  rcc_doubt_claim (&d, CAPACITY, DEVIATION);
  g_assert_cmpfloat (rcc_doubt_believed (&d, CAPACITY, PROBED), ==, PROBED);
  rcc_doubt_over_use (&d, CAPACITY);
  g_assert_cmpuint (d.refuted, ==, 2);
}

/* Over-use at @received, and then its queue is gone. */
static void
over_use (RccAimd *a, gdouble received, RccTime now)
{
  rcc_aimd_update (a, RCC_USAGE_OVER, received, 50 * RCC_MSEC, now);
  rcc_aimd_update (a, RCC_USAGE_UNDER, received, 0, now + 200 * RCC_MSEC);
  rcc_aimd_update (a, RCC_USAGE_NORMAL, received, 0, now + 400 * RCC_MSEC);
}

/* What a token bucket lets through is no capacity: over-use finds the former one each time. */
static void
a_token_bucket_is_believed_less_each_time (void)
{
  static const gdouble shares[] = { 1, .5, .25, .125, .125 };
  const RccAimdConfig config = { .eta = 1.08, .beta = .85, .cap = 1.5, .converge = true,
    .learn = .3, .queue_floor = 15 * RCC_MSEC, .doubt = 3 };
  RccTime now = RCC_SEC;
  RccAimd a;

  rcc_aimd_init (&a, &config, 1e6);
  over_use (&a, 7e5, now);
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++) {
    const gdouble known = MAX (a.bps, a.capacity);

    now += 2 * RCC_SEC;
    rcc_aimd_raise (&a, 1.4e6, now);
    g_assert_cmpfloat_with_epsilon (a.bps, known + shares[i] * (1.4e6 - known), 1);
    over_use (&a, 7e5, now + RCC_SEC);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/doubt/each-refuted-claim-halves", each_refuted_claim_halves);
  g_test_add_func ("/doubt/over-use-elsewhere-ends-it", over_use_elsewhere_ends_it);
  g_test_add_func ("/doubt/what-stands-is-confirmed", what_stands_is_confirmed);
  g_test_add_func ("/doubt/a-pause-begins-the-second-anew", a_pause_begins_the_second_anew);
  g_test_add_func ("/doubt/beside-others-nothing-is-judged", beside_others_nothing_is_judged);
  g_test_add_func ("/doubt/a-token-bucket-is-believed-less-each-time",
      a_token_bucket_is_believed_less_each_time);
  return g_test_run ();
}
