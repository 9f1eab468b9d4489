/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What passes through rtpgccreceiver, and its life: bytes, events, bad input, states,
 * threads, and a real rtpbin at either end.
 */
#include "rtpgccreceiver.h"

static GstBuffer *
buffer_of (gconstpointer bytes, gsize size)
{
  return size ? gst_buffer_new_memdup (bytes, size)
      : gst_buffer_new_allocate (NULL, 0, NULL);
}

static GBytes *
bytes_of (GstBuffer *buffer)
{
  gpointer data;
  gsize size;

  gst_buffer_extract_dup (buffer, 0, gst_buffer_get_size (buffer), &data, &size);
  return g_bytes_new_take (data, size);
}

/* Pushes @buffer as RTP; the same object with the same bytes comes out. */
static void
pass_unchanged (Fixture *f, GstBuffer *buffer)
{
  GBytes *before = bytes_of (buffer), *after;

  gst_buffer_ref (buffer);
  pass (f, buffer);
  after = bytes_of (buffer);
  fail_unless (g_bytes_equal (before, after));
  g_bytes_unref (before);
  g_bytes_unref (after);
  gst_buffer_unref (buffer);
}

GST_START_TEST (test_rtp_unchanged)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  GstBuffer *buffer = make_rtp (MEDIA_SSRC, 1, f->now, TRUE, PACKET);

  GST_BUFFER_PTS (buffer) = f->now;
  pass_unchanged (f, buffer);
  pass_unchanged (f, make_rtp (MEDIA_SSRC, 2, f->now, FALSE, 12));
  pass_unchanged (f, make_rtp (MEDIA_SSRC, 3, f->now, TRUE, 65000));
  fail_unless_equals_int (stat_u64 (f, "packets-received"), 3);
  fail_unless_equals_int (stat_u64 (f, "bytes-received"), PACKET + 12 + 65000);
  fixture_free (f);
}

GST_END_TEST;

GST_START_TEST (test_rtp_list)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  GstBufferList *list = gst_buffer_list_new ();
  GstBuffer *in[10], *out;
  GstPad *sink = gst_element_get_static_pad (f->element, "sink");

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
  gst_object_unref (sink);
  fixture_free (f);
}

GST_END_TEST;

/* R1: what is no RTP passes, is counted, and leaves the estimate alone. */
GST_START_TEST (test_malformed_rtp)
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
  Fixture *f = fixture_new (CAPS_ABS, NULL);
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
  fail_unless (drop_told (f) > 5);
  fixture_free (f);
}

GST_END_TEST;

/* R1: spread over memories, and memory that nobody may write. */
GST_START_TEST (test_odd_memory)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
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
  fixture_free (f);
}

GST_END_TEST;

/* R2: extensions that lie, and RTCP on the RTP port (RFC 5761). */
GST_START_TEST (test_odd_extensions)
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
  Fixture *f = fixture_new (CAPS_ABS, NULL);
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
  fixture_free (f);
}

GST_END_TEST;

/* R3: no jump of numbers or SSRCs stops the flow or brings the estimate down. */
GST_START_TEST (test_jumping_numbers)
{
  static const guint16 gaps[] = { 1, 500, 32767, 32768, 65535, 0 };
  Fixture *f = fixture_new (CAPS_ABS, NULL);
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
  fixture_free (f);
}

GST_END_TEST;

/* R4: the same caps again, another id, no extension any more, and back. */
GST_START_TEST (test_caps_change)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  guint before;

  stream (f, 3 * GST_SECOND, 500000, 1000000);
  before = estimate (f);
  gst_harness_set_src_caps_str (f->rtp, CAPS_ABS);
  stream (f, GST_SECOND, 500000, 1000000);
  assert_send_time (f, "abs-send-time");
  gst_harness_set_src_caps_str (f->rtp, CAPS_PLAIN);
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  assert_send_time (f, "rtp-timestamp");
  gst_harness_set_src_caps_str (f->rtp, CAPS_PLAIN ",extmap-9=(string)\""
      RCC_ABS_SEND_TIME_URI "\"");
  stream (f, GST_SECOND, 500000, 1000000);
  assert_send_time (f, "rtp-timestamp");        /* packets have the old id */
  gst_harness_set_src_caps_str (f->rtp, CAPS_ABS);
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  assert_send_time (f, "abs-send-time");
  fail_unless (estimate (f) >= 0.97 * before, "%u after %u", estimate (f), before);
  fixture_free (f);
}

