/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The session's RTCP through rtpgccreceiver: what is appended to it and when, our own
 * compounds between, and a real rtpbin at either end.
 */
#include "rtpgccreceiver.h"

/* Pushes @buffer as RTCP and returns what came out; @grown: by how much. */
static GstBuffer *
through_rtcp (Fixture *f, GstBuffer *buffer, gsize *grown)
{
  const gsize size = gst_buffer_get_size (buffer);
  GBytes *before = bytes_of (buffer), *after;
  GstBuffer *out;

  drop_feedback (f);
  fail_unless_equals_int (gst_harness_push (f->rtcp, buffer), GST_FLOW_OK);
  out = gst_harness_try_pull (f->rtcp);
  fail_unless (out != NULL);
  fail_unless (gst_buffer_get_size (out) >= size);
  after = bytes_of (out);
  if (size > 0)
    fail_unless (memcmp (g_bytes_get_data (before, NULL), g_bytes_get_data (after, NULL),
            size) == 0);
  *grown = gst_buffer_get_size (out) - size;
  g_bytes_unref (before);
  g_bytes_unref (after);
  return out;
}

/* A receiver with an estimate that may be told at any time: a fixture for append. */
static Fixture *
ready_to_append (const gchar *format)
{
  Fixture *f = fixture_new (CAPS_ABS, "feedback-interval", "60000000000", "tuning",
      "tuning,rtcp-fraction=1.0", "max-bitrate", "400000", "feedback-format", format, NULL);

  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  return f;
}

/* The newest packets, and room under the RTCP share. */
static void
a_moment_later (Fixture *f)
{
  stream (f, 20 * GST_MSECOND, 500000, 1000000);
}

TEST (test_appended)
{
  static const gchar *const formats[] = { "remb", "tmmbr", "ccfb" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Fixture *f = ready_to_append (formats[i]);
    GstBuffer *in = make_compound (SESSION_SSRC, "me@here"), *out;
    guint64 reported_before = stat_u64 (f, "feedback-count");
    gsize grown;
    Feedback feedback;

    out = through_rtcp (f, gst_buffer_ref (in), &grown);
    fail_unless_equals_int (gst_buffer_get_size (in) + grown,
        gst_buffer_get_size (out));
    fail_unless (grown > 0 && grown % 4 == 0);
    feedback = read_rtcp (out);
    fail_unless (feedback.whole);
    fail_unless_equals_int (feedback.n_remb, i == 0);
    fail_unless_equals_int (feedback.n_tmmbr, i == 1);
    fail_unless_equals_int (feedback.n_ccfb, i == 2);
    if (i == 0) {
      fail_unless_equals_int (feedback.remb.sender_ssrc, SESSION_SSRC);
      fail_unless_equals_int (feedback.remb_ssrc, MEDIA_SSRC);
    }
    fail_unless_equals_int (stat_u64 (f, "feedback-appended"), 1);
    fail_unless_equals_int (stat_u64 (f, "feedback-count"), reported_before + 1);
    gst_buffer_unref (in);
    gst_buffer_unref (out);
    fixture_free (f);
  }
}

/* SSRC and CNAME are the session's from the first compound of it on. */
TEST (test_identity_adopted)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  Feedback feedback = { 0 };
  guint32 ours;

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless (next_feedback (f, &feedback));
  ours = feedback.report_ssrc;
  while (next_feedback (f, &feedback))
    fail_unless_equals_int (feedback.report_ssrc, ours);
  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  gst_harness_push (f->rtcp, make_compound (SESSION_SSRC, "me@here"));
  drop_feedback (f);
  stream (f, GST_SECOND, 500000, 1000000);
  fail_unless (next_feedback (f, &feedback));
  fail_unless_equals_int (feedback.report_ssrc, SESSION_SSRC);
  fail_unless_equals_int (feedback.remb.sender_ssrc, SESSION_SSRC);
  fail_unless_equals_string (feedback.cname, "me@here");
}

