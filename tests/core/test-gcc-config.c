/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/gcc-config.h"

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
  g_assert_cmpfloat (c.pacing_factor, ==, 1);
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
    /* a timeout that the feedback's own rhythm cannot trip */
    g_assert_cmpuint (c.feedback_timeout, >=, 4 * c.feedback_interval);
  }
}

/* Without the cap a long backlog is merged for ever and the detector is blind. */
static void
the_default_caps_its_merges (void)
{
  const RccGccConfig c = rcc_gcc_config (RCC_GCC_DEFAULT);

  g_assert_cmpint (c.profile, ==, RCC_GCC_DEFAULT);
  g_assert_cmpint (c.grouping, !=, RCC_GROUPING_NONE);
  g_assert_cmpuint (c.merge_cap, <=, 100 * RCC_MSEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gcc-config/the-paper-is-the-paper", the_paper_is_the_paper);
  g_test_add_func ("/gcc-config/within-the-published-ranges", within_the_published_ranges);
  g_test_add_func ("/gcc-config/the-default-caps-its-merges", the_default_caps_its_merges);
  return g_test_run ();
}
