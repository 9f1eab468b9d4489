/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gccreceiver/settings.h"

#define CCFB_INTERVAL (50 * GST_MSECOND)        /* RFC 8888: 50 to 200 ms */

#define AUTO 100                /* beside RccFeedbackFormat */

static const RccChoice format_values[] = {
  { RCC_FEEDBACK_REMB, "REMB (draft-alvestrand-rmcat-remb-03)", "remb" },
  { RCC_FEEDBACK_TMMBR, "TMMBR (RFC 5104)", "tmmbr" },
  { RCC_FEEDBACK_CCFB, "Arrivals, for the sender to estimate (RFC 8888)", "ccfb" },
  { AUTO, "REMB, or nothing where the session itself reports transport-wide numbers", "auto" },
  { 0, NULL, NULL },
};
static const RccChoices formats = { "GccFeedbackFormat", format_values };

#define S GstRtpCcReceiverSettings
#define RATE(member, name, live, text) \
  RCC_SETTING (S, limits.member, name, RCC_SET_U32, live, "bit/s", 0, UINT32_MAX, text, NULL)

static const RccSetting rows[] = {
  RATE (min_bps, "min-bitrate", true, "Lowest estimate; wins over max-bitrate"),
  RATE (start_bps, "start-bitrate", false, "Estimate to set out from"),
  RATE (max_bps, "max-bitrate", true, "Highest estimate"),
  RCC_SETTING_CHOICE (S, format, "feedback-format", false, &formats,
      "What the sender is told, and how", NULL),
  RCC_SETTING (S, interval, "feedback-interval", RCC_SET_TIME, true, "ns", 0, 60.0 * GST_SECOND,
      "Time between feedback; 0: the profile's, 50 ms for ccfb", "RFC 8888"),
  RCC_SETTING (S, post_messages, "post-messages", RCC_SET_BOOL, true, "", 0, 1,
      "Post an element message when the estimate starts and ceases to decrease", NULL),
  RCC_SETTING_CHOICE (S, profile, "profile", false, &rcc_gcc_profiles,
      "Constants of the controller", NULL),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart properties[] = { { rows, 0 }, { NULL, 0 } };

static const RccSetting share[] = {
  RCC_SETTING (GstRtpCcFeedbackConfig, rtcp_share, "rtcp-fraction", RCC_SET_DOUBLE, true, "",
      0.001, 1, "Share of the bandwidth that feedback may take", "RFC 3550 6.2: 0.05"),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart tuning[] = {
  { rcc_gcc_settings, G_STRUCT_OFFSET (GstRtpCcFeedbackConfig, gcc) }, { share, 0 }, { NULL, 0 },
};

const GstRtpCcSettings gst_rtp_cc_receiver_settings = {
  sizeof (S), gst_rtp_cc_receiver_settings_init, properties, tuning,
  G_STRUCT_OFFSET (S, tuning)
};

void
gst_rtp_cc_receiver_settings_init (gpointer settings)
{
  *(S *) settings = (S) {
    .limits = { 10000, 300000, 30000000 }, .profile = RCC_GCC_DEFAULT,
    .format = RCC_FEEDBACK_REMB,
  };
}

GstRtpCcFeedbackConfig
gst_rtp_cc_receiver_settings_config (const GstRtpCcReceiverSettings *s)
{
  GstRtpCcFeedbackConfig config = {
    .gcc = rcc_gcc_config ((RccGccProfile) s->profile), .limits = s->limits,
    .format = s->format == AUTO ? RCC_FEEDBACK_REMB : (RccFeedbackFormat) s->format,
    .yields = s->format == AUTO, .rtcp_share = 0.05,
  };

  if (s->format == RCC_FEEDBACK_CCFB)
    config.gcc.feedback_interval = CCFB_INTERVAL;
  gst_rtp_cc_settings_tune (&gst_rtp_cc_receiver_settings, s, &config);
  if (s->interval)
    config.gcc.feedback_interval = s->interval;
  return config;
}
