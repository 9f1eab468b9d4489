/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What passes through rtpgccreceiver, and its life: bytes, events, bad input, states
 * and threads.
 */
#include "rtpgccreceiver.h"

TEST (test_rtp_unchanged)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GstBuffer *buffer = make_rtp (MEDIA_SSRC, 1, f->now, TRUE, PACKET);

  GST_BUFFER_PTS (buffer) = f->now;
  pass_unchanged (f, buffer);
  pass_unchanged (f, make_rtp (MEDIA_SSRC, 2, f->now, FALSE, 12));
  pass_unchanged (f, make_rtp (MEDIA_SSRC, 3, f->now, TRUE, 65000));
  fail_unless_equals_int (stat_u64 (f, "packets-received"), 3);
  fail_unless_equals_int (stat_u64 (f, "bytes-received"), PACKET + 12 + 65000);
}

TEST (test_rtp_list)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GstBufferList *list = gst_buffer_list_new ();
  GstBuffer *in[10], *out;
  g_autoptr (GstPad) sink = gst_element_get_static_pad (f->element, "sink");

  for (guint i = 0; i < G_N_ELEMENTS (in); i++) {
    in[i] = make_rtp (MEDIA_SSRC, (guint16) i, f->now, TRUE, PACKET);
    gst_buffer_list_add (list, gst_buffer_ref (in[i]));
  }
  gst_buffer_list_add (list, gst_buffer_new_memdup ("no RTP", 6));
  gst_buffer_list_ref (list);
  fail_unless_equals_int (gst_pad_push_list (GST_PAD_PEER (sink), list), GST_FLOW_OK);
  for (guint i = 0; i < G_N_ELEMENTS (in); i++) {
    out = gst_harness_pull (f->rtp);
    fail_unless (out == in[i]);
    gst_buffer_unref (out);
    gst_buffer_unref (in[i]);
  }
  gst_buffer_unref (gst_harness_pull (f->rtp));
  gst_buffer_list_unref (list);
  fail_unless_equals_int (stat_u64 (f, "packets-received"), 10);
  fail_unless_equals_int (stat_u64 (f, "rtp-malformed"), 1);
}

/* R1: what is no RTP passes, is counted, and leaves the estimate alone. */
TEST (test_malformed_rtp)
{
  static const struct
  {
    guint8 bytes[16];
    gsize size;
  } bad[] = {
    {{0x40, 96}, 16},                   /* version 1 */
    {{0xc0, 96}, 16},                   /* version 3 */
    {{0x8f, 96}, 16},                   /* 15 CSRCs, one there */
    {{0x90, 96}, 12},                   /* extension without its head */
    {{0x90, 96, [12] = 0xbe, 0xde, 0xff, 0xff}, 16},    /* ... beyond the end */
  };
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  guint64 count = 0;
  guint before;

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  before = estimate (f);
  for (gsize size = 0; size < 12; size++, count++)
    pass_unchanged (f, buffer_of ("\x80\x60\0\0\0\0\0\0\0\0\0", size));
  pass_unchanged (f, gst_buffer_new ());
  count++;
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++, count++)
    pass_unchanged (f, buffer_of (bad[i].bytes, bad[i].size));
  fail_unless_equals_int (stat_u64 (f, "rtp-malformed"), count);
  fail_unless_equals_int (stat_u64 (f, "packets-received"), f->seq);
  fail_unless_equals_int (estimate (f), before);
  stream (f, GST_SECOND, 500000, 1000000);
  fail_unless (drop_feedback (f) > 5);
}

/* R1: spread over memories, and memory that nobody may write. */
TEST (test_odd_memory)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GstBuffer *whole = make_rtp (MEDIA_SSRC, 7, f->now, TRUE, PACKET), *split;
  gpointer data;
  gsize size;

  split = gst_buffer_copy_region (whole, GST_BUFFER_COPY_MEMORY, 0, 5);
  split = gst_buffer_append (split,
      gst_buffer_copy_region (whole, GST_BUFFER_COPY_MEMORY, 5, 100));
  split = gst_buffer_append (split,
      gst_buffer_copy_region (whole, GST_BUFFER_COPY_MEMORY, 105, PACKET - 105));
  fail_unless_equals_int (gst_buffer_n_memory (split), 3);
  pass_unchanged (f, split);
  gst_buffer_extract_dup (whole, 0, -1, &data, &size);
  pass_unchanged (f, gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, data,
          size, 0, size, data, g_free));
  gst_buffer_unref (whole);
  fail_unless_equals_int (stat_u64 (f, "packets-received"), 2);
  fail_unless_equals_int (stat_u64 (f, "bytes-received"), 2 * PACKET);
}

