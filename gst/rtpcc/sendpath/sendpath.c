/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/sendpath.h"

#include <gst/video/video.h>

#include "rtpcc/common/wakeup.h"
#include "rtpcc/sendpath/buffer.h"
#include "rtpcc/sendpath/parity.h"
#include "rtpcc/sendpath/upstream.h"

#define ENTRIES 16              /* at first; doubled when they do not do */

typedef struct
{
  GstEvent *event;
  guint class_index;
  guint64 after;                /* so many of its packets are to go first */
} Waiting;

/* One object's way through, or the task's question. */
typedef struct
{
  GstRtpCcSend *x;
  guint k;                      /* input; RCC_SEND_PADS: the task */
  GstMiniObject *object;        /* what came; then what is to be pushed, if any */
  GstRtpCcSendTail tail;
  gboolean taken;               /* there is an answer */
  gboolean refused;             /* the input is flushing or gone */
  gboolean wake;                /* the task has something to do */
  guint32 key_requests;         /* bit k: for a key frame at input k */
  GstEvent *before[3];          /* to be pushed first */
  guint n_before;
  RccTime when;                 /* the task is to ask again; RCC_NEVER */
} PushContext;

/* --- room ------------------------------------------------------------------ */

static void
grow (GstRtpCcSend * x, guint capacity)
{
  RccSend *s = &x->path;

  rcc_send_grow (s, g_renew (RccSbpnEntry, s->entries, capacity),
      g_renew (RccSendSlot, s->slots, capacity), capacity);
}

static void
make_room (GstRtpCcSend * x)
{
  RccSend *s = &x->path;

  if (G_UNLIKELY (rcc_send_is_full (s))
      && s->capacity < GST_RTP_CC_SEND_ENTRIES)
    grow (x, 2 * s->capacity);
}

/* --- order ------------------------------------------------------------------ */

static gboolean
is_passing (GstRtpCcSend * x)
{
  return atomic_load (&x->passing);
}

/* The driver's lock orders it, as everybody who asks holds it too; a full barrier would
 * cost as much as the lock. */
static void
begin_passing (GstRtpCcSend * x, PushContext * p)
{
  atomic_store_explicit (&x->passing, TRUE, memory_order_relaxed);
  if (x->funcs && x->funcs->before)
    p->n_before = x->funcs->before (x->element, p->before);
}

static gboolean
is_clear (GstRtpCcSend * x)
{
  return rcc_send_is_empty (&x->path) && x->waiting->len == 0
      && !is_passing (x);
}

static gboolean
all_inputs (GstRtpCcSend * x, gsize flag)
{
  gboolean any = FALSE;

  for (guint k = 0; k < RCC_SEND_PADS; k++) {
    if (x->inputs[k].pad && !G_STRUCT_MEMBER (gboolean, &x->inputs[k], flag))
      return FALSE;
    any |= x->inputs[k].pad != NULL;
  }
  return any;
}

#define ALL(x, flag) all_inputs ((x), G_STRUCT_OFFSET (GstRtpCcSendInput, flag))

/* The end, if it is time for it. */
static GstEvent *
take_end (GstRtpCcSend * x)
{
  if (x->ended || !x->eos || x->waiting->len > 0
      || !rcc_send_is_empty (&x->path) || !ALL (x, eos))
    return NULL;
  x->ended = TRUE;
  rcc_send_end_probe (&x->path);        /* nothing follows, padding neither */
  rcc_send_protect_drop (&x->path);
  return g_steal_pointer (&x->eos);
}

/* An event which has nothing in front of it any more. */
static GstEvent *
take_event (GstRtpCcSend * x)
{
  for (guint i = 0; i < x->waiting->len; i++) {
    const Waiting w = g_array_index (x->waiting, Waiting, i);

    if (x->path.departed[w.class_index] < w.after)
      continue;
    g_array_remove_index (x->waiting, i);
    return w.event;
  }
  return NULL;
}

/* --- what leaves ------------------------------------------------------------- */

/* What the controller says to it joins @update: nearly always nothing.  The first target
 * was said in READY, when nobody upstream could listen: the first packet says it again. */
static void
note_departure (GstRtpCcSend * x, const RccSendOut * out, RccUpdate * update)
{
  if (out->sent.size == 0)
    return;
  if (G_UNLIKELY (out->sent.probe & RCC_PROBE_CLUSTER))
    gst_rtp_cc_send_note_cluster (x, out->sent.probe & RCC_PROBE_CLUSTER);
  if (G_UNLIKELY (out->update.changed))
    *update = rcc_update_merge (*update, out->update);
  if (G_LIKELY (x->announced))
    return;
  x->announced = TRUE;
  update->changed |= RCC_TARGET;
  update->reason = "start";
}

