/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccpath.h"

#include <stdatomic.h>

#include "rtpcc/gstrtpccpads.h"
#include "rtpcc/gstrtpccwaiter.h"

struct _GstRtpCcPath
{
  GstElement *element;
  GstPad *sink, *src;
  GstRtpCcDriver *driver;
  GstRtpCcPathSent sent;
  GstRtpCcWaiter *waiter;
  GstRtpCcSendQueue queue;      /* driver's lock */

  gint flow;                    /* atomic: GstFlowReturn of the task's last push */
  atomic_int passing;           /* somebody is pushing; set with the driver's lock */
  atomic_int blocked;           /* the task waits for that to end */
  gint ended;                   /* atomic: EOS has come */
  gint abs_send_time_id;        /* atomic */
  GstClockTime room;            /* the element's object lock */
};

/* One object's way through, or the task's question; @now and the lock are the
 * driver's. */
typedef struct
{
  GstRtpCcPath *path;
  GstMiniObject *object;        /* to be pushed, if any */
  gboolean taken;               /* the path has answered */
  gboolean wake;                /* the task has something to do */
  RccTime when;
} Passage;

/* What follows from it, if anything, joins @update: nearly always nothing, and then
 * there is nothing to copy. */
static void
tell_sent (GstRtpCcPath * path, const RccPacket * sent, RccTime now,
    RccUpdate * update)
{
  RccUpdate u;

  if (sent->size == 0)
    return;
  u = path->sent (path->element, sent, now);
  if (u.changed)
    *update = rcc_update_merge (*update, gst_rtp_cc_path_act (path, u, now));
}

/* Ids that caps name hold for what comes after them, so they take effect where the
 * caps leave; after the end nothing follows, padding neither. */
static void
event_leaves (GstRtpCcPath * path, GstEvent * event)
{
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gst_rtp_cc_send_queue_caps (&path->queue, caps,
        (guint8) g_atomic_int_get (&path->abs_send_time_id));
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    gst_rtp_cc_send_queue_end_probe (&path->queue);
  }
}

static void
depart (GstRtpCcPath * path, GstBuffer * buffer, gsize size, RccTime now,
    RccUpdate * update)
{
  RccPacket sent;

  gst_rtp_cc_send_queue_depart (&path->queue, buffer, size, now, &sent);
  tell_sent (path, &sent, now, update);
}

static gboolean
is_passing (GstRtpCcPath * path)
{
  return atomic_load (&path->passing);
}

/* The driver's lock orders it, as everybody who asks holds it too; a full barrier
 * would cost as much as the lock. */
static void
begin_passing (GstRtpCcPath * path)
{
  atomic_store_explicit (&path->passing, TRUE, memory_order_relaxed);
}

static gboolean
is_clear (GstRtpCcPath * path)
{
  return gst_rtp_cc_send_queue_is_empty (&path->queue) && !is_passing (path);
}

/* The task sleeps until the head of the queue is due: only a new head wakes it. */
static void
enqueue (Passage * p, GstMiniObject * object, RccTime now)
{
  p->wake |= gst_rtp_cc_send_queue_is_empty (&p->path->queue);
  gst_rtp_cc_send_queue_push (&p->path->queue, object, now);
}

/* Then it is writable: what else has it as a part, such as another list, would hold a
 * reference.  gst_buffer_is_writable() takes the locks of all that it is part of. */
static gboolean
is_ours_alone (GstBuffer * buffer)
{
  return GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) == 1;
}

static RccUpdate
arrive_event (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcPath *path = p->path;

  p->taken = TRUE;
  if (is_clear (path)) {
    begin_passing (path);
    event_leaves (path, GST_EVENT (p->object));
  } else {
    enqueue (p, g_steal_pointer (&p->object), now);
  }
  return (RccUpdate) {
  0};
}

static RccUpdate
arrive (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcPath *path = p->path;
  GstBuffer *buffer = GST_BUFFER_CAST (p->object);
  const gsize size = gst_buffer_get_size (buffer);
  RccUpdate update = { 0 };

  p->taken = TRUE;
  if (!is_clear (path)
      || !gst_rtp_cc_send_queue_may_pass (&path->queue, size, now)) {
    enqueue (p, g_steal_pointer (&p->object), now);
    return update;
  }
  begin_passing (path);
  if (gst_rtp_cc_send_queue_writes (&path->queue) && !is_ours_alone (buffer)) {
    buffer = gst_buffer_make_writable (buffer);
    p->object = GST_MINI_OBJECT_CAST (buffer);
  }
  p->wake = path->queue.pacer.probe_id != 0;
  depart (path, buffer, size, now, &update);
  return update;
}

