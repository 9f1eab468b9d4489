/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gccsender/settings.h"

#include "wire/ulpfec.h"

#define DEFAULT_MAX_QUEUE_TIME (2 * GST_SECOND)
#define DEFAULT_FEC_PT 122      /* as rtpfbrafec */
#define FROM_PROFILE GST_CLOCK_TIME_NONE

#define RW (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

static void
install_bitrates (GObjectClass * klass)
{
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_MIN_BITRATE,
      g_param_spec_uint ("min-bitrate", "Minimum bitrate",
          "Smallest target, whatever the network says (bit/s); wins over max-bitrate",
          GST_RTP_CC_BITRATE_FLOOR, G_MAXUINT, GST_RTP_CC_MIN_BITRATE_DEFAULT,
          RW | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_START_BITRATE,
      g_param_spec_uint ("start-bitrate", "Start bitrate",
          "Target until the first feedback (bit/s)", GST_RTP_CC_BITRATE_FLOOR, G_MAXUINT,
          GST_RTP_CC_START_BITRATE_DEFAULT, RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "Largest target, for media, repair and padding together (bit/s)",
          GST_RTP_CC_BITRATE_FLOOR, G_MAXUINT, GST_RTP_CC_MAX_BITRATE_DEFAULT,
          RW | GST_PARAM_MUTABLE_PLAYING));
}

