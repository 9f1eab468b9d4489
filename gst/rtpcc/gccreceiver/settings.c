/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gccreceiver/settings.h"

#include "rtpcc/common/utils.h"

#define DEFAULT_MIN_BITRATE 10000
#define DEFAULT_START_BITRATE 300000
#define DEFAULT_MAX_BITRATE 30000000
#define DEFAULT_RTCP_FRACTION 0.05      /* RFC 3550 6.2 */
#define CCFB_INTERVAL (50 * GST_MSECOND)        /* RFC 8888: 50 to 200 ms */

#define GST_TYPE_RTP_GCC_FEEDBACK_FORMAT (feedback_format_get_type ())
static GType
feedback_format_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {RCC_FEEDBACK_REMB, "REMB (draft-alvestrand-rmcat-remb-03)", "remb"},
    {RCC_FEEDBACK_TMMBR, "TMMBR (RFC 5104)", "tmmbr"},
    {RCC_FEEDBACK_CCFB, "Arrivals, for the sender to estimate (RFC 8888)",
        "ccfb"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpGccFeedbackFormat", values);
}

void
gst_rtp_cc_receiver_settings_init (GstRtpCcReceiverSettings * s)
{
  *s = (GstRtpCcReceiverSettings) {
    .limits = { DEFAULT_MIN_BITRATE, DEFAULT_START_BITRATE,
      DEFAULT_MAX_BITRATE
  },.format = RCC_FEEDBACK_REMB,.rtcp_fraction =
        DEFAULT_RTCP_FRACTION,.profile = RCC_GCC_DEFAULT,};
}

GstRtpCcFeedbackConfig
gst_rtp_cc_receiver_settings_config (const GstRtpCcReceiverSettings * s)
{
  GstRtpCcFeedbackConfig config = {
    .gcc =
        gst_rtp_gcc_config (s->profile, s->filter, s->grouping, s->threshold),
    .limits = s->limits,
    .format = s->format,
    .rtcp_share = s->rtcp_fraction,
  };

  if (s->interval)
    config.gcc.feedback_interval = s->interval;
  else if (s->format == RCC_FEEDBACK_CCFB)
    config.gcc.feedback_interval = CCFB_INTERVAL;
  return config;
}

