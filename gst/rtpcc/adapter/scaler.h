/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * adapter/scaler.h - smaller pictures, and fewer, when bits are too few
 */
#ifndef GST_RTP_CC_SCALER_H
#define GST_RTP_CC_SCALER_H

#include <gst/gst.h>

/* Step 0 is the full picture at the full rate. Then come 3/4 and 1/2 of width and height, 1/2 at
 * half the frame rate, 1/4 at half the frame rate. */
#define GST_RTP_CC_SCALE_STEPS 5

/* The step for @bits per pixel of the full picture, now that @step is in use. It goes down while
 * a pixel gets less than @threshold bits, and up where it would still get 1.4 times as many. */
guint gst_rtp_cc_scale_step (guint step, gdouble bits, gdouble threshold);

/* Not thread-safe. */
typedef struct {
  GstElement *filter;                   /* NULL: nothing scaled yet */
  GstCaps *original;                    /* its caps, to be put back */
  gint width, height, fps_n, fps_d;     /* full */
  guint step;
  GstClockTime changed_at;
} GstRtpCcScaler;

/* Holds the capsfilter @name, found in @element's bin or one around it, to the step for @bps. It
 * goes down at most once per second, and up 3 s after the last change. FALSE when there is no
 * such element with caps. */
gboolean gst_rtp_cc_scaler_update (GstRtpCcScaler *scaler, GstElement *element,
    const gchar *name, guint bps, gdouble threshold, GstClockTime now);
/* Puts the original caps back and forgets the filter. */
void gst_rtp_cc_scaler_restore (GstRtpCcScaler *scaler);

#endif
