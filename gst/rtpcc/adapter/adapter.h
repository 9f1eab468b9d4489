/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_BITRATE_ADAPTER_H
#define GST_RTP_BITRATE_ADAPTER_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TYPE_RTP_BITRATE_ADAPTER (gst_rtp_bitrate_adapter_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpBitrateAdapter, gst_rtp_bitrate_adapter, GST,
    RTP_BITRATE_ADAPTER, GstElement)
GST_ELEMENT_REGISTER_DECLARE (rtpbitrateadapter);

G_END_DECLS
#endif
