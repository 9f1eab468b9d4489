/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpsbpnmux while things happen to it: flushes, pads that come and go, states, and
 * threads; in = out + dropped + queued at every moment. */
#include "mux-rig.h"

/* --- flushes -------------------------------------------------------------- */

static void
flush_start (Rig *rig, guint pad)
{
  fail_unless (gst_harness_push_event (rig->h[pad], gst_event_new_flush_start ()));
}

static void
flush_stop (Rig *rig, guint pad)
{
  fail_unless (gst_harness_push_event (rig->h[pad], gst_event_new_flush_stop (TRUE)));
}

static void
segment_again (Rig *rig, guint pad)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (rig->h[pad], gst_event_new_segment (&segment)));
}

TEST (test_ten_thousand_flushed)
{
  g_autoptr (Rig) rig = rig_new (2, "max-size-buffers", 16000, "max-size-bytes", 0,
      "max-size-time", G_GUINT64_CONSTANT (0), NULL);

  rig_target (rig, 0);
  for (guint i = 0; i < 5000; i++) {
    rig_push (rig, AUDIO, 100);
    rig_push (rig, VIDEO, 1000);
  }
  fail_unless_equals_uint64 (rig_stat (rig, "queue-packets"), 10000);
  flush_start (rig, VIDEO);
  fail_unless_equals_uint64 (pad_stat (rig, VIDEO, "packets-flushed"), 5000);
  fail_unless_equals_uint64 (pad_stat (rig, AUDIO, "queue-packets"), 5000);
  rig_assert_conserved (rig);
  flush_stop (rig, VIDEO);
  fail_unless (strchr (rig->out.order->str, 'f') == NULL, "one pad's flush went on");
  flush_start (rig, AUDIO);
  flush_stop (rig, AUDIO);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-flushed"), 10000);
  fail_unless_equals_uint64 (rig_stat (rig, "queue-bytes"), 0);
  rig_assert_conserved (rig);
}

/* The others go on; nothing of the flushed pad leaves before its flush has ended. */
TEST (test_flush_of_one)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  rig_target (rig, 200000);
  for (guint i = 0; i < 10; i++)
    rig_push (rig, VIDEO, 1000);
  rig_go (rig, 60 * GST_MSECOND);
  flush_start (rig, VIDEO);
  rig_push (rig, AUDIO, 100);
  fail_unless_equals_int (gst_harness_push (rig->h[VIDEO], rig_next (rig, VIDEO, TRUE,
              100)), GST_FLOW_FLUSHING);
  rig_go (rig, GST_SECOND);
  fail_unless (rig_left (rig) <= 4);
  fail_unless_equals_int (rig_nth (rig, rig_left (rig) - 1).ssrc, SSRC_OF (AUDIO));
  flush_stop (rig, VIDEO);
  segment_again (rig, VIDEO);
  rig_push (rig, VIDEO, 100);
  rig_go (rig, GST_SECOND);
  fail_unless_equals_int (rig_nth (rig, rig_left (rig) - 1).ssrc, SSRC_OF (VIDEO));
  fail_unless (strchr (rig->out.order->str, 'f') == NULL);
  rig_assert_conserved (rig);
}

/* When all flush, downstream does, and hears its segment again. */
TEST (test_flush_of_all)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  rig_push (rig, AUDIO, 100);
  flush_start (rig, AUDIO);
  flush_start (rig, VIDEO);
  fail_unless_equals_string (rig->out.order->str, "scspf");
  flush_stop (rig, VIDEO);
  flush_stop (rig, AUDIO);
  segment_again (rig, AUDIO);
  segment_again (rig, VIDEO);
  rig_push (rig, AUDIO, 100);
  rig_push (rig, VIDEO, 100);
  fail_unless_equals_string (rig->out.order->str, "scspffspp");
  rig_assert_conserved (rig);
}

