/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rig.h"
#include <gst/video/video.h>
#include "psnr/framestamp.h"

static GstHarness *
harness (const gchar *launch, const gchar *format, gint width, gint height)
{
  GstHarness *h = gst_harness_new_parse (launch);
  gchar *caps = g_strdup_printf ("video/x-raw,format=%s,width=%d,height=%d,"
      "framerate=30/1", format, width, height);

  gst_harness_set_src_caps_str (h, caps);
  g_free (caps);
  return h;
}

static GstBuffer *
picture (const gchar *format, gint width, gint height, guint8 value)
{
  GstVideoInfo info;
  GstBuffer *buffer;

  gst_video_info_set_format (&info, gst_video_format_from_string (format), width, height);
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (buffer, 0, value, info.size);
  return buffer;
}

static gboolean
read_number (GstBuffer *buffer, const gchar *format, gint width, gint height,
    guint rows, gboolean bottom, guint32 *number)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  FrameStampStrip strip;
  gboolean found;

  gst_video_info_set_format (&info, gst_video_format_from_string (format), width, height);
  fail_unless (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  fail_unless (framestamp_strip (width, height, rows, bottom, &strip));
  found = framestamp_read (GST_VIDEO_FRAME_COMP_DATA (&frame, 0),
      GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0), width, &strip, number);
  gst_video_frame_unmap (&frame);
  return found;
}

TEST (counts_in_every_format)
{
  static const gchar *formats[] = { "I420", "YV12", "NV12", "NV21", "Y42B", "Y444", "GRAY8" };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    GstHarness *h = harness ("framestamp next-number=16777214", formats[f], 321, 33);

    for (guint i = 0; i < 4; i++) {
      GstBuffer *out = gst_harness_push_and_pull (h, picture (formats[f], 321, 33, 90));
      guint32 number = 5;

      fail_unless (read_number (out, formats[f], 321, 33, 16, FALSE, &number));
      assert_equals_int (number, (16777214 + i) & 0xFFFFFF);
      gst_buffer_unref (out);
    }
    gst_harness_teardown (h);
  }
}

/* Luma and chroma inside the strip, and not one byte outside it. */
TEST (touches_the_strip_only)
{
  for (guint bottom = 0; bottom < 2; bottom++) {
    GstHarness *h = harness (bottom ? "framestamp bottom=true height=8" :
        "framestamp height=8", "NV12", 160, 40);
    GstBuffer *out = gst_harness_push_and_pull (h, picture ("NV12", 160, 40, 90));
    GstMapInfo map;
    guint32 number;

    fail_unless (read_number (out, "NV12", 160, 40, 8, bottom, &number));
    assert_equals_int (number, 0);
    gst_buffer_map (out, &map, GST_MAP_READ);
    for (guint i = 0; i < 160 * 60; i++) {
      gboolean luma = i < 160 * 40;
      guint row = luma ? i / 160 : (i / 160 - 40) * 2;
      gboolean inside = bottom ? row >= 32 : row < 8;

      if (inside && luma)
        fail_unless (map.data[i] == 16 || map.data[i] == 235);
      else
        fail_unless_equals_int (map.data[i], inside ? 128 : 90);
    }
    gst_buffer_unmap (out, &map);
    gst_buffer_unref (out);
    gst_harness_teardown (h);
  }
}

TEST (never_writes_into_a_shared_buffer)
{
  GstHarness *h = harness ("framestamp", "GRAY8", 80, 16);
  GstBuffer *in = picture ("GRAY8", 80, 16, 90), *out;
  guint8 data[80 * 16];

  out = gst_harness_push_and_pull (h, gst_buffer_ref (in));
  gst_buffer_extract (in, 0, data, sizeof data);
  for (guint i = 0; i < sizeof data; i++)
    assert_equals_int (data[i], 90);
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

TEST (refuses_pictures_that_are_too_small)
{
  GstHarness *h = harness ("framestamp", "I420", 79, 16);
  GstElement *stamp = gst_harness_find_element (h, "framestamp");
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error = NULL;

  gst_element_set_bus (stamp, bus);
  assert_equals_int (gst_harness_push (h, picture ("I420", 79, 16, 0)),
      GST_FLOW_NOT_NEGOTIATED);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, "79x16") && strstr (error->message, "80 pixels"));
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_bus (stamp, NULL);
  gst_object_unref (bus);
  gst_object_unref (stamp);
  gst_harness_teardown (h);
}

TEST (starts_anew_and_changes_size)
{
  GstHarness *h = harness ("framestamp", "I420", 320, 240);
  GstElement *stamp = gst_harness_find_element (h, "framestamp");
  GstBuffer *out;
  guint32 number;
  guint next;

  gst_buffer_unref (gst_harness_push_and_pull (h, picture ("I420", 320, 240, 0)));
  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=Y444,width=200,height=100,framerate=30/1");
  out = gst_harness_push_and_pull (h, picture ("Y444", 200, 100, 0));
  fail_unless (read_number (out, "Y444", 200, 100, 16, FALSE, &number));
  assert_equals_int (number, 1);
  gst_buffer_unref (out);
  g_object_get (stamp, "next-number", &next, NULL);
  assert_equals_int (next, 2);
  gst_element_set_state (stamp, GST_STATE_NULL);
  g_object_get (stamp, "next-number", &next, NULL);
  assert_equals_int (next, 0);
  gst_object_unref (stamp);
  gst_harness_teardown (h);
}

/* Every frame of a moving picture that starves the encoder is read, and right. */
static void
survives (const gchar *caps, gint width, gint height, const gchar *encoder)
{
  g_autofree gchar *launch = g_strdup_printf ("videotestsrc num-buffers=120 "
      "pattern=zone-plate kx2=20 "
      "ky2=20 kt=3 ! video/x-raw,format=I420,framerate=30/1,%s ! framestamp ! %s ! "
      "avdec_h264 ! video/x-raw,format=I420 ! appsink name=out sync=false", caps, encoder);
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, NULL);
  g_autoptr (GstElement) out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  GstSample *sample = NULL;
  guint frames = 0;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (;; frames++) {
    guint32 number = G_MAXUINT32;

    g_signal_emit_by_name (out, "pull-sample", &sample);
    if (!sample)
      break;
    fail_unless (read_number (gst_sample_get_buffer (sample), "I420", width, height, 16,
            FALSE, &number), "frame %u is unreadable", frames);
    assert_equals_int (number, frames);
    gst_sample_unref (sample);
  }
  assert_equals_int (frames, 120);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

TEST (survives_x264_at_100_kbit)
{
  if (!have ("x264enc") || !have ("avdec_h264"))
    return;
  survives ("width=640,height=480", 640, 480,
      "x264enc bitrate=100 tune=zerolatency speed-preset=superfast key-int-max=300");
  survives ("width=640,height=480", 640, 480, "x264enc bitrate=100");
  survives ("width=320,height=240", 320, 240,
      "x264enc bitrate=100 tune=zerolatency speed-preset=superfast key-int-max=300");
  survives ("width=320,height=240", 320, 240, "x264enc bitrate=100");
}

TEST_MAIN (framestamp);
