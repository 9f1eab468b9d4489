/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/splice.h - what is put into a webrtcbin's or an rtpbin's sessions
 *
 * It answers the signals in which they ask for elements: request-aux-sender with a controller,
 * request-rtp-encoder with a breaker, request-rtp-decoder and request-rtcp-encoder with a
 * receiver.  Elements find RTCP, caps and header extensions for themselves.
 */
#ifndef GST_RTP_CC_BIN_SPLICE_H
#define GST_RTP_CC_BIN_SPLICE_H

#include <gst/gst.h>

typedef struct _GstRtpCcSplice GstRtpCcSplice;

typedef struct
{
  gint controller;              /* as gst_rtp_cc_bin_controller_make() takes it */
  gboolean breaker, receiver;
  guint min_bps, max_bps, start_bps;
  guint max_latency;            /* ms, of jitterbuffers; 0: they stay as they are */
} GstRtpCcSpliceConfig;

/* Made for sessions that @bin, a webrtcbin or an rtpbin, opens from now on.  @changed: a controller
 * has another target, on any thread.  NULL: @bin is neither. */
GstRtpCcSplice *gst_rtp_cc_splice_new (GstElement *bin, const GstRtpCcSpliceConfig *config,
    void (*changed) (GstElement *controller, gpointer owner), gpointer owner);
/* Nobody is asked any more; what is in place stays.  It goes with the last call from @bin. */
void gst_rtp_cc_splice_free (GstRtpCcSplice *splice);

/* Limits, of controllers that are there too. */
void gst_rtp_cc_splice_configure (GstRtpCcSplice *splice, const GstRtpCcSpliceConfig *config);
/* Whether sessions are there that it was too late for. */
gboolean gst_rtp_cc_splice_is_late (GstRtpCcSplice *splice);
/* For each element that is still there. */
void gst_rtp_cc_splice_foreach (GstRtpCcSplice *splice,
    void (*each) (const gchar *role, GstElement *element, gpointer data), gpointer data);

#endif
