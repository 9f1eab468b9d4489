/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccfbra.h"

#include "rtpcc/gstrtpccutils.h"

#define ARRIVALS_KEEP (2 * RCC_SEC)     /* as long as rcc_feedback_rtcp() follows them */

static RccSender *
core (GstRtpCcFbra * f)
{
  return f->external ? &f->probe.sender : &f->fbra.sender;
}

static RccUpdate
on_config (RccSender * sender, const RccConfig * config, RccTime now)
{
  return rcc_tell (core ((GstRtpCcFbra *) sender), on_config, config, now);
}

static RccUpdate
on_report (RccSender * sender, const RccReport * report, RccTime now)
{
  return rcc_tell (core ((GstRtpCcFbra *) sender), on_report, report, now);
}

static RccUpdate
on_rtcp (RccSender * sender, const RccRtcp * rtcp, RccTime now)
{
  return rcc_tell (core ((GstRtpCcFbra *) sender), on_rtcp, rtcp, now);
}

/* Arrival times come as often as the receiver likes, XR at FBRA's own interval, where an
 * early report means trouble. */
static RccUpdate
on_feedback (RccSender * sender, const RccPacket * packets, size_t n,
    RccTime now)
{
  GstRtpCcFbra *f = (GstRtpCcFbra *) sender;

  f->fbra.config.reports.pool = f->feedback.arrivals_fmt != 0
      && now < f->feedback.arrivals_heard + ARRIVALS_KEEP;
  return rcc_tell (core (f), on_feedback, packets, n, now);
}

static RccUpdate
on_deadline (RccSender * sender, RccTime now)
{
  return rcc_tell (core ((GstRtpCcFbra *) sender), on_deadline, now);
}

static RccTime
deadline (const RccSender * sender)
{
  return rcc_deadline (core ((GstRtpCcFbra *) sender));
}

static const RccSenderOps ops = {
  .name = "fbra-element",.on_config = on_config,.on_report =
      on_report,.on_rtcp = on_rtcp,.on_feedback = on_feedback,.on_deadline =
      on_deadline,.deadline = deadline,
};

void
gst_rtp_cc_fbra_init (GstRtpCcFbra * f, const GstRtpCcFbraSettings * settings)
{
  const RccFbraConfig config = gst_rtp_cc_fbra_settings_config (settings);
  const RccFbraProbeConfig probe = gst_rtp_cc_fbra_settings_probe (settings);

  f->sender.ops = &ops;
  f->external = settings->probe_for == GST_RTP_FBRA_PROBE_EXTERNAL;
  rcc_fbra_init (&f->fbra, &config, &settings->limits);
  rcc_fbra_probe_init (&f->probe, &probe, &settings->limits);
  rcc_feedback_init (&f->feedback);
}

GstRtpCcFbraView
gst_rtp_cc_fbra_view (const GstRtpCcFbra * f)
{
  const RccFbraProbe *p = &f->probe;

  if (f->external)
    return (GstRtpCcFbraView) {
    p->external >= 0, p->state, p->why, p->target_bps, p->fec_bps,
        p->fec_interval, rcc_owd_clock_rtt_min (&p->clock)};
  return (GstRtpCcFbraView) {
  TRUE, f->fbra.state, f->fbra.why, f->fbra.target_bps, f->fbra.fec_bps,
        f->fbra.fec_interval, f->fbra.rtt_min};
}

RccUpdate
gst_rtp_cc_fbra_sent (GstRtpCcFbra * f, const RccRtp * rtp, gint twcc,
    guint32 size, gboolean parity, RccTime now)
{
  const RccPacket packet = {.seq = rtp->seq,.size = size,.probe =
        parity ? RCC_FATE_PARITY : 0,.ssrc = rtp->ssrc,.timestamp =
        rtp->timestamp,.sent = now,.arrived = RCC_NEVER
  };

  rcc_feedback_sent (&f->feedback, rtp, twcc, size, packet.probe, now);
  return rcc_tell (core (f), on_sent, &packet);
}

RccUpdate
gst_rtp_cc_fbra_target (GstRtpCcFbra * f, guint bps, RccTime now)
{
  if (!f->external)
    return (RccUpdate) {
    0};
  return rcc_fbra_external (&f->probe, bps, now);
}

/* The compound that brought it has gone through already, with nothing to judge then. */
RccUpdate
gst_rtp_cc_fbra_arrivals (GstRtpCcFbra * f, const RccPacket * packets, gsize n,
    RccTime now)
{
  const RccRtcp rtcp = { 0 };
  RccUpdate update;

  f->fbra.config.reports.pool = true;
  update = rcc_tell (core (f), on_feedback, packets, n, now);
  return rcc_update_merge (update, rcc_tell (core (f), on_rtcp, &rtcp, now));
}

RccUpdate
gst_rtp_cc_fbra_rtcp (GstRtpCcFbra * f, RccBytes compound, guint32 wall,
    RccTime now)
{
  return rcc_feedback_rtcp (&f->feedback, compound, wall, now, &f->sender);
}

void
gst_rtp_cc_fbra_stats (const GstRtpCcFbra * f, GstStructure * stats)
{
  if (f->external)
    gst_rtp_cc_stats_add (stats, rcc_fbra_probe_fields, &f->probe);
  else
    gst_rtp_cc_stats_add (stats, rcc_fbra_fields, &f->fbra);
  gst_rtp_cc_stats_add (stats, rcc_reports_fields, &f->feedback.reports);
  gst_rtp_cc_stats_add (stats, rcc_feedback_fields, &f->feedback);
}
