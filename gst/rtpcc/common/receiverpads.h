/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/receiverpads.h - a receiver's pads: RTP goes from sink to src, and the session's
 * outgoing RTCP from rtcp_sink to rtcp_src
 *
 * Who requests the pads that rtpbin looks for finds `sink' and `rtcp_sink' by these names. They
 * are rtp_sink and rtp_src for request-rtp-decoder, rtcp_sink_%u and rtcp_src_%u for
 * request-rtcp-encoder.
 */
#ifndef GST_RTP_CC_RECEIVER_PADS_H
#define GST_RTP_CC_RECEIVER_PADS_H

#include "rtpcc/common/rtcppath.h"

/* The templates; request_new_pad and release_pad are _request() and gst_rtp_cc_rename_back(). */
void gst_rtp_cc_receiver_pads_install (GstElementClass *klass);
/* The path of RTP, whose sink pad has these functions; returns its source pad. */
GstPad *gst_rtp_cc_receiver_pads_rtp (GstElement *element, GstPadChainFunction chain,
    GstPadChainListFunction chain_list, GstPadEventFunction event);
/* And that of RTCP.  @funcs is static. */
GstRtpCcRtcpPath *gst_rtp_cc_receiver_pads_rtcp (GstElement *element, GstRtpCcDriver *driver,
    const GstRtpCcRtcpPathFuncs *funcs);

/* For a request_new_pad of one's own. */
GstPad *gst_rtp_cc_receiver_pads_request (GstElement *element, GstPadTemplate *templ,
    const gchar *wanted, const GstCaps *caps);

#endif