static void
install_algorithm (GObjectClass * klass)
{
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_PROFILE,
      g_param_spec_enum ("profile", "Profile",
          "Which set of constants and additions to use; takes effect in READY or at reset",
          GST_TYPE_RTP_GCC_PROFILE, RCC_GCC_DEFAULT,
          RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_FILTER,
      g_param_spec_enum ("filter", "Arrival-time filter",
          "How the delay gradient is estimated from transport feedback",
          GST_TYPE_RTP_GCC_FILTER, GST_RTP_GCC_FILTER_PROFILE,
          RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_GROUPING,
      g_param_spec_enum ("grouping", "Packet grouping",
          "Whether packets that arrive in a burst are merged before the filter",
          GST_TYPE_RTP_GCC_GROUPING, GST_RTP_GCC_GROUPING_PROFILE,
          RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_THRESHOLD,
      g_param_spec_enum ("threshold", "Threshold constants",
          "How the over-use threshold adapts", GST_TYPE_RTP_GCC_THRESHOLD,
          GST_RTP_GCC_THRESHOLD_PROFILE, RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_PACING_FACTOR,
      g_param_spec_double ("pacing-factor", "Pacing factor",
          "Packets leave at this multiple of the target (0 = what the profile says)",
          0.0, 10.0, 0.0, RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_FEEDBACK_TIMEOUT,
      g_param_spec_uint64 ("feedback-timeout", "Feedback timeout",
          "The target halves each time no feedback came for so "
          "long, or for two of the peer's own intervals where those are longer (ns; "
          "18446744073709551615 = what the profile says)", 10 * GST_MSECOND,
          G_MAXUINT64, FROM_PROFILE, RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_PROBE_INTERVAL,
      g_param_spec_uint64 ("probe-interval", "Probe interval",
          "Time between probes once the start is over (ns; 0 = never "
          "probe, 18446744073709551615 = what the profile says)", 0,
          G_MAXUINT64, FROM_PROFILE, RW | GST_PARAM_MUTABLE_READY));
}

static void
install_rest (GObjectClass * klass)
{
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_MAX_QUEUE_TIME,
      g_param_spec_uint64 ("max-queue-time",
          "Maximum queue time",
          "What has waited longer than this to leave is dropped, with its "
          "frame and those up to the next key frame (ns); takes effect in "
          "READY or at reset", 0,
          G_MAXUINT64, DEFAULT_MAX_QUEUE_TIME, RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_ABS_SEND_TIME_ID,
      g_param_spec_uint ("abs-send-time-id", "abs-send-time id",
          "Id of the abs-send-time header extension where the caps do "
          "not name it, as behind rtpfunnel (0 = none)", 0, 255, 0,
          RW | GST_PARAM_MUTABLE_READY));
}

/* As rtpfbrafec's of the same names. */
static void
install_parity (GObjectClass * klass)
{
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_PROTECTION,
      g_param_spec_uint ("protection", "Protection",
          "Media packets per packet of parity (RFC 5109), which repairs losses "
          "where a round trip is too long for retransmissions; its share is "
          "taken from the target (0 = no parity)", 0, RCC_ULPFEC_SPAN_LONG,
          0, RW | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_FEC_PAYLOAD_TYPE,
      g_param_spec_uint ("fec-payload-type", "FEC payload type",
          "RTP payload type of parity packets, other than the media's; takes "
          "effect in READY or at reset", 0, 127, DEFAULT_FEC_PT,
          RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_SENDER_PROTECT_SSRC,
      g_param_spec_uint ("protect-ssrc", "Protected SSRC",
          "The one stream that parity is made of (0 = the caps' or the first "
          "that passes); takes effect in READY or at reset", 0, G_MAXUINT, 0,
          RW | GST_PARAM_MUTABLE_READY));
}

void
gst_rtp_cc_sender_settings_install (GObjectClass * klass)
{
  install_bitrates (klass);
  install_algorithm (klass);
  install_rest (klass);
  install_parity (klass);
}

void
gst_rtp_cc_sender_settings_init (GstRtpCcSenderSettings * s)
{
  *s = (GstRtpCcSenderSettings) {
    .limits = { GST_RTP_CC_MIN_BITRATE_DEFAULT, GST_RTP_CC_START_BITRATE_DEFAULT,
      GST_RTP_CC_MAX_BITRATE_DEFAULT
  },.profile = RCC_GCC_DEFAULT,.filter =
        GST_RTP_GCC_FILTER_PROFILE,.grouping =
        GST_RTP_GCC_GROUPING_PROFILE,.threshold =
        GST_RTP_GCC_THRESHOLD_PROFILE,.max_queue_time =
        DEFAULT_MAX_QUEUE_TIME,.feedback_timeout =
        FROM_PROFILE,.probe_interval = FROM_PROFILE,.fec_pt = DEFAULT_FEC_PT,};
}

gboolean
gst_rtp_cc_sender_settings_set (GstRtpCcSenderSettings * s, guint id,
    const GValue * value)
{
  switch (id) {
    case GST_RTP_CC_SENDER_MIN_BITRATE:
      s->limits.min_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_SENDER_START_BITRATE:
      s->limits.start_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_SENDER_MAX_BITRATE:
      s->limits.max_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_SENDER_PROFILE:
      s->profile = g_value_get_enum (value);
      break;
    case GST_RTP_CC_SENDER_FILTER:
      s->filter = g_value_get_enum (value);
      break;
    case GST_RTP_CC_SENDER_GROUPING:
      s->grouping = g_value_get_enum (value);
      break;
    case GST_RTP_CC_SENDER_THRESHOLD:
      s->threshold = g_value_get_enum (value);
      break;
    case GST_RTP_CC_SENDER_PACING_FACTOR:
      s->pacing_factor = g_value_get_double (value);
      break;
    case GST_RTP_CC_SENDER_MAX_QUEUE_TIME:
      s->max_queue_time = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_SENDER_FEEDBACK_TIMEOUT:
      s->feedback_timeout = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_SENDER_PROBE_INTERVAL:
      s->probe_interval = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_SENDER_ABS_SEND_TIME_ID:
      s->abs_send_time_id = g_value_get_uint (value);
      break;
    case GST_RTP_CC_SENDER_PROTECTION:
      s->protection = g_value_get_uint (value);
      break;
    case GST_RTP_CC_SENDER_FEC_PAYLOAD_TYPE:
      s->fec_pt = g_value_get_uint (value);
      break;
    case GST_RTP_CC_SENDER_PROTECT_SSRC:
      s->protect_ssrc = g_value_get_uint (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_rtp_cc_sender_settings_get (const GstRtpCcSenderSettings * s, guint id,
    GValue * value)
{
  switch (id) {
    case GST_RTP_CC_SENDER_MIN_BITRATE:
      g_value_set_uint (value, s->limits.min_bps);
      break;
    case GST_RTP_CC_SENDER_START_BITRATE:
      g_value_set_uint (value, s->limits.start_bps);
      break;
    case GST_RTP_CC_SENDER_MAX_BITRATE:
      g_value_set_uint (value, s->limits.max_bps);
      break;
    case GST_RTP_CC_SENDER_PROFILE:
      g_value_set_enum (value, s->profile);
      break;
    case GST_RTP_CC_SENDER_FILTER:
      g_value_set_enum (value, s->filter);
      break;
    case GST_RTP_CC_SENDER_GROUPING:
      g_value_set_enum (value, s->grouping);
      break;
    case GST_RTP_CC_SENDER_THRESHOLD:
      g_value_set_enum (value, s->threshold);
      break;
    case GST_RTP_CC_SENDER_PACING_FACTOR:
      g_value_set_double (value, s->pacing_factor);
      break;
    case GST_RTP_CC_SENDER_MAX_QUEUE_TIME:
      g_value_set_uint64 (value, s->max_queue_time);
      break;
    case GST_RTP_CC_SENDER_FEEDBACK_TIMEOUT:
      g_value_set_uint64 (value, s->feedback_timeout);
      break;
    case GST_RTP_CC_SENDER_PROBE_INTERVAL:
      g_value_set_uint64 (value, s->probe_interval);
      break;
    case GST_RTP_CC_SENDER_ABS_SEND_TIME_ID:
      g_value_set_uint (value, s->abs_send_time_id);
      break;
    case GST_RTP_CC_SENDER_PROTECTION:
      g_value_set_uint (value, s->protection);
      break;
    case GST_RTP_CC_SENDER_FEC_PAYLOAD_TYPE:
      g_value_set_uint (value, s->fec_pt);
      break;
    case GST_RTP_CC_SENDER_PROTECT_SSRC:
      g_value_set_uint (value, s->protect_ssrc);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

RccGccConfig
gst_rtp_cc_sender_settings_config (const GstRtpCcSenderSettings * s)
{
  RccGccConfig config = gst_rtp_gcc_config (s->profile, s->filter, s->grouping,
      s->threshold);

  if (s->pacing_factor > 0)
    config.pacing_factor = s->pacing_factor;
  if (s->feedback_timeout != FROM_PROFILE)
    config.feedback_timeout = s->feedback_timeout;
  if (s->probe_interval == 0)
    config.probe_factor = 0;
  else if (s->probe_interval != FROM_PROFILE)
    config.probe_interval = s->probe_interval;
  return config;
}