/* R2: extensions that lie, and RTCP on the RTP port (RFC 5761). */
TEST (test_odd_extensions)
{
  static const struct
  {
    guint8 bytes[28];
    gsize size;
  } odd[] = {
    /* abs-send-time of two bytes; twice; behind id 15; two-byte form; empty */
    {{0x90, 96, [12] = 0xbe, 0xde, 0, 1, 0x31, 1, 2, 0}, 20},
    {{0x90, 96, [12] = 0xbe, 0xde, 0, 2, 0x32, 1, 2, 3, 0x32, 4, 5, 6}, 24},
    {{0x90, 96, [12] = 0xbe, 0xde, 0, 2, 0xf0, 0, 0, 0, 0x32, 4, 5, 6}, 24},
    {{0x90, 96, [12] = 0x10, 0, 0, 2, 3, 3, 1, 2, 3, 0, 0, 0}, 24},
    {{0x90, 96, [12] = 0xbe, 0xde, 0, 0}, 16},
  };
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  guint8 muxed[28] = { 0x80, 200, 0, 6 };

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    pass_unchanged (f, gst_buffer_new_memdup (odd[i].bytes, odd[i].size));
  fail_unless_equals_int (stat_u64 (f, "packets-received"),
      f->seq + G_N_ELEMENTS (odd));
  pass_unchanged (f, gst_buffer_new_memdup (muxed, sizeof muxed));
  fail_unless_equals_int (stat_u64 (f, "packets-received"),
      f->seq + G_N_ELEMENTS (odd));
  fail_unless_equals_int (stat_u64 (f, "rtp-malformed"), 0);
}

/* R3: no jump of numbers or SSRCs stops the flow or brings the estimate down. */
TEST (test_jumping_numbers)
{
  static const guint16 gaps[] = { 1, 500, 32767, 32768, 65535, 0 };
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  guint before;

  stream (f, 3 * GST_SECOND, 500000, 1000000);
  before = estimate (f);
  for (guint i = 0; i < G_N_ELEMENTS (gaps); i++) {
    f->seq = (guint16) (f->seq + gaps[i]);
    stream (f, 200 * GST_MSECOND, 500000, 1000000);
  }
  for (guint i = 0; i < 300; i++, f->sent += 16 * GST_MSECOND) {
    advance (f, f->now + 16 * GST_MSECOND);
    pass (f, make_rtp (i, (guint16) g_random_int (), f->sent, TRUE, PACKET));
  }
  fail_unless (estimate (f) >= 0.97 * before);
}

/* R4: the same caps again, another id, no extension any more, and back. */
TEST (test_caps_change)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  guint before;

  stream (f, 3 * GST_SECOND, 500000, 1000000);
  before = estimate (f);
  gst_harness_set_src_caps_str (f->rtp, CAPS_ABS);
  stream (f, GST_SECOND, 500000, 1000000);
  assert_send_time (f, "abs-send-time");
  gst_harness_set_src_caps_str (f->rtp, CAPS_PLAIN);
  stream (f, GST_SECOND / 4, 500000, 1000000);
  assert_send_time (f, "rtp-timestamp");
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  assert_send_time (f, "abs-send-time");        /* found */
  gst_harness_set_src_caps_str (f->rtp, CAPS_PLAIN ",extmap-9=(string)\""
      RCC_ABS_SEND_TIME_URI "\"");
  stream (f, GST_SECOND, 500000, 1000000);
  assert_send_time (f, "rtp-timestamp");        /* packets have the old id */
  gst_harness_set_src_caps_str (f->rtp, CAPS_ABS);
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  assert_send_time (f, "abs-send-time");
  fail_unless (estimate (f) >= 0.97 * before, "%u after %u", estimate (f), before);
}