/* The encoder is to hear of it: the target is said again. */
static void
note_backlog (GstRtpCcSend * x, RccTime now, RccUpdate * update)
{
  if (G_LIKELY (!rcc_send_report_again (&x->path, now))
      || (update->changed & RCC_TARGET))
    return;
  update->changed |= RCC_TARGET;
  update->target_bps = x->path.target_bps;
  update->reason = "backlog";
}

static void
note_times (GstRtpCcSend * x, GstBuffer * buffer)
{
  x->pts = GST_BUFFER_PTS (buffer);
  x->dts = GST_BUFFER_DTS (buffer);
}

static GstBuffer *
make_padding (GstRtpCcSend * x, RccTime now, RccSendOut * out)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL,
      rcc_send_pad_size (&x->path), NULL);
  GstMapInfo info;

  gst_buffer_map (buffer, &info, GST_MAP_WRITE);
  rcc_send_pad (&x->path, info.data, now, out);
  gst_buffer_unmap (buffer, &info);
  GST_BUFFER_PTS (buffer) = x->pts;
  GST_BUFFER_DTS (buffer) = x->dts;
  return buffer;
}

static void
drop_surplus (GstRtpCcSend * x, RccTime now)
{
  RccSendOut out;

  while (G_UNLIKELY (rcc_send_overflow (&x->path, now, &out)))
    gst_buffer_unref (out.handle);
}

/* Writes into @buffer, which is writable, what is to be written; then it may be shown. */
static void
finish (GstRtpCcSend * x, GstBuffer * buffer, const RccSendOut * out,
    RccTime now)
{
  if (rcc_send_out_writes (out))
    gst_rtp_cc_send_buffer_write (buffer, out);
  if (out->shown)
    gst_rtp_cc_send_parity_show (x, buffer, NULL, now);
}

static GstBuffer *
let_leave (GstRtpCcSend * x, const RccSendOut * out, RccTime now)
{
  GstBuffer *buffer = out->handle;

  note_times (x, buffer);
  if (rcc_send_out_writes (out))
    buffer = gst_buffer_make_writable (buffer);
  finish (x, buffer, out, now);
  return buffer;
}

/* A packet that is ready to be pushed, or NULL and when to ask again. */
static GstBuffer *
next_packet (PushContext * p, RccTime now, RccUpdate * update)
{
  GstRtpCcSend *x = p->x;
  GstBuffer *buffer = NULL;
  RccSendOut out;

  while (!buffer) {
    switch (rcc_send_next (&x->path, now, &p->when, &out)) {
      case RCC_SEND_PACKET:
        buffer = let_leave (x, &out, now);
        break;
      case RCC_SEND_PADDING:
        buffer = make_padding (x, now, &out);
        break;
      case RCC_SEND_PARITY:
        buffer = gst_rtp_cc_send_parity_make (x, now, &out);
        p->tail.apart = gst_rtp_cc_send_parity_is_apart (x);
        break;
      case RCC_SEND_DROPPED:
        gst_buffer_unref (out.handle);
        break;
      case RCC_SEND_WAIT:
        return NULL;
    }
  }
  note_departure (x, &out, update);
  return buffer;
}

/* Parity that may leave right behind what passes; in a list it may be of it, at place
 * @at.  How many were put there. */
static guint
follow (PushContext * p, GstBufferList ** list, guint at, RccTime now,
    RccUpdate * update)
{
  GstRtpCcSend *x = p->x;
  guint inserted = 0;
  GstBuffer *parity;
  RccSendOut out;

  if (G_LIKELY (!rcc_send_parity_due (&x->path)))
    return 0;
  p->tail.apart = gst_rtp_cc_send_parity_is_apart (x);
  while (rcc_send_parity_passes (&x->path, now)) {
    if (!(parity = gst_rtp_cc_send_parity_make (x, now, &out)))
      continue;
    note_departure (x, &out, update);
    if (!list || p->tail.apart) {
      gst_rtp_cc_send_tail_add (&p->tail, parity);
      continue;
    }
    *list = gst_buffer_list_make_writable (*list);
    gst_buffer_list_insert (*list, (gint) (at + inserted++), parity);
  }
  return inserted;
}

/* --- what comes -------------------------------------------------------------- */

