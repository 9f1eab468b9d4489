/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpsbpnmux with less room than there is to send: who goes first, who falls, and by
 * what number the rest leaves. */
#include "mux-rig.h"

#include "core/sbpn/owd.h"
#include "core/sbpn/sbpn.h"
#include "tuning.h"

#define PACED 800000                    /* 500 B in each 5 ms */

/* The numbers of an SSRC's packets are consecutive, from the first one's own. */
static void
assert_consecutive (Rig *rig, guint pad)
{
  gboolean begun = FALSE;
  guint16 next = 0;

  for (guint i = 0; i < rig_left (rig); i++) {
    const Left l = rig_nth (rig, i);

    if (l.ssrc != SSRC_OF (pad))
      continue;
    fail_unless_equals_int (l.seq, begun ? next : l.was);
    next = (guint16) (l.seq + 1);
    begun = TRUE;
  }
}

/* --- priority ------------------------------------------------------------- */

/* Speech leaves before pictures that came earlier, and the rate holds. */
TEST (test_audio_first)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  GstClockTime start;
  guint video = 0;

  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  rig_target (rig, PACED);
  start = rig_now (rig);
  for (guint i = 0; i < 40; i++)
    rig_push (rig, VIDEO, 1000);
  for (guint i = 0; i < 10; i++) {
    const guint before = rig_left (rig);

    rig_push (rig, AUDIO, 200);
    rig_go (rig, 20 * GST_MSECOND);
    fail_unless (rig_nth (rig, before).ssrc == SSRC_OF (AUDIO),
        "video went before audio %u", i);
  }
  rig_run (rig, start + GST_SECOND);
  fail_unless_equals_int (rig_left (rig), 50);
  for (guint i = 0; i < 50; i++)
    video += rig_nth (rig, i).ssrc == SSRC_OF (VIDEO);
  fail_unless_equals_int (video, 40);
  /* 42000 B at 800 kbit/s take 420 ms */
  fail_unless (rig_nth (rig, 49).at >= start + 400 * GST_MSECOND);
  fail_unless (rig_nth (rig, 49).at <= start + 440 * GST_MSECOND);
  rig_assert_conserved (rig);
}

/* The other way round where the pads say so. */
TEST (test_priority_property)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  pad_set (rig, AUDIO, "priority", 5, "expiry", GST_CLOCK_TIME_NONE);
  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  rig_target (rig, PACED);
  rig_push (rig, AUDIO, 1000);
  rig_push (rig, AUDIO, 1000);
  rig_push (rig, VIDEO, 1000);
  rig_go (rig, GST_SECOND);
  fail_unless (rig_nth (rig, 1).ssrc == SSRC_OF (VIDEO));
  fail_unless (rig_nth (rig, 2).ssrc == SSRC_OF (AUDIO));
}

TEST (test_fifo)
{
  g_autoptr (Rig) rig = rig_new (2, "mode", RCC_SBPN_FIFO, NULL);

  rig_target (rig, PACED);
  for (guint i = 0; i < 20; i++)
    rig_push (rig, 1 - i % 2, 1000);
  rig_go (rig, GST_SECOND);
  fail_unless_equals_int (rig_left (rig), 20);
  for (guint i = 0; i < 20; i++)
    fail_unless_equals_int (rig_nth (rig, i).ssrc, SSRC_OF (1 - i % 2));
}

/* --- expiry --------------------------------------------------------------- */

/* 100 kbit/s carry a packet of 1000 B in 80 ms: of what comes at once, what has 200 ms
 * less half a round trip leaves. */
static guint
left_in_time (RccSbpnOwdKind owd, GstClockTime rtt)
{
  Rig *rig = rig_new (2, "mode", RCC_SBPN_1, "tuning",
      tuning ("one-way-delay=%s", owd ? "half-rtt" : "measured"), NULL);
  guint left;

  pad_set (rig, VIDEO, "whole-frames", 1);
  rig_target_event (rig, 100000, 0, rtt, 0);
  for (guint i = 0; i < 10; i++)
    rig_push (rig, VIDEO, 1000);
  rig_go (rig, GST_SECOND);
  left = rig_left (rig);
  fail_unless_equals_uint64 (pad_stat (rig, VIDEO, "packets-dropped-expired"), 10 - left);
  rig_assert_conserved (rig);
  rig_free (rig);
  return left;
}

