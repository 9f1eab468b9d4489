/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/gcc/overuse.h"
#include "core/rng.h"

static const RccOveruseConfig draft = RCC_OVERUSE_DRAFT, webrtc = RCC_OVERUSE_WEBRTC;

typedef struct {
  RccOveruse o;
  RccTime now;
} Detector;

static Detector
detector (const RccOveruseConfig *config)
{
  Detector d = { .now = RCC_SEC };

  rcc_overuse_init (&d.o, config);
  return d;
}

static RccUsage
say (Detector *d, double trend, double gap_ms)
{
  d->now += (RccTime) (gap_ms * 1e6);
  return rcc_overuse_update (&d->o, trend, (gint64) (gap_ms * 1e6), d->now);
}

/* The timer starts at half the first gap and must pass 10 ms; two groups at least. */
static void
waits_ten_milliseconds (void)
{
  Detector d = detector (&draft);

  g_assert_cmpint (say (&d, 13, 5), ==, RCC_USAGE_NORMAL);      /* 2.5 */
  g_assert_cmpint (say (&d, 13, 5), ==, RCC_USAGE_NORMAL);      /* 7.5 */
  g_assert_cmpint (say (&d, 13, 2.5), ==, RCC_USAGE_NORMAL);    /* 10: not past it */
  g_assert_cmpint (say (&d, 13, 0.5), ==, RCC_USAGE_OVER);
  g_assert_cmpuint (d.o.overuses, ==, 1);
}

static void
needs_two_groups (void)
{
  Detector d = detector (&draft);

  g_assert_cmpint (say (&d, 20, 500), ==, RCC_USAGE_NORMAL);
  g_assert_cmpint (say (&d, 20, 33), ==, RCC_USAGE_OVER);
}

/* Time is in ns, and none of it is too short to count. */
static void
the_shortest_gap_counts (void)
{
  RccOveruseConfig config = draft;
  RccOveruse o;

  config.overuse_time = 0;
  rcc_overuse_init (&o, &config);
  g_assert_cmpint (rcc_overuse_update (&o, 13, 1, RCC_SEC), ==, RCC_USAGE_NORMAL);
  g_assert_cmpint (rcc_overuse_update (&o, 13, 1, RCC_SEC + 1), ==, RCC_USAGE_OVER);
}

static void
a_falling_trend_is_no_overuse (void)
{
  Detector d = detector (&draft);

  say (&d, 26, 33);
  for (guint i = 1; i <= 5; i++)
    g_assert_cmpint (say (&d, 26 - 0.1 * i, 33), ==, RCC_USAGE_NORMAL);
  g_assert_cmpfloat (d.o.threshold, <, 25);     /* above it all the while */
  g_assert_cmpint (say (&d, 25.5, 33), ==, RCC_USAGE_OVER);
}

static void
normal_starts_the_count_anew (void)
{
  Detector d = detector (&draft);

  for (guint i = 0; i < 20; i++) {
    g_assert_cmpint (say (&d, 14, 33), ==, RCC_USAGE_NORMAL);
    g_assert_cmpint (say (&d, 0, 33), ==, RCC_USAGE_NORMAL);
  }
  g_assert_cmpuint (d.o.overuses, ==, 0);
}

static void
sign_convention (void)
{
  Detector d = detector (&draft);

  /* a queue that grows */
  say (&d, 30, 33);
  g_assert_cmpint (say (&d, 30, 33), ==, RCC_USAGE_OVER);
  /* drains: at once */
  g_assert_cmpint (say (&d, -30, 33), ==, RCC_USAGE_UNDER);
  g_assert_cmpint (say (&d, 0, 33), ==, RCC_USAGE_NORMAL);
}

static void
counts_lasting_overuse_again (void)
{
  Detector d = detector (&webrtc);

  for (guint i = 0; i < 9; i++)
    say (&d, 30 + i, 33);
  /* at groups 2, 4, 6, 8: the timer and the count start at 0 each time */
  g_assert_cmpuint (d.o.overuses, ==, 4);
}

static void
threshold_after (const RccOveruseConfig *c, double trend, double ms, double expected)
{
  Detector d = detector (c);

  say (&d, 0, 0);                       /* the first only starts the clock */
  g_assert_cmpfloat (d.o.threshold, ==, 12.5);
  say (&d, trend, ms);
  g_assert_cmpfloat_with_epsilon (d.o.threshold, expected, 1e-9);
}

