/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpsbpnmux
 * @title: rtpsbpnmux
 * @short_description: sends the best RTP packet next
 *
 * Takes the RTP streams of a session, each at a pad of its own, and lets them out at one
 * pad, at the rate that the network bears: the packet of the highest priority first, of
 * those the one that expires first, and none that would come too late (McDonald and
 * Nelson, "Application-level QoS: Improving Video Conferencing Quality through Sending
 * the Best Packet Next"). It stands behind the payloaders, in front of whatever gives
 * out or reads sequence numbers: #rtpgccsender, rtpbin, FEC encoders.
 *
 * What a stream is worth stands at its pad, through #GstChildProxy: `priority` (audio
 * before video unless told otherwise), `expiry` (400 ms after it came a packet is of no
 * use any more; of that its way takes what feedback shows), `weight`, `min-bitrate`,
 * `max-bitrate`, `whole-frames` (a frame that has lost a packet here loses its rest, and one
 * that has begun to leave is finished). `sink_0::stats` counts what came, left and was dropped and why. When a frame
 * goes that others build upon, a key frame is asked for upstream, at most once a second
 * and per round trip; frames of H.264, VP8 and their like do, and those of any stream that
 * has DELTA_UNITs.
 *
 * A path that is so long that it takes all of an expiry leaves half of it for waiting here
 * all the same, but for `tuning=tuning,one-way-delay=rtt`, which is the paper's.
 *
 * Of the buffers' flags, NON_DROPPABLE keeps a packet whatever happens, and a
 * RETRANSMISSION stands in its pad's order with an expiry that is one round trip
 * shorter, for the packet that it repeats is that much older: it goes before new ones,
 * or not at all.
 *
 * Who says how fast packets may leave is #GstRtpSbpnMux:rate-control:
 *
 * * `external`: a controller downstream, by the upstream event `GstRtpTargetBitrate`
 *   (#rtpgccsender, #rtpcircuitbreaker). Packets leave at
 *   #GstRtpSbpnMux:pacing-factor times the target, no faster than the controller would
 *   let them go, so that they wait here, where they are in order, and not in the queue of
 *   the controller, which knows no order. Until the first target comes nothing is held
 *   back; a target of 0 stops everything until it is raised.
 * * `tfrc`: TCP Friendly Rate Control (RFC 5348) on the RTCP that comes in through
 *   `rtcp_sink`: RFC 8888, transport-wide feedback (also rtpsession's
 *   `RTPTWCCPackets`). Where there are only receiver reports it is TFRC-like: p is the
 *   fraction lost, every few seconds; the statistics then say loss-source "report". A
 *   target from downstream bounds it.
 * * `none`: nothing is held back unless downstream blocks.
 *
 * In each the target is divided among the pads and goes upstream in an event for each,
 * which #rtpbitrateadapter behind the encoder obeys: first the minima, then by
 * priority up to each one's maximum, within a priority by weight.
 *
 * Sequence numbers are given anew as packets leave, one by one for each SSRC, so that
 * what was dropped here is loss to nobody. Where a frame was broken that had begun to leave,
 * a number is left out, so that no decoder takes it for whole. A gap that came in stays.
 * Requests for retransmission from downstream go on once per round trip and packet, by the
 * numbers known upstream, and retransmissions (RFC 4588) that come in are translated back.
 * Parity made upstream would speak of the former numbers: make it downstream.
 *
 * The source pad's caps have what the streams agree on, header extensions above all:
 * give each extension the same number in all streams. As behind rtpfunnel, rtpbin
 * asks for each payload type's clock-rate by `request-pt-map`, without which its SRs
 * cannot tell RTP time.
 *
 * How long a packet is on its way is measured where RTCP with feedback per packet passes
 * here: arrived less sent, over the least of that, and half the shortest round trip. Where
 * none does it is half the round trip, and so it is where what was measured exceeds
 * every pad's `expiry`. The round-trip time comes from the RTCP that passes, or from the controller's event;
 * with `external` the RTCP need not pass here, and where it does, let it do so before it
 * reaches the controller, or GStreamer sees a loop in the graph.
 * The session's outgoing RTCP may run through the request pad `send_rtcp_sink`, as at
 * #rtpgccsender.
 *
 * ## Example launch line
 *
 * The far end reports of each packet (RFC 8888).  `-v` shows the target, over a link of
 * 800 kbit/s.
 * |[
 * gst-launch-1.0 -v rtpsbpnmux name=mux rate-control=tfrc ! b.send_rtp_sink_0 rtpbin name=b \
 *   audiotestsrc is-live=true ! audioconvert ! opusenc ! rtpopuspay pt=97 ! mux.sink_0 \
 *   videotestsrc is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter ! rtph264pay ! mux.sink_1 \
 *   b.send_rtp_src_0 ! linksim scenario=constant:800k \
 *   ! rtpgccreceiver name=est feedback-format=ccfb ! fakesink \
 *   est.rtcp_src ! udpsink host=127.0.0.1 port=5041 sync=false async=false \
 *   udpsrc port=5041 ! mux.rtcp_sink mux.rtcp_src ! b.recv_rtcp_sink_0
 * ]|
 */
#include "rtpcc/sbpnmux/sbpnmux.h"

#include <stdio.h>

#include "rtpcc/common/driver.h"
#include "rtpcc/common/rtcppair.h"
#include "rtpcc/common/twcc.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/sbpnmux/control.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_sbpn_mux_debug);
#define GST_CAT_DEFAULT gst_rtp_sbpn_mux_debug

enum
{
  PROP_ESTIMATED_BITRATE = GST_RTP_CC_PROPS,
  PROP_STATS,
  N_PROPS,
};

static GParamSpec *props[N_PROPS];

struct _GstRtpSbpnMux
{
  GstElement parent;

  GstPad *srcpad;
  GstRtpCcRtcpPair *rtcp;
  GstRtpCcDriver *driver;
  GstRtpCcSend *send;

  /* the driver's lock */
  GstRtpCcMuxControl control;
  GstRtpCcMuxSink sink;
  gboolean telling, unreported; /* a thread is telling targets; it has to go on */

  /* object lock */
  GstRtpCcMuxSettings settings;
  guint estimate;               /* last notified */
  guint next_pad;
};

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTP_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("send_rtcp_sink", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("send_rtcp_src", GST_PAD_SRC, GST_PAD_SOMETIMES),
};

static void child_proxy_init (gpointer iface, gpointer data);

G_DEFINE_TYPE_WITH_CODE (GstRtpSbpnMux, gst_rtp_sbpn_mux, GST_TYPE_ELEMENT,
    G_IMPLEMENT_INTERFACE (GST_TYPE_CHILD_PROXY, child_proxy_init)
    GST_DEBUG_CATEGORY_INIT (gst_rtp_sbpn_mux_debug, "rtpsbpnmux", 0,
        "RTP mux that sends the best packet next"));
GST_ELEMENT_REGISTER_DEFINE (rtpsbpnmux, "rtpsbpnmux", GST_RANK_NONE,
    GST_TYPE_RTP_SBPN_MUX);

/* --- targets ---------------------------------------------------------------- */

/* Whether there is anything to say: before the first bound there is not. */
static gboolean
estimate_is (GstRtpSbpnMux * self, guint bps, gboolean * changed)
{
  gboolean anything;

  GST_OBJECT_LOCK (self);
  anything = bps != GST_RTP_CC_UNBOUND || self->estimate != GST_RTP_CC_UNBOUND;
  *changed |= self->estimate != bps;
  self->estimate = bps;
  GST_OBJECT_UNLOCK (self);
  return anything;
}

/* Pushes the newest target's shares.  The first thread in goes on for all that come
 * meanwhile, so an older one never overtakes a newer one. */
static void
tell (GstRtpSbpnMux * self)
{
  GstRtpCcMuxShares shares;
  gboolean changed = FALSE;
  GstClockTime now = gst_rtp_cc_driver_lock (self->driver);

  self->unreported = now != GST_CLOCK_TIME_NONE;
  while (self->unreported && !self->telling) {
    const GstRtpCcTarget target = gst_rtp_cc_mux_control_get (&self->control);

    self->unreported = FALSE;
    if (!estimate_is (self, target.target_bps, &changed))
      break;
    self->telling = TRUE;
    gst_rtp_cc_mux_shares_make (&shares, &target, &self->sink, now);
    gst_rtp_cc_driver_unlock (self->driver);
    gst_rtp_cc_mux_shares_push (&shares);
    now = gst_rtp_cc_driver_lock (self->driver);
    self->telling = FALSE;
    self->unreported &= now != GST_CLOCK_TIME_NONE;
  }
  gst_rtp_cc_driver_unlock (self->driver);
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ESTIMATED_BITRATE]);
}

