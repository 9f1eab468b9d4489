/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The wiring: pads, waiting, ends, caps and messages.  What is computed is tested
 * in tests/psnr.  Nothing here depends on how long anything takes: where a thread
 * must have come to a wait, its progress is watched, and a wait that does not end
 * runs into the test's timeout.
 */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>
#include <math.h>
#include <string.h>
#include "psnr/framestamp.h"

#define FRAME (GST_SECOND / 30)

typedef struct {
  GstElement *psnr;
  GstHarness *ref, *dist;
  GstBus *bus;
  GstVideoInfo info;
} Rig;

static void
rig_caps (Rig *rig, GstHarness *h, const gchar *format, gint width, gint height)
{
  gst_video_info_set_format (&rig->info, gst_video_format_from_string (format), width,
      height);
  GST_VIDEO_INFO_FPS_N (&rig->info) = 30;
  gst_harness_set_src_caps (h, gst_video_info_to_caps (&rig->info));
}

/* @settings: properties as gst-launch takes them */
static Rig
rig_new (const gchar *settings, gboolean live, const gchar *format, gint width, gint height)
{
  gchar *launch = g_strdup_printf ("psnr %s", settings);
  Rig rig = { .psnr = gst_parse_launch (launch, NULL), .bus = gst_bus_new () };

  g_free (launch);
  gst_element_set_bus (rig.psnr, rig.bus);
  rig.dist = gst_harness_new_with_element (rig.psnr, "dist_sink", "src");
  rig.ref = gst_harness_new_with_element (rig.psnr, "ref_sink", NULL);
  gst_harness_set_live (rig.dist, live);
  gst_harness_set_live (rig.ref, live);
  gst_harness_set_drop_buffers (rig.dist, TRUE);
  rig_caps (&rig, rig.ref, format, width, height);
  rig_caps (&rig, rig.dist, format, width, height);
  return rig;
}

static void
rig_free (Rig *rig)
{
  gst_element_set_bus (rig->psnr, NULL);
  gst_harness_teardown (rig->ref);
  gst_harness_teardown (rig->dist);
  gst_object_unref (rig->bus);
  gst_object_unref (rig->psnr);
}

/* All bytes @value; stamped with @number where it is >= 0 and there is room. */
static GstBuffer *
picture (const Rig *rig, guint8 value, gint64 number, GstClockTime pts)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, rig->info.size, NULL);
  FrameStampStrip strip;
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  memset (map.data, value, map.size);
  if (number >= 0 && framestamp_strip (rig->info.width, rig->info.height, 16, FALSE, &strip))
    framestamp_draw (map.data + rig->info.offset[0], rig->info.stride[0], rig->info.width,
        &strip, (guint32) number);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = pts;
  GST_BUFFER_DURATION (buffer) = FRAME;
  return buffer;
}

static void
push_ref (Rig *rig, guint8 value, gint64 number)
{
  assert_equals_int (gst_harness_push (rig->ref, picture (rig, value, number,
              number * FRAME)), GST_FLOW_OK);
}

static void
push_dist (Rig *rig, guint8 value, gint64 number)
{
  assert_equals_int (gst_harness_push (rig->dist, picture (rig, value, number,
              number * FRAME)), GST_FLOW_OK);
}

static const GstStructure *
field_owner (GstMessage *message, const gchar *type)
{
  const GstStructure *s = gst_message_get_structure (message);

  fail_unless (gst_structure_has_name (s, "GstPsnr"));
  assert_equals_string (gst_structure_get_string (s, "type"), type);
  return s;
}

static gdouble
number_in (const GstStructure *s, const gchar *field)
{
  const GValue *value = gst_structure_get_value (s, field);

  fail_unless (value != NULL, "no %s in %" GST_PTR_FORMAT, field, s);
  return G_VALUE_HOLDS_DOUBLE (value) ? g_value_get_double (value) :
      (gdouble) g_value_get_uint64 (value);
}

#define assert_near(a, b) G_STMT_START { \
  gdouble is_ = (a), should_ = (b); \
  fail_unless (fabs (is_ - should_) < 1e-6, #a " is %f, not %f", is_, should_); \
} G_STMT_END

