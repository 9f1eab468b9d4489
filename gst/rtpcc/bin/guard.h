/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * guard.h - keeps from an RTP session where packets come from, and strangers' RTCP
 *
 * rtpsession takes a second address of an SSRC for a collision (RFC 3550 8.2) and drops all that
 * comes from it. With its property favor-new it drops all that comes from the first. So a change
 * of address, or one forged packet, would end a call. A packet of another address with our own
 * SSRC would make us leave with a BYE. What is lost: two ends of one SSRC are not noticed. RFC
 * 3550 puts that at one call in four billion.
 *
 * Each SSRC that RTCP brings is a member, with whom the others share the session's bandwidth (RFC
 * 3550 6.3.1). A hundred in a second would end all feedback. So a compound is for the session when
 * its SSRC has sent RTP, or is ours, or when it names a stream of ours. Eight more SSRCs are let
 * in.
 */
#ifndef GST_RTP_CC_BIN_GUARD_H
#define GST_RTP_CC_BIN_GUARD_H

#include <gst/gst.h>

/* @pad: of @rtpbin, through which RTP or RTCP goes into @session.  What is kept out is said once,
 * as a warning of @rtpbin. */
void gst_rtp_cc_bin_guard (GstPad * pad, GstElement * rtpbin, guint session);

/* Says once, as a warning of @rtpbin, that a session has its max-streams. */
void gst_rtp_cc_bin_guard_streams (GstElement * rtpbin);

#endif
