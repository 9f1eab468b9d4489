/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccmuxpath.h"

#include <gst/video/video.h>
#include <stdatomic.h>

#include "rtpcc/gstrtpccmuxcaps.h"
#include "rtpcc/gstrtpccutils.h"
#include "rtpcc/gstrtpccwaiter.h"
#include "wire/rtp.h"

typedef struct
{
  GstEvent *event;
  guint klass;
  guint64 after;                /* so many of its packets are to go first */
} Waiting;

struct _GstRtpCcMuxPath
{
  GstElement *element;
  GstPad *src;
  GstRtpCcDriver *driver;
  const GstRtpCcMuxPathFuncs *funcs;
  GstRtpCcWaiter *waiter;

  /* the driver's lock */
  GstRtpCcMuxQueue queue;
  GstRtpSbpnMuxPad *pads[GST_RTP_CC_MUX_PADS];  /* borrowed: the element's */
  GArray *waiting;              /* Waiting, oldest first */
  GstCaps *caps;                /* of what leaves */
  gboolean need_start, need_caps, need_segment;
  gboolean ended;               /* EOS has left */
  gboolean flushed;             /* FLUSH_START has gone downstream */

  gint flow;                    /* atomic: GstFlowReturn of the task's last push */
  atomic_int passing;           /* somebody is pushing; set with the driver's lock */
  atomic_int blocked;           /* the task waits for that to end */
  GstClockTime room;            /* the element's object lock */
};

/* One object's way through, or the task's question; @now and the lock are the
 * driver's. */
typedef struct
{
  GstRtpCcMuxPath *path;
  GstRtpSbpnMuxPad *pad;        /* NULL: the task */
  GstMiniObject *object;        /* to be pushed, if any */
  gboolean taken;               /* the path has answered */
  gboolean refused;             /* the pad is flushing or gone */
  gboolean wake;                /* the task has something to do */
  guint32 asks;                 /* for key frames */
  GstEvent *before[3];          /* to be pushed first */
  guint n_before;
  RccTime when;
} Passage;

/* --- what the source pad has to say first ---------------------------------- */

static void
take_sticky (GstRtpCcMuxPath * path, Passage * p)
{
  if (G_LIKELY (!path->need_start && !path->need_caps && !path->need_segment))
    return;
  if (path->need_start) {
    gchar *id = g_strdup_printf ("%s-%08x", GST_OBJECT_NAME (path->element),
        g_random_int ());
    GstEvent *event = gst_event_new_stream_start (id);

    gst_event_set_group_id (event, gst_util_group_id_next ());
    p->before[p->n_before++] = event;
    g_free (id);
  }
  if (path->need_caps && path->caps)
    p->before[p->n_before++] = gst_event_new_caps (path->caps);
  if (path->need_segment) {
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    p->before[p->n_before++] = gst_event_new_segment (&segment);
  }
  path->need_start = path->need_segment = FALSE;
  path->need_caps = path->need_caps && !path->caps;
}

static void
start_over (GstRtpCcMuxPath * path)
{
  path->need_start = path->need_caps = path->need_segment = TRUE;
  path->ended = FALSE;
}

static void
renew_caps (GstRtpCcMuxPath * path)
{
  GstCaps *all[GST_RTP_CC_MUX_PADS] = { NULL };
  gboolean contradicted;
  GstCaps *caps;

  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    all[k] = path->pads[k] ? path->pads[k]->caps : NULL;
  caps = gst_rtp_cc_mux_caps (all, GST_RTP_CC_MUX_PADS, &contradicted);
  if (!caps)
    return;                     /* what is known still holds for what is queued */
  if (contradicted)
    GST_WARNING_OBJECT (path->src, "the pads' caps give one header extension "
        "several numbers, or one number several extensions: it is left out; give "
        "it the same extmap-N at all payloaders");
  if (!path->caps || !gst_caps_is_equal (caps, path->caps)) {
    path->need_caps = TRUE;
    gst_caps_replace (&path->caps, caps);
    path->queue.transport.id = gst_rtp_cc_extension_id (caps, RCC_TWCC_URI);
  }
  gst_caps_unref (caps);
}

/* --- order ------------------------------------------------------------------ */

