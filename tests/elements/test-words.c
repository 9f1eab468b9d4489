/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What rtpccbin and rtpccattach say is missing, by the statistics of a controller.
 */
#include "rig.h"
#include "rtpcc/bin/words.h"

#define NO_RTCP "no RTCP reaches this end"
#define NO_FEEDBACK "it says nothing of the path's rate"

static const struct
{
  const gchar *stats, *says;    /* NULL: nothing is missing */
} table[] = {
  /* a controller that counts nothing of it */
  {"s, limited-by=feedback-timeout", NULL},
  {"s, limited-by=feedback-timeout, rtcp-compounds=(guint64)0", NO_RTCP},
  {"s, limited-by=start-bitrate, rtcp-compounds=(guint64)0", NULL},
  {"s, limited-by=feedback-timeout, rtcp-compounds=(guint64)9, report-count=(guint64)1, "
        "feedback-count=(guint64)0, remb-count=(guint64)0", NO_FEEDBACK},
  {"s, limited-by=feedback-timeout, rtcp-compounds=(guint64)9, report-count=(guint64)1, "
        "feedback-count=(guint64)1, remb-count=(guint64)0", NULL},
  /* receiver reports alone: it goes on, slowly, and silence never comes */
  {"s, limited-by=loss, rtcp-compounds=(guint64)4, report-count=(guint64)4, "
        "feedback-count=(guint64)0, remb-count=(guint64)0", NO_FEEDBACK},
  {"s, limited-by=loss, rtcp-compounds=(guint64)3, report-count=(guint64)3, "
        "feedback-count=(guint64)0, remb-count=(guint64)0", NULL},
  {"s, limited-by=loss, rtcp-compounds=(guint64)9, report-count=(guint64)9, "
        "feedback-count=(guint64)0, remb-count=(guint64)1", NULL},
  /* TFRC needs no more than reports */
  {"s, limited-by=loss, rtcp-compounds=(guint64)9, report-count=(guint64)9, "
        "feedback-count=(guint64)0", NULL},
};

TEST (test_missing)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++) {
    g_autoptr (GstStructure) stats =
        gst_structure_from_string (table[i].stats, NULL);
    const gchar *words = gst_rtp_cc_bin_missing_words (stats, FALSE);
    const gchar *slow = gst_rtp_cc_bin_missing_words (stats, TRUE);

    fail_unless (table[i].says ? strstr (words, table[i].says) != NULL
        : *words == '\0', "%s: \"%s\"", table[i].stats, words);
    fail_unless (strstr (words, "avp") == NULL);
    /* the profile is a cause where reports come without feedback; nowhere else */
    fail_unless_equals_int (strstr (slow, "avpf") != NULL, !g_strcmp0 (table[i].says, NO_FEEDBACK));
  }
}

TEST (test_profiles)
{
  static const struct
  {
    const gchar *sdp;
    gboolean bad;
  } profiles[] = {
    {"v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n", FALSE},
    {"v=0\nm=video 9 RTP/AVPF 96\n", FALSE},
    {"v=0\r\nm=video 9 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n", TRUE},
    {"v=0\nm=audio 9 UDP/TLS/RTP/SAVPF 97\nm=video 9 RTP/SAVP 96 97\n", TRUE},
    /* refused */
    {"v=0\nm=audio 0 RTP/AVP 0\nm=video 9 RTP/AVPF 96\n", FALSE},
    {"v=0\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\n", FALSE},
    {"m=video 9 RTP/AVP", FALSE},
    {"", FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++)
    fail_unless ((*gst_rtp_cc_bin_profile_words (profiles[i].sdp) != '\0')
        == profiles[i].bad, "%s", profiles[i].sdp);
}

/* Each word that GCC's sender has for what limits it. */
TEST (test_limits)
{
  static const gchar *const known[] = { "start-bitrate", "max-bitrate", "delay", "full-queue",
    "tcp-share", "remb", "loss", "reports", "ecn", "flight", "feedback-timeout" };
  const gchar *other = gst_rtp_cc_bin_limit_words ("slow-start");

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    fail_if (gst_rtp_cc_bin_limit_words (known[i]) == other, "%s", known[i]);
}

TEST (test_said_once)
{
  g_autoptr (GstElement) owner = gst_element_factory_make ("identity", NULL);
  GstRtpCcBinWords words, now;

  gst_rtp_cc_bin_words_init (&words);
  now = words;
  fail_if (gst_rtp_cc_bin_words_change (&words, GST_OBJECT (owner), &now));
  now.limit = gst_rtp_cc_bin_limit_words ("loss");
  fail_unless (gst_rtp_cc_bin_words_change (&words, GST_OBJECT (owner), &now));
  fail_if (gst_rtp_cc_bin_words_change (&words, GST_OBJECT (owner), &now));
  now = (GstRtpCcBinWords) { NULL, "all" };
  fail_unless (gst_rtp_cc_bin_words_change (&words, GST_OBJECT (owner), &now));
  fail_unless_equals_string (words.missing, "all");
  fail_unless_equals_string (words.limit,
      gst_rtp_cc_bin_limit_words ("loss"));
  fail_unless (now.limit == words.limit);
  fail_if (gst_rtp_cc_bin_words_change (&words, GST_OBJECT (owner), &now));
}

TEST_MAIN (words);
