/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbrareceiver/feedback.h - FBRA's receiver behind the driver's lock: buffers in, what is
 * too late singled out, extended reports out
 *
 * It looks like an RccSender to the driver, so that the driver sleeps until a report may be sent.
 * Then on_deadline() only sets `due`. Every function is called with the core locked.
 */
#ifndef GST_RTP_CC_FBRA_FEEDBACK_H
#define GST_RTP_CC_FBRA_FEEDBACK_H

#include <gst/gst.h>
#include "core/fbra/avpf.h"
#include "core/fbra/discard-filter.h"
#include "rtpcc/common/arrival.h"
#include "rtpcc/common/rtcppath.h"
#include "wire/sendtime.h"
#include "wire/xrreporter.h"

typedef struct {
  RccAvpfConfig avpf;           /* .interval is the floor; the round trip may raise it */
  RccTime max_delay;            /* what takes longer is late */
  bool receipt_times;
} GstRtpCcFbraFeedbackConfig;

typedef struct {
  RccSender sender;             /* first: what the driver drives */
  GstRtpCcFbraFeedbackConfig config;
  GstRtpCcArrival arrival;
  RccSendClock clock;
  RccDiscardFilter discard_filter;
  RccAvpf avpf;
  RccXrReporter reporter;
  gboolean due;                 /* a report is, and compose() has not been asked yet */
  /* The next regular report is awaited before there is a packet to tell of. Else each first
   * packet behind a report would set a timer, which wakes the clock's thread. */
  gboolean expects;
  /* stats */
  guint64 packets, bytes, late, malformed, truncated, refused;
} GstRtpCcFbraFeedback;

/* Of one from g_new0(). */
void gst_rtp_cc_fbra_feedback_free (GstRtpCcFbraFeedback *feedback);

/* As if no packet had come yet; what caps and passing RTCP have told stays. */
void gst_rtp_cc_fbra_feedback_init (GstRtpCcFbraFeedback *f,
    const GstRtpCcFbraFeedbackConfig *config);
/* Forgets that too; before _init(). */
void gst_rtp_cc_fbra_feedback_clear (GstRtpCcFbraFeedback *f, GstElement *element);
void gst_rtp_cc_fbra_feedback_adjust (GstRtpCcFbraFeedback *f,
    const GstRtpCcFbraFeedbackConfig *config);

/* Clock rate and the identifier of abs-send-time. */
void gst_rtp_cc_fbra_feedback_caps (GstRtpCcFbraFeedback *f, const GstCaps *caps);

/* A packet came in.  Returns whether it is too late to be of use.  What is no RTP is
 * counted; RTCP on the same port (RFC 5761) is left alone. */
gboolean gst_rtp_cc_fbra_feedback_rtp (GstRtpCcFbraFeedback *f, GstBuffer *buffer,
    RccTime now);
/* After one or several: sets `due` where an early report may be sent, which then is the
 * caller's to see to.  Regular ones are the deadline's. */
void gst_rtp_cc_fbra_feedback_received (GstRtpCcFbraFeedback *f, RccTime now);

/* RTCP of the other side passes: the round trip. */
void gst_rtp_cc_fbra_feedback_rtcp (GstRtpCcFbraFeedback *f, RccBytes compound,
    RccTime now);

/* What it has to say in the session's RTCP. */
extern const GstRtpCcRtcpPathFuncs gst_rtp_cc_fbra_feedback_funcs;

void gst_rtp_cc_fbra_feedback_stats (GstRtpCcFbraFeedback *f, GstStructure *stats);

#endif
