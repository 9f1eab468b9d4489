/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/receivernames.h - a receiver's pads as rtpbin's request-rtp-decoder (rtp_sink, rtp_src)
 * and request-rtcp-encoder (rtcp_sink_%u, rtcp_src_%u) look for them
 *
 * Who has requested those finds `sink' and `rtcp_sink' by these names.
 */
#ifndef GST_RTP_CC_RECEIVER_NAMES_H
#define GST_RTP_CC_RECEIVER_NAMES_H

#include <gst/gst.h>

G_BEGIN_DECLS

void gst_rtp_cc_receiver_names_install (GstElementClass *klass);
/* For request_new_pad; gst_rtp_cc_rename_back() is for release_pad. */
GstPad *gst_rtp_cc_receiver_names_request (GstElement *element, GstPadTemplate *templ,
    const gchar *wanted);

G_END_DECLS
#endif
