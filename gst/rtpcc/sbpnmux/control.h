/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpnmux/control.h - how fast rtpsbpnmux may send, and how much of that is whose
 *
 * The controller of the send path: TFRC where that is asked for, bounded by the targets that
 * controllers downstream say.  No lock, clock or pad: under the driver's lock, but for
 * gst_rtp_cc_mux_shares_push().
 */
#ifndef GST_RTP_CC_MUX_CONTROL_H
#define GST_RTP_CC_MUX_CONTROL_H

#include "rtpcc/common/event.h"
#include "rtpcc/sbpnmux/settings.h"
#include "rtpcc/sbpnmux/sink.h"

typedef struct {
  RccSend *path;
  RccTfrc *tfrc;
  GstRtpCcMuxSettings settings;         /* as of the start, and what may change since */
  GstRtpCcTarget own, below;            /* tfrc's; and what is said from downstream */
  GstEvent *event;                      /* that said so: its strings */
} GstRtpCcMuxControl;

void gst_rtp_cc_mux_control_init (GstRtpCcMuxControl *c, const GstRtpCcMuxSettings *settings,
    RccSend *path);
void gst_rtp_cc_mux_control_clear (GstRtpCcMuxControl *c);

/* The send path's controller with @settings; NULL: RTCP is not heard. */
RccSender *gst_rtp_cc_mux_control_sender (GstRtpCcMuxControl *c,
    const GstRtpCcMuxSettings *settings);
/* As if nothing had been sent or heard. */
RccUpdate gst_rtp_cc_mux_control_start (GstRtpCcMuxControl *c,
    const GstRtpCcMuxSettings *settings, RccTime now);
/* Those of @settings count that may change meanwhile. */
RccUpdate gst_rtp_cc_mux_control_adjust (GstRtpCcMuxControl *c,
    const GstRtpCcMuxSettings *settings, RccTime now);

/* @event, which was parsed as @target, came from downstream. */
RccUpdate gst_rtp_cc_mux_control_target (GstRtpCcMuxControl *c, GstEvent *event,
    const GstRtpCcTarget *target, RccTime now);

/* Of tfrc's and that from downstream the smaller one. */
GstRtpCcTarget gst_rtp_cc_mux_control_get (const GstRtpCcMuxControl *c);
void gst_rtp_cc_mux_control_stats (const GstRtpCcMuxControl *c, GstStructure *stats);

typedef struct {                        /* an event for each pad */
  GstPad *pads[RCC_SEND_PADS];
  GstEvent *events[RCC_SEND_PADS];
  GstClockTime queue_times[RCC_SEND_PADS];
  guint n;
} GstRtpCcMuxShares;

/* Divides @target among the pads.  Repair's part goes with the media's; where there is no
 * bound, none is said. */
void gst_rtp_cc_mux_shares_make (GstRtpCcMuxShares *shares, const GstRtpCcTarget *target,
    GstRtpCcMuxSink *sink, RccTime now);
/* Pushes and frees them; nothing is locked. */
void gst_rtp_cc_mux_shares_push (GstRtpCcMuxShares *shares);

#endif
