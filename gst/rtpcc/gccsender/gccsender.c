/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtpgccsender
 * @title: rtpgccsender
 * @short_description: Google Congestion Control and pacing for an RTP sender
 *
 * Decides how fast an RTP session may send, paces its packets at that rate, and
 * tells the encoder. It stands right before rtpbin's `send_rtp_sink` (also as
 * webrtcbin's aux sender), and the RTCP that comes in runs through its second
 * pair of pads before it reaches `recv_rtcp_sink`.
 *
 * The target is the smallest of
 *
 * * the receiver's estimate, from REMB or TMMBR (see #rtpgccreceiver);
 * * a delay-based estimate of its own, from transport-wide feedback (RTCP that
 *   comes through, or rtpsession's `RTPTWCCPackets` event) or RFC 8888;
 * * the loss-based controller, from receiver reports.
 *
 * It is the property #GstRtpGccSender:estimated-bitrate, and goes upstream in a
 * `GstRtpTargetBitrate` event that #rtpbitrateadapter behind the encoder obeys.
 * Both count RTP headers, not UDP and IP.
 *
 * Packets leave in groups every 5 ms at 1.05 times the target (pacing-factor of
 * #GstRtpGccSender:tuning): audio first, then retransmissions, then video. A thread that was woken late makes
 * up for it, 40 ms of the rate at a time. While much waits, the event upstream says so, and
 * asks the encoder for less; #rtpbitrateadapter leaves pictures out meanwhile. Nothing is
 * dropped before it has waited for #GstRtpGccSender:max-queue-time. Then a whole frame is,
 * with those behind it up to the next key frame, for which upstream is asked once; the
 * receiver sees no gap. Where packets carry abs-send-time (#rtphdrextabssendtime) it is
 * written anew as they leave.
 *
 * A request for a retransmission goes upstream once per round trip and packet, and not for a
 * packet that never left or left too long ago. Retransmissions take half of the target at
 * most.
 *
 * With #GstRtpGccSender:protection every so many packets of video are followed by one of
 * parity (RFC 5109, for rtpulpfecdec), within the target: of use where a round trip is too
 * long for retransmissions. rtpcall shows when to switch it on.
 *
 * To find out what the path can take, the profile `default` now and then lets a
 * few packets leave faster than the target, filled up with RTP packets of nothing
 * but padding on the video's SSRC, between frames; later packets of that SSRC are
 * renumbered, and so are retransmissions (RFC 4588) and requests for them. Parity made
 * upstream speaks of the former numbers: behind a FEC encoder set
 * probe-interval of #GstRtpGccSender:tuning to 0 (padding stops where parity is seen to pass).
 *
 * #GstRtpGccSender:profile `rrtcc` is GCC as it was in 2012
 * (draft-alvestrand-rtcweb-congestion-02/-03), a baseline for comparisons, with a
 * #rtpgccreceiver of that profile that sends TMMBR. `paper` is that of ANRW'16.
 *
 * The session's outgoing RTCP may run through the request pad `send_rtcp_sink`: then
 * round-trip times are exact whatever clock its SRs carry, and a TMMBR is answered by a
 * TMMBN (RFC 5104) in the next compound.
 *
 * When no feedback comes, the target halves each 2 s (feedback-timeout of the tuning)
 * down to #GstRtpGccSender:min-bitrate. A REMB or a report that a stranger forges
 * moves the target; only SRTCP keeps strangers out.
 *
 * The round-trip time comes from receiver reports. Where the SRs do not carry the
 * system's time, let the outgoing RTCP run through the request pad `send_rtcp_sink`
 * too; GStreamer then warns of a loop in the graph, which does no harm, unless that is
 * done in rtpbin's `request-rtcp-encoder`.
 *
 * ## Example launch line
 *
 * A call to oneself over a link of 800 kbit/s.  The messages say what limits the target.
 * |[
 * gst-launch-1.0 -m rtpbin name=s rtp-profile=avpf rtpbin name=r rtp-profile=avpf \
 *   videotestsrc is-live=true ! x264enc tune=zerolatency ! rtpbitrateadapter ! rtph264pay \
 *   ! "application/x-rtp,extmap-3=(string)http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time" \
 *   ! rtpgccsender name=cc ! s.send_rtp_sink_0 \
 *   s.send_rtp_src_0 ! linksim name=net scenario=constant:800k ! rtpgccreceiver name=est \
 *   ! r.recv_rtp_sink_0 r. ! rtph264depay ! avdec_h264 ! fakesink \
 *   s.send_rtcp_src_0 ! net.fwd_sink_0 net.fwd_src_0 ! r.recv_rtcp_sink_0 \
 *   r.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=5011 sync=false async=false \
 *   est.rtcp_src ! udpsink host=127.0.0.1 port=5011 sync=false async=false \
 *   udpsrc port=5011 ! cc.rtcp_sink cc.rtcp_src ! s.recv_rtcp_sink_0
 * ]|
 */
#include "rtpcc/gccsender/gccsender.h"

#include "core/gcc/sender.h"
#include "core/fbra/protection.h"
#include "rtpcc/common/driver.h"
#include "rtpcc/common/event.h"
#include "rtpcc/common/pads.h"
#include "rtpcc/common/rtcppair.h"
#include "rtpcc/common/twcc.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/gccsender/settings.h"
#include "rtpcc/sendpath/parity.h"
#include "rtpcc/sendpath/sendpath.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_rtp_gcc_sender_debug

enum
{
  PROP_ESTIMATED_BITRATE = GST_RTP_CC_PROPS,
  PROP_STATS,
  N_PROPS,
};

enum
{
  SIGNAL_RESET,
  N_SIGNALS,
};

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

struct _GstRtpGccSender
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  GstRtpCcRtcpPair *rtcp;
  GstRtpCcDriver *driver;
  GstRtpCcTargetAggregator *aggregator;
  GstRtpCcSend *send;

  RccGccSender *gcc;            /* driver's lock */
  RccSendParity *parity;        /* the same; NULL: there never was any */
  const gchar *limited_by;      /* last posted; driver's lock */

  /* object lock */
  GstRtpCcSenderSettings settings;
  guint estimate;               /* last notified */
};

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTP_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("rtcp_src", GST_PAD_SRC, GST_PAD_ALWAYS),
  GST_RTP_CC_RTCP_TEMPLATE ("send_rtcp_sink", GST_PAD_SINK, GST_PAD_REQUEST),
  GST_RTP_CC_RTCP_TEMPLATE ("send_rtcp_src", GST_PAD_SRC, GST_PAD_SOMETIMES),
};

G_DEFINE_TYPE_WITH_CODE (GstRtpGccSender, gst_rtp_gcc_sender, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_gcc_sender_debug, "rtpgccsender", 0,
        "RTP Google congestion control, sender"));
