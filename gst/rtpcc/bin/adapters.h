/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bin/adapters.h - who follows a controller where nobody has put an rtpbitrateadapter
 *
 * Each video encoder upstream has one beside it, in no bin.  They share the target among them and
 * with those that are in the pipeline.
 */
#ifndef GST_RTP_CC_ADAPTERS_H
#define GST_RTP_CC_ADAPTERS_H

#include <gst/gst.h>

/* Thread-safe. */
typedef struct _GstRtpCcAdapters GstRtpCcAdapters;

GstRtpCcAdapters *gst_rtp_cc_adapters_new (void);
void gst_rtp_cc_adapters_free (GstRtpCcAdapters *adapters);

/* @event, with a target, came up from the controller whose sink pad is @sink.  Encoders that are
 * not there any more have no part of it. */
void gst_rtp_cc_adapters_tell (GstRtpCcAdapters *adapters, GstPad *sink, GstEvent *event);

#endif