static gboolean
is_passing (GstRtpCcMuxPath * path)
{
  return atomic_load (&path->passing);
}

/* The driver's lock orders it, as everybody who asks holds it too. */
static void
begin_passing (GstRtpCcMuxPath * path, Passage * p)
{
  atomic_store_explicit (&path->passing, TRUE, memory_order_relaxed);
  take_sticky (path, p);
}

static gboolean
is_clear (GstRtpCcMuxPath * path)
{
  return gst_rtp_cc_mux_queue_is_empty (&path->queue)
      && path->waiting->len == 0 && !is_passing (path);
}

static gboolean
all_ended (GstRtpCcMuxPath * path)
{
  gboolean any = FALSE;

  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++) {
    if (path->pads[k] && !path->pads[k]->eos)
      return FALSE;
    any |= path->pads[k] != NULL;
  }
  return any;
}

static gboolean
all_flushing (GstRtpCcMuxPath * path)
{
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    if (path->pads[k] && !path->pads[k]->flushing)
      return FALSE;
  return TRUE;
}

/* The end, if it is time for it. */
static GstEvent *
take_end (GstRtpCcMuxPath * path)
{
  if (path->ended || !all_ended (path)
      || !gst_rtp_cc_mux_queue_is_empty (&path->queue)
      || path->waiting->len > 0)
    return NULL;
  path->ended = TRUE;
  return gst_event_new_eos ();
}

/* An event whose pad has nothing in front of it any more. */
static GstEvent *
take_event (GstRtpCcMuxPath * path)
{
  for (guint i = 0; i < path->waiting->len; i++) {
    const Waiting w = g_array_index (path->waiting, Waiting, i);

    if (path->queue.classes[w.klass].departed < w.after)
      continue;
    g_array_remove_index (path->waiting, i);
    return w.event;
  }
  return NULL;
}

static void
tell_sent (GstRtpCcMuxPath * path, const GstRtpCcMuxExit * exit, RccTime now,
    RccUpdate * update)
{
  RccUpdate u;

  if (exit->sent.size == 0)
    return;
  u = path->funcs->sent (path->element, &exit->sent, now);
  if (G_UNLIKELY (u.changed))
    *update = rcc_update_merge (*update, u);
}

/* --- arrivals ---------------------------------------------------------------- */

static gboolean
may_come (Passage * p)
{
  p->taken = TRUE;
  p->refused = p->pad->klass >= GST_RTP_CC_MUX_PADS || p->pad->flushing;
  return !p->refused;
}

/* Then it is writable: what else has it as a part would hold a reference. */
static gboolean
is_ours_alone (GstBuffer * buffer)
{
  return GST_MINI_OBJECT_REFCOUNT_VALUE (buffer) == 1;
}

static RccUpdate
arrive (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcMuxPath *path = p->path;
  GstBuffer *buffer = GST_BUFFER_CAST (p->object);
  RccUpdate update = { 0 };
  GstRtpCcMuxExit exit;
  gboolean clear, empty;

  if (!may_come (p))
    return update;
  clear = is_clear (path);
  empty = gst_rtp_cc_mux_queue_is_empty (&path->queue);
  switch (gst_rtp_cc_mux_queue_arrive (&path->queue, p->pad->klass, buffer,
          clear, now, &exit)) {
    case GST_RTP_CC_MUX_PASSED:
      begin_passing (path, p);
      if (gst_rtp_cc_mux_exit_writes (&exit)) {
        buffer = gst_buffer_make_writable (buffer);
        gst_rtp_cc_mux_exit_write (&exit, buffer);
        p->object = GST_MINI_OBJECT_CAST (buffer);
      }
      tell_sent (path, &exit, now, &update);
      break;
    case GST_RTP_CC_MUX_QUEUED:
      p->wake = empty;
      /* fall through */
    case GST_RTP_CC_MUX_DROPPED:
      gst_buffer_unref (buffer);
      p->object = NULL;
      break;
  }
  p->asks = gst_rtp_cc_mux_queue_asks (&path->queue);
  return update;
}

