/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_CC_SRC_H
#define GST_RTP_CC_SRC_H

#include <gst/gst.h>

#define GST_TYPE_RTP_CC_SRC (gst_rtp_cc_src_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpCcSrc, gst_rtp_cc_src, GST, RTP_CC_SRC, GstBin)

GST_ELEMENT_REGISTER_DECLARE (rtpccsrc);

#endif
