/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gccreceiver/feedback.h - a media receiver behind the driver's lock: buffers in, the
 * estimate and RTCP bytes out
 *
 * It looks like an RccSender to the driver, so that the driver sleeps until feedback is due. Then
 * on_deadline() only answers RCC_TARGET and sets `due`. Whoever sends asks compose() for the
 * bytes when it is about to push them. So feedback says what is true at that moment, and is not
 * sent twice.
 *
 * Every function is called with the core locked: behind gst_rtp_cc_driver_enter(), from
 * GstRtpCcDriverFuncs.init, or between gst_rtp_cc_driver_lock() and _unlock().
 */
#ifndef GST_RTP_CC_FEEDBACK_H
#define GST_RTP_CC_FEEDBACK_H

#include <gst/gst.h>
#include "core/gcc/receiver.h"
#include "rtpcc/common/arrival.h"
#include "rtpcc/common/rtcppath.h"
#include "wire/reporter.h"
#include "wire/sendtime.h"
#include "wire/sendtime-finder.h"

typedef struct {
  RccSender sender;             /* first: what the driver drives */
  GstRtpCcArrival arrival;
  RccGccReceiver gcc;
  RccReporter reporter;
  RccSendClock clock;
  RccSendTimeFinder finder;     /* of the extension that nobody has told */
  guint clock_rate;             /* Hz, of the caps; 0: unknown */
  gboolean yields, transport_wide;      /* both: nothing is said */
  gboolean due;                 /* on_deadline() has spoken, compose() not */
  gboolean decreasing;          /* the rate controller's state */
  gboolean turned;              /* ... has become that, or has ceased to be */
  /* stats */
  const char *send_time;        /* where it comes from; set by _stats() */
  guint64 malformed, truncated, appended, composed, refused;
} GstRtpCcFeedback;

typedef struct {
  RccGccConfig gcc;             /* .arrivals follows the format */
  RccConfig limits;
  RccFeedbackFormat format;
  gboolean yields;              /* no feedback where the session's is transport-wide */
  gdouble rtcp_share;           /* of the bandwidth */
} GstRtpCcFeedbackConfig;

/* Of one from g_new0(). */
void gst_rtp_cc_feedback_free (GstRtpCcFeedback *feedback);

/* As if no packet had come yet; what caps and passing RTCP have told stays. */
void gst_rtp_cc_feedback_init (GstRtpCcFeedback *f,
    const GstRtpCcFeedbackConfig *config);
/* Forgets that too; before _init(). */
void gst_rtp_cc_feedback_clear (GstRtpCcFeedback *f, GstElement *element);
/* Limits, share and interval of @config; nothing else of it. */
void gst_rtp_cc_feedback_adjust (GstRtpCcFeedback *f,
    const GstRtpCcFeedbackConfig *config);

/* Clock rate, the identifier of abs-send-time, and whether packets have transport-wide numbers. */
void gst_rtp_cc_feedback_caps (GstRtpCcFeedback *f, const GstCaps *caps);

/* A packet came in.  What is no RTP is counted; RTCP on the same port (RFC 5761) is left
 * alone. */
void gst_rtp_cc_feedback_rtp (GstRtpCcFeedback *f, GstBuffer *buffer, RccTime now);

/* What it has to say in the session's RTCP. */
extern const GstRtpCcRtcpPathFuncs gst_rtp_cc_feedback_funcs;

/* Whether all that came, for 3 s and 100 packets at least, had no time of sending. */
gboolean gst_rtp_cc_feedback_is_blind (const GstRtpCcFeedback *f);
/* The estimate in bit/s; 0: there is none. */
guint gst_rtp_cc_feedback_bitrate (const GstRtpCcFeedback *f);
/* ... as an update for the driver to apply. */
RccUpdate gst_rtp_cc_feedback_update (const GstRtpCcFeedback *f, const char *reason);

void gst_rtp_cc_feedback_stats (GstRtpCcFeedback *f, GstStructure *stats);

#endif
