/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/settings.h - rtpcircuitbreaker's writable properties as one struct
 */
#ifndef GST_RTP_CC_BREAKER_SETTINGS_H
#define GST_RTP_CC_BREAKER_SETTINGS_H

#include <gst/gst.h>
#include "core/breaker/breaker.h"

G_BEGIN_DECLS

enum {                          /* property ids; the element's own follow */
  GST_RTP_CC_BREAKER_MODE = 1,
  GST_RTP_CC_BREAKER_TCP_MODEL,
  GST_RTP_CC_BREAKER_MULTIPLIER,
  GST_RTP_CC_BREAKER_REDUCE_FIRST,
  GST_RTP_CC_BREAKER_SCOPE,
  GST_RTP_CC_BREAKER_ACTION,
  GST_RTP_CC_BREAKER_REQUIRE_RTCP,
  GST_RTP_CC_BREAKER_ECN_AS_LOSS,
  GST_RTP_CC_BREAKER_MEDIA_TIMEOUT_REPORTS,
  GST_RTP_CC_BREAKER_FRAME_GROUP_SIZE,
  GST_RTP_CC_BREAKER_FRAME_INTERVAL,
  GST_RTP_CC_BREAKER_RTCP_MIN_INTERVAL,
  GST_RTP_CC_BREAKER_RTCP_RR_INTERVAL,
  GST_RTP_CC_BREAKER_BANDWIDTH,
  GST_RTP_CC_BREAKER_RTCP_FRACTION,
  GST_RTP_CC_BREAKER_MEDIA_USABILITY,
  GST_RTP_CC_BREAKER_UNUSABLE_LOSS,
  GST_RTP_CC_BREAKER_UNUSABLE_DELAY,
  GST_RTP_CC_BREAKER_UNUSABLE_TIME,
  GST_RTP_CC_BREAKER_N_SETTINGS
};

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

/* Values of #RccBreakerState. */
#define GST_TYPE_RTP_CIRCUIT_BREAKER_STATE (gst_rtp_circuit_breaker_state_get_type ())
GType gst_rtp_circuit_breaker_state_get_type (void);

typedef struct {
  RccBreakerConfig config;      /* as the properties have it */
  GstRtpCircuitBreakerAction action;
} GstRtpCcBreakerSettings;

/* In the element's class_init and init. */
void gst_rtp_cc_breaker_settings_install (GObjectClass *klass);
void gst_rtp_cc_breaker_settings_init (GstRtpCcBreakerSettings *settings);

/* FALSE when @id is none of the above. */
gboolean gst_rtp_cc_breaker_settings_set (GstRtpCcBreakerSettings *settings, guint id,
    const GValue *value);
gboolean gst_rtp_cc_breaker_settings_get (const GstRtpCcBreakerSettings *settings,
    guint id, GValue *value);

/* What they mean: what the mode fixes wins where a property says "as the mode". */
RccBreakerConfig gst_rtp_cc_breaker_settings_config (
    const GstRtpCcBreakerSettings *settings);

G_END_DECLS
#endif
