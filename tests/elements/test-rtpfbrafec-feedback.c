/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who tells rtpfbrafec what, and what its settings change about what it makes of it. */
#include "fbra-rig.h"
#include "tuning.h"

/* What the encoder may use by the newest event; -1: none has come. */
static gint
media_share (Rig *rig)
{
  guint target, fec;
  gint share = -1;
  GstEvent *event;

  while ((event = next_upstream (rig->h, "GstRtpTargetBitrate"))) {
    if (gst_structure_get (gst_event_get_structure (event), "target-bitrate", G_TYPE_UINT,
            &target, "fec-bitrate", G_TYPE_UINT, &fec, NULL))
      share = (gint) (target - fec);
    gst_event_unref (event);
  }
  return share;
}

/* --- rtpsession's event --------------------------------------------------- */

static void
report_event (Rig *rig, guint8 parity_pt)
{
  static guint16 number;
  TwccTold told[64];
  guint n = 0;

  for (; rig->reported < rig->left->len; rig->reported++, n++) {
    const GstClockTime sent = g_array_index (rig->sent, GstClockTime, rig->reported);
    GstBuffer *buffer = rig->left->pdata[rig->reported];

    fail_unless (n < G_N_ELEMENTS (told));
    told[n] = (TwccTold) { number++, (guint) gst_buffer_get_size (buffer),
        rig_is_parity (buffer) ? parity_pt : 96, sent, sent + 30 * GST_MSECOND };
  }
  push_twcc_event (rig->h, rig->clock, told, n);
}

/* A probe passes when parity of it is told of, which the event tells by its payload
 * type; where that says nothing of parity, none does. */
TEST_EACH (test_twcc_event, 2)
{
  const guint8 pt = __i__ ? 96 : FEC_PT;
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);

  for (guint i = 0; i < 60; i++) {
    for (guint k = 0; k < 5; k++) {
      rig_wait (rig, 20 * GST_MSECOND);
      rig_push (rig, 600);
    }
    report_event (rig, pt);
  }
  fail_unless (rig_stat (rig, "fec-packets-sent") > 0);
  if (pt == FEC_PT) {
    fail_unless (rig_stat (rig, "probes-passed") > 0);
    fail_unless_equals_uint64 (rig_stat (rig, "probes-without-parity"), 0);
  } else {
    fail_unless_equals_uint64 (rig_stat (rig, "probes-passed"), 0);
  }
}

/* Parity among media with a transport-wide number has a place for one, too, and so is
 * measured; where the numbers are not the session's own it has none. */
TEST_EACH (test_extension, 2)
{
  const gboolean numbered = __i__ != 0;
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS ",extmap-5=(string)" RCC_TWCC_URI, "probe-for", 1,
      NULL);
  guint parity = 0, with = 0;

  push_target (rig->h, 1000000);
  push_target (rig->h, 9000000);
  for (guint i = 0; i < 20; i++) {
    const guint8 ext[] = { 0xbe, 0xde, 0, 1, 0x51, 0, (guint8) (numbered ? i : 0), 0 };

    gst_harness_push (rig->h, with_extension (rig_packet (SSRC, rig->seq++, i, TRUE, 200), ext));
    rig_collect (rig);
  }
  for (guint i = 0; i < rig->left->len; i++) {
    GstMapInfo info;
    RccBytes value;
    RccParity fec;
    RccRtp rtp;

    if (!rig_is_parity (rig->left->pdata[i]))
      continue;
    parity++;
    gst_buffer_map (rig->left->pdata[i], &info, GST_MAP_READ);
    fail_unless (rcc_rtp_parse ((RccBytes) { info.data, info.size }, &rtp));
    with += rcc_rtp_ext (&rtp, 5, &value) && value.size == 2;
    fail_unless (rcc_ulpfec_parse ((RccBytes) { info.data + rtp.header_size,
                info.size - rtp.header_size }, SSRC, &fec));
    gst_buffer_unmap (rig->left->pdata[i], &info);
  }
  fail_unless_equals_int (parity, 10);
  if (numbered)
    fail_unless (with <= 1, "%u of %u", with, parity);  /* before they are seen to move */
  else
    fail_unless_equals_int (with, parity);
}

/* --- for another controller ----------------------------------------------- */