/* No time of sending, by any way: the user hears of it, once. */
TEST (test_no_time_at_all)
{
  g_autoptr (Fixture) f = fixture_new ("application/x-rtp", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;

  gst_element_set_bus (f->rtp->element, bus);
  gst_harness_set_src_caps_str (f->rtp, "application/x-rtp");
  for (guint i = 0; i < 300; i++) {
    const RccRtp head = { .pt = 96, .ssrc = MEDIA_SSRC, .seq = (guint16) i };
    guint8 bytes[RCC_RTP_HEADER_MIN];

    advance (f, f->now + 20 * GST_MSECOND);
    gst_harness_push (f->rtp, gst_buffer_new_memdup (bytes,
            rcc_rtp_build (bytes, sizeof bytes, &head, NULL, 0)));
  }
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  fail_unless_equals_int (estimate (f), 0);
  gst_element_set_bus (f->rtp->element, NULL);
}

TEST (test_rtp_flush_and_eos)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GstSegment segment;

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  count_events (f->rtp, GST_EVENT_EOS);
  gst_harness_push_event (f->rtp, gst_event_new_flush_start ());
  fail_unless_equals_int (gst_harness_push (f->rtp, make_rtp (MEDIA_SSRC, 0, 0, TRUE,
              100)), GST_FLOW_FLUSHING);
  gst_harness_push_event (f->rtp, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (f->rtp, gst_event_new_segment (&segment));
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless (drop_feedback (f) > 5);
  fail_unless (gst_harness_push_event (f->rtp, gst_event_new_eos ()));
  fail_unless_equals_int (count_events (f->rtp, GST_EVENT_EOS), 1);
  fail_unless_equals_int (count_events (f->rtcp, GST_EVENT_EOS), 0);
  advance (f, f->now + 5 * GST_SECOND);
}

/* READY and back in the middle of a wait: all is forgotten and works again. */
TEST (test_restart)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GstSegment segment;

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless_equals_int (gst_test_clock_peek_id_count (f->clock), 1);
  fail_unless (drop_feedback (f) > 0);
  fail_unless_equals_int (gst_element_set_state (f->element, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_test_clock_peek_id_count (f->clock), 0);
  fail_unless_equals_int (estimate (f), 0);
  fail_unless_equals_int (stat_u64 (f, "packets-received"), 0);
  fail_unless_equals_int (gst_element_set_state (f->element, GST_STATE_PLAYING),
      GST_STATE_CHANGE_SUCCESS);
  gst_harness_push_event (f->rtp, gst_event_new_stream_start ("again"));
  gst_harness_set_src_caps_str (f->rtp, CAPS_ABS);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (f->rtp, gst_event_new_segment (&segment));
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless (estimate (f) > 0);
  fail_unless (drop_feedback (f) > 3);
}

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_atomic_int_set ((gint *) user_data, 1);
  return GST_PAD_PROBE_OK;
}

/* P1: RTCP that is stuck downstream neither holds up RTP nor the clock's thread, and
 * the way to NULL is open. */
TEST (test_blocked_rtcp)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  g_autoptr (GstPad) src = gst_element_get_static_pad (f->element, "rtcp_src");
  gint blocked = 0;
  GstClockID id;

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, block,
      &blocked, NULL);
  fail_unless (gst_test_clock_peek_next_pending_id (f->clock, &id));
  gst_clock_id_unref (id);
  fail_unless (gst_test_clock_crank (f->clock));
  while (!g_atomic_int_get (&blocked))
    g_thread_yield ();
  for (guint i = 0; i < 100; i++)
    pass (f, make_rtp (MEDIA_SSRC, f->seq++, f->sent, TRUE, PACKET));
  fail_unless (stat_u64 (f, "packets-received") > 100);
  fail_unless_equals_int (gst_element_set_state (f->element, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
}

static GstPadProbeReturn
refuse (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GPOINTER_TO_INT (user_data);
  return GST_PAD_PROBE_HANDLED;
}

TEST (test_flow_returns)
{
  static const GstFlowReturn flows[] = { GST_FLOW_FLUSHING, GST_FLOW_EOS,
    GST_FLOW_NOT_LINKED, GST_FLOW_ERROR
  };
  static const gchar *const pads[] = { "src", "rtcp_src" };
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);

  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (flows); i++) {
    GstPad *src = gst_element_get_static_pad (f->element, pads[i % 2]);
    gulong probe = gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, refuse,
        GINT_TO_POINTER (flows[i / 2]), NULL);

    fail_unless_equals_int (gst_harness_push (i % 2 ? f->rtcp : f->rtp, i % 2
            ? make_compound (1, "a") : make_rtp (1, 1, 0, TRUE, 100)), flows[i / 2]);
    gst_pad_remove_probe (src, probe);
    gst_object_unref (src);
  }
}

