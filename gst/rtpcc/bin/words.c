/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/words.h"

#include <gst/rtp/gstrtpdefs.h>

static const struct
{
  const gchar *limited_by, *words;
} limits[] = {
  {"start-bitrate", "nothing was heard yet: the rate is start-bitrate"},
  {"max-bitrate", "max-bitrate: the path has room for more"},
  {"delay", "the path: a queue grows on it when more is sent"},
  {"full-queue", "the path: its queue is always full, and what others send keeps it so"},
  {"tcp-share", "the path: TCP keeps its queue long, and the rate is part of what TCP would have"},
  {"remb", "the receiver: it said what it can take (REMB or TMMBR)"},
  {"loss", "the path: it loses packets"},
  {"reports", "RTCP's report blocks: each that tells of no loss lets the rate climb a little"},
  {"ecn", "the path: it marks packets as congestion (ECN)"},
  {"flight", "the path or its feedback: too much is on its way that nobody tells of"},
  {"feedback-timeout", "no feedback comes, so the rate is halved again and again"},
};

const gchar *
gst_rtp_cc_bin_limit_words (const gchar * limited_by)
{
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (!g_strcmp0 (limits[i].limited_by, limited_by))
      return limits[i].words;
  return "the controller";
}

static guint64
count_of (const GstStructure * stats, const gchar * field)
{
  guint64 count = 0;

  gst_structure_get_uint64 (stats, field, &count);
  return count;
}

/* Reports until it is said that nothing else comes: a first REMB takes a second. */
#define REPORTS 4

/* The path's rate is nowhere told of: by now something should have. */
static gboolean
lacks_feedback (const GstStructure * controller, gboolean silent)
{
  if (count_of (controller, "feedback-count")
      || count_of (controller, "remb-count"))
    return FALSE;
  return silent || (gst_structure_has_field (controller, "remb-count")
      && count_of (controller, "report-count") >= REPORTS);
}

#define NO_RATE "RTCP comes, but it says nothing of the path's rate"
#define SAY_RATE "let the receiver send transport-wide feedback, RFC 8888 or REMB (rtpccbin and " \
    "rtpccsrc do)"
#define SLOW "rtp-profile is avp or savp, in which reports come seconds apart (RFC 3550 6.2)"
#define FASTER "set avpf or savpf at both ends (RFC 4585)"

const gchar *
gst_rtp_cc_bin_missing_words (const GstStructure * controller, gboolean slow)
{
  const gboolean silent = !g_strcmp0 (gst_structure_get_string (controller,
          "limited-by"), "feedback-timeout");

  if (!gst_structure_has_field (controller, "rtcp-compounds"))
    return "";
  if (silent && !count_of (controller, "rtcp-compounds"))
    return "no RTCP reaches this end: is the receiver running, does it send RTCP to "
        "here, and does every firewall on the way let it through?";
  if (lacks_feedback (controller, silent))
    return slow ? NO_RATE ", and " SLOW ": " FASTER ", and " SAY_RATE : NO_RATE ": " SAY_RATE;
  return "";
}

gboolean
gst_rtp_cc_bin_is_slow (GstElement * rtpbin)
{
  gint profile = GST_RTP_PROFILE_AVPF;

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (rtpbin), "rtp-profile"))
    g_object_get (rtpbin, "rtp-profile", &profile, NULL);
  return profile == GST_RTP_PROFILE_AVP || profile == GST_RTP_PROFILE_SAVP;
}

const gchar *
gst_rtp_cc_bin_slow_words (void)
{
  return SLOW ": " FASTER;
}

/* "m=video 9 UDP/TLS/RTP/SAVPF 96"; port 0: refused (RFC 3264 6). */
static gboolean
is_without_feedback (const gchar * line)
{
  g_auto (GStrv) words = NULL;

  if (!g_str_has_prefix (line, "m="))
    return FALSE;
  words = g_strsplit (line, " ", 4);
  return g_strv_length (words) == 4 && !g_str_equal (words[1], "0")
      && g_str_has_suffix (words[2], "AVP");
}

const gchar *
gst_rtp_cc_bin_profile_words (const gchar * sdp)
{
  g_auto (GStrv) lines = g_strsplit (sdp, "\n", -1);

  for (guint i = 0; lines[i]; i++)
    if (is_without_feedback (lines[i]))
      return "the SDP's profile is AVP or SAVP, in which reports come seconds apart (RFC 3550 "
          "6.2): let both ends take AVPF or SAVPF (RFC 4585)";
  return "";
}

void
gst_rtp_cc_bin_words_init (GstRtpCcBinWords * w)
{
  w->limit = gst_rtp_cc_bin_limit_words ("start-bitrate");
  w->missing = "";
}

gboolean
gst_rtp_cc_bin_words_change (GstRtpCcBinWords * w, GstObject * owner,
    GstRtpCcBinWords * now)
{
  gboolean changed;

  GST_OBJECT_LOCK (owner);
  now->limit = now->limit ? now->limit : w->limit;
  changed = w->limit != now->limit || w->missing != now->missing;
  *w = *now;
  GST_OBJECT_UNLOCK (owner);
  return changed;
}