static gboolean
may_come (PushContext * p)
{
  p->taken = TRUE;
  p->refused = !p->x->inputs[p->k].pad || p->x->inputs[p->k].flushing;
  return !p->refused;
}

/* Then it is writable: what else has it as a part, such as another list, would hold a
 * reference.  gst_buffer_is_writable() takes the locks of all that it is part of. */
static gboolean
is_ours_alone (GstBuffer * buffer)
{
  return GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) == 1;
}

/* Whether packets that leave have something written into them. */
static gboolean
writes (const GstRtpCcSend * x, guint k)
{
  return x->path.writes || x->inputs[k].abs_id != 0;
}

typedef enum
{ PASSED, QUEUED, DROPPED } Outcome;

static void
adjust (GstRtpCcSend * x)
{
  if (x->funcs && x->funcs->adjust)
    x->funcs->adjust (x->element);
}

/* @buffer comes to input @k.  PASSED: it is to be pushed; QUEUED: the queue has taken a
 * reference of the caller's.  *@rest: what is still to be written into it before. */
static Outcome
admit_buffer (GstRtpCcSend * x, guint k, GstBuffer * buffer, gboolean clear,
    RccTime now, RccSendOut * rest, RccUpdate * update)
{
  const gboolean write = writes (x, k) && is_ours_alone (buffer);
  const gsize size = gst_buffer_get_size (buffer);
  GstRtpCcSendBuffer b;
  RccSendVerdict verdict;

  make_room (x);
  gst_rtp_cc_send_buffer_open (&b, x, k, buffer, size, write, now);
  verdict = rcc_send_put (&x->path, clear, now, rest);
  x->last_ssrc = b.packet->ssrc;
  if (verdict != RCC_SEND_PACKET) {
    gst_rtp_cc_send_buffer_close (&b, NULL);
    return verdict == RCC_SEND_DROPPED ? DROPPED : QUEUED;
  }
  if (b.packet->rtp)
    x->header_size = b.packet->header_size;
  note_times (x, buffer);
  note_departure (x, rest, update);
  if (gst_rtp_cc_send_buffer_close (&b, rest)) {
    rest->renumbered = rest->shown = FALSE;
    rest->send_time_at = rest->transport_at = rest->osn_at = 0;
  }
  return PASSED;
}

static RccUpdate
arrive (RccSender * sender, RccTime now, gpointer user_data)
{
  PushContext *p = user_data;
  GstRtpCcSend *x = p->x;
  GstBuffer *buffer = GST_BUFFER_CAST (p->object);
  RccUpdate update = { 0 };
  RccSendOut rest;
  gboolean empty;

  if (!may_come (p))
    return update;
  adjust (x);
  empty = rcc_send_is_empty (&x->path);
  switch (admit_buffer (x, p->k, buffer, is_clear (x), now, &rest, &update)) {
    case PASSED:
      begin_passing (x, p);
      if (G_UNLIKELY (rcc_send_out_writes (&rest))) {
        buffer = gst_buffer_make_writable (buffer);
        finish (x, buffer, &rest, now);
        p->object = GST_MINI_OBJECT_CAST (buffer);
      }
      follow (p, NULL, 0, now, &update);
      p->wake = x->path.pacer.probe_id != 0 || rcc_send_parity_due (&x->path);
      break;
    case QUEUED:
      p->wake = empty;
      p->object = NULL;
      break;
    case DROPPED:
      gst_clear_mini_object (&p->object);
      break;
  }
  drop_surplus (x, now);
  p->key_requests = rcc_send_key_requests (&x->path);
  note_backlog (x, now, &update);
  return update;
}

/* One buffer of a list; TRUE: it stays there, to be pushed. */
static gboolean
admit_item (PushContext * p, GstBufferList ** list, guint i, gboolean clear,
    RccTime now, RccUpdate * update)
{
  GstRtpCcSend *x = p->x;
  GstBuffer *buffer = gst_buffer_list_get (*list, i);
  RccSendOut rest;
  Outcome outcome;

  if (writes (x, p->k) && !is_ours_alone (buffer)) {
    *list = gst_buffer_list_make_writable (*list);
    buffer = gst_buffer_list_get_writable (*list, i);
  }
  outcome = admit_buffer (x, p->k, buffer, clear, now, &rest, update);
  if (outcome == PASSED) {
    if (G_UNLIKELY (rcc_send_out_writes (&rest))) {
      *list = gst_buffer_list_make_writable (*list);
      finish (x, gst_buffer_list_get_writable (*list, i), &rest, now);
    }
    return TRUE;
  }
  if (outcome == QUEUED)
    gst_buffer_ref (buffer);
  *list = gst_buffer_list_make_writable (*list);
  gst_buffer_list_remove (*list, i, 1);
  return FALSE;
}

