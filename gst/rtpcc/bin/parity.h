/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/parity.h - parity (RFC 5109) that comes to an rtpccbin repairs its video
 *
 * The controller sends it, so that it is paced, numbered and a part of the target: rtpbin's
 * request-fec-encoder would put it behind all that.
 */
#ifndef GST_RTP_CC_BIN_PARITY_H
#define GST_RTP_CC_BIN_PARITY_H

#include <gst/gst.h>

/* An rtpccbin, @type, has a decoder for each stream but audio, where it is to repair when
 * the stream begins, and explains the types of parity and of copies.  Its signals are there. */
void gst_rtp_cc_bin_parity_class_init (GType type);
/* For each of them, with the rtpbin inside. */
void gst_rtp_cc_bin_parity_init (GstElement *call, GstElement *rtpbin);

/* The properties protection, @id, and probe-protection. */
void gst_rtp_cc_bin_parity_install (GObjectClass *klass, guint id);

/* @controller, which may be NULL, sends a packet of parity to @every of media; 0: none.  @probes:
 * it fills probes with it. */
void gst_rtp_cc_bin_parity_set (GstElement *controller, guint every, gboolean probes);

#endif