static gdouble
stat_of (const Rig *rig, const gchar *field)
{
  GstStructure *s = NULL;
  gdouble value;

  g_object_get (rig->psnr, "stats", &s, NULL);
  value = number_in (s, field);
  gst_structure_free (s);
  return value;
}

/* "5" shown, "6*" frozen, in the order of the messages; "end" the pooled one */
static gchar *
messages (Rig *rig)
{
  GString *all = g_string_new (NULL);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (rig->bus, GST_MESSAGE_ELEMENT))) {
    const GstStructure *s = gst_message_get_structure (message);
    gboolean frozen = FALSE;

    if (all->len)
      g_string_append_c (all, ' ');
    if (g_str_equal (gst_structure_get_string (s, "type"), "pooled")) {
      g_string_append (all, "end");
    } else {
      gst_structure_get_boolean (s, "frozen", &frozen);
      g_string_append_printf (all, "%.0f%s", number_in (s, "frame"), frozen ? "*" : "");
    }
    gst_message_unref (message);
  }
  return g_string_free (all, FALSE);
}

#define expect(rig, text) G_STMT_START { \
  gchar *got = messages (rig); \
  assert_equals_string (got, text); \
  g_free (got); \
} G_STMT_END

static gchar *
error_text (Rig *rig)
{
  GstMessage *message = gst_bus_pop_filtered (rig->bus, GST_MESSAGE_ERROR);
  GError *error = NULL;
  gchar *text;

  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  text = g_strdup (error->message);
  g_error_free (error);
  gst_message_unref (message);
  return text;
}

static const gchar *formats[] = { "I420", "YV12", "NV12", "NV21", "Y42B", "Y444", "GRAY8" };

GST_START_TEST (known_values_in_every_format)
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
      assert_near (number_in (s, "psnr"), want);
      assert_near (number_in (s, "psnr-611"), want);
      assert_near (number_in (s, "psnr-y"), want);
      assert_near (number_in (s, "frame"), i);
      assert_near (number_in (s, "running-time"), i * FRAME);
      fail_unless (number_in (s, "ssim") < 1);
      if (f < 6) {
        assert_near (number_in (s, "psnr-u"), want);
        assert_near (number_in (s, "psnr-v"), want);
      } else {
        fail_if (gst_structure_has_field (s, "psnr-u"));
      }
      gst_message_unref (message);
    }
    rig_free (&rig);
  }
}

GST_END_TEST;

GST_START_TEST (identical_is_100_db)
{
  Rig rig = rig_new ("", FALSE, "I420", 160, 120);
  GstMessage *message;

  for (gint i = 0; i < 3; i++) {
    push_ref (&rig, 50, i);
    push_dist (&rig, 50, i);
  }
  message = gst_bus_pop_filtered (rig.bus, GST_MESSAGE_ELEMENT);
  assert_near (number_in (field_owner (message, "frame"), "psnr"), 100);
  gst_message_unref (message);
  assert_near (stat_of (&rig, "psnr"), 100);
  assert_near (stat_of (&rig, "identical"), 3);
  rig_free (&rig);
}

GST_END_TEST;

/* The strip differs (the numbers do), and is not measured. */
GST_START_TEST (missing_frames_are_frozen)
{
  Rig rig = rig_new ("", FALSE, "I420", 160, 120);

  for (gint i = 0; i < 10; i++)
    push_ref (&rig, (guint8) (10 * i), i);
  push_dist (&rig, 0, 0);
  push_dist (&rig, 10, 1);
  push_dist (&rig, 50, 5);
  push_dist (&rig, 60, 6);
  expect (&rig, "0 1 2* 3* 4* 5 6");
  assert_near (stat_of (&rig, "frozen"), 3);
  assert_near (stat_of (&rig, "freezes"), 1);
  assert_near (stat_of (&rig, "longest-freeze"), 3 * FRAME);
  assert_near (stat_of (&rig, "frames"), 7);
  assert_near (stat_of (&rig, "identical"), 4);
  /* MSE 0 0 100 400 900 0 0 */
  assert_near (stat_of (&rig, "psnr"), 10 * log10 (65025 / 200.0));
  assert_near (stat_of (&rig, "mean-psnr"), (400 + 3 * 20 * log10 (255)
          - 20 * log10 (10 * 20 * 30)) / 7);
  rig_free (&rig);
}

