/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/properties.h"

#define FLAGS (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define READ_FLAGS (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)
#define LEAST_BPS 1000

void
gst_rtp_cc_bin_install_uint (GObjectClass * klass, guint id, const gchar * name,
    guint least, guint value, const gchar * blurb)
{
  g_object_class_install_property (klass, id, g_param_spec_uint (name, name,
          blurb, least, G_MAXUINT, value, FLAGS));
}

void
gst_rtp_cc_bin_install_latency (GObjectClass * klass, guint first, guint value)
{
  gst_rtp_cc_bin_install_uint (klass, first, "latency", 0, value,
      "How long received packets wait for late ones (ms)");
  gst_rtp_cc_bin_install_max_latency (klass, first + 1);
}

void
gst_rtp_cc_bin_install_max_latency (GObjectClass * klass, guint id)
{
  gst_rtp_cc_bin_install_uint (klass, id, "max-latency", 0, GST_RTP_CC_BIN_MAX_LATENCY,
      "How far the wait for late packets grows while those that are asked for again take longer "
      "(ms), of streams that begin from now on. Up to latency: it does not");
}

void
gst_rtp_cc_bin_install_boolean (GObjectClass * klass, guint id,
    const gchar * name, gboolean value, const gchar * blurb)
{
  g_object_class_install_property (klass, id, g_param_spec_boolean (name, name,
          blurb, value, FLAGS));
}

void
gst_rtp_cc_bin_install_enum (GObjectClass * klass, guint id, const gchar * name,
    GType type, gint value, const gchar * blurb)
{
  g_object_class_install_property (klass, id, g_param_spec_enum (name, name,
          blurb, type, value, FLAGS));
}

void
gst_rtp_cc_bin_install_rates (GObjectClass * klass, guint first,
    const gchar * start)
{
  gst_rtp_cc_bin_install_uint (klass, first, "min-bitrate", LEAST_BPS,
      GST_RTP_CC_BIN_MIN_BPS,
      "Smallest rate to send a session at, whatever the network says (bit/s)");
  gst_rtp_cc_bin_install_uint (klass, first + 1, "max-bitrate", LEAST_BPS,
      GST_RTP_CC_BIN_MAX_BPS, "Largest rate to send a session at (bit/s)");
  gst_rtp_cc_bin_install_uint (klass, first + 2, "start-bitrate", LEAST_BPS,
      GST_RTP_CC_BIN_START_BPS, start);
}

void
gst_rtp_cc_bin_install_estimate (GObjectClass * klass, guint id)
{
  g_object_class_install_property (klass, id,
      g_param_spec_uint ("estimated-bitrate", "Estimated bitrate",
          "What may be sent now, of all sessions, RTP headers included (bit/s)",
          0, G_MAXUINT, 0, READ_FLAGS));
}

void
gst_rtp_cc_bin_install_stats (GObjectClass * klass, guint id,
    const gchar * blurb)
{
  g_object_class_install_property (klass, id, g_param_spec_boxed ("stats",
          "Statistics", blurb, GST_TYPE_STRUCTURE, READ_FLAGS));
}
