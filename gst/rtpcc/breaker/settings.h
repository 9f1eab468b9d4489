/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/settings.h - rtpcircuitbreaker's writable properties as one struct
 */
#ifndef GST_RTP_CC_BREAKER_SETTINGS_H
#define GST_RTP_CC_BREAKER_SETTINGS_H

#include "core/breaker/breaker.h"
#include "rtpcc/common/settings.h"

typedef enum {
  GST_RTP_CIRCUIT_BREAKER_SSRC,
  GST_RTP_CIRCUIT_BREAKER_SESSION,
} GstRtpCircuitBreakerScope;

typedef enum {
  GST_RTP_CIRCUIT_BREAKER_STOP,
  GST_RTP_CIRCUIT_BREAKER_EOS,
  GST_RTP_CIRCUIT_BREAKER_ERROR,
  GST_RTP_CIRCUIT_BREAKER_NOTIFY_ONLY,
} GstRtpCircuitBreakerAction;

typedef struct {
  RccBreakerConfig config;      /* but for .together */
  gint scope, action;           /* GstRtpCircuitBreaker... */
  GstRtpCcTuning tuning;        /* of rcc_breaker_rules */
} GstRtpCcBreakerSettings;

extern const GstRtpCcSettings gst_rtp_cc_breaker_settings;

/* What they mean: what the mode fixes wins where no tuning says otherwise. */
RccBreakerConfig gst_rtp_cc_breaker_settings_config (
    const GstRtpCcBreakerSettings *settings);

#endif
