/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbrareceiver/settings.h - rtpfbrareceiver's writable properties as one struct
 */
#ifndef GST_RTP_CC_FBRA_RECEIVER_SETTINGS_H
#define GST_RTP_CC_FBRA_RECEIVER_SETTINGS_H

#include "rtpcc/common/settings.h"
#include "rtpcc/fbrareceiver/feedback.h"

typedef struct {
  GstRtpCcFbraFeedbackConfig feedback;
  bool drop_late;
} GstRtpCcFbraReceiverSettings;

extern const GstRtpCcSettings gst_rtp_cc_fbra_receiver_settings;

#endif
