/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/skipper.h - keeps pictures from an encoder while earlier ones wait to be sent
 *
 * A picture that is never encoded costs the next one a little. One that is dropped after it was
 * encoded breaks all that build upon it.
 */
#ifndef GST_RTP_CC_SKIPPER_H
#define GST_RTP_CC_SKIPPER_H

#include "rtpcc/adapter/watch.h"

typedef struct {
  GstElement *element;                  /* whose clock it reads */
  GMutex lock;                          /* of all below */
  GstRtpCcWatch watch;                  /* of the encoder's sink */
  gboolean runs;                        /* between start and stop */
  GstClockTime until;                   /* 0: nothing is kept back */
  guint64 skipped;                      /* pictures */
} GstRtpCcSkipper;

void gst_rtp_cc_skipper_init (GstRtpCcSkipper *s, GstElement *element);
void gst_rtp_cc_skipper_clear (GstRtpCcSkipper *s);
/* READY to PAUSED. */
void gst_rtp_cc_skipper_start (GstRtpCcSkipper *s);
/* PAUSED to READY: all pictures come, and nothing is watched. */
void gst_rtp_cc_skipper_stop (GstRtpCcSkipper *s);

/* No video comes to @encoder for @excess ns from now, a second at most.  0: all of it
 * does. */
void gst_rtp_cc_skipper_tell (GstRtpCcSkipper *s, GstElement *encoder,
    GstClockTime excess);
guint64 gst_rtp_cc_skipper_skipped (GstRtpCcSkipper *s);

#endif