TEST (test_expiry)
{
  for (RccSbpnOwdKind owd = RCC_SBPN_OWD_MEASURED; owd <= RCC_SBPN_OWD_HALF_RTT; owd++) {
    const gboolean paper = owd == RCC_SBPN_OWD_HALF_RTT;

    fail_unless_equals_int (left_in_time (owd, GST_CLOCK_TIME_NONE), 3);        /* 0, 80, 160 */
    fail_unless_equals_int (left_in_time (owd, 150 * GST_MSECOND), 2);  /* 125 ms are left */
    /* 50 ms; but of a path beyond half a life less is counted */
    fail_unless_equals_int (left_in_time (owd, 300 * GST_MSECOND), paper ? 1 : 2);
    /* and nothing of one that takes all of it */
    fail_unless_equals_int (left_in_time (owd, 500 * GST_MSECOND), paper ? 0 : 3);
  }
}

/* NON_DROPPABLE stays. */
TEST (test_keep)
{
  g_autoptr (Rig) rig = rig_new (2, "mode", RCC_SBPN_1, "max-size-buffers", 4, NULL);

  rig_target (rig, 100000);
  for (guint i = 0; i < 10; i++)
    rig_push_frame (rig, VIDEO, 1, 1000, i % 3 ? 0 : GST_BUFFER_FLAG_NON_DROPPABLE);
  rig_go (rig, GST_SECOND);
  fail_unless_equals_uint64 (pad_stat (rig, VIDEO, "packets-sent")
      + pad_stat (rig, VIDEO, "packets-dropped-expired")
      + pad_stat (rig, VIDEO, "packets-dropped-full"), 10);
  fail_unless (rig_left (rig) >= 4);
  for (guint i = 0; i < 10; i += 3) {
    gboolean found = FALSE;

    for (guint k = 0; k < rig_left (rig); k++)
      found |= rig_nth (rig, k).was == (guint16) (65501 + i);
    fail_unless (found, "packet %u was to be kept", i);
  }
  assert_consecutive (rig, VIDEO);
}

/* --- frames --------------------------------------------------------------- */

/* A frame that lost a packet here loses its rest, and a key frame is asked for: once, and
 * again only when a second has passed and none has come. */
TEST (test_frames)
{
  g_autoptr (Rig) rig = rig_new (2, "mode", RCC_SBPN_1, NULL);
  guint64 sent, dropped;

  rig_push_frame (rig, VIDEO, 3, 1000, 0);
  rig_upstream (rig, VIDEO, "GstForceKeyUnit", NULL, NULL);
  rig_target (rig, 100000);
  for (guint i = 0; i < 4; i++) {
    rig_push_frame (rig, VIDEO, 5, 1000, GST_BUFFER_FLAG_DELTA_UNIT);
    rig_go (rig, 100 * GST_MSECOND);
  }
  rig_go (rig, 400 * GST_MSECOND);      /* a frame that has begun is finished */
  sent = pad_stat (rig, VIDEO, "packets-sent");
  dropped = pad_stat (rig, VIDEO, "packets-dropped-expired")
      + pad_stat (rig, VIDEO, "packets-dropped-frame");
  fail_unless_equals_uint64 (sent + dropped, 23);
  fail_unless (pad_stat (rig, VIDEO, "packets-dropped-frame") > 0);
  fail_unless_equals_int (rig_upstream (rig, VIDEO, "GstForceKeyUnit", NULL, NULL), 1);
  fail_unless_equals_uint64 (pad_stat (rig, VIDEO, "key-requests"), 1);
  /* a second later, still without one */
  rig_go (rig, 700 * GST_MSECOND);
  rig_push_frame (rig, VIDEO, 1, 100, GST_BUFFER_FLAG_DELTA_UNIT);
  rig_go (rig, 200 * GST_MSECOND);
  fail_unless_equals_int (rig_upstream (rig, VIDEO, "GstForceKeyUnit", NULL, NULL), 1);
  /* it comes: then all is well */
  rig_push_frame (rig, VIDEO, 1, 100, 0);
  rig_go (rig, 2 * GST_SECOND);
  rig_push_frame (rig, VIDEO, 1, 100, GST_BUFFER_FLAG_DELTA_UNIT);
  rig_go (rig, GST_SECOND);
  fail_unless_equals_int (rig_upstream (rig, VIDEO, "GstForceKeyUnit", NULL, NULL), 0);
  assert_consecutive (rig, VIDEO);
  rig_assert_conserved (rig);
}

