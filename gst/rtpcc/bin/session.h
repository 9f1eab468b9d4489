/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One RTP session of rtpccbin: the elements around the inner rtpbin, and their links.
 *
 *   send_rtp_sink  -> repair -> controller -> breaker -> rtpbin
 *   recv_rtp_sink  -> receiver -> rtpbin
 *   recv_rtcp_sink -> receiver (xr) -> controller -> breaker -> rtpbin
 *   rtpbin -> controller -> breaker -> receiver -> send_rtcp_src
 *
 * What is not there is left out.  Not thread-safe: pads are requested one by one.
 */
#ifndef GST_RTP_CC_BIN_SESSION_H
#define GST_RTP_CC_BIN_SESSION_H

#include <gst/gst.h>

typedef struct
{
  GstBin *bin;                  /* the rtpccbin */
  GstElement *rtpbin;
  guint id;
  GstElement *repair, *controller, *breaker;    /* NULL: does not send, or has none */
  GstElement *receiver;         /* NULL: does not receive, or rtpsession reports */
  GstPad *send_rtp, *recv_rtp, *recv_rtcp, *send_rtcp;  /* ghost pads; NULL: none yet */
  GstPad *own_rtcp;             /* rtpbin's send_rtcp_src */
  GstPad *feed;                 /* a pad of nobody that leads it on */
  gulong probe;
  const gchar *receiver_factory, *receiver_format;      /* NULL: by the caps that come */
} GstRtpCcBinSession;

/* @controller: as gst_rtp_cc_bin_controller_make() takes it.  The session owns the pads.
 * NULL: there is one already, or an element is missing (which is posted). */
GstPad *gst_rtp_cc_bin_session_send (GstRtpCcBinSession *s, gint controller,
    gboolean breaker, gboolean repair);
/* An enumeration: auto, twcc, ccfb, remb, xr. */
GType gst_rtp_cc_bin_feedback_get_type (void);
/* @format: one of those. */
GstPad *gst_rtp_cc_bin_session_receive (GstRtpCcBinSession *s, gint format);
GstPad *gst_rtp_cc_bin_session_hear (GstRtpCcBinSession *s);
GstPad *gst_rtp_cc_bin_session_tell (GstRtpCcBinSession *s);
/* @pad, which one of the above has made, is about to be removed.  What was there for it
 * goes, and so does rtpbin's pad.  Any other pad is left alone. */
void gst_rtp_cc_bin_session_release (GstRtpCcBinSession *s, GstPad *pad);
/* Removes the pads of rtpbin and what leads outgoing RTCP on. */
void gst_rtp_cc_bin_session_free (GstRtpCcBinSession *s);

#endif