GST_END_TEST;

/* Pushes @buffer as RTCP and returns what came out; @grown: by how much. */
static GstBuffer *
through_rtcp (Fixture *f, GstBuffer *buffer, gsize *grown)
{
  const gsize size = gst_buffer_get_size (buffer);
  GBytes *before = bytes_of (buffer), *after;
  GstBuffer *out;

  drop_told (f);
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
  Fixture *f = fixture_new (CAPS_ABS, "feedback-interval", "60000000000", "rtcp-fraction",
      "1.0", "max-bitrate", "400000", "feedback-format", format, NULL);

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

GST_START_TEST (test_appended)
{
  static const gchar *const formats[] = { "remb", "tmmbr", "ccfb" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    Fixture *f = ready_to_append (formats[i]);
    GstBuffer *in = make_compound (SESSION_SSRC, "me@here"), *out;
    guint64 told_before = stat_u64 (f, "feedback-count");
    gsize grown;
    Told told;

    out = through_rtcp (f, gst_buffer_ref (in), &grown);
    fail_unless_equals_int (gst_buffer_get_size (in) + grown,
        gst_buffer_get_size (out));
    fail_unless (grown > 0 && grown % 4 == 0);
    told = read_rtcp (out);
    fail_unless (told.whole);
    fail_unless_equals_int (told.n_remb, i == 0);
    fail_unless_equals_int (told.n_tmmbr, i == 1);
    fail_unless_equals_int (told.n_ccfb, i == 2);
    if (i == 0) {
      fail_unless_equals_int (told.remb.sender_ssrc, SESSION_SSRC);
      fail_unless_equals_int (told.remb_ssrc, MEDIA_SSRC);
    }
    fail_unless_equals_int (stat_u64 (f, "feedback-appended"), 1);
    fail_unless_equals_int (stat_u64 (f, "feedback-count"), told_before + 1);
    gst_buffer_unref (in);
    gst_buffer_unref (out);
    fixture_free (f);
  }
}

GST_END_TEST;

/* SSRC and CNAME are the session's from the first compound of it on. */
GST_START_TEST (test_identity_adopted)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  Told told = { 0 };
  guint32 ours;

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless (next_told (f, &told));
  ours = told.report_ssrc;
  while (next_told (f, &told))
    fail_unless_equals_int (told.report_ssrc, ours);
  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  gst_harness_push (f->rtcp, make_compound (SESSION_SSRC, "me@here"));
  drop_told (f);
  stream (f, GST_SECOND, 500000, 1000000);
  fail_unless (next_told (f, &told));
  fail_unless_equals_int (told.report_ssrc, SESSION_SSRC);
  fail_unless_equals_int (told.remb.sender_ssrc, SESSION_SSRC);
  fail_unless_equals_string (told.cname, "me@here");
  fixture_free (f);
}

GST_END_TEST;

/* C1-C3: nothing is appended to what has no readable end, padding or a BYE at its
 * end, or no room; it passes byte for byte. */
GST_START_TEST (test_not_appended)
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
  Fixture *f = ready_to_append ("remb");
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
  fixture_free (f);
}

GST_END_TEST;

/* A compound of an RR and an APP packet, @size bytes in all. */
static GstBuffer *
make_long (gsize size)
{
  guint8 bytes[1500] = { 0 };

  rcc_rtcp_build_rr (bytes, sizeof bytes, SESSION_SSRC, NULL, 0);
  rcc_rtcp_put_header (bytes + 8, RCC_RTCP_APP, 0, size - 8);
  return gst_buffer_new_memdup (bytes, size);
}

GST_START_TEST (test_room)
{
  static const struct
  {
    gsize size, grown;
  } cases[] = { {1376, 24}, {1380, 0}, {1400, 0}, {1404, 0}, {1496, 0} };
  Fixture *f = ready_to_append ("remb");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstBuffer *out;
    gsize grown;

    a_moment_later (f);
    out = through_rtcp (f, make_long (cases[i].size), &grown);
    fail_unless_equals_int (grown, cases[i].grown);
    gst_buffer_unref (out);
  }
  fixture_free (f);
}

