/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What the element makes of its frames: values, pairs, caps, messages, stats.  The
 * formulas are tested in tests/psnr.
 */
#include "psnr-rig.h"

static const gchar *formats[] = { "I420", "YV12", "NV12", "NV21", "Y42B", "Y444", "GRAY8" };

TEST (known_values_in_every_format)
{
  static const guint8 differences[] = { 1, 7, 100, 255 };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    Rig rig = rig_new ("match=pts ssim=true", FALSE, formats[f], 67, 35);

    for (guint i = 0; i < G_N_ELEMENTS (differences); i++) {
      gdouble want = 20 * log10 (255.0 / differences[i]);
      GstMessage *message;
      const GstStructure *s;

      push_ref (&rig, 0, i);
      push_dist (&rig, differences[i], i);
      message = gst_bus_pop_filtered (rig.bus, GST_MESSAGE_ELEMENT);
      s = field_owner (message, "frame");
      assert_near (figure_in (s, "psnr"), want);
      assert_near (figure_in (s, "psnr-611"), want);
      assert_near (figure_in (s, "psnr-y"), want);
      assert_near (figure_in (s, "frame"), i);
      assert_near (figure_in (s, "running-time"), i * FRAME);
      fail_unless (figure_in (s, "ssim") < 1);
      if (f < 6) {
        assert_near (figure_in (s, "psnr-u"), want);
        assert_near (figure_in (s, "psnr-v"), want);
      } else {
        fail_if (gst_structure_has_field (s, "psnr-u"));
      }
      gst_message_unref (message);
    }
    rig_free (&rig);
  }
}

TEST (identical_is_100_db)
{
  Rig rig = rig_new ("", FALSE, "I420", 160, 120);
  GstMessage *message;

  for (gint i = 0; i < 3; i++) {
    push_ref (&rig, 50, i);
    push_dist (&rig, 50, i);
  }
  message = gst_bus_pop_filtered (rig.bus, GST_MESSAGE_ELEMENT);
  assert_near (figure_in (field_owner (message, "frame"), "psnr"), 100);
  gst_message_unref (message);
  assert_near (figure (&rig, "psnr"), 100);
  assert_near (figure (&rig, "identical"), 3);
  rig_free (&rig);
}

/* The strip differs (the numbers do), and is not measured. */
TEST (missing_frames_are_frozen)
{
  Rig rig = rig_new ("", FALSE, "I420", 160, 120);

  for (gint i = 0; i < 10; i++)
    push_ref (&rig, (guint8) (10 * i), i);
  push_dist (&rig, 0, 0);
  push_dist (&rig, 10, 1);
  push_dist (&rig, 50, 5);
  push_dist (&rig, 60, 6);
  expect (&rig, "0 1 2* 3* 4* 5 6");
  assert_near (figure (&rig, "frozen"), 3);
  assert_near (figure (&rig, "freezes"), 1);
  assert_near (figure (&rig, "longest-freeze"), 3 * FRAME);
  assert_near (figure (&rig, "frames"), 7);
  assert_near (figure (&rig, "identical"), 4);
  /* MSE 0 0 100 400 900 0 0 */
  assert_near (figure (&rig, "psnr"), 10 * log10 (65025 / 200.0));
  assert_near (figure (&rig, "mean-psnr"), (400 + 3 * 20 * log10 (255)
          - 20 * log10 (10 * 20 * 30)) / 7);
  rig_free (&rig);
}

TEST (drops_and_doubles_on_either_side)
{
  Rig rig = rig_new ("", FALSE, "NV12", 160, 120);

  push_ref (&rig, 0, 0);
  push_ref (&rig, 0, 1);
  push_ref (&rig, 0, 1);        /* doubled reference */
  push_ref (&rig, 0, 3);        /* 2 was dropped */
  push_ref (&rig, 0, 4);
  push_dist (&rig, 0, 0);
  push_dist (&rig, 0, 0);       /* doubled */
  push_dist (&rig, 0, 1);
  push_dist (&rig, 0, 2);
  push_dist (&rig, 0, 3);
  assert_equals_int (gst_harness_push (rig.dist, picture (&rig, 77, -1, 0)), GST_FLOW_OK);
  push_dist (&rig, 0, 4);
  expect (&rig, "0 1 3 4");
  assert_near (figure (&rig, "frozen"), 0);
  assert_near (figure (&rig, "duplicate"), 1);
  assert_near (figure (&rig, "unknown"), 2);   /* 2 and the one without a stamp */
  assert_near (figure (&rig, "unmatched"), 1);
  assert_equals_int (gst_harness_buffers_received (rig.dist), 7);
  rig_free (&rig);
}

