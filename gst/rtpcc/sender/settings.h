/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sender/settings.h - rtpgccsender's writable properties as one struct
 */
#ifndef GST_RTP_CC_SENDER_SETTINGS_H
#define GST_RTP_CC_SENDER_SETTINGS_H

#include "core/gcc/config.h"
#include "rtpcc/common/settings.h"

typedef struct {
  RccConfig limits;
  gint profile;                 /* RccGccProfile */
  GstClockTime max_queue_time;  /* GST_CLOCK_TIME_NONE: no limit */
  guint abs_send_time_id;
  guint protection, fec_pt, protect_ssrc;       /* protection 0: there is no parity, ... */
  gboolean probe_protection;    /* ... but for what fills probes */
  GstRtpCcTuning tuning;        /* of what _config() returns */
} GstRtpCcSenderSettings;

extern const GstRtpCcSettings gst_rtp_cc_sender_settings;
/* Without what is GCC's: profile and tuning. */
extern const GstRtpCcSettings gst_rtp_cc_any_sender_settings;

/* What they mean. */
RccGccConfig gst_rtp_cc_sender_settings_config (const GstRtpCcSenderSettings *settings);

#endif
