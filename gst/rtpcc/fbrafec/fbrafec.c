/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpfbrafec
 * @title: rtpfbrafec
 * @short_description: FEC based rate adaptation for an RTP sender
 *
 * Decides how fast an RTP stream may be sent, and finds out by sending parity. While it probes,
 * every few media packets are followed by one parity packet (RFC 5109 or RFC 8627). If nothing
 * was lost, the parity's share of the rate becomes media. If something was, the parity repairs it
 * and the rate goes down (Nagy, Singh, Ott, Eggert: "Congestion Control using FEC for
 * Conversational Multimedia Communication", MMSys 2014).
 *
 * It stands right before rtpbin's `send_rtp_sink`. The RTCP that comes in runs through its second
 * pair of pads before it reaches `recv_rtcp_sink`. It understands RFC 8888, transport-wide
 * feedback (RTCP that comes through, or rtpsession's `RTPTWCCPackets` event) and XR. With
 * receiver reports alone it is slow and coarse. The session's outgoing RTCP may run through the
 * request pad `send_rtcp_sink`, for exact round-trip times.
 *
 * The target is #GstRtpFbraFec:estimated-bitrate, media and parity together. It goes upstream in
 * a `GstRtpTargetBitrate` event whose `fec-bitrate` is the parity's share. #rtpbitrateadapter
 * behind the encoder obeys the rest. Both count RTP headers, not UDP and IP. It does not pace.
 *
 * ## Profiles
 *
 * #GstRtpFbraFec:profile `paper` has the paper's constants, as far as they are known. `plus` is
 * FBRA+, which is ours. When a queue grows it learns how much the path took, and goes back to
 * just below that. For 12 s no probe goes beyond it, unless the delay falls below its usual
 * before. Queues count by their milliseconds (25, or 60 at once) and not only by the ratio of
 * delays. Up to 5 % of the packets lost without a queue are taken for the path's own. Probes
 * begin with little parity, and have more after each one that passed. Where a queue is emptied now
 * faster, now slower, others share it. Then a probe has 50 kbit/s of parity, and each fall goes
 * back to 0.85 of what came. So calls of FBRA+ come to equal shares of a link.
 *
 * FBRA+ wants a report every 100 ms (#GstRtpFbraFec:feedback-interval), whatever the round trip
 * is. That is RFC 8888, which #rtpgccreceiver sends with `feedback-format=ccfb`, or
 * transport-wide feedback. The reports of #rtpfbrareceiver are two round trips apart or more.
 *
 * #GstRtpFbraFec:tuning goes on top of the profile: `tuning,fec-interval-min=4`. The interval
 * fec-interval-min is 2 in `paper` and 7 in `plus`, and at most fec-interval-max where only that
 * is set. The interval fec-interval-low is of `paper` alone. With both profiles parity-least is 1
 * and by-capacity true, as FBRA+ has them. With 0 and false they are the paper's; with the latter
 * FBRA+ has nothing to remember. `algorithm=cnadu` and `probe-for=external` have no profile. What
 * owd-floor says is added to one-way delays before they are compared. So a millisecond on a short
 * path is not taken for a queue. The paper's is 0; 50000000 is a good choice below 50 ms.
 *
 * With either, a source that uses less of its rate than `filled` (0.67) is not probed for. Parity
 * on top of it would prove nothing about the rate. `reason` in #GstRtpFbraFec:stats says so then.
 *
 * ## Where the parity goes
 *
 * Without more, parity goes in among the media. It has the same SSRC, a payload type of its own
 * (#GstRtpFbraFec:fec-payload-type), and the next sequence number. What follows is renumbered
 * from then on, and so are retransmissions (RFC 4588) and requests for them. GStreamer's own
 * decoder repairs that:
 *
 * `rtpstorage size-time=1000000000 ! rtpjitterbuffer do-lost=true ! rtpptdemux
 * ignored-payload-types=<122> ! rtpulpfecdec pt=122`
 *
 * where caps name the SSRC, and `request-pt-map` knows the clock rate of both payload types. The
 * demuxer takes parity out and the decoder closes the gap in the numbers. Where a receiver takes
 * it out without that, a gap remains: #GstRtpFbraFec:close-at-marker keeps it between frames,
 * where depayloaders do not mind. (Parity is flagged as redundant, for what follows here. A
 * network or a #linksim carries no flags. Without one in between rtpstorage would take parity for
 * what rtpreddec has unpacked.)
 *
 * A packet is sent again once per round trip and while it can be of use. Retransmissions have at
 * most half the target.
 *
 * With the request pad `fec_src` parity is a stream of its own, with SSRC, sequence numbers and
 * caps of its own. The media is not changed at all. It belongs to the same RTP session, through
 * an `rtpfunnel`, or feedback does not tell of it. FlexFEC exists only so; `rtpulpfecdec` looks
 * for parity in the media's stream alone.
 *
 * ## Outside probes
 *
 * In the paper parity is sent to probe and never else. It is no help against a path that loses
 * what is sent at any rate. #GstRtpFbraFec:protection sends one parity packet to so many of media
 * whenever the controller does not probe, whichever it is. What that takes, one part in
 * `protection` + 1, is taken from the target, which stays what the controller says. The event's
 * `fec-bitrate` has it, and to the controller it is load as media is. While a probe lasts its
 * parity is the only one, packet after packet.
 *
 * Losses in a row are too much for one block. With #GstRtpFbraFec:interleave D blocks are begun
 * at a time and packets join them in turn. Their D parity packets leave together behind the last
 * of them. Of any D packets in a row no two are one block's. A repair takes up to D times as
 * long, which the receiver's jitterbuffer has to wait, and its rtpstorage to keep. Both may be
 * changed while data flows: packets under way get their parity, unless it is switched off. A
 * flush and EOS drop what is begun.
 *
 * One SSRC is protected (#GstRtpFbraFec:protect-ssrc); the others pass. Retransmissions
 * and other parity are never protected.
 *
 * Parity covers the packets as they leave here. A header extension that is written anew further
 * down, a transport-wide number or abs-send-time, comes back from a repair with mixed-up values.
 * Nobody asks for those any more there. That needs the extension at the same place in all packets
 * of the stream, as payloaders put it. Else the mix-up falls into the payload. The padding of
 * #rtpgccsender downstream would renumber: it stops that where it sees parity. Parity among the
 * media has the header extension of the packet before it, so that it is measured as media is.
 * Transport-wide numbers that come from upstream cannot be continued, and transport-wide feedback
 * then does not tell of the parity.
 *
 * ## For another controller
 *
 * With #GstRtpFbraFec:probe-for=external the rate is that of a controller downstream, such
 * as #rtpgccsender, as its `GstRtpTargetBitrate` events say. A decrease goes upstream at
 * once; an increase is first sent as parity, and goes upstream when that has arrived. The
 * incoming RTCP then runs through both. Until the controller has spoken the target is 0
 * in #GstRtpFbraFec:estimated-bitrate, and no event goes upstream.
 *
 * ## A baseline
 *
 * With `algorithm=cnadu` in #GstRtpFbraFec:tuning the controller is one after what is public of
 * C-NADU. FBRA's authors compare FBRA with that. It looks at the 75th and 90th percentile of the
 * round trip and at what is lost or late. It takes 5 % more or undershoots, and is at most as
 * fast as TFRC may be. It does not probe: without #GstRtpFbraFec:protection there is no parity
 * and nothing is renumbered. Its figures are to be called "C-NADU-like". It has no states of its
 * own. #GstRtpFbraFec:state says `up`, `down` or `stay` by what the last report or its absence
 * did to the target. #GstRtpFbraFec:stats has the fields of the controller in use, which
 * `algorithm` names there.
 *
 * ## The message GstRtpFbraFec
 *
 * | field | type | |
 * |---|---|---|
 * | state | string | `down`, `stay`, `probe`, `up`: posted when it changes |
 * | target-bitrate, fec-bitrate | guint | bit/s: media and parity together; parity |
 * | fec-interval | guint | media packets to one of parity, in probes or for protection; 0: none |
 * | reason | string | why |
 *
 * ## Example launch line
 *
 * The messages tell of its probes on a link of 800 kbit/s.
 * |[
 * gst-launch-1.0 -m videotestsrc is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter \
 *   ! rtph264pay ! rtpfbrafec name=fbra ! b.send_rtp_sink_0 rtpbin name=b \
 *   b.send_rtp_src_0 ! linksim scenario=constant:800k ! rtpfbrareceiver name=rx ! fakesink \
 *   rx.rtcp_src ! udpsink host=127.0.0.1 port=5051 sync=false async=false \
 *   udpsrc port=5051 ! fbra.rtcp_sink fbra.rtcp_src ! b.recv_rtcp_sink_0
 * ]|
 */
#include "rtpcc/common/elements.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/fbrafec/fbra.h"
#include "rtpcc/fbrafec/parity.h"
#include "rtpcc/sendpath/element.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_fbra_fec_debug);
#define GST_CAT_DEFAULT gst_rtp_fbra_fec_debug

enum
{
  PROP_FEC_BITRATE = GST_RTP_CC_PROP_OWN,
  PROP_STATE,
  N_PROPS,
};

static GParamSpec *props[N_PROPS];

#define GST_TYPE_RTP_FBRA_FEC (gst_rtp_fbra_fec_get_type ())
G_DECLARE_FINAL_TYPE (GstRtpFbraFec, gst_rtp_fbra_fec, GST, RTP_FBRA_FEC,
    GstRtpCcSendElement);

struct _GstRtpFbraFec
{
  GstRtpCcSendElement parent;

  GstRtpCcFbraParity parity;
  GstRtpCcFbra *fbra;           /* driver's lock */
  GstRtpCcFbraView said;        /* from act() to apply() */

  /* object lock */
  guint fec_bitrate;            /* last notified */
  RccFbraState state;
};

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTP_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("fec_src", GST_PAD_SRC, GST_PAD_REQUEST),
};

G_DEFINE_TYPE_WITH_CODE (GstRtpFbraFec, gst_rtp_fbra_fec,
    GST_TYPE_RTP_CC_SEND_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_fbra_fec_debug, "rtpfbrafec", 0,
        "FEC based rate adaptation, sender"));
GST_ELEMENT_REGISTER_DEFINE (rtpfbrafec, "rtpfbrafec", GST_RANK_NONE,
    GST_TYPE_RTP_FBRA_FEC);

/* --- the core ------------------------------------------------------------- */

GST_RTP_CC_DEFINE_GET_SETTINGS (GstRtpCcFbraSettings)

/* Where no target is known yet, none bounds retransmissions. */
static RccUpdate
core_init (GstElement * element, RccTime now)
{
  GstRtpFbraFec *self = GST_RTP_FBRA_FEC (element);
  const GstRtpCcFbraSettings s = get_settings (self);
  const RccSendConfig send = rcc_send_config ();
  GstRtpCcFbraView view;

  gst_rtp_cc_fbra_init (self->fbra, &s);
  gst_rtp_cc_send_begin (self->parent.send, &send, &self->fbra->core, now);
  gst_rtp_cc_fbra_parity_begin (&self->parity, &s);
  view = gst_rtp_cc_fbra_view (self->fbra);
  return rcc_send_act (&self->parent.send->path, (RccUpdate) {
      .changed = RCC_TARGET,.target_bps =
        view.known ? view.target_bps : G_MAXUINT32,.reason = "start"}
      , now);
}

static void
adjust (GstElement * element)
{
  gst_rtp_cc_fbra_adjust (GST_RTP_FBRA_FEC (element)->fbra);
}

static guint32
mark (GstElement * element, RccTime sent, gboolean leaves)
{
  return gst_rtp_cc_fbra_mark (GST_RTP_FBRA_FEC (element)->fbra, sent, leaves);
}

static const GstRtpCcSendFuncs send_funcs = {.adjust = adjust,.mark = mark };

static const gchar *
state_nick (RccFbraState state)
{
  const RccChoice *c = gst_rtp_fbra_states.values;

  while (c->name && c->value != (int) state)
    c++;
  return c->name;
}

static void
post_state (GstRtpFbraFec * self, const GstRtpCcFbraView * view)
{
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("GstRtpFbraFec", "state", G_TYPE_STRING,
              state_nick (view->state), "target-bitrate", G_TYPE_UINT,
              view->target_bps, "fec-bitrate", G_TYPE_UINT, view->fec_bps,
              "fec-interval", G_TYPE_UINT, view->fec_interval, "reason",
              G_TYPE_STRING, view->reason, NULL)));
}

static void
act (GstElement * element, const RccUpdate * update, RccTime now)
{
  GstRtpFbraFec *self = GST_RTP_FBRA_FEC (element);

  self->said = gst_rtp_cc_fbra_view (self->fbra);
}

/* What the core says reaches parity with the next packet; this is the rest. */
static void
apply (GstElement * element, const RccUpdate * update)
{
  GstRtpFbraFec *self = GST_RTP_FBRA_FEC (element);
  const GstRtpCcFbraView *view = &self->said;
  const GstRtpCcTarget target = {.target_bps = view->target_bps,.fec_bps =
        view->fec_bps,.rtt = view->rtt,.source = GST_OBJECT_NAME (self),
    .reason = view->reason
  };
  gboolean fec, state;

  GST_OBJECT_LOCK (self);
  fec = self->fec_bitrate != view->fec_bps;
  state = self->state != view->state;
  self->fec_bitrate = view->fec_bps;
  self->state = view->state;
  GST_OBJECT_UNLOCK (self);
  GST_DEBUG_OBJECT (self, "target %u bit/s, parity %u, 1 to %u: %s",
      view->target_bps, view->fec_bps, view->fec_interval, view->reason);

  if (view->known && update->changed & (RCC_TARGET | RCC_FEC))
    gst_rtp_cc_target_aggregator_own (self->parent.aggregator, &target, NULL,
        0);
  gst_rtp_cc_element_set_estimate (&self->parent.parent, view->target_bps);
  if (fec)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FEC_BITRATE]);
  if (state) {
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_STATE]);
    post_state (self, view);
  }
}

