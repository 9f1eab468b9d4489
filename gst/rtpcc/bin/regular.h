/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Regular RTCP reports of a session whose early feedback would put them off for good
 *
 * rtpsession of GStreamer 1.22 sends an early report without blocks in place of a regular one, and
 * draws a new interval for that (is_rtcp_time() in rtpsession.c). Feedback that is asked for within
 * that interval comes early again. At 100 kbit/s a receiver with transport-wide feedback each 50 ms
 * was seen to send no report block in 40 s: the sender had no round trip, no loss, and no
 * congestion by RFC 8083 4.3.
 */
#ifndef GST_RTP_CC_BIN_REGULAR_H
#define GST_RTP_CC_BIN_REGULAR_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* @session (rtpbin's get-internal-session) sends the regular report that is overdue by RFC 4585
 * 3.5.3 right behind the next early one. */
void gst_rtp_cc_bin_keep_regular (GObject *session);

G_END_DECLS
#endif
