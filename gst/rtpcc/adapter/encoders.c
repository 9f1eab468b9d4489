/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/encoders.h"

#include <gst/rtp/gstrtpbasepayload.h>
#include <string.h>

#include "rtpcc/common/walk.h"

/* Units and types as the elements' own documentation gives them (GStreamer 1.22).
 * docs/reference/rtpbitrateadapter.md shows the table: tools/reference reads it here. */
static const GstRtpCcEncoder encoders[] = {
  {"x264enc", "bitrate", 1000, "vbv-buf-capacity", "needs a VBV from the start (`vbv-buffer`); a "
        "lower rate shows after as long as that is"},
  {"x265enc", "bitrate", 1000, NULL, "follows in 0.3 to 0.4 s"},
  {"openh264enc", "bitrate", 1, NULL, "needs `rate-control=bitrate`; follows in 0.1 to 0.2 s"},
  {"vp8enc", "target-bitrate", 1, NULL, "needs `end-usage=cbr`; follows in 0.2 to 0.5 s"},
  {"vp9enc", "target-bitrate", 1, NULL, "needs `end-usage=cbr` and `lag-in-frames=0`; follows in "
        "0.2 to 0.5 s"},
  {"av1enc", "target-bitrate", 1000, NULL, "with libaom 3.6 not seen to follow within 4 s"},
  {"opusenc", "bitrate", 1, NULL, "4 to 650 kbit/s"},
  /* They need hardware, or are not in Debian 12. */
  {"amcvidenc-", "bitrate", 1, NULL, NULL},
  {"mfh264enc", "bitrate", 1000, NULL, NULL},
  {"msdkh264enc", "bitrate", 1000, NULL, NULL},
  {"nvh264enc", "bitrate", 1000, NULL, NULL},
  {"nvv4l2h264enc", "bitrate", 1, NULL, NULL},
  {"qsvh264enc", "bitrate", 1000, NULL, NULL},
  {"rav1enc", "bitrate", 1, NULL, NULL},
  {"svtav1enc", "target-bitrate", 1000, NULL, NULL},
  {"v4l2h264enc", "extra-controls.video_bitrate", 1, NULL, NULL},
  {"vaapih264enc", "bitrate", 1000, NULL, NULL},
  {"vah264enc", "bitrate", 1000, NULL, NULL},
  {"vah265enc", "bitrate", 1000, NULL, NULL},
  {"vtenc_h264", "bitrate", 1000, NULL, NULL},
};

/* The user's rows; NULL: there are none. */
static GArray *
users_rows (void)
{
  static gsize once = 0;
  static GArray *rows = NULL;

  if (g_once_init_enter (&once)) {
    const gchar *path = g_getenv ("GST_RTP_CC_ENCODERS");
    g_autoptr (GError) error = NULL;

    if (path && !(rows = gst_rtp_cc_encoder_file_read (path, &error)))
      g_warning ("GST_RTP_CC_ENCODERS is not used: %s: %s", path, error->message);
    g_once_init_leave (&once, 1);
  }
  return rows;
}

/* Android's have the codec's name behind the dash. */
static gboolean
is_named (const GstRtpCcEncoder * row, const gchar * name)
{
  return g_str_equal (name, row->factory)
      || (g_str_has_suffix (row->factory, "-")
      && g_str_has_prefix (name, row->factory));
}

static const GstRtpCcEncoder *
find_row (const GstRtpCcEncoder * rows, guint n, const gchar * name)
{
  for (guint i = 0; i < n; i++) {
    if (is_named (&rows[i], name))
      return &rows[i];
  }
  return NULL;
}

const GstRtpCcEncoder *
gst_rtp_cc_encoder_lookup (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  const gchar *name = factory ? GST_OBJECT_NAME (factory) : "";
  const GArray *users = users_rows ();
  const GstRtpCcEncoder *row = users
      ? find_row ((const GstRtpCcEncoder *) users->data, users->len, name) : NULL;

  return row ? row : find_row (encoders, G_N_ELEMENTS (encoders), name);
}

static gboolean
is_encoder (GstElement * element)
{
  const gchar *klass = gst_element_class_get_metadata
      (GST_ELEMENT_GET_CLASS (element), GST_ELEMENT_METADATA_KLASS);

  return gst_rtp_cc_encoder_lookup (element)
      || (klass && strstr (klass, "Encoder"));
}

/* Where there are several ways on: whose encoder would it be? */
GstElement *
gst_rtp_cc_encoder_find (GstPad * sinkpad)
{
  return gst_rtp_cc_walk (sinkpad, is_encoder, TRUE, NULL);
}

static gboolean
is_payloader (GstElement * element)
{
  return GST_IS_RTP_BASE_PAYLOAD (element);
}

static gboolean
read_ssrc (GstPad * srcpad, guint * ssrc)
{
  GstCaps *caps = gst_pad_get_current_caps (srcpad);
  const gboolean found = caps
      && gst_structure_get_uint (gst_caps_get_structure (caps, 0), "ssrc",
      ssrc);

  gst_clear_caps (&caps);
  return found;
}

gboolean
gst_rtp_cc_payloader_ssrc (GstPad * sinkpad, guint * ssrc)
{
  GstPad *srcpad = gst_rtp_cc_walk_inside (sinkpad, TRUE), *by = NULL;
  GstElement *payloader = srcpad
      ? gst_rtp_cc_walk (srcpad, is_payloader, TRUE, &by) : NULL;
  gboolean found = FALSE;

  gst_clear_object (&srcpad);
  if (by && (srcpad = gst_rtp_cc_walk_inside (by, TRUE)))
    found = read_ssrc (srcpad, ssrc);
  gst_clear_object (&srcpad);
  gst_clear_object (&by);
  gst_clear_object (&payloader);
  return found;
}

