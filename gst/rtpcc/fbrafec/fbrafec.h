/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_FBRA_FEC_H
#define GST_RTP_FBRA_FEC_H

#include "rtpcc/sendpath/element.h"

G_BEGIN_DECLS

#define GST_TYPE_RTP_FBRA_FEC (gst_rtp_fbra_fec_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpFbraFec, gst_rtp_fbra_fec, GST, RTP_FBRA_FEC,
    GstRtpCcSendElement)
GST_ELEMENT_REGISTER_DECLARE (rtpfbrafec);

G_END_DECLS
#endif
