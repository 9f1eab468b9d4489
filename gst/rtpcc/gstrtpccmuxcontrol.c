/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccmuxcontrol.h"

#include "rtpcc/gstrtpcctwcc.h"
#include "rtpcc/gstrtpccutils.h"

#define EVENT_PACKETS 1500      /* 60 kB; a frame's feedback has fewer */

static const GstRtpCcTarget unbound = {
  .target_bps = GST_RTP_CC_UNBOUND,.rtt = GST_CLOCK_TIME_NONE
};

/* Where no RTCP is to be heard. */
static const RccSenderOps deaf_ops = {.name = "none" };
static RccSender deaf = { &deaf_ops };

/* --- the queue --------------------------------------------------------------- */

static guint32
scaled (gdouble factor, guint bps)
{
  const gdouble product = factor * bps;

  if (bps == GST_RTP_CC_UNBOUND)
    return GST_RTP_CC_UNBOUND;
  return product >= GST_RTP_CC_UNBOUND - 1 ? GST_RTP_CC_UNBOUND - 1
      : (guint32) product;
}

static void
pace (GstRtpCcMuxControl * c, RccTime now)
{
  guint32 bps = scaled (c->settings.pacing_factor, c->below.target_bps);

  if (c->settings.rate_control == GST_RTP_SBPN_MUX_NONE)
    bps = GST_RTP_CC_UNBOUND;
  else if (c->settings.rate_control == GST_RTP_SBPN_MUX_TFRC)
    bps = MIN (bps, c->tfrc->pacing_bps);
  gst_rtp_cc_mux_queue_rate (c->queue, bps, now);
}

/* What RTCP says, else TFRC's feedback, else the controller downstream. */
static void
measure_rtt (GstRtpCcMuxControl * c, RccTime now)
{
  RccTime rtt = c->queue->feedback->reports.rtt.smoothed;

  if (rtt == RCC_NEVER)
    rtt = c->tfrc->rtt;
  if (rtt == RCC_NEVER)
    rtt = c->below.rtt;
  gst_rtp_cc_mux_queue_rtt (c->queue, rtt, now);
}

static RccUpdate
act (GstRtpCcMuxControl * c, RccUpdate update, RccTime now)
{
  if (update.changed & RCC_TARGET) {
    c->own.target_bps = c->tfrc->target_bps;
    c->own.rtt = c->tfrc->rtt;
    c->own.source = "tfrc";
    c->own.reason = update.why;
  }
  if (update.changed & (RCC_PACING | RCC_TARGET))
    pace (c, now);
  measure_rtt (c, now);
  return update;
}

/* --- the core ---------------------------------------------------------------- */

static RccUpdate
on_report (RccSender * sender, const RccReport * report, RccTime now)
{
  GstRtpCcMuxControl *c = (GstRtpCcMuxControl *) sender;

  rcc_sbpn_way_report (&c->queue->way, report->rtt, now);
  return act (c, rcc_tell (c->core, on_report, report, now), now);
}

static RccUpdate
on_rtcp (RccSender * sender, const RccRtcp * rtcp, RccTime now)
{
  GstRtpCcMuxControl *c = (GstRtpCcMuxControl *) sender;

  return act (c, rcc_tell (c->core, on_rtcp, rtcp, now), now);
}

static RccUpdate
on_feedback (RccSender * sender, const RccPacket * packets, size_t n,
    RccTime now)
{
  GstRtpCcMuxControl *c = (GstRtpCcMuxControl *) sender;

  rcc_sbpn_way_feedback (&c->queue->way, packets, n, now);
  return act (c, rcc_tell (c->core, on_feedback, packets, n, now), now);
}

static RccUpdate
on_remb (RccSender * sender, uint32_t bps, RccTime now)
{
  GstRtpCcMuxControl *c = (GstRtpCcMuxControl *) sender;

  return act (c, rcc_tell (c->core, on_remb, bps, now), now);
}

static RccUpdate
on_deadline (RccSender * sender, RccTime now)
{
  GstRtpCcMuxControl *c = (GstRtpCcMuxControl *) sender;

  return act (c, rcc_tell (c->core, on_deadline, now), now);
}

static RccTime
deadline (const RccSender * sender)
{
  return rcc_deadline (((const GstRtpCcMuxControl *) sender)->core);
}

