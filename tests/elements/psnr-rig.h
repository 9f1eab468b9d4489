/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * psnr-rig.h - a psnr element between two harnesses, for test-psnr*.c
 */
#ifndef TESTS_PSNR_RIG_H
#define TESTS_PSNR_RIG_H

#include <gst/video/video.h>
#include <math.h>

#include "rig.h"
#include "psnr/framestamp.h"

#define FRAME (GST_SECOND / 30)

typedef struct {
  GstElement *psnr;
  GstHarness *ref, *dist;
  GstBus *bus;
  GstVideoInfo info;
} Rig;

static inline void
rig_caps (Rig *rig, GstHarness *h, const gchar *format, gint width, gint height)
{
  gst_video_info_set_format (&rig->info, gst_video_format_from_string (format), width,
      height);
  GST_VIDEO_INFO_FPS_N (&rig->info) = 30;
  gst_harness_set_src_caps (h, gst_video_info_to_caps (&rig->info));
}

/* @settings: properties as gst-launch takes them */
static inline Rig
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

static inline void
rig_free (Rig *rig)
{
  gst_element_set_bus (rig->psnr, NULL);
  gst_harness_teardown (rig->ref);
  gst_harness_teardown (rig->dist);
  gst_object_unref (rig->bus);
  gst_object_unref (rig->psnr);
}

/* All bytes @value; stamped with @number where it is >= 0 and there is room. */
static inline GstBuffer *
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

static inline void
push_to (Rig *rig, GstHarness *h, guint8 value, gint64 number)
{
  assert_equals_int (gst_harness_push (h, picture (rig, value, number, number * FRAME)),
      GST_FLOW_OK);
}

#define push_ref(rig, value, number) push_to (rig, (rig)->ref, value, number)
#define push_dist(rig, value, number) push_to (rig, (rig)->dist, value, number)

static inline const GstStructure *
field_owner (GstMessage *message, const gchar *type)
{
  const GstStructure *s = gst_message_get_structure (message);

  fail_unless (gst_structure_has_name (s, "GstPsnr"));
  assert_equals_string (gst_structure_get_string (s, "type"), type);
  return s;
}

static inline gdouble
figure_in (const GstStructure *s, const gchar *field)
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

static inline gdouble
figure (const Rig *rig, const gchar *field)
{
  GstStructure *s = stats_of (rig->psnr);
  const gdouble value = figure_in (s, field);

  gst_structure_free (s);
  return value;
}

/* "5" shown, "6*" frozen, in the order of the messages; "end" the pooled one */
static inline gchar *
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
      g_string_append_printf (all, "%.0f%s", figure_in (s, "frame"), frozen ? "*" : "");
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

static inline gchar *
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

#endif