/* How many of the list's buffers leave at once. */
static guint
pass_list (GstRtpCcPath * path, GstBufferList * list, RccTime now,
    RccUpdate * update)
{
  const guint n = gst_buffer_list_length (list);
  guint i;

  for (i = 0; i < n; i++) {
    GstBuffer *buffer = gst_buffer_list_get (list, i);
    const gsize size = gst_buffer_get_size (buffer);

    if (!gst_rtp_cc_send_queue_may_pass (&path->queue, size, now))
      break;
    if (gst_rtp_cc_send_queue_writes (&path->queue) && !is_ours_alone (buffer))
      buffer = gst_buffer_list_get_writable (list, i);
    depart (path, buffer, size, now, update);
  }
  return i;
}

/* A list goes on as far as it may and the rest queues. */
static RccUpdate
arrive_list (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcPath *path = p->path;
  GstBufferList *list = GST_BUFFER_LIST (p->object);
  const guint n = gst_buffer_list_length (list);
  RccUpdate update = { 0 };
  guint passed = 0;

  p->taken = TRUE;
  if (is_clear (path)) {
    if (gst_rtp_cc_send_queue_writes (&path->queue))
      list = gst_buffer_list_make_writable (list);
    passed = pass_list (path, list, now, &update);
    p->wake = path->queue.pacer.probe_id != 0;
  }
  for (guint i = passed; i < n; i++)
    enqueue (p, GST_MINI_OBJECT (gst_buffer_ref (gst_buffer_list_get (list,
                    i))), now);
  if (passed > 0) {
    begin_passing (path);
    if (passed < n) {
      list = gst_buffer_list_make_writable (list);
      gst_buffer_list_remove (list, passed, n - passed);
    }
  } else {
    gst_clear_buffer_list (&list);
  }
  p->object = GST_MINI_OBJECT (list);
  return update;
}

/* The task asks what may leave. */
static RccUpdate
leave (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcPath *path = p->path;
  RccUpdate update = { 0 };
  RccPacket sent;

  p->taken = TRUE;
  atomic_store (&path->blocked, TRUE);
  if (is_passing (path))
    return update;              /* who passes wakes the task afterwards */
  atomic_store (&path->blocked, FALSE);
  p->object = gst_rtp_cc_send_queue_pop (&path->queue, now, &p->when, &sent);
  if (p->object)
    begin_passing (path);
  if (p->object && GST_IS_EVENT (p->object))
    event_leaves (path, GST_EVENT (p->object));
  tell_sent (path, &sent, now, &update);
  return update;
}

/* Whoever pushes has `passing' set, so that order needs no lock across the push. */
static GstFlowReturn
pass (GstRtpCcPath * path, GstMiniObject * object, gboolean wake)
{
  GstFlowReturn flow = GST_FLOW_OK;

  if (GST_IS_BUFFER (object))
    flow = gst_pad_push (path->src, GST_BUFFER (object));
  else if (GST_IS_BUFFER_LIST (object))
    flow = gst_pad_push_list (path->src, GST_BUFFER_LIST (object));
  else
    gst_pad_push_event (path->src, GST_EVENT (object));

  atomic_store (&path->passing, FALSE);
  if (wake || (atomic_load (&path->blocked)
          && atomic_exchange (&path->blocked, FALSE)))
    gst_rtp_cc_waiter_wake (path->waiter);
  return flow;
}

static GstFlowReturn
admit (GstRtpCcPath * path, GstMiniObject * object, GstRtpCcDriverCall how)
{
  Passage p = { path, object, FALSE, FALSE, RCC_NEVER };

  gst_rtp_cc_driver_call (path->driver, how, &p);
  if (!p.taken) {               /* the driver is stopped */
    gst_mini_object_unref (object);
    return GST_FLOW_FLUSHING;
  }
  if (p.object)
    return pass (path, p.object, p.wake);
  if (p.wake)
    gst_rtp_cc_waiter_wake (path->waiter);
  return GST_FLOW_OK;
}