/* C1-C3: nothing is appended to what has no readable end, padding or a BYE at its
 * end, or no room; it passes byte for byte. */
TEST (test_not_appended)
{
  static const struct
  {
    guint8 bytes[16];
    gsize size;
  } bad[] = {
    {{0}, 0},
    {{0x80}, 1},
    {{0x00, 1, 0, 8, 0x21, 0x12, 0xa4, 0x42}, 16},      /* STUN */
    {{0x80, 201, 0xff, 0xff}, 8},       /* length beyond the end */
    {{0x80, 201, 0, 0}, 7},             /* three stray bytes */
    {{0x80, 201, 0, 1, 1, 2, 3, 4, 0x81, 203, 0, 1, 1, 2, 3, 4}, 16},   /* BYE */
    {{0x80, 201, 0, 1, 1, 2, 3, 4, 0xbf, 203, 0, 0}, 12},       /* BYE of nobody */
    {{0xa0, 201, 0, 2, 1, 2, 3, 4, 0, 0, 0, 4}, 12},    /* padding */
    {{0xa0, 201, 0, 2, 1, 2, 3, 4, 0, 0, 0, 255}, 12},  /* too much of it */
  };
  g_autoptr (Fixture) f = ready_to_append ("remb");
  GstBuffer *good = make_compound (SESSION_SSRC, "me@here"), *out;
  gsize grown;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    a_moment_later (f);
    out = through_rtcp (f, buffer_of (bad[i].bytes, bad[i].size), &grown);
    fail_unless_equals_int (grown, 0);
    gst_buffer_unref (out);
  }
  for (gsize n = 1; n < gst_buffer_get_size (good); n++) {
    if (n == 8)                         /* an RR and nothing else: that is whole */
      continue;
    a_moment_later (f);
    out = through_rtcp (f, gst_buffer_copy_region (good, GST_BUFFER_COPY_ALL, 0, n),
        &grown);
    fail_unless_equals_int (grown, 0);
    gst_buffer_unref (out);
  }
  fail_unless (stat_u64 (f, "rtcp-truncated") > 0);
  fail_unless_equals_int (stat_u64 (f, "feedback-appended"), 0);
  a_moment_later (f);
  out = through_rtcp (f, good, &grown);
  fail_unless (grown > 0);
  gst_buffer_unref (out);
}

/* A compound of an RR and an APP packet, @size bytes in all. */
static GstBuffer *
make_long (gsize size)
{
  guint8 bytes[1500] = { 0 };

  rcc_rtcp_build_rr (bytes, sizeof bytes, SESSION_SSRC, NULL, 0);
  rcc_rtcp_put_header (bytes + 8, RCC_RTCP_APP, 0, size - 8);
  return gst_buffer_new_memdup (bytes, size);
}

TEST (test_room)
{
  static const struct
  {
    gsize size, grown;
  } cases[] = { {1376, 24}, {1380, 0}, {1400, 0}, {1404, 0}, {1496, 0} };
  g_autoptr (Fixture) f = ready_to_append ("remb");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *out;
    gsize grown;

    a_moment_later (f);
    out = through_rtcp (f, make_long (cases[i].size), &grown);
    fail_unless_equals_int (grown, cases[i].grown);
    gst_buffer_unref (out);
  }
}

TEST (test_rtcp_list)
{
  g_autoptr (Fixture) f = ready_to_append ("remb");
  GstBufferList *list = gst_buffer_list_new ();
  g_autoptr (GstPad) sink = gst_element_get_static_pad (f->element, "rtcp_sink");
  guint rembs = 0;
  Feedback feedback;

  for (guint i = 0; i < 3; i++)
    gst_buffer_list_add (list, make_compound (SESSION_SSRC, "me@here"));
  drop_feedback (f);
  gst_buffer_list_ref (list);           /* shared: it may not be written to */
  fail_unless_equals_int (gst_pad_push_list (GST_PAD_PEER (sink), list), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++) {
    fail_unless (next_feedback (f, &feedback));
    fail_unless_equals_int (feedback.report_ssrc, SESSION_SSRC);
    rembs += feedback.n_remb;
  }
  fail_unless_equals_int (rembs, 1);    /* the others come too soon after it */
  fail_unless_equals_int (gst_buffer_get_size (gst_buffer_list_get (list, 0)),
      gst_buffer_get_size (gst_buffer_list_get (list, 1)));
  gst_buffer_list_unref (list);
}