/* A payloader that flags nothing: the codec's name tells, and whether the key frame came
 * nobody knows, so it is asked for as often as a frame is broken, but once a second. */
TEST (test_key_without_flags)
{
  g_autoptr (Rig) rig = rig_new (2, "mode", RCC_SBPN_1, NULL);

  gst_harness_set_src_caps_str (rig->h[VIDEO],
      "application/x-rtp,media=video,clock-rate=90000,encoding-name=VP8,payload=96");
  rig_target (rig, 100000);
  for (guint i = 0; i < 40; i++) {
    rig_push_frame (rig, VIDEO, 5, 1000, 0);
    rig_go (rig, 100 * GST_MSECOND);
  }
  fail_unless (pad_stat (rig, VIDEO, "frames-broken") > 20);
  fail_unless_equals_int (rig_upstream (rig, VIDEO, "GstForceKeyUnit", NULL, NULL), 4);
}

/* Nobody builds upon frames that are all whole pictures, or on speech. */
TEST (test_no_key_needed)
{
  g_autoptr (Rig) rig = rig_new (2, "mode", RCC_SBPN_1, NULL);

  gst_harness_set_src_caps_str (rig->h[VIDEO],
      "application/x-rtp,media=video,clock-rate=90000,encoding-name=JPEG,payload=26");
  rig_target (rig, 100000);
  for (guint i = 0; i < 4; i++) {
    rig_push_frame (rig, VIDEO, 5, 1000, 0);
    rig_push_frame (rig, AUDIO, 5, 1000, GST_BUFFER_FLAG_DELTA_UNIT);
    rig_go (rig, GST_SECOND);
  }
  fail_unless (rig_stat (rig, "packets-dropped-expired") > 0);
  fail_unless_equals_int (rig_upstream (rig, VIDEO, "GstForceKeyUnit", NULL, NULL), 0);
  fail_unless_equals_int (rig_upstream (rig, AUDIO, "GstForceKeyUnit", NULL, NULL), 0);
}

/* --- numbers -------------------------------------------------------------- */

/* Half is dropped, in three modes, through the wrap: nobody sees a gap. */
TEST_EACH (test_no_gaps, 3)
{
  static const RccSbpnMode modes[] = { RCC_SBPN_1, RCC_SBPN_2, RCC_SBPN_3 };
  g_autoptr (Rig) rig = rig_new (2, "mode", modes[__i__], "max-size-buffers", 20, NULL);

  rig_target (rig, PACED);
  for (guint i = 0; i < 100; i++) {
    rig_push (rig, AUDIO, 200);
    rig_push_frame (rig, VIDEO, 4, 1000, 0);
    rig_go (rig, 20 * GST_MSECOND);
  }
  rig_go (rig, 2 * GST_SECOND);
  fail_unless (pad_stat (rig, VIDEO, "packets-sent") < 250);
  fail_unless (pad_stat (rig, VIDEO, "packets-sent") > 100);
  fail_unless_equals_uint64 (pad_stat (rig, AUDIO, "packets-sent"), 100);
  assert_consecutive (rig, AUDIO);
  assert_consecutive (rig, VIDEO);
  fail_unless (rig_stat (rig, "packets-renumbered") > 50);
  rig_assert_conserved (rig);
}

/* In sbpn3 what has expired leaves after younger ones: the numbers say the order of
 * leaving, and a request for a number finds the packet that bore it. */