TEST (test_external)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "probe-for", 1, "max-bitrate", 2000000, NULL);

  rig_push (rig, 600);
  fail_unless_equals_int (media_share (rig), -1);       /* nobody has spoken */
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 0);
  push_target (rig->h, 240000);
  fail_unless_equals_int (media_share (rig), 240000);   /* the first is no increase */
  push_target (rig->h, 300000);
  fail_unless (rig_is (rig, "probe"));
  fail_unless_equals_int (media_share (rig), 240000);
  fail_unless (rig_uint (rig, "fec-bitrate") > 0);
  fail_unless (rig_uint (rig, "estimated-bitrate") <= 300000);
  for (guint i = 0; i < 5 && rig_is (rig, "probe"); i++)
    rig_round (rig, 0);
  fail_unless (rig_is (rig, "up"));
  fail_unless (media_share (rig) > 240000);

  push_target (rig->h, 100000);     /* down at once */
  fail_unless_equals_int (media_share (rig), 100000);
  fail_unless_equals_int (rig_uint (rig, "fec-bitrate"), 0);
  rig_round (rig, 0);
  push_target (rig->h, 240000);
  rig_round (rig, 3);           /* lost: nothing of it becomes media */
  fail_unless (rig_is (rig, "stay"));
  fail_unless_equals_int (media_share (rig), 100000);
}

/* Events that are malformed, for one SSRC or without a bound are no targets to probe. */
TEST (test_external_nonsense)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "probe-for", 1, NULL);

  push_target (rig->h, G_MAXUINT);
  gst_harness_push_upstream_event (rig->h, gst_event_new_custom
      (GST_EVENT_CUSTOM_UPSTREAM, gst_structure_new ("GstRtpTargetBitrate",
              "target-bitrate", G_TYPE_STRING, "much", NULL)));
  gst_harness_push_upstream_event (rig->h, gst_event_new_custom
      (GST_EVENT_CUSTOM_UPSTREAM, gst_structure_new ("GstRtpTargetBitrate",
              "target-bitrate", G_TYPE_UINT, 5000, "ssrc", G_TYPE_UINT, 5, NULL)));
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 0);
  push_target (rig->h, 0);
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 50000);  /* the minimum */
  fail_unless_equals_int (media_share (rig), 0);        /* but the controller's word holds */
}

/* With a controller of its own a slower one downstream still bounds the encoder. */
TEST (test_bounded)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);

  rig_push (rig, 600);
  fail_unless_equals_int (media_share (rig), 250000);
  push_target (rig->h, 80000);
  fail_unless_equals_int (media_share (rig), 80000);
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 250000);
}

/* --- properties ----------------------------------------------------------- */

TEST (test_limits)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);

  rig_push (rig, 600);
  media_share (rig);
  g_object_set (rig->e, "max-bitrate", 200000, NULL);
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 200000);
  fail_unless_equals_int (media_share (rig), 200000);
  g_object_set (rig->e, "max-bitrate", 3000000, "min-bitrate", 500000, NULL);
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 500000);
  g_object_set (rig->e, "max-bitrate", 100000, NULL);   /* the minimum wins */
  fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 500000);
}

/* What the first probe sends: fec-interval-min; later ones close to the rates of late:
 * fec-interval-max. */
TEST (test_intervals)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, "tuning",
      tuning ("fec-interval-min=4,fec-interval-max=9"), NULL);

  rig_rounds_until (rig, "probe");
  fail_unless_equals_uint64 (rig_stat (rig, "fec-interval"), 4);
  fail_unless_equals_int (rig_uint (rig, "fec-bitrate"), 250000 / 4);
  rig_rounds_until (rig, "up");
  rig_rounds_until (rig, "probe");
  fail_unless_equals_uint64 (rig_stat (rig, "fec-interval"), 9);
}

/* fec-interval-low: below what is known to work, after an undershoot. */
TEST (test_interval_low)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, "tuning",
      tuning ("fec-interval-low=6"), NULL);

  rig_rounds_until (rig, "probe");
  rig_round (rig, 3);
  fail_unless (rig_is (rig, "down"));
  rig_wait (rig, 5 * GST_SECOND);       /* silence: far down */
  rig_rounds_until (rig, "probe");
  fail_unless_equals_uint64 (rig_stat (rig, "fec-interval"), 6);
}

/* Of 5 media packets 2 are lost, and a parity packet: 0.9 (240 - 2 * 96) is below the
 * minimum; of the 144 kbit/s that came 0.9 is what the path takes.  Nobody knows the round
 * trip. */
TEST_EACH (test_undershoot, 2)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);

  if (__i__)
    g_object_set (rig->e, "tuning", tuning ("by-capacity=false"), NULL);
  g_signal_emit_by_name (rig->e, "reset");
  rig_rounds_until (rig, "probe");
  rig_round (rig, 3);
  fail_unless (rig_is (rig, "down"));
  if (__i__) {
    fail_unless_equals_int (rig_uint (rig, "estimated-bitrate"), 50000);
  } else {
    fail_unless (rig_uint (rig, "estimated-bitrate") > 120000);
    fail_unless (rig_uint (rig, "estimated-bitrate") <= 130000);
  }
}