static const RccSenderOps ops = {
  .name = "sbpn-mux",.on_report = on_report,.on_rtcp = on_rtcp,.on_feedback =
      on_feedback,.on_remb = on_remb,.on_deadline = on_deadline,.deadline =
      deadline,
};

static void
init_tfrc (GstRtpCcMuxControl * c)
{
  const RccTfrcConfig config = gst_rtp_cc_mux_settings_tfrc (&c->settings);

  rcc_tfrc_init (c->tfrc, &config, &c->settings.limits);
}

void
gst_rtp_cc_mux_control_init (GstRtpCcMuxControl * c, GstRtpCcMuxQueue * queue)
{
  c->sender.ops = &ops;
  c->queue = queue;
  c->tfrc = g_new0 (RccTfrc, 1);
  c->core = &deaf;
  gst_rtp_cc_mux_settings_init (&c->settings);
  c->own = c->below = unbound;
  init_tfrc (c);
}

void
gst_rtp_cc_mux_control_clear (GstRtpCcMuxControl * c)
{
  gst_clear_event (&c->event);
  g_clear_pointer (&c->tfrc, g_free);
}

RccUpdate
gst_rtp_cc_mux_control_start (GstRtpCcMuxControl * c,
    const GstRtpCcMuxSettings * settings, RccTime now)
{
  const RccSbpnConfig config = gst_rtp_cc_mux_settings_config (settings);

  c->settings = *settings;
  c->own = c->below = unbound;
  gst_clear_event (&c->event);
  c->announced = FALSE;
  c->core = &deaf;
  gst_rtp_cc_mux_queue_reset (c->queue, &config,
      (RccSbpnWayKind) settings->travel_time, now);
  init_tfrc (c);
  if (settings->rate_control != GST_RTP_SBPN_MUX_TFRC)
    return (RccUpdate) {
    0};
  c->core = &c->tfrc->sender;
  return act (c, (RccUpdate) {
      .changed = RCC_TARGET | RCC_PACING,.why = "start"}
      , now);
}

RccUpdate
gst_rtp_cc_mux_control_adjust (GstRtpCcMuxControl * c,
    const GstRtpCcMuxSettings * settings, RccTime now)
{
  const GstRtpCcMuxSettings before = c->settings;
  RccSbpnConfig config;
  RccUpdate update;

  c->settings = *settings;
  c->settings.rate_control = before.rate_control;
  c->settings.tfrc_form = before.tfrc_form;
  c->settings.faster_restart = before.faster_restart;
  c->settings.limits.start_bps = before.limits.start_bps;
  config = gst_rtp_cc_mux_settings_config (&c->settings);
  gst_rtp_cc_mux_queue_adjust (c->queue, &config,
      (RccSbpnWayKind) settings->travel_time, now);
  update = act (c, rcc_tell (c->core, on_config, &c->settings.limits, now),
      now);
  pace (c, now);
  update.changed |= RCC_PACING;
  return update;
}

/* The first target was said in READY, when nobody upstream could listen: the first
 * packet says it again. */
RccUpdate
gst_rtp_cc_mux_control_sent (GstRtpCcMuxControl * c, const RccPacket * packet,
    RccTime now)
{
  RccUpdate update = rcc_tell (c->core, on_sent, packet);

  if (G_UNLIKELY (update.changed))
    update = act (c, update, now);
  if (G_LIKELY (c->announced))
    return update;
  c->announced = TRUE;
  return rcc_update_merge (update, (RccUpdate) {
      .changed = RCC_TARGET,.why = "start"}
  );
}

/* --- what is heard ------------------------------------------------------------ */

RccUpdate
gst_rtp_cc_mux_control_target (GstRtpCcMuxControl * c, GstEvent * event,
    const GstRtpCcTarget * target, RccTime now)
{
  gst_event_replace (&c->event, event);
  c->below = *target;
  pace (c, now);
  measure_rtt (c, now);
  return (RccUpdate) {
  .changed = RCC_TARGET | RCC_PACING,.why = "target from downstream"};
}

