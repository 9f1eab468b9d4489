/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gccreceiver/settings.h - rtpgccreceiver's writable properties as one struct
 */
#ifndef GST_RTP_CC_RECEIVER_SETTINGS_H
#define GST_RTP_CC_RECEIVER_SETTINGS_H

#include "rtpcc/common/settings.h"
#include "rtpcc/gccreceiver/feedback.h"

typedef struct {
  RccConfig limits;
  gint profile, format;         /* RccGccProfile; RccFeedbackFormat or auto */
  GstClockTime interval;        /* 0: the profile's */
  bool post_messages;
  GstRtpCcTuning tuning;        /* of GstRtpCcFeedbackConfig */
} GstRtpCcReceiverSettings;

extern const GstRtpCcSettings gst_rtp_cc_receiver_settings;

void gst_rtp_cc_receiver_settings_init (gpointer settings);     /* one of those */

/* What they mean. */
GstRtpCcFeedbackConfig gst_rtp_cc_receiver_settings_config (
    const GstRtpCcReceiverSettings *settings);

#endif
