/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sendpath/upstream.h - what comes from downstream as an event: rtpsession's transport-wide
 * feedback and requests for retransmissions
 */
#ifndef GST_RTP_CC_SEND_UPSTREAM_H
#define GST_RTP_CC_SEND_UPSTREAM_H

#include "rtpcc/sendpath/sendpath.h"

/* For the source pad's event function, not locked: takes @event and returns what is to go on
 * upstream, NULL: nothing.  The controller hears RTPTWCCPackets, which goes on.
 * GstRTPRetransmissionRequest goes on by the number that whoever keeps packets upstream
 * knows, where it is to be heard.  Any other event comes back as it is. */
GstEvent *gst_rtp_cc_send_upstream (GstRtpCcSend *x, GstEvent *event);

/* With the core locked: a packet of probe cluster @id leaves. */
void gst_rtp_cc_send_note_cluster (GstRtpCcSend *x, guint32 id);

#endif