gboolean
gst_rtp_cc_receiver_settings_set (GstRtpCcReceiverSettings * s, guint id,
    const GValue * value)
{
  switch (id) {
    case GST_RTP_CC_RECEIVER_MIN_BITRATE:
      s->limits.min_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_RECEIVER_START_BITRATE:
      s->limits.start_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_RECEIVER_MAX_BITRATE:
      s->limits.max_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_RECEIVER_FEEDBACK_FORMAT:
      s->format = (RccFeedbackFormat) g_value_get_enum (value);
      break;
    case GST_RTP_CC_RECEIVER_FEEDBACK_INTERVAL:
      s->interval = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_RECEIVER_RTCP_FRACTION:
      s->rtcp_fraction = g_value_get_double (value);
      break;
    case GST_RTP_CC_RECEIVER_PROFILE:
      s->profile = (RccGccProfile) g_value_get_enum (value);
      break;
    case GST_RTP_CC_RECEIVER_FILTER:
      s->filter = (GstRtpGccFilter) g_value_get_enum (value);
      break;
    case GST_RTP_CC_RECEIVER_GROUPING:
      s->grouping = (GstRtpGccGrouping) g_value_get_enum (value);
      break;
    case GST_RTP_CC_RECEIVER_THRESHOLD:
      s->threshold = (GstRtpGccThreshold) g_value_get_enum (value);
      break;
    case GST_RTP_CC_RECEIVER_POST_MESSAGES:
      s->post_messages = g_value_get_boolean (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_rtp_cc_receiver_settings_get (const GstRtpCcReceiverSettings * s, guint id,
    GValue * value)
{
  switch (id) {
    case GST_RTP_CC_RECEIVER_MIN_BITRATE:
      g_value_set_uint (value, s->limits.min_bps);
      break;
    case GST_RTP_CC_RECEIVER_START_BITRATE:
      g_value_set_uint (value, s->limits.start_bps);
      break;
    case GST_RTP_CC_RECEIVER_MAX_BITRATE:
      g_value_set_uint (value, s->limits.max_bps);
      break;
    case GST_RTP_CC_RECEIVER_FEEDBACK_FORMAT:
      g_value_set_enum (value, s->format);
      break;
    case GST_RTP_CC_RECEIVER_FEEDBACK_INTERVAL:
      g_value_set_uint64 (value, s->interval);
      break;
    case GST_RTP_CC_RECEIVER_RTCP_FRACTION:
      g_value_set_double (value, s->rtcp_fraction);
      break;
    case GST_RTP_CC_RECEIVER_PROFILE:
      g_value_set_enum (value, s->profile);
      break;
    case GST_RTP_CC_RECEIVER_FILTER:
      g_value_set_enum (value, s->filter);
      break;
    case GST_RTP_CC_RECEIVER_GROUPING:
      g_value_set_enum (value, s->grouping);
      break;
    case GST_RTP_CC_RECEIVER_THRESHOLD:
      g_value_set_enum (value, s->threshold);
      break;
    case GST_RTP_CC_RECEIVER_POST_MESSAGES:
      g_value_set_boolean (value, s->post_messages);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_PLAYING)
#define START_SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS \
    | GST_PARAM_MUTABLE_READY)

static void
install_rate_properties (GObjectClass * klass)
{
  /**
   * GstRtpGccReceiver:min-bitrate:
   *
   * Lowest estimate in bit/s; wins over max-bitrate.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_MIN_BITRATE,
      g_param_spec_uint ("min-bitrate", "Minimum bitrate",
          "Lowest estimate in bit/s", 0, G_MAXUINT, DEFAULT_MIN_BITRATE,
          SETTING));
  /**
   * GstRtpGccReceiver:start-bitrate:
   *
   * Estimate in bit/s that the controller sets out from.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_START_BITRATE,
      g_param_spec_uint ("start-bitrate", "Start bitrate",
          "Estimate in bit/s to set out from", 0, G_MAXUINT,
          DEFAULT_START_BITRATE, START_SETTING));
  /**
   * GstRtpGccReceiver:max-bitrate:
   *
   * Highest estimate in bit/s.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "Highest estimate in bit/s", 0, G_MAXUINT, DEFAULT_MAX_BITRATE,
          SETTING));
}

static void
install_feedback_properties (GObjectClass * klass)
{
  /**
   * GstRtpGccReceiver:feedback-format:
   *
   * What the sender is told, and how.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_FEEDBACK_FORMAT,
      g_param_spec_enum ("feedback-format",
          "Feedback format", "What the sender is told, and how",
          GST_TYPE_RTP_GCC_FEEDBACK_FORMAT, RCC_FEEDBACK_REMB, START_SETTING));
  /**
   * GstRtpGccReceiver:feedback-interval:
   *
   * ns between feedback; 0: what the profile says, for RFC 8888 50 ms.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_FEEDBACK_INTERVAL,
      g_param_spec_uint64 ("feedback-interval",
          "Feedback interval",
          "Time in ns between feedback (0: the profile's; 50 ms " "for ccfb)",
          0, 60 * GST_SECOND, 0, SETTING));
  /**
   * GstRtpGccReceiver:rtcp-fraction:
   *
   * Share of the bandwidth that feedback may take (RFC 3550 6.2).
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_RTCP_FRACTION,
      g_param_spec_double ("rtcp-fraction",
          "RTCP fraction", "Share of the bandwidth that feedback may take",
          0.001, 1.0, DEFAULT_RTCP_FRACTION, SETTING));
  /**
   * GstRtpGccReceiver:post-messages:
   *
   * Post an element message `GstRtpGccReceiver` { state, usage (strings),
   * estimated-bitrate (guint, bit/s) } when the rate controller starts to decrease
   * and when it ceases to.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_POST_MESSAGES,
      g_param_spec_boolean ("post-messages",
          "Post messages",
          "Post an element message when the estimate starts and ceases "
          "to decrease", FALSE, SETTING));
}

static void
install_algorithm_properties (GObjectClass * klass)
{
  /**
   * GstRtpGccReceiver:profile:
   *
   * Constants of the controller.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_PROFILE,
      g_param_spec_enum ("profile", "Profile",
          "Constants of the controller", GST_TYPE_RTP_GCC_PROFILE,
          RCC_GCC_DEFAULT, START_SETTING));
  /**
   * GstRtpGccReceiver:filter:
   *
   * Arrival-time filter.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_FILTER,
      g_param_spec_enum ("filter", "Filter",
          "Arrival-time filter", GST_TYPE_RTP_GCC_FILTER,
          GST_RTP_GCC_FILTER_PROFILE, START_SETTING));
  /**
   * GstRtpGccReceiver:grouping:
   *
   * Pre-filter that merges what a channel outage delivered as one burst.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_GROUPING,
      g_param_spec_enum ("grouping", "Grouping",
          "How packets are grouped before the filter",
          GST_TYPE_RTP_GCC_GROUPING, GST_RTP_GCC_GROUPING_PROFILE,
          START_SETTING));
  /**
   * GstRtpGccReceiver:threshold:
   *
   * Constants of the over-use detector's adaptive threshold.
   */
  g_object_class_install_property (klass, GST_RTP_CC_RECEIVER_THRESHOLD,
      g_param_spec_enum ("threshold", "Threshold",
          "Constants of the over-use detector's threshold",
          GST_TYPE_RTP_GCC_THRESHOLD, GST_RTP_GCC_THRESHOLD_PROFILE,
          START_SETTING));
}

void
gst_rtp_cc_receiver_settings_install (GObjectClass * klass)
{
  install_rate_properties (klass);
  install_feedback_properties (klass);
  install_algorithm_properties (klass);
  gst_type_mark_as_plugin_api (GST_TYPE_RTP_GCC_FEEDBACK_FORMAT, 0);
}
