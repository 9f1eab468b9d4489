/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <glib.h>
#include "core/gcc/config.h"

/* What ANRW'16 says, and nothing it does not have. */
static void
the_paper_is_the_paper (void)
{
  const RccGccConfig c = rcc_gcc_config (RCC_GCC_PAPER);

  g_assert_cmpint (c.profile, ==, RCC_GCC_PAPER);
  g_assert_cmpint (c.grouping, ==, RCC_GROUPING_PAPER);
  g_assert_cmpuint (c.burst, ==, 5 * RCC_MSEC);
  g_assert_cmpuint (c.merge_cap, ==, RCC_NEVER);
  g_assert_cmpint (c.filter, ==, RCC_FILTER_KALMAN);
  g_assert_cmpint (c.loss, ==, RCC_LOSS_PAPER);
  g_assert_cmpuint (c.rate_window, ==, 500 * RCC_MSEC);
  g_assert_cmpfloat (c.aimd.cap, ==, 1.5);
  /* figure 6: a lobe of the variation 20 ms before the next of 30 frames a second */
  g_assert_cmpfloat_with_epsilon (1000.0 / 30 * (1 - 1 / c.pacing_factor), 20, 1e-9);
  /* of the code that it was made with */
  g_assert_cmpfloat (c.overuse.k_up, ==, 0.0087);
  g_assert_cmpfloat (c.overuse.k_down, ==, 0.039);
  g_assert_cmpfloat (c.probe_factor, ==, 0);
  g_assert_cmpuint (c.aimd.drain_time, ==, 0);
  g_assert_cmpuint (c.fast_window, ==, 0);
  g_assert_cmpuint (c.stand_time, ==, 0);
  g_assert_cmpfloat (c.pacing_floor, ==, 0);
  g_assert_cmpfloat (c.probe_later, ==, 0);
  g_assert_false (c.trains);
  g_assert_false (c.aimd.converge);
}

/* The ranges of the paper and the draft, and what keeps a loop stable. */
static void
within_the_published_ranges (void)
{
  static const RccGccProfile profiles[] = { RCC_GCC_PAPER, RCC_GCC_DEFAULT };

  for (guint i = 0; i < 2; i++) {
    const RccGccConfig c = rcc_gcc_config (profiles[i]);

    g_assert_true (c.aimd.eta >= 1.005 && c.aimd.eta <= 1.3);
    g_assert_true (c.aimd.beta >= 0.8 && c.aimd.beta <= 0.95);
    g_assert_true (c.aimd.drain_time == 0
        || (c.aimd.beta_small >= 0.8 && c.aimd.beta_small <= 1));
    g_assert_true (c.gain > 0 && c.overuse.k_up > 0 && c.overuse.k_down > 0);
    /* what a paced stream does must be no train */
    g_assert_true (!c.trains || c.train_factor >= c.pacing_factor + 0.05);
    /* 10 ms in the draft, as `paper' has it; 100 ms before it */
    g_assert_true (profiles[i] != RCC_GCC_PAPER
        || c.overuse.overuse_time == 10 * RCC_MSEC);
    g_assert_cmpuint (c.overuse.overuse_time, >=, 10 * RCC_MSEC);
    g_assert_cmpuint (c.overuse.overuse_time, <=, 100 * RCC_MSEC);
    g_assert_true (c.pacing_factor >= 1 && c.pacing_factor <= 2.5);
    g_assert_true (c.probe_factor == 0 || (c.probe_factor > 1 && c.probe_factor <= 2));
    g_assert_true (c.probe_first == 0 || (c.probe_first > 1 && c.probe_first <= 3));
    g_assert_true (c.probe_factor == 0 || (c.probe_interval > 0 && c.probe_span > 0));
    g_assert_true (c.rate_window >= 500 * RCC_MSEC && c.rate_window <= RCC_SEC);
    g_assert_true (c.fast_window <= c.rate_window);
    g_assert_true (c.feedback_interval >= 50 * RCC_MSEC && c.feedback_interval <= RCC_SEC);
    /* a timeout that the feedback's own interval cannot trip */
    g_assert_cmpuint (c.feedback_timeout, >=, 4 * c.feedback_interval);
  }
}

/* Without the cap a long backlog is merged for ever and the detector is blind. */
static void
the_default_caps_its_merges (void)
{
  const RccGccConfig c = rcc_gcc_config (RCC_GCC_DEFAULT);

  g_assert_cmpint (c.profile, ==, RCC_GCC_DEFAULT);
  g_assert_cmpint (c.grouping, ==, RCC_GROUPING_DRAFT);
  g_assert_cmpint (c.filter, ==, RCC_FILTER_TRENDLINE);
  g_assert_cmpint (c.loss, ==, RCC_LOSS_RELEASE);
  g_assert_cmpuint (c.merge_cap, <=, 100 * RCC_MSEC);
}

/* Every number that `rccsim --set` knows, and so every one by which the profiles differ: times
 * in ms.  Who changes a default changes it here, too, and says why in gcc-config.c. */
