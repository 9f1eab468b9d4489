/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_CC_BIN_ATTACH_H
#define GST_RTP_CC_BIN_ATTACH_H

#include <gst/gst.h>

#define GST_TYPE_RTP_CC_ATTACH (gst_rtp_cc_attach_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpCcAttach, gst_rtp_cc_attach, GST, RTP_CC_ATTACH, GstElement)

GST_ELEMENT_REGISTER_DECLARE (rtpccattach);

#endif