/* --- the core --------------------------------------------------------------- */

static RccUpdate
core_init (GstElement * element, RccTime now)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);
  GstRtpCcMuxSettings settings;
  RccSendConfig config;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  config = gst_rtp_cc_mux_settings_send (&settings);
  gst_rtp_cc_send_begin (self->send, &config, &self->control.sender, now);
  gst_rtp_cc_mux_sink_open (&self->sink);
  return gst_rtp_cc_mux_control_start (&self->control, &settings, now);
}

/* The send path has acted where the update came up, with the core locked; this is the
 * rest. */
static void
apply (GstElement * element, const RccUpdate * update)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);

  if (update->changed & RCC_PACING)
    gst_rtp_cc_send_wake (self->send);
  if (update->changed & RCC_TARGET)
    tell (self);
}

static const GstRtpCcDriverFuncs driver_funcs = { core_init, apply };

static guint
before (GstElement * element, GstEvent ** events)
{
  /* per packet: unchecked */
  return gst_rtp_cc_mux_sink_before (&((GstRtpSbpnMux *) element)->sink,
      events);
}

static void
again (GstElement * element, gboolean stream)
{
  gst_rtp_cc_mux_sink_again (&GST_RTP_SBPN_MUX (element)->sink, stream);
}

static const GstRtpCcSendFuncs send_funcs = {.before = before,.again = again };

