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
#include "rtpcc/common/utils.h"
#include "rtpcc/gccsender/settings.h"
#include "rtpcc/sendpath/parity.h"

GST_DEBUG_CATEGORY_STATIC (gst_rtp_gcc_sender_debug);
#define GST_CAT_DEFAULT gst_rtp_gcc_sender_debug

struct _GstRtpGccSender
{
  GstRtpCcSendElement parent;

  /* driver's lock */
  RccGccSender *gcc;
  RccSendParity *parity;        /* NULL: there never was any */
  const gchar *limited_by;      /* as last posted */

  struct
  {                             /* from act() to apply() */
    GstRtpCcTarget target;      /* the encoder's */
    guint bps;                  /* the controller's */
    const gchar *limited_by;    /* to be posted; NULL: it is the same */
  } said;
};

static GstStaticPadTemplate templates[] = {
  GST_RTP_CC_RTP_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS),
  GST_RTP_CC_RTP_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS),
};

G_DEFINE_TYPE_WITH_CODE (GstRtpGccSender, gst_rtp_gcc_sender,
    GST_TYPE_RTP_CC_SEND_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_gcc_sender_debug, "rtpgccsender", 0,
        "RTP Google congestion control, sender"));
GST_ELEMENT_REGISTER_DEFINE (rtpgccsender, "rtpgccsender", GST_RANK_NONE,
    GST_TYPE_RTP_GCC_SENDER);

/* --- the core ------------------------------------------------------------ */

static GstRtpCcSenderSettings
get_settings (gpointer self)
{
  GstRtpCcSenderSettings settings;

  gst_rtp_cc_element_get_settings (self, &settings);
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
    rcc_send_protect (&self->parent.send->path, self->parity);
    gst_rtp_cc_send_parity_announce (self->parent.send, 0);
  }
  rcc_send_parity_set (self->parity, s->protection, 1);
}

/* A new life: what may not change in one. */
static void
begin_parity (GstRtpGccSender * self, const GstRtpCcSenderSettings * s)
{
  const RccSendParityConfig config = parity_config (s);

  if (self->parity)
    rcc_send_protect_configure (&self->parent.send->path, &config);
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

  return parity + rcc_send_rtx_bps (&self->parent.send->path,
      target_bps - parity, now);
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
  gst_rtp_cc_send_begin (self->parent.send, &send, &self->gcc->sender, now);
  begin_parity (self, &settings);
  self->limited_by = NULL;
  return rcc_send_act (&self->parent.send->path, (RccUpdate) {
      .changed = RCC_TARGET | RCC_PACING,.target_bps =
        self->gcc->target_bps,.pacing_bps = self->gcc->pacing_bps,.reason =
        "start"}
      , now);
}

static void
post_state (GstRtpGccSender * self, const RccUpdate * update)
{
  if (!self->said.limited_by)
    return;
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("GstRtpGccSender", "limited-by", G_TYPE_STRING,
              self->said.limited_by, "target-bitrate", G_TYPE_UINT,
              update->target_bps, "reason", G_TYPE_STRING, update->reason,
              NULL)));
}

static void
act (GstElement * element, const RccUpdate * update, RccTime now)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (element);
  RccSend *path = &self->parent.send->path;
  GstRtpCcTarget *target = &self->said.target;

  if (!(update->changed & RCC_TARGET))
    return;
  self->said.bps = self->gcc->target_bps;
  self->said.limited_by = self->gcc->limited_by == self->limited_by ? NULL
      : self->gcc->limited_by;
  self->limited_by = self->gcc->limited_by;
  *target = (GstRtpCcTarget) {
  .target_bps =
        rcc_send_encoder_bps (path, self->gcc->target_bps),.queue_time =
        rcc_send_queue_time (path, RCC_SBPN_ALL),.rtt =
        self->gcc->rtt,.source = GST_OBJECT_NAME (self),.reason =
        update->reason};
  target->fec_bps = repair_bps (self, target->target_bps, now);
}

/* The send path acts on pacing and probes where they come up, with the core locked; this
 * is the rest. */
static void
apply (GstElement * element, const RccUpdate * update)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (element);

  if (update->changed & (RCC_PACING | RCC_PROBE))
    gst_rtp_cc_send_wake (self->parent.send);
  if (!(update->changed & RCC_TARGET))
    return;
  GST_DEBUG_OBJECT (self, "target %u bit/s, the encoder's %u: %s",
      self->said.bps, self->said.target.target_bps, update->reason);
  gst_rtp_cc_target_aggregator_own (self->parent.aggregator,
      &self->said.target);
  gst_rtp_cc_element_set_estimate (&self->parent.parent, self->said.bps);
  post_state (self, update);
}

