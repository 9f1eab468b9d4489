/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gccsender/settings.h - rtpgccsender's writable properties as one struct
 */
#ifndef GST_RTP_CC_SENDER_SETTINGS_H
#define GST_RTP_CC_SENDER_SETTINGS_H

#include "core/gcc/config.h"
#include "rtpcc/common/enums.h"
#include "rtpcc/common/limits.h"

G_BEGIN_DECLS

enum {                          /* property ids; the element's own follow */
  GST_RTP_CC_SENDER_MIN_BITRATE = 1,
  GST_RTP_CC_SENDER_START_BITRATE,
  GST_RTP_CC_SENDER_MAX_BITRATE,
  GST_RTP_CC_SENDER_PROFILE,
  GST_RTP_CC_SENDER_FILTER,
  GST_RTP_CC_SENDER_GROUPING,
  GST_RTP_CC_SENDER_THRESHOLD,
  GST_RTP_CC_SENDER_PACING_FACTOR,
  GST_RTP_CC_SENDER_MAX_QUEUE_TIME,
  GST_RTP_CC_SENDER_FEEDBACK_TIMEOUT,
  GST_RTP_CC_SENDER_PROBE_INTERVAL,
  GST_RTP_CC_SENDER_ABS_SEND_TIME_ID,
  GST_RTP_CC_SENDER_PROTECTION,
  GST_RTP_CC_SENDER_FEC_PAYLOAD_TYPE,
  GST_RTP_CC_SENDER_PROTECT_SSRC,
  GST_RTP_CC_SENDER_N_SETTINGS
};

typedef struct {
  RccConfig limits;
  gint profile, filter, grouping, threshold;    /* GstRtpGcc... */
  gdouble pacing_factor;        /* 0: the profile's */
  /* GST_CLOCK_TIME_NONE: the profile's, but for the first */
  GstClockTime max_queue_time, feedback_timeout, probe_interval;
  guint abs_send_time_id;
  guint protection, fec_pt, protect_ssrc;       /* protection 0: there is no parity */
} GstRtpCcSenderSettings;

/* In the element's class_init and init. */
void gst_rtp_cc_sender_settings_install (GObjectClass *klass);
void gst_rtp_cc_sender_settings_init (GstRtpCcSenderSettings *settings);

/* FALSE when @id is none of the above. */
gboolean gst_rtp_cc_sender_settings_set (GstRtpCcSenderSettings *settings, guint id,
    const GValue *value);
gboolean gst_rtp_cc_sender_settings_get (const GstRtpCcSenderSettings *settings,
    guint id, GValue *value);

/* What they mean. */
RccGccConfig gst_rtp_cc_sender_settings_config (const GstRtpCcSenderSettings *settings);

G_END_DECLS
#endif
