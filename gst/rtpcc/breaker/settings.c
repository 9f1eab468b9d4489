/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/breaker/settings.h"

#include "rtpcc/common/utils.h"

#define DEFAULT_MULTIPLIER 10.0 /* RFC 8083 4.3 */
#define DEFAULT_RTCP_FRACTION 0.05      /* RFC 3550 6.2 */
#define DEFAULT_UNUSABLE_LOSS 0.5
#define DEFAULT_UNUSABLE_DELAY GST_SECOND
#define DEFAULT_UNUSABLE_TIME (20 * GST_SECOND)

GType
gst_rtp_circuit_breaker_state_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {RCC_BREAKER_CLOSED, "RTP passes", "closed"},
    {RCC_BREAKER_REDUCED,
          "RTP passes at a tenth of its rate, to see whether that helps",
        "reduced"},
    {RCC_BREAKER_OPEN, "RTP does not pass", "open"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpCircuitBreakerState", values);
}

static GType
mode_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {RCC_BREAKER_RFC8083, "RFC 8083", "rfc8083"},
    {RCC_BREAKER_DRAFT2014,
          "The draft of 2014, as the LTE evaluation used it: two reports decide",
        "draft2014"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpCircuitBreakerMode", values);
}

static GType
model_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {RCC_TCP_MATHIS,
          "Mathis et al.: simple, and slow to trigger at short round-trip times",
        "mathis"},
    {RCC_TCP_PADHYE,
          "Padhye et al., with timeouts: triggers earlier (advised for LTE)",
        "padhye"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpCircuitBreakerTcpModel", values);
}

static GType
scope_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_CIRCUIT_BREAKER_SSRC, "Each SSRC for itself", "ssrc"},
    {GST_RTP_CIRCUIT_BREAKER_SESSION, "What stops one SSRC stops all",
        "session"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpCircuitBreakerScope", values);
}

static GType
action_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_CIRCUIT_BREAKER_STOP, "Drop RTP until the reset", "stop"},
    {GST_RTP_CIRCUIT_BREAKER_EOS, "End the stream", "eos"},
    {GST_RTP_CIRCUIT_BREAKER_ERROR, "Stop the pipeline with an error", "error"},
    {GST_RTP_CIRCUIT_BREAKER_NOTIFY_ONLY, "Say so and let RTP pass",
        "notify-only"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpCircuitBreakerAction", values);
}

void
gst_rtp_cc_breaker_settings_init (GstRtpCcBreakerSettings * s)
{
  *s = (GstRtpCcBreakerSettings) {
  .config = rcc_breaker_config (RCC_BREAKER_RFC8083),.action =
        GST_RTP_CIRCUIT_BREAKER_STOP,};
  s->config.media_timeout_reports = 0;
}

RccBreakerConfig
gst_rtp_cc_breaker_settings_config (const GstRtpCcBreakerSettings * s)
{
  const RccBreakerConfig fixed = rcc_breaker_config (s->config.mode);
  RccBreakerConfig config = s->config;

  if (config.media_timeout_reports == 0)
    config.media_timeout_reports = fixed.media_timeout_reports;
  config.ecn_as_loss |= fixed.ecn_as_loss;
  if (config.frame_interval == 0)
    config.frame_interval = RCC_NEVER;
  return config;
}

