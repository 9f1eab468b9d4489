/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/scaler.h"

#define DOWN_INTERVAL GST_SECOND
#define UP_INTERVAL (3 * GST_SECOND)
#define UP_MARGIN 1.4

static const struct
{
  gint num, den;                /* of width and height */
  gint frame_divisor;
} steps[GST_RTP_CC_SCALE_STEPS] = {
  {1, 1, 1}, {3, 4, 1}, {1, 2, 1}, {1, 2, 2}, {1, 4, 2}
};

/* Bits per pixel at @step for one bit per pixel of the full picture. */
static gdouble
gain (guint step)
{
  gdouble side = (gdouble) steps[step].den / steps[step].num;

  return side * side * steps[step].frame_divisor;
}

guint
gst_rtp_cc_scale_step (guint step, gdouble bits, gdouble threshold)
{
  while (step + 1 < GST_RTP_CC_SCALE_STEPS && bits * gain (step) < threshold)
    step++;
  while (step > 0 && bits * gain (step - 1) >= UP_MARGIN * threshold)
    step--;
  return step;
}

static GstElement *
find_filter (GstElement * element, const gchar * name)
{
  GstObject *parent = gst_object_get_parent (GST_OBJECT (element));
  GstElement *found = NULL;
  GParamSpec *caps;

  if (parent && GST_IS_BIN (parent))
    found = gst_bin_get_by_name_recurse_up (GST_BIN (parent), name);
  gst_clear_object (&parent);
  if (!found)
    return NULL;
  caps = g_object_class_find_property (G_OBJECT_GET_CLASS (found), "caps");
  if (!caps || caps->value_type != GST_TYPE_CAPS
      || !(caps->flags & G_PARAM_WRITABLE))
    gst_clear_object (&found);
  return found;
}

/* What passes the filter now; FALSE while that is not video of a known rate. */
static gboolean
read_full_size (GstRtpCcScaler * s)
{
  GstPad *src = gst_element_get_static_pad (s->filter, "src");
  GstCaps *caps = src ? gst_pad_get_current_caps (src) : NULL;
  gboolean known = FALSE;

  if (caps) {
    GstStructure *video = gst_caps_get_structure (caps, 0);

    known = gst_structure_get_int (video, "width", &s->width)
        && gst_structure_get_int (video, "height", &s->height)
        && gst_structure_get_fraction (video, "framerate", &s->fps_n, &s->fps_d)
        && s->width > 0 && s->height > 0 && s->fps_n > 0;
    gst_caps_unref (caps);
  }
  gst_clear_object (&src);
  return known;
}

/* Even sizes, which 4:2:0 needs. */
static gint
scaled (gint size, guint step)
{
  return MAX (size * steps[step].num / steps[step].den & ~1, 2);
}

static void
apply_step (GstRtpCcScaler * s)
{
  GstCaps *caps;

  if (s->step == 0) {
    g_object_set (s->filter, "caps", s->original, NULL);
    return;
  }
  caps = gst_caps_is_any (s->original) ?
      gst_caps_new_empty_simple ("video/x-raw") : gst_caps_copy (s->original);
  gst_caps_set_simple (caps,
      "width", G_TYPE_INT, scaled (s->width, s->step),
      "height", G_TYPE_INT, scaled (s->height, s->step),
      "framerate", GST_TYPE_FRACTION, s->fps_n,
      s->fps_d * steps[s->step].frame_divisor, NULL);
  g_object_set (s->filter, "caps", caps, NULL);
  gst_caps_unref (caps);
}

void
gst_rtp_cc_scaler_restore (GstRtpCcScaler * s)
{
  if (!s->filter)
    return;
  if (s->step != 0) {
    s->step = 0;
    apply_step (s);
  }
  gst_clear_object (&s->filter);
  gst_clear_caps (&s->original);
}

static gboolean
take_filter (GstRtpCcScaler * s, GstElement * element, const gchar * name)
{
  if (s->filter && g_strcmp0 (GST_OBJECT_NAME (s->filter), name) == 0)
    return TRUE;
  gst_rtp_cc_scaler_restore (s);
  s->filter = name ? find_filter (element, name) : NULL;
  if (!s->filter)
    return FALSE;
  g_object_get (s->filter, "caps", &s->original, NULL);
  s->step = 0;
  s->changed_at = GST_CLOCK_TIME_NONE;
  return TRUE;
}

gboolean
gst_rtp_cc_scaler_update (GstRtpCcScaler * s, GstElement * element,
    const gchar * name, guint bps, gdouble threshold, GstClockTime now)
{
  guint step;
  gdouble pixels;

  if (!take_filter (s, element, name))
    return FALSE;
  if (s->step == 0 && !read_full_size (s))
    return TRUE;

  pixels = (gdouble) s->width * s->height * s->fps_n / s->fps_d;
  step = gst_rtp_cc_scale_step (s->step, bps / pixels, threshold);
  if (step == s->step || (GST_CLOCK_TIME_IS_VALID (s->changed_at)
          && now < s->changed_at + (step > s->step ? DOWN_INTERVAL :
              UP_INTERVAL)))
    return TRUE;
  s->step = step;
  s->changed_at = now;
  apply_step (s);
  return TRUE;
}
