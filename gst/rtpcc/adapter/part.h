/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/part.h - the part of a target that several encoders follow
 *
 * Not thread-safe.
 */
#ifndef GST_RTP_CC_PART_H
#define GST_RTP_CC_PART_H

#include "rtpcc/common/event.h"

typedef struct {
  GstRtpCcShare *share;                 /* NULL: the whole target is ours */
  guint whole_bps, whole_fec_bps;       /* that was said for all */
  guint bound_bps;                      /* ... and for our SSRC; G_MAXUINT: nothing */
  guint due;                            /* streams that are still to be spoken of */
  gboolean said;                        /* ours was, since what was said for all */
} GstRtpCcPart;

/* But for the share. */
void gst_rtp_cc_part_forget (GstRtpCcPart *part);
/* @target was said; for our SSRC alone, or for all. */
void gst_rtp_cc_part_note (GstRtpCcPart *part, const GstRtpCcTarget *target);
/* Another SSRC was spoken of.  When that was the last one, and ours was not, no bound is left. */
void gst_rtp_cc_part_other (GstRtpCcPart *part);
/* What is @member's of it.  Repair takes the same share of each part. */
void gst_rtp_cc_part_take (const GstRtpCcPart *part, GstElement *member, guint *target_bps,
    guint *fec_bps);

#endif