GST_END_TEST;

GST_START_TEST (drops_and_doubles_on_either_side)
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
  assert_near (stat_of (&rig, "frozen"), 0);
  assert_near (stat_of (&rig, "duplicate"), 1);
  assert_near (stat_of (&rig, "unknown"), 2);   /* 2 and the one without a stamp */
  assert_near (stat_of (&rig, "unmatched"), 1);
  assert_equals_int (gst_harness_buffers_received (rig.dist), 7);
  rig_free (&rig);
}

GST_END_TEST;

GST_START_TEST (sizes_must_agree)
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

GST_END_TEST;

/* The reference changes size first; what is on screen then cannot be compared. */
GST_START_TEST (both_sides_may_change_caps)
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
  assert_near (stat_of (&rig, "unmatched"), 1);
  assert_near (stat_of (&rig, "psnr"), 20 * log10 (25.5));
  rig_free (&rig);
}

GST_END_TEST;

GST_START_TEST (other_formats_do_not_link)
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

GST_END_TEST;

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

GST_START_TEST (odd_sizes_and_padded_rows)
{
  static const gint sizes[][2] = { {1, 1}, {2, 1}, {1, 3}, {3, 3}, {33, 5}, {131, 67} };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      Rig rig = rig_new ("match=pts ssim=true", FALSE, formats[f], sizes[i][0], sizes[i][1]);

      gst_harness_push (rig.ref, picture (&rig, 40, -1, 0));
      assert_equals_int (gst_harness_push (rig.dist, padded (&rig, 45, 0)), GST_FLOW_OK);
      assert_near (stat_of (&rig, "psnr"), 20 * log10 (51));
      rig_free (&rig);
    }
}

GST_END_TEST;

GST_START_TEST (eight_k)
{
  Rig rig = rig_new ("", FALSE, "I420", 7680, 4320);

  push_ref (&rig, 0, 7);
  push_dist (&rig, 255, 7);
  assert_near (stat_of (&rig, "psnr"), 0);
  assert_near (stat_of (&rig, "frames"), 1);
  rig_free (&rig);
}

GST_END_TEST;

GST_START_TEST (crops)
{
  Rig rig = rig_new ("match=pts crop-top=4 crop-left=2", FALSE, "GRAY8", 16, 16);
  GstBuffer *buffer = picture (&rig, 0, -1, 0);
  gchar *text;

  gst_buffer_memset (buffer, 0, 200, 4 * 16);   /* the rows cropped differ */
  push_ref (&rig, 0, 0);
  assert_equals_int (gst_harness_push (rig.dist, buffer), GST_FLOW_OK);
  assert_near (stat_of (&rig, "psnr"), 100);
  g_object_set (rig.psnr, "crop-right", 14, NULL);
  push_ref (&rig, 0, 1);
  assert_equals_int (gst_harness_push (rig.dist, picture (&rig, 0, -1, FRAME)),
      GST_FLOW_NOT_NEGOTIATED);
  text = error_text (&rig);
  fail_unless (strstr (text, "crop-") != NULL);
  g_free (text);
  rig_free (&rig);
}

GST_END_TEST;

/* Bytes missing at the end of a buffer: not read, not scored, passed on. */
GST_START_TEST (short_buffers_are_passed_on)
{
  for (guint stamped = 0; stamped < 2; stamped++) {
    Rig rig = rig_new (stamped ? "" : "match=pts", FALSE, "I420", 160, 120);
    GstBuffer *buffer = picture (&rig, 0, 0, 0);

    push_ref (&rig, 0, 0);
    gst_buffer_set_size (buffer, 100);
    assert_equals_int (gst_harness_push (rig.dist, buffer), GST_FLOW_OK);
    push_ref (&rig, 0, 1);
    push_dist (&rig, 0, 1);
    assert_near (stat_of (&rig, "frames"), 1);
    assert_near (stat_of (&rig, "unmatched"), 1);
    assert_equals_int (gst_harness_buffers_received (rig.dist), 2);
    rig_free (&rig);
  }
}

