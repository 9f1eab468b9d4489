/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/sdp.h - the lines of an SDP that webrtcbin 1.22 does not write
 */
#ifndef GST_RTP_CC_BIN_SDP_H
#define GST_RTP_CC_BIN_SDP_H

#include <gst/gst.h>

/* A copy of @sdp, an offer or an answer, in which each codec of its video has goog-remb among the
 * feedback (a=rtcp-fb); the rest, line ends included, as it is.  Free with g_free(). */
gchar *gst_rtp_cc_sdp_add_remb (const gchar *sdp);

#endif