static const GstRtpCcDriverFuncs driver_funcs = { core_init, act, apply };

/* The source pad's.  A controller's target is of interest only where it is
 * probed for. */
static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_rtp_cc_fbra_hear (GST_RTP_FBRA_FEC (parent)->fbra, event);
  return gst_rtp_cc_send_element_src_event (pad, parent, event);
}

/* --- the sink pad --------------------------------------------------------- */

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpFbraFec *self = GST_RTP_FBRA_FEC (parent);
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gst_rtp_cc_fbra_parity_check (&self->parity, caps);
  }
  gst_rtp_cc_fec_pad_event (&self->parity.pad, pad, event);
  return gst_rtp_cc_send_element_sink_event (pad, parent, event);
}

/* --- requested pads ------------------------------------------------------- */

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  if (GST_PAD_TEMPLATE_DIRECTION (template) == GST_PAD_SINK)
    return GST_ELEMENT_CLASS (gst_rtp_fbra_fec_parent_class)->request_new_pad
        (element, template, name, caps);
  return gst_rtp_cc_fbra_parity_request (&GST_RTP_FBRA_FEC (element)->parity,
      template);
}

static void
release_pad (GstElement * element, GstPad * pad)
{
  if (GST_PAD_IS_SINK (pad))
    GST_ELEMENT_CLASS (gst_rtp_fbra_fec_parent_class)->release_pad (element,
        pad);
  else
    gst_rtp_cc_fbra_parity_release (&GST_RTP_FBRA_FEC (element)->parity, pad);
}

