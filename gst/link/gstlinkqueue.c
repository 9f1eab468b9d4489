/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/gstlinkpath-private.h"

#define LOOK_UP (50 * G_TIME_SPAN_MILLISECOND)

/* --- items ---------------------------------------------------------------- */

static GstLinkItem *
item_new (GstLinkQueue * queue, gpointer object, gboolean settled)
{
  GstLinkItem *item = g_new (GstLinkItem, 1);

  *item = (GstLinkItem) {
  queue, GST_MINI_OBJECT_CAST (object), settled, RCC_NEVER};
  return item;
}

void
gst_link_item_free (GstLinkItem * item)
{
  if (item->object)
    gst_mini_object_unref (item->object);
  g_free (item);
}

void
gst_link_item_drop (GstLinkItem * item, GQueue * trash)
{
  g_queue_push_tail (trash, item_new (NULL, item->object, TRUE));
  item->object = NULL;
}

static guint
get_ecn (GstBuffer * buffer)
{
  GstCustomMeta *meta = gst_buffer_get_custom_meta (buffer, GST_LINK_ECN_META);
  guint ecn = RCC_ECN_NOT_ECT;

  if (meta)
    gst_structure_get_uint (gst_custom_meta_get_structure (meta),
        GST_LINK_ECN_FIELD, &ecn);
  return ecn & 3;
}

void
gst_link_item_set_ecn (GstLinkItem * item, RccEcn ecn)
{
  GstBuffer *buffer = GST_BUFFER_CAST (item->object);

  if (get_ecn (buffer) == ecn)
    return;
  buffer = gst_buffer_make_writable (buffer);
  gst_structure_set (gst_custom_meta_get_structure (gst_buffer_get_custom_meta
          (buffer, GST_LINK_ECN_META)), GST_LINK_ECN_FIELD, G_TYPE_UINT,
      (guint) ecn, NULL);
  item->object = GST_MINI_OBJECT_CAST (buffer);
}

void
gst_link_queue_settle (GstLinkQueue * queue)
{
  GstLinkItem *item;

  while ((item = g_queue_peek_head (&queue->items)) && item->settled) {
    g_queue_pop_head (&queue->items);
    if (item->object)
      g_queue_push_tail (&queue->path->out, item);
    else
      gst_link_item_free (item);
  }
}

gboolean
gst_link_item_outlives_flush (GstLinkItem * item)
{
  GstEvent *event = GST_EVENT_CAST (item->object);

  return item->object && GST_IS_EVENT (event) && GST_EVENT_IS_STICKY (event)
      && GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT
      && GST_EVENT_TYPE (event) != GST_EVENT_EOS;
}

void
gst_link_queue_clear (GstLinkQueue * queue, GQueue * trash)
{
  GstLinkItem *item;

  for (GList * l = queue->path->out.head, *next; l; l = next) {
    item = l->data;
    next = l->next;
    if (item->queue != queue)
      continue;
    g_queue_delete_link (&queue->path->out, l);
    g_queue_push_tail (gst_link_item_outlives_flush (item) ? &queue->kept :
        trash, item);
  }
  while ((item = g_queue_pop_head (&queue->items))) {
    if (item->settled) {
      g_queue_push_tail (gst_link_item_outlives_flush (item) ? &queue->kept :
          trash, item);
    } else {
      gst_link_item_drop (item, trash);
      item->queue = NULL;
    }
  }
}

void
gst_link_items_move (GQueue * from, GQueue * to)
{
  gpointer item;

  while ((item = g_queue_pop_head (from)))
    g_queue_push_tail (to, item);
}

void
gst_link_items_free (GQueue * trash)
{
  g_queue_clear_full (trash, (GDestroyNotify) gst_link_item_free);
}

void
gst_link_queue_reset (GstLinkQueue * queue)
{
  gst_segment_init (&queue->segment, GST_FORMAT_UNDEFINED);
  queue->flow = GST_FLOW_OK;
  queue->flushing = queue->eos = FALSE;
}

/* --- queues --------------------------------------------------------------- */

GstLinkQueue *
gst_link_path_add_queue (GstLinkPath * path, GstPad * sink, GstPad * src)
{
  GstLinkQueue *queue = g_new0 (GstLinkQueue, 1);

  queue->path = path;
  queue->sink = sink;
  queue->src = src;
  gst_link_queue_reset (queue);
  g_mutex_lock (&path->lock);
  path->queues = g_list_prepend (path->queues, queue);
  g_mutex_unlock (&path->lock);
  return queue;
}

