/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Retransmissions (RFC 4588) of rtpccbin and rtpccsink: both ends have the same table of payload
 * types (upstream.h), that of a copy is GST_RTP_CC_BIN_RTX_OFFSET above its original's.
 */
#ifndef GST_RTP_CC_BIN_REPAIR_H
#define GST_RTP_CC_BIN_REPAIR_H

#include <gst/gst.h>

/* Keeps what passes for a second, and sends it again when asked: floating.  NULL: there is no
 * rtprtxsend. */
GstElement *gst_rtp_cc_bin_repair_sender (void);

/* An rtpccbin, @type, takes copies for the packets that were lost, where its do-retransmission is
 * set when it begins to receive.  After its signals are there. */
void gst_rtp_cc_bin_repair_class_init (GType type);

/* Copies are explained by their originals (RFC 4588 section 8.6).  NULL: @pt is none of those, or
 * nobody explains that. */
GstCaps *gst_rtp_cc_bin_repair_caps (GstElement *call, guint session, guint pt);

/* @element, in an rtpbin, is a session's: statistics go by that. */
void gst_rtp_cc_bin_repair_mark (GstElement *element, guint session);

#define GST_RTP_CC_BIN_ALL G_MAXUINT    /* sessions, marked or not */

/* Of a session: what @sender (may be NULL) was asked for and sent again, what the jitterbuffers
 * of @rtpbin, or of a bin that has one, found lost, asked for and got, and what parity repaired.
 * NULL: neither sends again nor receives. */
GstStructure *gst_rtp_cc_bin_repair_stats (GstElement *sender, GstElement *rtpbin, guint session);

/* requests and sent-again of all that gst_rtp_cc_bin_repair_sender() made and @bin has. */
GstStructure *gst_rtp_cc_bin_repair_sum (GstBin *bin);

#endif
