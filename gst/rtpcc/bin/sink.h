/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_CC_SINK_H
#define GST_RTP_CC_SINK_H

#include <gst/gst.h>

#define GST_TYPE_RTP_CC_SINK (gst_rtp_cc_sink_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpCcSink, gst_rtp_cc_sink, GST, RTP_CC_SINK, GstBin)

GST_ELEMENT_REGISTER_DECLARE (rtpccsink);

#endif