/* What leaves at once stays in the list; the rest is taken out. */
static RccUpdate
arrive_list (RccSender * sender, RccTime now, gpointer user_data)
{
  PushContext *p = user_data;
  GstRtpCcSend *x = p->x;
  GstBufferList *list = GST_BUFFER_LIST (p->object);
  const guint n = gst_buffer_list_length (list);
  RccUpdate update = { 0 };
  gboolean clear, empty;
  guint stays = 0;

  if (!may_come (p))
    return update;
  adjust (x);
  clear = is_clear (x);
  empty = rcc_send_is_empty (&x->path);
  if (writes (x, p->k))
    list = gst_buffer_list_make_writable (list);
  for (guint i = 0; i < n; i++) {
    if (admit_item (p, &list, stays, clear && rcc_send_is_empty (&x->path), now,
            &update)) {
      stays++;
      stays += follow (p, &list, stays, now, &update);
    }
    drop_surplus (x, now);
  }
  p->wake = (empty && !rcc_send_is_empty (&x->path))
      || x->path.pacer.probe_id != 0;
  if (stays > 0)
    begin_passing (x, p);
  else
    gst_clear_buffer_list (&list);
  p->object = (GstMiniObject *) list;
  p->key_requests = rcc_send_key_requests (&x->path);
  note_backlog (x, now, &update);
  return update;
}

static RccUpdate
arrive_event (RccSender * sender, RccTime now, gpointer user_data)
{
  PushContext *p = user_data;
  GstRtpCcSend *x = p->x;
  Waiting w = {.event = GST_EVENT (p->object) };

  if (!may_come (p))
    return (RccUpdate) {
    0};
  if (is_clear (x)) {
    begin_passing (x, p);
    return (RccUpdate) {
    0};
  }
  w.class_index = rcc_send_class (&x->path, x->last_ssrc, p->k);
  w.after = x->path.arrived[w.class_index];
  p->wake = x->path.departed[w.class_index] >= w.after;
  g_array_append_val (x->waiting, w);
  p->object = NULL;
  return (RccUpdate) {
  0};
}

static RccUpdate
arrive_end (RccSender * sender, RccTime now, gpointer user_data)
{
  PushContext *p = user_data;
  GstRtpCcSend *x = p->x;

  if (!may_come (p))
    return (RccUpdate) {
    0};
  x->inputs[p->k].eos = TRUE;
  gst_clear_event (&x->eos);
  x->eos = GST_EVENT (g_steal_pointer (&p->object));
  if (is_clear (x) && (p->object = (GstMiniObject *) take_end (x)))
    begin_passing (x, p);
  p->wake = !p->object && rcc_send_is_empty (&x->path); /* else it comes by anyway */
  return (RccUpdate) {
  0};
}

/* The task asks what may leave. */
static RccUpdate
leave (RccSender * sender, RccTime now, gpointer user_data)
{
  PushContext *p = user_data;
  GstRtpCcSend *x = p->x;
  RccUpdate update = { 0 };

  p->taken = TRUE;
  if (G_UNLIKELY (is_passing (x))) {
    atomic_store (&x->blocked, TRUE);
    if (is_passing (x))
      return update;            /* who passes wakes the task afterwards */
    atomic_store (&x->blocked, FALSE);
  }
  if (x->waiting->len > 0)
    p->object = (GstMiniObject *) take_event (x);
  if (!p->object)
    p->object = (GstMiniObject *) next_packet (p, now, &update);
  if (!p->object && x->waiting->len > 0)        /* those before it were dropped */
    p->object = (GstMiniObject *) take_event (x);
  if (!p->object)
    p->object = (GstMiniObject *) take_end (x);
  if (p->object)
    begin_passing (x, p);
  p->key_requests = rcc_send_key_requests (&x->path);
  note_backlog (x, now, &update);
  return update;
}

/* --- pushing ------------------------------------------------------------------ */

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
pass (GstRtpCcSend * x, PushContext * p)
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

/* Field by field: a compiler clears a structure of this size slowly. */
static void
begin (PushContext * p, GstRtpCcSend * x, guint k, gpointer object)
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

