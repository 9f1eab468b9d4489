/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpfbrafec tuning=tuning,algorithm=cnadu: the baseline in FBRA's place, which never sends parity. */
#include "fbra-rig.h"
#include "tuning.h"

#define CNADU "tuning", tuning ("algorithm=cnadu")

static gchar *
algorithm (Rig *rig)
{
  GstStructure *stats;
  gchar *name;

  g_object_get (rig->e, "stats", &stats, NULL);
  name = g_strdup (gst_structure_get_string (stats, "algorithm"));
  gst_structure_free (stats);
  return name;
}

static void
is_by (Rig *rig, const gchar *expected)
{
  g_autofree gchar *name = algorithm (rig);

  fail_unless_equals_string (name, expected);
}

/* What has left is what came in, by the numbers it came in with. */
static void
no_parity (Rig *rig)
{
  fail_unless_equals_int (rig->left->len, rig->seq);
  for (guint i = 0; i < rig->left->len; i++) {
    guint8 head[12];

    fail_if (rig_is_parity (rig->left->pdata[i]));
    gst_buffer_extract (rig->left->pdata[i], 0, head, sizeof head);
    fail_unless_equals_int (rcc_be16 (head + 2), i);
  }
  fail_unless_equals_uint64 (rig_stat (rig, "fec-packets-sent"), 0);
  fail_unless_equals_int (rig_uint (rig, "fec-bitrate"), 0);
}

/* RFC 8888 without a loss: 5 % more each time, and nothing else. */
TEST (test_climbs)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, CNADU, "start-bitrate", 100000, "max-bitrate", 500000,
      NULL);
  guint before;

  rig_round (rig, 0);
  before = rig_uint (rig, "estimated-bitrate");
  fail_unless (before <= 105000);
  rig_round (rig, 0);
  fail_unless (rig_is (rig, "up"));
  fail_unless (ABS ((gint) rig_uint (rig, "estimated-bitrate") - (gint) (1.05 * before))
      <= 2);
  for (guint i = 0; i < 60; i++) {
    rig_round (rig, 0);
    fail_if (rig_is (rig, "probe") || rig_is (rig, "down"));
  }
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 500000);
  fail_unless (rig_is (rig, "stay"));   /* nowhere to go */
  fail_unless_equals_uint64 (rig_stat (rig, "undershoots"), 0);
  is_by (rig, "cnadu-like");
  no_parity (rig);
}

/* Of 240 kbit/s two packets in five are lost: below what came, at most. */
TEST (test_undershoots)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, CNADU, "start-bitrate", 240000, NULL);
  guint target;

  for (guint i = 0; i < 5; i++)
    rig_round (rig, 0);
  rig_round (rig, 2);
  target = rig_uint (rig, "estimated-bitrate");
  fail_unless (target < 150000, "%u", target);
  fail_unless (rig_is (rig, "down"));
  fail_unless_equals_uint64 (rig_stat (rig, "undershoots"), 1);
  fail_unless (rig_stat (rig, "goodput") <= 150000);
  for (guint i = 0; i < 5; i++)
    rig_round (rig, 0);
  fail_unless (rig_uint (rig, "estimated-bitrate") > target);
  fail_unless (rig_is (rig, "up"));
  fail_unless_equals_uint64 (rig_stat (rig, "undershoots"), 1);
  no_parity (rig);
}

/* Without reports the target halves, which is no word of a receiver but moves the state. */
TEST (test_silence)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, CNADU, "start-bitrate", 240000, NULL);
  guint before;

  for (guint i = 0; i < 5; i++)
    rig_round (rig, 0);
  before = rig_uint (rig, "estimated-bitrate");
  rig_push (rig, 600);
  rig_wait (rig, 5 * GST_SECOND);
  fail_unless (rig_stat (rig, "feedback-timeout-count") > 0);
  fail_unless (rig_uint (rig, "estimated-bitrate") <= before / 2);
  fail_unless (rig_is (rig, "down"));
  no_parity (rig);
}