GST_END_TEST;

GST_START_TEST (matches_by_reference_timestamp)
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
  assert_near (stat_of (&rig, "unknown"), 1);
  gst_caps_unref (ntp);
  gst_caps_unref (unix_time);
  rig_free (&rig);
}

GST_END_TEST;

/* Timestamps missing or before the segment have no place, and do no harm. */
GST_START_TEST (frames_without_time)
{
  Rig rig = rig_new ("match=pts", FALSE, "GRAY8", 16, 16);

  gst_harness_push (rig.ref, picture (&rig, 0, -1, GST_CLOCK_TIME_NONE));
  gst_harness_push (rig.dist, picture (&rig, 0, -1, GST_CLOCK_TIME_NONE));
  push_ref (&rig, 0, 0);
  push_dist (&rig, 0, 0);
  expect (&rig, "1");
  assert_near (stat_of (&rig, "unmatched"), 1);
  assert_near (stat_of (&rig, "unknown"), 1);
  rig_free (&rig);

  rig = rig_new ("", FALSE, "GRAY8", 160, 20 + 4);
  gst_harness_push (rig.ref, picture (&rig, 0, 3, GST_CLOCK_TIME_NONE));
  gst_harness_push (rig.dist, picture (&rig, 0, 3, GST_CLOCK_TIME_NONE));
  expect (&rig, "3");           /* a stamp needs no time */
  rig_free (&rig);
}

GST_END_TEST;

static guint
eos_count (GstHarness *h)
{
  guint n = 0;
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (h))) {
    n += GST_EVENT_TYPE (event) == GST_EVENT_EOS;
    gst_event_unref (event);
  }
  return n;
}

GST_START_TEST (offline_ends_with_the_last_side)
{
  for (guint ref_first = 0; ref_first < 2; ref_first++) {
    Rig rig = rig_new ("", FALSE, "I420", 160, 120);

    for (gint i = 0; i < 5; i++)
      push_ref (&rig, 0, i);
    push_dist (&rig, 0, 0);
    if (ref_first) {
      gst_harness_push_event (rig.ref, gst_event_new_eos ());
      push_dist (&rig, 0, 1);
      push_dist (&rig, 0, 9);   /* the reference knows no 9 */
      gst_harness_push_event (rig.dist, gst_event_new_eos ());
    } else {
      push_dist (&rig, 0, 1);
      push_dist (&rig, 0, 9);
      gst_harness_push_event (rig.dist, gst_event_new_eos ());
      assert_equals_int (eos_count (rig.dist), 0);
      gst_harness_push_event (rig.ref, gst_event_new_eos ());
    }
    assert_equals_int (eos_count (rig.dist), 1);
    expect (&rig, "0 1 2* 3* 4* end");
    assert_near (stat_of (&rig, "unknown"), 1);
    rig_free (&rig);
  }
}

GST_END_TEST;

GST_START_TEST (live_ends_with_what_the_viewer_sees)
{
  Rig rig = rig_new ("", TRUE, "I420", 160, 120);

  for (gint i = 0; i < 4; i++)
    push_ref (&rig, 0, i);
  push_dist (&rig, 0, 0);
  push_dist (&rig, 0, 1);
  gst_harness_push_event (rig.dist, gst_event_new_eos ());
  assert_equals_int (eos_count (rig.dist), 1);
  expect (&rig, "0 1 2* 3* end");
  for (gint i = 4; i < 400; i++)
    push_ref (&rig, 0, i);      /* the source does not stop */
  expect (&rig, "");
  assert_near (stat_of (&rig, "frames"), 4);
  rig_free (&rig);
}

GST_END_TEST;

static gint alive;

static void
buffer_gone (gpointer data, GstMiniObject *object)
{
  g_atomic_int_add (&alive, -1);
}

static GstBuffer *
counted (GstBuffer *buffer)
{
  g_atomic_int_inc (&alive);
  gst_mini_object_weak_ref (GST_MINI_OBJECT (buffer), buffer_gone, NULL);
  return buffer;
}

