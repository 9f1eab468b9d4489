/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rtpsbpnmux with nothing in the way: what goes through, and what the source pad says. */
#include "mux-rig.h"

/* The same buffer in the same memory, with its own number. */
TEST (test_straight_through)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  for (guint i = 0; i < 200; i++) {
    GstBuffer *buffer = rig_next (rig, i % 2, TRUE, 1200);
    GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
    const guint16 seq = (guint16) (rig->seq[i % 2] - 1);
    GstBuffer *out;

    rig_push_buffer (rig, i % 2, buffer);
    out = gst_harness_pull (rig->h[0]);
    fail_unless (out == buffer && gst_buffer_peek_memory (out, 0) == memory);
    fail_unless_equals_int (rig_nth (rig, i).seq, seq);
    gst_buffer_unref (out);
  }
  fail_unless_equals_uint64 (rig_stat (rig, "packets-sent"), 200);
  fail_unless_equals_uint64 (rig_stat (rig, "packets-renumbered"), 0);
  fail_unless_equals_uint64 (pad_stat (rig, AUDIO, "packets-sent"), 100);
  rig_assert_conserved (rig);
}

/* One stream-start, one segment, caps when they change, and no more. */
TEST (test_sticky_once)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  for (guint i = 0; i < 6; i++)
    rig_push (rig, i % 2, 100);
  fail_unless_equals_string (rig->out.order->str, "scspppppp");
}

static GstBufferList *
list_of (Rig *rig, guint pad, guint n)
{
  GstBufferList *list = gst_buffer_list_new ();

  for (guint i = 0; i < n; i++)
    gst_buffer_list_add (list, rig_next (rig, pad, i == n - 1, 1000));
  rig->pushed += n;
  return list;
}

static GstFlowReturn
push_list (Rig *rig, guint pad, GstBufferList *list)
{
  return gst_pad_push_list (rig->h[pad]->srcpad, list);
}

TEST (test_lists)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  for (guint i = 0; i < 10; i++)
    fail_unless_equals_int (push_list (rig, VIDEO, list_of (rig, VIDEO, 10)), GST_FLOW_OK);
  fail_unless_equals_string (rig->out.order->str, "scsllllllllll");
  fail_unless_equals_int (rig_left (rig), 100);
  for (guint i = 0; i < 100; i++)
    fail_unless_equals_int (rig_nth (rig, i).was, rig_nth (rig, i).seq);
  fail_unless_equals_uint64 (pad_stat (rig, VIDEO, "packets-sent"), 100);
}

/* A list goes as far as the pacer lets it; the rest follows one by one; nobody else's
 * memory is written to. */
TEST (test_list_is_cut)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  GstBufferList *list, *copy;

  pad_set (rig, VIDEO, "expiry", GST_SECOND);
  rig_target (rig, 1600000);            /* 1000 B in each 5 ms */
  list = list_of (rig, VIDEO, 8);
  copy = gst_buffer_list_ref (list);
  fail_unless_equals_int (push_list (rig, VIDEO, list), GST_FLOW_OK);
  fail_unless_equals_int (gst_buffer_list_length (copy), 8);
  rig_settle (rig);
  fail_unless (rig_left (rig) >= 1 && rig_left (rig) <= 2, "%u left", rig_left (rig));
  rig_go (rig, 100 * GST_MSECOND);
  fail_unless_equals_int (rig_left (rig), 8);
  for (guint i = 0; i < 8; i++)
    fail_unless_equals_int (rig_nth (rig, i).was, rig_nth (rig, 0).was + i);
  gst_buffer_list_unref (copy);
  rig_assert_conserved (rig);
}

/* A number that has to change is written into a copy where others hold the packet. */
TEST (test_shared_memory)
{
  g_autoptr (Rig) rig = rig_new (1, NULL);
  GstBuffer *held;
  guint8 seq[2];

  rig_push (rig, 0, 100);
  rig_drop (rig, 0, 1);
  held = rig_next (rig, 0, TRUE, 100);
  fail_unless_equals_int (rig_push_buffer (rig, 0, gst_buffer_ref (held)), GST_FLOW_OK);
  fail_unless_equals_int (rig_nth (rig, 2).seq, (guint16) (rig_nth (rig, 0).seq + 2));
  gst_buffer_extract (held, 2, seq, 2);
  fail_unless_equals_int (rcc_be16 (seq), rig_nth (rig, 2).was);
  gst_buffer_unref (held);
}

