/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccmuxpath.h - from the sink pads of rtpsbpnmux to its source pad
 *
 * A packet that finds nothing queued, nobody pushing and the pacer willing passes
 * straight through in its own thread; the rest queues, and the source pad's task lets
 * it out when it is due.  The queue is guarded by the driver's lock; nothing is locked
 * across a push.
 *
 * What belongs to one stream ends here: stream-start, caps, segment and gaps.  The source
 * pad has its own, once: timestamps leave as running times.  Other serialised events leave
 * when as many of their pad's packets have gone as were before them.  EOS leaves when all
 * pads have ended and nothing is queued; a flush takes what its pad has queued, and goes
 * on downstream when all pads are flushing.
 */
#ifndef GST_RTP_CC_MUX_PATH_H
#define GST_RTP_CC_MUX_PATH_H

#include "rtpcc/gstrtpccdriver.h"
#include "rtpcc/gstrtpsbpnmuxpad.h"

G_BEGIN_DECLS

typedef struct _GstRtpCcMuxPath GstRtpCcMuxPath;

typedef struct {
  /* A packet left; runs with the core locked, as a hook of the core would. */
  RccUpdate (*sent) (GstElement *element, const RccPacket *sent, RccTime now);
  /* Pads have come, gone or changed; nothing is locked. */
  void (*pads_changed) (GstElement *element);
} GstRtpCcMuxPathFuncs;

/* Sets the source pad's query and activation functions and adds it to @element; its
 * event function stays the element's.  @funcs is static. */
GstRtpCcMuxPath *gst_rtp_cc_mux_path_new (GstElement *element, GstPad *src,
    GstRtpCcDriver *driver, const GstRtpCcMuxPathFuncs *funcs);
void gst_rtp_cc_mux_path_free (GstRtpCcMuxPath *path);

/* FALSE: there are GST_RTP_CC_MUX_PADS already.  Sets the functions of @pad; adding it to
 * the element is the caller's. */
gboolean gst_rtp_cc_mux_path_add (GstRtpCcMuxPath *path, GstRtpSbpnMuxPad *pad);
/* Once it is inactive: drops what it has queued. */
void gst_rtp_cc_mux_path_remove (GstRtpCcMuxPath *path, GstRtpSbpnMuxPad *pad);

/* With the core locked: its queue, its pads (NULL where there is none), and the pads
 * opened anew after a reset of the queue. */
GstRtpCcMuxQueue *gst_rtp_cc_mux_path_queue (GstRtpCcMuxPath *path);
GstRtpSbpnMuxPad *const *gst_rtp_cc_mux_path_pads (GstRtpCcMuxPath *path);
void gst_rtp_cc_mux_path_open (GstRtpCcMuxPath *path);

/* Not locked: a setting of @pad counts from now on. */
void gst_rtp_cc_mux_path_reconfigure (GstRtpCcMuxPath *path, GstRtpSbpnMuxPad *pad);
/* Not locked: the pad that last sent @ssrc (transfer full); NULL: nobody. */
GstPad *gst_rtp_cc_mux_path_find (GstRtpCcMuxPath *path, guint32 ssrc);
/* Not locked: the task looks again. */
void gst_rtp_cc_mux_path_wake (GstRtpCcMuxPath *path);
/* What the source pad adds to the maximum latency; GST_CLOCK_TIME_NONE: no bound. */
void gst_rtp_cc_mux_path_set_room (GstRtpCcMuxPath *path, GstClockTime room);

G_END_DECLS

#endif