GST_END_TEST;

GST_START_TEST (test_rtcp_list)
{
  Fixture *f = ready_to_append ("remb");
  GstBufferList *list = gst_buffer_list_new ();
  GstPad *sink = gst_element_get_static_pad (f->element, "rtcp_sink");
  guint rembs = 0;
  Told told;

  for (guint i = 0; i < 3; i++)
    gst_buffer_list_add (list, make_compound (SESSION_SSRC, "me@here"));
  drop_told (f);
  gst_buffer_list_ref (list);           /* shared: it may not be written to */
  fail_unless_equals_int (gst_pad_push_list (GST_PAD_PEER (sink), list), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++) {
    fail_unless (next_told (f, &told));
    fail_unless_equals_int (told.report_ssrc, SESSION_SSRC);
    rembs += told.n_remb;
  }
  fail_unless_equals_int (rembs, 1);    /* the others come too soon after it */
  fail_unless_equals_int (gst_buffer_get_size (gst_buffer_list_get (list, 0)),
      gst_buffer_get_size (gst_buffer_list_get (list, 1)));
  gst_buffer_list_unref (list);
  gst_object_unref (sink);
  fixture_free (f);
}

GST_END_TEST;

/* Feedback is due, but the session's compound gets to the pad first and takes it
 * along: it is not said again. */
GST_START_TEST (test_said_once)
{
  Fixture *f = fixture_new (CAPS_ABS, "max-bitrate", "400000", NULL);
  GstPad *src = gst_element_get_static_pad (f->element, "rtcp_src");
  guint64 composed;
  Told told;

  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  drop_told (f);
  composed = stat_u64 (f, "feedback-composed");
  GST_PAD_STREAM_LOCK (src);
  fail_unless (gst_test_clock_crank (f->clock));
  gst_harness_push (f->rtcp, make_compound (SESSION_SSRC, "me@here"));
  GST_PAD_STREAM_UNLOCK (src);
  fail_unless (next_told (f, &told));
  fail_unless_equals_int (told.n_remb, 1);
  fail_if (next_told (f, &told));
  fail_unless_equals_int (stat_u64 (f, "feedback-appended"), 1);
  fail_unless_equals_int (stat_u64 (f, "feedback-composed"), composed);
  gst_object_unref (src);
  fixture_free (f);
}

GST_END_TEST;

static guint
count_events (GstHarness *h, GstEventType type)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_event (h))) {
    n += GST_EVENT_TYPE (event) == type;
    gst_event_unref (event);
  }
  return n;
}

/* Our compounds before any of the session's, and after a flush took the segment.
 * (GstHarness pushes stream-start with the first caps or buffer: not before.) */
GST_START_TEST (test_own_stream)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  GstPad *src = gst_element_get_static_pad (f->element, "rtcp_src");
  GstEvent *event;
  GstCaps *caps;
  const GstSegment *segment;
  Told told;

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless (next_told (f, &told));
  fail_unless (told.whole);
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

  drop_told (f);
  fail_unless (gst_harness_push_event (f->rtcp, gst_event_new_flush_start ()));
  stream (f, GST_SECOND, 500000, 1000000);
  fail_unless_equals_int (drop_told (f), 0);
  fail_unless (stat_u64 (f, "feedback-refused") > 0);
  fail_unless (gst_harness_push_event (f->rtcp, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_pad_get_sticky_event (src, GST_EVENT_SEGMENT, 0) == NULL);
  count_events (f->rtcp, GST_EVENT_SEGMENT);
  stream (f, GST_SECOND, 500000, 1000000);
  fail_unless (drop_told (f) >= 3);
  fail_unless_equals_int (count_events (f->rtcp, GST_EVENT_SEGMENT), 1);
  gst_object_unref (src);
  fixture_free (f);
}

GST_END_TEST;

GST_START_TEST (test_rtp_flush_and_eos)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
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
  fail_unless (drop_told (f) > 5);
  fail_unless (gst_harness_push_event (f->rtp, gst_event_new_eos ()));
  fail_unless_equals_int (count_events (f->rtp, GST_EVENT_EOS), 1);
  fail_unless_equals_int (count_events (f->rtcp, GST_EVENT_EOS), 0);
  advance (f, f->now + 5 * GST_SECOND);
  fixture_free (f);
}

GST_END_TEST;

