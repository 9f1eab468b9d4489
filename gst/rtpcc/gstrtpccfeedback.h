/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccfeedback.h - a media receiver behind the driver's lock: buffers in, the
 * estimate and RTCP bytes out
 *
 * It looks like an RccSender to the driver, so that the driver sleeps until feedback
 * is due.  on_deadline() then only answers RCC_TARGET and sets `due`; whoever sends
 * asks _compose() for the bytes when it is about to push them, so that feedback says
 * what is true at that moment and is not said twice.
 *
 * Every function is called with the core locked: from a GstRtpCcDriverCall, from
 * GstRtpCcDriverFuncs.init, or between gst_rtp_cc_driver_lock() and _unlock().
 */
#ifndef GST_RTP_CC_FEEDBACK_H
#define GST_RTP_CC_FEEDBACK_H

#include <gst/gst.h>
#include "core/gcc-receiver.h"
#include "wire/reporter.h"
#include "wire/sendtime.h"

G_BEGIN_DECLS

/* Largest compound that is made or appended to: an MTU less IP, UDP and SRTCP. */
#define GST_RTP_CC_FEEDBACK_MTU 1400

typedef struct {
  RccSender sender;             /* first: what the driver drives */
  GstElement *element;          /* whose clock and base time buffers are stamped by */
  RccGccReceiver gcc;
  RccReporter reporter;
  RccSendClock clock;
  guint clock_rate;             /* Hz, of the caps; 0: unknown */
  gint64 epoch;                 /* the driver's time at running time 0 */
  RccTime arrived;              /* the last packet */
  gboolean due;                 /* on_deadline() has spoken, _compose() not */
  gboolean decreasing;          /* the rate controller's state */
  gboolean turned;              /* ... has become that, or has ceased to be */
  /* stats */
  const char *send_time;        /* where it comes from; set by _stats() */
  guint64 malformed, truncated, appended, composed, refused;
} GstRtpCcFeedback;

extern const RccField gst_rtp_cc_feedback_fields[];

typedef struct {
  RccGccConfig gcc;             /* .arrivals follows the format */
  RccConfig limits;
  RccFeedbackFormat format;
  gdouble rtcp_share;           /* of the bandwidth */
} GstRtpCcFeedbackConfig;

/* As if no packet had come yet; what caps and passing RTCP have told stays. */
void gst_rtp_cc_feedback_init (GstRtpCcFeedback *f,
    const GstRtpCcFeedbackConfig *config);
/* Forgets that too; before _init(). */
void gst_rtp_cc_feedback_clear (GstRtpCcFeedback *f, GstElement *element);
/* Limits, share and interval of @config; nothing else of it. */
void gst_rtp_cc_feedback_adjust (GstRtpCcFeedback *f,
    const GstRtpCcFeedbackConfig *config);

/* Clock rate and the identifier of abs-send-time. */
void gst_rtp_cc_feedback_caps (GstRtpCcFeedback *f, const GstCaps *caps);

/* A packet came in.  @stamp: the running time it was captured at, believed when it
 * is less than a second ago; GST_CLOCK_TIME_NONE: not known.  What is no RTP is
 * counted; RTCP on the same port (RFC 5761) is left alone. */
void gst_rtp_cc_feedback_rtp (GstRtpCcFeedback *f, GstBuffer *buffer,
    GstClockTime stamp, RccTime now);

/* A compound of the session goes out.  Writes what can be appended to it and
 * returns its size: 0 when there is nothing to say, no room, or no telling where
 * the compound ends. */
gsize gst_rtp_cc_feedback_append (GstRtpCcFeedback *f, RccBytes compound,
    RccTime now, guint8 *out, gsize size);

/* A compound of our own; 0 when none is due any more. */
gsize gst_rtp_cc_feedback_compose (GstRtpCcFeedback *f, RccTime now, guint8 *out,
    gsize size);

/* The estimate in bit/s; 0: there is none. */
guint gst_rtp_cc_feedback_bitrate (const GstRtpCcFeedback *f);
/* ... as an update for the driver to apply. */
RccUpdate gst_rtp_cc_feedback_update (const GstRtpCcFeedback *f, const char *why);

GstStructure *gst_rtp_cc_feedback_stats (GstRtpCcFeedback *f,
    const gchar *name);

G_END_DECLS
#endif
