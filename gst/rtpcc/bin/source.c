/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/source.h"

GstStructure *
gst_rtp_cc_bin_source_stats (GstElement * rtpbin, guint session, guint ssrc)
{
  GObject *rtpsession = NULL, *source = NULL;
  GstStructure *stats = NULL;

  g_signal_emit_by_name (rtpbin, "get-internal-session", session, &rtpsession);
  if (rtpsession)
    g_signal_emit_by_name (rtpsession, "get-source-by-ssrc", ssrc, &source);
  if (source)
    g_object_get (source, "stats", &stats, NULL);
  g_clear_object (&source);
  g_clear_object (&rtpsession);
  return stats;
}

gboolean
gst_rtp_cc_bin_source_has_sent (GstElement * rtpbin, guint session, guint ssrc)
{
  g_autoptr (GstStructure) stats = gst_rtp_cc_bin_source_stats (rtpbin, session, ssrc);
  guint64 packets = 0;

  return stats && gst_structure_get_uint64 (stats, "packets-received", &packets) && packets > 0;
}
