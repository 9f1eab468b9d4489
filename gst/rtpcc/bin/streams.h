/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The streams that come, the pads that they have outside, and how they begin and end.
 *
 * A sender that starts again has new SSRCs (RFC 3550 8.1), and rtpbin new pads for them.  What was
 * linked would have nothing any more.  So a stream takes over the pad of one that has its payload
 * type and is silent.  Should that one go on, it has its pad back when the other is silent.
 * It is forgotten, with its jitterbuffer, when it has been silent for 10 s and another begins.
 *
 * A stream whose beginning was missed gets a key frame asked for.  When the last source has said
 * goodbye, all streams end (EOS).
 */
#ifndef GST_RTP_CC_BIN_STREAMS_H
#define GST_RTP_CC_BIN_STREAMS_H

#include <gst/gst.h>

typedef struct _GstRtpCcBinStreams GstRtpCcBinStreams;

/* @owner: its lock is taken, and its end is that of @call, an rtpccbin in it.  Pads are named
 * src_%u, of @template. */
GstRtpCcBinStreams *gst_rtp_cc_bin_streams_new (GstElement *owner, GstElement *call,
                                                GstPadTemplate *template);
void gst_rtp_cc_bin_streams_free (GstRtpCcBinStreams *streams);

/* @pad: recv_rtp_src_SESSION_SSRC_PT */
void gst_rtp_cc_bin_streams_add (GstRtpCcBinStreams *streams, GstPad *pad);

#endif