void
gst_link_path_detach_queue (GstLinkPath * path, GstLinkQueue * queue)
{
  g_mutex_lock (&path->lock);
  queue->flushing = TRUE;
  gst_link_path_wake (path);
  g_mutex_unlock (&path->lock);
  gst_pad_set_active (queue->sink, FALSE);
  gst_pad_set_active (queue->src, FALSE);
  g_mutex_lock (&path->lock);
  while (path->pushing == queue)
    g_cond_wait (&path->cond, &path->lock);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_remove_queue (GstLinkPath * path, GstLinkQueue * queue)
{
  GQueue trash = G_QUEUE_INIT;

  g_mutex_lock (&path->lock);
  while (path->pushing == queue)
    g_cond_wait (&path->cond, &path->lock);
  gst_link_queue_clear (queue, &trash);
  gst_link_items_move (&queue->kept, &trash);
  path->queues = g_list_remove (path->queues, queue);
  g_mutex_unlock (&path->lock);
  gst_link_items_free (&trash);
  g_free (queue);
}

GstPad *
gst_link_queue_partner (GstLinkQueue * queue, GstPad * pad)
{
  return pad == queue->sink ? queue->src : queue->sink;
}

/* Whether the pipeline is on its way to READY or NULL. In a graph that goes round, as RTCP's
 * does, a bin may take the source down before us. That waits for its task, which waits in
 * lane_enter(). Nobody but the pipeline's target tells of it. */
static gboolean
goes_down (GstElement * element)
{
  GstObject *top = gst_object_ref (GST_OBJECT_CAST (element)), *parent;
  gboolean down;

  while ((parent = gst_object_get_parent (top))) {
    gst_object_unref (top);
    top = parent;
  }
  down = GST_STATE_TARGET (top) < GST_STATE_PAUSED;
  gst_object_unref (top);
  return down;
}

/* Whether packets may enter: they wait for PLAYING, for only then is there time. */
static GstFlowReturn
queue_enter (GstLinkQueue * queue)
{
  GstLinkPath *path = queue->path;

  while (path->running && !path->playing && !queue->flushing) {
    if (!g_cond_wait_until (&path->cond, &path->lock,
            g_get_monotonic_time () + LOOK_UP)
        && goes_down (path->element))
      return GST_FLOW_FLUSHING;
  }
  if (!path->running || queue->flushing)
    return GST_FLOW_FLUSHING;
  return queue->eos ? GST_FLOW_EOS : queue->flow;
}

static void
queue_offer (GstLinkQueue * queue, GstBuffer * buffer, RccTime now,
    GQueue * trash)
{
  const gsize size = gst_buffer_get_size (buffer);
  GstLinkItem *item = item_new (queue, buffer, FALSE);

  if (rcc_link_push (&queue->path->link, (gsize) item, (guint32) MIN (size,
              G_MAXUINT32), get_ecn (buffer), now) == RCC_LINK_PASSED)
    g_queue_push_tail (&queue->items, item);
  else
    g_queue_push_tail (trash, item);
}

GstFlowReturn
gst_link_queue_push (GstLinkQueue * queue, GstBuffer * buffer)
{
  GstLinkPath *path = queue->path;
  GQueue trash = G_QUEUE_INIT;
  GstFlowReturn flow;

  g_mutex_lock (&path->lock);
  flow = queue_enter (queue);
  if (flow == GST_FLOW_OK) {
    queue_offer (queue, g_steal_pointer (&buffer), gst_link_path_sync (path),
        &trash);
    gst_link_path_wake_if_due (path);
  }
  g_mutex_unlock (&path->lock);
  gst_clear_buffer (&buffer);
  gst_link_items_free (&trash);
  return flow;
}

GstFlowReturn
gst_link_queue_push_list (GstLinkQueue * queue, GstBufferList * list)
{
  GstLinkPath *path = queue->path;
  GQueue trash = G_QUEUE_INIT;
  GstFlowReturn flow;

  g_mutex_lock (&path->lock);
  flow = queue_enter (queue);
  if (flow == GST_FLOW_OK) {
    const RccTime now = gst_link_path_sync (path);

    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      queue_offer (queue, gst_buffer_ref (gst_buffer_list_get (list, i)), now,
          &trash);
    gst_link_path_wake_if_due (path);
  }
  g_mutex_unlock (&path->lock);
  gst_buffer_list_unref (list);
  gst_link_items_free (&trash);
  return flow;
}

static gboolean
queue_flush_start (GstLinkQueue * queue, GstEvent * event)
{
  GstLinkPath *path = queue->path;
  GQueue trash = G_QUEUE_INIT;
  /* first downstream: it may be blocking our task */
  const gboolean handled = gst_pad_push_event (queue->src, event);

  g_mutex_lock (&path->lock);
  queue->flushing = TRUE;
  g_cond_broadcast (&path->cond);
  gst_link_queue_clear (queue, &trash);
  g_mutex_unlock (&path->lock);
  gst_link_items_free (&trash);
  return handled;
}

static gboolean
queue_flush_stop (GstLinkQueue * queue, GstEvent * event)
{
  GstLinkPath *path = queue->path;
  GQueue trash = G_QUEUE_INIT;
  gboolean handled;

  g_mutex_lock (&path->lock);
  queue->flushing = TRUE;
  gst_link_queue_clear (queue, &trash);
  while (path->pushing == queue)
    g_cond_wait (&path->cond, &path->lock);
  g_mutex_unlock (&path->lock);
  gst_link_items_free (&trash);
  handled = gst_pad_push_event (queue->src, event);
  g_mutex_lock (&path->lock);
  gst_link_queue_reset (queue);
  gst_link_items_move (&queue->kept, &path->out);
  gst_link_path_wake_if_due (path);
  g_mutex_unlock (&path->lock);
  return handled;
}

gboolean
gst_link_queue_event (GstLinkQueue * queue, GstEvent * event)
{
  GstLinkPath *path = queue->path;
  gboolean taken;

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
    return queue_flush_start (queue, event);
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    return queue_flush_stop (queue, event);
  if (!GST_EVENT_IS_SERIALIZED (event))
    return gst_pad_push_event (queue->src, event);

  g_mutex_lock (&path->lock);
  taken = path->running && !queue->flushing;
  if (taken) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
      queue->eos = TRUE;
    else if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
      queue->eos = FALSE;
    g_queue_push_tail (&queue->items, item_new (queue, event, TRUE));
    gst_link_queue_settle (queue);
    gst_link_path_wake_if_due (path);
  }
  g_mutex_unlock (&path->lock);
  if (!taken)
    gst_event_unref (event);
  return taken;
}
