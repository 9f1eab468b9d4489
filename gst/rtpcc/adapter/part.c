/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/part.h"

void
gst_rtp_cc_part_forget (GstRtpCcPart * p)
{
  p->whole_bps = p->whole_fec_bps = 0;
  p->bound_bps = G_MAXUINT;
}

void
gst_rtp_cc_part_note (GstRtpCcPart * p, const GstRtpCcTarget * target)
{
  /* what is said of one stream does not know of the others */
  const gboolean bounds = target->ssrc != 0 && p->share;

  if (!bounds) {
    p->whole_bps = target->target_bps;
    p->whole_fec_bps = target->fec_bps;
  }
  p->bound_bps = bounds ? target->target_bps : G_MAXUINT;
}

void
gst_rtp_cc_part_take (const GstRtpCcPart * p, GstElement * member,
    guint * target_bps, guint * fec_bps)
{
  const guint media = p->whole_bps - p->whole_fec_bps;
  guint part = media, fec = p->whole_fec_bps;

  if (p->share && p->whole_bps != GST_RTP_CC_UNBOUND) {
    part = gst_rtp_cc_share_part (p->share, member, media);
    fec = media > 0 ? (guint) ((guint64) fec * part / media) : 0;
  }
  *target_bps = MIN (part + fec, p->bound_bps);
  *fec_bps = MIN (fec, *target_bps);
}