TEST (sizes_must_agree)
{
  static const struct { const gchar *format; gint width, height; } other[] = {
    { "I420", 162, 120 }, { "I420", 160, 119 }, { "NV12", 160, 120 }, { "Y42B", 160, 120 },
    { "GRAY8", 160, 120 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (other); i++) {
    Rig rig = rig_new ("match=pts", FALSE, "I420", 160, 120);
    gchar *text;

    push_ref (&rig, 0, 0);
    rig_caps (&rig, rig.dist, other[i].format, other[i].width, other[i].height);
    assert_equals_int (gst_harness_push (rig.dist, picture (&rig, 0, 0, 0)),
        GST_FLOW_NOT_NEGOTIATED);
    text = error_text (&rig);
    fail_unless (strstr (text, "160x120 I420") && strstr (text, other[i].format)
        && strstr (text, "videoscale"), "%s", text);
    g_free (text);
    assert_equals_int (gst_harness_push (rig.ref, picture (&rig, 0, 0, FRAME)),
        GST_FLOW_NOT_NEGOTIATED);
    rig_free (&rig);
  }
}

/* The reference changes size first; what is on screen then cannot be compared. */
TEST (both_sides_may_change_caps)
{
  Rig rig = rig_new ("", FALSE, "I420", 160, 120);

  push_ref (&rig, 0, 0);
  push_ref (&rig, 0, 1);
  rig_caps (&rig, rig.ref, "Y444", 320, 240);
  push_ref (&rig, 0, 2);
  push_ref (&rig, 0, 3);
  rig_caps (&rig, rig.dist, "I420", 160, 120);
  push_dist (&rig, 10, 0);
  push_dist (&rig, 10, 1);
  rig_caps (&rig, rig.dist, "Y444", 320, 240);
  push_dist (&rig, 10, 3);      /* 2 is missing */
  expect (&rig, "0 1 3");
  assert_near (figure (&rig, "unmatched"), 1);
  assert_near (figure (&rig, "psnr"), 20 * log10 (25.5));
  rig_free (&rig);
}

TEST (other_formats_do_not_link)
{
  static const gchar *refused[] = { "RGB", "I420_10LE", "NV12_10LE32", "P010_10LE", "YUY2" };

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    Rig rig = rig_new ("match=pts", FALSE, "I420", 32, 32);
    GstCaps *caps;

    push_ref (&rig, 0, 0);
    gst_video_info_set_format (&rig.info, gst_video_format_from_string (refused[i]), 32, 32);
    caps = gst_video_info_to_caps (&rig.info);
    fail_if (gst_pad_peer_query_accept_caps (rig.dist->srcpad, caps));
    fail_if (gst_pad_peer_query_accept_caps (rig.ref->srcpad, caps));
    gst_harness_push_event (rig.ref, gst_event_new_caps (caps));
    assert_equals_int (gst_harness_push (rig.ref, picture (&rig, 0, -1, FRAME)),
        GST_FLOW_NOT_NEGOTIATED);
    gst_caps_unref (caps);
    rig_free (&rig);
  }
}

/* Rows with garbage between them on one side, on sizes down to a single pixel. */
static GstBuffer *
padded (const Rig *rig, guint8 value, GstClockTime pts)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 }, size = 0;
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  GstVideoInfo info = rig->info;
  GstVideoFrame frame;
  GstBuffer *buffer;

  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (&info); p++) {
    offset[p] = size + 3;
    stride[p] = GST_VIDEO_INFO_COMP_WIDTH (&info, p) * GST_VIDEO_INFO_COMP_PSTRIDE (&info, p)
        + 13;
    size = offset[p] + (gsize) stride[p] * GST_VIDEO_INFO_COMP_HEIGHT (&info, p);
  }
  buffer = gst_buffer_new_allocate (NULL, size, NULL);
  gst_buffer_memset (buffer, 0, 0xAB, size);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (&info), info.width, info.height,
      GST_VIDEO_INFO_N_PLANES (&info), offset, stride);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE));
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&info); c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++)
        ((guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, c))[y
            * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c)
            + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c)] = value;
  gst_video_frame_unmap (&frame);
  GST_BUFFER_PTS (buffer) = pts;
  return buffer;
}

