/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccfbrapath.h - RTP through rtpfbrafec, and the parity that joins it
 *
 * Media passes straight through; parity follows it on the same source pad, or on fec_src
 * where somebody has requested that.  Parity and its numbers are guarded by the driver's
 * lock; nothing is locked across a push.
 */
#ifndef GST_RTP_CC_FBRA_PATH_H
#define GST_RTP_CC_FBRA_PATH_H

#include "rtpcc/gstrtpccdriver.h"
#include "rtpcc/gstrtpccfbra.h"

G_BEGIN_DECLS

typedef struct _GstRtpCcFbraPath GstRtpCcFbraPath;

/* Sets the sink pad's chain and event functions and adds both to @element; the source
 * pad's event function stays the element's.  @fbra: what the driver drives. */
GstRtpCcFbraPath *gst_rtp_cc_fbra_path_new (GstElement *element, GstPad *sink, GstPad *src,
    GstRtpCcDriver *driver, GstRtpCcFbra *fbra);
void gst_rtp_cc_fbra_path_free (GstRtpCcFbraPath *path);

/* With the core locked: a new life of the core, in which numbers go on. */
void gst_rtp_cc_fbra_path_begin (GstRtpCcFbraPath *path,
    const GstRtpCcFbraSettings *settings);
/* With the core locked. */
void gst_rtp_cc_fbra_path_stats (GstRtpCcFbraPath *path, GstStructure *stats);
/* READY: forgets the streams that passed.  Where parity goes is the pads' matter. */
void gst_rtp_cc_fbra_path_forget (GstRtpCcFbraPath *path);

/* fec_src, which has the parity from now on; NULL: it is there. */
GstPad *gst_rtp_cc_fbra_path_request_pad (GstRtpCcFbraPath *path, GstPadTemplate *templ);
void gst_rtp_cc_fbra_path_release_pad (GstRtpCcFbraPath *path, GstPad *pad);
gboolean gst_rtp_cc_fbra_path_has_pad (GstRtpCcFbraPath *path);

/* An event from downstream: a controller's target, or the session's feedback. */
void gst_rtp_cc_fbra_path_hear (GstRtpCcFbraPath *path, GstEvent *event);
/* A request for a retransmission: who keeps packets for that stands upstream and knows
 * them by the numbers they had there.  Takes @event, which comes back as it is where it
 * is something else; NULL: there is nothing to send again. */
GstEvent *gst_rtp_cc_fbra_path_request (GstRtpCcFbraPath *path, GstEvent *event);

G_END_DECLS

#endif