TEST (test_overtaken_and_asked_for)
{
  g_autoptr (Rig) rig = rig_new (2, "mode", RCC_SBPN_3, NULL);
  gboolean overtaken = FALSE;
  guint seq = 0;

  pad_set (rig, VIDEO, "whole-frames", 1);
  rig_target (rig, 100000);
  for (guint i = 0; i < 6; i++)
    rig_push (rig, VIDEO, 1000);
  rig_go (rig, 250 * GST_MSECOND);
  for (guint i = 0; i < 3; i++)
    rig_push (rig, VIDEO, 1000);
  rig_go (rig, 600 * GST_MSECOND);
  fail_unless_equals_int (rig_left (rig), 9);
  assert_consecutive (rig, VIDEO);
  rig_target (rig, G_MAXUINT);          /* and repair has no bound */
  rig_upstream (rig, VIDEO, "x", NULL, NULL);
  for (guint i = 0; i < 9; i++) {
    const Left l = rig_nth (rig, i);

    overtaken |= l.seq != l.was;
    fail_unless (gst_harness_push_upstream_event (rig->h[0],
            gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
                gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT,
                    (guint) l.seq, "ssrc", G_TYPE_UINT, l.ssrc, NULL))));
    fail_unless_equals_int (rig_upstream (rig, VIDEO, "GstRTPRetransmissionRequest",
            "seqnum", &seq), 1);
    fail_unless_equals_int (seq, l.was);
    fail_unless_equals_int (rig_upstream (rig, AUDIO, "GstRTPRetransmissionRequest",
            NULL, NULL), 0);
  }
  fail_unless (overtaken);
  /* one that never left is nobody's */
  gst_harness_push_upstream_event (rig->h[0],
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT,
              30000, "ssrc", G_TYPE_UINT, SSRC_OF (VIDEO), NULL)));
  fail_unless_equals_int (rig_upstream (rig, VIDEO, "GstRTPRetransmissionRequest", NULL,
          NULL), 0);
}

/* The retransmission (RFC 4588) of what left as another number says that number. */
TEST (test_retransmission)
{
  g_autoptr (Rig) rig = rig_new (1, NULL);
  GstBuffer *rtx, *out = NULL;
  guint8 osn[2];
  guint seq;
  Left l;

  rig_push (rig, 0, 100);
  rig_drop (rig, 0, 3);
  rig_push (rig, 0, 100);
  wait_for (rig_left (rig) == 3);
  l = rig_nth (rig, 2);
  fail_unless_equals_int ((guint16) (l.was - l.seq), 3);
  gst_harness_push_upstream_event (rig->h[0],
      gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT,
              (guint) l.seq, "ssrc", G_TYPE_UINT, l.ssrc, NULL)));
  fail_unless_equals_int (rig_upstream (rig, 0, "GstRTPRetransmissionRequest", "seqnum",
          &seq), 1);
  fail_unless_equals_int (seq, l.was);
  rtx = rig_packet (0x5555, 7, 0, FALSE, 100);
  GST_BUFFER_FLAG_SET (rtx, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
  rcc_put16 (osn, (guint16) seq);
  gst_buffer_fill (rtx, 12, osn, 2);
  fail_unless_equals_int (rig_push_buffer (rig, 0, rtx), GST_FLOW_OK);
  wait_for (rig_left (rig) == 4);
  fail_unless_equals_int (rig_nth (rig, 3).seq, 7);
  fail_unless_equals_int (rig_nth (rig, 3).ssrc, 0x5555);
  for (guint i = 0; i < 4; i++) {
    gst_clear_buffer (&out);
    out = gst_harness_pull (rig->h[0]);
  }
  gst_buffer_extract (out, 12, osn, 2);
  fail_unless_equals_int (rcc_be16 (osn), l.seq);
  gst_buffer_unref (out);
  fail_unless_equals_uint64 (pad_stat (rig, 0, "retransmissions-in"), 1);
}

/* With a round trip known it is that much older: it goes before new packets. */
TEST (test_retransmission_goes_first)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  GstBuffer *rtx;

  rig_target_event (rig, 100000, 0, 60 * GST_MSECOND, 0);
  rig_push (rig, VIDEO, 1000);
  rig_push (rig, VIDEO, 1000);
  rtx = rig_packet (0x5555, 7, 0, FALSE, 100);
  GST_BUFFER_FLAG_SET (rtx, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
  fail_unless_equals_int (rig_push_buffer (rig, VIDEO, rtx), GST_FLOW_OK);
  rig_go (rig, GST_SECOND);
  fail_unless_equals_int (rig_nth (rig, 1).ssrc, 0x5555);
}

