/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_RTP_HDREXT_ABS_SEND_TIME_H
#define GST_RTP_HDREXT_ABS_SEND_TIME_H

#include <gst/gst.h>
#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

#define GST_TYPE_RTP_HDREXT_ABS_SEND_TIME \
  (gst_rtp_hdrext_abs_send_time_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpHdrextAbsSendTime, gst_rtp_hdrext_abs_send_time,
    GST, RTP_HDREXT_ABS_SEND_TIME, GstRTPHeaderExtension)
GST_ELEMENT_REGISTER_DECLARE (rtphdrextabssendtime);

G_END_DECLS
#endif
