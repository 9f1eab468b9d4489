/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Regular RTCP reports of a session whose early feedback would put them off for good
 *
 * rtpsession of GStreamer 1.22 sends an early report without blocks in place of a regular one that
 * is due, and draws a whole new interval for that (is_rtcp_time() and rtp_session_next_timeout() in
 * rtpsession.c). Feedback that is asked for within RTCP's interval before it comes early again. At
 * 100 kbit/s a receiver with transport-wide feedback each 50 ms was seen to send no report block in
 * 40 s. The sender had no round trip, no loss, and no congestion by RFC 8083 4.3.
 */
#ifndef GST_RTP_CC_BIN_REGULAR_H
#define GST_RTP_CC_BIN_REGULAR_H

#include <gst/gst.h>

/* Once rtcp-min-interval has gone by, no feedback takes the place of the regular report of @session
 * (rtpbin's get-internal-session). RFC 4585 3.5.3 draws it from .5 to 1.5 of that, so that the next
 * one comes after 2.5 of it at the latest. */
void gst_rtp_cc_bin_keep_regular (GObject *session);

#endif