GST_ELEMENT_REGISTER_DEFINE (rtpgccsender, "rtpgccsender", GST_RANK_NONE,
    GST_TYPE_RTP_GCC_SENDER);

/* --- the core ------------------------------------------------------------ */

static GstRtpCcSenderSettings
get_settings (GstRtpGccSender * self)
{
  GstRtpCcSenderSettings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  return settings;
}

static RccSendParityConfig
parity_config (const GstRtpCcSenderSettings * s)
{
  return (RccSendParityConfig) {
  .pt = (guint8) s->fec_pt,.ssrc = s->protect_ssrc};
}

/* With the core locked.  Parity takes 135 kB: only who wants some has it. */
static void
protect (GstRtpGccSender * self, const GstRtpCcSenderSettings * s)
{
  const RccSendParityConfig config = parity_config (s);

  if (!self->parity && s->protection == 0)
    return;
  if (!self->parity) {
    self->parity = g_new (RccSendParity, 1);
    rcc_send_parity_init (self->parity, &config, g_realloc);
    rcc_send_protect (&self->send->path, self->parity);
    gst_rtp_cc_send_parity_announce (self->send, 0);
  }
  rcc_send_parity_set (self->parity, s->protection, 1);
}

/* A new life: what may not change in one. */
static void
begin_parity (GstRtpGccSender * self, const GstRtpCcSenderSettings * s)
{
  const RccSendParityConfig config = parity_config (s);

  if (self->parity)
    rcc_send_protect_configure (&self->send->path, &config);
  protect (self, s);
}

