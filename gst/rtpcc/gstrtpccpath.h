/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccpath.h - a paced path from a sink pad to a source pad
 *
 * What arrives passes straight through while the pacer allows it; the rest queues,
 * and the source pad's task lets it out when it is due.  Buffers and serialised
 * events keep their order.  The queue is guarded by the driver's lock; nothing is
 * locked across a push.
 */
#ifndef GST_RTP_CC_PATH_H
#define GST_RTP_CC_PATH_H

#include "rtpcc/gstrtpccdriver.h"
#include "rtpcc/gstrtpccsendqueue.h"

G_BEGIN_DECLS

typedef struct _GstRtpCcPath GstRtpCcPath;

/* A packet left; runs with the core locked, as a hook of the core would. */
typedef RccUpdate (*GstRtpCcPathSent) (GstElement *element, const RccPacket *sent,
    RccTime now);

/* Sets the pads' chain, event, query and activation functions and adds them to
 * @element; the source pad's event function stays the element's. */
GstRtpCcPath *gst_rtp_cc_path_new (GstElement *element, GstPad *sink, GstPad *src,
    GstRtpCcDriver *driver, GstRtpCcPathSent sent);
void gst_rtp_cc_path_free (GstRtpCcPath *path);

/* With the core locked: its queue, and what it has to do about an update. */
GstRtpCcSendQueue *gst_rtp_cc_path_queue (GstRtpCcPath *path);
RccUpdate gst_rtp_cc_path_act (GstRtpCcPath *path, RccUpdate update, RccTime now);
/* Not locked: the task looks again. */
void gst_rtp_cc_path_wake (GstRtpCcPath *path);

/* The abs-send-time id to use where caps name none; 0: none. */
void gst_rtp_cc_path_set_abs_send_time_id (GstRtpCcPath *path, guint id);
/* What the source pad adds to the maximum latency. */
void gst_rtp_cc_path_set_room (GstRtpCcPath *path, GstClockTime room);

G_END_DECLS
#endif