TEST (test_no_rtp)
{
  static const guint8 garbage[64] = { 0x40, 1, 2, 3 };
  g_autoptr (Rig) rig = rig_new (2, NULL);
  GstBuffer *buffer;

  for (guint size = 0; size <= sizeof garbage; size += 8) {
    rig_push (rig, AUDIO, 100);
    buffer = gst_buffer_new_allocate (NULL, size, NULL);
    gst_buffer_fill (buffer, 0, garbage, size);
    fail_unless_equals_int (rig_push_buffer (rig, VIDEO, buffer), GST_FLOW_OK);
    fail_unless_equals_int (rig_nth (rig, rig_left (rig) - 1).size, size);
  }
  fail_unless_equals_uint64 (pad_stat (rig, VIDEO, "rtp-malformed"), 9);
  fail_unless_equals_uint64 (pad_stat (rig, AUDIO, "rtp-malformed"), 0);
  rig_assert_conserved (rig);
}

/* --- caps ----------------------------------------------------------------- */

static GstCaps *
src_caps (Rig *rig)
{
  GstPad *src = gst_element_get_static_pad (rig->e, "src");
  GstCaps *caps = gst_pad_get_current_caps (src);

  gst_object_unref (src);
  return caps;
}

static void
assert_caps (Rig *rig, const gchar *expected)
{
  GstCaps *caps = src_caps (rig), *wanted = gst_caps_from_string (expected);
  gchar *text = gst_caps_to_string (caps);

  fail_unless (gst_caps_is_equal (caps, wanted), "%s", text);
  g_free (text);
  gst_caps_unref (wanted);
  gst_caps_unref (caps);
}

/* What all say alike, and every extension that nobody contradicts. */
TEST (test_caps)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  rig_push (rig, AUDIO, 100);
  assert_caps (rig, "application/x-rtp");
  gst_harness_set_src_caps_str (rig->h[AUDIO], AUDIO_CAPS ",ssrc=(uint)1,extmap-1=one,"
      "extmap-2=two,extmap-4=four,profile=avpf");
  gst_harness_set_src_caps_str (rig->h[VIDEO], VIDEO_CAPS ",ssrc=(uint)2,extmap-2=two,"
      "extmap-3=three,extmap-5=four,profile=avpf");
  rig_push (rig, VIDEO, 100);
  assert_caps (rig, "application/x-rtp,extmap-1=one,extmap-2=two,extmap-3=three,"
      "profile=avpf");
  gst_harness_set_src_caps_str (rig->h[VIDEO], VIDEO_CAPS ",extmap-1=other");
  rig_push (rig, VIDEO, 100);
  assert_caps (rig, "application/x-rtp,extmap-2=two,extmap-4=four");
}

/* Upstream hears of downstream's extensions, and of nothing that is one stream's. */
TEST (test_caps_query)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  GstCaps *caps, *wanted;

  gst_harness_set_sink_caps_str (rig->h[0], "application/x-rtp,payload=96,ssrc=(uint)7,"
      "clock-rate=90000,extmap-5=(string)" RCC_TWCC_URI);
  caps = gst_pad_peer_query_caps (rig->h[AUDIO]->srcpad, NULL);
  wanted = gst_caps_from_string ("application/x-rtp,extmap-5=(string)" RCC_TWCC_URI
      ";application/x-rtp");
  fail_unless (gst_caps_is_strictly_equal (caps, wanted));
  gst_caps_unref (caps);
  gst_caps_unref (wanted);
}

/* --- segments ------------------------------------------------------------- */

static void
push_segment (Rig *rig, guint pad, GstClockTime start, GstClockTime base)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = start;
  segment.base = base;
  gst_harness_push_event (rig->h[pad], gst_event_new_segment (&segment));
}

