/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sendpath/parity.h - the send path's parity as buffers
 *
 * With the core locked, but for the pushing.
 */
#ifndef GST_RTP_CC_SEND_PARITY_H
#define GST_RTP_CC_SEND_PARITY_H

#include "rtpcc/common/utils.h"
#include "rtpcc/sendpath/sendpath.h"
#include "send/protect.h"

/* Shows the path @buffer, as it leaves; @mapped: its header, NULL: it is not mapped. */
void gst_rtp_cc_send_parity_show (GstRtpCcSend *x, GstBuffer *buffer,
    const GstRtpCcPacket *mapped, RccTime now);
/* The parity that is due; NULL: it could not be written. */
GstBuffer *gst_rtp_cc_send_parity_make (GstRtpCcSend *x, RccTime now, RccSendOut *out);

static inline gboolean
gst_rtp_cc_send_parity_is_apart (const GstRtpCcSend *x)
{
  return x->path.parity && x->path.parity->config.apart;
}

/* What input @k's caps say of the stream that is protected; nothing where there is no parity. */
void gst_rtp_cc_send_parity_announce (GstRtpCcSend *x, guint k);

void gst_rtp_cc_send_tail_add (GstRtpCcSendTail *tail, GstBuffer *parity);
/* Pushes it behind what has returned @flow. */
GstFlowReturn gst_rtp_cc_send_tail_push (GstRtpCcSend *x, GstRtpCcSendTail *tail,
    GstFlowReturn flow);

#endif
