/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gccreceiver/settings.h - rtpgccreceiver's writable properties as one struct
 */
#ifndef GST_RTP_CC_RECEIVER_SETTINGS_H
#define GST_RTP_CC_RECEIVER_SETTINGS_H

#include "rtpcc/common/enums.h"
#include "rtpcc/gccreceiver/feedback.h"

G_BEGIN_DECLS

enum {                          /* property ids; the element's own follow */
  GST_RTP_CC_RECEIVER_MIN_BITRATE = 1,
  GST_RTP_CC_RECEIVER_START_BITRATE,
  GST_RTP_CC_RECEIVER_MAX_BITRATE,
  GST_RTP_CC_RECEIVER_FEEDBACK_FORMAT,
  GST_RTP_CC_RECEIVER_FEEDBACK_INTERVAL,
  GST_RTP_CC_RECEIVER_RTCP_FRACTION,
  GST_RTP_CC_RECEIVER_PROFILE,
  GST_RTP_CC_RECEIVER_FILTER,
  GST_RTP_CC_RECEIVER_GROUPING,
  GST_RTP_CC_RECEIVER_THRESHOLD,
  GST_RTP_CC_RECEIVER_POST_MESSAGES,
  GST_RTP_CC_RECEIVER_N_SETTINGS
};

typedef struct {
  RccConfig limits;
  RccFeedbackFormat format;
  GstClockTime interval;        /* 0: the profile's */
  gdouble rtcp_fraction;
  RccGccProfile profile;
  GstRtpGccFilter filter;
  GstRtpGccGrouping grouping;
  GstRtpGccThreshold threshold;
  gboolean post_messages;
} GstRtpCcReceiverSettings;

/* In the element's class_init and init. */
void gst_rtp_cc_receiver_settings_install (GObjectClass *klass);
void gst_rtp_cc_receiver_settings_init (GstRtpCcReceiverSettings *settings);

/* FALSE when @id is none of the above. */
gboolean gst_rtp_cc_receiver_settings_set (GstRtpCcReceiverSettings *settings,
    guint id, const GValue *value);
gboolean gst_rtp_cc_receiver_settings_get (const GstRtpCcReceiverSettings *settings,
    guint id, GValue *value);

/* What they mean. */
GstRtpCcFeedbackConfig gst_rtp_cc_receiver_settings_config (
    const GstRtpCcReceiverSettings *settings);

G_END_DECLS
#endif