static void
push_at (Rig *rig, guint pad, GstClockTime pts, GstClockTime expected)
{
  GstBuffer *buffer = rig_next (rig, pad, TRUE, 100);

  GST_BUFFER_PTS (buffer) = pts;
  fail_unless_equals_int (rig_push_buffer (rig, pad, buffer), GST_FLOW_OK);
  fail_unless_equals_uint64 (rig_nth (rig, rig_left (rig) - 1).pts, expected);
}

/* Running time is kept: an encoder's segment begins at a thousand hours. */
TEST (test_segments)
{
  const GstClockTime start = 3600000 * GST_SECOND;
  g_autoptr (Rig) rig = rig_new (2, NULL);

  push_segment (rig, VIDEO, start, 0);
  push_at (rig, AUDIO, 20 * GST_MSECOND, 20 * GST_MSECOND);
  push_at (rig, VIDEO, start + 30 * GST_MSECOND, 30 * GST_MSECOND);
  push_at (rig, VIDEO, start - 1, GST_CLOCK_TIME_NONE);
  push_at (rig, VIDEO, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE);
  push_segment (rig, VIDEO, 0, 10 * GST_SECOND);
  push_at (rig, VIDEO, 5 * GST_SECOND, 15 * GST_SECOND);
  push_segment (rig, VIDEO, 0, 0);
  push_at (rig, VIDEO, 5 * GST_SECOND, 5 * GST_SECOND);
  fail_unless_equals_string (rig->out.order->str, "scspppppp");
}

/* --- the end -------------------------------------------------------------- */

TEST (test_eos_of_all)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  rig_push (rig, AUDIO, 100);
  rig_push (rig, VIDEO, 100);
  fail_unless (gst_harness_push_event (rig->h[AUDIO], gst_event_new_eos ()));
  rig_push (rig, VIDEO, 100);
  fail_unless_equals_string (rig->out.order->str, "scsppp");
  fail_unless (gst_harness_push_event (rig->h[VIDEO], gst_event_new_eos ()));
  wait_for (strlen (rig->out.order->str) == 7);
  fail_unless_equals_string (rig->out.order->str, "scspppe");
}

/* What is queued leaves first; a pad that goes away need not end. */
TEST (test_eos_after_the_queue)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);

  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  rig_target (rig, 100000);
  for (guint i = 0; i < 5; i++)
    rig_push (rig, VIDEO, 1000);
  fail_unless (gst_harness_push_event (rig->h[VIDEO], gst_event_new_eos ()));
  rig_settle (rig);
  fail_unless (strchr (rig->out.order->str, 'e') == NULL);
  gst_harness_teardown (rig->h[VIDEO]);
  rig->h[VIDEO] = NULL;
  rig_go (rig, GST_SECOND);
  fail_unless (strchr (rig->out.order->str, 'e') == NULL, "a pad without an end is left");
  rig_assert_conserved (rig);
}

TEST (test_eos_waits_for_the_pacer)
{
  g_autoptr (Rig) rig = rig_new (1, NULL);

  pad_set (rig, 0, "expiry", GST_CLOCK_TIME_NONE);
  rig_target (rig, 100000);
  for (guint i = 0; i < 5; i++)
    rig_push (rig, 0, 1000);
  fail_unless (gst_harness_push_event (rig->h[0], gst_event_new_eos ()));
  rig_settle (rig);
  fail_unless (strchr (rig->out.order->str, 'e') == NULL);
  rig_go (rig, GST_SECOND);
  wait_for (strchr (rig->out.order->str, 'e') != NULL);
  fail_unless_equals_string (rig->out.order->str, "scspppppe");
}

/* --- other events --------------------------------------------------------- */

static GstEvent *
custom (const gchar *name)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, gst_structure_new_empty (name));
}

/* A serialised event leaves behind the packets that its pad had before it and waits for
 * nobody else; one that is not serialised overtakes; a gap is nobody's. */
