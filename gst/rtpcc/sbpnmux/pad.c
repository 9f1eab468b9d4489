/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sbpnmux/pad.h"

#include "rtpcc/common/settings.h"

/* McDonald and Nelson 4.2 have 200 ms, for media that adapt to nothing. With that a frame that
 * was coded at the rate of before a fall would be dropped. A key frame would be asked for in its
 * place. Receivers wait for as long as copies take, ours for up to so long. With 400 ms a call
 * beside TCP with a queue of 300 ms dropped 1.3 to 3.6 % here. */
#define DEFAULT_EXPIRY GST_SECOND

enum
{
  PROP_PRIORITY = GST_RTP_CC_PROPS,     /* the table's are below */
  PROP_STATS,
};

G_DEFINE_TYPE (GstRtpSbpnMuxPad, gst_rtp_sbpn_mux_pad, GST_TYPE_PAD);

static const RccChoice whole_frames_values[] = {
  {GST_RTP_SBPN_MUX_WHOLE_FRAMES_AUTO, "Yes for video", "auto"},
  {GST_RTP_SBPN_MUX_WHOLE_FRAMES_NO, "A packet stands for itself", "no"},
  {GST_RTP_SBPN_MUX_WHOLE_FRAMES_YES,
      "A frame that lost a packet here loses its rest", "yes"},
  {0, NULL, NULL},
};

static const RccChoices whole_frames =
    { "SbpnMuxWholeFrames", whole_frames_values };

#define S GstRtpSbpnMuxPadSettings
#define ROW(member, name, type, unit, least, most, text) \
  RCC_SETTING (S, member, name, type, true, unit, least, most, text, NULL)

/* But for priority, which may be negative. */
static const RccSetting rows[] = {
  ROW (expiry, "expiry", RCC_SET_TIME, "ns", 0, RCC_FOREVER,
      "How long after it came a packet is of use to the receiver, on its way "
      "included; 18446744073709551615 = for ever"),
  ROW (weight, "weight", RCC_SET_U32, "", 1, G_MAXUINT16,
      "Share of the target among pads of one priority, and of the bytes in the "
      "mode weighted"),
  ROW (min_bps, "min-bitrate", RCC_SET_U32, "bit/s", 0, G_MAXUINT,
      "What it is given of the target before others get more; wins over "
      "max-bitrate"),
  ROW (max_bps, "max-bitrate", RCC_SET_U32, "bit/s", 0, G_MAXUINT,
      "The most that it is given of the target. 0 = no limit, but a quarter more "
      "than it sends where there are pads of lower priority"),
  RCC_SETTING_CHOICE (S, whole_frames, "whole-frames", true, &whole_frames,
      "Whether a frame that has lost a packet here loses its other packets too",
      NULL),
  RCC_SETTINGS_END
};

static const GstRtpCcSettingsPart properties[] = { {rows, 0}, {NULL, 0} };

static void
init_settings (gpointer settings)
{
  *(S *) settings = (S) {
  .priority = -1,.expiry = DEFAULT_EXPIRY,.weight = 1,.whole_frames =
        GST_RTP_SBPN_MUX_WHOLE_FRAMES_AUTO};
}

static const GstRtpCcSettings table = {
  sizeof (S), init_settings, properties, NULL, 0
};

static guint
priority_of (GstRtpSbpnMuxPad * pad, gboolean audio)
{
  return pad->settings.priority >= 0 ? (guint) pad->settings.priority : !audio;
}

/* Not up to a key frame. An encoder that is deaf to the rate makes key frames that expire, too,
 * and nothing would leave any more. */
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

  GST_OBJECT_LOCK (pad);
  if (id == PROP_PRIORITY)
    pad->settings.priority = g_value_get_int (value);
  else if (!gst_rtp_cc_settings_set (&table, &pad->settings, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  GST_OBJECT_UNLOCK (pad);
  if (pad->changed)
    pad->changed (pad);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpSbpnMuxPad *pad = GST_RTP_SBPN_MUX_PAD (object);

  if (id == PROP_STATS) {
    if (pad->stats)
      g_value_take_boxed (value, pad->stats (pad));
    return;
  }
  GST_OBJECT_LOCK (pad);
  if (id == PROP_PRIORITY)
    g_value_set_int (value, pad->settings.priority);
  else if (!gst_rtp_cc_settings_get (&table, &pad->settings, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
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
  init_settings (&pad->settings);
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

  gst_rtp_cc_settings_install (&table, object_class);
  g_object_class_install_property (object_class, PROP_PRIORITY,
      g_param_spec_int ("priority", "Priority",
          "Whose packets go first (0 = highest, -1 = 0 for audio, 1 for all else)",
          -1, G_MAXINT, -1, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Packets and bytes that came, left, were dropped (by cause) and are queued; "
          "times in ns", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

/* --- the pads as the mux's children --------------------------------------- */

static GObject *
child_by_index (GstChildProxy * proxy, guint index)
{
  GstElement *element = GST_ELEMENT (proxy);
  GObject *child = NULL;

  GST_OBJECT_LOCK (element);
  for (GList * l = element->sinkpads; l && !child; l = l->next)
    if (GST_IS_RTP_SBPN_MUX_PAD (l->data) && index-- == 0)
      child = gst_object_ref (l->data);
  GST_OBJECT_UNLOCK (element);
  return child;
}

static guint
children_count (GstChildProxy * proxy)
{
  GstElement *element = GST_ELEMENT (proxy);
  guint n = 0;

  GST_OBJECT_LOCK (element);
  for (GList * l = element->sinkpads; l; l = l->next)
    n += GST_IS_RTP_SBPN_MUX_PAD (l->data);
  GST_OBJECT_UNLOCK (element);
  return n;
}

void
gst_rtp_sbpn_mux_pad_child_proxy (gpointer iface, gpointer data)
{
  GstChildProxyInterface *proxy = iface;

  proxy->get_child_by_index = child_by_index;
  proxy->get_children_count = children_count;
}
