/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpfbrafec profile=paper|plus, and what goes on top of it. */
#include "fbra-rig.h"
#include "tuning.h"

enum { PAPER, PLUS };

#define RTT (300 * GST_MSECOND)

TEST (test_defaults)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, NULL, NULL);
  GstStructure *tuned = NULL;
  gdouble utilization = 0;
  gint profile = -1;

  g_object_get (rig->e, "profile", &profile, "tuning", &tuned, NULL);
  fail_unless_equals_int (profile, PAPER);
  fail_unless (tuned == NULL);
  gst_util_set_object_arg (G_OBJECT (rig->e), "profile", "plus");
  g_object_set (rig->e, "tuning", tuning ("filled=0.5"), NULL);
  g_object_get (rig->e, "profile", &profile, "tuning", &tuned, NULL);
  fail_unless_equals_int (profile, PLUS);
  fail_unless_equals_int (gst_structure_n_fields (tuned), 1);
  fail_unless (gst_structure_get_double (tuned, "filled", &utilization));
  fail_unless_equals_float (utilization, 0.5);
  gst_structure_free (tuned);
}

static const struct
{
  gint profile;
  const gchar *tuning;
  guint smallest;
} intervals[] = {
  {PAPER, "filled=0", 2},
  {PAPER, "filled=0,fec-interval-min=5", 5},
  {PLUS, "filled=0", 7},
  {PLUS, "filled=0,fec-interval-min=4", 4},     /* what was asked for wins */
  {PLUS, "filled=0,fec-interval-max=5", 5},
  {PLUS, "filled=0,fec-interval-min=9,fec-interval-max=5", 9},  /* min over max, as ever */
  {PLUS, "filled=0,fec-interval-min=1", 2},
};

/* The most parity of the first probes. */
TEST_EACH (test_interval_min, G_N_ELEMENTS (intervals))
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 240000, "profile",
      intervals[__i__].profile, "tuning", tuning ("%s", intervals[__i__].tuning), NULL);
  guint smallest = G_MAXUINT;

  for (guint i = 0; i < 200 && rig_stat (rig, "probes") < 5; i++) {
    rig_round (rig, 0);
    if (rig_is (rig, "probe"))
      smallest = MIN (smallest, (guint) rig_stat (rig, "fec-interval"));
  }
  fail_unless_equals_uint64 (rig_stat (rig, "probes"), 5);
  fail_unless_equals_int (smallest, intervals[__i__].smallest);
}

/* One packet, and no queue: the path's own loss to plus, congestion to the paper. */
TEST_EACH (test_stray_loss, PLUS + 1)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, "profile", __i__, NULL);

  for (guint i = 0; i < 10; i++)
    rig_round (rig, 0);
  rig_round (rig, 1);
  fail_unless_equals_uint64 (rig_stat (rig, "losses"), 1);
  fail_unless_equals_uint64 (rig_stat (rig, "undershoots"), __i__ == PAPER);
  fail_unless_equals_int (rig_is (rig, "down"), __i__ == PAPER);
}

/* Three packets in five, until that is no stray loss any more.  As in the paper it goes
 * down by twice that; to what came otherwise, and the property says which. */
TEST_EACH (test_undershoot, 2)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 240000, "min-bitrate", 30000,
      "profile",
      PLUS, NULL);

  if (__i__)
    g_object_set (rig->e, "tuning", tuning ("by-capacity=false"), NULL);
  g_signal_emit_by_name (rig->e, "reset");
  for (guint i = 0; i < 10; i++)
    rig_round (rig, 0);
  for (guint i = 0; i < 20 && !rig_is (rig, "down"); i++)
    rig_round (rig, 3);
  fail_unless (rig_is (rig, "down"));
  if (__i__) {
    fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 30000);
  } else {
    fail_unless (rig_uint (rig, "estimated-bitrate") > 60000);
  }
}

TEST_EACH (test_parity_least, 2)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 240000, "profile", PLUS, "tuning",
      tuning ("parity-least=%d", __i__ ? 20 : 1), NULL);

  rig_rounds_until (rig, "probe");
  for (guint i = 0; i < 30; i++)        /* some ten parity packets */
    rig_round (rig, 0);
  fail_unless_equals_int (rig_stat (rig, "probes-passed") > 0, !__i__);
}

/* Reports every 100 ms of a path of 300 ms, there and back: all of them are judged with
 * plus, every 600 ms of them with the paper's. */
TEST_EACH (test_reports, PLUS + 1)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 240000, "profile", __i__, NULL);
  guint arrived = 0;
  guint64 judged;

  for (guint i = 0; i < 63; i++) {
    for (guint j = 0; j < 5; j++) {
      rig_wait (rig, 20 * GST_MSECOND);
      rig_push (rig, 600);
    }
    while (g_array_index (rig->sent, GstClockTime, arrived) + RTT
        <= gst_clock_get_time (GST_CLOCK (rig->clock)))
      arrived++;
    if (arrived > rig->reported)
      rig_report_until (rig, arrived, RTT, 0);
  }
  judged = rig_stat (rig, "report-count");
  if (__i__ == PLUS)
    fail_unless (judged >= 59, "%" G_GUINT64_FORMAT, judged);
  else
    fail_unless (judged >= 9 && judged <= 12, "%" G_GUINT64_FORMAT, judged);
  fail_unless_equals_uint64 (rig_stat (rig, "feedback-timeout-count"), 0);
}

/* It takes effect at reset. */
TEST (test_takes_effect)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);

  g_object_set (rig->e, "profile", PLUS, NULL);
  rig_rounds_until (rig, "probe");
  fail_unless_equals_uint64 (rig_stat (rig, "fec-interval"), 2);
  g_signal_emit_by_name (rig->e, "reset");
  rig_rounds_until (rig, "probe");
  fail_unless_equals_uint64 (rig_stat (rig, "fec-interval"), 14);
}

/* The source sends 240 kbit/s. */
static const struct
{
  guint start;
  gdouble utilization;          /* < 0: as it comes */
  gboolean probes;
} sources[] = {
  {300000, -1, TRUE},
  {500000, -1, FALSE},
  {500000, 0.4, TRUE},
  {500000, 0, TRUE},
  {300000, 0.9, FALSE},
  {300000, 0.7, TRUE},
  {2000000, 0.15, FALSE},
  {2000000, 0.1, TRUE},
};

TEST_EACH (test_min_utilization, 2 * G_N_ELEMENTS (sources))
{
  const guint row = (guint) __i__ / 2;
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", sources[row].start, "profile",
      __i__ % 2, NULL);
  GstStructure *stats;

  if (sources[row].utilization >= 0)
    g_object_set (rig->e, "tuning", tuning ("filled=%g", sources[row].utilization), NULL);
  g_signal_emit_by_name (rig->e, "reset");
  for (guint i = 0; i < 50; i++)
    rig_round (rig, 0);
  fail_unless_equals_int (rig_stat (rig, "probes") > 0, sources[row].probes);
  if (!sources[row].probes) {
    g_object_get (rig->e, "stats", &stats, NULL);
    fail_unless_equals_string (gst_structure_get_string (stats, "reason"),
        "the source does not fill its rate");
    gst_structure_free (stats);
    fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), sources[row].start);
  }
}

TEST_MAIN (profile);