/* What leaves at once stays in the list; the rest is taken out. */
static RccUpdate
arrive_list (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcMuxPath *path = p->path;
  GstBufferList *list = GST_BUFFER_LIST (p->object);
  const guint n = gst_buffer_list_length (list);
  RccUpdate update = { 0 };
  gboolean clear, empty;
  guint stays = 0;

  if (!may_come (p))
    return update;
  clear = is_clear (path);
  empty = gst_rtp_cc_mux_queue_is_empty (&path->queue);
  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = gst_buffer_list_get (list, stays);
    GstRtpCcMuxExit exit;

    if (gst_rtp_cc_mux_queue_arrive (&path->queue, p->pad->klass, buffer,
            clear && gst_rtp_cc_mux_queue_is_empty (&path->queue), now,
            &exit) != GST_RTP_CC_MUX_PASSED) {
      list = gst_buffer_list_make_writable (list);
      gst_buffer_list_remove (list, stays, 1);
      continue;
    }
    if (gst_rtp_cc_mux_exit_writes (&exit)) {
      list = gst_buffer_list_make_writable (list);
      buffer = gst_buffer_list_get (list, stays);
      if (!is_ours_alone (buffer))
        buffer = gst_buffer_list_get_writable (list, stays);
      gst_rtp_cc_mux_exit_write (&exit, buffer);
    }
    tell_sent (path, &exit, now, &update);
    stays++;
  }
  p->wake = empty && !gst_rtp_cc_mux_queue_is_empty (&path->queue);
  if (stays > 0)
    begin_passing (path, p);
  else
    gst_clear_buffer_list (&list);
  p->object = (GstMiniObject *) list;
  p->asks = gst_rtp_cc_mux_queue_asks (&path->queue);
  return update;
}

static RccUpdate
arrive_event (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcMuxPath *path = p->path;
  Waiting w = {.event = GST_EVENT (p->object) };

  if (!may_come (p))
    return (RccUpdate) {
    0};
  if (is_clear (path)) {
    begin_passing (path, p);
    return (RccUpdate) {
    0};
  }
  w.klass = p->pad->klass;
  w.after = path->queue.classes[w.klass].arrived;
  p->wake = path->queue.classes[w.klass].departed >= w.after;
  g_array_append_val (path->waiting, w);
  p->object = NULL;
  return (RccUpdate) {
  0};
}

static RccUpdate
arrive_end (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcMuxPath *path = p->path;

  if (!may_come (p))
    return (RccUpdate) {
    0};
  p->pad->eos = TRUE;
  p->wake = !is_clear (path);
  if (!p->wake && (p->object = (GstMiniObject *) take_end (path)))
    begin_passing (path, p);
  return (RccUpdate) {
  0};
}

/* The task asks what may leave. */
static RccUpdate
leave (RccSender * sender, RccTime now, gpointer user_data)
{
  Passage *p = user_data;
  GstRtpCcMuxPath *path = p->path;
  RccUpdate update = { 0 };
  GstRtpCcMuxExit exit;

  p->taken = TRUE;
  atomic_store (&path->blocked, TRUE);
  if (is_passing (path))
    return update;              /* who passes wakes the task afterwards */
  atomic_store (&path->blocked, FALSE);
  if (path->waiting->len > 0)
    p->object = (GstMiniObject *) take_event (path);
  if (!p->object) {
    p->object = (GstMiniObject *) gst_rtp_cc_mux_queue_pop (&path->queue, now,
        &p->when, &exit);
    if (p->object)
      tell_sent (path, &exit, now, &update);
  }
  if (!p->object && path->waiting->len > 0)     /* those before it were dropped */
    p->object = (GstMiniObject *) take_event (path);
  if (!p->object)
    p->object = (GstMiniObject *) take_end (path);
  if (p->object)
    begin_passing (path, p);
  p->asks = gst_rtp_cc_mux_queue_asks (&path->queue);
  return update;
}

/* --- pushing ------------------------------------------------------------------ */

static GstPad *
pad_of (GstRtpCcMuxPath * path, guint k)
{
  GstPad *pad;

  gst_rtp_cc_driver_lock (path->driver);
  pad = path->pads[k] ? gst_object_ref (GST_PAD (path->pads[k])) : NULL;
  gst_rtp_cc_driver_unlock (path->driver);
  return pad;
}