/* --- the object ----------------------------------------------------------- */

static void
add_stats (GstRtpCcElement * element, GstStructure * stats, GstClockTime now)
{
  gst_rtp_cc_fbra_stats (GST_RTP_FBRA_FEC (element)->fbra, stats);
}

static RccUpdate
adjust_core (GstRtpCcElement * element, RccTime now)
{
  GstRtpFbraFec *self = GST_RTP_FBRA_FEC (element);
  const GstRtpCcFbraSettings s = get_settings (self);
  const RccUpdate update = rcc_tell (&self->parent.send->path.sender, on_config,
      &s.limits, now);

  self->fbra->protection = gst_rtp_cc_fbra_settings_protection (&s);
  return rcc_update_merge ((RccUpdate) {
      .changed = RCC_FEC,.reason = "protection changed"}
      , update);
}

static gboolean
get (GstRtpCcElement * element, guint id, GValue * value)
{
  GstRtpFbraFec *self = GST_RTP_FBRA_FEC (element);

  GST_OBJECT_LOCK (self);
  if (id == PROP_FEC_BITRATE)
    g_value_set_uint (value, self->fec_bitrate);
  else if (id == PROP_STATE)
    g_value_set_enum (value, (gint) self->state);
  GST_OBJECT_UNLOCK (self);
  return id == PROP_FEC_BITRATE || id == PROP_STATE;
}

