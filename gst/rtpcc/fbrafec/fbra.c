/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/fbrafec/fbra.h"

#include "rtpcc/common/event.h"
#include "rtpcc/common/utils.h"

static void
pool (GstRtpCcFbra * f, gboolean together)
{
  if (f->kind == GST_RTP_CC_FBRA_SELF)
    f->fbra.config.reports.pool = together;
  else if (f->kind == GST_RTP_CC_FBRA_CNADU)
    f->cnadu.config.reports.pool = together;
}

/* Arrival times come as often as the receiver likes, XR at FBRA's own interval, where an
 * early report means trouble. */
static RccUpdate
on_feedback (RccSender * sender, const RccPacket * packets, size_t n,
    RccTime now)
{
  GstRtpCcFbra *f = (GstRtpCcFbra *) sender;
  const RccSend *path = &f->send->path;

  pool (f, path->transport.session
      || path->feedback->reports.reporters.source.format != RCC_RTCP_XR);
  return f->own->on_feedback (sender, packets, n, now);
}

void
gst_rtp_cc_fbra_init (GstRtpCcFbra * f, const GstRtpCcFbraSettings * settings)
{
  const RccFbraConfig config = gst_rtp_cc_fbra_settings_config (settings);
  const RccCnaduConfig cnadu = gst_rtp_cc_fbra_settings_cnadu (settings);
  const RccFbraProbeConfig probe = gst_rtp_cc_fbra_settings_probe (settings);

  f->protection = gst_rtp_cc_fbra_settings_protection (settings);
  f->probing = RCC_NEVER;
  if (settings->probe_for == GST_RTP_FBRA_PROBE_EXTERNAL) {
    f->kind = GST_RTP_CC_FBRA_PROBE;
    rcc_fbra_probe_init (&f->probe, &probe, &settings->limits);
  } else if (gst_rtp_cc_fbra_settings_algorithm (settings) ==
      GST_RTP_FBRA_CNADU) {
    f->kind = GST_RTP_CC_FBRA_CNADU;
    rcc_cnadu_init (&f->cnadu, &cnadu, &settings->limits);
  } else {
    f->kind = GST_RTP_CC_FBRA_SELF;
    rcc_fbra_init (&f->fbra, &config, &settings->limits);
  }
  f->own = f->core.ops;
  f->ops = *f->own;
  f->ops.on_feedback = on_feedback;
  f->core.ops = &f->ops;
}

static GstRtpCcFbraView
view_of_core (const GstRtpCcFbra * f)
{
  const RccFbraProbe *p = &f->probe;
  const RccCnadu *c = &f->cnadu;

  if (f->kind == GST_RTP_CC_FBRA_CNADU)
    return (GstRtpCcFbraView) {
    TRUE, c->state, c->reason, c->target_bps, 0, 0,
        rcc_skew_owd_rtt_min (&c->clock)};
  if (f->kind == GST_RTP_CC_FBRA_PROBE)
    return (GstRtpCcFbraView) {
    p->external >= 0, p->state, p->reason, p->target_bps, p->fec_bps,
        p->fec_interval, rcc_skew_owd_rtt_min (&p->clock)};
  return (GstRtpCcFbraView) {
  TRUE, f->fbra.state, f->fbra.reason, f->fbra.target_bps, f->fbra.fec_bps,
        f->fbra.fec_interval, f->fbra.rtt_min};
}

GstRtpCcFbraView
gst_rtp_cc_fbra_view (const GstRtpCcFbra * f)
{
  GstRtpCcFbraView view = view_of_core (f);

  view.fec_bps = rcc_protection_bps (&f->protection, view.fec_interval,
      view.target_bps, view.fec_bps);
  view.fec_interval =
      rcc_protection_interval (&f->protection, view.fec_interval);
  return view;
}

/* The core's own fec_interval; 0: it does not probe. */
static guint
own_interval (const GstRtpCcFbra * f)
{
  if (f->kind == GST_RTP_CC_FBRA_CNADU)
    return 0;
  return f->kind == GST_RTP_CC_FBRA_PROBE ? f->probe.fec_interval
      : f->fbra.fec_interval;
}

/* Of a probe, and no load like any other (protection.h). */
static gboolean
is_of_probe (const GstRtpCcFbra * f, RccTime sent)
{
  return f->protection.every == 0 || (f->probing != RCC_NEVER
      && sent >= f->probing);
}

static void
follow_probe (GstRtpCcFbra * f, RccTime now)
{
  if (own_interval (f) == 0)
    f->probing = RCC_NEVER;
  else if (f->probing == RCC_NEVER)
    f->probing = now;
}

guint32
gst_rtp_cc_fbra_mark (GstRtpCcFbra * f, RccTime sent, gboolean leaves)
{
  if (leaves)
    follow_probe (f, sent);
  return is_of_probe (f, sent) ? RCC_PACKET_PARITY : 0;
}

void
gst_rtp_cc_fbra_adjust (const GstRtpCcFbra * f)
{
  const guint own = own_interval (f);
  const guint interval = rcc_protection_interval (&f->protection, own);
  const guint depth = rcc_protection_depth (&f->protection, own);
  RccSendParity *parity = f->send->path.parity;

  if (G_LIKELY (interval == parity->n && depth == parity->depth))
    return;
  rcc_send_parity_set (parity, interval, depth);
  if (interval > 0 && parity->fits < depth)
    GST_INFO_OBJECT (f->send->element, "%u packets to a parity packet: %u "
        "blocks fit between one another, not %u", interval, parity->fits,
        depth);
}

/* --- what comes from downstream ------------------------------------------- */

void
gst_rtp_cc_fbra_hear (GstRtpCcFbra * f, GstEvent * event)
{
  GstRtpCcTarget target;
  RccUpdate update = { 0 };
  RccTime now;

  if (!gst_rtp_cc_event_is (event) || !gst_rtp_cc_event_parse (event, &target)
      || target.ssrc != 0 || target.target_bps == GST_RTP_CC_UNBOUND)
    return;                     /* what is for one SSRC is the aggregator's alone */
  if (!gst_rtp_cc_driver_enter (f->send->driver, &now))
    return;
  if (f->kind == GST_RTP_CC_FBRA_PROBE)
    update = rcc_send_act (&f->send->path, rcc_fbra_external (&f->probe,
            target.target_bps, now), now);
  gst_rtp_cc_driver_leave (f->send->driver, &update);
}

void
gst_rtp_cc_fbra_stats (const GstRtpCcFbra * f, GstStructure * stats)
{
  const GstRtpCcFbraView view = gst_rtp_cc_fbra_view (f);

  gst_structure_set (stats, "algorithm", G_TYPE_STRING, f->core.ops->name,
      NULL);
  if (f->kind == GST_RTP_CC_FBRA_PROBE)
    gst_rtp_cc_stats_add (stats, rcc_fbra_probe_fields, &f->probe);
  else if (f->kind == GST_RTP_CC_FBRA_CNADU)
    gst_rtp_cc_stats_add (stats, rcc_cnadu_fields, &f->cnadu);
  else
    gst_rtp_cc_stats_add (stats, rcc_fbra_fields, &f->fbra);
  gst_rtp_cc_send_stats (f->send, stats);
  gst_structure_set (stats, "fec-bitrate", G_TYPE_UINT, view.fec_bps,
      "fec-interval", G_TYPE_UINT, view.fec_interval, NULL);
}