/* The range of a number property, cut to what a bitrate can be. */
static gboolean
property_range (GParamSpec * pspec, gdouble * min, gdouble * max)
{
  if (G_IS_PARAM_SPEC_INT (pspec)) {
    *min = G_PARAM_SPEC_INT (pspec)->minimum;
    *max = G_PARAM_SPEC_INT (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_UINT (pspec)) {
    *min = G_PARAM_SPEC_UINT (pspec)->minimum;
    *max = G_PARAM_SPEC_UINT (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_INT64 (pspec)) {
    *min = (gdouble) G_PARAM_SPEC_INT64 (pspec)->minimum;
    *max = (gdouble) G_PARAM_SPEC_INT64 (pspec)->maximum;
  } else if (G_IS_PARAM_SPEC_UINT64 (pspec)) {
    *min = (gdouble) G_PARAM_SPEC_UINT64 (pspec)->minimum;
    *max = (gdouble) G_PARAM_SPEC_UINT64 (pspec)->maximum;
  } else {
    return FALSE;
  }
  *min = CLAMP (*min, 0, G_MAXUINT);
  *max = CLAMP (*max, 0, G_MAXUINT);
  return TRUE;
}

/* "extra-controls.video_bitrate" is the field video_bitrate of the structure in extra-controls.
 * @field: NULL in a name without a dot. */
static GParamSpec *
find_property (GstElement * element, const gchar * name, const gchar ** field)
{
  const gchar *dot = strchr (name, '.');
  g_autofree gchar *property = g_strndup (name, dot ? (gsize) (dot - name) : strlen (name));
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), property);

  *field = dot ? dot + 1 : NULL;
  if (pspec && dot && (dot[1] == '\0' || pspec->value_type != GST_TYPE_STRUCTURE))
    return NULL;
  return pspec;
}

/* What else is in the structure stays. */
static void
set_field (GstElement * element, GParamSpec * pspec, const gchar * field,
    gint number)
{
  GstStructure *controls = NULL;

  if (pspec->flags & G_PARAM_READABLE)
    g_object_get (element, pspec->name, &controls, NULL);
  if (!controls)
    controls = gst_structure_new_empty ("controls");
  gst_structure_set (controls, field, G_TYPE_INT, number, NULL);
  g_object_set (element, pspec->name, controls, NULL);
  gst_structure_free (controls);
}

/* Of whatever type it is: GObject transforms it. */
static void
set_number (GstElement * element, GParamSpec * pspec, guint64 units)
{
  g_auto (GValue) number = G_VALUE_INIT;

  g_value_set_uint64 (g_value_init (&number, G_TYPE_UINT64), units);
  g_object_set_property (G_OBJECT (element), pspec->name, &number);
}

gboolean
gst_rtp_cc_encoder_set (GstElement * element, const gchar * property,
    guint unit, guint bps, guint * actual)
{
  const gchar *field;
  GParamSpec *pspec = find_property (element, property, &field);
  gdouble min = 0, max = G_MAXINT;
  guint64 units;

  if (!pspec || !(pspec->flags & G_PARAM_WRITABLE) || unit == 0
      || !(field || property_range (pspec, &min, &max)))
    return FALSE;

  /* Several encoders take 0 for "choose yourself". */
  units = (guint64) CLAMP ((gdouble) (bps / unit), MAX (min, 1), max);
  if (field)
    set_field (element, pspec, field, (gint) units);
  else
    set_number (element, pspec, units);
  *actual = (guint) MIN (units * unit, G_MAXUINT);
  return TRUE;
}

static guint64
get_field (GstElement * element, GParamSpec * pspec, const gchar * field)
{
  GstStructure *controls = NULL;
  gint number = 0;

  g_object_get (element, pspec->name, &controls, NULL);
  if (controls && !gst_structure_get_int (controls, field, &number))
    number = 0;
  g_clear_pointer (&controls, gst_structure_free);
  return (guint64) MAX (number, 0);
}

static guint64
get_number (GstElement * element, GParamSpec * pspec)
{
  g_auto (GValue) number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_UINT64);
  if (g_value_type_transformable (pspec->value_type, G_TYPE_UINT64))
    g_object_get_property (G_OBJECT (element), pspec->name, &number);
  return g_value_get_uint64 (&number);
}

guint
gst_rtp_cc_encoder_get (GstElement * element, const gchar * property,
    guint unit)
{
  const gchar *field;
  GParamSpec *pspec = find_property (element, property, &field);
  guint64 units;

  if (!pspec || !(pspec->flags & G_PARAM_READABLE))
    return 0;
  units = field ? get_field (element, pspec, field) : get_number (element, pspec);
  return (guint) MIN (units * unit, G_MAXUINT);
}

/* x264 codes nothing but skipped frames when a key frame does not fit the VBV. That was seen with
 * 15 kbit and less at VGA. */
#define VBV_LEAST 20000         /* bits */

void
gst_rtp_cc_encoder_set_vbv (GstElement * encoder,
    const GstRtpCcEncoder * known, guint ms, guint bps)
{
  const guint64 least = (guint64) VBV_LEAST * 1000 / MAX (bps, 1);
  const guint actual = (guint) MIN (MAX (ms, least), G_MAXUINT);
  guint ignored;

  if (known->vbv_property && ms > 0
      && gst_rtp_cc_encoder_get (encoder, known->vbv_property, 1) != actual)
    gst_rtp_cc_encoder_set (encoder, known->vbv_property, 1, actual, &ignored);
}