/* @object goes the way of @how. */
static GstFlowReturn
admit (GstRtpCcSend * x, guint k, gpointer object, GstRtpCcDriverCall how)
{
  PushContext p;

  begin (&p, x, k, object);
  gst_rtp_cc_driver_call (x->driver, how, &p);
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

/* The application has to hear of it. */
static void
report (GstRtpCcSend * x, GstFlowReturn flow)
{
  if (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS)
    GST_ELEMENT_FLOW_ERROR (x->element, flow);
}

/* --- the task ------------------------------------------------------------------ */

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
  ended = ALL (x, eos);
  gst_rtp_cc_driver_unlock (x->driver);
  if (ended)
    report (x, flow);
}

typedef enum
{ NOTHING, LEFT, GAVE_UP } Step;

/* Lets one object out; NOTHING: @when is to be waited for. */
static Step
let_out (GstRtpCcSend * x, RccTime * when)
{
  GstFlowReturn flow;
  PushContext p;

  begin (&p, x, RCC_SEND_PADS, NULL);
  gst_rtp_cc_driver_call (x->driver, leave, &p);
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
  ticket = gst_rtp_cc_wakeup_ticket (x->wakeup);
  if (gst_rtp_cc_wakeup_is_flushing (x->wakeup)) {
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

static void
start_task (GstRtpCcSend * x)
{
  g_atomic_int_set (&x->flow, GST_FLOW_OK);
  gst_rtp_cc_wakeup_set_flushing (x->wakeup, FALSE);
  gst_pad_start_task (x->src, loop, x, NULL);
}

static void
stop_task (GstRtpCcSend * x)
{
  g_atomic_int_set (&x->flow, GST_FLOW_FLUSHING);
  gst_rtp_cc_wakeup_set_flushing (x->wakeup, TRUE);
}

/* --- flushing ------------------------------------------------------------------ */

/* As queue does: a flush takes data, and of the sticky events only those that it is
 * about. */
static void
drop_events (GstRtpCcSend * x, guint class_index)
{
  for (guint i = x->waiting->len; i-- > 0;) {
    const Waiting w = g_array_index (x->waiting, Waiting, i);

    if (class_index != RCC_SBPN_ALL && w.class_index != class_index)
      continue;
    if (GST_EVENT_IS_STICKY (w.event)
        && GST_EVENT_TYPE (w.event) != GST_EVENT_SEGMENT)
      gst_pad_store_sticky_event (x->src, w.event);
    gst_event_unref (w.event);
    g_array_remove_index (x->waiting, i);
  }
}

/* With the core locked: drops what input @k has queued. */
static void
flush_input (GstRtpCcSend * x, guint k)
{
  const guint class_index = x->path.config.scheduled ? k : RCC_SBPN_ALL;
  RccSendOut out;

  drop_events (x, class_index);
  rcc_send_protect_drop (&x->path);
  while (rcc_send_flush (&x->path, class_index, &out))
    gst_buffer_unref (out.handle);
}

static void
begin_flush (GstRtpCcSend * x, guint k, GstEvent * event)
{
  gboolean all;

  gst_rtp_cc_driver_lock (x->driver);
  x->inputs[k].flushing = TRUE;
  flush_input (x, k);
  all = ALL (x, flushing) && !x->flushed;
  x->flushed |= all;
  gst_rtp_cc_driver_unlock (x->driver);
  if (!all) {
    gst_event_unref (event);
    gst_rtp_cc_wakeup_wake (x->wakeup);
    return;
  }
  stop_task (x);
  gst_pad_push_event (x->src, event);
  gst_pad_pause_task (x->src);
}

static void
start_over (GstRtpCcSend * x, gboolean stream)
{
  if (x->funcs && x->funcs->again)
    x->funcs->again (x->element, stream);
}

/* A pad's flush is over: whether downstream's is with it. */
static gboolean
end_flush_locked (GstRtpCcSend * x)
{
  const gboolean downstream = x->flushed;

  if (downstream || x->ended)
    start_over (x, x->ended);
  x->flushed = x->ended = FALSE;
  gst_clear_event (&x->eos);
  return downstream;
}

/* Downstream's flush is over; @event may be NULL. */
static void
flush_downstream (GstRtpCcSend * x, GstEvent * event)
{
  gst_pad_push_event (x->src, event ? event : gst_event_new_flush_stop (TRUE));
  if (gst_pad_is_active (x->src))
    start_task (x);
}

static void
end_flush (GstRtpCcSend * x, guint k, GstEvent * event)
{
  gboolean first;

  gst_rtp_cc_driver_lock (x->driver);
  flush_input (x, k);
  x->inputs[k].flushing = x->inputs[k].eos = FALSE;
  first = end_flush_locked (x);
  gst_rtp_cc_driver_unlock (x->driver);
  if (first)
    flush_downstream (x, event);
  else
    gst_event_unref (event);
}

/* --- the sink pads -------------------------------------------------------------- */

static GstRtpCcSendInput *
input_of (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

GstFlowReturn
gst_rtp_cc_send_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpCcSendInput *input = input_of (pad);
  const GstFlowReturn flow = g_atomic_int_get (&input->send->flow);

  if (flow == GST_FLOW_OK)
    return admit (input->send, input->k, buffer, arrive);
  gst_buffer_unref (buffer);
  return flow;
}

GstFlowReturn
gst_rtp_cc_send_chain_list (GstPad * pad, GstObject * parent,
    GstBufferList * list)
{
  GstRtpCcSendInput *input = input_of (pad);
  const GstFlowReturn flow = g_atomic_int_get (&input->send->flow);

  if (flow == GST_FLOW_OK)
    return admit (input->send, input->k, list, arrive_list);
  gst_buffer_list_unref (list);
  return flow;
}

static RccMedia
media_of (const GstStructure * s)
{
  const gchar *media = gst_structure_get_string (s, "media");

  return !media ? RCC_MEDIA_UNKNOWN : g_str_equal (media, "video")
      ? RCC_MEDIA_VIDEO : g_str_equal (media, "audio") ? RCC_MEDIA_AUDIO
      : RCC_MEDIA_OTHER;
}

/* Not all payloaders say which packets are DELTA_UNITs: rtpvp8pay of 1.22 does not. */
static gboolean
is_inter_coded (const gchar * encoding)
{
  static const gchar *const codecs[] = {
    "H261", "H263", "H263-1998", "H263-2000", "H264", "H265", "H266", "VP8",
    "VP8-DRAFT-IETF-01", "VP9", "VP9-DRAFT-IETF-01", "AV1", "MP4V-ES", "MPV",
    "THEORA", NULL
  };

  return encoding && g_strv_contains (codecs, encoding);
}

void
gst_rtp_cc_send_caps (GstPad * pad, const GstCaps * caps)
{
  GstRtpCcSendInput *input = input_of (pad);
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  GstRtpCcSend *x = input->send;
  gint rate = 0;
  guint ssrc = 0;

  gst_structure_get_int (s, "clock-rate", &rate);
  gst_structure_get_uint (s, "ssrc", &ssrc);
  gst_rtp_cc_driver_lock (x->driver);
  input->ssrc = ssrc;
  input->media = media_of (s);
  input->clock_rate = rate > 0 ? (guint32) rate : 0;
  input->inter = is_inter_coded (gst_structure_get_string (s, "encoding-name"));
  input->abs_id = gst_rtp_cc_extension_id (caps, RCC_ABS_SEND_TIME_URI);
  if (input->abs_id == 0)
    input->abs_id = x->default_abs_id;
  if (x->passes_extensions)
    input->abs_id = 0;
  input->transport_id = gst_rtp_cc_extension_id (caps, RCC_TWCC_URI);
  input->extends = gst_rtp_cc_extension_id (caps, RCC_ABS_SEND_TIME_URI) != 0
      || input->transport_id != 0;
  gst_rtp_cc_send_parity_announce (x, input->k);
  gst_rtp_cc_driver_unlock (x->driver);
}

/* A new stream may follow an ended one. */
void
gst_rtp_cc_send_stream_start (GstPad * pad)
{
  GstRtpCcSendInput *input = input_of (pad);
  GstRtpCcSend *x = input->send;

  gst_rtp_cc_driver_lock (x->driver);
  if (x->ended)
    start_over (x, TRUE);
  input->eos = x->ended = FALSE;
  gst_rtp_cc_driver_unlock (x->driver);
  if (g_atomic_int_get (&x->flow) == GST_FLOW_EOS)
    start_task (x);
}

static gboolean
sink_serialized (GstRtpCcSendInput * input, GstEvent * event)
{
  const gboolean end = GST_EVENT_TYPE (event) == GST_EVENT_EOS;
  const GstFlowReturn flow = g_atomic_int_get (&input->send->flow);

  if (flow == GST_FLOW_OK)
    return admit (input->send, input->k, event,
        end ? arrive_end : arrive_event) == GST_FLOW_OK;
  if (end)
    report (input->send, flow);
  gst_event_unref (event);
  return FALSE;
}

gboolean
gst_rtp_cc_send_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCcSendInput *input = input_of (pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      begin_flush (input->send, input->k, event);
      return TRUE;
    case GST_EVENT_FLUSH_STOP:
      end_flush (input->send, input->k, event);
      return TRUE;
    case GST_EVENT_STREAM_START:
      gst_rtp_cc_send_stream_start (pad);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      gst_rtp_cc_send_caps (pad, caps);
      break;
    default:
      break;
  }
  if (GST_EVENT_IS_SERIALIZED (event))
    return sink_serialized (input, event);
  return gst_pad_push_event (input->send->src, event);
}

/* A serialised query would overtake what is queued. */
gboolean
gst_rtp_cc_send_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcSend *x = input_of (pad)->send;
  gboolean clear;

  if (GST_QUERY_IS_SERIALIZED (query)) {
    gst_rtp_cc_driver_lock (x->driver);
    clear = is_clear (x);
    gst_rtp_cc_driver_unlock (x->driver);
    if (!clear)
      return FALSE;
  }
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
sink_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpCcSendInput *input = input_of (pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (!active)
    return TRUE;
  gst_rtp_cc_driver_lock (input->send->driver);
  input->eos = input->flushing = FALSE;
  gst_rtp_cc_driver_unlock (input->send->driver);
  return TRUE;
}

guint
gst_rtp_cc_send_add (GstRtpCcSend * x, GstPad * pad)
{
  guint k = 0;

  gst_rtp_cc_driver_lock (x->driver);
  while (k < RCC_SEND_PADS && x->inputs[k].pad)
    k++;
  if (k == RCC_SEND_PADS) {
    gst_rtp_cc_driver_unlock (x->driver);
    return k;
  }
  x->inputs[k] = (GstRtpCcSendInput) {
  .send = x,.k = k,.pad = pad,.expiry = GST_CLOCK_TIME_NONE,.abs_id =
        x->default_abs_id};
  rcc_send_add (&x->path, k);
  gst_rtp_cc_driver_unlock (x->driver);
  gst_pad_set_element_private (pad, &x->inputs[k]);
  gst_pad_set_chain_function (pad, GST_DEBUG_FUNCPTR (gst_rtp_cc_send_chain));
  gst_pad_set_chain_list_function (pad,
      GST_DEBUG_FUNCPTR (gst_rtp_cc_send_chain_list));
  gst_pad_set_event_function (pad,
      GST_DEBUG_FUNCPTR (gst_rtp_cc_send_sink_event));
  gst_pad_set_query_function (pad,
      GST_DEBUG_FUNCPTR (gst_rtp_cc_send_sink_query));
  gst_pad_set_activatemode_function (pad,
      GST_DEBUG_FUNCPTR (sink_activate_mode));
  return k;
}

void
gst_rtp_cc_send_remove (GstRtpCcSend * x, guint k)
{
  gboolean any = FALSE, last;

  gst_rtp_cc_driver_lock (x->driver);
  flush_input (x, k);
  x->inputs[k].pad = NULL;
  if (x->path.config.scheduled)
    rcc_send_close (&x->path, k);
  for (guint i = 0; i < RCC_SEND_PADS; i++)
    any |= x->inputs[i].pad != NULL;
  last = x->flushed && !any && end_flush_locked (x);    /* nobody would end it */
  gst_rtp_cc_driver_unlock (x->driver);
  if (last)
    flush_downstream (x, NULL);
  gst_rtp_cc_wakeup_wake (x->wakeup);   /* the others may have ended */
}

/* --- the source pad ------------------------------------------------------------- */

static void
reset_order (GstRtpCcSend * x)
{
  gst_rtp_cc_driver_lock (x->driver);
  start_over (x, TRUE);
  x->ended = x->flushed = FALSE;
  gst_clear_event (&x->eos);
  gst_rtp_cc_driver_unlock (x->driver);
  atomic_store (&x->passing, FALSE);
}

static void
flush_all (GstRtpCcSend * x)
{
  gst_rtp_cc_driver_lock (x->driver);
  for (guint k = 0; k < RCC_SEND_PADS; k++)
    if (x->inputs[k].pad)
      flush_input (x, k);
  rcc_send_forget (&x->path);
  gst_rtp_cc_driver_unlock (x->driver);
}

static gboolean
src_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpCcSend *x = gst_pad_get_element_private (pad);
  gboolean stopped;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (active) {
    reset_order (x);
    start_task (x);
    return TRUE;
  }
  stop_task (x);
  stopped = gst_pad_stop_task (pad);
  flush_all (x);
  return stopped;
}

