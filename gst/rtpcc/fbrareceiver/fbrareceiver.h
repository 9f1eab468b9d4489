/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_FBRA_RECEIVER_H
#define GST_RTP_FBRA_RECEIVER_H

#include "rtpcc/common/element.h"

G_BEGIN_DECLS

#define GST_TYPE_RTP_FBRA_RECEIVER (gst_rtp_fbra_receiver_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpFbraReceiver, gst_rtp_fbra_receiver, GST,
    RTP_FBRA_RECEIVER, GstRtpCcElement)

GST_ELEMENT_REGISTER_DECLARE (rtpfbrareceiver);

G_END_DECLS
#endif