static GstRtpCcPath *
path_of (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpCcPath *path = path_of (pad);
  const GstFlowReturn flow = g_atomic_int_get (&path->flow);

  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  return admit (path, GST_MINI_OBJECT (buffer), arrive);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpCcPath *path = path_of (pad);
  const GstFlowReturn flow = g_atomic_int_get (&path->flow);

  if (flow != GST_FLOW_OK) {
    gst_buffer_list_unref (list);
    return flow;
  }
  return admit (path, GST_MINI_OBJECT (list), arrive_list);
}

static void
report (GstRtpCcPath * path, GstFlowReturn flow)
{
  if (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS)
    GST_ELEMENT_FLOW_ERROR (path->element, flow);
}

/* Downstream took nothing any more.  Upstream hears of it at its next push; after
 * EOS there is none, so the application has to. */
static void
give_up (GstRtpCcPath * path, GstFlowReturn flow)
{
  GST_DEBUG_OBJECT (path->src, "pausing: %s", gst_flow_get_name (flow));
  gst_pad_pause_task (path->src);       /* first: who sees the flow may start it again */
  g_atomic_int_set (&path->flow, flow);
  if (g_atomic_int_get (&path->ended))
    report (path, flow);
}

/* The streaming task of the source pad. */
static void
loop (gpointer user_data)
{
  GstRtpCcPath *path = user_data;
  const guint ticket = gst_rtp_cc_waiter_ticket (path->waiter);
  Passage p = { path, NULL, FALSE, FALSE, RCC_NEVER };
  GstFlowReturn flow;
  GstClockTime time;
  GstClock *clock;

  if (gst_rtp_cc_waiter_is_flushing (path->waiter)) {
    gst_pad_pause_task (path->src);
    return;
  }
  gst_rtp_cc_driver_call (path->driver, leave, &p);
  if (p.object) {
    flow = pass (path, p.object, FALSE);
    if (flow != GST_FLOW_OK)
      give_up (path, flow);
    return;
  }
  clock = gst_rtp_cc_driver_clock (path->driver, p.when, &time);
  gst_rtp_cc_waiter_wait (path->waiter, clock,
      clock ? time : GST_CLOCK_TIME_NONE, ticket);
  gst_clear_object (&clock);
}

static void
start_task (GstRtpCcPath * path)
{
  g_atomic_int_set (&path->ended, FALSE);
  atomic_store (&path->passing, FALSE);
  g_atomic_int_set (&path->flow, GST_FLOW_OK);
  gst_rtp_cc_waiter_set_flushing (path->waiter, FALSE);
  gst_pad_start_task (path->src, loop, path, NULL);
}

static void
stop_task (GstRtpCcPath * path)
{
  g_atomic_int_set (&path->flow, GST_FLOW_FLUSHING);
  gst_rtp_cc_waiter_set_flushing (path->waiter, TRUE);
}

/* As queue does: a flush takes data, and of the sticky events only those that it is
 * about. */
static void
flush_queue (GstRtpCcPath * path)
{
  const RccTime now = gst_rtp_cc_driver_lock (path->driver);
  GstMiniObject *object;

  while ((object = gst_rtp_cc_send_queue_flush (&path->queue,
              now == GST_CLOCK_TIME_NONE ? 0 : now))) {
    GstEvent *event = GST_EVENT (object);

    event_leaves (path, event);
    if (GST_EVENT_IS_STICKY (event)
        && GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT
        && GST_EVENT_TYPE (event) != GST_EVENT_EOS)
      gst_pad_store_sticky_event (path->src, event);
    gst_event_unref (event);
  }
  gst_rtp_cc_driver_unlock (path->driver);
}

static gboolean
src_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpCcPath *path = path_of (pad);
  gboolean stopped;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (active) {
    start_task (path);
    return TRUE;
  }
  stop_task (path);
  stopped = gst_pad_stop_task (pad);
  flush_queue (path);
  gst_rtp_cc_driver_lock (path->driver);
  gst_rtp_cc_send_queue_forget (&path->queue);
  gst_rtp_cc_driver_unlock (path->driver);
  return stopped;
}

