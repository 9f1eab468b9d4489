/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sbpnmux/pad.h"

#include "rtpcc/common/utils.h"

/* McDonald and Nelson 4.2 have 200 ms, for media that adapt to nothing: a frame that was coded
 * at the rate of before a fall would be dropped, and a key frame be asked for in its place. */
#define DEFAULT_EXPIRY (400 * GST_MSECOND)
#define RW (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)

enum
{
  PROP_0,
  PROP_PRIORITY,
  PROP_EXPIRY,
  PROP_WEIGHT,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_WHOLE_FRAMES,
  PROP_STATS,
};

G_DEFINE_TYPE (GstRtpSbpnMuxPad, gst_rtp_sbpn_mux_pad, GST_TYPE_PAD);

GType
gst_rtp_sbpn_mux_whole_frames_get_type (void)
{
  static gsize once = 0;
  static const GEnumValue values[] = {
    {GST_RTP_SBPN_MUX_WHOLE_FRAMES_AUTO, "Yes for video", "auto"},
    {GST_RTP_SBPN_MUX_WHOLE_FRAMES_NO, "A packet stands for itself", "no"},
    {GST_RTP_SBPN_MUX_WHOLE_FRAMES_YES,
        "A frame that lost a packet here loses its rest", "yes"},
    {0, NULL, NULL},
  };

  return gst_rtp_cc_enum_type (&once, "GstRtpSbpnMuxWholeFrames", values);
}

static guint
priority_of (GstRtpSbpnMuxPad * pad, gboolean audio)
{
  return pad->settings.priority >= 0 ? (guint) pad->settings.priority : !audio;
}

/* Not up to a key frame: an encoder that is deaf to the rate makes key frames that expire,
 * too, and nothing would leave any more. */
RccSbpnClassConfig
gst_rtp_sbpn_mux_pad_class (GstRtpSbpnMuxPad * pad, gboolean audio,
    gboolean video, GstClockTime * expiry)
{
  RccSbpnClassConfig config;

  GST_OBJECT_LOCK (pad);
  *expiry = pad->settings.expiry;
  config = (RccSbpnClassConfig) {
  .priority = priority_of (pad, audio),.weight = pad->settings.weight,};
  config.whole_frames =
      pad->settings.whole_frames == GST_RTP_SBPN_MUX_WHOLE_FRAMES_YES || (video
      && pad->settings.whole_frames == GST_RTP_SBPN_MUX_WHOLE_FRAMES_AUTO);
  GST_OBJECT_UNLOCK (pad);
  return config;
}

RccRateShare
gst_rtp_sbpn_mux_pad_share (GstRtpSbpnMuxPad * pad, gboolean audio,
    guint measured_bps)
{
  RccRateShare share;

  GST_OBJECT_LOCK (pad);
  share = (RccRateShare) {
  .priority = priority_of (pad, audio),.weight =
        pad->settings.weight,.min_bps = pad->settings.min_bps,.max_bps =
        pad->settings.max_bps >
        0 ? pad->settings.max_bps : RCC_RATESPLIT_NONE,.measured_bps =
        measured_bps,};
  GST_OBJECT_UNLOCK (pad);
  return share;
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpSbpnMuxPad *pad = GST_RTP_SBPN_MUX_PAD (object);
  GstRtpSbpnMuxPadSettings *s = &pad->settings;

  GST_OBJECT_LOCK (pad);
  switch (id) {
    case PROP_PRIORITY:
      s->priority = g_value_get_int (value);
      break;
    case PROP_EXPIRY:
      s->expiry = g_value_get_uint64 (value);
      break;
    case PROP_WEIGHT:
      s->weight = g_value_get_uint (value);
      break;
    case PROP_MIN_BITRATE:
      s->min_bps = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      s->max_bps = g_value_get_uint (value);
      break;
    case PROP_WHOLE_FRAMES:
      s->whole_frames = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (pad);
  if (pad->changed)
    pad->changed (pad);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpSbpnMuxPad *pad = GST_RTP_SBPN_MUX_PAD (object);
  const GstRtpSbpnMuxPadSettings *s = &pad->settings;

  if (id == PROP_STATS) {
    if (pad->stats)
      g_value_take_boxed (value, pad->stats (pad));
    return;
  }
  GST_OBJECT_LOCK (pad);
  switch (id) {
    case PROP_PRIORITY:
      g_value_set_int (value, s->priority);
      break;
    case PROP_EXPIRY:
      g_value_set_uint64 (value, s->expiry);
      break;
    case PROP_WEIGHT:
      g_value_set_uint (value, s->weight);
      break;
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, s->min_bps);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, s->max_bps);
      break;
    case PROP_WHOLE_FRAMES:
      g_value_set_enum (value, s->whole_frames);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (pad);
}

static void
finalize (GObject * object)
{
  gst_caps_replace (&GST_RTP_SBPN_MUX_PAD (object)->caps, NULL);
  G_OBJECT_CLASS (gst_rtp_sbpn_mux_pad_parent_class)->finalize (object);
}

static void
gst_rtp_sbpn_mux_pad_init (GstRtpSbpnMuxPad * pad)
{
  pad->settings = (GstRtpSbpnMuxPadSettings) {
  .priority = -1,.expiry = DEFAULT_EXPIRY,.weight = 1,.whole_frames =
        GST_RTP_SBPN_MUX_WHOLE_FRAMES_AUTO};
  gst_segment_init (&pad->segment, GST_FORMAT_UNDEFINED);
  pad->plain = TRUE;
}

static void
gst_rtp_sbpn_mux_pad_class_init (GstRtpSbpnMuxPadClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;

  g_object_class_install_property (object_class, PROP_PRIORITY,
      g_param_spec_int ("priority", "Priority",
          "Whose packets go first (0 = highest, -1 = 0 for audio, 1 for all else)",
          -1, G_MAXINT, -1, RW));
  g_object_class_install_property (object_class, PROP_EXPIRY,
      g_param_spec_uint64 ("expiry", "Expiry",
          "How long after it came a packet is of use to the receiver, on its way "
          "included (ns; 18446744073709551615 = for ever)", 0, G_MAXUINT64,
          DEFAULT_EXPIRY, RW));
  g_object_class_install_property (object_class, PROP_WEIGHT,
      g_param_spec_uint ("weight", "Weight",
          "Share of the target among pads of one priority, and of the bytes in the "
          "mode weighted", 1, G_MAXUINT16, 1, RW));
  g_object_class_install_property (object_class, PROP_MIN_BITRATE,
      g_param_spec_uint ("min-bitrate", "Minimum bitrate",
          "What it is given of the target before others get more (bit/s); wins over "
          "max-bitrate", 0, G_MAXUINT, 0, RW));
  g_object_class_install_property (object_class, PROP_MAX_BITRATE,
      g_param_spec_uint ("max-bitrate", "Maximum bitrate",
          "The most that it is given of the target (bit/s; 0 = a quarter more than "
          "it sends where there are pads of lower priority, else no limit)", 0,
          G_MAXUINT, 0, RW));
  g_object_class_install_property (object_class, PROP_WHOLE_FRAMES,
      g_param_spec_enum ("whole-frames", "Whole frames",
          "Whether a frame that has lost a packet here loses its other packets too",
          GST_TYPE_RTP_SBPN_MUX_WHOLE_FRAMES,
          GST_RTP_SBPN_MUX_WHOLE_FRAMES_AUTO, RW));
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Packets and bytes that came, left, were dropped (by cause) and are queued; "
          "times in ns", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}