TEST (odd_sizes_and_padded_rows)
{
  static const gint sizes[][2] = { {1, 1}, {2, 1}, {1, 3}, {3, 3}, {33, 5}, {131, 67} };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      Rig rig = rig_new ("match=pts ssim=true", FALSE, formats[f], sizes[i][0], sizes[i][1]);

      gst_harness_push (rig.ref, picture (&rig, 40, -1, 0));
      assert_equals_int (gst_harness_push (rig.dist, padded (&rig, 45, 0)), GST_FLOW_OK);
      assert_near (figure (&rig, "psnr"), 20 * log10 (51));
      rig_free (&rig);
    }
}

TEST (eight_k)
{
  Rig rig = rig_new ("", FALSE, "I420", 7680, 4320);

  push_ref (&rig, 0, 7);
  push_dist (&rig, 255, 7);
  assert_near (figure (&rig, "psnr"), 0);
  assert_near (figure (&rig, "frames"), 1);
  rig_free (&rig);
}

TEST (crops)
{
  Rig rig = rig_new ("match=pts crop-top=4 crop-left=2", FALSE, "GRAY8", 16, 16);
  GstBuffer *buffer = picture (&rig, 0, -1, 0);
  gchar *text;

  gst_buffer_memset (buffer, 0, 200, 4 * 16);   /* the rows cropped differ */
  push_ref (&rig, 0, 0);
  assert_equals_int (gst_harness_push (rig.dist, buffer), GST_FLOW_OK);
  assert_near (figure (&rig, "psnr"), 100);
  g_object_set (rig.psnr, "crop-right", 14, NULL);
  push_ref (&rig, 0, 1);
  assert_equals_int (gst_harness_push (rig.dist, picture (&rig, 0, -1, FRAME)),
      GST_FLOW_NOT_NEGOTIATED);
  text = error_text (&rig);
  fail_unless (strstr (text, "crop-") != NULL);
  g_free (text);
  rig_free (&rig);
}

/* Bytes missing at the end of a buffer: not read, not scored, passed on. */
TEST (short_buffers_are_passed_on)
{
  for (guint stamped = 0; stamped < 2; stamped++) {
    Rig rig = rig_new (stamped ? "" : "match=pts", FALSE, "I420", 160, 120);
    GstBuffer *buffer = picture (&rig, 0, 0, 0);

    push_ref (&rig, 0, 0);
    gst_buffer_set_size (buffer, 100);
    assert_equals_int (gst_harness_push (rig.dist, buffer), GST_FLOW_OK);
    push_ref (&rig, 0, 1);
    push_dist (&rig, 0, 1);
    assert_near (figure (&rig, "frames"), 1);
    assert_near (figure (&rig, "unmatched"), 1);
    assert_equals_int (gst_harness_buffers_received (rig.dist), 2);
    rig_free (&rig);
  }
}

TEST (matches_by_reference_timestamp)
{
  Rig rig = rig_new ("match=reference-timestamp", FALSE, "GRAY8", 16, 16);
  GstCaps *ntp = gst_caps_new_empty_simple ("timestamp/x-ntp");
  GstCaps *unix_time = gst_caps_new_empty_simple ("timestamp/x-unix");

  for (guint i = 0; i < 4; i++) {
    GstBuffer *ref = picture (&rig, 0, -1, i * FRAME);
    GstBuffer *dist = picture (&rig, 0, -1, 1000 * GST_SECOND + i);

    gst_buffer_add_reference_timestamp_meta (ref, ntp, 5000 * GST_SECOND + i * FRAME,
        GST_CLOCK_TIME_NONE);
    gst_buffer_add_reference_timestamp_meta (dist, unix_time, i, GST_CLOCK_TIME_NONE);
    if (i != 2)                 /* without ours the frame has no place */
      gst_buffer_add_reference_timestamp_meta (dist, ntp,
          5000 * GST_SECOND + i * FRAME + 20, GST_CLOCK_TIME_NONE);
    gst_harness_push (rig.ref, ref);
    gst_harness_push (rig.dist, dist);
  }
  expect (&rig, "0 1 2* 3");
  assert_near (figure (&rig, "unknown"), 1);
  gst_caps_unref (ntp);
  gst_caps_unref (unix_time);
  rig_free (&rig);
}

