/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * common/arrival.h - when a buffer was captured, on the driver's clock
 *
 * For a receiver's sink pad: of its streaming thread, with the core locked where that is
 * said.
 */
#ifndef GST_RTP_CC_ARRIVAL_H
#define GST_RTP_CC_ARRIVAL_H

#include <gst/gst.h>
#include "core/rcc.h"

typedef struct {
  GstElement *element;          /* whose clock and base time buffers are stamped by */
  GstSegment segment;
  gboolean plain;               /* it begins at 0, at rate 1, as udpsrc's does */
  gint64 epoch;                 /* the driver's time at running time 0; core locked */
  RccTime arrived;              /* the last packet; core locked */
} GstRtpCcArrival;

void gst_rtp_cc_arrival_init (GstRtpCcArrival *a, GstElement *element);
/* The driver starts or starts over.  Core locked. */
void gst_rtp_cc_arrival_restart (GstRtpCcArrival *a);
/* Segments and flushes of the sink @pad; all others change nothing. The first buffers of a segment
 * get stamps that a jitterbuffer can use, see there. */
void gst_rtp_cc_arrival_event (GstRtpCcArrival *a, GstPad *pad, GstEvent *event);

/* The running time that @buffer was stamped with, where that is less than a second ago, else
 * @now. It is never before that of the packet before. Core locked. */
RccTime gst_rtp_cc_arrival_time (GstRtpCcArrival *a, GstBuffer *buffer, RccTime now);

#endif
