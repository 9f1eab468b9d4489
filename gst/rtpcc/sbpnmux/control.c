/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sbpnmux/control.h"

#include "rtpcc/common/utils.h"

static const GstRtpCcTarget unbound = {
  .target_bps = GST_RTP_CC_UNBOUND,.rtt = GST_CLOCK_TIME_NONE
};

static gboolean
is_tfrc (const GstRtpCcMuxControl * c)
{
  return c->settings.rate_control == GST_RTP_SBPN_MUX_TFRC;
}

/* --- the send path -------------------------------------------------------- */

static guint32
scaled (gdouble factor, guint bps)
{
  const gdouble product = factor * bps;

  if (bps == GST_RTP_CC_UNBOUND)
    return GST_RTP_CC_UNBOUND;
  return product >= GST_RTP_CC_UNBOUND - 1 ? GST_RTP_CC_UNBOUND - 1
      : (guint32) product;
}

static guint32
pacing (const GstRtpCcMuxControl * c)
{
  const guint32 bps = scaled (c->settings.pacing_factor, c->below.target_bps);

  if (c->settings.rate_control == GST_RTP_SBPN_MUX_NONE)
    return GST_RTP_CC_UNBOUND;
  return is_tfrc (c) ? MIN (bps, c->tfrc->pacing_bps) : bps;
}

/* What RTCP says, which the path knows, else TFRC's feedback, else the controller
 * downstream. */
static void
measure_rtt (GstRtpCcMuxControl * c, RccTime now)
{
  if (c->path->feedback->reports.rtt.smoothed == RCC_NEVER)
    rcc_send_rtt (c->path, c->tfrc->rtt != RCC_NEVER ? c->tfrc->rtt
        : c->below.rtt, now);
}

/* What the path is to do; it knows of both rates together. The first target was said in READY,
 * when nobody upstream could listen: the path says it again. */
static RccUpdate
amend (gpointer control, RccUpdate update, RccTime now)
{
  GstRtpCcMuxControl *c = control;

  if (update.changed & RCC_TARGET) {
    c->own.target_bps = c->tfrc->target_bps;
    c->own.rtt = c->tfrc->rtt;
    c->own.source = "tfrc";
    c->own.reason = update.reason;
  }
  if (update.changed & (RCC_PACING | RCC_TARGET)) {
    update.changed |= RCC_PACING;
    update.pacing_bps = pacing (c);
    update.target_bps = gst_rtp_cc_mux_control_get (c).target_bps;
  }
  measure_rtt (c, now);
  return update;
}

/* --- the core ------------------------------------------------------------- */

static void
begin (GstRtpCcMuxControl * c, const GstRtpCcMuxSettings * settings)
{
  const RccTfrcConfig config = gst_rtp_cc_mux_settings_tfrc (settings);

  c->settings = *settings;
  c->own = c->below = unbound;
  gst_clear_event (&c->event);
  rcc_tfrc_init (c->tfrc, &config, &settings->limits);
}

void
gst_rtp_cc_mux_control_init (GstRtpCcMuxControl * c,
    const GstRtpCcMuxSettings * settings, RccSend * path)
{
  c->path = path;
  path->amend = amend;
  path->owner = c;
  c->tfrc = g_new0 (RccTfrc, 1);
  begin (c, settings);
}

void
gst_rtp_cc_mux_control_clear (GstRtpCcMuxControl * c)
{
  gst_clear_event (&c->event);
  g_clear_pointer (&c->tfrc, g_free);
}

RccSender *
gst_rtp_cc_mux_control_sender (GstRtpCcMuxControl * c,
    const GstRtpCcMuxSettings * settings)
{
  return settings->rate_control ==
      GST_RTP_SBPN_MUX_TFRC ? &c->tfrc->sender : NULL;
}