static void
has_reason (Rig *rig, const gchar *expected)
{
  GstStructure *stats;

  g_object_get (rig->e, "stats", &stats, NULL);
  fail_unless_equals_string (gst_structure_get_string (stats, "reason"), expected);
  gst_structure_free (stats);
}

/* max-delay is C-NADU's, too: what took longer is late; what did not is still a queue. */
TEST_EACH (test_max_delay, 2)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, CNADU, "start-bitrate", 250000, "max-delay",
      (__i__ ? 100 : 300) * GST_MSECOND, NULL);

  for (guint i = 0; i < 5; i++)
    rig_round (rig, 0);
  for (guint i = 0; i < 5; i++)
    rig_push (rig, 600);
  rig_wait (rig, 400 * GST_MSECOND);
  rig_report (rig, 200 * GST_MSECOND, 0);
  fail_unless_equals_uint64 (rig_stat (rig, "undershoots"), 1);
  has_reason (rig, __i__ ? "late packets" : "round trip above its 90th percentile");
}

/* A pad for parity gets none, not even a beginning. */
TEST (test_fec_pad)
{
  g_autoptr (Rig) rig = rig_new_fec (VIDEO_CAPS, CNADU, "start-bitrate", 240000, NULL);

  for (guint i = 0; i < 30; i++)
    rig_round (rig, i == 20);
  no_parity (rig);
  fail_unless_equals_int (gst_harness_buffers_received (rig->fec), 0);
}

/* It takes effect at reset; and where another controller is probed for, that is neither. */
TEST (test_takes_effect)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);

  rig_rounds_until (rig, "probe");
  g_object_set (rig->e, CNADU, NULL);
  rig_push (rig, 600);
  rig_push (rig, 600);
  is_by (rig, "fbra");
  fail_unless (rig_is (rig, "probe"));
  g_signal_emit_by_name (rig->e, "reset");
  is_by (rig, "cnadu-like");
  fail_unless (rig_is (rig, "stay"));
  fail_unless_equals_int (rig_uint (rig, "fec-bitrate"), 0);
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 250000);
  for (guint i = 0; i < 10; i++)
    rig_round (rig, 0);
  fail_unless (rig_is (rig, "up"));
  fail_unless (rig_uint (rig, "estimated-bitrate") > 300000);
  g_object_set (rig->e, "probe-for", 1, NULL);
  g_signal_emit_by_name (rig->e, "reset");
  is_by (rig, "fbra-probe");
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 0);
  g_object_set (rig->e, "tuning", NULL, "probe-for", 0, NULL);
  g_signal_emit_by_name (rig->e, "reset");
  is_by (rig, "fbra");
  rig_rounds_until (rig, "probe");
}

/* Limits move the target at once; they are not what a report led to. */
TEST (test_limits)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, CNADU, "start-bitrate", 250000, NULL);

  for (guint i = 0; i < 5; i++)
    rig_round (rig, 0);
  g_object_set (rig->e, "max-bitrate", 200000, NULL);
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 200000);
  fail_unless (rig_is (rig, "up"));
  rig_round (rig, 0);
  fail_unless (rig_is (rig, "stay"));
}

/* A message for each state it is said to be in. */
TEST (test_messages)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, CNADU, "start-bitrate", 250000, NULL);
  static const gchar *const expected[] = { "up", "down", "up" };
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;
  guint n = 0;

  gst_element_set_bus (rig->e, bus);
  for (guint i = 0; i < 20; i++)
    rig_round (rig, i == 10 ? 3 : 0);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    const GstStructure *s = gst_message_get_structure (message);
    guint fec, interval;

    fail_unless (n < G_N_ELEMENTS (expected));
    fail_unless_equals_string (gst_structure_get_string (s, "state"), expected[n++]);
    fail_unless (gst_structure_get (s, "fec-bitrate", G_TYPE_UINT, &fec, "fec-interval",
            G_TYPE_UINT, &interval, NULL));
    fail_unless_equals_int (fec + interval, 0);
    gst_message_unref (message);
  }
  fail_unless_equals_int (n, G_N_ELEMENTS (expected));
  gst_element_set_bus (rig->e, NULL);
}

TEST_MAIN (cnadu);
