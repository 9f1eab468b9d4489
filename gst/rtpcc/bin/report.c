/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/report.h"

#include "rtpcc/bin/repair.h"
#include "rtpcc/bin/session.h"

GstStructure *
gst_rtp_cc_bin_stats_of (GstElement * element)
{
  GstStructure *stats = NULL;

  if (element)
    g_object_get (element, "stats", &stats, NULL);
  return stats;
}

const gchar *
gst_rtp_cc_bin_missing_of (GstElement * controller, GstElement * rtpbin)
{
  g_autoptr (GstStructure) stats = gst_rtp_cc_bin_stats_of (controller);

  return stats ? gst_rtp_cc_bin_missing_words (stats, gst_rtp_cc_bin_is_slow (rtpbin)) : "";
}

/* Takes @stats, which may be NULL. */
static void
add_stats (GstStructure * to, const gchar * name, GstStructure * stats)
{
  if (!stats)
    return;
  gst_structure_set (to, name, GST_TYPE_STRUCTURE, stats, NULL);
  gst_structure_free (stats);
}

static GstStructure *
session_stats (GstRtpCcBinSession * s)
{
  GstStructure *stats = gst_structure_new ("session", "session", G_TYPE_UINT,
      s->id, NULL);
  GObject *rtp = NULL;
  GstStructure *rtp_stats = NULL;

  add_stats (stats, "controller", gst_rtp_cc_bin_stats_of (s->controller));
  add_stats (stats, "breaker", gst_rtp_cc_bin_stats_of (s->breaker));
  add_stats (stats, "receiver", gst_rtp_cc_bin_stats_of (s->receiver));
  add_stats (stats, "repair", gst_rtp_cc_bin_repair_stats (s->repair,
          s->rtpbin, s->id));
  g_signal_emit_by_name (s->rtpbin, "get-internal-session", s->id, &rtp);
  if (rtp)
    g_object_get (rtp, "stats", &rtp_stats, NULL);
  add_stats (stats, "rtp", rtp_stats);
  g_clear_object (&rtp);
  return stats;
}

guint
gst_rtp_cc_bin_target (const GList * sessions)
{
  guint sum = 0, target;

  for (const GList * l = sessions; l; l = l->next) {
    GstRtpCcBinSession *s = l->data;

    if (!s->controller)
      continue;
    g_object_get (s->controller, "estimated-bitrate", &target, NULL);
    sum += target;
  }
  return sum;
}

GstStructure *
gst_rtp_cc_bin_stats (const GList * sessions, const GstRtpCcBinWords * words)
{
  GValue array = G_VALUE_INIT, value = G_VALUE_INIT;
  GstStructure *stats;

  stats = gst_structure_new ("application/x-rtp-cc-bin-stats",
      "target-bitrate", G_TYPE_UINT, gst_rtp_cc_bin_target (sessions),
      "limit", G_TYPE_STRING, words->limit,
      "missing", G_TYPE_STRING, words->missing, NULL);
  g_value_init (&array, GST_TYPE_ARRAY);
  for (const GList * l = sessions; l; l = l->next) {
    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, session_stats (l->data));
    gst_value_array_append_and_take_value (&array, &value);
  }
  gst_structure_take_value (stats, "sessions", &array);
  return stats;
}