/* Feedback is due, but the session's compound gets to the pad first and takes it
 * along: it is not said again. */
TEST (test_said_once)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, "max-bitrate", "400000", NULL);
  g_autoptr (GstPad) src = gst_element_get_static_pad (f->element, "rtcp_src");
  guint64 composed;
  Feedback feedback;

  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  drop_feedback (f);
  composed = stat_u64 (f, "feedback-composed");
  GST_PAD_STREAM_LOCK (src);
  fail_unless (gst_test_clock_crank (f->clock));
  gst_harness_push (f->rtcp, make_compound (SESSION_SSRC, "me@here"));
  GST_PAD_STREAM_UNLOCK (src);
  fail_unless (next_feedback (f, &feedback));
  fail_unless_equals_int (feedback.n_remb, 1);
  fail_if (next_feedback (f, &feedback));
  fail_unless_equals_int (stat_u64 (f, "feedback-appended"), 1);
  fail_unless_equals_int (stat_u64 (f, "feedback-composed"), composed);
}

/* Our compounds before any of the session's, and after a flush took the segment.
 * (GstHarness pushes stream-start with the first caps or buffer: not before.) */
TEST (test_own_stream)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  g_autoptr (GstPad) src = gst_element_get_static_pad (f->element, "rtcp_src");
  GstEvent *event;
  GstCaps *caps;
  const GstSegment *segment;
  Feedback feedback;

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless (next_feedback (f, &feedback));
  fail_unless (feedback.whole);
  event = gst_pad_get_sticky_event (src, GST_EVENT_STREAM_START, 0);
  fail_unless (event != NULL);
  gst_event_unref (event);
  caps = gst_pad_get_current_caps (src);
  fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "application/x-rtcp"));
  gst_caps_unref (caps);
  event = gst_pad_get_sticky_event (src, GST_EVENT_SEGMENT, 0);
  gst_event_parse_segment (event, &segment);
  fail_unless_equals_int (segment->format, GST_FORMAT_TIME);
  gst_event_unref (event);

  drop_feedback (f);
  fail_unless (gst_harness_push_event (f->rtcp, gst_event_new_flush_start ()));
  stream (f, GST_SECOND, 500000, 1000000);
  fail_unless_equals_int (drop_feedback (f), 0);
  fail_unless (stat_u64 (f, "feedback-refused") > 0);
  fail_unless (gst_harness_push_event (f->rtcp, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_pad_get_sticky_event (src, GST_EVENT_SEGMENT, 0) == NULL);
  count_events (f->rtcp, GST_EVENT_SEGMENT);
  stream (f, GST_SECOND, 500000, 1000000);
  fail_unless (drop_feedback (f) >= 3);
  fail_unless_equals_int (count_events (f->rtcp, GST_EVENT_SEGMENT), 1);
}

TEST (test_rtcp_eos)
{
  g_autoptr (Fixture) f = ready_to_append ("remb");

  gst_harness_push (f->rtcp, make_compound (SESSION_SSRC, "me@here"));
  drop_feedback (f);
  g_object_set (f->element, "feedback-interval", (guint64) 200 * GST_MSECOND, NULL);
  fail_unless (gst_harness_push_event (f->rtcp, gst_event_new_eos ()));
  stream (f, GST_SECOND, 500000, 1000000);
  fail_unless_equals_int (drop_feedback (f), 0);
  fail_unless (stat_u64 (f, "feedback-refused") >= 3);
  fail_unless_equals_int (count_events (f->rtp, GST_EVENT_EOS), 0);
}

