/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccmuxtarget.h"

static const GstRtpCcTarget unbound = {
  .target_bps = GST_RTP_CC_UNBOUND,.rtt = GST_CLOCK_TIME_NONE
};

void
gst_rtp_cc_mux_target_init (GstRtpCcMuxTarget * t)
{
  t->own = t->below = unbound;
  t->event = NULL;
}

void
gst_rtp_cc_mux_target_clear (GstRtpCcMuxTarget * t)
{
  gst_clear_event (&t->event);
  gst_rtp_cc_mux_target_init (t);
}

void
gst_rtp_cc_mux_target_below (GstRtpCcMuxTarget * t, GstEvent * event,
    const GstRtpCcTarget * below)
{
  gst_event_replace (&t->event, event);
  t->below = *below;
}

GstRtpCcTarget
gst_rtp_cc_mux_target_get (const GstRtpCcMuxTarget * t)
{
  return gst_rtp_cc_target_merge (&t->own, &t->below);
}

void
gst_rtp_cc_mux_shares_make (GstRtpCcMuxShares * out,
    const GstRtpCcTarget * target, GstRtpSbpnMuxPad * const *pads,
    GstRtpCcMuxQueue * queue, RccTime now)
{
  const guint fec = MIN (target->fec_bps, target->target_bps);
  const guint media = target->target_bps - fec;
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
  given = rcc_ratesplit (shares, out->n, media);
  for (guint i = 0; i < out->n; i++) {
    GstRtpCcTarget t = *target;

    if (target->target_bps == GST_RTP_CC_UNBOUND) {
      t.target_bps = GST_RTP_CC_UNBOUND;
    } else {
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