TEST (test_events)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  GstQuery *query = gst_query_new_drain ();

  pad_set (rig, VIDEO, "expiry", GST_CLOCK_TIME_NONE);
  rig_target (rig, 400000);             /* 1000 B in 20 ms */
  rig_push (rig, VIDEO, 1000);
  rig_push (rig, VIDEO, 1000);
  rig_push (rig, VIDEO, 1000);
  fail_if (gst_pad_peer_query (rig->h[AUDIO]->srcpad, query), "it would overtake");
  gst_query_unref (query);
  fail_unless (gst_harness_push_event (rig->h[VIDEO], custom ("x")));
  fail_unless (gst_harness_push_event (rig->h[AUDIO], custom ("y")));
  fail_unless (gst_harness_push_event (rig->h[AUDIO], gst_event_new_gap (0, GST_SECOND)));
  fail_unless (gst_harness_push_event (rig->h[VIDEO],
          gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM_OOB,
              gst_structure_new_empty ("z"))));
  wait_for (strlen (rig->out.order->str) == 6);
  fail_unless (g_str_has_prefix (rig->out.order->str, "scsp"));
  rig_push (rig, VIDEO, 1000);
  rig_go (rig, GST_SECOND);
  wait_for (strlen (rig->out.order->str) == 10);
  fail_unless_equals_string (rig->out.order->str + 6, "ppcp");
}

/* --- pads ----------------------------------------------------------------- */

TEST (test_child_proxy)
{
  g_autoptr (Rig) rig = rig_new (2, NULL);
  GstPad *pad;
  guint64 expiry;

  pad = gst_element_request_pad_simple (rig->e, "sink_%u");
  g_object_get (pad, "expiry", &expiry, NULL);
  fail_unless_equals_uint64 (expiry, GST_SECOND);
  gst_element_release_request_pad (rig->e, pad);
  gst_object_unref (pad);
  fail_unless_equals_int (gst_child_proxy_get_children_count (GST_CHILD_PROXY (rig->e)),
      2);
  gst_child_proxy_set (GST_CHILD_PROXY (rig->e), "sink_1::expiry", 300 * GST_MSECOND, NULL);
  gst_child_proxy_get (GST_CHILD_PROXY (rig->e), "sink_1::expiry", &expiry, NULL);
  fail_unless_equals_uint64 (expiry, 300 * GST_MSECOND);
}

/* 32 pads, then no more; names asked for are given. */
TEST (test_pad_names)
{
  g_autoptr (GstElement) e = gst_element_factory_make ("rtpsbpnmux", NULL);
  GstPad *pad = gst_element_request_pad_simple (e, "sink_7");
  GstPad *pads[33] = { pad };

  fail_unless_equals_string (GST_PAD_NAME (pad), "sink_7");
  for (guint i = 1; i < 32; i++)
    fail_unless ((pads[i] = gst_element_request_pad_simple (e, "sink_%u")) != NULL);
  fail_unless_equals_string (GST_PAD_NAME (pads[1]), "sink_8");
  fail_unless (gst_element_request_pad_simple (e, "sink_%u") == NULL);
  for (guint i = 0; i < 32; i++) {
    gst_element_release_request_pad (e, pads[i]);
    gst_object_unref (pads[i]);
  }
  pad = gst_element_request_pad_simple (e, "sink_%u");
  fail_unless (pad != NULL);
  gst_object_unref (pad);
}

/* Max over the pads, and room for what may wait. */
TEST (test_latency)
{
  g_autoptr (Rig) rig = rig_new (2, "max-size-time", 300 * GST_MSECOND, NULL);

  gst_harness_set_upstream_latency (rig->h[AUDIO], 20 * GST_MSECOND);
  gst_harness_set_upstream_latency (rig->h[VIDEO], 70 * GST_MSECOND);
  fail_unless_equals_uint64 (gst_harness_query_latency (rig->h[0]), 70 * GST_MSECOND);
}

SUITE (rtpsbpnmux)
{
  gst_check_add_log_filter ("GStreamer", G_LOG_LEVEL_WARNING, g_regex_new ("no more than",
          0, 0, NULL), NULL, NULL, NULL);
}
