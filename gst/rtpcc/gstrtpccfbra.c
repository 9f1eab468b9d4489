/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccfbra.h"

#include "rtpcc/gstrtpccutils.h"

#define ARRIVALS_KEEP (2 * RCC_SEC)     /* as long as rcc_feedback_rtcp() follows them */

static RccUpdate
on_config (RccSender * sender, const RccConfig * config, RccTime now)
{
  return rcc_tell (((GstRtpCcFbra *) sender)->core, on_config, config, now);
}

static RccUpdate
on_report (RccSender * sender, const RccReport * report, RccTime now)
{
  return rcc_tell (((GstRtpCcFbra *) sender)->core, on_report, report, now);
}

/* C-NADU's reports and silences, as states: whether the target went down or up by them.
 * A changed limit is neither. */
static RccUpdate
moved (GstRtpCcFbra * f, guint before, guint64 judged, RccUpdate update)
{
  const RccCnadu *c = &f->cnadu;
  const RccFbraState old = f->moved;

  if (f->core != &c->sender || c->reports + c->silences == judged)
    return update;
  f->moved = c->target_bps < before ? RCC_FBRA_DOWN : c->target_bps > before
      ? RCC_FBRA_UP : RCC_FBRA_STAY;
  if (f->moved != old)
    update.changed |= RCC_STATE;
  update.why = c->why;
  return update;
}

static RccUpdate
on_compound (GstRtpCcFbra * f, const RccRtcp * rtcp, RccTime now)
{
  const guint before = f->cnadu.target_bps;
  const guint64 judged = f->cnadu.reports + f->cnadu.silences;

  return moved (f, before, judged, rcc_tell (f->core, on_rtcp, rtcp, now));
}

static RccUpdate
on_rtcp (RccSender * sender, const RccRtcp * rtcp, RccTime now)
{
  return on_compound ((GstRtpCcFbra *) sender, rtcp, now);
}

static void
pool (GstRtpCcFbra * f, gboolean together)
{
  f->fbra.config.reports.pool = f->cnadu.config.reports.pool = together;
}

/* Arrival times come as often as the receiver likes, XR at FBRA's own interval, where an
 * early report means trouble. */
static RccUpdate
on_feedback (RccSender * sender, const RccPacket * packets, size_t n,
    RccTime now)
{
  GstRtpCcFbra *f = (GstRtpCcFbra *) sender;

  pool (f, f->feedback.arrivals_fmt != 0
      && now < f->feedback.arrivals_heard + ARRIVALS_KEEP);
  return rcc_tell (f->core, on_feedback, packets, n, now);
}

static RccUpdate
on_deadline (RccSender * sender, RccTime now)
{
  GstRtpCcFbra *f = (GstRtpCcFbra *) sender;
  const guint before = f->cnadu.target_bps;
  const guint64 judged = f->cnadu.reports + f->cnadu.silences;

  return moved (f, before, judged, rcc_tell (f->core, on_deadline, now));
}

static RccTime
deadline (const RccSender * sender)
{
  return rcc_deadline (((GstRtpCcFbra *) sender)->core);
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
  const RccCnaduConfig cnadu = gst_rtp_cc_fbra_settings_cnadu (settings);
  const RccFbraProbeConfig probe = gst_rtp_cc_fbra_settings_probe (settings);

  f->sender.ops = &ops;
  f->moved = RCC_FBRA_STAY;
  f->protection = gst_rtp_cc_fbra_settings_protection (settings);
  f->probing = RCC_NEVER;
  f->core =
      settings->probe_for ==
      GST_RTP_FBRA_PROBE_EXTERNAL ? &f->probe.sender : settings->algorithm ==
      GST_RTP_FBRA_CNADU ? &f->cnadu.sender : &f->fbra.sender;
  rcc_fbra_init (&f->fbra, &config, &settings->limits);
  rcc_cnadu_init (&f->cnadu, &cnadu, &settings->limits);
  rcc_fbra_probe_init (&f->probe, &probe, &settings->limits);
  rcc_feedback_init (&f->feedback);
}

