/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include "core/gcc/feedback-interval.h"
#include "core/rng.h"

#define MS RCC_MSEC
#define MOST (7500 * MS)

/* Two of the longest interval of late, which is forgotten within 4 s. */
static void
any_feedback (void)
{
  RccFeedbackInterval r;

  rcc_feedback_interval_init (&r);
  g_assert_cmpuint (rcc_feedback_interval_timeout (&r, false), ==, 1200 * MS);
  g_assert_cmpuint (rcc_feedback_interval_timeout (&r, true), ==, 1200 * MS); /* nor reports */
  rcc_feedback_interval_heard (&r, RCC_NEVER, RCC_SEC);
  g_assert_cmpuint (rcc_feedback_interval_recent (&r, false), ==, 600 * MS);
  rcc_feedback_interval_heard (&r, RCC_NEVER, 3 * RCC_SEC);
  g_assert_cmpuint (rcc_feedback_interval_recent (&r, false), ==, 2 * RCC_SEC);
  g_assert_cmpuint (rcc_feedback_interval_timeout (&r, false), ==, 4 * RCC_SEC);
  rcc_feedback_interval_heard (&r, RCC_NEVER, 4 * RCC_SEC);
  g_assert_cmpuint (rcc_feedback_interval_recent (&r, false), ==, 1500 * MS);
  rcc_feedback_interval_heard (&r, RCC_NEVER, 8 * RCC_SEC + 1);
  rcc_feedback_interval_heard (&r, RCC_NEVER, 60 * RCC_SEC);
  g_assert_cmpuint (rcc_feedback_interval_recent (&r, false), ==, MOST);
}

/* Whatever intervals RFC 3550 draws, of any mean: the next report comes within the patience, and
 * that is never more than 7.5 s.  Reports that came in between do not shorten it for long. */
static void
reports_at_random (void)
{
  RccRng rng;

  rcc_rng_init (&rng, 3550, 1);
  for (guint life = 0; life < 2000; life++) {
    const double td = (double) (100 + rcc_rng_u32 (&rng) % 4900) * MS;
    RccTime now = RCC_SEC;
    RccFeedbackInterval r;

    rcc_feedback_interval_init (&r);
    for (guint i = 0; i < 40; i++) {
      const RccTime gap = (RccTime) (td * (0.5 + rcc_rng_uniform (&rng)) / 1.21828);

      if (i > 0) {
        g_assert_cmpuint (rcc_feedback_interval_timeout (&r, true), >=, gap);
        g_assert_cmpuint (rcc_feedback_interval_timeout (&r, true), <=, MOST);
      }
      now += gap;
      rcc_feedback_interval_heard (&r, RCC_SEC, now);
      rcc_feedback_interval_reported (&r, now);
      if (i > 10 && rcc_rng_u32 (&rng) % 8 == 0) {
        rcc_feedback_interval_heard (&r, RCC_SEC, now + 50 * MS);
        rcc_feedback_interval_reported (&r, now + 50 * MS);
        now += 50 * MS;
      }
    }
    g_assert_cmpuint (rcc_feedback_interval_timeout (&r, true), <=,
        MAX ((RccTime) (5 * td), 100 * MS));
  }
}

static void
one_report_tells_no_interval (void)
{
  RccFeedbackInterval r;

  rcc_feedback_interval_init (&r);
  rcc_feedback_interval_reported (&r, RCC_SEC);
  g_assert_cmpuint (rcc_feedback_interval_timeout (&r, true), ==, MOST);
  g_assert_cmpuint (rcc_feedback_interval_recent (&r, true), ==, MOST);
  rcc_feedback_interval_reported (&r, RCC_SEC);    /* two blocks of one compound */
  g_assert_cmpuint (rcc_feedback_interval_timeout (&r, true), ==, MOST);
  rcc_feedback_interval_reported (&r, 2 * RCC_SEC);
  g_assert_cmpuint (rcc_feedback_interval_timeout (&r, true), ==, 3 * RCC_SEC);
  g_assert_cmpuint (rcc_feedback_interval_recent (&r, true), ==, RCC_SEC);
  rcc_feedback_interval_reported (&r, 100 * RCC_SEC);
  g_assert_cmpuint (rcc_feedback_interval_recent (&r, true), ==, MOST);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feedback-interval/any-feedback", any_feedback);
  g_test_add_func ("/feedback-interval/reports-at-random", reports_at_random);
  g_test_add_func ("/feedback-interval/one-report-tells-no-interval", one_report_tells_no_interval);
  return g_test_run ();
}
