/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_GCC_SENDER_H
#define GST_RTP_GCC_SENDER_H

#include "rtpcc/sender/sender.h"

G_BEGIN_DECLS

#define GST_TYPE_RTP_GCC_SENDER (gst_rtp_gcc_sender_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpGccSender, gst_rtp_gcc_sender, GST, RTP_GCC_SENDER,
    GstRtpCcSender)
GST_ELEMENT_REGISTER_DECLARE (rtpgccsender);

G_END_DECLS
#endif