static void
on_feedback (GObject *session, guint type, guint fmt, guint sender, guint media,
    GstBuffer *fci, gint *rembs)
{
  if (type == RCC_RTCP_PSFB && fmt == 15 && fci && gst_buffer_memcmp (fci, 0, "REMB", 4) == 0)
    g_atomic_int_inc (rembs);
}

static GObject *
fast_session (GstElement *rtpbin)
{
  GObject *session;

  g_signal_emit_by_name (rtpbin, "get-internal-session", 0, &session);
  g_object_set (session, "rtcp-min-interval", (guint64) 10 * GST_MSECOND, NULL);
  return session;
}

/* A receiving rtpbin behind the element and a sending one that its RTCP goes to, on
 * the system's clock as sessions have it; how long they take decides nothing. */
TEST (test_between_rtpbins)
{
  g_autoptr (Fixture) f = fixture_new (CAPS_ABS, NULL);
  g_autoptr (GstElement) rx = gst_element_factory_make ("rtpbin", NULL);
  g_autoptr (GstElement) tx = gst_element_factory_make ("rtpbin", NULL);
  GstHarness *rx_rtp = gst_harness_new_with_element (rx, "recv_rtp_sink_0", NULL);
  GstHarness *rx_rtcp = gst_harness_new_with_element (rx, NULL, "send_rtcp_src_0");
  GstHarness *tx_rtcp = gst_harness_new_with_element (tx, "recv_rtcp_sink_0", NULL);
  GObject *rx_session = fast_session (rx), *tx_session = fast_session (tx), *source;
  gint rembs = 0;
  guint32 ssrc;
  Feedback feedback = { 0 };
  GstBuffer *out;

  g_signal_connect (tx_session, "on-feedback-rtcp", G_CALLBACK (on_feedback), &rembs);
  gst_harness_set_src_caps_str (rx_rtp, CAPS_ABS);
  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  gst_harness_set_src_caps_str (tx_rtcp, "application/x-rtcp");
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  drop_feedback (f);
  for (guint i = 0; i < 20; i++)
    gst_harness_push (rx_rtp, make_rtp (MEDIA_SSRC, (guint16) i, i * GST_MSECOND, TRUE,
            PACKET));

  /* the session's compound with our packet, then one of ours in its name */
  fail_unless_equals_int (gst_harness_push (f->rtcp, gst_harness_pull (rx_rtcp)),
      GST_FLOW_OK);
  out = gst_harness_pull (f->rtcp);
  feedback = read_rtcp (out);
  ssrc = feedback.report_ssrc;
  fail_unless (feedback.whole);
  fail_unless_equals_int (feedback.n_remb, 1);
  fail_unless_equals_int (feedback.remb.sender_ssrc, ssrc);
  fail_unless_equals_int (gst_harness_push (tx_rtcp, out), GST_FLOW_OK);
  fail_unless_equals_int (g_atomic_int_get (&rembs), 1);

  stream (f, GST_SECOND, 500000, 1000000);
  out = gst_harness_pull (f->rtcp);
  feedback = read_rtcp (out);
  fail_unless_equals_int (feedback.report_ssrc, ssrc);
  fail_unless (feedback.cname[0] != '\0');
  fail_unless_equals_int (gst_harness_push (tx_rtcp, out), GST_FLOW_OK);
  fail_unless_equals_int (g_atomic_int_get (&rembs), 2);
  g_signal_emit_by_name (tx_session, "get-source-by-ssrc", ssrc, &source);
  fail_unless (source != NULL, "the sender's session did not take us for a member");
  g_object_unref (source);

  g_object_unref (rx_session);
  g_object_unref (tx_session);
  gst_harness_teardown (tx_rtcp);
  gst_harness_teardown (rx_rtcp);
  gst_harness_teardown (rx_rtp);
}

TEST_MAIN (rtpgccreceiver_rtcp);