/* Seconds of reference with nothing on the other side, in one thread: a push that
 * waited would never return. */
GST_START_TEST (live_reference_never_waits)
{
  Rig rig = rig_new ("max-delay=1000000000 max-size-buffers=64", TRUE, "I420", 160, 120);
  gint peak = 0;

  alive = 0;
  for (gint i = 0; i < 600; i++) {
    GstBuffer *buffer = counted (picture (&rig, 0, i, i * FRAME));

    assert_equals_int (gst_harness_push (rig.ref, buffer), GST_FLOW_OK);
    peak = MAX (peak, alive);
    if (i < 100)
      push_dist (&rig, 0, i);
  }
  fail_unless (peak <= 33, "%d buffers held", peak);    /* one second and two more */
  push_dist (&rig, 0, 300);     /* given up long ago, but seen now */
  push_dist (&rig, 0, 599);
  assert_near (stat_of (&rig, "late"), 1);
  assert_near (stat_of (&rig, "frames"), 600);
  assert_near (stat_of (&rig, "freezes"), 2);
  fail_unless (stat_of (&rig, "longest-freeze") > 15 * GST_SECOND);
  fail_unless (stat_of (&rig, "longest-freeze") < 17 * GST_SECOND);
  rig_free (&rig);
  assert_equals_int (alive, 0);
}

GST_END_TEST;

typedef struct {
  Rig *rig;
  GstHarness *h;
  gint from, to;
  gint pushed;                  /* atomic */
  GstFlowReturn flow;
} Pusher;

static gpointer
push_all (gpointer data)
{
  Pusher *p = data;

  for (gint i = p->from; i < p->to && p->flow == GST_FLOW_OK; i++) {
    p->flow = gst_harness_push (p->h, picture (p->rig, 0, i, i * FRAME));
    g_atomic_int_inc (&p->pushed);
  }
  return NULL;
}

static void
wait_for (Pusher *p, gint pushed)
{
  while (g_atomic_int_get (&p->pushed) < pushed)
    g_usleep (1000);
}

GST_START_TEST (offline_both_are_consumed_in_step)
{
  for (guint slow = 0; slow < 2; slow++) {
    Rig rig = rig_new ("max-size-buffers=8", FALSE, "I420", 160, 120);
    Pusher p = { &rig, slow ? rig.ref : rig.dist, 0, 300, 0, GST_FLOW_OK };
    GThread *thread = g_thread_new ("push", push_all, &p);

    wait_for (&p, 8);           /* as far ahead as it can get */
    for (gint i = 0; i < 300; i++) {
      if (slow)
        push_dist (&rig, 0, i);
      else
        push_ref (&rig, 0, i);
      fail_unless (g_atomic_int_get (&p.pushed) <= i + 1 + 8 + 1);
    }
    g_thread_join (thread);
    assert_equals_int (p.flow, GST_FLOW_OK);
    assert_near (stat_of (&rig, "frames"), 300);
    assert_near (stat_of (&rig, "identical"), 300);
    assert_near (stat_of (&rig, "frozen"), 0);
    rig_free (&rig);
  }
}

GST_END_TEST;

/* Every way out of a wait, for either side. */
GST_START_TEST (waiting_ends)
{
  enum { FLUSH, OTHER_EOS, STATE, UNLINK, N_WAYS };

  for (guint side = 0; side < 2; side++)
    for (guint way = 0; way < N_WAYS; way++) {
      Rig rig = rig_new ("max-size-buffers=4", FALSE, "I420", 160, 120);
      GstHarness *mine = side ? rig.ref : rig.dist, *other = side ? rig.dist : rig.ref;
      Pusher p = { &rig, mine, 0, 5, 0, GST_FLOW_OK };
      GThread *thread = g_thread_new ("push", push_all, &p);

      wait_for (&p, 4);
      if (way == FLUSH) {
        gst_harness_push_event (mine, gst_event_new_flush_start ());
      } else if (way == OTHER_EOS) {
        gst_harness_push_event (other, gst_event_new_stream_start ("x"));
        gst_harness_push_event (other, gst_event_new_eos ());
      } else if (way == STATE) {
        gst_element_set_state (rig.psnr, GST_STATE_READY);
      } else {
        GstPad *pad = gst_pad_get_peer (other->srcpad);

        gst_pad_unlink (other->srcpad, pad);
        gst_object_unref (pad);
      }
      g_thread_join (thread);
      assert_equals_int (p.flow, way == FLUSH || way == STATE ? GST_FLOW_FLUSHING :
          GST_FLOW_OK);
      rig_free (&rig);
    }
}

