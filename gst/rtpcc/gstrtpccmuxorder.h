/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gstrtpccmuxorder.h - what leaves rtpsbpnmux after what: packets, events, the end
 *
 * Decides, and pushes nothing: all of it is called with the driver's lock held, and what
 * is to be pushed comes back in a GstRtpCcMuxPassage.
 */
#ifndef GST_RTP_CC_MUX_ORDER_H
#define GST_RTP_CC_MUX_ORDER_H

#include <stdatomic.h>

#include "rtpcc/gstrtpsbpnmuxpad.h"

G_BEGIN_DECLS

/* A packet left; runs with the core locked, as a hook of the core would. */
typedef RccUpdate (*GstRtpCcMuxSent) (GstElement *element, const RccPacket *sent,
    RccTime now);

typedef struct {
  GstElement *element;
  GstPad *src;
  GstRtpCcMuxSent sent;

  GstRtpCcMuxQueue queue;
  GstRtpSbpnMuxPad *pads[GST_RTP_CC_MUX_PADS];  /* borrowed: the element's */
  GArray *waiting;                      /* serialised events, oldest first */
  GstCaps *caps;                        /* of what leaves; NULL: none yet */
  gboolean need_start, need_caps, need_segment;
  gboolean ended;                       /* EOS has left */
  gboolean flushed;                     /* FLUSH_START has gone downstream */

  atomic_int passing;                   /* somebody is pushing; set under the lock */
  atomic_int blocked;                   /* the task waits for that to end */
} GstRtpCcMuxOrder;

/* One object's way through, or the task's question. */
typedef struct {
  GstRtpCcMuxOrder *order;
  GstRtpSbpnMuxPad *pad;                /* NULL: the task */
  GstMiniObject *object;                /* what came; then what is to be pushed, if any */
  gboolean taken;                       /* there is an answer */
  gboolean refused;                     /* the pad is flushing or gone */
  gboolean wake;                        /* the task has something to do */
  guint32 asks;                         /* bit k: for a key frame at pad k */
  GstEvent *before[3];                  /* to be pushed first */
  guint n_before;
  RccTime when;                         /* the task is to ask again; RCC_NEVER */
} GstRtpCcMuxPassage;

void gst_rtp_cc_mux_order_init (GstRtpCcMuxOrder *o, GstElement *element, GstPad *src,
    GstRtpCcMuxSent sent);
void gst_rtp_cc_mux_order_clear (GstRtpCcMuxOrder *o);

/* GstRtpCcDriverCalls on a GstRtpCcMuxPassage: a buffer, a list, a serialised event, the
 * end of a stream; and what may leave.  Where an object is to be pushed, `passing' is set
 * and it is the caller's to unset it. */
RccUpdate gst_rtp_cc_mux_order_arrive (RccSender *sender, RccTime now, gpointer passage);
RccUpdate gst_rtp_cc_mux_order_arrive_list (RccSender *sender, RccTime now,
    gpointer passage);
RccUpdate gst_rtp_cc_mux_order_arrive_event (RccSender *sender, RccTime now,
    gpointer passage);
RccUpdate gst_rtp_cc_mux_order_arrive_end (RccSender *sender, RccTime now,
    gpointer passage);
RccUpdate gst_rtp_cc_mux_order_leave (RccSender *sender, RccTime now, gpointer passage);

/* Nothing is queued and nobody is pushing. */
gboolean gst_rtp_cc_mux_order_is_clear (GstRtpCcMuxOrder *o);
gboolean gst_rtp_cc_mux_order_all_ended (GstRtpCcMuxOrder *o);
gboolean gst_rtp_cc_mux_order_all_flushing (GstRtpCcMuxOrder *o);
gboolean gst_rtp_cc_mux_order_any_pad (GstRtpCcMuxOrder *o);

/* stream-start, caps and segment are to be said (again). */
void gst_rtp_cc_mux_order_start_over (GstRtpCcMuxOrder *o);
/* The pads' caps have changed. */
void gst_rtp_cc_mux_order_renew_caps (GstRtpCcMuxOrder *o);
/* Drops what pad @k has queued; with @close it may go away. */
void gst_rtp_cc_mux_order_flush (GstRtpCcMuxOrder *o, guint k, gboolean close);

/* A pad's flush is over: whether downstream's is with it. */
gboolean gst_rtp_cc_mux_order_end_flush (GstRtpCcMuxOrder *o);

G_END_DECLS

#endif
