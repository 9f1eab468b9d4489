/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sendpath/private.h - what the files of the send path's elements share. What comes is taken in
 * by arrive.c, and leave.c lets out what may leave. push.c pushes and has the task, flush.c
 * flushes.
 *
 * Every function is called with the core locked where its comment does not say otherwise.
 */
#ifndef GST_RTP_CC_SEND_PRIVATE_H
#define GST_RTP_CC_SEND_PRIVATE_H

#include "rtpcc/sendpath/sendpath.h"

typedef struct {                        /* a serialised event */
  GstEvent *event;
  guint class_index;
  guint64 after;                        /* so many of its packets are to go first */
} GstRtpCcSendWaiting;

/* One object's way through, or the task's question. */
typedef struct {
  GstRtpCcSend *x;
  guint k;                              /* input; RCC_SEND_PADS: the task */
  GstMiniObject *object;                /* what came; then what is to be pushed, if any */
  GstRtpCcSendTail tail;
  gboolean taken;                       /* there is an answer */
  gboolean refused;                     /* the input is flushing or gone */
  gboolean wake;                        /* the task has something to do */
  guint32 key_requests;                 /* bit k: for a key frame at input k */
  GstEvent *before[3];                  /* to be pushed first */
  guint n_before;
  RccTime when;                         /* the task is to ask again; RCC_NEVER */
} GstRtpCcSendPush;

/* --- arrive.c ------------------------------------------------------------- */

typedef RccUpdate (*GstRtpCcSendCall) (GstRtpCcSendPush *push, RccTime now);

/* An object of this kind comes. */
RccUpdate gst_rtp_cc_send_arrive (GstRtpCcSendPush *push, RccTime now);
RccUpdate gst_rtp_cc_send_arrive_list (GstRtpCcSendPush *push, RccTime now);
RccUpdate gst_rtp_cc_send_arrive_event (GstRtpCcSendPush *push, RccTime now);
RccUpdate gst_rtp_cc_send_arrive_end (GstRtpCcSendPush *push, RccTime now);

/* --- leave.c -------------------------------------------------------------- */

void gst_rtp_cc_send_note_news (GstRtpCcSend *x, const RccSendOut *out, RccUpdate *update);

/* The task asks what may leave. */
RccUpdate gst_rtp_cc_send_next (GstRtpCcSendPush *push, RccTime now);
/* What @p has is pushed from now on, and nothing else. */
void gst_rtp_cc_send_begin_passing (GstRtpCcSend *x, GstRtpCcSendPush *p);
/* Nothing is queued and nobody pushes. */
gboolean gst_rtp_cc_send_is_clear (GstRtpCcSend *x);
/* Whether all sink pads have @flag, a gboolean of GstRtpCcSendInput. */
gboolean gst_rtp_cc_send_all_inputs (GstRtpCcSend *x, gsize flag);
#define gst_rtp_cc_send_all(x, flag) \
  gst_rtp_cc_send_all_inputs ((x), G_STRUCT_OFFSET (GstRtpCcSendInput, flag))
/* EOS, if it is time for it. */
GstEvent *gst_rtp_cc_send_take_end (GstRtpCcSend *x);
/* A packet leaves: what the controller says to that joins @update.  _note_news() does it where
 * there is something. */
static inline void
gst_rtp_cc_send_note_departure (GstRtpCcSend *x, const RccSendOut *out, RccUpdate *update)
{
  if (G_UNLIKELY (!x->announced || out->sent.probe || out->update.changed))
    gst_rtp_cc_send_note_news (x, out, update);
}
/* What the backlog calls for: key frames, and the target said again. */
void gst_rtp_cc_send_note_backlog (GstRtpCcSendPush *p, RccTime now, RccUpdate *update);
void gst_rtp_cc_send_note_times (GstRtpCcSend *x, GstBuffer *buffer);
/* Writes into @buffer, which is writable, what is to be written; then it may be shown. */
void gst_rtp_cc_send_finish (GstRtpCcSend *x, GstBuffer *buffer, const RccSendOut *out,
    RccTime now);
/* Parity is due.  What of it may leave goes right behind what passes; in a list it may be of it,
 * at place @at.  How many were put there. */
guint gst_rtp_cc_send_follow (GstRtpCcSendPush *p, GstBufferList **list, guint at, RccTime now,
    RccUpdate *update);

/* --- push.c, nothing locked ----------------------------------------------- */

/* @object goes the way of @how. */
GstFlowReturn gst_rtp_cc_send_admit (GstRtpCcSend *x, guint k, gpointer object,
    GstRtpCcSendCall how);
/* An error message for the application, where @flow is one. */
void gst_rtp_cc_send_report_flow (GstRtpCcSend *x, GstFlowReturn flow);
void gst_rtp_cc_send_start_task (GstRtpCcSend *x);
void gst_rtp_cc_send_stop_task (GstRtpCcSend *x);

/* --- flush.c -------------------------------------------------------------- */

/* Drops what input @k has queued. */
void gst_rtp_cc_send_flush_input (GstRtpCcSend *x, guint k);
/* What the source pad has said is to be said again, of the stream too (@stream). */
void gst_rtp_cc_send_start_over (GstRtpCcSend *x, gboolean stream);
/* No pad flushes any more; TRUE: downstream is to hear of it. */
gboolean gst_rtp_cc_send_flush_ended (GstRtpCcSend *x);
/* Not locked.  FLUSH_START and FLUSH_STOP come to input @k. */
void gst_rtp_cc_send_begin_flush (GstRtpCcSend *x, guint k, GstEvent *event);
void gst_rtp_cc_send_end_flush (GstRtpCcSend *x, guint k, GstEvent *event);
/* Not locked.  Downstream's flush is over; @event may be NULL. */
void gst_rtp_cc_send_flush_downstream (GstRtpCcSend *x, GstEvent *event);

#endif
