/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpsbpnmux
 * @title: rtpsbpnmux
 * @short_description: sends the best RTP packet next
 *
 * Takes the RTP streams of a session, each at a pad of its own. It lets them out at one pad, at
 * the rate that the network bears. The packet of the highest priority goes first, of those the
 * one that expires first. None goes that would come too late (McDonald and Nelson,
 * "Application-level QoS: Improving Video Conferencing Quality through Sending the Best Packet
 * Next"). It stands behind the payloaders, in front of whatever gives out or reads sequence
 * numbers: #rtpgccsender, rtpbin, FEC encoders.
 *
 * What a stream is worth stands at its pad, through #GstChildProxy: `priority`, `expiry`,
 * `weight`, `min-bitrate`, `max-bitrate`, `whole-frames`. Audio has priority before video unless
 * told otherwise. The expiry is 1 s: so long after it came a packet is of no use any more. Of
 * that its way takes what feedback shows. With whole frames, a frame that has lost a packet here
 * loses its rest. One that has begun to leave is finished. `sink_0::stats` counts what came, left
 * and was dropped and why. When a frame goes that others build upon, a key frame is asked for
 * upstream. That is done at most once a second and per round trip. Others build upon frames of
 * H.264, VP8 and their like, and of any stream that has DELTA_UNITs.
 *
 * A path that is so long that it takes all of an expiry leaves half of it for waiting here all
 * the same. It does not with `tuning=tuning,one-way-delay=half-rtt`, which is the paper's.
 *
 * Of the buffers' flags, NON_DROPPABLE keeps a packet whatever happens. A RETRANSMISSION expires
 * before any packet of its pad that waits and is still in time: the packet that it repeats is
 * older. So it goes before new ones.
 *
 * Who says how fast packets may leave is #GstRtpSbpnMux:rate-control:
 *
 * * `external`: a controller downstream, by the upstream event `GstRtpTargetBitrate`
 *   (#rtpgccsender, #rtpcircuitbreaker). Packets leave at #GstRtpSbpnMux:pacing-factor times the
 *   target, no faster than the controller would let them go. So they wait here, where they are in
 *   order, and not in the queue of the controller, which knows no order. Until the first target
 *   comes nothing is held back; a target of 0 stops everything until it is raised.
 * * `tfrc`: TCP Friendly Rate Control (RFC 5348) on the RTCP that comes in through `rtcp_sink`:
 *   RFC 8888, transport-wide feedback (also rtpsession's `RTPTWCCPackets`). Where there are only
 *   receiver reports it is TFRC-like. Then p is the fraction lost, every few seconds, and the
 *   statistics say loss-source "report". A target from downstream bounds it.
 * * `none`: nothing is held back unless downstream blocks.
 *
 * In each the target is divided among the pads. It goes upstream in an event for each, which
 * #rtpbitrateadapter behind the encoder obeys. First come the minima, then by priority up to each
 * one's maximum, within a priority by weight.
 *
 * Sequence numbers are given anew as packets leave, one by one for each SSRC. So what was dropped
 * here is loss to nobody. Where a frame was broken that had begun to leave, a number is left out.
 * So no decoder takes it for whole. A gap that came in stays. Requests for retransmission from
 * downstream go on once per round trip and packet, by the numbers known upstream. Retransmissions
 * (RFC 4588) that come in are translated back. Parity made upstream would speak of the former
 * numbers: make it downstream.
 *
 * The source pad's caps have what the streams agree on, header extensions above all. Give each
 * extension the same number in all streams. As behind rtpfunnel, rtpbin asks for each payload
 * type's clock-rate by `request-pt-map`, without which its SRs cannot tell RTP time.
 *
 * How long a packet is on its way is measured where RTCP with feedback per packet passes here. It
 * is what arrived less sent is above its least, and half the shortest round trip. Where none does
 * it is half the round trip, and so it is where what was measured exceeds every pad's `expiry`.
 * The round-trip time comes from the RTCP that passes, or from the controller's event. With
 * `external` the RTCP need not pass here. Where it does, let it do so before it reaches the
 * controller, or GStreamer sees a loop in the graph. The session's outgoing RTCP may run through
 * the request pad `send_rtcp_sink`, as at #rtpgccsender.
 *
 * ## Example launch line
 *
 * The far end reports of each packet (RFC 8888).  `-v` shows the target, over a link of
 * 800 kbit/s.
 * |[
 * gst-launch-1.0 -v rtpsbpnmux name=mux rate-control=tfrc ! b.send_rtp_sink_0 rtpbin name=b \
 *   audiotestsrc is-live=true ! audioconvert ! opusenc ! rtpopuspay pt=97 ! mux.sink_0 \
 *   videotestsrc is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter ! rtph264pay \
 *   ! mux.sink_1 \
 *   b.send_rtp_src_0 ! linksim scenario=constant:800k \
 *   ! rtpgccreceiver name=est feedback-format=ccfb ! fakesink \
 *   est.rtcp_src ! udpsink host=127.0.0.1 port=5041 sync=false async=false \
 *   udpsrc port=5041 ! mux.rtcp_sink mux.rtcp_src ! b.recv_rtcp_sink_0
 * ]|
 */
#include <stdio.h>

#include "rtpcc/common/elements.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/sbpnmux/control.h"
#include "rtpcc/sendpath/element.h"
#include "rtpcc/sendpath/upstream.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_sbpn_mux_debug);
#define GST_CAT_DEFAULT gst_rtp_sbpn_mux_debug

#define GST_TYPE_RTP_SBPN_MUX (gst_rtp_sbpn_mux_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpSbpnMux, gst_rtp_sbpn_mux, GST, RTP_SBPN_MUX,
    GstRtpCcSendElement);

struct _GstRtpSbpnMux
{
  GstRtpCcSendElement parent;

  /* the driver's lock */
  GstRtpCcMuxControl control;
  GstRtpCcMuxSink sink;
  gboolean telling, unreported; /* a thread is telling targets; it has to go on */

  guint next_pad;               /* object lock */
};

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTP_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("sink_%u", GST_PAD_SINK, GST_PAD_REQUEST),
};

G_DEFINE_TYPE_WITH_CODE (GstRtpSbpnMux, gst_rtp_sbpn_mux,
    GST_TYPE_RTP_CC_SEND_ELEMENT,
    G_IMPLEMENT_INTERFACE (GST_TYPE_CHILD_PROXY,
        gst_rtp_sbpn_mux_pad_child_proxy)
    GST_DEBUG_CATEGORY_INIT (gst_rtp_sbpn_mux_debug, "rtpsbpnmux", 0,
        "RTP mux that sends the best packet next"));
GST_ELEMENT_REGISTER_DEFINE (rtpsbpnmux, "rtpsbpnmux", GST_RANK_NONE,
    GST_TYPE_RTP_SBPN_MUX);

/* --- targets -------------------------------------------------------------- */

/* Whether there is anything to say: before the first bound there is not. */
static gboolean
has_bound (GstRtpSbpnMux * self, guint bps)
{
  gboolean anything;

  GST_OBJECT_LOCK (self);
  anything = bps != GST_RTP_CC_UNBOUND
      || self->parent.parent.estimate != GST_RTP_CC_UNBOUND;
  GST_OBJECT_UNLOCK (self);
  return anything;
}

/* Pushes the newest target's shares.  The first thread in does it for all that
 * come meanwhile.  So an older target never overtakes a newer one. */
static void
tell (GstRtpSbpnMux * self)
{
  GstRtpCcDriver *driver = self->parent.parent.driver;
  GstRtpCcMuxShares shares;
  GstClockTime now = gst_rtp_cc_driver_lock (driver);

  self->unreported = now != GST_CLOCK_TIME_NONE;
  while (self->unreported && !self->telling) {
    const GstRtpCcTarget target = gst_rtp_cc_mux_control_get (&self->control);

    self->unreported = FALSE;
    if (!has_bound (self, target.target_bps))
      break;
    self->telling = TRUE;
    gst_rtp_cc_mux_shares_make (&shares, &target, &self->sink, now);
    gst_rtp_cc_driver_unlock (driver);
    gst_rtp_cc_mux_shares_push (&shares);
    gst_rtp_cc_element_set_estimate (&self->parent.parent, target.target_bps);
    now = gst_rtp_cc_driver_lock (driver);
    self->telling = FALSE;
    self->unreported &= now != GST_CLOCK_TIME_NONE;
  }
  gst_rtp_cc_driver_unlock (driver);
}

/* --- the core ------------------------------------------------------------- */

GST_RTP_CC_DEFINE_GET_SETTINGS (GstRtpCcMuxSettings)

static RccUpdate
core_init (GstElement * element, RccTime now)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);
  const GstRtpCcMuxSettings settings = get_settings (self);
  const RccSendConfig config = gst_rtp_cc_mux_settings_send (&settings);

  gst_rtp_cc_send_begin (self->parent.send, &config,
      gst_rtp_cc_mux_control_sender (&self->control, &settings), now);
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
    gst_rtp_cc_wakeup_wake (self->parent.send->wakeup);
  if (update->changed & RCC_TARGET)
    tell (self);
}