static gboolean
sink_serialized (GstRtpCcPath * path, GstEvent * event)
{
  const GstFlowReturn flow = g_atomic_int_get (&path->flow);

  if (flow == GST_FLOW_OK)
    return admit (path, GST_MINI_OBJECT (event), arrive_event) == GST_FLOW_OK;
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    report (path, flow);
  gst_event_unref (event);
  return FALSE;
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpCcPath *path = path_of (pad);
  gboolean ok;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      stop_task (path);
      ok = gst_pad_push_event (path->src, event);
      gst_pad_pause_task (path->src);
      return ok;
    case GST_EVENT_FLUSH_STOP:
      flush_queue (path);
      ok = gst_pad_push_event (path->src, event);
      if (gst_pad_is_active (path->src))
        start_task (path);
      return ok;
    case GST_EVENT_STREAM_START:       /* a new stream may follow an ended one */
      if (g_atomic_int_get (&path->flow) == GST_FLOW_EOS)
        start_task (path);
      break;
    case GST_EVENT_EOS:
      g_atomic_int_set (&path->ended, TRUE);
      break;
    default:
      break;
  }
  if (!GST_EVENT_IS_SERIALIZED (event))
    return gst_pad_event_default (pad, parent, event);
  return sink_serialized (path, event);
}

/* A serialised query would overtake what is queued. */
static gboolean
sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcPath *path = path_of (pad);
  gboolean clear;

  gst_rtp_cc_driver_lock (path->driver);
  clear = is_clear (path);
  gst_rtp_cc_driver_unlock (path->driver);
  if (GST_QUERY_IS_SERIALIZED (query) && !clear)
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}

/* As queue does: what may be held back is room, not a delay that everybody has. */
static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcPath *path = path_of (pad);
  GstClockTime min, max;
  gboolean live;

  if (!gst_pad_query_default (pad, parent, query))
    return FALSE;
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return TRUE;
  gst_query_parse_latency (query, &live, &min, &max);
  GST_OBJECT_LOCK (path->element);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max = path->room < GST_CLOCK_TIME_NONE - max ? max + path->room
        : GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (path->element);
  gst_query_set_latency (query, live, min, max);
  return TRUE;
}

GstRtpCcPath *
gst_rtp_cc_path_new (GstElement * element, GstPad * sink, GstPad * src,
    GstRtpCcDriver * driver, GstRtpCcPathSent sent)
{
  GstRtpCcPath *path = g_new0 (GstRtpCcPath, 1);

  path->element = element;
  path->sink = sink;
  path->src = src;
  path->driver = driver;
  path->sent = sent;
  path->waiter = gst_rtp_cc_waiter_new ();
  gst_rtp_cc_send_queue_init (&path->queue);
  gst_pad_set_element_private (sink, path);
  gst_pad_set_element_private (src, path);
  gst_pad_set_chain_function (sink, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_chain_list_function (sink, GST_DEBUG_FUNCPTR (chain_list));
  gst_pad_set_event_function (sink, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_query_function (sink, GST_DEBUG_FUNCPTR (sink_query));
  gst_pad_set_query_function (src, GST_DEBUG_FUNCPTR (src_query));
  gst_pad_set_activatemode_function (src,
      GST_DEBUG_FUNCPTR (src_activate_mode));
  gst_rtp_cc_add_pad_pair (element, sink, src);
  return path;
}

void
gst_rtp_cc_path_free (GstRtpCcPath * path)
{
  gst_rtp_cc_send_queue_clear (&path->queue);
  gst_rtp_cc_waiter_free (path->waiter);
  g_free (path);
}

GstRtpCcSendQueue *
gst_rtp_cc_path_queue (GstRtpCcPath * path)
{
  return &path->queue;
}

RccUpdate
gst_rtp_cc_path_act (GstRtpCcPath * path, RccUpdate update, RccTime now)
{
  if (update.changed & RCC_PACING) {
    rcc_pacer_set_rate (&path->queue.pacer, update.pacing_bps, now);
    gst_rtp_cc_send_queue_trim (&path->queue, now);
  }
  if (update.changed & RCC_PROBE)
    rcc_pacer_probe (&path->queue.pacer, update.probe_bps, update.probe_bytes,
        update.probe_id);
  return update;
}

void
gst_rtp_cc_path_wake (GstRtpCcPath * path)
{
  gst_rtp_cc_waiter_wake (path->waiter);
}

void
gst_rtp_cc_path_set_abs_send_time_id (GstRtpCcPath * path, guint id)
{
  g_atomic_int_set (&path->abs_send_time_id, (gint) id);
}

void
gst_rtp_cc_path_set_room (GstRtpCcPath * path, GstClockTime room)
{
  GST_OBJECT_LOCK (path->element);
  path->room = room;
  GST_OBJECT_UNLOCK (path->element);
}
