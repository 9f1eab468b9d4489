/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_SBPN_MUX_H
#define GST_RTP_SBPN_MUX_H

#include "rtpcc/sendpath/element.h"

G_BEGIN_DECLS

#define GST_TYPE_RTP_SBPN_MUX (gst_rtp_sbpn_mux_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpSbpnMux, gst_rtp_sbpn_mux, GST, RTP_SBPN_MUX, GstRtpCcSendElement)
GST_ELEMENT_REGISTER_DECLARE (rtpsbpnmux);

G_END_DECLS

#endif