static const GstRtpCcDriverFuncs driver_funcs = { core_init, NULL, apply };

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

/* --- from downstream ------------------------------------------------------ */

/* The pad that last sent @ssrc (transfer full); NULL: nobody. */
static GstPad *
find_pad (GstRtpSbpnMux * self, guint32 ssrc)
{
  GstRtpSbpnMuxPad *pad;

  gst_rtp_cc_driver_lock (self->parent.parent.driver);
  pad = gst_rtp_cc_mux_sink_pad (&self->sink,
      rcc_send_owner (&self->parent.send->path, ssrc));
  if (pad)
    gst_object_ref (pad);
  gst_rtp_cc_driver_unlock (self->parent.parent.driver);
  return GST_PAD (pad);
}

/* TRUE: @event is ours alone, and was heard. */
static gboolean
take_target (GstRtpSbpnMux * self, GstEvent * event)
{
  GstRtpCcDriver *driver = self->parent.parent.driver;
  GstRtpCcTarget target;
  RccUpdate update;
  RccTime now;

  if (!gst_rtp_cc_event_parse (event, &target) || target.ssrc != 0)
    return FALSE;
  if (gst_rtp_cc_driver_enter (driver, &now)) {
    update = gst_rtp_cc_mux_control_target (&self->control, event, &target,
        now);
    gst_rtp_cc_driver_leave (driver, &update);
  }
  gst_event_unref (event);
  return TRUE;
}

