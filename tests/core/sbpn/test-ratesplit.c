/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/sbpn/ratesplit.h"
#include "core/rng.h"

#define NONE RCC_RATESPLIT_NONE

static RccRateShare
stream (guint priority, guint32 weight, guint32 min, guint32 max, guint32 measured)
{
  return (RccRateShare) { .priority = priority, .weight = weight, .min_bps = min,
    .max_bps = max, .measured_bps = measured };
}

static void
audio_first_then_video (void)
{
  RccRateShare s[] = { stream (1, 1, 0, NONE, 900000), stream (0, 1, 0, 80000, 0) };

  g_assert_cmpuint (rcc_ratesplit (s, 2, 500000), ==, 500000);
  g_assert_cmpuint (s[1].share_bps, ==, 80000);
  g_assert_cmpuint (s[0].share_bps, ==, 420000);
  g_assert_cmpuint (rcc_ratesplit (s, 2, 50000), ==, 50000);
  g_assert_cmpuint (s[1].share_bps, ==, 50000);
  g_assert_cmpuint (s[0].share_bps, ==, 0);
}

static void
weights_are_of_32_bits (void)
{
  RccRateShare s[] = { stream (0, 3000000000, 0, NONE, 0), stream (0, 1000000000, 0, NONE, 0) };

  rcc_ratesplit (s, 2, 400000);
  g_assert_cmpuint (s[0].share_bps, ==, 300000);
  g_assert_cmpuint (s[1].share_bps, ==, 100000);
}

/* Without a maximum the higher one gets a quarter more than it makes, the lowest all. */
static void
measured_in_place_of_a_maximum (void)
{
  RccRateShare s[] = { stream (0, 1, 0, NONE, 100000), stream (1, 1, 0, NONE, 1) };

  rcc_ratesplit (s, 2, 1000000);
  g_assert_cmpuint (s[0].share_bps, ==, 125000);
  g_assert_cmpuint (s[1].share_bps, ==, 875000);
  s[0].measured_bps = 0;
  rcc_ratesplit (s, 2, 1000000);
  g_assert_cmpuint (s[0].share_bps, ==, RCC_RATESPLIT_FLOOR);
  s[1].priority = 0;                    /* nobody below: no guess is needed */
  rcc_ratesplit (s, 2, 1000000);
  g_assert_cmpuint (s[0].share_bps, ==, 500000);
}

/* The minimum of the low comes before the maximum of the high, but after its minimum. */
static void
minima_by_priority (void)
{
  RccRateShare s[] = { stream (0, 1, 50000, 500000, 0), stream (1, 1, 100000, NONE, 0) };

  rcc_ratesplit (s, 2, 300000);
  g_assert_cmpuint (s[0].share_bps, ==, 200000);
  g_assert_cmpuint (s[1].share_bps, ==, 100000);
  rcc_ratesplit (s, 2, 120000);
  g_assert_cmpuint (s[0].share_bps, ==, 50000);
  g_assert_cmpuint (s[1].share_bps, ==, 70000);
  rcc_ratesplit (s, 2, 40000);
  g_assert_cmpuint (s[0].share_bps, ==, 40000);
  g_assert_cmpuint (s[1].share_bps, ==, 0);
}

static void
by_weight_and_beyond_a_full_one (void)
{
  RccRateShare s[] = {
    stream (2, 3, 0, NONE, 0), stream (2, 1, 0, NONE, 0), stream (2, 4, 0, 100000, 0),
  };

  g_assert_cmpuint (rcc_ratesplit (s, 3, 900000), ==, 900000);
  g_assert_cmpuint (s[2].share_bps, ==, 100000);
  g_assert_cmpuint (s[0].share_bps, ==, 600000);
  g_assert_cmpuint (s[1].share_bps, ==, 200000);
}

/* What no weight divides goes to the first, but none gets more than it can use. */
static void
the_last_bits_fill_nobody_over (void)
{
  RccRateShare s[] = {
    stream (0, 1, 0, 2, 0), stream (0, 1, 0, 100, 0), stream (0, 1, 0, 100, 0),
  };

  g_assert_cmpuint (rcc_ratesplit (s, 3, 5), ==, 5);
  g_assert_cmpuint (s[0].share_bps, ==, 2);
  g_assert_cmpuint (s[1].share_bps, ==, 2);
  g_assert_cmpuint (s[2].share_bps, ==, 1);
}

