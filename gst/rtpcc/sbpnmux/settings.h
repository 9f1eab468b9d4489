/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpnmux/settings.h - rtpsbpnmux's writable properties as one struct
 */
#ifndef GST_RTP_CC_MUX_SETTINGS_H
#define GST_RTP_CC_MUX_SETTINGS_H

#include "core/tfrc/tfrc.h"
#include "rtpcc/common/settings.h"
#include "send/path.h"

typedef enum {
  GST_RTP_SBPN_MUX_NONE,
  GST_RTP_SBPN_MUX_EXTERNAL,
  GST_RTP_SBPN_MUX_TFRC,
} GstRtpSbpnMuxRateControl;

typedef struct {
  gint rate_control, mode;      /* GstRtpSbpnMuxRateControl, RccSbpnMode */
  guint max_buffers, max_bytes; /* 0: no limit, as in queue */
  GstClockTime max_time;        /* 0: no limit */
  gdouble pacing_factor;
  RccConfig limits;
  GstRtpCcTuning tuning;        /* of what follows */
} GstRtpCcMuxSettings;

extern const GstRtpCcSettings gst_rtp_cc_mux_settings;

/* What they mean. */
RccSendConfig gst_rtp_cc_mux_settings_send (const GstRtpCcMuxSettings *settings);
RccTfrcConfig gst_rtp_cc_mux_settings_tfrc (const GstRtpCcMuxSettings *settings);

#endif