/* @delay later than the fastest is late from max-delay on. */
TEST_EACH (test_max_delay, 2)
{
  const GstClockTime most = (__i__ ? 100 : 300) * GST_MSECOND;
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, "max-delay", most,
      "tuning", tuning ("owd-floor=10000000000"), NULL);

  for (guint i = 0; i < 5; i++)
    rig_round (rig, 0);
  for (guint i = 0; i < 5; i++)
    rig_push (rig, 600);
  rig_wait (rig, 400 * GST_MSECOND);
  rig_report (rig, 200 * GST_MSECOND, 0);
  if (__i__)
    fail_unless (rig_stat (rig, "discards") > 0);
  else
    fail_unless_equals_uint64 (rig_stat (rig, "discards"), 0);
}

/* A short path: its delay moves by 15 ms, which is nothing unless nothing is added. */
TEST_EACH (test_owd_floor, 2)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, "tuning",
      tuning ("owd-floor=%u", __i__ ? 500000000 : 0), NULL);
  gboolean down = FALSE;

  for (guint i = 0; i < 60; i++) {
    for (guint k = 0; k < 5; k++) {
      rig_wait (rig, 20 * GST_MSECOND);
      rig_push (rig, 600);
    }
    rig_wait (rig, 25 * GST_MSECOND);
    rig_report (rig, (i % 12 >= 10 ? 20 : 5 + i % 3) * GST_MSECOND, 0);
    down |= rig_is (rig, "down");
  }
  fail_unless_equals_int (down, !__i__);
}

/* Nothing of the parity is told of: with parity-least=0, as in the paper, a probe passes
 * by the absence of losses. */
TEST_EACH (test_parity_least, 2)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, "tuning",
      tuning ("parity-least=%d", __i__), NULL);

  for (guint i = 0; i < 40; i++) {
    for (guint k = 0; k < 5; k++) {
      rig_wait (rig, 20 * GST_MSECOND);
      rig_push (rig, 600);
    }
    report_event (rig, 96);
  }
  fail_unless_equals_int (rig_stat (rig, "probes-passed") > 0, __i__ == 0);
}

/* How much feedback is one report. */
TEST_EACH (test_feedback_interval, 2)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, "feedback-interval",
      (__i__ ? 1000 : 100) * GST_MSECOND, NULL);

  for (guint i = 0; i < 50; i++)        /* 5 s */
    rig_round (rig, 0);
  if (__i__)
    fail_unless (rig_stat (rig, "report-count") <= 6);
  else
    fail_unless (rig_stat (rig, "report-count") >= 40);
}

TEST (test_payload_type)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "fec-payload-type", 101, "probe-for", 1, NULL);
  guint8 head[12];

  push_target (rig->h, 1000000);
  push_target (rig->h, 9000000);
  rig_push (rig, 100);
  rig_push (rig, 100);
  fail_unless_equals_int (rig->left->len, 3);
  gst_buffer_extract (rig->left->pdata[2], 0, head, 12);
  fail_unless_equals_int (head[1], 101);
}

/* --- what is said --------------------------------------------------------- */

static void
count (GObject * object, GParamSpec * pspec, gpointer n)
{
  ++*(guint *) n;
}

/* One message and one notify for each state, with what it says true. */
TEST (test_messages)
{
  g_autoptr (Rig) rig = rig_new (VIDEO_CAPS, "start-bitrate", 250000, NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  guint notified = 0, messages = 0;
  gchar *state = NULL;
  GstMessage *message;

  gst_element_set_bus (rig->e, bus);
  g_signal_connect (rig->e, "notify::state", G_CALLBACK (count), &notified);
  rig_rounds_until (rig, "probe");
  rig_rounds_until (rig, "up");
  rig_rounds_until (rig, "stay");
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    const GstStructure *s = gst_message_get_structure (message);
    guint target, fec, interval;

    fail_unless (gst_structure_has_name (s, "GstRtpFbraFec"));
    g_free (state);
    fail_unless (gst_structure_get (s, "state", G_TYPE_STRING, &state, "target-bitrate",
            G_TYPE_UINT, &target, "fec-bitrate", G_TYPE_UINT, &fec, "fec-interval",
            G_TYPE_UINT, &interval, NULL));
    fail_unless_equals_int (g_str_equal (state, "probe"), fec > 0);
    fail_unless_equals_int (fec > 0, interval > 0);
    fail_unless (target >= 250000);
    messages++;
    gst_message_unref (message);
  }
  fail_unless_equals_string (state, "stay");
  fail_unless (messages >= 3);
  fail_unless_equals_int (notified, messages);
  g_free (state);
  gst_element_set_bus (rig->e, NULL);
}

TEST_MAIN (feedback);