static void
the_profiles_by_number (void)
{
  static const struct { const gchar *name; double values[3]; } table[] = {
    { "burst", { 5, 5, 1 } },
    { "merge-cap", { INFINITY, 100, INFINITY } },
    { "merge-faster", { 0, 2, 0 } },
    { "slope-noise", { 0, 0, 1e-10 } },
    { "offset-noise", { 0, 0, 0.01 } },
    { "clip", { 3, 3, 3 } },
    { "clip-state", { 0, 0, 0 } },
    { "gain", { 60, 60, 60 } },
    { "threshold-up", { 0.0087, 0.0087, 0 } },
    { "threshold-down", { 0.039, 0.039, 0 } },
    { "threshold-start", { 0, 0, 25 } },
    { "overuse-time", { 10, 30, 100 } },
    { "eta", { 1.08, 1.08, 1.08 } },
    { "eta-varies", { 0, 0, 1 } },
    { "beta", { 0.85, 0.85, 0.9 } },
    { "cap", { 1.5, 1.5, 1.5 } },
    { "converge", { 0, 1, 0 } },
    { "learn", { 0, 0.3, 0 } },
    { "beta-small", { 0, 0.97, 0 } },
    { "drain-time", { 0, 600, 0 } },
    { "drain-resume", { 0, 0, 0 } },
    { "drain-doubt", { 0, 8, 0 } },
    { "queue-floor", { 0, 15, 0 } },
    { "recover", { 0, 0.97, 0 } },
    { "recover-free", { 0, 1, 0 } }, { "climb", { 0, 2, 0 } },
    { "rate-window", { 500, 500, 500 } },
    { "fast-window", { 0, 200, 0 } },
    { "pause", { 0, 0, 0 } },
    { "l4s", { 0, 0, 0 } }, { "l4s-pacing", { 1.45, 1.45, 1.45 } },
    { "ecn-as-loss", { 0, 0, 0 } },
    { "base-rise", { 0, 1000, 0 } },
    { "capacity-drop", { 0, 60, 0 } },
    { "stand-time", { 0, 60, 0 } },
    { "stand-limit", { 0, 15, 0 } },
    { "loss-cause", { 0, 1, 0 } },
    { "loss-second-cut", { 0, 0.8, 0 } },
    { "full-queue", { 0, 5000, 0 } },
    { "tcp-share", { 0, 0.5, 0 } },
    { "flight-extra", { 0, 500, 0 } },
    { "fill-gaps", { 0, 1, 0 } },
    { "pacing-factor", { 2.5, 1.05, 2.5 } },
    { "queue-drain", { 0, 1000, 0 } },
    { "backlog-from", { 0, 200, 0 } },
    { "backlog-over", { 0, 1000, 0 } },
    { "pacing-floor", { 0, 0, 0 } },
    { "feedback-timeout", { 5000, 800, 5000 } },
    { "timeout-repeat", { 0, 400, 0 } },
    { "probe-first", { 0, 3, 0 } },
    { "probe-factor", { 0, 2, 0 } },
    { "probe-later", { 0, 1.5, 0 } },
    { "probe-interval", { 0, 1000, 0 } },
    { "probe-interval-most", { 0, 0, 0 } },
    { "probe-trust", { 0, 12, 0 } },
    { "probe-doubt", { 0, 4, 0 } },
    { "probe-span", { 0, 30, 0 } },
    { "reordering", { 0, 20, 0 } },
    { "feedback-interval", { 1000, 200, 1000 } },
    { "repeat", { 0, 16, 0 } },
    { "trains", { 0, 1, 0 } },
    { "train-factor", { 0, 1.15, 0 } },
    { "train-interval", { 0, 1000, 0 } },
  };
  guint n = 0;

  for (const RccSetting *row = rcc_gcc_settings; row->name; row++) {
    if (row->type == RCC_SET_CHOICE)
      continue;
    g_assert_cmpuint (n, <, G_N_ELEMENTS (table));
    g_assert_cmpstr (row->name, ==, table[n].name);
    for (guint i = 0; i < 3; i++) {
      const RccGccConfig c = rcc_gcc_config ((RccGccProfile) i);
      const double value = rcc_setting_get (row, &c);

      g_assert_cmpfloat (row->type != RCC_SET_TIME ? value : value >= RCC_FOREVER ? INFINITY
          : 1e-6 * value, ==, table[n].values[i]);
    }
    n++;
  }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (table));
}

static void
the_baseline_of_2012 (void)
{
  const RccGccConfig c = rcc_gcc_config (RCC_GCC_RRTCC);

  g_assert_cmpint (c.profile, ==, RCC_GCC_RRTCC);
  g_assert_cmpint (c.grouping, ==, RCC_GROUPING_NONE);
  g_assert_cmpint (c.filter, ==, RCC_FILTER_KALMAN2);
  g_assert_cmpint (c.loss, ==, RCC_LOSS_2012);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-config/the-paper-is-the-paper", the_paper_is_the_paper);
  g_test_add_func ("/gcc-config/within-the-published-ranges", within_the_published_ranges);
  g_test_add_func ("/gcc-config/the-default-caps-its-merges", the_default_caps_its_merges);
  g_test_add_func ("/gcc-config/the-profiles-by-number", the_profiles_by_number);
  g_test_add_func ("/gcc-config/the-baseline-of-2012", the_baseline_of_2012);
  return g_test_run ();
}
