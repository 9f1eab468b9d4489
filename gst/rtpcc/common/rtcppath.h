/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/rtcppath.h - the session's outgoing RTCP, with a receiver's feedback
 *
 * What passes from sink to src may grow by a packet of feedback. Between that, the source pad's
 * task pushes compounds of feedback alone. Nothing but the source pad's own stream lock is held
 * across a push.
 */
#ifndef GST_RTP_CC_RTCP_PATH_H
#define GST_RTP_CC_RTCP_PATH_H

#include "rtpcc/common/driver.h"
#include "wire/bytes.h"

/* Largest compound that is made or appended to: an MTU less IP, UDP and SRTCP. */
#define GST_RTP_CC_RTCP_MTU 1400

typedef struct _GstRtpCcRtcpPath GstRtpCcRtcpPath;

/* The RTCP writer of what the driver drives; with the core locked. */
typedef struct {
  /* @compound of the session goes out: writes what can be appended to it, as far as the MTU leaves
   * @size bytes for it, and returns its size.  That is 0 when there is nothing to say, no room, or
   * no telling where it ends. */
  gsize (*append) (RccSender *sender, RccBytes compound, RccTime now, guint8 *out,
      gsize size);
  /* A compound of our own; 0 when none is due any more. */
  gsize (*compose) (RccSender *sender, RccTime now, guint8 *out, gsize size);
  /* It was not taken downstream. */
  void (*refused) (RccSender *sender);
} GstRtpCcRtcpPathFuncs;

/* Sets the pads' functions and adds them to @element.  @funcs is static. */
GstRtpCcRtcpPath *gst_rtp_cc_rtcp_path_new (GstElement *element, GstPad *sink,
    GstPad *src, GstRtpCcDriver *driver, const GstRtpCcRtcpPathFuncs *funcs);
/* With the pads inactive. */
void gst_rtp_cc_rtcp_path_free (GstRtpCcRtcpPath *path);

/* Feedback is due.  For apply(): does not push itself, for that may block. */
void gst_rtp_cc_rtcp_path_wake (GstRtpCcRtcpPath *path);

#endif