GST_START_TEST (test_rtcp_eos)
{
  Fixture *f = ready_to_append ("remb");

  gst_harness_push (f->rtcp, make_compound (SESSION_SSRC, "me@here"));
  drop_told (f);
  g_object_set (f->element, "feedback-interval", (guint64) 200 * GST_MSECOND, NULL);
  fail_unless (gst_harness_push_event (f->rtcp, gst_event_new_eos ()));
  stream (f, GST_SECOND, 500000, 1000000);
  fail_unless_equals_int (drop_told (f), 0);
  fail_unless (stat_u64 (f, "feedback-refused") >= 3);
  fail_unless_equals_int (count_events (f->rtp, GST_EVENT_EOS), 0);
  fixture_free (f);
}

GST_END_TEST;

/* READY and back in the middle of a wait: all is forgotten and works again. */
GST_START_TEST (test_restart)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  GstSegment segment;

  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless_equals_int (gst_test_clock_peek_id_count (f->clock), 1);
  fail_unless (drop_told (f) > 0);
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
  fail_unless (drop_told (f) > 3);
  fixture_free (f);
}

GST_END_TEST;

static GstPadProbeReturn
block (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_atomic_int_set ((gint *) user_data, 1);
  return GST_PAD_PROBE_OK;
}

/* P1: RTCP that is stuck downstream neither holds up RTP nor the clock's thread, and
 * the way to NULL is open. */
GST_START_TEST (test_blocked_rtcp)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  GstPad *src = gst_element_get_static_pad (f->element, "rtcp_src");
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
  gst_object_unref (src);
  fixture_free (f);
}

GST_END_TEST;

static GstPadProbeReturn
refuse (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_DATA (info) = NULL;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GPOINTER_TO_INT (user_data);
  return GST_PAD_PROBE_HANDLED;
}

GST_START_TEST (test_flow_returns)
{
  static const GstFlowReturn flows[] = { GST_FLOW_FLUSHING, GST_FLOW_EOS,
    GST_FLOW_NOT_LINKED, GST_FLOW_ERROR
  };
  static const gchar *const pads[] = { "src", "rtcp_src" };
  Fixture *f = fixture_new (CAPS_ABS, NULL);

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
  fixture_free (f);
}

GST_END_TEST;

static void
check_mate (GstElement *element, const gchar *name, const gchar *mate)
{
  GstPad *pad = gst_element_get_static_pad (element, name);
  GstIterator *it = gst_pad_iterate_internal_links (pad);
  GValue value = G_VALUE_INIT;

  fail_unless_equals_int (gst_iterator_next (it, &value), GST_ITERATOR_OK);
  fail_unless_equals_string (GST_OBJECT_NAME (g_value_get_object (&value)), mate);
  g_value_unset (&value);
  fail_unless_equals_int (gst_iterator_next (it, &value), GST_ITERATOR_DONE);
  gst_iterator_free (it);
  gst_object_unref (pad);
}

/* Two bumps on two wires: nothing of one shows on the other. */
GST_START_TEST (test_pairs)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  GstPad *sink = gst_element_get_static_pad (f->element, "sink");
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
  gst_object_unref (sink);
  fixture_free (f);
}

GST_END_TEST;

/* Only the RTP pads are linked: the estimate is there for whoever reads it. */
GST_START_TEST (test_rtp_alone)
{
  GstElement *element = gst_element_factory_make ("rtpgccreceiver", NULL);
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
  gst_object_unref (element);
}

GST_END_TEST;

/* Only the RTCP pads are linked: RTCP passes as it is. */
GST_START_TEST (test_rtcp_alone)
{
  GstElement *element = gst_element_factory_make ("rtpgccreceiver", NULL);
  GstHarness *h = gst_harness_new_with_element (element, "rtcp_sink", "rtcp_src");
  GstBuffer *in = make_compound (SESSION_SSRC, "me@here"), *out;

  gst_harness_set_src_caps_str (h, "application/x-rtcp");
  out = gst_harness_push_and_pull (h, in);
  fail_unless (out == in);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  gst_object_unref (element);
}

GST_END_TEST;

GST_START_TEST (test_life_cycles)
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

