/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/descriptions.h"

#include <gst/sdp/gstsdpmessage.h>

#include "rtpcc/bin/words.h"

/* GstWebRTCSessionDescription, of a library that is not needed else (gst-plugins-bad). */
typedef struct
{
  gint type;
  GstSDPMessage *sdp;
} Description;

static const gchar *
words_of (GstElement * bin, const gchar * property)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (bin), property);
  g_auto (GValue) value = G_VALUE_INIT;
  g_autofree gchar *text = NULL;
  const Description *description;

  if (!pspec || !g_str_equal (g_type_name (pspec->value_type), "GstWebRTCSessionDescription"))
    return "";
  g_value_init (&value, pspec->value_type);
  g_object_get_property (G_OBJECT (bin), property, &value);
  description = g_value_get_boxed (&value);
  if (!description || !description->sdp)
    return "";
  text = gst_sdp_message_as_text (description->sdp);
  return gst_rtp_cc_bin_profile_words (text);
}

const gchar *
gst_rtp_cc_bin_descriptions_words (GstElement * bin)
{
  const gchar *words = words_of (bin, "remote-description");

  return *words ? words : words_of (bin, "local-description");
}