GST_END_TEST;

GST_START_TEST (flush_starts_anew)
{
  Rig rig = rig_new ("match=pts", FALSE, "GRAY8", 16, 16);

  for (gint i = 50; i < 54; i++)
    push_ref (&rig, 0, i);
  push_dist (&rig, 0, 50);
  gst_harness_push_event (rig.dist, gst_event_new_eos ());
  for (guint side = 0; side < 2; side++) {
    GstHarness *h = side ? rig.ref : rig.dist;
    GstSegment segment;

    fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
    gst_segment_init (&segment, GST_FORMAT_TIME);
    fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  }
  g_free (messages (&rig));
  for (gint i = 0; i < 3; i++) {
    push_ref (&rig, 0, i);
    push_dist (&rig, 0, i);
  }
  expect (&rig, "4 5 6");
  rig_free (&rig);
}

GST_END_TEST;

GST_START_TEST (only_the_end_when_asked)
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
  assert_near (number_in (s, "psnr"), 20 * log10 (5));
  assert_near (number_in (s, "mean-psnr"), 20 * log10 (5));
  assert_near (number_in (s, "frozen"), 1);
  fail_if (gst_structure_has_field (s, "mean-ssim"));
  gst_message_unref (message);
  expect (&rig, "");
  rig_free (&rig);
}

GST_END_TEST;

GST_START_TEST (stats_last_until_the_next_start)
{
  Rig rig = rig_new ("", TRUE, "I420", 160, 120);

  for (gint i = 0; i < 3; i++)
    push_ref (&rig, 0, i);
  push_dist (&rig, 0, 0);
  push_dist (&rig, 0, 2);
  gst_element_set_state (rig.psnr, GST_STATE_READY);
  expect (&rig, "0 1* 2 end");
  assert_near (stat_of (&rig, "frozen"), 1);
  assert_near (stat_of (&rig, "frames"), 3);
  gst_element_set_state (rig.psnr, GST_STATE_PLAYING);
  assert_near (stat_of (&rig, "frozen"), 0);
  assert_near (stat_of (&rig, "frames"), 0);
  rig_free (&rig);
}

GST_END_TEST;

GST_START_TEST (says_why_nothing_was_measured)
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

GST_END_TEST;

/* -- whole pipelines -- */

static gboolean
have (const gchar *name)
{
  GstElementFactory *factory = gst_element_factory_find (name);

  if (!factory) {
    g_printerr ("skipped: no %s\n", name);
    return FALSE;
  }
  gst_object_unref (factory);
  return TRUE;
}

static GstElement *
start_pipeline (const gchar *launch)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);

  fail_unless (error == NULL, "%s", error ? error->message : "");
  return pipeline;
}

/* Runs to EOS; the stats at its end. */
static GstStructure *
run (GstElement *pipeline)
{
  GstElement *psnr = gst_bin_get_by_name (GST_BIN (pipeline), "psnr");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstStructure *stats = NULL;
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_EOS);
  gst_message_unref (message);
  g_object_get (psnr, "stats", &stats, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (psnr);
  gst_object_unref (pipeline);
  return stats;
}

#define SOURCE "videotestsrc num-buffers=90 pattern=zone-plate kx2=10 ky2=10 kt=8 ! " \
  "video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! framestamp ! tee name=t "

