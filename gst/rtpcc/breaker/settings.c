/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/breaker/settings.h"

static const RccChoice scope_values[] = {
  { GST_RTP_CIRCUIT_BREAKER_SSRC, "Each SSRC for itself", "ssrc" },
  { GST_RTP_CIRCUIT_BREAKER_SESSION, "What stops one SSRC stops all", "session" },
  { 0, NULL, NULL },
};
static const RccChoices scopes = { "CircuitBreakerScope", scope_values };

static const RccChoice action_values[] = {
  { GST_RTP_CIRCUIT_BREAKER_STOP, "Drop RTP until the reset", "stop" },
  { GST_RTP_CIRCUIT_BREAKER_EOS, "End the stream", "eos" },
  { GST_RTP_CIRCUIT_BREAKER_ERROR, "Stop the pipeline with an error", "error" },
  { GST_RTP_CIRCUIT_BREAKER_NOTIFY_ONLY, "Say so and let RTP pass", "notify-only" },
  { 0, NULL, NULL },
};
static const RccChoices actions = { "CircuitBreakerAction", action_values };

#define S GstRtpCcBreakerSettings

static const RccSetting rows[] = {
  RCC_SETTING_CHOICE (S, scope, "scope", true, &scopes,
      "Whether what stops one SSRC stops the others too", "RFC 8083 8"),
  RCC_SETTING_CHOICE (S, action, "action", true, &actions,
      "What to do when it opens (eos, error: when no SSRC is left)", NULL),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart properties[] = {
  { rcc_breaker_settings, G_STRUCT_OFFSET (S, config) }, { rows, 0 }, { NULL, 0 },
};

static const GstRtpCcSettingsPart tuning[] = { { rcc_breaker_rules, 0 }, { NULL, 0 } };

static void
init (gpointer settings)
{
  *(S *) settings = (S) {
    .config = rcc_breaker_config (RCC_BREAKER_RFC8083), .action = GST_RTP_CIRCUIT_BREAKER_STOP,
  };
}

const GstRtpCcSettings gst_rtp_cc_breaker_settings = {
  sizeof (S), init, properties, tuning, G_STRUCT_OFFSET (S, tuning)
};

RccBreakerConfig
gst_rtp_cc_breaker_settings_config (const GstRtpCcBreakerSettings *s)
{
  RccBreakerConfig config = s->config, fixed;

  gst_rtp_cc_settings_tune (&gst_rtp_cc_breaker_settings, s, &config);
  fixed = rcc_breaker_config (config.mode);
  config.media_timeout_reports = fixed.media_timeout_reports;
  gst_rtp_cc_settings_tune (&gst_rtp_cc_breaker_settings, s, &config);
  config.ecn_as_loss |= fixed.ecn_as_loss;
  config.together = s->scope == GST_RTP_CIRCUIT_BREAKER_SESSION;
  return config;
}