/* What is about one stream goes to its pad. */
static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (parent);
  const GstStructure *s;
  GstPad *sink = NULL;
  gboolean ok;
  guint ssrc;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_UPSTREAM)
    return gst_pad_event_default (pad, parent, event);
  if (take_target (self, event)
      || !(event = gst_rtp_cc_send_upstream (self->parent.send, event)))
    return TRUE;
  s = gst_event_get_structure (event);
  if (s && gst_structure_get_uint (s, "ssrc", &ssrc))
    sink = find_pad (self, ssrc);
  if (!sink)
    return gst_pad_event_default (pad, parent, event);
  ok = gst_pad_push_event (sink, event);
  gst_object_unref (sink);
  return ok;
}

/* --- pads ----------------------------------------------------------------- */

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
  now = gst_rtp_cc_driver_lock (self->parent.parent.driver);
  gst_rtp_cc_mux_sink_stats (&self->sink, pad, now, stats);
  gst_rtp_cc_driver_unlock (self->parent.parent.driver);
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
  return GST_ELEMENT_CLASS (gst_rtp_sbpn_mux_parent_class)->request_new_pad
      (element, template, name, caps);
}

static void
release_pad (GstElement * element, GstPad * pad)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);

  if (!GST_IS_RTP_SBPN_MUX_PAD (pad)) {
    GST_ELEMENT_CLASS (gst_rtp_sbpn_mux_parent_class)->release_pad (element,
        pad);
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

/* --- the object ----------------------------------------------------------- */

static void
add_stats (GstRtpCcElement * element, GstStructure * stats, GstClockTime now)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);
  const RccSend *path = &self->parent.send->path;

  gst_rtp_cc_send_stats (self->parent.send, stats);
  gst_rtp_cc_stats_add (stats, rcc_sbpn_fields, &path->sbpn);
  gst_rtp_cc_stats_add (stats, rcc_sbpn_owd_fields, &path->owd);
  gst_rtp_cc_mux_control_stats (&self->control, stats);
}

