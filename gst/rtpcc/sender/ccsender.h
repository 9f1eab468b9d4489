/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_CC_ANY_SENDER_H
#define GST_RTP_CC_ANY_SENDER_H

#include "rtpcc/sender/sender.h"

G_BEGIN_DECLS

#define GST_TYPE_RTP_CC_ANY_SENDER (gst_rtp_cc_any_sender_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpCcAnySender, gst_rtp_cc_any_sender, GST, RTP_CC_ANY_SENDER,
    GstRtpCcSender)
GST_ELEMENT_REGISTER_DECLARE (rtpccsender);

G_END_DECLS
#endif