/* FlexFEC names the stream that it protects in its CSRC list, so it needs
 * another SSRC. */
static gboolean
can_start (GstRtpCcElement * element)
{
  GstRtpFbraFec *self = GST_RTP_FBRA_FEC (element);
  gboolean apart;

  GST_OBJECT_LOCK (self);
  apart = self->parity.pad.pad != NULL;
  GST_OBJECT_UNLOCK (self);
  if (apart || get_settings (self).format != GST_RTP_FBRA_FLEXFEC)
    return TRUE;
  GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS,
      ("FlexFEC needs a stream of its own: request and link the pad fec_src, or set "
          "fec-format=ulpfec."), (NULL));
  return FALSE;
}

static void
stopped (GstRtpCcElement * element)
{
  GST_RTP_CC_ELEMENT_CLASS (gst_rtp_fbra_fec_parent_class)->stopped (element);
  gst_rtp_cc_fec_pad_reset (&GST_RTP_FBRA_FEC (element)->parity.pad);
}

static void
finalize (GObject * object)
{
  GstRtpFbraFec *self = GST_RTP_FBRA_FEC (object);
  GstRtpCcFbraParity parity = self->parity;
  GstRtpCcFbra *fbra = self->fbra;

  G_OBJECT_CLASS (gst_rtp_fbra_fec_parent_class)->finalize (object);
  gst_rtp_cc_fbra_parity_clear (&parity);
  g_free (fbra);
}

