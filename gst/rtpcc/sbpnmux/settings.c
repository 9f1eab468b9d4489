/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sbpnmux/settings.h"

#include "rtpcc/common/limits.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/sendpath/sendpath.h"

#define DEFAULT_MAX_BUFFERS 1000
#define DEFAULT_MAX_BYTES (10 * 1024 * 1024)    /* as queue has it */
#define DEFAULT_MAX_TIME GST_SECOND

#define RW (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)

GType
gst_rtp_sbpn_mux_rate_control_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_SBPN_MUX_NONE, "Packets leave as fast as downstream takes them",
        "none"},
    {GST_RTP_SBPN_MUX_EXTERNAL, "The target that a controller downstream says",
        "external"},
    {GST_RTP_SBPN_MUX_TFRC, "TCP Friendly Rate Control, from RTCP", "tfrc"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpSbpnMuxRateControl", values);
}

GType
gst_rtp_sbpn_mux_mode_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {RCC_SBPN_FIFO, "In order of arrival", "fifo"},
    {RCC_SBPN_1, "By priority and expiry; what would come too late is dropped",
        "sbpn1"},
    {RCC_SBPN_2, "The same, but what is alone in the queue is sent", "sbpn2"},
    {RCC_SBPN_3, "Expired packets are dropped only where room is short, and go "
          "when nothing is live", "sbpn3"},
    {RCC_SBPN_WEIGHTED, "The same, by priority and slack together; nobody "
          "starves", "weighted"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpSbpnMuxMode", values);
}

GType
gst_rtp_sbpn_mux_tfrc_form_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {RCC_TFRC_RFC5348, "RFC 5348", "rfc5348"},
    {RCC_TFRC_RFC3448, "RFC 3448, as the SBPN paper had it", "rfc3448"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpSbpnMuxTfrcForm", values);
}

GType
gst_rtp_sbpn_mux_one_way_delay_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {RCC_SBPN_OWD_MEASURED, "The one-way delay that feedback per packet shows; "
          "RTT / 2 where there is none", "measured"},
    {RCC_SBPN_OWD_HALF_RTT, "RTT / 2, as the SBPN paper has it", "half-rtt"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpSbpnMuxOneWayDelay", values);
}

