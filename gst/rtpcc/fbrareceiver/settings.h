/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbrareceiver/settings.h - rtpfbrareceiver's writable properties as one struct
 */
#ifndef GST_RTP_CC_FBRA_RECEIVER_SETTINGS_H
#define GST_RTP_CC_FBRA_RECEIVER_SETTINGS_H

#include "rtpcc/fbrareceiver/feedback.h"

G_BEGIN_DECLS

enum {                          /* property ids; the element's own follow */
  GST_RTP_CC_FBRA_RECEIVER_FEEDBACK_INTERVAL = 1,
  GST_RTP_CC_FBRA_RECEIVER_RTCP_FRACTION,
  GST_RTP_CC_FBRA_RECEIVER_EARLY,
  GST_RTP_CC_FBRA_RECEIVER_RECEIPT_TIMES,
  GST_RTP_CC_FBRA_RECEIVER_MAX_DELAY,
  GST_RTP_CC_FBRA_RECEIVER_DROP_LATE,
  GST_RTP_CC_FBRA_RECEIVER_N_SETTINGS
};

typedef struct {
  GstRtpCcFbraFeedbackConfig feedback;
  gboolean drop_late;
} GstRtpCcFbraReceiverSettings;

/* In the element's class_init and init. */
void gst_rtp_cc_fbra_receiver_settings_install (GObjectClass *klass);
void gst_rtp_cc_fbra_receiver_settings_init (GstRtpCcFbraReceiverSettings *settings);

/* FALSE when @id is none of the above. */
gboolean gst_rtp_cc_fbra_receiver_settings_set (GstRtpCcFbraReceiverSettings *settings,
    guint id, const GValue *value);
gboolean gst_rtp_cc_fbra_receiver_settings_get (
    const GstRtpCcFbraReceiverSettings *settings, guint id, GValue *value);

G_END_DECLS
#endif