GST_START_TEST (through_a_real_encoder)
{
  /* with queues, and in one single thread with x264's full look-ahead */
  static const gchar *chains[] = {
    SOURCE "t. ! queue ! psnr.ref_sink t. ! queue ! x264enc bitrate=500 ! avdec_h264 ! "
        "psnr.dist_sink psnr name=psnr ssim=true ! fakesink",
    SOURCE "t. ! psnr.ref_sink t. ! x264enc bitrate=500 ! avdec_h264 ! psnr.dist_sink "
        "psnr name=psnr ssim=true ! fakesink async=false",
    SOURCE "t. ! x264enc bitrate=500 ! avdec_h264 ! psnr.dist_sink t. ! psnr.ref_sink "
        "psnr name=psnr ssim=true match=pts crop-top=20 ! fakesink async=false",
  };

  if (!have ("x264enc") || !have ("avdec_h264"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    GstStructure *stats = run (start_pipeline (chains[i]));

    assert_near (number_in (stats, "frames"), 90);
    assert_near (number_in (stats, "frozen"), 0);
    assert_near (number_in (stats, "unmatched"), 0);
    assert_near (number_in (stats, "unknown"), 0);
    fail_unless (number_in (stats, "mean-psnr") > 42);
    fail_unless (number_in (stats, "mean-psnr") < 60);
    fail_unless (number_in (stats, "mean-ssim") > 0.98);
    gst_structure_free (stats);
  }
}

GST_END_TEST;

/* That pairs are the right ones: with a number one too high on the same frames,
 * nothing is missing and the PSNR falls. */
GST_START_TEST (a_wrong_pair_shows)
{
  GstStructure *stats = run (start_pipeline (SOURCE "t. ! queue ! psnr.ref_sink t. ! queue ! "
          "framestamp next-number=1 ! psnr.dist_sink psnr name=psnr ! fakesink"));

  assert_near (number_in (stats, "frames"), 89);
  assert_near (number_in (stats, "unmatched"), 1);      /* the first: nothing to see */
  assert_near (number_in (stats, "unknown"), 1);
  assert_near (number_in (stats, "frozen"), 0);
  fail_unless (number_in (stats, "mean-psnr") < 35);
  gst_structure_free (stats);
}

GST_END_TEST;

/* Both branches of one tee, of which one cannot be paired at all, and more frames
 * than all queues hold: it must come to its end nevertheless. */
GST_START_TEST (an_unreadable_side_stops_nothing)
{
  static const gchar *chains[] = {
    "t. ! queue ! framestamp ! psnr.ref_sink t. ! queue ! psnr.dist_sink psnr name=psnr "
        "! fakesink",
    "t. ! queue ! psnr.ref_sink t. ! queue ! framestamp ! psnr.dist_sink psnr name=psnr "
        "! fakesink",
    "t. ! queue ! framestamp ! psnr.ref_sink t. ! queue ! framestamp next-number=1000000 ! "
        "psnr.dist_sink psnr name=psnr ! fakesink",
    "t. ! queue ! framestamp next-number=1000000 ! psnr.ref_sink t. ! queue ! framestamp ! "
        "psnr.dist_sink psnr name=psnr ! fakesink",
  };

  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    gchar *launch = g_strconcat ("videotestsrc num-buffers=1000 ! video/x-raw,format=GRAY8,"
        "width=80,height=32 ! tee name=t ", chains[i], NULL);
    GstStructure *stats = run (start_pipeline (launch));

    fail_unless (number_in (stats, "unmatched") + number_in (stats, "frames") >= 1000);
    fail_unless (number_in (stats, "unknown") + number_in (stats, "frames") >= 1000);
    gst_structure_free (stats);
    g_free (launch);
  }
}

GST_END_TEST;