RccUpdate
gst_rtp_cc_mux_control_start (GstRtpCcMuxControl * c,
    const GstRtpCcMuxSettings * settings, RccTime now)
{
  begin (c, settings);
  return rcc_send_act (c->path, amend (c, (RccUpdate) {
          .changed =
            is_tfrc (c) ? RCC_TARGET | RCC_PACING : RCC_PACING,.reason =
            "start"}
          , now), now);
}

RccUpdate
gst_rtp_cc_mux_control_adjust (GstRtpCcMuxControl * c,
    const GstRtpCcMuxSettings * settings, RccTime now)
{
  const GstRtpCcMuxSettings before = c->settings;
  const RccSendConfig config = gst_rtp_cc_mux_settings_send (settings);
  RccUpdate update;

  c->settings = *settings;
  c->settings.rate_control = before.rate_control;
  c->settings.limits.start_bps = before.limits.start_bps;
  rcc_send_adjust (c->path, &config, now);
  update = is_tfrc (c) ? rcc_tell (&c->tfrc->sender, on_config,
      &c->settings.limits, now) : rcc_nothing ();
  update.changed |= RCC_PACING;
  return rcc_send_act (c->path, amend (c, update, now), now);
}

/* --- what is heard -------------------------------------------------------- */

RccUpdate
gst_rtp_cc_mux_control_target (GstRtpCcMuxControl * c, GstEvent * event,
    const GstRtpCcTarget * target, RccTime now)
{
  gst_event_replace (&c->event, event);
  c->below = *target;
  measure_rtt (c, now);
  return rcc_send_act (c->path, (RccUpdate) {
      .changed = RCC_TARGET | RCC_PACING,.target_bps =
        gst_rtp_cc_mux_control_get (c).target_bps,.pacing_bps =
        pacing (c),.reason = "target from downstream"}
      , now);
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

  if (is_tfrc (c)) {
    gst_rtp_cc_stats_add (stats, rcc_tfrc_fields, c->tfrc);
    gst_structure_set (stats, "tfrc-bitrate", G_TYPE_UINT, c->tfrc->target_bps,
        NULL);
  }
  gst_structure_set (stats, "target-bitrate", G_TYPE_UINT, target.target_bps,
      "target-source", G_TYPE_STRING, target.source ? target.source : "", NULL);
}

/* --- whose share ---------------------------------------------------------- */

void
gst_rtp_cc_mux_shares_make (GstRtpCcMuxShares * out,
    const GstRtpCcTarget * target, GstRtpCcMuxSink * sink, RccTime now)
{
  const guint fec = MIN (target->fec_bps, target->target_bps);
  RccRateShare shares[RCC_SEND_PADS];
  guint32 given;

  G_STATIC_ASSERT (RCC_SEND_PADS <= RCC_RATESPLIT_MAX);
  out->n = 0;
  for (guint k = 0; k < RCC_SEND_PADS; k++) {
    GstRtpSbpnMuxPad *pad = gst_rtp_cc_mux_sink_pad (sink, k);

    if (!pad)
      continue;
    out->queue_times[out->n] = rcc_send_queue_time (&sink->send->path, k);
    out->pads[out->n] = gst_object_ref (GST_PAD (pad));
    shares[out->n++] = gst_rtp_sbpn_mux_pad_share (pad,
        sink->send->inputs[k].media == RCC_MEDIA_AUDIO,
        rcc_send_measure (&sink->send->path, k, now));
  }
  given = rcc_ratesplit (shares, out->n, target->target_bps - fec);
  for (guint i = 0; i < out->n; i++) {
    GstRtpCcTarget t = *target;

    if (target->target_bps != GST_RTP_CC_UNBOUND) {
      t.fec_bps = given > 0 ? (guint) gst_util_uint64_scale (fec,
          shares[i].share_bps, given) : 0;
      t.target_bps = shares[i].share_bps + t.fec_bps;
    }
    t.queue_time = MAX (t.queue_time, out->queue_times[i]);
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