/* The only pad goes in the middle of its flush: the next one is not held up by it. */
TEST (test_released_while_flushing)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  GstPad *pad = rig_pad (rig, AUDIO), *peer = gst_pad_get_peer (pad);

  gst_harness_teardown (rig->h[VIDEO]);
  rig->h[VIDEO] = NULL;
  flush_start (rig, AUDIO);
  gst_pad_unlink (peer, pad);
  gst_element_release_request_pad (rig->e, pad);
  gst_object_unref (pad);
  gst_object_unref (peer);
  fail_unless_equals_string (rig->out.order->str, "ff");
  rig->h[VIDEO] = gst_harness_new_with_element (rig->e, "sink_%u", NULL);
  gst_harness_set_src_caps_str (rig->h[VIDEO], VIDEO_CAPS);
  rig_push (rig, VIDEO, 100);
  fail_unless_equals_string (rig->out.order->str, "ffscsp");
}

/* --- pads that come and go ------------------------------------------------ */

TEST (test_release_with_a_queue)
{
  g_autoptr (Rig) rig = rig_new (3, NULL);

  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  rig_target (rig, 200000);
  for (guint i = 0; i < 10; i++) {
    rig_push (rig, VIDEO, 1000);
    rig_push (rig, 2, 1000);
  }
  gst_harness_teardown (rig->h[2]);
  rig->n = 2;
  rig_assert_conserved (rig);
  fail_unless (rig_stat (rig, "packets-flushed") >= 9);
  rig_go (rig, GST_SECOND);
  fail_unless_equals_uint64 (pad_stat (rig, VIDEO, "packets-sent"), 10);
  /* its place is taken by another, who begins at 0 */
  rig->h[2] = gst_harness_new_with_element (rig->e, "sink_5", NULL);
  rig->n = 3;
  gst_harness_set_src_caps_str (rig->h[2], VIDEO_CAPS);
  rig_push (rig, 2, 100);
  fail_unless_equals_uint64 (pad_stat (rig, 5, "packets-in"), 1);
  rig_go (rig, GST_SECOND);
  rig_assert_conserved (rig);
}

/* The last pad that had not ended goes: then all have. */
TEST (test_release_ends_the_rest)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  rig_push (rig, AUDIO, 100);
  fail_unless (gst_harness_push_event (rig->h[AUDIO], gst_event_new_eos ()));
  gst_harness_teardown (rig->h[VIDEO]);
  rig->n = 1;
  wait_for (strchr (rig->out.order->str, 'e') != NULL);
}

/* A stream that begins again after the end is heard: stream-start, caps, segment. */
TEST (test_begins_again)
{
  g_autoptr (Rig) rig = rig_new (1, NULL);

  rig_push (rig, 0, 100);
  fail_unless (gst_harness_push_event (rig->h[0], gst_event_new_eos ()));
  wait_for (strchr (rig->out.order->str, 'e') != NULL);
  fail_unless (gst_harness_push_event (rig->h[0], gst_event_new_stream_start ("again")));
  segment_again (rig, 0);
  rig_push (rig, 0, 100);
  fail_unless_equals_string (rig->out.order->str, "scspescsp");
}

/* --- states --------------------------------------------------------------- */

/* Down in the middle of a wait, and up again with nothing left of the former life. */
TEST (test_ready_resets)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  for (guint round = 0; round < 20; round++) {
    rig_target (rig, 10000);
    for (guint i = 0; i < 10; i++)
      rig_push (rig, i % 2, 1000);
    fail_unless (rig_stat (rig, "queue-packets") > 5);
    gst_element_set_state (rig->e, GST_STATE_READY);
    rig_assert_conserved (rig);
    fail_unless_equals_uint64 (rig_stat (rig, "queue-packets"), 0);
    gst_element_set_state (rig->e, GST_STATE_PLAYING);
    fail_unless_equals_uint64 (rig_stat (rig, "packets-in"), 0);
    fail_unless_equals_uint64 (rig_stat (rig, "target-bitrate"), G_MAXUINT);
    for (guint i = 0; i < 2; i++) {
      gst_harness_push_event (rig->h[i], gst_event_new_stream_start ("again"));
      gst_harness_set_src_caps_str (rig->h[i], i == AUDIO ? AUDIO_CAPS : VIDEO_CAPS);
      segment_again (rig, i);
    }
  }
}