/* Not paced: packets pass, with parity behind them. */
static void
init_path (GstRtpFbraFec * self, const GstRtpCcFbraSettings * settings)
{
  GstRtpCcSendElement *parent = &self->parent;

  gst_rtp_cc_send_element_init_path (parent, &templates[1], &send_funcs,
      &driver_funcs);
  parent->send->passes_extensions = TRUE;
  gst_rtp_cc_fbra_parity_init (&self->parity, GST_ELEMENT (self), parent->send,
      parent->parent.driver, (guint8) settings->pt);
}

static void
gst_rtp_fbra_fec_init (GstRtpFbraFec * self)
{
  GstRtpCcSendElement *parent = &self->parent;
  const GstRtpCcFbraSettings *settings =
      gst_rtp_cc_element_init_settings (&parent->parent);

  parent->parent.estimate = settings->limits.start_bps;
  self->state = RCC_FBRA_STAY;
  init_path (self, settings);
  self->fbra = g_new0 (GstRtpCcFbra, 1);
  self->fbra->send = parent->send;
  gst_rtp_cc_fbra_init (self->fbra, settings);
  gst_rtp_cc_send_element_init_sink (parent, &templates[0]);
  gst_pad_set_event_function (parent->sinkpad, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_event_function (parent->srcpad, GST_DEBUG_FUNCPTR (src_event));
  gst_rtp_cc_send_element_init_rtcp (parent);
}

static void
install_read_only (GObjectClass * klass)
{
  const GParamFlags flags =
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  props[PROP_FEC_BITRATE] = g_param_spec_uint ("fec-bitrate", "FEC bitrate",
      "The parity's share of estimated-bitrate (bit/s; 0 = no parity now)", 0,
      G_MAXUINT, 0, flags);
  props[PROP_STATE] = g_param_spec_enum ("state", "State",
      "What FBRA is doing; with algorithm=cnadu in tuning what the last report led to",
      gst_rtp_cc_choices_type (&gst_rtp_fbra_states), RCC_FBRA_STAY, flags);
  for (guint id = PROP_FEC_BITRATE; id < N_PROPS; id++)
    g_object_class_install_property (klass, id, props[id]);
}

static void
gst_rtp_fbra_fec_class_init (GstRtpFbraFecClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  element_class->request_new_pad = GST_DEBUG_FUNCPTR (request_new_pad);
  element_class->release_pad = GST_DEBUG_FUNCPTR (release_pad);
  gst_rtp_cc_send_element_class_names (element_class);
  base->settings = &gst_rtp_cc_fbra_settings;
  base->stats_name = "application/x-rtp-fbra-fec-stats";
  base->stats = add_stats;
  base->adjust = adjust_core;
  base->get = get;
  base->can_start = can_start;
  base->stopped = stopped;
  gst_rtp_cc_element_install (base,
      "What the controller knows and has done; bitrates in bit/s, times in ns");
  gst_rtp_cc_element_install_estimate (base,
      "What may be sent now, media and parity, RTP headers included (bit/s)",
      RCC_START_BITRATE);
  install_read_only (G_OBJECT_CLASS (klass));

  /**
   * GstRtpFbraFec::reset:
   * @self: the element
   *
   * Starts the controller anew with the present settings, as after READY; the sequence
   * numbers go on. For a path that has changed altogether.
   */
  gst_rtp_cc_element_install_reset (base);

  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class,
      "RTP FEC based rate adaptation, sender", "Filter/Network/RTP",
      "Decides how fast an RTP stream may be sent, by sending parity first",
      "The gst-rtpcc maintainers");
}
