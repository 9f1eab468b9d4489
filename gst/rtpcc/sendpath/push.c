/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/private.h"

#include <gst/video/video.h>

#include "rtpcc/sendpath/parity.h"

/* --- pushing -------------------------------------------------------------- */

static GstPad *
pad_of (GstRtpCcSend * x, guint k)
{
  GstPad *pad;

  gst_rtp_cc_driver_lock (x->driver);
  pad = x->inputs[k].pad ? gst_object_ref (x->inputs[k].pad) : NULL;
  gst_rtp_cc_driver_unlock (x->driver);
  return pad;
}

/* Frames were broken here that others build upon. */
static void
ask_for_keys (GstRtpCcSend * x, guint32 key_requests)
{
  rcc_sbpn_each (k, key_requests) {
    GstPad *pad = pad_of (x, k);

    if (!pad)
      continue;
    gst_pad_push_event (pad,
        gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE,
            0));
    gst_object_unref (pad);
  }
}

/* Whoever pushes has `passing' set, so that order needs no lock across the push. */
static GstFlowReturn
pass (GstRtpCcSend * x, GstRtpCcSendPush * p)
{
  GstMiniObject *object = p->object;
  GstFlowReturn flow = GST_FLOW_OK;

  for (guint i = 0; i < p->n_before; i++)
    gst_pad_push_event (x->src, p->before[i]);
  if (G_UNLIKELY (p->k == RCC_SEND_PADS && p->tail.apart))
    flow = gst_rtp_cc_fec_pad_push (x->fec, x->inputs[0].pad,
        GST_BUFFER (object), NULL, GST_FLOW_OK);
  else if (GST_IS_BUFFER (object))
    flow = gst_pad_push (x->src, GST_BUFFER (object));
  else if (GST_IS_BUFFER_LIST (object))
    flow = gst_pad_push_list (x->src, GST_BUFFER_LIST (object));
  else
    gst_pad_push_event (x->src, GST_EVENT (object));

  if (G_UNLIKELY (p->tail.buffer || p->tail.list))
    flow = gst_rtp_cc_send_tail_push (x, &p->tail, flow);

  atomic_store (&x->passing, FALSE);
  if (p->wake || (atomic_load (&x->blocked)
          && atomic_exchange (&x->blocked, FALSE)))
    gst_rtp_cc_wakeup_wake (x->wakeup);
  if (G_UNLIKELY (p->key_requests))
    ask_for_keys (x, p->key_requests);
  return flow;
}

static void
ask (GstRtpCcSendPush * p, GstRtpCcSendCall how)
{
  GstRtpCcDriver *driver = p->x->driver;
  RccUpdate update;
  RccTime now;

  if (!gst_rtp_cc_driver_enter (driver, &now))
    return;
  update = how (p, now);
  gst_rtp_cc_driver_leave (driver, &update);
}

/* Field by field: a compiler clears a structure of this size slowly. */
static void
begin (GstRtpCcSendPush * p, GstRtpCcSend * x, guint k, gpointer object)
{
  p->x = x;
  p->k = k;
  p->object = object;
  p->tail.buffer = NULL;
  p->tail.list = NULL;
  p->tail.apart = p->taken = p->refused = p->wake = FALSE;
  p->key_requests = p->n_before = 0;
  p->when = RCC_NEVER;
}

GstFlowReturn
gst_rtp_cc_send_admit (GstRtpCcSend * x, guint k, gpointer object,
    GstRtpCcSendCall how)
{
  GstRtpCcSendPush p;

  begin (&p, x, k, object);
  ask (&p, how);
  if (!p.taken || p.refused) {  /* the driver is stopped */
    if (p.object)
      gst_mini_object_unref (p.object);
    return GST_FLOW_FLUSHING;
  }
  if (p.object)
    return pass (x, &p);
  if (p.wake)
    gst_rtp_cc_wakeup_wake (x->wakeup);
  if (G_UNLIKELY (p.key_requests))
    ask_for_keys (x, p.key_requests);
  return GST_FLOW_OK;
}

void
gst_rtp_cc_send_report_flow (GstRtpCcSend * x, GstFlowReturn flow)
{
  if (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS)
    GST_ELEMENT_FLOW_ERROR (x->element, flow);
}

/* --- the task ------------------------------------------------------------- */

/* Downstream took nothing any more.  Upstream hears of it at its next push; after EOS
 * there is none, so the application has to. */
static void
give_up (GstRtpCcSend * x, GstFlowReturn flow)
{
  gboolean ended;

  GST_DEBUG_OBJECT (x->src, "pausing: %s", gst_flow_get_name (flow));
  gst_pad_pause_task (x->src);  /* first: who sees the flow may start it again */
  g_atomic_int_set (&x->flow, flow);
  gst_rtp_cc_driver_lock (x->driver);
  ended = gst_rtp_cc_send_all (x, eos);
  gst_rtp_cc_driver_unlock (x->driver);
  if (ended)
    gst_rtp_cc_send_report_flow (x, flow);
}

typedef enum
{ NOTHING, LEFT, GAVE_UP } Step;

/* Lets one object out; NOTHING: @when is to be waited for. */
static Step
let_out (GstRtpCcSend * x, RccTime * when)
{
  GstFlowReturn flow;
  GstRtpCcSendPush p;

  begin (&p, x, RCC_SEND_PADS, NULL);
  ask (&p, gst_rtp_cc_send_next);
  *when = p.when;
  if (!p.object) {
    if (p.key_requests)
      ask_for_keys (x, p.key_requests);
    return NOTHING;
  }
  flow = pass (x, &p);
  if (G_LIKELY (flow == GST_FLOW_OK))
    return LEFT;
  give_up (x, flow);
  return GAVE_UP;
}

/* Whatever may leave does; then, with a ticket, it is asked once more, and slept. */
static void
loop (gpointer user_data)
{
  GstRtpCcSend *x = user_data;
  GstClockTime time;
  GstClock *clock;
  RccTime when;
  guint ticket;
  Step step;

  do
    step = let_out (x, &when);
  while (step == LEFT && g_atomic_int_get (&x->flow) == GST_FLOW_OK);
  if (step == GAVE_UP)
    return;
  if (!gst_rtp_cc_wakeup_ticket (x->wakeup, &ticket)) {
    gst_pad_pause_task (x->src);
    return;
  }
  if (let_out (x, &when) != NOTHING)
    return;
  clock = gst_rtp_cc_driver_clock (x->driver, when, &time);
  gst_rtp_cc_wakeup_wait (x->wakeup, clock,
      clock ? time : GST_CLOCK_TIME_NONE, ticket);
  gst_clear_object (&clock);
}

void
gst_rtp_cc_send_start_task (GstRtpCcSend * x)
{
  g_atomic_int_set (&x->flow, GST_FLOW_OK);
  gst_rtp_cc_wakeup_set_flushing (x->wakeup, FALSE);
  gst_pad_start_task (x->src, loop, x, NULL);
}

void
gst_rtp_cc_send_stop_task (GstRtpCcSend * x)
{
  g_atomic_int_set (&x->flow, GST_FLOW_FLUSHING);
  gst_rtp_cc_wakeup_set_flushing (x->wakeup, TRUE);
}