static void
install_room (GObjectClass * klass)
{
  g_object_class_install_property (klass, GST_RTP_CC_MUX_MAX_SIZE_BUFFERS,
      g_param_spec_uint ("max-size-buffers", "Maximum size (packets)",
          "Packets that may wait, of all pads together; beyond, the least wanted is "
          "dropped (0 = 16383)", 0, GST_RTP_CC_SEND_ENTRIES - 1,
          DEFAULT_MAX_BUFFERS, RW | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, GST_RTP_CC_MUX_MAX_SIZE_BYTES,
      g_param_spec_uint ("max-size-bytes", "Maximum size (bytes)",
          "Bytes that may wait (0 = no limit)", 0, G_MAXUINT, DEFAULT_MAX_BYTES,
          RW | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, GST_RTP_CC_MUX_MAX_SIZE_TIME,
      g_param_spec_uint64 ("max-size-time", "Maximum size (ns)",
          "How long a packet may wait, whatever its expiry (ns; 0 = no limit)",
          0, G_MAXUINT64, DEFAULT_MAX_TIME, RW | GST_PARAM_MUTABLE_PLAYING));
}

static void
install_order (GObjectClass * klass)
{
  const RccSbpnConfig config = rcc_sbpn_config ();

  g_object_class_install_property (klass, GST_RTP_CC_MUX_MODE,
      g_param_spec_enum ("mode", "Mode", "Which packet is the best next",
          GST_TYPE_RTP_SBPN_MUX_MODE, RCC_SBPN_2,
          RW | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, GST_RTP_CC_MUX_ONE_WAY_DELAY,
      g_param_spec_enum ("one-way-delay", "One-way delay",
          "What a packet is taken to be on its way for; it comes too late where it "
          "expires before that is over", GST_TYPE_RTP_SBPN_MUX_ONE_WAY_DELAY,
          RCC_SBPN_OWD_MEASURED, RW | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, GST_RTP_CC_MUX_PRIORITY_WEIGHT,
      g_param_spec_uint64 ("priority-weight", "Priority weight (ns)",
          "Mode weighted: by how much sooner a packet has to expire than one whose "
          "priority is a step higher, to go before it (ns; 0 = by expiry alone)",
          0, G_MAXUINT64, config.priority_weight,
          RW | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, GST_RTP_CC_MUX_DEFICIT_LIMIT,
      g_param_spec_uint ("deficit-limit", "Deficit limit (bytes)",
          "Mode weighted: how far a pad may fall behind its share, by weight, of what "
          "leaves, before it goes first whatever waits elsewhere (bytes)", 0,
          G_MAXUINT, config.deficit_limit, RW | GST_PARAM_MUTABLE_PLAYING));
}

static void
install_bitrates (GObjectClass * klass)
{
  g_object_class_install_property (klass, GST_RTP_CC_MUX_MIN_BITRATE,
      g_param_spec_uint ("min-bitrate", "Minimum bitrate",
          "Smallest target of tfrc, whatever the network says (bit/s); wins over "
          "max-bitrate", GST_RTP_CC_BITRATE_FLOOR, G_MAXUINT, GST_RTP_CC_MIN_BITRATE_DEFAULT,
          RW | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, GST_RTP_CC_MUX_START_BITRATE,
      g_param_spec_uint ("start-bitrate", "Start bitrate",
          "Target of tfrc until there is a round-trip time (bit/s)",
          GST_RTP_CC_BITRATE_FLOOR, G_MAXUINT, GST_RTP_CC_START_BITRATE_DEFAULT,
          RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_MUX_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "Largest target of tfrc, for media and repair together (bit/s)",
          GST_RTP_CC_BITRATE_FLOOR, G_MAXUINT, GST_RTP_CC_MAX_BITRATE_DEFAULT,
          RW | GST_PARAM_MUTABLE_PLAYING));
}

void
gst_rtp_cc_mux_settings_install (GObjectClass * klass)
{
  g_object_class_install_property (klass, GST_RTP_CC_MUX_RATE_CONTROL,
      g_param_spec_enum ("rate-control", "Rate control",
          "Who says how fast packets may leave",
          GST_TYPE_RTP_SBPN_MUX_RATE_CONTROL, GST_RTP_SBPN_MUX_EXTERNAL,
          RW | GST_PARAM_MUTABLE_READY));
  install_order (klass);
  install_room (klass);
  g_object_class_install_property (klass, GST_RTP_CC_MUX_PACING_FACTOR,
      g_param_spec_double ("pacing-factor", "Pacing factor",
          "Packets leave at this multiple of the target from downstream; keep it at or "
          "below the controller's own, so that what waits does so here, in order of "
          "worth", 0.1, 10.0, 1.0, RW | GST_PARAM_MUTABLE_PLAYING));
  install_bitrates (klass);
  g_object_class_install_property (klass, GST_RTP_CC_MUX_TFRC_FORM,
      g_param_spec_enum ("tfrc-form", "TFRC form",
          "Which document tfrc follows", GST_TYPE_RTP_SBPN_MUX_TFRC_FORM,
          RCC_TFRC_RFC5348, RW | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, GST_RTP_CC_MUX_FASTER_RESTART,
      g_param_spec_boolean ("faster-restart", "Faster restart",
          "After a pause tfrc returns sooner to a rate that was received before it "
          "(draft-ietf-dccp-tfrc-faster-restart)", FALSE,
          RW | GST_PARAM_MUTABLE_READY));
}

void
gst_rtp_cc_mux_settings_init (GstRtpCcMuxSettings * s)
{
  const RccSbpnConfig config = rcc_sbpn_config ();

  *s = (GstRtpCcMuxSettings) {
    .rate_control = GST_RTP_SBPN_MUX_EXTERNAL,.mode = RCC_SBPN_2,.tfrc_form =
        RCC_TFRC_RFC5348,.max_buffers = DEFAULT_MAX_BUFFERS,.max_bytes =
        DEFAULT_MAX_BYTES,.max_time = DEFAULT_MAX_TIME,.pacing_factor =
        1.0,.limits = {
      GST_RTP_CC_MIN_BITRATE_DEFAULT, GST_RTP_CC_START_BITRATE_DEFAULT, GST_RTP_CC_MAX_BITRATE_DEFAULT
  },.one_way_delay = RCC_SBPN_OWD_MEASURED,.priority_weight =
        config.priority_weight,.deficit_limit = config.deficit_limit,};
}

gboolean
gst_rtp_cc_mux_settings_set (GstRtpCcMuxSettings * s, guint id,
    const GValue * value)
{
  switch (id) {
    case GST_RTP_CC_MUX_RATE_CONTROL:
      s->rate_control = g_value_get_enum (value);
      break;
    case GST_RTP_CC_MUX_MODE:
      s->mode = g_value_get_enum (value);
      break;
    case GST_RTP_CC_MUX_MAX_SIZE_BUFFERS:
      s->max_buffers = g_value_get_uint (value);
      break;
    case GST_RTP_CC_MUX_MAX_SIZE_BYTES:
      s->max_bytes = g_value_get_uint (value);
      break;
    case GST_RTP_CC_MUX_MAX_SIZE_TIME:
      s->max_time = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_MUX_PACING_FACTOR:
      s->pacing_factor = g_value_get_double (value);
      break;
    case GST_RTP_CC_MUX_MIN_BITRATE:
      s->limits.min_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_MUX_START_BITRATE:
      s->limits.start_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_MUX_MAX_BITRATE:
      s->limits.max_bps = g_value_get_uint (value);
      break;
    case GST_RTP_CC_MUX_TFRC_FORM:
      s->tfrc_form = g_value_get_enum (value);
      break;
    case GST_RTP_CC_MUX_FASTER_RESTART:
      s->faster_restart = g_value_get_boolean (value);
      break;
    case GST_RTP_CC_MUX_ONE_WAY_DELAY:
      s->one_way_delay = g_value_get_enum (value);
      break;
    case GST_RTP_CC_MUX_PRIORITY_WEIGHT:
      s->priority_weight = g_value_get_uint64 (value);
      break;
    case GST_RTP_CC_MUX_DEFICIT_LIMIT:
      s->deficit_limit = g_value_get_uint (value);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_rtp_cc_mux_settings_get (const GstRtpCcMuxSettings * s, guint id,
    GValue * value)
{
  switch (id) {
    case GST_RTP_CC_MUX_RATE_CONTROL:
      g_value_set_enum (value, s->rate_control);
      break;
    case GST_RTP_CC_MUX_MODE:
      g_value_set_enum (value, s->mode);
      break;
    case GST_RTP_CC_MUX_MAX_SIZE_BUFFERS:
      g_value_set_uint (value, s->max_buffers);
      break;
    case GST_RTP_CC_MUX_MAX_SIZE_BYTES:
      g_value_set_uint (value, s->max_bytes);
      break;
    case GST_RTP_CC_MUX_MAX_SIZE_TIME:
      g_value_set_uint64 (value, s->max_time);
      break;
    case GST_RTP_CC_MUX_PACING_FACTOR:
      g_value_set_double (value, s->pacing_factor);
      break;
    case GST_RTP_CC_MUX_MIN_BITRATE:
      g_value_set_uint (value, s->limits.min_bps);
      break;
    case GST_RTP_CC_MUX_START_BITRATE:
      g_value_set_uint (value, s->limits.start_bps);
      break;
    case GST_RTP_CC_MUX_MAX_BITRATE:
      g_value_set_uint (value, s->limits.max_bps);
      break;
    case GST_RTP_CC_MUX_TFRC_FORM:
      g_value_set_enum (value, s->tfrc_form);
      break;
    case GST_RTP_CC_MUX_FASTER_RESTART:
      g_value_set_boolean (value, s->faster_restart);
      break;
    case GST_RTP_CC_MUX_ONE_WAY_DELAY:
      g_value_set_enum (value, s->one_way_delay);
      break;
    case GST_RTP_CC_MUX_PRIORITY_WEIGHT:
      g_value_set_uint64 (value, s->priority_weight);
      break;
    case GST_RTP_CC_MUX_DEFICIT_LIMIT:
      g_value_set_uint (value, s->deficit_limit);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

RccSendConfig
gst_rtp_cc_mux_settings_send (const GstRtpCcMuxSettings * s)
{
  RccSendConfig config = rcc_send_config ();

  config.scheduled = TRUE;
  config.owd = (RccSbpnOwdKind) s->one_way_delay;
  config.scheduler.mode = (RccSbpnMode) s->mode;
  config.scheduler.max_packets = s->max_buffers;
  config.scheduler.max_bytes = s->max_bytes;
  config.scheduler.max_time = s->max_time > 0 ? s->max_time : RCC_NEVER;
  config.scheduler.priority_weight = s->priority_weight;
  config.scheduler.deficit_limit = s->deficit_limit;
  return config;
}

RccTfrcConfig
gst_rtp_cc_mux_settings_tfrc (const GstRtpCcMuxSettings * s)
{
  RccTfrcConfig config = rcc_tfrc_config ();

  config.form = (RccTfrcForm) s->tfrc_form;
  config.faster_restart = s->faster_restart;
  return config;
}
