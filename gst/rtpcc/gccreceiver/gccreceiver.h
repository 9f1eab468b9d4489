/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_GCC_RECEIVER_H
#define GST_RTP_GCC_RECEIVER_H

#include "rtpcc/common/element.h"

G_BEGIN_DECLS

#define GST_TYPE_RTP_GCC_RECEIVER (gst_rtp_gcc_receiver_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpGccReceiver, gst_rtp_gcc_receiver, GST,
    RTP_GCC_RECEIVER, GstRtpCcElement)

GST_ELEMENT_REGISTER_DECLARE (rtpgccreceiver);

G_END_DECLS
#endif
