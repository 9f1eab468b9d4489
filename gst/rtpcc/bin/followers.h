/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/followers.h - who follows a controller where nobody has put an rtpbitrateadapter
 *
 * Each video encoder upstream has one beside it, in no bin.  They share the target among them and
 * with those that are in the pipeline.
 */
#ifndef GST_RTP_CC_FOLLOWERS_H
#define GST_RTP_CC_FOLLOWERS_H

#include <gst/gst.h>

/* Thread-safe. */
typedef struct _GstRtpCcFollowers GstRtpCcFollowers;

GstRtpCcFollowers *gst_rtp_cc_followers_new (void);
void gst_rtp_cc_followers_free (GstRtpCcFollowers *followers);

/* @event, with a target, came up from the controller whose sink pad is @sink.  Encoders that are
 * not there any more have no part of it. */
void gst_rtp_cc_followers_tell (GstRtpCcFollowers *followers, GstPad *sink, GstEvent *event);

#endif