GST_END_TEST;

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
GST_START_TEST (test_property_storm)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("storm", storm, f);
  stream (f, 20 * GST_SECOND, 500000, 1000000);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_signal_emit_by_name (f->element, "reset");
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  fail_unless (estimate (f) > 0);
  fixture_free (f);
}

GST_END_TEST;

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
GST_START_TEST (test_between_rtpbins)
{
  Fixture *f = fixture_new (CAPS_ABS, NULL);
  GstElement *rx = gst_element_factory_make ("rtpbin", NULL);
  GstElement *tx = gst_element_factory_make ("rtpbin", NULL);
  GstHarness *rx_rtp = gst_harness_new_with_element (rx, "recv_rtp_sink_0", NULL);
  GstHarness *rx_rtcp = gst_harness_new_with_element (rx, NULL, "send_rtcp_src_0");
  GstHarness *tx_rtcp = gst_harness_new_with_element (tx, "recv_rtcp_sink_0", NULL);
  GObject *rx_session = fast_session (rx), *tx_session = fast_session (tx), *source;
  gint rembs = 0;
  guint32 ssrc;
  Told told = { 0 };
  GstBuffer *out;

  g_signal_connect (tx_session, "on-feedback-rtcp", G_CALLBACK (on_feedback), &rembs);
  gst_harness_set_src_caps_str (rx_rtp, CAPS_ABS);
  gst_harness_set_src_caps_str (f->rtcp, "application/x-rtcp");
  gst_harness_set_src_caps_str (tx_rtcp, "application/x-rtcp");
  stream (f, 2 * GST_SECOND, 500000, 1000000);
  drop_told (f);
  for (guint i = 0; i < 20; i++)
    gst_harness_push (rx_rtp, make_rtp (MEDIA_SSRC, (guint16) i, i * GST_MSECOND, TRUE,
            PACKET));

  /* the session's compound with our packet, then one of ours in its name */
  fail_unless_equals_int (gst_harness_push (f->rtcp, gst_harness_pull (rx_rtcp)),
      GST_FLOW_OK);
  out = gst_harness_pull (f->rtcp);
  told = read_rtcp (out);
  ssrc = told.report_ssrc;
  fail_unless (told.whole);
  fail_unless_equals_int (told.n_remb, 1);
  fail_unless_equals_int (told.remb.sender_ssrc, ssrc);
  fail_unless_equals_int (gst_harness_push (tx_rtcp, out), GST_FLOW_OK);
  fail_unless_equals_int (g_atomic_int_get (&rembs), 1);

  stream (f, GST_SECOND, 500000, 1000000);
  out = gst_harness_pull (f->rtcp);
  told = read_rtcp (out);
  fail_unless_equals_int (told.report_ssrc, ssrc);
  fail_unless (told.cname[0] != '\0');
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
  gst_object_unref (rx);
  gst_object_unref (tx);
  fixture_free (f);
}

GST_END_TEST;

static Suite *
rtpgccreceiver_flow_suite (void)
{
  Suite *s = suite_create ("rtpgccreceiver-flow");
  TCase *tc = tcase_create ("flow");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_rtp_unchanged);
  tcase_add_test (tc, test_rtp_list);
  tcase_add_test (tc, test_malformed_rtp);
  tcase_add_test (tc, test_odd_memory);
  tcase_add_test (tc, test_odd_extensions);
  tcase_add_test (tc, test_jumping_numbers);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_appended);
  tcase_add_test (tc, test_identity_adopted);
  tcase_add_test (tc, test_not_appended);
  tcase_add_test (tc, test_room);
  tcase_add_test (tc, test_rtcp_list);
  tcase_add_test (tc, test_said_once);
  tcase_add_test (tc, test_own_stream);
  tcase_add_test (tc, test_rtp_flush_and_eos);
  tcase_add_test (tc, test_rtcp_eos);
  tcase_add_test (tc, test_restart);
  tcase_add_test (tc, test_blocked_rtcp);
  tcase_add_test (tc, test_flow_returns);
  tcase_add_test (tc, test_pairs);
  tcase_add_test (tc, test_rtp_alone);
  tcase_add_test (tc, test_rtcp_alone);
  tcase_add_test (tc, test_life_cycles);
  tcase_add_test (tc, test_property_storm);
  tcase_add_test (tc, test_between_rtpbins);
  return s;
}

GST_CHECK_MAIN (rtpgccreceiver_flow);