/* What downstream says comes back to who pushes, also from the task. */
static GstPadProbeReturn
say_eos (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  return GST_PAD_PROBE_HANDLED;
}

TEST_EACH (test_flow_returns, 2)
{
  g_autoptr (Rig) rig = rig_new (1, NULL);
  GstPad *src = gst_element_get_static_pad (rig->e, "src");

  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, say_eos, NULL, NULL);
  gst_object_unref (src);
  if (__i__)
    rig_target (rig, 80000);
  fail_unless_equals_int (rig_push_buffer (rig, 0, rig_next (rig, 0, TRUE, 1000)),
      GST_FLOW_EOS);
  if (__i__) {
    fail_unless_equals_int (rig_push_buffer (rig, 0, rig_next (rig, 0, TRUE, 1000)),
        GST_FLOW_OK);
    gst_test_clock_wait_for_next_pending_id (rig->clock, NULL);
    gst_test_clock_advance_time (rig->clock, GST_SECOND);
    gst_test_clock_crank (rig->clock);
    wait_for (rig_stat (rig, "queue-packets") == 0);
    wait_for (rig_push_buffer (rig, 0, rig_next (rig, 0, TRUE, 10)) == GST_FLOW_EOS);
  }
  rig_assert_conserved (rig);
}

/* --- threads -------------------------------------------------------------- */

typedef struct {
  GstElement *e;
  GstPad *pad, *mux_pad;
  guint number;
  gint *stop;
  guint pushed;
} Feeder;

static void
feeder_open (Feeder *f)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (f->number % 2 ? VIDEO_CAPS : AUDIO_CAPS);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (f->pad, gst_event_new_stream_start ("feeder"));
  gst_pad_push_event (f->pad, gst_event_new_caps (caps));
  gst_pad_push_event (f->pad, gst_event_new_segment (&segment));
}

static void
feeder_join (Feeder *f)
{
  f->mux_pad = gst_element_request_pad_simple (f->e, "sink_%u");
  fail_unless (f->mux_pad != NULL);
  fail_unless_equals_int (gst_pad_link (f->pad, f->mux_pad), GST_PAD_LINK_OK);
  feeder_open (f);
}

static void
feeder_part (Feeder *f)
{
  gst_pad_unlink (f->pad, f->mux_pad);
  gst_element_release_request_pad (f->e, f->mux_pad);
  gst_clear_object (&f->mux_pad);
}

/* Packets, and now and then a flush, an end, or another pad. */
static gpointer
feed (gpointer data)
{
  Feeder *f = data;
  guint16 seq = 0;

  for (guint i = 0; !g_atomic_int_get (f->stop); i++) {
    gst_pad_push (f->pad, rig_packet (SSRC_OF (f->number), seq++, i / 3, i % 3 == 2, 500));
    f->pushed++;
    if (f->number == 2 && i % 500 == 499) {
      gst_pad_push_event (f->pad, gst_event_new_flush_start ());
      gst_pad_push_event (f->pad, gst_event_new_flush_stop (TRUE));
      feeder_open (f);
    } else if (f->number == 3 && i % 700 == 699) {
      feeder_part (f);
      feeder_join (f);
    } else if (f->number == 1 && i % 900 == 899) {
      gst_pad_push_event (f->pad, gst_event_new_eos ());
      feeder_open (f);
    }
  }
  return NULL;
}

static void
drain_gone (GstPad *sink)
{
  gst_pad_set_active (sink, FALSE);
  gst_object_unref (sink);
}

