/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/part.h"

void
gst_rtp_cc_part_forget (GstRtpCcPart * p)
{
  p->whole_bps = p->whole_fec_bps = 0;
  p->bound_bps = G_MAXUINT;
  p->due = 0;
  p->said = FALSE;
}

static void
count (GstRtpCcPart * p)
{
  if (p->due > 0 && --p->due == 0 && !p->said)
    p->bound_bps = G_MAXUINT;
}

/* What is said of one stream does not know of the others. */
static void
note_own (GstRtpCcPart * p, const GstRtpCcTarget * target)
{
  if (p->share) {
    p->bound_bps = target->target_bps;
  } else {
    p->whole_bps = target->target_bps;
    p->whole_fec_bps = target->fec_bps;
  }
  p->said = TRUE;
  count (p);
}

/* A bound that is about to be said again holds until then.  So the encoder is not told of a high
 * rate first, and of its own next. */
void
gst_rtp_cc_part_note (GstRtpCcPart * p, const GstRtpCcTarget * target)
{
  if (target->ssrc != 0) {
    note_own (p, target);
    return;
  }
  p->whole_bps = target->target_bps;
  p->whole_fec_bps = target->fec_bps;
  p->due = target->streams;
  p->said = FALSE;
  if (p->due == 0)
    p->bound_bps = G_MAXUINT;
}

void
gst_rtp_cc_part_other (GstRtpCcPart * p)
{
  count (p);
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