/* gamma += dt k (|T| - gamma) */
static void
adapts_by_its_constants (void)
{
  threshold_after (&draft, 20, 10, 12.5 + 10 * 0.01 * 7.5);
  threshold_after (&draft, -20, 10, 12.5 + 10 * 0.01 * 7.5);
  threshold_after (&draft, 2, 10, 12.5 - 10 * 0.00018 * 10.5);
  threshold_after (&webrtc, 20, 10, 12.5 + 10 * 0.0087 * 7.5);
  threshold_after (&webrtc, 2, 10, 12.5 - 10 * 0.039 * 10.5);
  /* at most 100 ms at once */
  threshold_after (&draft, 2, 5000, 12.5 - 100 * 0.00018 * 10.5);
}

static void
does_not_adapt_to_outliers (void)
{
  Detector d = detector (&draft);

  say (&d, 0, 0);
  say (&d, 12.5 + 15.01, 50);
  g_assert_cmpfloat (d.o.threshold, ==, 12.5);
  say (&d, -1000, 50);
  g_assert_cmpfloat (d.o.threshold, ==, 12.5);
  /* the time they took is not made up for */
  say (&d, 12.5 + 15, 10);
  g_assert_cmpfloat_with_epsilon (d.o.threshold, 12.5 + 10 * 0.01 * 15, 1e-9);
}

static void
stays_within_6_and_600 (void)
{
  const RccOveruseConfig *configs[] = { &draft, &webrtc };

  for (guint c = 0; c < 2; c++) {
    Detector d = detector (configs[c]);

    for (guint i = 0; i < 20000; i++)
      say (&d, 0, 33);
    g_assert_cmpfloat (d.o.threshold, ==, 6);
    for (guint i = 0; i < 20000; i++)
      say (&d, d.o.threshold + 14, 33);
    g_assert_cmpfloat (d.o.threshold, ==, 600);
  }
}

/* The two sets differ in kind: which way the threshold is quicker. */
static void
the_sets_disagree (void)
{
  g_assert_cmpfloat (draft.k_up, >, 10 * draft.k_down);
  g_assert_cmpfloat (webrtc.k_down, >, 4 * webrtc.k_up);
}

/* T1: a clock that steps back adds no time and blocks nothing. */
static void
a_step_back_of_the_clock (void)
{
  Detector d = detector (&draft);
  double before;

  d.now = 7200 * RCC_SEC;
  say (&d, 0, 10);
  before = d.o.threshold;
  d.now -= 3600 * RCC_SEC;
  g_assert_cmpint (rcc_overuse_update (&d.o, 14, 33 * RCC_MSEC, d.now), ==,
      RCC_USAGE_NORMAL);
  g_assert_cmpfloat (d.o.threshold, ==, before);
  g_assert_cmpint (say (&d, 14, 33), ==, RCC_USAGE_OVER);
  g_assert_cmpfloat (d.o.threshold, >, before);
}

static void
any_input_leaves_it_sane (void)
{
  Detector d = detector (&webrtc);
  RccRng r;

  rcc_rng_init (&r, 4, 4);
  for (guint i = 0; i < 1000000; i++) {
    const double scale = pow (10, 8 * rcc_rng_uniform (&r) - 3);

    d.now += rcc_rng_u32 (&r) % (200 * RCC_MSEC);
    rcc_overuse_update (&d.o, scale * rcc_rng_normal (&r),
        (gint64) ((rcc_rng_uniform (&r) - 0.1) * 1e8), d.now);
    g_assert_true (d.o.threshold >= 6 && d.o.threshold <= 600);
  }
  g_assert_cmpuint (d.o.overuses, >, 1000);
}

/* RRTCC's */
static void
a_static_threshold_stays (void)
{
  static const RccOveruseConfig config = { 0.0, 0.0, 100 * RCC_MSEC, 25.0 };
  RccOveruse o;
  guint over = 0;

  rcc_overuse_init (&o, &config);
  for (guint i = 0; i < 1000; i++)
    over += rcc_overuse_update (&o, 20.0 + i % 5, 33 * RCC_MSEC, i * 33 * RCC_MSEC)
        == RCC_USAGE_OVER;
  g_assert_cmpuint (over, ==, 0);
  g_assert_cmpfloat (o.threshold, ==, 25.0);
  for (guint i = 1000; i < 1005; i++)
    over += rcc_overuse_update (&o, 30.0, 33 * RCC_MSEC, i * 33 * RCC_MSEC) == RCC_USAGE_OVER;
  g_assert_cmpuint (over, >, 0);
}