static RccUpdate
adjust (GstRtpCcElement * element, RccTime now)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (element);
  const GstRtpCcMuxSettings settings = get_settings (self);
  const RccUpdate update = gst_rtp_cc_mux_control_adjust (&self->control,
      &settings, now);

  gst_rtp_cc_send_trim (self->parent.send, now);
  return update;
}

static void
changed (GstRtpCcElement * element)
{
  const GstClockTime most = get_settings (element).max_time;

  gst_rtp_cc_send_set_max_latency (GST_RTP_CC_SEND_ELEMENT (element)->send,
      most > 0 ? most : GST_CLOCK_TIME_NONE);
}

static void
finalize (GObject * object)
{
  GstRtpSbpnMux *self = GST_RTP_SBPN_MUX (object);

  gst_rtp_cc_driver_stop (self->parent.parent.driver);
  gst_rtp_cc_mux_sink_clear (&self->sink);
  gst_rtp_cc_mux_control_clear (&self->control);
  G_OBJECT_CLASS (gst_rtp_sbpn_mux_parent_class)->finalize (object);
}

static void
gst_rtp_sbpn_mux_init (GstRtpSbpnMux * self)
{
  GstRtpCcSendElement *parent = &self->parent;
  const GstRtpCcMuxSettings *settings =
      gst_rtp_cc_element_init_settings (&parent->parent);

  parent->parent.estimate = GST_RTP_CC_UNBOUND;
  gst_rtp_cc_send_element_init_path (parent, &templates[0], &send_funcs,
      &driver_funcs);
  gst_pad_set_event_function (parent->srcpad, GST_DEBUG_FUNCPTR (src_event));
  gst_rtp_cc_mux_sink_init (&self->sink, parent->send, pads_changed);
  gst_rtp_cc_mux_control_init (&self->control, settings, &parent->send->path);
  gst_rtp_cc_send_set_max_latency (parent->send, settings->max_time);
  gst_element_add_pad (GST_ELEMENT (self), parent->srcpad);
  gst_rtp_cc_send_element_init_rtcp (parent);
}

static void
gst_rtp_sbpn_mux_class_init (GstRtpSbpnMuxClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (release_pad);
  base->settings = &gst_rtp_cc_mux_settings;
  base->stats_name = "application/x-rtp-sbpn-mux-stats";
  base->stats = add_stats;
  base->adjust = adjust;
  base->changed = changed;
  gst_rtp_cc_element_install (base,
      "What is known and was done, of all pads together; bitrates in bit/s, times in ns");
  gst_rtp_cc_element_install_estimate (base,
      "What may be sent now, RTP headers included (bit/s; 4294967295 = nobody has "
      "said a bound)", GST_RTP_CC_UNBOUND);

  gst_element_class_add_static_pad_template (element_class, &templates[0]);
  gst_element_class_add_static_pad_template_with_gtype (element_class,
      &templates[1], GST_TYPE_RTP_SBPN_MUX_PAD);
  gst_element_class_set_static_metadata (element_class,
      "RTP mux, best packet next", "Filter/Network/RTP",
      "Sends the packets of several RTP streams by priority and expiry, at the rate "
      "that the network bears", "The gst-rtpcc maintainers");
  gst_type_mark_as_plugin_api (GST_TYPE_RTP_SBPN_MUX_PAD, 0);
}