static GstPadProbeReturn
lose (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  gint n = (*(gint *) user_data)++;

  return n % 10 == 3 || n % 10 == 4 || n % 30 == 7 ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

/* Encoded frames are lost on the way (all are intra, so each loss is one frame). */
GST_START_TEST (through_a_lossy_chain)
{
  GstElement *pipeline, *lossy;
  GstStructure *stats;
  GstPad *pad;
  gint count = 0;

  if (!have ("x264enc") || !have ("avdec_h264"))
    return;
  pipeline = start_pipeline (SOURCE "t. ! queue ! psnr.ref_sink t. ! queue ! "
      "x264enc bitrate=2000 key-int-max=1 tune=zerolatency ! identity name=lossy ! "
      "avdec_h264 ! psnr.dist_sink psnr name=psnr ! fakesink");
  lossy = gst_bin_get_by_name (GST_BIN (pipeline), "lossy");
  pad = gst_element_get_static_pad (lossy, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, lose, &count, NULL);
  gst_object_unref (pad);
  gst_object_unref (lossy);
  stats = run (pipeline);
  assert_equals_int (count, 90);
  assert_near (number_in (stats, "frames"), 90);
  assert_near (number_in (stats, "frozen"), 2 * 9 + 3);
  assert_near (number_in (stats, "freezes"), 9 + 3);
  fail_unless (number_in (stats, "longest-freeze") >= 2 * FRAME - 2);
  fail_unless (number_in (stats, "longest-freeze") <= 2 * FRAME + 2);
  assert_near (number_in (stats, "unmatched"), 0);
  gst_structure_free (stats);
}

GST_END_TEST;

GST_START_TEST (a_live_source_does_not_wait)
{
  GstStructure *stats = run (start_pipeline ("videotestsrc is-live=true num-buffers=20 ! "
          "video/x-raw,format=I420,width=160,height=120,framerate=100/1 ! framestamp ! "
          "tee name=t t. ! psnr.ref_sink t. ! queue ! identity drop-buffer-flags=0 ! "
          "psnr.dist_sink psnr name=psnr max-size-buffers=1 ! fakesink"));

  /* with room for a single frame, and whoever is first: all are accounted for */
  assert_near (number_in (stats, "frames") + number_in (stats, "unmatched"), 20);
  gst_structure_free (stats);
}

GST_END_TEST;

GST_START_TEST (comes_and_goes)
{
  for (guint i = 0; i < 200; i++) {
    GstElement *pipeline = start_pipeline ("videotestsrc ! video/x-raw,format=I420,width=160,"
        "height=120 ! framestamp ! tee name=t t. ! queue ! psnr.ref_sink t. ! queue ! "
        "psnr.dist_sink psnr name=psnr max-size-buffers=2 ! fakesink");

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    if (i % 2)
      gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
    assert_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    gst_object_unref (pipeline);
  }
}

GST_END_TEST;

static Suite *
psnr_suite (void)
{
  Suite *s = suite_create ("psnr");
  TCase *tc = tcase_create ("psnr");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, known_values_in_every_format);
  tcase_add_test (tc, identical_is_100_db);
  tcase_add_test (tc, missing_frames_are_frozen);
  tcase_add_test (tc, drops_and_doubles_on_either_side);
  tcase_add_test (tc, sizes_must_agree);
  tcase_add_test (tc, both_sides_may_change_caps);
  tcase_add_test (tc, other_formats_do_not_link);
  tcase_add_test (tc, odd_sizes_and_padded_rows);
  tcase_add_test (tc, eight_k);
  tcase_add_test (tc, crops);
  tcase_add_test (tc, short_buffers_are_passed_on);
  tcase_add_test (tc, matches_by_reference_timestamp);
  tcase_add_test (tc, frames_without_time);
  tcase_add_test (tc, offline_ends_with_the_last_side);
  tcase_add_test (tc, live_ends_with_what_the_viewer_sees);
  tcase_add_test (tc, live_reference_never_waits);
  tcase_add_test (tc, offline_both_are_consumed_in_step);
  tcase_add_test (tc, waiting_ends);
  tcase_add_test (tc, flush_starts_anew);
  tcase_add_test (tc, only_the_end_when_asked);
  tcase_add_test (tc, stats_last_until_the_next_start);
  tcase_add_test (tc, says_why_nothing_was_measured);
  tcase_add_test (tc, through_a_real_encoder);
  tcase_add_test (tc, a_wrong_pair_shows);
  tcase_add_test (tc, an_unreadable_side_stops_nothing);
  tcase_add_test (tc, through_a_lossy_chain);
  tcase_add_test (tc, a_live_source_does_not_wait);
  tcase_add_test (tc, comes_and_goes);
  return s;
}

GST_CHECK_MAIN (psnr);
