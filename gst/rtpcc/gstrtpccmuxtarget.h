/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccmuxtarget.h - the target of rtpsbpnmux: from where it comes, and to whom how
 * much of it goes
 *
 * Not thread-safe: under the driver's lock, but for gst_rtp_cc_mux_shares_push().
 */
#ifndef GST_RTP_CC_MUX_TARGET_H
#define GST_RTP_CC_MUX_TARGET_H

#include "rtpcc/gstrtpccevent.h"
#include "rtpcc/gstrtpsbpnmuxpad.h"

G_BEGIN_DECLS

typedef struct {
  GstRtpCcTarget own, below;            /* tfrc's, and what is said from downstream */
  GstEvent *event;                      /* that said so: its strings */
} GstRtpCcMuxTarget;

void gst_rtp_cc_mux_target_init (GstRtpCcMuxTarget *t);
void gst_rtp_cc_mux_target_clear (GstRtpCcMuxTarget *t);
/* @event was parsed as @below. */
void gst_rtp_cc_mux_target_below (GstRtpCcMuxTarget *t, GstEvent *event,
    const GstRtpCcTarget *below);
/* The smaller one. */
GstRtpCcTarget gst_rtp_cc_mux_target_get (const GstRtpCcMuxTarget *t);

typedef struct {                        /* an event for each pad */
  GstPad *pads[GST_RTP_CC_MUX_PADS];
  GstEvent *events[GST_RTP_CC_MUX_PADS];
  guint n;
} GstRtpCcMuxShares;

/* Divides @target among @pads, of which some are NULL.  Repair's part goes with the
 * media's.  Where there is no bound, none is said to any. */
void gst_rtp_cc_mux_shares_make (GstRtpCcMuxShares *shares, const GstRtpCcTarget *target,
    GstRtpSbpnMuxPad *const *pads, GstRtpCcMuxQueue *queue, RccTime now);
/* Pushes and frees them; nothing is locked. */
void gst_rtp_cc_mux_shares_push (GstRtpCcMuxShares *shares);

G_END_DECLS

#endif