static void
pads_changed (GstElement * element)
{
  tell (GST_RTP_SBPN_MUX (element));
}

/* --- from downstream --------------------------------------------------------- */

typedef struct
{
  GstRtpSbpnMux *self;
  GstEvent *event;
  GstRtpCcTarget target;
} Said;

static RccUpdate
hear_target (RccSender * sender, RccTime now, gpointer user_data)
{
  Said *said = user_data;

  return gst_rtp_cc_mux_control_target (&said->self->control, said->event,
      &said->target, now);
}

static void
take_twcc (GstRtpSbpnMux * self, GstEvent * event)
{
  gsize n;
  RccPacket *packets = gst_rtp_cc_send_twcc (self->send, event, &n);

  if (packets)
    gst_rtp_cc_driver_feedback (self->driver, packets, n);
  g_free (packets);
}

/* The pad that last sent @ssrc (transfer full); NULL: nobody. */
static GstPad *
find_pad (GstRtpSbpnMux * self, guint32 ssrc)
{
  GstRtpSbpnMuxPad *pad;

  gst_rtp_cc_driver_lock (self->driver);
  pad = gst_rtp_cc_mux_sink_pad (&self->sink,
      rcc_send_owner (&self->send->path, ssrc));
  if (pad)
    gst_object_ref (pad);
  gst_rtp_cc_driver_unlock (self->driver);
  return GST_PAD (pad);
}

/* TRUE: @event is ours alone, and was heard. */
static gboolean
take_event (GstRtpSbpnMux * self, GstEvent * event)
{
  Said said = {.self = self,.event = event };

  if (gst_event_has_name (event, GST_RTP_CC_TWCC_EVENT))
    take_twcc (self, event);
  if (!gst_rtp_cc_event_parse (event, &said.target) || said.target.ssrc != 0)
    return FALSE;
  gst_rtp_cc_driver_call (self->driver, hear_target, &said);
  gst_event_unref (event);
  return TRUE;
}

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (parent);
  GstPad *sink = NULL;
  gboolean ok;
  guint ssrc;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_UPSTREAM)
    return gst_pad_event_default (pad, parent, event);
  if (take_event (self, event))
    return TRUE;
  if (gst_event_get_structure (event)
      && gst_structure_get_uint (gst_event_get_structure (event), "ssrc",
          &ssrc)) {
    if (!(event = gst_rtp_cc_send_request (self->send, event)))
      return TRUE;
    sink = find_pad (self, ssrc);
  }
  if (!sink)
    return gst_pad_event_default (pad, parent, event);
  ok = gst_pad_push_event (sink, event);
  gst_object_unref (sink);
  return ok;
}

/* --- RTCP --------------------------------------------------------------------- */

static gsize
hear_rtcp (GstElement * element, RccBytes compound, gboolean ours,
    guint32 ntp_middle, RccTime now, guint8 * out, gsize size,
    RccUpdate * update)
{
  return gst_rtp_cc_mux_control_rtcp (&GST_RTP_SBPN_MUX (element)->control,
      compound, ours, ntp_middle, now, out, size, update);
}

/* --- pads --------------------------------------------------------------------- */

static void
pad_changed (GstRtpSbpnMuxPad * pad)
{
  GstObject *parent = gst_object_get_parent (GST_OBJECT (pad));

  if (!parent)
    return;
  gst_rtp_cc_mux_sink_reconfigure (&GST_RTP_SBPN_MUX (parent)->sink, pad);
  gst_object_unref (parent);
}

