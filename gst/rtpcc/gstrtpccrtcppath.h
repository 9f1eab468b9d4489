/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccrtcppath.h - the session's outgoing RTCP, with a receiver's feedback
 *
 * What passes from sink to src may grow by a packet of feedback; between that, the
 * source pad's task pushes compounds of feedback alone.  Nothing but the source pad's
 * own stream lock is held across a push.
 */
#ifndef GST_RTP_CC_RTCP_PATH_H
#define GST_RTP_CC_RTCP_PATH_H

#include "rtpcc/gstrtpccdriver.h"

G_BEGIN_DECLS

typedef struct _GstRtpCcRtcpPath GstRtpCcRtcpPath;

/* Sets the pads' functions and adds them to @element.  @driver drives a
 * GstRtpCcFeedback. */
GstRtpCcRtcpPath *gst_rtp_cc_rtcp_path_new (GstElement *element, GstPad *sink,
    GstPad *src, GstRtpCcDriver *driver);
/* With the pads inactive. */
void gst_rtp_cc_rtcp_path_free (GstRtpCcRtcpPath *path);

/* Feedback is due.  For apply(): does not push itself, for that may block. */
void gst_rtp_cc_rtcp_path_wake (GstRtpCcRtcpPath *path);

G_END_DECLS
#endif