gboolean
gst_rtp_cc_breaker_settings_set (GstRtpCcBreakerSettings * s, guint id,
    const GValue * value)
{
  RccBreakerConfig *c = &s->config;

  switch (id) {
    case GST_RTP_CC_BREAKER_MODE:
      c->mode = (RccBreakerMode) g_value_get_enum (value);
      break;
    case GST_RTP_CC_BREAKER_TCP_MODEL:
      c->model = (RccTcpModel) g_value_get_enum (value);
      break;
    case GST_RTP_CC_BREAKER_MULTIPLIER:
      c->multiplier = g_value_get_double (value);
      break;
    case GST_RTP_CC_BREAKER_REDUCE_FIRST:
      c->reduce_first = g_value_get_boolean (value);
      break;
    case GST_RTP_CC_BREAKER_SCOPE:
      c->together = g_value_get_enum (value) == GST_RTP_CIRCUIT_BREAKER_SESSION;
      break;
    case GST_RTP_CC_BREAKER_ACTION:
      s->action = (GstRtpCircuitBreakerAction) g_value_get_enum (value);
      break;
    case GST_RTP_CC_BREAKER_REQUIRE_RTCP:
      c->require_rtcp = g_value_get_boolean (value);
      break;
    case GST_RTP_CC_BREAKER_ECN_AS_LOSS:
      c->ecn_as_loss = g_value_get_boolean (value);
      break;
    case GST_RTP_CC_BREAKER_MEDIA_TIMEOUT_REPORTS:
      c->media_timeout_reports = g_value_get_uint (value);
      break;
    case GST_RTP_CC_BREAKER_FRAME_GROUP_SIZE:
      c->frame_group = g_value_get_uint (value);
      break;
    case GST_RTP_CC_BREAKER_FRAME_INTERVAL:
      c->frame_interval = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_BREAKER_RTCP_MIN_INTERVAL:
      c->rtcp_min_interval = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_BREAKER_RTCP_RR_INTERVAL:
      c->rr_interval = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_BREAKER_BANDWIDTH:
      c->bandwidth_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_BREAKER_RTCP_FRACTION:
      c->rtcp_fraction = g_value_get_double (value);
      break;
    case GST_RTP_CC_BREAKER_MEDIA_USABILITY:
      c->usability = g_value_get_boolean (value);
      break;
    case GST_RTP_CC_BREAKER_UNUSABLE_LOSS:
      c->unusable_loss = g_value_get_double (value);
      break;
    case GST_RTP_CC_BREAKER_UNUSABLE_DELAY:
      c->unusable_delay = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_BREAKER_UNUSABLE_TIME:
      c->unusable_time = g_value_get_uint64 (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_rtp_cc_breaker_settings_get (const GstRtpCcBreakerSettings * s, guint id,
    GValue * value)
{
  const RccBreakerConfig *c = &s->config;

  switch (id) {
    case GST_RTP_CC_BREAKER_MODE:
      g_value_set_enum (value, c->mode);
      break;
    case GST_RTP_CC_BREAKER_TCP_MODEL:
      g_value_set_enum (value, c->model);
      break;
    case GST_RTP_CC_BREAKER_MULTIPLIER:
      g_value_set_double (value, c->multiplier);
      break;
    case GST_RTP_CC_BREAKER_REDUCE_FIRST:
      g_value_set_boolean (value, c->reduce_first);
      break;
    case GST_RTP_CC_BREAKER_SCOPE:
      g_value_set_enum (value, c->together ? GST_RTP_CIRCUIT_BREAKER_SESSION
          : GST_RTP_CIRCUIT_BREAKER_SSRC);
      break;
    case GST_RTP_CC_BREAKER_ACTION:
      g_value_set_enum (value, s->action);
      break;
    case GST_RTP_CC_BREAKER_REQUIRE_RTCP:
      g_value_set_boolean (value, c->require_rtcp);
      break;
    case GST_RTP_CC_BREAKER_ECN_AS_LOSS:
      g_value_set_boolean (value, c->ecn_as_loss);
      break;
    case GST_RTP_CC_BREAKER_MEDIA_TIMEOUT_REPORTS:
      g_value_set_uint (value, c->media_timeout_reports);
      break;
    case GST_RTP_CC_BREAKER_FRAME_GROUP_SIZE:
      g_value_set_uint (value, c->frame_group);
      break;
    case GST_RTP_CC_BREAKER_FRAME_INTERVAL:
      g_value_set_uint64 (value, c->frame_interval == RCC_NEVER ? 0
          : c->frame_interval);
      break;
    case GST_RTP_CC_BREAKER_RTCP_MIN_INTERVAL:
      g_value_set_uint64 (value, c->rtcp_min_interval);
      break;
    case GST_RTP_CC_BREAKER_RTCP_RR_INTERVAL:
      g_value_set_uint64 (value, c->rr_interval);
      break;
    case GST_RTP_CC_BREAKER_BANDWIDTH:
      g_value_set_uint (value, c->bandwidth_bps);
      break;
    case GST_RTP_CC_BREAKER_RTCP_FRACTION:
      g_value_set_double (value, c->rtcp_fraction);
      break;
    case GST_RTP_CC_BREAKER_MEDIA_USABILITY:
      g_value_set_boolean (value, c->usability);
      break;
    case GST_RTP_CC_BREAKER_UNUSABLE_LOSS:
      g_value_set_double (value, c->unusable_loss);
      break;
    case GST_RTP_CC_BREAKER_UNUSABLE_DELAY:
      g_value_set_uint64 (value, c->unusable_delay);
      break;
    case GST_RTP_CC_BREAKER_UNUSABLE_TIME:
      g_value_set_uint64 (value, c->unusable_time);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)

static void
install_rules (GObjectClass * klass)
{
  /**
   * GstRtpCircuitBreaker:mode:
   *
   * Whose rules: the RFC's, or those of the draft that "An Evaluation of RTP Circuit
   * Breaker Performance on LTE Networks" (2014) evaluated.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_MODE,
      g_param_spec_enum ("mode", "Mode",
          "Whose rules decide: the RFC's or the draft's", mode_get_type (),
          RCC_BREAKER_RFC8083, SETTING));
  /**
   * GstRtpCircuitBreaker:tcp-model:
   *
   * How the throughput of a TCP connection on the path is estimated (RFC 8083 4.3).
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_TCP_MODEL,
      g_param_spec_enum ("tcp-model", "TCP model",
          "How the throughput of TCP on this path is estimated",
          model_get_type (), RCC_TCP_MATHIS, SETTING));
  /**
   * GstRtpCircuitBreaker:multiplier:
   *
   * How many times TCP's throughput may be sent; 10 in RFC 8083 4.3.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_MULTIPLIER,
      g_param_spec_double ("multiplier", "Multiplier",
          "How many times TCP's throughput may be sent", 0.01, 10000,
          DEFAULT_MULTIPLIER, SETTING));
  /**
   * GstRtpCircuitBreaker:reduce-first:
   *
   * On congestion ask for a tenth of the rate first, and stop only if that does not
   * help within as many reports again (RFC 8083 4.3).
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_REDUCE_FIRST,
      g_param_spec_boolean ("reduce-first", "Reduce first",
          "On congestion try a tenth of the rate before stopping", FALSE,
          SETTING));
  /**
   * GstRtpCircuitBreaker:scope:
   *
   * Whether what stops one SSRC stops the others too (RFC 8083 8). A want of RTCP
   * stops all in any case.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_SCOPE,
      g_param_spec_enum ("scope", "Scope",
          "Whether what stops one SSRC stops the others too",
          scope_get_type (), GST_RTP_CIRCUIT_BREAKER_SSRC, SETTING));
  /**
   * GstRtpCircuitBreaker:action:
   *
   * What to do when the breaker opens. "eos" and "error" wait until no SSRC may be
   * sent any more; then "error" posts its message at once and "eos" ends the stream with
   * the next packet that comes. A reset does not undo an end: flush, or start anew.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_ACTION,
      g_param_spec_enum ("action", "Action",
          "What to do when it opens (eos, error: when no SSRC is left)",
          action_get_type (), GST_RTP_CIRCUIT_BREAKER_STOP, SETTING));
  /**
   * GstRtpCircuitBreaker:require-rtcp:
   *
   * Whether RTCP that stays away opens the breaker (RFC 8083 4.1). Set this to FALSE
   * only for a peer that is known not to send RTCP, on a network that cannot be
   * congested: without RTCP nothing else stops the flow.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_REQUIRE_RTCP,
      g_param_spec_boolean ("require-rtcp", "Require RTCP",
          "Whether RTCP that stays away opens the breaker", TRUE, SETTING));
  /**
   * GstRtpCircuitBreaker:ecn-as-loss:
   *
   * Count packets marked ECN-CE as lost, where the peer reports them beside an SR or RR
   * (RFC 6679; RFC 8083 5 and 7 leave it open). Always so in mode draft2014.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_ECN_AS_LOSS,
      g_param_spec_boolean ("ecn-as-loss", "ECN as loss",
          "Count packets that are reported as ECN-CE as lost (RFC 6679)", FALSE,
          SETTING));
}

static void
install_timing (GObjectClass * klass)
{
  /**
   * GstRtpCircuitBreaker:media-timeout-reports:
   *
   * How many reports in a row without anything received open the breaker: k of
   * RFC 8083 4.2; 0: what the mode says (5, draft2014: 2).
   */
  g_object_class_install_property (klass,
      GST_RTP_CC_BREAKER_MEDIA_TIMEOUT_REPORTS,
      g_param_spec_uint ("media-timeout-reports", "Media timeout reports",
          "Reports in a row without anything received that open it (0: as the mode has it)",
          0, 100, 0, SETTING));
  /**
   * GstRtpCircuitBreaker:frame-group-size:
   *
   * Frames until the encoder can follow a new rate: G of RFC 8083 3; 1 for encoders
   * that can change with each frame.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_FRAME_GROUP_SIZE,
      g_param_spec_uint ("frame-group-size", "Frame group size",
          "Frames until the encoder can follow a new rate: its GOP, or 1", 1,
          100000, 1, SETTING));
  /**
   * GstRtpCircuitBreaker:frame-interval:
   *
   * ns between frames: Tf of RFC 8083 3; 0: measured.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_FRAME_INTERVAL,
      g_param_spec_uint64 ("frame-interval", "Frame interval",
          "Time between frames in ns (0: measured)", 0, 3600 * GST_SECOND, 0,
          SETTING));
  /**
   * GstRtpCircuitBreaker:rtcp-min-interval:
   *
   * The receiver's minimum RTCP interval in ns (Tmin of RFC 3550 6.2; 0 with
   * AVPF); -1: 5 s, or less where its reports are seen to come more often.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_RTCP_MIN_INTERVAL,
      g_param_spec_uint64 ("rtcp-min-interval", "RTCP minimum interval",
          "The receiver's minimum RTCP interval in ns (-1: seen from its reports)",
          0, G_MAXUINT64, GST_CLOCK_TIME_NONE, SETTING));
  /**
   * GstRtpCircuitBreaker:rtcp-rr-interval:
   *
   * T_rr_interval of RFC 4585 3.4 in ns, where it was signalled; RFC 8083 4.3 advises
   * at most 4 s.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_RTCP_RR_INTERVAL,
      g_param_spec_uint64 ("rtcp-rr-interval", "RTCP regular report interval",
          "Least time between regular reports with AVPF in ns (0: none was signalled)",
          0, 3600 * GST_SECOND, 0, SETTING));
  /**
   * GstRtpCircuitBreaker:bandwidth:
   *
   * The RTP session's bandwidth in bit/s, as the session property of that name; 0: what
   * is being sent.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_BANDWIDTH,
      g_param_spec_uint ("bandwidth", "Bandwidth",
          "The session's bandwidth in bit/s (0: what is being sent)", 0,
          G_MAXUINT, 0, SETTING));
  /**
   * GstRtpCircuitBreaker:rtcp-fraction:
   *
   * What part of the bandwidth RTCP may take (RFC 3550 6.2).
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_RTCP_FRACTION,
      g_param_spec_double ("rtcp-fraction", "RTCP fraction",
          "What part of the session's bandwidth RTCP may take", 0.0001, 1,
          DEFAULT_RTCP_FRACTION, SETTING));
}

static void
install_usability (GObjectClass * klass)
{
  /**
   * GstRtpCircuitBreaker:media-usability:
   *
   * Open also when the media has been of no use to anybody for
   * #GstRtpCircuitBreaker:unusable-time (RFC 8083 4.4, which names no figures).
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_MEDIA_USABILITY,
      g_param_spec_boolean ("media-usability", "Media usability",
          "Open also when the media has been of no use for unusable-time",
          FALSE, SETTING));
  /**
   * GstRtpCircuitBreaker:unusable-loss:
   *
   * Media that loses more than this part of its packets is of no use.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_UNUSABLE_LOSS,
      g_param_spec_double ("unusable-loss", "Unusable loss",
          "Media that loses more than this part of its packets (0 to 1) is of no use",
          0, 1, DEFAULT_UNUSABLE_LOSS, SETTING));
  /**
   * GstRtpCircuitBreaker:unusable-delay:
   *
   * Media that is older than this on arrival (half the round-trip time and the jitter)
   * is of no use, in ns.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_UNUSABLE_DELAY,
      g_param_spec_uint64 ("unusable-delay", "Unusable delay",
          "Media that is older on arrival is of no use, in ns (with media-usability)",
          0, G_MAXUINT64, DEFAULT_UNUSABLE_DELAY, SETTING));
  /**
   * GstRtpCircuitBreaker:unusable-time:
   *
   * For how long the media may be of no use, in ns.
   */
  g_object_class_install_property (klass, GST_RTP_CC_BREAKER_UNUSABLE_TIME,
      g_param_spec_uint64 ("unusable-time", "Unusable time",
          "For how long the media may be of no use, in ns (with media-usability)",
          0, G_MAXUINT64, DEFAULT_UNUSABLE_TIME, SETTING));
}

void
gst_rtp_cc_breaker_settings_install (GObjectClass * klass)
{
  install_rules (klass);
  install_timing (klass);
  install_usability (klass);
}