static GstStructure *
pad_stats (GstRtpSbpnMuxPad * pad)
{
  GstStructure *stats =
      gst_structure_new_empty ("application/x-rtp-sbpn-mux-pad-stats");
  GstObject *parent = gst_object_get_parent (GST_OBJECT (pad));
  GstRtpSbpnMux *self;
  GstClockTime now;

  if (!parent)
    return stats;
  self = GST_RTP_SBPN_MUX (parent);
  now = gst_rtp_cc_driver_lock (self->driver);
  gst_rtp_cc_mux_sink_stats (&self->sink, pad, now, stats);
  gst_rtp_cc_driver_unlock (self->driver);
  gst_object_unref (parent);
  return stats;
}

static gchar *
pad_name (GstRtpSbpnMux * self, const gchar * name)
{
  gchar *made;
  guint number;

  GST_OBJECT_LOCK (self);
  if (name && sscanf (name, "sink_%u", &number) == 1)
    self->next_pad = MAX (self->next_pad, number < G_MAXUINT ? number + 1 : 0);
  else
    number = self->next_pad++;
  GST_OBJECT_UNLOCK (self);
  made = g_strdup_printf ("sink_%u", number);
  return made;
}

static GstPad *
request_sink (GstRtpSbpnMux * self, GstPadTemplate * template,
    const gchar * wanted)
{
  gchar *name = pad_name (self, wanted);
  GstRtpSbpnMuxPad *pad = g_object_new (GST_TYPE_RTP_SBPN_MUX_PAD, "name", name,
      "direction", template->direction, "template", template, NULL);

  g_free (name);
  pad->changed = pad_changed;
  pad->stats = pad_stats;
  if (!gst_rtp_cc_mux_sink_add (&self->sink, pad)) {
    GST_WARNING_OBJECT (self, "no more than %u streams fit one mux",
        (guint) RCC_SEND_PADS);
    gst_object_unref (gst_object_ref_sink (pad));
    return NULL;
  }
  if (!gst_element_add_pad (GST_ELEMENT (self), GST_PAD (pad)))
    return NULL;
  gst_child_proxy_child_added (GST_CHILD_PROXY (self), G_OBJECT (pad),
      GST_OBJECT_NAME (pad));
  pads_changed (GST_ELEMENT (self));
  return GST_PAD (pad);
}

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);

  if (g_str_equal (GST_PAD_TEMPLATE_NAME_TEMPLATE (template), "sink_%u"))
    return request_sink (self, template, name);
  return gst_rtp_cc_rtcp_pair_request (self->rtcp, template, &templates[5]);
}

static void
release_pad (GstElement * element, GstPad * pad)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);

  if (!GST_IS_RTP_SBPN_MUX_PAD (pad)) {
    gst_rtp_cc_rtcp_pair_release (self->rtcp, pad);
    return;
  }
  gst_object_ref (pad);
  gst_pad_set_active (pad, FALSE);
  gst_rtp_cc_mux_sink_remove (&self->sink, GST_RTP_SBPN_MUX_PAD (pad));
  gst_element_remove_pad (element, pad);
  gst_child_proxy_child_removed (GST_CHILD_PROXY (self), G_OBJECT (pad),
      GST_OBJECT_NAME (pad));
  gst_object_unref (pad);
}

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

static void
child_proxy_init (gpointer iface, gpointer data)
{
  GstChildProxyInterface *proxy = iface;

  proxy->get_child_by_index = child_by_index;
  proxy->get_children_count = children_count;
}

/* --- the object --------------------------------------------------------------- */

static GstStructure *
make_stats (GstRtpSbpnMux * self)
{
  GstStructure *stats =
      gst_structure_new_empty ("application/x-rtp-sbpn-mux-stats");

  gst_rtp_cc_driver_lock (self->driver);
  gst_rtp_cc_send_stats (self->send, stats);
  gst_rtp_cc_stats_add (stats, rcc_sbpn_fields, &self->send->path.sbpn);
  gst_rtp_cc_stats_add (stats, rcc_sbpn_owd_fields, &self->send->path.owd);
  gst_rtp_cc_mux_control_stats (&self->control, stats);
  gst_rtp_cc_driver_unlock (self->driver);
  return stats;
}

/* Reads them with the core locked, so that two threads cannot leave older ones in
 * place. */
