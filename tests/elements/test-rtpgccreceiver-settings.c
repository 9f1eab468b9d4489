/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What rtpgccreceiver makes of its settings and profiles.
 */
#include "rtpgccreceiver.h"

#include "rtpcc/gccreceiver/settings.h"
#include "tuning.h"

#define NEAR(a, b, share) (ABS ((gdouble) (a) - (gdouble) (b)) <= (share) * (gdouble) (b))

TEST (test_limits)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);

  stream (f, 3 * GST_SECOND, 500000, 1000000);
  g_object_set (f->element, "max-bitrate", 100000, NULL);
  fail_unless_equals_int (estimate (f), 100000);
  g_object_set (f->element, "min-bitrate", 200000, NULL);       /* above the maximum */
  fail_unless_equals_int (estimate (f), 200000);
  g_object_set (f->element, "min-bitrate", 0, "max-bitrate", 0, NULL);
  stream (f, 3 * GST_SECOND, 500000, 1000000);
  fail_unless_equals_int (estimate (f), 0);
  g_object_set (f->element, "max-bitrate", G_MAXUINT, NULL);
  stream (f, 3 * GST_SECOND, 500000, 1000000);
  fail_unless (estimate (f) > 0);
}

static RccGccConfig
tuned (RccGccProfile profile, const gchar *values)
{
  GstRtpCcReceiverSettings settings;
  GValue value = G_VALUE_INIT;
  guint id = 1;

  gst_rtp_cc_receiver_settings_init (&settings);
  settings.profile = profile;
  while (gst_rtp_cc_receiver_settings.properties->rows[id - 1].name)
    id++;
  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_set_boxed (&value, tuning ("%s", values));
  fail_unless (gst_rtp_cc_settings_set (&gst_rtp_cc_receiver_settings, &settings, id,
          &value));
  g_value_unset (&value);
  return gst_rtp_cc_receiver_settings_config (&settings).gcc;
}

/* Each constant does what it says and nothing else; what is not named is the profile's. */
TEST (test_config)
{
  const RccOveruseConfig webrtc = RCC_OVERUSE_WEBRTC;
  const RccGccConfig paper = rcc_gcc_config (RCC_GCC_PAPER);
  RccGccConfig c;

  ASSERT_WARNING (c = tuned (RCC_GCC_PAPER, "none-of-them=0"));
  fail_unless (c.filter == paper.filter && c.grouping == paper.grouping);
  fail_unless (c.overuse.k_down == paper.overuse.k_down);
  c = tuned (RCC_GCC_DEFAULT,
      "filter=kalman2,grouping=none,threshold-up=0.0087,threshold-down=0.039");
  fail_unless (c.profile == RCC_GCC_DEFAULT && c.filter == RCC_FILTER_KALMAN2);
  fail_unless (c.grouping == RCC_GROUPING_NONE);
  fail_unless (c.overuse.k_up == webrtc.k_up && c.overuse.k_down == webrtc.k_down);
  c = tuned (RCC_GCC_DEFAULT, "filter=kalman,grouping=paper");
  fail_unless (c.filter == RCC_FILTER_KALMAN && c.grouping == RCC_GROUPING_PAPER);
  c = tuned (RCC_GCC_PAPER, "filter=trendline,grouping=draft");
  fail_unless (c.filter == RCC_FILTER_TRENDLINE && c.grouping == RCC_GROUPING_DRAFT);
  ASSERT_WARNING (c = tuned (RCC_GCC_RRTCC,
          "merge-cap=none,trains=true,eta=1.5,filter=9,beta=high"));
  fail_unless (c.filter == RCC_FILTER_KALMAN2 && c.grouping == RCC_GROUPING_NONE);
  fail_unless (c.overuse.k_up == 0 && c.overuse.k_down == 0 && c.overuse.threshold == 25.0);
  fail_unless (c.merge_cap == RCC_NEVER && c.trains && c.aimd.eta == 1.5);
  fail_unless (c.aimd.beta == rcc_gcc_config (RCC_GCC_RRTCC).aimd.beta);
  c = tuned (RCC_GCC_RRTCC, "threshold-up=0.01");
  fail_unless (c.overuse.k_up > 0);     /* what is set on top wins */
}

TEST (test_profile_paper)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "profile", "paper", "start-bitrate", "123000",
      "tuning", "tuning,filter=kalman2,grouping=none,threshold-up=0.0087,"
      "threshold-down=0.039", NULL);
  Feedback feedback = { 0 };

  /* the paper has an estimate from the first packet on, and sends it each second */
  stream (f, 100 * GST_MSECOND, 100000, 10000000);
  fail_unless (next_feedback (f, &feedback));
  fail_unless (NEAR (feedback.remb.bps, 123000, 0.1));
  drop_feedback (f);
  stream (f, 10 * GST_SECOND, 100000, 10000000);
  fail_unless (drop_feedback (f) <= 11);
}

static gdouble
threshold (Fixture *f)
{
  GstStructure *s;
  gdouble value;

  g_object_get (f->element, "stats", &s, NULL);
  fail_unless (gst_structure_get_double (s, "threshold", &value));
  gst_structure_free (s);
  return value;
}

/* 2012: the threshold stands at 25 ms whatever comes, and the estimate goes out each
 * second, as a TMMBR where that is asked for; over-use takes it down all the same.  The
 * default's threshold moves from the same packets. */
TEST_EACH (test_profile_rrtcc, 2)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "profile", __i__ ? "rrtcc" : "default",
      "feedback-format", "tmmbr", "start-bitrate", "1000000", NULL);
  gboolean moved = FALSE;
  guint before, feedback;

  stream (f, 3 * GST_SECOND, 1000000, 10000000);
  drop_feedback (f);
  stream (f, 10 * GST_SECOND, 1000000, 10000000);
  feedback = drop_feedback (f);
  before = estimate (f);
  for (guint i = 0; i < 30; i++) {
    stream (f, 100 * GST_MSECOND, 1000000, 500000);
    moved |= threshold (f) != 25.0;
  }
  fail_unless_equals_int (moved, !__i__);
  fail_unless (estimate (f) < before && estimate (f) < 600000, "%u", estimate (f));
  if (__i__) {
    Feedback request = { 0 };

    fail_unless (feedback >= 9 && feedback <= 11, "%u in 10 s", feedback);
    while (next_feedback (f, &request));
    fail_unless_equals_int (request.n_tmmbr, 1);
    fail_unless_equals_int (request.n_remb, 0);
  } else {
    fail_unless (feedback > 20, "%u in 10 s", feedback);
  }
}

/* The receiver's own constant stands behind all of GCC's: the 65th wrapped round to the first. */
TEST (test_the_last_of_tuning)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "tuning", "tuning,rtcp-fraction=0.25", NULL);
  g_autoptr (GstStructure) tuning = NULL;
  gdouble fraction = 0;

  g_object_get (f->element, "tuning", &tuning, NULL);
  fail_unless (tuning && gst_structure_get_double (tuning, "rtcp-fraction", &fraction));
  fail_unless_equals_float (fraction, 0.25);
  fail_unless_equals_int (gst_structure_n_fields (tuning), 1);
}

TEST_MAIN (rtpgccreceiver_settings);