static void
check_mate (GstElement *element, const gchar *name, const gchar *mate)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, name);
  GstIterator *it = gst_pad_iterate_internal_links (pad);
  GValue value = G_VALUE_INIT;

  fail_unless_equals_int (gst_iterator_next (it, &value), GST_ITERATOR_OK);
  fail_unless_equals_string (GST_OBJECT_NAME (g_value_get_object (&value)), mate);
  g_value_unset (&value);
  fail_unless_equals_int (gst_iterator_next (it, &value), GST_ITERATOR_DONE);
  gst_iterator_free (it);
}

/* Two bumps on two wires: nothing of one shows on the other. */
TEST (test_pairs)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (f->element, "sink");
  GstCaps *caps;

  check_mate (f->element, "sink", "src");
  check_mate (f->element, "src", "sink");
  check_mate (f->element, "rtcp_sink", "rtcp_src");
  check_mate (f->element, "rtcp_src", "rtcp_sink");
  gst_harness_set_sink_caps_str (f->rtp, "application/x-rtp,payload=(int)97");
  caps = gst_pad_query_caps (sink, NULL);
  fail_unless (gst_structure_has_field (gst_caps_get_structure (caps, 0), "payload"));
  gst_caps_unref (caps);
  gst_harness_set_upstream_latency (f->rtp, 70 * GST_MSECOND);
  fail_unless_equals_uint64 (gst_harness_query_latency (f->rtp), 70 * GST_MSECOND);
  count_events (f->rtp, GST_EVENT_CUSTOM_DOWNSTREAM);
  count_events (f->rtcp, GST_EVENT_CUSTOM_DOWNSTREAM);
  gst_harness_push_event (f->rtp, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
          gst_structure_new_empty ("anything")));
  fail_unless_equals_int (count_events (f->rtp, GST_EVENT_CUSTOM_DOWNSTREAM), 1);
  fail_unless_equals_int (count_events (f->rtcp, GST_EVENT_CUSTOM_DOWNSTREAM), 0);
  gst_harness_push_upstream_event (f->rtcp, gst_event_new_reconfigure ());
}

/* Only the RTP pads are linked: the estimate is there for whoever reads it. */
TEST (test_rtp_alone)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("rtpgccreceiver", NULL);
  Fixture f = { .element = element, .abs = TRUE };

  f.rtp = gst_harness_new_with_element (element, "sink", "src");
  f.clock = gst_harness_get_testclock (f.rtp);
  f.now = f.sent = GST_SECOND;
  gst_harness_set_src_caps_str (f.rtp, CAPS_ABS);
  stream (&f, 3 * GST_SECOND, 500000, 1000000);
  fail_unless (estimate (&f) > 400000);
  fail_unless (stat_u64 (&f, "feedback-refused") > 5);
  gst_object_unref (f.clock);
  gst_harness_teardown (f.rtp);
}

/* Only the RTCP pads are linked: RTCP passes as it is. */
TEST (test_rtcp_alone)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("rtpgccreceiver", NULL);
  GstHarness *h = gst_harness_new_with_element (element, "rtcp_sink", "rtcp_src");
  GstBuffer *in = make_compound (SESSION_SSRC, "me@here"), *out;

  gst_harness_set_src_caps_str (h, "application/x-rtcp");
  out = gst_harness_push_and_pull (h, in);
  fail_unless (out == in);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

TEST (test_life_cycles)
{
  for (guint i = 0; i < 1000; i++) {
    GstElement *element = gst_element_factory_make ("rtpgccreceiver", NULL);

    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PLAYING),
        GST_STATE_CHANGE_SUCCESS);
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    gst_object_unref (element);
  }
  for (guint i = 0; i < 50; i++) {
    Fixture *f = fixture_new (CAPS_ABS, NULL);

    stream (f, 700 * GST_MSECOND, 500000, 1000000);
    fixture_free (f);
  }
}

static gpointer
storm (gpointer user_data)
{
  Fixture *f = user_data;

  for (guint i = 0; i < 2000; i++) {
    guint64 n = stat_u64 (f, "packets-received");

    fail_unless (n <= 65536);
    g_object_set (f->element, "max-bitrate", 300000 + 1000 * (i % 100), NULL);
    if (i % 100 == 0)
      g_signal_emit_by_name (f->element, "reset");
    estimate (f);
  }
  return NULL;
}

/* M1 */
TEST (test_property_storm)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("storm", storm, f);
  stream (f, 20 * GST_SECOND, 500000, 1000000);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_signal_emit_by_name (f->element, "reset");
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless (estimate (f) > 0);
}

TEST_MAIN (rtpgccreceiver_flow);