/* Parity's share of @target_bps. */
static guint32
protection_bps (const GstRtpGccSender * self, guint32 target_bps)
{
  const RccProtection protection = {.every = self->parity ? self->parity->n : 0,
    .depth = 1
  };

  return rcc_protection_bps (&protection, 0, target_bps, 0);
}

/* What of @target_bps is not for the encoder. */
static guint32
repair_bps (GstRtpGccSender * self, guint32 target_bps, RccTime now)
{
  const guint32 parity = protection_bps (self, target_bps);

  return parity + rcc_send_rtx_bps (&self->send->path, target_bps - parity,
      now);
}

static RccUpdate
core_init (GstElement * element, RccTime now)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (element);
  RccSendConfig send = rcc_send_config ();
  const GstRtpCcSenderSettings settings = get_settings (self);
  RccGccConfig config;

  config = gst_rtp_cc_sender_settings_config (&settings);
  rcc_gcc_sender_init (self->gcc, &config, &settings.limits);
  send.burst = config.burst;
  send.drain = config.queue_drain;
  send.backlog_from = config.backlog_from;
  send.backlog_over = config.backlog_over;
  send.scheduler.max_time = settings.max_queue_time;
  gst_rtp_cc_send_begin (self->send, &send, &self->gcc->sender, now);
  begin_parity (self, &settings);
  self->limited_by = NULL;
  return rcc_send_act (&self->send->path, (RccUpdate) {
      .changed = RCC_TARGET | RCC_PACING,.target_bps =
        self->gcc->target_bps,.pacing_bps = self->gcc->pacing_bps,.reason =
        "start"}
      , now);
}

static void
post_state (GstRtpGccSender * self, const RccUpdate * update)
{
  const gchar *limited_by;
  gboolean changed;

  gst_rtp_cc_driver_lock (self->driver);
  limited_by = self->gcc->limited_by;
  changed = limited_by != self->limited_by;
  self->limited_by = limited_by;
  gst_rtp_cc_driver_unlock (self->driver);
  if (!changed)
    return;
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("GstRtpGccSender", "limited-by", G_TYPE_STRING,
              limited_by, "target-bitrate", G_TYPE_UINT, update->target_bps,
              "reason", G_TYPE_STRING, update->reason, NULL)));
}

/* The send path acts on pacing and probes where they come up, with the core locked; this
 * is the rest. */
static void
apply (GstElement * element, const RccUpdate * update)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (element);
  GstRtpCcTarget target = {.source = GST_OBJECT_NAME (self),.reason =
        update->reason
  };
  guint target_bps;
  gboolean changed;
  RccTime now;

  if (update->changed & (RCC_PACING | RCC_PROBE))
    gst_rtp_cc_send_wake (self->send);
  if (!(update->changed & RCC_TARGET))
    return;

  now = gst_rtp_cc_driver_lock (self->driver);
  target_bps = self->gcc->target_bps;
  target.target_bps = rcc_send_encoder_bps (&self->send->path, target_bps);
  target.fec_bps = repair_bps (self, target.target_bps, now);
  target.queue_time = rcc_send_queue_time (&self->send->path, RCC_SBPN_ALL);
  target.rtt = self->gcc->rtt;
  gst_rtp_cc_driver_unlock (self->driver);
  GST_OBJECT_LOCK (self);
  changed = self->estimate != target_bps;
  self->estimate = target_bps;
  GST_OBJECT_UNLOCK (self);
  GST_DEBUG_OBJECT (self, "target %u bit/s, the encoder's %u: %s", target_bps,
      target.target_bps, update->reason);

  gst_rtp_cc_target_aggregator_own (self->aggregator, &target);
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ESTIMATED_BITRATE]);
  post_state (self, update);
}

static const GstRtpCcDriverFuncs driver_funcs = { core_init, apply };

/* --- feedback ------------------------------------------------------------- */

static void
take_twcc (GstRtpGccSender * self, GstEvent * event)
{
  gsize n;
  RccPacket *packets = gst_rtp_cc_send_twcc (self->send, event, &n);

  if (packets)
    gst_rtp_cc_driver_feedback (self->driver, packets, n);
  g_free (packets);
}

static gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (parent);

  if (gst_rtp_cc_target_aggregator_event (self->aggregator, event))
    return TRUE;
  if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM
      && gst_event_has_name (event, GST_RTP_CC_TWCC_EVENT))
    take_twcc (self, event);
  event = gst_rtp_cc_send_request (self->send, event);
  return !event || gst_pad_event_default (pad, parent, event);
}

static gsize
hear_rtcp (GstElement * element, RccBytes compound, gboolean ours,
    guint32 ntp_middle, RccTime now, guint8 * out, gsize size,
    RccUpdate * update)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (element);
  RccFeedback *feedback = self->send->path.feedback;

  if (ours)
    return rcc_feedback_answer (feedback, compound, now, out, size);
  *update = rcc_feedback_rtcp (feedback, compound, ntp_middle, now,
      &self->send->path.sender);
  return 0;
}

static GstPad *
request_new_pad (GstElement * element, GstPadTemplate * template,
    const gchar * name, const GstCaps * caps)
{
  return gst_rtp_cc_rtcp_pair_request (GST_RTP_GCC_SENDER (element)->rtcp,
      template, &templates[5]);
}

static void
release_pad (GstElement * element, GstPad * pad)
{
  gst_rtp_cc_rtcp_pair_release (GST_RTP_GCC_SENDER (element)->rtcp, pad);
}

/* --- the object ----------------------------------------------------------- */

static void
reset (GstRtpGccSender * self)
{
  gst_rtp_cc_driver_reset (self->driver);
}

static GstStructure *
make_stats (GstRtpGccSender * self)
{
  GstStructure *stats;
  GstClockTime now, heard;

  now = gst_rtp_cc_driver_lock (self->driver);
  heard = self->gcc->heard;
  if (now != GST_CLOCK_TIME_NONE)
    self->gcc->sent_bps = rcc_window_bps (&self->gcc->sent, now);
  stats = gst_rtp_cc_stats_new ("application/x-rtp-gcc-sender-stats",
      rcc_gcc_sender_fields, self->gcc);
  gst_rtp_cc_stats_add (stats, rcc_gcc_delay_fields, &self->gcc->delay);
  gst_rtp_cc_send_stats (self->send, stats);
  gst_structure_set (stats, "time-since-feedback", G_TYPE_UINT64,
      heard == RCC_NEVER || now == GST_CLOCK_TIME_NONE ? GST_CLOCK_TIME_NONE
      : now - heard, "fec-bitrate", G_TYPE_UINT,
      protection_bps (self, self->gcc->target_bps), NULL);
  gst_rtp_cc_driver_unlock (self->driver);
  return stats;
}

/* Those that may change at any time.  Reads them with the core locked, so that two threads
 * cannot leave older ones in place. */
static RccUpdate
hear_settings (RccSender * sender, RccTime now, gpointer user_data)
{
  GstRtpGccSender *self = user_data;
  const GstRtpCcSenderSettings settings = get_settings (self);
  const RccUpdate update = rcc_tell (sender, on_config, &settings.limits, now);

  protect (self, &settings);
  return rcc_update_merge (update, (RccUpdate) {
      .changed = RCC_TARGET,.target_bps = self->gcc->target_bps,.reason =
        "settings"}
  );
}

