/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccmuxpathprivate.h - what gstrtpccmuxpath.c and gstrtpccmuxsink.c share
 */
#ifndef GST_RTP_CC_MUX_PATH_PRIVATE_H
#define GST_RTP_CC_MUX_PATH_PRIVATE_H

#include "rtpcc/gstrtpccmuxpath.h"
#include "rtpcc/gstrtpccmuxorder.h"
#include "rtpcc/gstrtpccwaiter.h"

G_BEGIN_DECLS

struct _GstRtpCcMuxPath {
  GstRtpCcDriver *driver;
  const GstRtpCcMuxPathFuncs *funcs;
  GstRtpCcWaiter *waiter;
  GstRtpCcMuxOrder order;               /* driver's lock */
  gint flow;                            /* atomic: GstFlowReturn of the task's last push */
  GstClockTime room;                    /* the element's object lock */
};

GstRtpCcMuxPath *gst_rtp_cc_mux_path_of (GstPad *pad);

/* Sets the functions of a sink pad. */
void gst_rtp_cc_mux_sink_set_functions (GstPad *pad, GstRtpCcMuxPath *path);

/* A sink pad, inactive, goes away with what it has queued. */
void gst_rtp_cc_mux_sink_gone (GstRtpCcMuxPath *path, GstRtpSbpnMuxPad *pad);

/* @object, which may be NULL, goes the way of @how, one of gst_rtp_cc_mux_order_...(). */
GstFlowReturn gst_rtp_cc_mux_path_admit (GstRtpSbpnMuxPad *pad, GstRtpCcMuxPath *path,
    gpointer object, GstRtpCcDriverCall how);
/* The application has to hear of @flow. */
void gst_rtp_cc_mux_path_report (GstRtpCcMuxPath *path, GstFlowReturn flow);
/* The source pad's task. */
void gst_rtp_cc_mux_path_start (GstRtpCcMuxPath *path);
void gst_rtp_cc_mux_path_stop (GstRtpCcMuxPath *path);

G_END_DECLS

#endif