/* As queue does: what may be held back is room, not a delay that everybody has. */
static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcSend *x = gst_pad_get_element_private (pad);
  GstClockTime min, max;
  gboolean live;

  if (!gst_pad_query_default (pad, parent, query))
    return FALSE;
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return TRUE;
  gst_query_parse_latency (query, &live, &min, &max);
  GST_OBJECT_LOCK (x->element);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max = x->room < GST_CLOCK_TIME_NONE - max ? max + x->room
        : GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (x->element);
  gst_query_set_latency (query, live, min, max);
  return TRUE;
}

/* --- the object ------------------------------------------------------------------ */

GstRtpCcSend *
gst_rtp_cc_send_new (GstElement * element, GstPad * src,
    const GstRtpCcSendFuncs * funcs)
{
  const RccSendConfig config = rcc_send_config ();
  GstRtpCcSend *x = g_new0 (GstRtpCcSend, 1);
  RccFeedback *feedback = g_new (RccFeedback, 1);

  x->element = element;
  x->src = src;
  x->funcs = funcs;
  x->wakeup = gst_rtp_cc_wakeup_new ();
  x->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  x->flow = GST_FLOW_FLUSHING;
  x->header_size = RCC_RTP_HEADER_MIN;
  rcc_feedback_init (feedback, g_realloc);
  rcc_send_init (&x->path, &config, g_new (RccSbpnEntry, ENTRIES),
      g_new (RccSendSlot, ENTRIES), ENTRIES, feedback, 0);
  gst_pad_set_element_private (src, x);
  gst_pad_set_query_function (src, GST_DEBUG_FUNCPTR (src_query));
  gst_pad_set_activatemode_function (src,
      GST_DEBUG_FUNCPTR (src_activate_mode));
  return x;
}