static GstRtpCcFbraView
view_of_core (const GstRtpCcFbra * f)
{
  const RccFbraProbe *p = &f->probe;
  const RccCnadu *c = &f->cnadu;

  if (f->core == &c->sender)
    return (GstRtpCcFbraView) {
    TRUE, f->moved, c->why, c->target_bps, 0, 0,
        rcc_owd_clock_rtt_min (&c->clock)};
  if (f->core == &p->sender)
    return (GstRtpCcFbraView) {
    p->external >= 0, p->state, p->why, p->target_bps, p->fec_bps,
        p->fec_interval, rcc_owd_clock_rtt_min (&p->clock)};
  return (GstRtpCcFbraView) {
  TRUE, f->fbra.state, f->fbra.why, f->fbra.target_bps, f->fbra.fec_bps,
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

RccUpdate
gst_rtp_cc_fbra_protect (GstRtpCcFbra * f, RccProtection protection)
{
  f->protection = protection;
  return (RccUpdate) {
  .changed = RCC_FEC,.why = "protection changed"};
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
  if (gst_rtp_cc_fbra_own_interval (f) == 0)
    f->probing = RCC_NEVER;
  else if (f->probing == RCC_NEVER)
    f->probing = now;
}

RccUpdate
gst_rtp_cc_fbra_sent (GstRtpCcFbra * f, const RccRtp * rtp, gint twcc,
    guint32 size, gboolean parity, RccTime now)
{
  RccPacket packet = {.seq = rtp->seq,.size = size,.ssrc =
        rtp->ssrc,.timestamp = rtp->timestamp,.sent = now,.arrived = RCC_NEVER
  };

  if (parity) {
    follow_probe (f, now);
    packet.probe = is_of_probe (f, now) ? RCC_FATE_PARITY : 0;
  }
  rcc_feedback_sent (&f->feedback, rtp, twcc, size, packet.probe, now);
  return rcc_tell (f->core, on_sent, &packet);
}

RccUpdate
gst_rtp_cc_fbra_target (GstRtpCcFbra * f, guint bps, RccTime now)
{
  if (f->core != &f->probe.sender)
    return (RccUpdate) {
    0};
  return rcc_fbra_external (&f->probe, bps, now);
}

/* The compound that brought it has gone through already, with nothing to judge then. */
RccUpdate
gst_rtp_cc_fbra_arrivals (GstRtpCcFbra * f, RccPacket * packets, gsize n,
    RccTime now)
{
  const RccRtcp rtcp = { 0 };
  RccUpdate update;

  for (gsize i = 0; i < n; i++)
    if (!is_of_probe (f, packets[i].sent))
      packets[i].probe &= ~(guint) RCC_FATE_PARITY;
  pool (f, TRUE);
  update = rcc_tell (f->core, on_feedback, packets, n, now);
  return rcc_update_merge (update, on_compound (f, &rtcp, now));
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
  const GstRtpCcFbraView view = gst_rtp_cc_fbra_view (f);

  gst_structure_set (stats, "algorithm", G_TYPE_STRING, f->core->ops->name,
      NULL);
  if (f->core == &f->probe.sender)
    gst_rtp_cc_stats_add (stats, rcc_fbra_probe_fields, &f->probe);
  else if (f->core == &f->cnadu.sender)
    gst_rtp_cc_stats_add (stats, rcc_cnadu_fields, &f->cnadu);
  else
    gst_rtp_cc_stats_add (stats, rcc_fbra_fields, &f->fbra);
  gst_rtp_cc_stats_add (stats, rcc_reports_fields, &f->feedback.reports);
  gst_rtp_cc_stats_add (stats, rcc_feedback_fields, &f->feedback);
  gst_structure_set (stats, "fec-bitrate", G_TYPE_UINT, view.fec_bps,
      "fec-interval", G_TYPE_UINT, view.fec_interval, NULL);
}