static const GstRtpCcDriverFuncs driver_funcs = { core_init, act, apply };

/* --- the object ----------------------------------------------------------- */

static void
add_stats (GstRtpCcElement * element, GstStructure * stats, GstClockTime now)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (element);
  const GstClockTime heard = self->gcc->heard;

  if (now != GST_CLOCK_TIME_NONE)
    self->gcc->sent_bps = rcc_window_bps (&self->gcc->sent, now);
  gst_rtp_cc_stats_add (stats, rcc_gcc_sender_fields, self->gcc);
  gst_rtp_cc_stats_add (stats, rcc_gcc_delay_fields, &self->gcc->delay);
  gst_rtp_cc_send_stats (self->parent.send, stats);
  gst_structure_set (stats, "time-since-feedback", G_TYPE_UINT64,
      heard == RCC_NEVER || now == GST_CLOCK_TIME_NONE ? GST_CLOCK_TIME_NONE
      : now - heard, "fec-bitrate", G_TYPE_UINT,
      protection_bps (self, self->gcc->target_bps), NULL);
}

static RccUpdate
adjust (GstRtpCcElement * element, RccTime now)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (element);
  const GstRtpCcSenderSettings settings = get_settings (self);
  const RccUpdate update = rcc_tell (&self->parent.send->path.sender, on_config,
      &settings.limits, now);

  protect (self, &settings);
  return rcc_update_merge (update, (RccUpdate) {
      .changed = RCC_TARGET,.target_bps = self->gcc->target_bps,.reason =
        "settings"}
  );
}

static void
changed (GstRtpCcElement * element)
{
  const GstRtpCcSenderSettings settings = get_settings (element);
  GstRtpCcSend *send = GST_RTP_CC_SEND_ELEMENT (element)->send;

  gst_rtp_cc_send_set_room (send, settings.max_queue_time);
  gst_rtp_cc_send_set_abs_send_time_id (send, settings.abs_send_time_id);
}

static void
finalize (GObject * object)
{
  GstRtpGccSender *self = GST_RTP_GCC_SENDER (object);
  RccSendParity *parity = self->parity;
  RccGccSender *gcc = self->gcc;

  G_OBJECT_CLASS (gst_rtp_gcc_sender_parent_class)->finalize (object);
  if (parity)
    rcc_send_parity_clear (parity);
  g_free (parity);
  g_free (gcc);
}

static void
gst_rtp_gcc_sender_init (GstRtpGccSender * self)
{
  GstRtpCcSendElement *parent = &self->parent;
  const GstRtpCcSenderSettings *settings =
      gst_rtp_cc_element_init_settings (&parent->parent);
  const RccGccConfig config = gst_rtp_cc_sender_settings_config (settings);

  parent->parent.estimate = settings->limits.start_bps;
  self->gcc = g_new0 (RccGccSender, 1);
  rcc_gcc_sender_init (self->gcc, &config, &settings->limits);
  gst_rtp_cc_send_element_init_path (parent, &templates[1], NULL,
      &driver_funcs);
  gst_rtp_cc_send_element_init_sink (parent, &templates[0]);
  gst_rtp_cc_send_set_room (parent->send, settings->max_queue_time);
  gst_rtp_cc_send_element_init_rtcp (parent);
}

static void
gst_rtp_gcc_sender_class_init (GstRtpGccSenderClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRtpCcElementClass *base = GST_RTP_CC_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  base->settings = &gst_rtp_cc_sender_settings;
  base->stats_name = "application/x-rtp-gcc-sender-stats";
  base->stats = add_stats;
  base->adjust = adjust;
  base->changed = changed;
  gst_rtp_cc_element_install (base,
      "What the controller knows and has done; bitrates in bit/s, times in ns");
  gst_rtp_cc_element_install_estimate (base,
      "What may be sent now, RTP headers included (bit/s)", RCC_START_BITRATE);
  /**
   * GstRtpGccSender::reset:
   * @self: the element
   *
   * Starts the controller anew with the present settings, as after READY; what is
   * queued stays. For a path that has changed altogether.
   */
  gst_rtp_cc_element_install_reset (base);

  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class,
      "RTP Google Congestion Control, sender", "Filter/Network/RTP",
      "Decides how fast an RTP session may send, and paces it",
      "The gst-rtpcc maintainers");
}