static RccUpdate
hear_settings (RccSender * sender, RccTime now, gpointer user_data)
{
  GstRtpSbpnMux *self = user_data;
  GstRtpCcMuxSettings settings;
  RccUpdate update;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  update = gst_rtp_cc_mux_control_adjust (&self->control, &settings, now);
  gst_rtp_cc_send_trim (self->send, now);
  return update;
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (object);
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = gst_rtp_cc_settings_set (&gst_rtp_cc_mux_settings,
      &self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  gst_rtp_cc_driver_call (self->driver, hear_settings, self);
  if (strcmp (pspec->name, "max-size-time") == 0)
    gst_rtp_cc_send_set_room (self->send,
        g_value_get_uint64 (value) > 0 ? g_value_get_uint64 (value)
        : GST_CLOCK_TIME_NONE);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (object);
  gboolean known = TRUE;

  if (id == PROP_STATS) {
    g_value_take_boxed (value, make_stats (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id == PROP_ESTIMATED_BITRATE)
    g_value_set_uint (value, self->estimate);
  else
    known = gst_rtp_cc_settings_get (&gst_rtp_cc_mux_settings,
        &self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    gst_rtp_cc_driver_start (self->driver);
  ret =
      GST_ELEMENT_CLASS (gst_rtp_sbpn_mux_parent_class)->change_state (element,
      transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_rtp_cc_driver_stop (self->driver);
  return ret;
}

static gboolean
set_clock (GstElement * element, GstClock * clock)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);

  gst_rtp_cc_driver_set_clock (self->driver, clock);
  gst_rtp_cc_send_wake (self->send);    /* the old clock may never reach its time */
  return GST_ELEMENT_CLASS (gst_rtp_sbpn_mux_parent_class)->set_clock (element,
      clock);
}

static void
finalize (GObject * object)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (object);

  gst_rtp_cc_driver_free (self->driver);
  gst_rtp_cc_send_free (self->send);
  gst_rtp_cc_mux_sink_clear (&self->sink);
  gst_rtp_cc_rtcp_pair_free (self->rtcp);
  gst_rtp_cc_mux_control_clear (&self->control);
  G_OBJECT_CLASS (gst_rtp_sbpn_mux_parent_class)->finalize (object);
}

static void
gst_rtp_sbpn_mux_init (GstRtpSbpnMux * self)
{
  GstElement *element = GST_ELEMENT (self);

  gst_rtp_cc_mux_settings_init (&self->settings);
  self->estimate = GST_RTP_CC_UNBOUND;
  self->srcpad = gst_pad_new_from_static_template (&templates[0], "src");
  gst_pad_set_event_function (self->srcpad, GST_DEBUG_FUNCPTR (src_event));
  self->send = gst_rtp_cc_send_new (element, self->srcpad, &send_funcs);
  self->driver = gst_rtp_cc_driver_new (element, &self->send->path.sender,
      &driver_funcs);
  self->send->driver = self->driver;
  gst_rtp_cc_mux_sink_init (&self->sink, self->send, pads_changed);
  gst_rtp_cc_mux_control_init (&self->control, &self->send->path);
  gst_rtp_cc_send_set_room (self->send, self->settings.max_time);
  gst_element_add_pad (element, self->srcpad);
  self->rtcp = gst_rtp_cc_rtcp_pair_new (element, &templates[2], &templates[3],
      self->driver, hear_rtcp, &self->send->path.feedback->reports);
}

static void
gst_rtp_sbpn_mux_class_init (GstRtpSbpnMuxClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  element_class->change_state = GST_DEBUG_FUNCPTR (change_state);
  element_class->set_clock = GST_DEBUG_FUNCPTR (set_clock);
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (release_pad);

  gst_rtp_cc_settings_install (&gst_rtp_cc_mux_settings, object_class);
  props[PROP_ESTIMATED_BITRATE] = g_param_spec_uint ("estimated-bitrate",
      "Estimated bitrate",
      "What may be sent now, RTP headers included (bit/s; 4294967295 = nobody has "
      "said a bound)", 0, G_MAXUINT, GST_RTP_CC_UNBOUND,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  props[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "What is known and was done, of all pads together; bitrates in bit/s, times in ns",
      GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_property (object_class, PROP_ESTIMATED_BITRATE,
      props[PROP_ESTIMATED_BITRATE]);
  g_object_class_install_property (object_class, PROP_STATS, props[PROP_STATS]);

  gst_element_class_add_static_pad_template (element_class, &templates[0]);
  gst_element_class_add_static_pad_template_with_gtype (element_class,
      &templates[1], GST_TYPE_RTP_SBPN_MUX_PAD);
  for (guint i = 2; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class,
      "RTP mux, best packet next", "Filter/Network/RTP",
      "Sends the packets of several RTP streams by priority and expiry, at the rate "
      "that the network bears", "The gst-rtpcc maintainers");
  gst_type_mark_as_plugin_api (GST_TYPE_RTP_SBPN_MUX_PAD, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_RTP_SBPN_MUX_WHOLE_FRAMES, 0);
}
