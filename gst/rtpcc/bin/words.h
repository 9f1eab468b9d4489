/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What limits a call, and what it is missing, in a sentence each.
 */
#ifndef GST_RTP_CC_BIN_WORDS_H
#define GST_RTP_CC_BIN_WORDS_H

#include <gst/gst.h>

/* For @limited_by of a controller's stats.  Static. */
const gchar *gst_rtp_cc_bin_limit_words (const gchar *limited_by);
/* @controller: its stats; @slow: its session's profile has no feedback.  "" where nothing is
 * missing: feedback may come in such a profile, too.  Static. */
const gchar *gst_rtp_cc_bin_missing_words (const GstStructure *controller, gboolean slow);
/* Whether the sessions of @rtpbin have a profile without feedback (AVP, SAVP); that in words. */
gboolean gst_rtp_cc_bin_is_slow (GstElement *rtpbin);
const gchar *gst_rtp_cc_bin_slow_words (void);
/* @sdp: an offer or an answer; "" where all its media that are not refused have a profile with
 * feedback (RFC 4585, RFC 5124).  Static. */
const gchar *gst_rtp_cc_bin_profile_words (const gchar *sdp);

/* What was said last.  Static texts, never NULL; under the owner's object lock. */
typedef struct {
  const gchar *limit, *missing;
} GstRtpCcBinWords;

void gst_rtp_cc_bin_words_init (GstRtpCcBinWords *words);
/* Whether they are others @now, which they are from then on.  Its limit NULL: as it was, which is
 * filled in. */
gboolean gst_rtp_cc_bin_words_change (GstRtpCcBinWords *words, GstObject *owner,
    GstRtpCcBinWords *now);

#endif