static void
push_copy (Rig *rig, guint16 seq)
{
  GstBuffer *copy = rig_packet (0x5555, seq, 0, FALSE, 100);

  GST_BUFFER_FLAG_SET (copy, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
  fail_unless_equals_int (rig_push_buffer (rig, VIDEO, copy), GST_FLOW_OK);
}

/* So it does where the queue is longer than a round trip, expire what may, and in their order. */
static void
assert_copies_first (GstClockTime expiry)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  guint left;

  pad_set (rig, VIDEO, "expiry", expiry);
  rig_target_event (rig, 100000, 0, GST_MSECOND, 0);
  for (guint i = 0; i < 4; i++) {
    rig_push (rig, VIDEO, 1000);
    rig_go (rig, 20 * GST_MSECOND);
  }
  fail_unless (rig_stat (rig, "queue-packets") >= 2);
  left = rig_left (rig);
  push_copy (rig, 7);
  push_copy (rig, 8);
  rig_go (rig, GST_SECOND);
  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (rig_nth (rig, left + i).ssrc, 0x5555);
    fail_unless_equals_int (rig_nth (rig, left + i).seq, 7 + i);
  }
}

TEST (test_retransmission_passes_a_long_queue)
{
  assert_copies_first (400 * GST_MSECOND);
  assert_copies_first (GST_CLOCK_TIME_NONE);
}

/* Who asks for it waits for it: a round trip that is longer than a life costs it none. */
TEST (test_retransmission_on_a_long_path)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  pad_set (rig, VIDEO, "expiry", 400 * GST_MSECOND);
  rig_target_event (rig, 100000, 0, 500 * GST_MSECOND, 0);
  push_copy (rig, 7);
  rig_go (rig, GST_SECOND);
  fail_unless_equals_int (rig_left (rig), 1);
}

/* What is too late already is no measure for it; in sbpn3 that goes last. */
TEST (test_retransmission_behind_a_late_packet)
{
  g_autoptr (Rig) rig = rig_new (2, "mode", RCC_SBPN_3, NULL);
  const guint32 order[] = { 0x5555, SSRC_OF (VIDEO), SSRC_OF (VIDEO) };

  rig_target_event (rig, 0, 0, GST_MSECOND, 0);
  rig_push (rig, VIDEO, 1000);
  rig_go (rig, 300 * GST_MSECOND);
  rig_push (rig, VIDEO, 1000);
  push_copy (rig, 7);
  fail_unless_equals_int (rig_left (rig), 0);
  rig_target_event (rig, 100000, 0, GST_MSECOND, 0);
  rig_go (rig, GST_SECOND);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    fail_unless_equals_int (rig_nth (rig, i).ssrc, order[i]);
}

/* --- room ----------------------------------------------------------------- */

TEST (test_limits)
{
  g_autoptr (Rig) rig = rig_new (2, "max-size-buffers", 10, "max-size-bytes", 6000, NULL);

  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  rig_target (rig, 0);
  for (guint i = 0; i < 100; i++) {
    rig_push (rig, AUDIO, 100);
    rig_push (rig, VIDEO, 1000);
    fail_unless (rig_stat (rig, "queue-packets") <= 10);
    fail_unless (rig_stat (rig, "queue-bytes") <= 6000);
    rig_assert_conserved (rig);
  }
  fail_unless_equals_int (rig_left (rig), 0);
  fail_unless (pad_stat (rig, AUDIO, "queue-packets") >= 9);
  /* in time too */
  g_object_set (rig->e, "max-size-time", 50 * GST_MSECOND, NULL);
  gst_test_clock_advance_time (rig->clock, 60 * GST_MSECOND);
  rig_push (rig, AUDIO, 100);
  fail_unless_equals_uint64 (rig_stat (rig, "queue-packets"), 1);
  fail_unless (rig_stat (rig, "packets-dropped-old") >= 9);
  rig_assert_conserved (rig);
}

TEST_MAIN (rtpsbpnmux_order);
