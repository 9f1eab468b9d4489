/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What keeps its place in rtpgccsender: events, caps, lists and queries.
 */
#include "sender-fixture.h"

TEST (test_events_stay_in_order)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 100000, "max-queue-time",
      10 * GST_SECOND, NULL);
  GstSegment segment;
  g_autoptr (GstCaps) caps = gst_caps_from_string (VIDEO_CAPS ",payload=97");

  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_string_truncate (fx->out.order, 0);
  fx_push (fx, 1000);
  fx_push (fx, 1000);
  gst_harness_push_event (fx->h, gst_event_new_caps (caps));
  fx_push (fx, 1000);
  gst_harness_push_event (fx->h, gst_event_new_segment (&segment));
  gst_harness_push_event (fx->h, gst_event_new_gap (0, GST_SECOND));
  fx_push (fx, 1000);
  gst_harness_push_event (fx->h, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
          gst_structure_new_empty ("x")));
  fx_push (fx, 1000);
  fx_run (fx, fx_now (fx) + 2 * GST_SECOND);
  fail_unless_equals_string (fx->out.order->str, "ppcpsgpcp");
}

/* Out of order events need not wait. */
TEST (test_oob_events_overtake)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 100000, NULL);

  fx_push (fx, 1000);
  fx_push (fx, 1000);
  g_string_truncate (fx->out.order, 0);
  gst_harness_push_event (fx->h, gst_event_new_custom
      (GST_EVENT_CUSTOM_DOWNSTREAM_OOB, gst_structure_new_empty ("x")));
  fail_unless_equals_string (fx->out.order->str, "c");
}

/* Ids belong to the packets behind their caps: what is queued before keeps its own. */
TEST (test_caps_take_effect_in_order)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 100000, "max-queue-time",
      10 * GST_SECOND, NULL);
  g_autoptr (GstCaps) caps = gst_caps_from_string (ABS_CAPS);
  static const guint8 blank[] = { 0xaa, 0xbb, 0xcc };

  fx->pushed += 3;
  gst_harness_push (fx->h, fx_packet_abs (0, 1000));
  gst_harness_push (fx->h, fx_packet_abs (1, 1000));
  gst_harness_push_event (fx->h, gst_event_new_caps (caps));
  gst_harness_push (fx->h, fx_packet_abs (2, 1000));
  fx_run (fx, fx_now (fx) + 2 * GST_SECOND);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = gst_harness_pull (fx->h);

    fail_unless ((gst_buffer_memcmp (buffer, 17, blank, 3) == 0) == (i < 2));
    gst_buffer_unref (buffer);
  }
}

static GstBufferList *
make_list (Fx *fx, guint n, guint size)
{
  GstBufferList *list = gst_buffer_list_new ();

  for (guint i = 0; i < n; i++, fx->seq++, fx->pushed++)
    gst_buffer_list_add (list, rtp_packet (SSRC, fx->seq, 0, FALSE, size));
  return list;
}

static void
push_list (Fx *fx, guint n, guint size)
{
  g_autoptr (GstPad) peer = gst_pad_get_peer (fx->h->srcpad);

  fail_unless_equals_int (gst_pad_chain_list (peer, make_list (fx, n, size)),
      GST_FLOW_OK);
}

/* All, part and none of a list may leave now; the rest keeps its order. */
TEST (test_lists)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 1600000, "tuning",
      tuning (NO_PROBES "," NO_TIMEOUT ",pacing-factor=1.0"),
      "max-queue-time", 5 * GST_SECOND, NULL);

  push_list (fx, 2, 400);
  fail_unless_equals_int (fx_left (fx), 2);
  fx_run (fx, fx_now (fx) + 20 * GST_MSECOND);
  push_list (fx, 10, 400);
  fail_unless_equals_int (fx_left (fx), 5);
  push_list (fx, 10, 400);
  fail_unless_equals_int (fx_left (fx), 5);
  push_list (fx, 0, 400);
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fail_unless_equals_int (fx_left (fx), 22);
  for (guint i = 0; i < 22; i++)
    fail_unless_equals_int (g_array_index (fx->out.left, Left, i).seq, i);
}

/* What a held list says stays as it was. */
TEST (test_shared_lists_stay)
{
  g_autoptr (Fx) fx = fx_new (ABS_CAPS, "start-bitrate", 100000, NULL);
  GstBufferList *list = gst_buffer_list_new ();
  static const guint8 blank[] = { 0xaa, 0xbb, 0xcc };
  g_autoptr (GstPad) peer = gst_pad_get_peer (fx->h->srcpad);

  for (guint i = 0; i < 3; i++, fx->pushed++)
    gst_buffer_list_add (list, fx_packet_abs ((guint16) i, 1000));
  gst_pad_chain_list (peer, gst_buffer_list_ref (list));
  fx_run (fx, fx_now (fx) + GST_SECOND);
  fail_unless_equals_int (fx_left (fx), 3);
  fail_unless_equals_int (gst_buffer_list_length (list), 3);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = gst_harness_pull (fx->h);

    fail_unless (gst_buffer_memcmp (gst_buffer_list_get (list, i), 17, blank, 3) == 0);
    fail_unless (gst_buffer_memcmp (buffer, 17, blank, 3) != 0);
    gst_buffer_unref (buffer);
  }
  gst_buffer_list_unref (list);
}

/* As queue answers: what may be held back is room for live sources. */
TEST (test_latency)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "max-queue-time", 300 * GST_MSECOND, NULL);
  g_autoptr (GstPad) src = gst_element_get_static_pad (fx->e, "src");
  GstQuery *query = gst_query_new_latency ();
  GstClockTime min, max;
  gboolean live;

  gst_harness_set_upstream_latency (fx->h, 20 * GST_MSECOND);
  fail_unless (gst_pad_query (src, query));
  gst_query_parse_latency (query, &live, &min, &max);
  fail_unless_equals_uint64 (min, 20 * GST_MSECOND);
  fail_unless (max == GST_CLOCK_TIME_NONE || max >= min + 300 * GST_MSECOND);
  gst_query_unref (query);
  g_object_set (fx->e, "max-queue-time", G_MAXUINT64 - 1, NULL);
  query = gst_query_new_latency ();
  fail_unless (gst_pad_query (src, query));
  gst_query_parse_latency (query, &live, &min, &max);
  fail_unless (max >= min);
  gst_query_unref (query);
}

/* A serialised query must not overtake what is queued. */
TEST (test_serialized_query)
{
  g_autoptr (Fx) fx = fx_new (VIDEO_CAPS, "start-bitrate", 100000, NULL);
  g_autoptr (GstCaps) caps = gst_caps_from_string (VIDEO_CAPS);
  GstQuery *query = gst_query_new_allocation (caps, FALSE);

  fx_push (fx, 1000);
  fx_push (fx, 1000);
  fail_if (gst_pad_peer_query (fx->h->srcpad, query));
  gst_query_unref (query);
}

TEST_MAIN (rtpgccsender_order);
