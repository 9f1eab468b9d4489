/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/session.h - the rtpsession that an element stands beside, found along its links
 *
 * Inside webrtcbin an element has neither caps of its own nor pads for RTCP; the session has
 * both.
 */
#ifndef GST_RTP_CC_SESSION_H
#define GST_RTP_CC_SESSION_H

#include <gst/gst.h>

/* The rtpsession whose pad @end (send_rtp_sink, send_rtp_src, recv_rtp_sink) is downstream of a
 * source pad or upstream of a sink pad. The search goes through bins and what stands between.
 * NULL: there is none, or another pad of it comes first. Unref it. */
GstElement *gst_rtp_cc_session_find (GstPad *pad, const gchar *end);

/* The nearest element upstream of @sink with a property `pt'; NULL: none.  Unref it. */
GstElement *gst_rtp_cc_find_payloader (GstPad *sink);

/* A compound that came to the session, or an event that it sends upstream past an element which
 * stands behind it: read only, on the session's RTCP thread. */
typedef void (*GstRtpCcSessionHeard) (GstElement *element, GstMiniObject *what);

/* @element, which @sink and @src are of, hears both of the session it sends for, if there is one.
 * Again when links may have changed. */
void gst_rtp_cc_session_listen (GstElement *element, GstPad *sink, GstPad *src,
    GstRtpCcSessionHeard heard);

#endif