/* Frames were broken here that others build upon. */
static void
ask_for_keys (GstRtpCcMuxPath * path, guint32 asks)
{
  rcc_sbpn_each (k, asks) {
    GstPad *pad = pad_of (path, k);

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
pass (GstRtpCcMuxPath * path, Passage * p)
{
  GstMiniObject *object = p->object;
  GstFlowReturn flow = GST_FLOW_OK;

  for (guint i = 0; i < p->n_before; i++)
    gst_pad_push_event (path->src, p->before[i]);
  if (GST_IS_BUFFER (object))
    flow = gst_pad_push (path->src, GST_BUFFER (object));
  else if (GST_IS_BUFFER_LIST (object))
    flow = gst_pad_push_list (path->src, GST_BUFFER_LIST (object));
  else
    gst_pad_push_event (path->src, GST_EVENT (object));

  atomic_store (&path->passing, FALSE);
  if (p->wake || (atomic_load (&path->blocked)
          && atomic_exchange (&path->blocked, FALSE)))
    gst_rtp_cc_waiter_wake (path->waiter);
  if (G_UNLIKELY (p->asks))
    ask_for_keys (path, p->asks);
  return flow;
}

/* @object, which may be NULL, goes the way of @how. */
static GstFlowReturn
admit (GstRtpSbpnMuxPad * pad, GstRtpCcMuxPath * path, gpointer object,
    GstRtpCcDriverCall how)
{
  Passage p = {.path = path,.pad = pad,.object = object,.when = RCC_NEVER };

  gst_rtp_cc_driver_call (path->driver, how, &p);
  if (!p.taken || p.refused) {  /* the driver is stopped */
    if (object)
      gst_mini_object_unref (object);
    return GST_FLOW_FLUSHING;
  }
  if (p.object)
    return pass (path, &p);
  if (p.wake)
    gst_rtp_cc_waiter_wake (path->waiter);
  if (G_UNLIKELY (p.asks))
    ask_for_keys (path, p.asks);
  return GST_FLOW_OK;
}

/* --- the sink pads ------------------------------------------------------------ */

static GstRtpCcMuxPath *
path_of (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

static GstClockTime
running (const GstSegment * segment, GstClockTime time)
{
  guint64 t;

  if (gst_segment_to_running_time_full (segment, GST_FORMAT_TIME, time,
          &t) != 1)
    return GST_CLOCK_TIME_NONE;
  return t;
}

/* Running times, in the one segment that leaves. */
static gboolean
retime (GstBuffer ** buffer, guint i, gpointer user_data)
{
  const GstSegment *segment = user_data;

  *buffer = gst_buffer_make_writable (*buffer);
  GST_BUFFER_PTS (*buffer) = running (segment, GST_BUFFER_PTS (*buffer));
  GST_BUFFER_DTS (*buffer) = running (segment, GST_BUFFER_DTS (*buffer));
  return TRUE;
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpSbpnMuxPad *mux_pad = (GstRtpSbpnMuxPad *) pad; /* per packet: unchecked */
  GstRtpCcMuxPath *path = path_of (pad);
  const GstFlowReturn flow = g_atomic_int_get (&path->flow);

  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  if (!mux_pad->plain)
    retime (&buffer, 0, &mux_pad->segment);
  return admit (mux_pad, path, buffer, arrive);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpSbpnMuxPad *mux_pad = (GstRtpSbpnMuxPad *) pad;
  GstRtpCcMuxPath *path = path_of (pad);
  const GstFlowReturn flow = g_atomic_int_get (&path->flow);

  if (flow != GST_FLOW_OK) {
    gst_buffer_list_unref (list);
    return flow;
  }
  if (!mux_pad->plain) {
    list = gst_buffer_list_make_writable (list);
    gst_buffer_list_foreach (list, retime, &mux_pad->segment);
  }
  return admit (mux_pad, path, list, arrive_list);
}

static void
report (GstRtpCcMuxPath * path, GstFlowReturn flow)
{
  if (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS)
    GST_ELEMENT_FLOW_ERROR (path->element, flow);
}

static void
start_task (GstRtpCcMuxPath * path);

static void
take_caps (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad, GstCaps * caps)
{
  const gchar *media =
      gst_structure_get_string (gst_caps_get_structure (caps, 0), "media");
  GstRtpCcMuxConfig config;

  gst_rtp_cc_driver_lock (path->driver);
  gst_caps_replace (&pad->caps, caps);
  pad->media = g_strcmp0 (media, "audio") == 0 ? GST_RTP_SBPN_MUX_AUDIO
      : g_strcmp0 (media, "video") == 0 ? GST_RTP_SBPN_MUX_VIDEO
      : GST_RTP_SBPN_MUX_UNKNOWN;
  if (pad->klass < GST_RTP_CC_MUX_PADS) {
    config = gst_rtp_sbpn_mux_pad_config (pad);
    gst_rtp_cc_mux_queue_open (&path->queue, pad->klass, &config);
    renew_caps (path);
  }
  gst_rtp_cc_driver_unlock (path->driver);
  path->funcs->pads_changed (path->element);
}

static void
take_segment (GstRtpSbpnMuxPad * pad, GstEvent * event)
{
  GstSegment *s = &pad->segment;

  gst_event_copy_segment (event, s);
  pad->plain = s->format != GST_FORMAT_TIME || (s->rate == 1.0 && s->base == 0
      && s->start == 0 && s->offset == 0 && s->stop == GST_CLOCK_TIME_NONE);
}

/* A new stream may follow an ended one. */
static void
take_stream_start (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad)
{
  gst_rtp_cc_driver_lock (path->driver);
  pad->eos = FALSE;
  if (path->ended)
    start_over (path);
  gst_rtp_cc_driver_unlock (path->driver);
  if (g_atomic_int_get (&path->flow) == GST_FLOW_EOS)
    start_task (path);
}

static gboolean
sink_serialized (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad,
    GstEvent * event)
{
  const GstFlowReturn flow = g_atomic_int_get (&path->flow);
  const gboolean end = GST_EVENT_TYPE (event) == GST_EVENT_EOS;

  if (flow != GST_FLOW_OK) {
    if (end)
      report (path, flow);
    gst_event_unref (event);
    return FALSE;
  }
  if (!end)
    return admit (pad, path, event, arrive_event) == GST_FLOW_OK;
  gst_event_unref (event);
  return admit (pad, path, NULL, arrive_end) == GST_FLOW_OK;
}

/* --- flushing ------------------------------------------------------------------ */

/* Of the events only data's go with the data. */
static void
drop_events (GstRtpCcMuxPath * path, guint k)
{
  for (guint i = path->waiting->len; i-- > 0;) {
    const Waiting w = g_array_index (path->waiting, Waiting, i);

    if (w.klass != k)
      continue;
    if (GST_EVENT_IS_STICKY (w.event) && !path->need_start)
      gst_pad_store_sticky_event (path->src, w.event);
    gst_event_unref (w.event);
    g_array_remove_index (path->waiting, i);
  }
}

static void
flush_pad (GstRtpCcMuxPath * path, guint k, gboolean close)
{
  drop_events (path, k);
  gst_rtp_cc_mux_queue_flush (&path->queue, k, close);
}

static void
stop_task (GstRtpCcMuxPath * path)
{
  g_atomic_int_set (&path->flow, GST_FLOW_FLUSHING);
  gst_rtp_cc_waiter_set_flushing (path->waiter, TRUE);
}

static void
begin_flush (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad, GstEvent * event)
{
  gboolean all;

  gst_rtp_cc_driver_lock (path->driver);
  pad->flushing = TRUE;
  if (pad->klass < GST_RTP_CC_MUX_PADS)
    flush_pad (path, pad->klass, FALSE);
  all = all_flushing (path) && !path->flushed;
  path->flushed |= all;
  gst_rtp_cc_driver_unlock (path->driver);
  if (!all) {
    gst_event_unref (event);
    gst_rtp_cc_waiter_wake (path->waiter);
    return;
  }
  stop_task (path);
  gst_pad_push_event (path->src, event);
  gst_pad_pause_task (path->src);
}

static void
end_flush (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad, GstEvent * event)
{
  gboolean first;

  gst_rtp_cc_driver_lock (path->driver);
  if (pad->klass < GST_RTP_CC_MUX_PADS)
    flush_pad (path, pad->klass, FALSE);
  pad->flushing = pad->eos = FALSE;
  first = path->flushed;
  path->flushed = FALSE;
  if (path->ended)
    start_over (path);
  path->need_segment |= first;
  gst_rtp_cc_driver_unlock (path->driver);
  if (!first) {
    gst_event_unref (event);
    return;
  }
  gst_pad_push_event (path->src, event);
  if (gst_pad_is_active (path->src))
    start_task (path);
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpSbpnMuxPad *mux_pad = GST_RTP_SBPN_MUX_PAD (pad);
  GstRtpCcMuxPath *path = path_of (pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      begin_flush (path, mux_pad, event);
      return TRUE;
    case GST_EVENT_FLUSH_STOP:
      end_flush (path, mux_pad, event);
      return TRUE;
    case GST_EVENT_STREAM_START:
      take_stream_start (path, mux_pad);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      take_caps (path, mux_pad, caps);
      break;
    case GST_EVENT_SEGMENT:
      take_segment (mux_pad, event);
      break;
    case GST_EVENT_GAP:        /* the others may have none */
    case GST_EVENT_SEGMENT_DONE:
    case GST_EVENT_STREAM_GROUP_DONE:
    case GST_EVENT_STREAM_COLLECTION:
      break;
    default:
      if (GST_EVENT_IS_SERIALIZED (event))
        return sink_serialized (path, mux_pad, event);
      return gst_pad_push_event (path->src, event);
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
query_caps (GstRtpCcMuxPath * path, GstQuery * query)
{
  GstCaps *filter, *caps, *downstream =
      gst_pad_peer_query_caps (path->src, NULL);

  caps = gst_rtp_cc_mux_caps_upstream (downstream);
  gst_caps_unref (downstream);
  gst_query_parse_caps (query, &filter);
  if (filter) {
    GstCaps *both =
        gst_caps_intersect_full (caps, filter, GST_CAPS_INTERSECT_FIRST);

    gst_caps_unref (caps);
    caps = both;
  }
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);
  return TRUE;
}

/* A serialised query would overtake what is queued. */
static gboolean
sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcMuxPath *path = path_of (pad);
  gboolean clear;

  if (GST_QUERY_TYPE (query) == GST_QUERY_CAPS)
    return query_caps (path, query);
  if (GST_QUERY_IS_SERIALIZED (query)) {
    gst_rtp_cc_driver_lock (path->driver);
    clear = is_clear (path);
    gst_rtp_cc_driver_unlock (path->driver);
    if (!clear)
      return FALSE;
  }
  return gst_pad_query_default (pad, parent, query);
}

static GstIterator *
sink_links (GstPad * pad, GstObject * parent)
{
  GValue value = G_VALUE_INIT;
  GstIterator *it;

  g_value_init (&value, GST_TYPE_PAD);
  g_value_set_object (&value, path_of (pad)->src);
  it = gst_iterator_new_single (GST_TYPE_PAD, &value);
  g_value_unset (&value);
  return it;
}

/* --- the source pad ------------------------------------------------------------ */

/* Downstream took nothing any more.  Upstream hears of it at its next push; after
 * EOS there is none, so the application has to. */
static void
give_up (GstRtpCcMuxPath * path, GstFlowReturn flow)
{
  gboolean ended;

  GST_DEBUG_OBJECT (path->src, "pausing: %s", gst_flow_get_name (flow));
  gst_pad_pause_task (path->src);       /* first: who sees the flow may start it again */
  g_atomic_int_set (&path->flow, flow);
  gst_rtp_cc_driver_lock (path->driver);
  ended = all_ended (path);
  gst_rtp_cc_driver_unlock (path->driver);
  if (ended)
    report (path, flow);
}

static void
loop (gpointer user_data)
{
  GstRtpCcMuxPath *path = user_data;
  const guint ticket = gst_rtp_cc_waiter_ticket (path->waiter);
  Passage p = {.path = path,.when = RCC_NEVER };
  GstFlowReturn flow;
  GstClockTime time;
  GstClock *clock;

  if (gst_rtp_cc_waiter_is_flushing (path->waiter)) {
    gst_pad_pause_task (path->src);
    return;
  }
  gst_rtp_cc_driver_call (path->driver, leave, &p);
  if (p.object) {
    flow = pass (path, &p);
    if (flow != GST_FLOW_OK)
      give_up (path, flow);
    return;
  }
  if (p.asks)
    ask_for_keys (path, p.asks);
  clock = gst_rtp_cc_driver_clock (path->driver, p.when, &time);
  gst_rtp_cc_waiter_wait (path->waiter, clock,
      clock ? time : GST_CLOCK_TIME_NONE, ticket);
  gst_clear_object (&clock);
}

static void
start_task (GstRtpCcMuxPath * path)
{
  g_atomic_int_set (&path->flow, GST_FLOW_OK);
  gst_rtp_cc_waiter_set_flushing (path->waiter, FALSE);
  gst_pad_start_task (path->src, loop, path, NULL);
}

static gboolean
src_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpCcMuxPath *path = path_of (pad);
  gboolean stopped;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (active) {
    gst_rtp_cc_driver_lock (path->driver);
    start_over (path);
    path->flushed = FALSE;
    gst_rtp_cc_driver_unlock (path->driver);
    atomic_store (&path->passing, FALSE);
    start_task (path);
    return TRUE;
  }
  stop_task (path);
  stopped = gst_pad_stop_task (pad);
  gst_rtp_cc_driver_lock (path->driver);
  path->need_start = TRUE;      /* nothing is to be stored */
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    if (path->pads[k])
      flush_pad (path, k, FALSE);
  gst_rtp_cc_driver_unlock (path->driver);
  return stopped;
}

static gboolean
sink_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpSbpnMuxPad *mux_pad = GST_RTP_SBPN_MUX_PAD (pad);
  GstRtpCcMuxPath *path = path_of (pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (!active)
    return TRUE;
  gst_rtp_cc_driver_lock (path->driver);
  mux_pad->eos = mux_pad->flushing = FALSE;
  gst_rtp_cc_driver_unlock (path->driver);
  return TRUE;
}

/* As queue does: what may be held back is room, not a delay that everybody has. */
static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcMuxPath *path = path_of (pad);
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

static gint
is_rtcp_pad (gconstpointer a, gconstpointer b)
{
  return GST_IS_RTP_SBPN_MUX_PAD (g_value_get_object (a)) ? 0 : 1;
}

/* All sink pads of the path, and not those of RTCP. */
static GstIterator *
src_links (GstPad * pad, GstObject * parent)
{
  GValue unused = G_VALUE_INIT;

  g_value_init (&unused, G_TYPE_BOOLEAN);
  return gst_iterator_filter (gst_element_iterate_sink_pads (GST_ELEMENT
          (parent)), is_rtcp_pad, &unused);
}

/* --- the path ------------------------------------------------------------------- */

GstRtpCcMuxPath *
gst_rtp_cc_mux_path_new (GstElement * element, GstPad * src,
    GstRtpCcDriver * driver, const GstRtpCcMuxPathFuncs * funcs)
{
  GstRtpCcMuxPath *path = g_new0 (GstRtpCcMuxPath, 1);

  path->element = element;
  path->src = src;
  path->driver = driver;
  path->funcs = funcs;
  path->waiter = gst_rtp_cc_waiter_new ();
  path->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  path->flow = GST_FLOW_FLUSHING;
  gst_rtp_cc_mux_queue_init (&path->queue);
  gst_pad_set_element_private (src, path);
  gst_pad_set_query_function (src, GST_DEBUG_FUNCPTR (src_query));
  gst_pad_set_activatemode_function (src,
      GST_DEBUG_FUNCPTR (src_activate_mode));
  gst_pad_set_iterate_internal_links_function (src,
      GST_DEBUG_FUNCPTR (src_links));
  gst_element_add_pad (element, src);
  return path;
}

void
gst_rtp_cc_mux_path_free (GstRtpCcMuxPath * path)
{
  for (guint i = 0; i < path->waiting->len; i++)
    gst_event_unref (g_array_index (path->waiting, Waiting, i).event);
  g_array_free (path->waiting, TRUE);
  gst_caps_replace (&path->caps, NULL);
  gst_rtp_cc_mux_queue_clear (&path->queue);
  gst_rtp_cc_waiter_free (path->waiter);
  g_free (path);
}

gboolean
gst_rtp_cc_mux_path_add (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad)
{
  GstPad *gst_pad = GST_PAD (pad);
  GstRtpCcMuxConfig config;
  guint k = 0;

  gst_rtp_cc_driver_lock (path->driver);
  while (k < GST_RTP_CC_MUX_PADS && path->pads[k])
    k++;
  if (k < GST_RTP_CC_MUX_PADS) {
    config = gst_rtp_sbpn_mux_pad_config (pad);
    path->pads[k] = pad;
    pad->klass = k;
    gst_rtp_cc_mux_queue_open (&path->queue, k, &config);
  }
  gst_rtp_cc_driver_unlock (path->driver);
  if (k == GST_RTP_CC_MUX_PADS)
    return FALSE;
  gst_pad_set_element_private (gst_pad, path);
  gst_pad_set_chain_function (gst_pad, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_chain_list_function (gst_pad, GST_DEBUG_FUNCPTR (chain_list));
  gst_pad_set_event_function (gst_pad, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_query_function (gst_pad, GST_DEBUG_FUNCPTR (sink_query));
  gst_pad_set_activatemode_function (gst_pad,
      GST_DEBUG_FUNCPTR (sink_activate_mode));
  gst_pad_set_iterate_internal_links_function (gst_pad,
      GST_DEBUG_FUNCPTR (sink_links));
  GST_PAD_SET_PROXY_ALLOCATION (gst_pad);
  return TRUE;
}

void
gst_rtp_cc_mux_path_remove (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad)
{
  gst_rtp_cc_driver_lock (path->driver);
  if (pad->klass < GST_RTP_CC_MUX_PADS) {
    flush_pad (path, pad->klass, TRUE);
    path->pads[pad->klass] = NULL;
    pad->klass = GST_RTP_CC_MUX_PADS;
    renew_caps (path);
  }
  gst_rtp_cc_driver_unlock (path->driver);
  gst_rtp_cc_waiter_wake (path->waiter);        /* the others may have ended */
  path->funcs->pads_changed (path->element);
}

GstRtpCcMuxQueue *
gst_rtp_cc_mux_path_queue (GstRtpCcMuxPath * path)
{
  return &path->queue;
}

GstRtpSbpnMuxPad *const *
gst_rtp_cc_mux_path_pads (GstRtpCcMuxPath * path)
{
  return path->pads;
}

static void
open_pad (GstRtpCcMuxPath * path, guint k)
{
  const GstRtpCcMuxConfig config = gst_rtp_sbpn_mux_pad_config (path->pads[k]);

  gst_rtp_cc_mux_queue_open (&path->queue, k, &config);
}

void
gst_rtp_cc_mux_path_open (GstRtpCcMuxPath * path)
{
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    if (path->pads[k])
      open_pad (path, k);
}

void
gst_rtp_cc_mux_path_reconfigure (GstRtpCcMuxPath * path,
    GstRtpSbpnMuxPad * pad)
{
  gst_rtp_cc_driver_lock (path->driver);
  if (pad->klass < GST_RTP_CC_MUX_PADS)
    open_pad (path, pad->klass);
  gst_rtp_cc_driver_unlock (path->driver);
  path->funcs->pads_changed (path->element);
}

GstPad *
gst_rtp_cc_mux_path_find (GstRtpCcMuxPath * path, guint32 ssrc)
{
  GstPad *pad = NULL;
  guint k;

  gst_rtp_cc_driver_lock (path->driver);
  k = rcc_renumber_owner (path->queue.numbers, ssrc);
  if (k < GST_RTP_CC_MUX_PADS && path->pads[k])
    pad = gst_object_ref (GST_PAD (path->pads[k]));
  gst_rtp_cc_driver_unlock (path->driver);
  return pad;
}

void
gst_rtp_cc_mux_path_wake (GstRtpCcMuxPath * path)
{
  gst_rtp_cc_waiter_wake (path->waiter);
}

void
gst_rtp_cc_mux_path_set_room (GstRtpCcMuxPath * path, GstClockTime room)
{
  GST_OBJECT_LOCK (path->element);
  path->room = room;
  GST_OBJECT_UNLOCK (path->element);
}