void
gst_rtp_cc_send_free (GstRtpCcSend * x)
{
  RccSendOut out;

  while (rcc_send_flush (&x->path, RCC_SBPN_ALL, &out))
    gst_buffer_unref (out.handle);
  for (guint i = 0; i < x->waiting->len; i++)
    gst_event_unref (g_array_index (x->waiting, Waiting, i).event);
  g_array_free (x->waiting, TRUE);
  gst_clear_event (&x->eos);
  g_free (x->path.entries);
  g_free (x->path.slots);
  rcc_send_clear (&x->path);
  rcc_feedback_clear (x->path.feedback);
  g_free (x->path.feedback);
  gst_rtp_cc_wakeup_free (x->wakeup);
  g_free (x);
}

void
gst_rtp_cc_send_begin (GstRtpCcSend * x, const RccSendConfig * config,
    RccSender * controller, RccTime now)
{
  rcc_send_restart (&x->path, config, now);
  rcc_send_attach (&x->path, controller);
  x->announced = FALSE;
  x->n_clusters = 0;
}

void
gst_rtp_cc_send_trim (GstRtpCcSend * x, RccTime now)
{
  drop_surplus (x, now);
}

void
gst_rtp_cc_send_wake (GstRtpCcSend * x)
{
  gst_rtp_cc_wakeup_wake (x->wakeup);
}

void
gst_rtp_cc_send_set_abs_send_time_id (GstRtpCcSend * x, guint id)
{
  gst_rtp_cc_driver_lock (x->driver);
  x->default_abs_id = (guint8) id;
  gst_rtp_cc_driver_unlock (x->driver);
}

void
gst_rtp_cc_send_set_room (GstRtpCcSend * x, GstClockTime room)
{
  GST_OBJECT_LOCK (x->element);
  x->room = room;
  GST_OBJECT_UNLOCK (x->element);
}

void
gst_rtp_cc_send_stats (GstRtpCcSend * x, GstStructure * stats)
{
  gst_rtp_cc_stats_add (stats, rcc_reports_fields, &x->path.feedback->reports);
  gst_rtp_cc_stats_add (stats, rcc_feedback_fields, x->path.feedback);
  gst_rtp_cc_stats_add (stats, rcc_send_fields, &x->path);
  gst_rtp_cc_stats_add (stats, rcc_rtx_fields, &x->path.rtx);
  if (x->path.parity)
    gst_rtp_cc_stats_add (stats, rcc_send_parity_fields, x->path.parity);
  gst_structure_set (stats, "queue-time", G_TYPE_UINT64,
      rcc_pacer_queue_time (&x->path.pacer), NULL);
}