static void
ends_of_the_range (void)
{
  RccRateShare s[RCC_RATESPLIT_MAX];

  for (guint i = 0; i < RCC_RATESPLIT_MAX; i++)
    s[i] = stream (UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, UINT32_MAX);
  g_assert_cmpuint (rcc_ratesplit (s, RCC_RATESPLIT_MAX, UINT32_MAX), ==, UINT32_MAX);
  g_assert_cmpuint (rcc_ratesplit (s, RCC_RATESPLIT_MAX, 5), ==, 5);
  g_assert_cmpuint (rcc_ratesplit (s, RCC_RATESPLIT_MAX, 0), ==, 0);
  g_assert_cmpuint (s[0].share_bps, ==, 0);
  g_assert_cmpuint (rcc_ratesplit (s, 0, 1000), ==, 0);
  s[0] = stream (0, 0, 0, 0, 0);        /* may have nothing */
  g_assert_cmpuint (rcc_ratesplit (s, 1, 1000), ==, 0);
}

static guint32
usable (const RccRateShare *s, guint n, guint i)
{
  gboolean below = FALSE;
  guint64 use = s[i].max_bps;

  for (guint k = 0; k < n; k++)
    below |= s[k].priority > s[i].priority;
  if (below && s[i].max_bps == NONE)
    use = MAX ((guint64) s[i].measured_bps * 5 / 4, RCC_RATESPLIT_FLOOR);
  return (guint32) MIN (MAX (use, s[i].min_bps), UINT32_MAX);
}

/* Whatever is asked: no more than there is is given, nothing lies idle that somebody can
 * use, nobody gets more than it can use, nobody gets above its minimum while a higher one
 * could use more, and equals that are not full differ as their weights do. */
static void
properties (void)
{
  RccRng rng;

  rcc_rng_init (&rng, 5, 0);
  for (guint round = 0; round < 50000; round++) {
    const guint n = 1 + rcc_rng_u32 (&rng) % 8;
    const guint32 target = rcc_rng_u32 (&rng) >> rcc_rng_u32 (&rng) % 20;
    RccRateShare s[8];
    guint64 sum = 0, room = 0;
    guint32 given;

    for (guint i = 0; i < n; i++)
      s[i] = stream (rcc_rng_u32 (&rng) % 3, rcc_rng_u32 (&rng) % 5,
          rcc_rng_u32 (&rng) % 3 ? 0 : rcc_rng_u32 (&rng) % 200000,
          rcc_rng_u32 (&rng) % 2 ? NONE : rcc_rng_u32 (&rng) % 2000000,
          rcc_rng_u32 (&rng) % 1000000);
    given = rcc_ratesplit (s, n, target);
    for (guint i = 0; i < n; i++) {
      sum += s[i].share_bps;
      room += usable (s, n, i);
      g_assert_cmpuint (s[i].share_bps, <=, usable (s, n, i));
    }
    g_assert_cmpuint (sum, ==, given);
    g_assert_cmpuint (given, ==, MIN (room, target));
    for (guint i = 0; i < n; i++)
      for (guint k = 0; k < n; k++) {
        const gboolean hungry = s[k].share_bps < usable (s, n, k);

        if (s[i].priority > s[k].priority && hungry)
          g_assert_cmpuint (s[i].share_bps, <=, s[i].min_bps);
        if (i != k && s[i].priority == s[k].priority && hungry && s[i].min_bps == 0
            && s[k].min_bps == 0)
          g_assert_cmpfloat ((double) s[i].share_bps / MAX (s[i].weight, 1), <=,
              (double) s[k].share_bps / MAX (s[k].weight, 1) + 2 * n);
      }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ratesplit/audio-first", audio_first_then_video);
  g_test_add_func ("/ratesplit/measured", measured_in_place_of_a_maximum);
  g_test_add_func ("/ratesplit/minima", minima_by_priority);
  g_test_add_func ("/ratesplit/weight", by_weight_and_beyond_a_full_one);
  g_test_add_func ("/ratesplit/the-last-bits", the_last_bits_fill_nobody_over);
  g_test_add_func ("/ratesplit/ends", ends_of_the_range);
  g_test_add_func ("/ratesplit/properties", properties);
  g_test_add_func ("/ratesplit/weights-are-of-32-bits", weights_are_of_32_bits);
  return g_test_run ();
}