static gint drained;

static guint64
queued (GstElement *e)
{
  GstStructure *stats;
  guint64 n;

  g_object_get (e, "stats", &stats, NULL);
  n = number_in (stats, "queue-packets")
      + number_in (stats, "packets-sent") - (guint64) g_atomic_int_get (&drained);
  gst_structure_free (stats);
  return n;
}

static GstFlowReturn
take (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  static gint inside = 0;

  fail_unless_equals_int (g_atomic_int_add (&inside, 1), 0);    /* one at a time */
  g_atomic_int_inc (&drained);
  g_atomic_int_add (&inside, -1);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Four threads push, flush, part and join, and a fifth reads and sets; whenever it looks
 * the sum is right, and what came out was counted. */
TEST (test_threads)
{
  g_autoptr (GstElement) e = gst_element_factory_make ("rtpsbpnmux", NULL);
  GstPad *sink = gst_pad_new ("sink", GST_PAD_SINK), *src;
  Feeder feeders[4];
  GThread *threads[4];
  GstStructure *stats;
  gint stop = FALSE;
  const gint64 until = g_get_monotonic_time () + 8 * G_TIME_SPAN_SECOND;

  drained = 0;
  src = gst_element_get_static_pad (e, "src");
  gst_pad_set_chain_function (sink, take);
  gst_pad_set_active (sink, TRUE);
  gst_pad_link (src, sink);
  g_object_set (e, "max-size-buffers", 50, NULL);
  gst_element_set_state (e, GST_STATE_PLAYING);
  for (guint i = 0; i < 4; i++) {
    feeders[i] = (Feeder) { e, gst_pad_new (NULL, GST_PAD_SRC), NULL, i, &stop, 0 };
    gst_pad_set_active (feeders[i].pad, TRUE);
    feeder_join (&feeders[i]);
  }
  for (guint i = 0; i < 4; i++)
    threads[i] = g_thread_new ("feeder", feed, &feeders[i]);
  /* a slow machine does fewer rounds, GstCheck ends a test after 20 s */
  for (guint i = 0; i < 2000 && (i < 100 || g_get_monotonic_time () < until); i++) {
    g_object_get (e, "stats", &stats, NULL);
    assert_conserved (stats);
    gst_structure_free (stats);
    g_object_set (e, "mode", i % 5, "pacing-factor", 0.5 + i % 3,
        "max-size-buffers", i % 100 == 99 ? 10 : 50 + i / 10, NULL);
    if (i % 20 == 0)
      gst_pad_push_event (sink, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
              gst_structure_new ("GstRtpTargetBitrate", "target-bitrate", G_TYPE_UINT,
                  i % 40 ? 20000000 : G_MAXUINT, NULL)));
    g_usleep (200);
  }
  g_atomic_int_set (&stop, TRUE);
  for (guint i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < 4; i++)
    fail_unless (feeders[i].pushed > 1000, "feeder %u: %u", i, feeders[i].pushed);
  gst_pad_push_event (sink, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRtpTargetBitrate", "target-bitrate", G_TYPE_UINT,
              G_MAXUINT, NULL)));
  wait_for (queued (e) == 0);
  gst_element_set_state (e, GST_STATE_READY);
  g_object_get (e, "stats", &stats, NULL);
  assert_conserved (stats);
  fail_unless_equals_uint64 (number_in (stats, "packets-sent"),
      (guint64) g_atomic_int_get (&drained));
  gst_structure_free (stats);
  gst_element_set_state (e, GST_STATE_NULL);
  for (guint i = 0; i < 4; i++) {
    feeder_part (&feeders[i]);
    gst_pad_set_active (feeders[i].pad, FALSE);
    gst_object_unref (feeders[i].pad);
  }
  gst_pad_unlink (src, sink);
  gst_object_unref (src);
  drain_gone (sink);
}

TEST_MAIN (rtpsbpnmux_life);
