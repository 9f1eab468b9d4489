/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/encoders.h"

#include <gst/rtp/gstrtpbasepayload.h>

/* Units and types as the elements' own documentation gives them (GStreamer
 * 1.22).  How well each follows a change while it runs is in the documentation
 * of rtpbitrateadapter. */
static const GstRtpCcEncoder encoders[] = {
  {"x264enc", "bitrate", 1000, "vbv-buf-capacity"},
  {"x265enc", "bitrate", 1000, NULL},
  {"openh264enc", "bitrate", 1, NULL},
  {"vp8enc", "target-bitrate", 1, NULL},
  {"vp9enc", "target-bitrate", 1, NULL},
  {"av1enc", "target-bitrate", 1000, NULL},
  {"nvh264enc", "bitrate", 1000, NULL},
  {"vah264enc", "bitrate", 1000, NULL},
  {"opusenc", "bitrate", 1, NULL},
};

/* Longer chains than this between encoder and adapter are loops. */
#define MAX_HOPS 64

const GstRtpCcEncoder *
gst_rtp_cc_encoder_lookup (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  guint i;

  if (factory) {
    for (i = 0; i < G_N_ELEMENTS (encoders); i++) {
      if (g_str_equal (GST_OBJECT_NAME (factory), encoders[i].factory))
        return &encoders[i];
    }
  }
  return NULL;
}

static gboolean
is_encoder (GstElement * element)
{
  const gchar *klass = gst_element_class_get_metadata
      (GST_ELEMENT_GET_CLASS (element), GST_ELEMENT_METADATA_KLASS);

  return gst_rtp_cc_encoder_lookup (element)
      || (klass && strstr (klass, "Encoder"));
}

/* The pad of a real element at the other end of @near's link. A bin's edge is a pair of proxy
 * pads, internal to each other. One of them is the ghost pad. Whichever of them is the peer, the
 * other one's peer is across the edge. */
static GstPad *
far_pad (GstPad * near)
{
  GstPad *pad = gst_pad_get_peer (near);
  guint hops;

  for (hops = 0; pad && GST_IS_PROXY_PAD (pad); hops++) {
    GstProxyPad *other = hops < MAX_HOPS ?
        gst_proxy_pad_get_internal (GST_PROXY_PAD (pad)) : NULL;

    gst_object_unref (pad);
    pad = other ? gst_pad_get_peer (GST_PAD (other)) : NULL;
    gst_clear_object (&other);
  }
  return pad;
}

/* The only pad that @pad is linked to inside its element. NULL when there are several (whose
 * encoder would it be?) or none. */
static GstPad *
only_inner_pad (GstPad * pad)
{
  GstIterator *it = gst_pad_iterate_internal_links (pad);
  GValue item = G_VALUE_INIT;
  GstPad *found = NULL;
  guint n = 0;
  gboolean done = it == NULL;

  while (!done) {
    switch (gst_iterator_next (it, &item)) {
      case GST_ITERATOR_OK:
        if (n++ == 0)
          found = g_value_dup_object (&item);
        g_value_reset (&item);
        break;
      case GST_ITERATOR_RESYNC:
        gst_iterator_resync (it);
        gst_clear_object (&found);
        n = 0;
        break;
      default:
        done = TRUE;
    }
  }
  if (G_IS_VALUE (&item))
    g_value_unset (&item);
  if (it)
    gst_iterator_free (it);
  if (n > 1)
    gst_clear_object (&found);
  return found;
}

GstElement *
gst_rtp_cc_encoder_find (GstPad * sinkpad)
{
  GstPad *pad = gst_object_ref (sinkpad);
  guint hops;

  for (hops = 0; pad && hops < MAX_HOPS; hops++) {
    GstPad *srcpad = far_pad (pad);
    GstElement *element = srcpad ? gst_pad_get_parent_element (srcpad) : NULL;

    gst_clear_object (&pad);
    if (element && is_encoder (element)) {
      gst_object_unref (srcpad);
      return element;
    }
    if (element)
      pad = only_inner_pad (srcpad);
    gst_clear_object (&element);
    gst_clear_object (&srcpad);
  }
  gst_clear_object (&pad);
  return NULL;
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
  GstPad *pad = gst_object_ref (sinkpad);
  gboolean ends = FALSE, found = FALSE;

  for (guint hops = 0; pad && !ends && hops < MAX_HOPS; hops++) {
    GstPad *srcpad = only_inner_pad (pad);
    GstElement *element = gst_pad_get_parent_element (pad);

    ends = element && GST_IS_RTP_BASE_PAYLOAD (element);
    found = ends && srcpad && read_ssrc (srcpad, ssrc);
    gst_object_unref (pad);
    pad = srcpad && !ends ? far_pad (srcpad) : NULL;
    gst_clear_object (&srcpad);
    gst_clear_object (&element);
  }
  gst_clear_object (&pad);
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

gboolean
gst_rtp_cc_encoder_set (GstElement * element, const gchar * property,
    guint unit, guint bps, guint * actual)
{
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), property);
  GValue value = G_VALUE_INIT, number = G_VALUE_INIT;
  gdouble min, max;
  guint64 units;

  if (!pspec || !(pspec->flags & G_PARAM_WRITABLE) || unit == 0
      || !property_range (pspec, &min, &max))
    return FALSE;

  /* Several encoders take 0 for "choose yourself". */
  units = (guint64) CLAMP ((gdouble) (bps / unit), MAX (min, 1), max);
  g_value_init (&number, G_TYPE_UINT64);
  g_value_set_uint64 (&number, units);
  g_value_init (&value, pspec->value_type);
  g_value_transform (&number, &value);
  g_object_set_property (G_OBJECT (element), property, &value);
  g_value_unset (&value);
  g_value_unset (&number);
  *actual = (guint) MIN (units * unit, G_MAXUINT);
  return TRUE;
}

guint
gst_rtp_cc_encoder_get (GstElement * element, const gchar * property,
    guint unit)
{
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), property);
  GValue value = G_VALUE_INIT, number = G_VALUE_INIT;
  guint64 units = 0;

  if (!pspec || !(pspec->flags & G_PARAM_READABLE))
    return 0;
  g_value_init (&value, pspec->value_type);
  g_value_init (&number, G_TYPE_UINT64);
  g_object_get_property (G_OBJECT (element), property, &value);
  if (g_value_transform (&value, &number))
    units = g_value_get_uint64 (&number);
  g_value_unset (&value);
  g_value_unset (&number);
  return (guint) MIN (units * unit, G_MAXUINT);
}
