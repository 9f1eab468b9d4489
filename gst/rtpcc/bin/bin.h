/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_CC_BIN_H
#define GST_RTP_CC_BIN_H

#include <gst/gst.h>

#define GST_TYPE_RTP_CC_BIN (gst_rtp_cc_bin_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpCcBin, gst_rtp_cc_bin, GST, RTP_CC_BIN, GstBin)

GST_ELEMENT_REGISTER_DECLARE (rtpccbin);

#endif