static void
set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * pspec)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (object);
  GstRtpCcSenderSettings settings;
  gboolean known;

  GST_OBJECT_LOCK (self);
  known = gst_rtp_cc_settings_set (&gst_rtp_cc_sender_settings,
      &self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  if (pspec->flags & GST_PARAM_MUTABLE_PLAYING)
    gst_rtp_cc_driver_call (self->driver, hear_settings, self);
  settings = get_settings (self);
  gst_rtp_cc_send_set_room (self->send, settings.max_queue_time);
  gst_rtp_cc_send_set_abs_send_time_id (self->send, settings.abs_send_time_id);
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (object);
  gboolean known = TRUE;

  if (id == PROP_STATS) {
    g_value_take_boxed (value, make_stats (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  if (id == PROP_ESTIMATED_BITRATE)
    g_value_set_uint (value, self->estimate);
  else
    known = gst_rtp_cc_settings_get (&gst_rtp_cc_sender_settings,
        &self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static GstStateChangeReturn
change_state (GstElement * element, GstStateChange transition)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    gst_rtp_cc_driver_start (self->driver);
  ret =
      GST_ELEMENT_CLASS (gst_rtp_gcc_sender_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    gst_rtp_cc_driver_stop (self->driver);
    gst_rtp_cc_target_aggregator_reset (self->aggregator);
  }
  return ret;
}

static gboolean
set_clock (GstElement * element, GstClock * clock)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (element);

  gst_rtp_cc_driver_set_clock (self->driver, clock);
  gst_rtp_cc_send_wake (self->send);    /* the old clock may never reach its time */
  return
      GST_ELEMENT_CLASS (gst_rtp_gcc_sender_parent_class)->set_clock (element,
      clock);
}

static void
finalize (GObject * object)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (object);

  gst_rtp_cc_driver_free (self->driver);
  gst_rtp_cc_send_free (self->send);
  gst_rtp_cc_rtcp_pair_free (self->rtcp);
  gst_rtp_cc_target_aggregator_free (self->aggregator);
  if (self->parity)
    rcc_send_parity_clear (self->parity);
  g_free (self->parity);
  g_free (self->gcc);
  G_OBJECT_CLASS (gst_rtp_gcc_sender_parent_class)->finalize (object);
}

static void
gst_rtp_gcc_sender_init (GstRtpGccSender * self)
{
  GstElement *element = GST_ELEMENT (self);
  RccGccConfig config;

  gst_rtp_cc_sender_settings_init (&self->settings);
  config = gst_rtp_cc_sender_settings_config (&self->settings);
  self->estimate = self->settings.limits.start_bps;
  self->gcc = g_new0 (RccGccSender, 1);
  rcc_gcc_sender_init (self->gcc, &config, &self->settings.limits);
  self->sinkpad = gst_pad_new_from_static_template (&templates[0], "sink");
  self->srcpad = gst_pad_new_from_static_template (&templates[1], "src");
  self->send = gst_rtp_cc_send_new (element, self->srcpad, NULL);
  self->driver = gst_rtp_cc_driver_new (element, &self->send->path.sender,
      &driver_funcs);
  self->send->driver = self->driver;
  gst_rtp_cc_send_add (self->send, self->sinkpad);
  gst_rtp_cc_send_set_room (self->send, self->settings.max_queue_time);
  gst_pad_set_event_function (self->srcpad, GST_DEBUG_FUNCPTR (src_event));
  gst_rtp_cc_add_pad_pair (element, self->sinkpad, self->srcpad);
  self->aggregator = gst_rtp_cc_target_aggregator_new (self->sinkpad);
  self->rtcp = gst_rtp_cc_rtcp_pair_new (element, &templates[2], &templates[3],
      self->driver, hear_rtcp, &self->send->path.feedback->reports);
}

static void
gst_rtp_gcc_sender_class_init (GstRtpGccSenderClass * klass)
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

  gst_rtp_cc_settings_install (&gst_rtp_cc_sender_settings, object_class);
  props[PROP_ESTIMATED_BITRATE] = g_param_spec_uint ("estimated-bitrate",
      "Estimated bitrate", "What may be sent now, RTP headers included (bit/s)",
      0, G_MAXUINT, RCC_START_BITRATE,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  props[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "What the controller knows and has done; bitrates in bit/s, times in ns",
      GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_property (object_class, PROP_ESTIMATED_BITRATE,
      props[PROP_ESTIMATED_BITRATE]);
  g_object_class_install_property (object_class, PROP_STATS, props[PROP_STATS]);

  /**
   * GstRtpGccSender::reset:
   * @self: the element
   *
   * Starts the controller anew with the present settings, as after READY; what is
   * queued stays. For a path that has changed altogether.
   */
  signals[SIGNAL_RESET] = g_signal_new_class_handler ("reset",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (reset), NULL, NULL, NULL, G_TYPE_NONE, 0);

  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class,
      "RTP Google Congestion Control, sender", "Filter/Network/RTP",
      "Decides how fast an RTP session may send, and paces it",
      "The gst-rtpcc maintainers");
}