/* Timestamps missing or before the segment have no place, and do no harm. */
TEST (frames_without_time)
{
  Rig rig = rig_new ("match=pts", FALSE, "GRAY8", 16, 16);

  gst_harness_push (rig.ref, picture (&rig, 0, -1, GST_CLOCK_TIME_NONE));
  gst_harness_push (rig.dist, picture (&rig, 0, -1, GST_CLOCK_TIME_NONE));
  push_ref (&rig, 0, 0);
  push_dist (&rig, 0, 0);
  expect (&rig, "1");
  assert_near (figure (&rig, "unmatched"), 1);
  assert_near (figure (&rig, "unknown"), 1);
  rig_free (&rig);

  rig = rig_new ("", FALSE, "GRAY8", 160, 20 + 4);
  gst_harness_push (rig.ref, picture (&rig, 0, 3, GST_CLOCK_TIME_NONE));
  gst_harness_push (rig.dist, picture (&rig, 0, 3, GST_CLOCK_TIME_NONE));
  expect (&rig, "3");           /* a stamp needs no time */
  rig_free (&rig);
}

TEST (only_the_end_when_asked)
{
  Rig rig = rig_new ("frame-messages=false", FALSE, "I420", 160, 120);
  GstMessage *message;
  const GstStructure *s;

  for (gint i = 0; i < 5; i++) {
    push_ref (&rig, 0, i);
    if (i != 3)
      push_dist (&rig, 51, i);
  }
  gst_harness_push_event (rig.ref, gst_event_new_eos ());
  gst_harness_push_event (rig.dist, gst_event_new_eos ());
  message = gst_bus_pop_filtered (rig.bus, GST_MESSAGE_ELEMENT);
  s = field_owner (message, "pooled");
  assert_near (figure_in (s, "psnr"), 20 * log10 (5));
  assert_near (figure_in (s, "mean-psnr"), 20 * log10 (5));
  assert_near (figure_in (s, "frozen"), 1);
  fail_if (gst_structure_has_field (s, "mean-ssim"));
  gst_message_unref (message);
  expect (&rig, "");
  rig_free (&rig);
}

TEST (stats_last_until_the_next_start)
{
  Rig rig = rig_new ("", TRUE, "I420", 160, 120);

  for (gint i = 0; i < 3; i++)
    push_ref (&rig, 0, i);
  push_dist (&rig, 0, 0);
  push_dist (&rig, 0, 2);
  gst_element_set_state (rig.psnr, GST_STATE_READY);
  expect (&rig, "0 1* 2 end");
  assert_near (figure (&rig, "frozen"), 1);
  assert_near (figure (&rig, "frames"), 3);
  gst_element_set_state (rig.psnr, GST_STATE_PLAYING);
  assert_near (figure (&rig, "frozen"), 0);
  assert_near (figure (&rig, "frames"), 0);
  rig_free (&rig);
}

TEST (says_why_nothing_was_measured)
{
  Rig rig = rig_new ("", FALSE, "I420", 160, 120);
  GstMessage *message;
  GError *error = NULL;

  for (gint i = 0; i < 3; i++) {
    gst_harness_push (rig.ref, picture (&rig, 0, -1, i * FRAME));
    gst_harness_push (rig.dist, picture (&rig, 0, -1, i * FRAME));
  }
  gst_harness_push_event (rig.ref, gst_event_new_eos ());
  gst_harness_push_event (rig.dist, gst_event_new_eos ());
  message = gst_bus_pop_filtered (rig.bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, "framestamp") != NULL);
  g_error_free (error);
  gst_message_unref (message);
  rig_free (&rig);
}

TEST_MAIN (psnr);