/* A group that left before the one that it is compared with has taken no time. */
static void
a_gap_below_zero_is_no_time (void)
{
  RccOveruse o;

  rcc_overuse_init (&o, &draft);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpint (rcc_overuse_update (&o, 13.0 + i, -(gint64) RCC_SEC, RCC_SEC + i), ==,
        RCC_USAGE_NORMAL);
  g_assert_cmpuint (o.overuses, ==, 0);
}

/* Above the threshold, and below its negative: at it is neither. */
static void
the_threshold_itself_is_normal (void)
{
  static const RccOveruseConfig config = { 0.0, 0.0, 100 * RCC_MSEC, 25.0 };
  RccOveruse o;

  rcc_overuse_init (&o, &config);
  for (guint i = 0; i < 20; i++)
    g_assert_cmpint (rcc_overuse_update (&o, 25.0, 33 * RCC_MSEC, i * 33 * RCC_MSEC), ==,
        RCC_USAGE_NORMAL);
  g_assert_cmpint (rcc_overuse_update (&o, -25.0, 33 * RCC_MSEC, RCC_SEC), ==, RCC_USAGE_NORMAL);
  g_assert_cmpint (rcc_overuse_update (&o, -25.01, 33 * RCC_MSEC, 2 * RCC_SEC), ==,
      RCC_USAGE_UNDER);
}

/* Said once, it has to last as long again: past 20 ms, not just to it. */
static void
is_said_again_when_it_has_lasted_again (void)
{
  RccOveruseConfig config = draft;
  Detector d;
  guint said[3], n = 0;

  config.overuse_time = 20 * RCC_MSEC;
  d = detector (&config);
  for (guint i = 1; n < 3; i++) {
    g_assert_cmpuint (i, <, 20);
    if (say (&d, 20 + i, 10) == RCC_USAGE_OVER && d.o.over_count == 0)
      said[n++] = i;
  }
  g_assert_cmpuint (said[0], ==, 3);            /* 5, 15, 25 */
  g_assert_cmpuint (said[1], ==, 3 + 3);        /* 10, 20, 30 */
  g_assert_cmpuint (said[2], ==, 3 + 3 + 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-overuse/waits-ten-milliseconds", waits_ten_milliseconds);
  g_test_add_func ("/gcc-overuse/needs-two-groups", needs_two_groups);
  g_test_add_func ("/gcc-overuse/the-shortest-gap-counts", the_shortest_gap_counts);
  g_test_add_func ("/gcc-overuse/a-falling-trend-is-no-overuse",
      a_falling_trend_is_no_overuse);
  g_test_add_func ("/gcc-overuse/normal-starts-the-count-anew", normal_starts_the_count_anew);
  g_test_add_func ("/gcc-overuse/sign-convention", sign_convention);
  g_test_add_func ("/gcc-overuse/counts-lasting-overuse-again", counts_lasting_overuse_again);
  g_test_add_func ("/gcc-overuse/adapts-by-its-constants", adapts_by_its_constants);
  g_test_add_func ("/gcc-overuse/does-not-adapt-to-outliers", does_not_adapt_to_outliers);
  g_test_add_func ("/gcc-overuse/stays-within-6-and-600", stays_within_6_and_600);
  g_test_add_func ("/gcc-overuse/the-sets-disagree", the_sets_disagree);
  g_test_add_func ("/gcc-overuse/a-step-back-of-the-clock", a_step_back_of_the_clock);
  g_test_add_func ("/gcc-overuse/any-input-leaves-it-sane", any_input_leaves_it_sane);
  g_test_add_func ("/gcc-overuse/a-static-threshold-stays", a_static_threshold_stays);
  g_test_add_func ("/gcc-overuse/a-gap-below-zero-is-no-time", a_gap_below_zero_is_no_time);
  g_test_add_func ("/gcc-overuse/the-threshold-itself-is-normal", the_threshold_itself_is_normal);
  g_test_add_func ("/gcc-overuse/is-said-again-when-it-has-lasted-again",
      is_said_again_when_it_has_lasted_again);
  return g_test_run ();
}