/* The session stamps by the system's clock, which need not be ours. */
static void
to_our_time (RccPacket * packets, gsize n, RccTime now)
{
  GstClock *clock = gst_system_clock_obtain ();
  const RccTime system = gst_clock_get_time (clock);

  for (gsize i = 0; i < n; i++) {
    const RccTime age = system - MIN (packets[i].sent, system);

    packets[i].sent = now - MIN (age, now);
  }
  gst_object_unref (clock);
}

RccUpdate
gst_rtp_cc_mux_control_twcc (GstRtpCcMuxControl * c, GstEvent * event,
    RccTime now)
{
  RccPacket *packets = g_new (RccPacket, EVENT_PACKETS);
  RccUpdate update = { 0 };
  gsize n = gst_rtp_cc_twcc_parse (event, c->queue->header_size, packets,
      EVENT_PACKETS);

  if (n > 0) {
    if (!c->queue->transport.session)
      rcc_feedback_forget_transport (c->queue->feedback);
    c->queue->transport.session = TRUE;
    to_our_time (packets, n, now);
    update = on_feedback (&c->sender, packets, n, now);
  }
  g_free (packets);
  return update;
}

gsize
gst_rtp_cc_mux_control_rtcp (GstRtpCcMuxControl * c, RccBytes compound,
    gboolean ours, guint32 wall, RccTime now, guint8 * out, gsize size,
    RccUpdate * update)
{
  RccFeedback *feedback = c->queue->feedback;

  if (!ours) {
    *update = rcc_feedback_rtcp (feedback, compound, wall, now, &c->sender);
    measure_rtt (c, now);
    return 0;
  }
  if (c->core != &deaf)
    return rcc_feedback_answer (feedback, compound, now, out, size);
  /* whoever obeys a TMMBR answers it */
  rcc_feedback_rtcp_sent (feedback, compound, now);
  return 0;
}

GstRtpCcTarget
gst_rtp_cc_mux_control_get (const GstRtpCcMuxControl * c)
{
  return gst_rtp_cc_target_merge (&c->own, &c->below);
}

void
gst_rtp_cc_mux_control_stats (const GstRtpCcMuxControl * c,
    GstStructure * stats)
{
  const GstRtpCcTarget target = gst_rtp_cc_mux_control_get (c);

  if (c->core != &deaf) {
    gst_rtp_cc_stats_add (stats, rcc_tfrc_fields, c->tfrc);
    gst_structure_set (stats, "tfrc-bitrate", G_TYPE_UINT, c->tfrc->target_bps,
        NULL);
  }
  gst_structure_set (stats, "target-bitrate", G_TYPE_UINT, target.target_bps,
      "target-source", G_TYPE_STRING, target.source ? target.source : "", NULL);
}

/* --- whose share -------------------------------------------------------------- */

void
gst_rtp_cc_mux_shares_make (GstRtpCcMuxShares * out,
    const GstRtpCcTarget * target, GstRtpSbpnMuxPad * const *pads,
    GstRtpCcMuxQueue * queue, RccTime now)
{
  const guint fec = MIN (target->fec_bps, target->target_bps);
  RccRateShare shares[GST_RTP_CC_MUX_PADS];
  guint32 given;

  G_STATIC_ASSERT (GST_RTP_CC_MUX_PADS <= RCC_RATESPLIT_MAX);
  out->n = 0;
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    if (pads[k]) {
      out->pads[out->n] = gst_object_ref (GST_PAD (pads[k]));
      shares[out->n++] = gst_rtp_sbpn_mux_pad_share (pads[k],
          gst_rtp_cc_mux_queue_measure (queue, k, now));
    }
  given = rcc_ratesplit (shares, out->n, target->target_bps - fec);
  for (guint i = 0; i < out->n; i++) {
    GstRtpCcTarget t = *target;

    if (target->target_bps != GST_RTP_CC_UNBOUND) {
      t.fec_bps = given > 0 ? (guint) gst_util_uint64_scale (fec,
          shares[i].share_bps, given) : 0;
      t.target_bps = shares[i].share_bps + t.fec_bps;
    }
    out->events[i] = gst_rtp_cc_event_new (&t);
  }
}

void
gst_rtp_cc_mux_shares_push (GstRtpCcMuxShares * shares)
{
  for (guint i = 0; i < shares->n; i++) {
    gst_pad_push_event (shares->pads[i], shares->events[i]);
    gst_object_unref (shares->pads[i]);
  }
  shares->n = 0;
}
