/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/gstlinkpath-private.h"

GST_DEBUG_CATEGORY_EXTERN (gst_link_sim_debug);
#define GST_CAT_DEFAULT gst_link_sim_debug

/* --- time ----------------------------------------------------------------- */

static RccTime
path_now (GstLinkPath * path)
{
  GstClockTime t;

  if (GST_CLOCK_TIME_IS_VALID (path->zero) && path->clock) {
    t = gst_clock_get_time (path->clock);
    if (GST_CLOCK_TIME_IS_VALID (t) && t > path->zero)
      path->now = MAX (path->now, t - path->zero);
  }
  return path->now;
}

void
gst_link_path_wake (GstLinkPath * path)
{
  if (path->id)
    gst_clock_id_unschedule (path->id);
  g_cond_broadcast (&path->cond);
}

static RccTime
path_next (GstLinkPath * path)
{
  return MIN (rcc_link_next (&path->link), rcc_scenario_next (&path->run));
}

RccTime
gst_link_path_sync (GstLinkPath * path)
{
  const RccTime now = path_now (path);

  if (rcc_scenario_apply (&path->run, &path->link, now))
    path->changed = TRUE;
  return now;
}

void
gst_link_path_wake_if_due (GstLinkPath * path)
{
  if (path->changed || path->out.length || path_next (path) < path->wake_at)
    gst_link_path_wake (path);
}

/* --- the task ------------------------------------------------------------- */

/* Takes what is due out of the link; dropped buffers end up in @trash. */
static void
path_collect (GstLinkPath * path, RccTime now, GQueue * trash)
{
  RccLinkPacket packet;

  while (rcc_link_pop (&path->link, now, &packet)) {
    GstLinkItem *item = (GstLinkItem *) (gsize) packet.cookie;

    if (!item->queue) {
      g_queue_push_tail (trash, item);
      continue;
    }
    item->settled = TRUE;
    item->delivered = packet.delivered;
    if (packet.outcome == RCC_LINK_PASSED) {
      gst_link_item_set_ecn (item, packet.ecn);
    } else {
      gst_link_item_drop (item, trash);
    }
    gst_link_queue_settle (item->queue);
  }
}

/* As udpsrc with do-timestamp: the running time at which the packet came in. Here that is exactly
 * the delivery time, however late this thread is. */
static GstBuffer *
stamp (GstLinkPath * path, GstLinkQueue * queue, GstBuffer * buffer,
    GstClockTime at)
{
  const GstClockTime base = gst_element_get_base_time (path->element);
  GstClockTime pts;

  if (queue->segment.format != GST_FORMAT_TIME)
    return buffer;
  pts =
      gst_segment_position_from_running_time (&queue->segment, GST_FORMAT_TIME,
      at > base ? at - base : 0);
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = pts;
  return buffer;
}

/* A network carries bytes. Elements tell each other more of a buffer than a network does, such as
 * that an RTP packet is redundant. That would make a receiver cleverer than it can be. */
static GstBuffer *
take_flags (GstBuffer * buffer)
{
  const guint flags = GST_BUFFER_FLAGS (buffer) & ~(guint)
      (GST_BUFFER_FLAG_TAG_MEMORY | (GST_MINI_OBJECT_FLAG_LAST - 1));

  if (flags == 0)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_FLAG_UNSET (buffer, flags);
  return buffer;
}

/* Stamped packets stand in running time, whatever segments they came in. Two queues behind one
 * rtpsession must not differ by an encoder's PTS offset (x264enc: 1000 h). */
static GstEvent *
take_segment (GstLinkQueue * queue, GstEvent * event, gboolean stamped)
{
  GstEvent *plain;

  if (!stamped) {
    gst_event_copy_segment (event, &queue->segment);
    return event;
  }
  gst_segment_init (&queue->segment, GST_FORMAT_TIME);
  plain = gst_event_new_segment (&queue->segment);
  gst_event_set_seqnum (plain, gst_event_get_seqnum (event));
  gst_event_unref (event);
  return plain;
}

static void
queue_failed (GstLinkQueue * queue, GstFlowReturn flow, gboolean eos)
{
  GST_INFO_OBJECT (queue->src, "downstream returned %s",
      gst_flow_get_name (flow));
  /* the sender hears of it with its next packet, unless it has sent its last */
  if (eos && (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS))
    GST_ELEMENT_FLOW_ERROR (queue->path->element, flow);
}

/* Called with the lock held, which is released meanwhile. */
static void
push_item (GstLinkPath * path, GstLinkItem * item)
{
  GstLinkQueue *queue = item->queue;
  const GstClockTime at = path->zero + item->delivered;
  const gboolean stamped = path->do_timestamp, wanted =
      queue->flow == GST_FLOW_OK;
  GstFlowReturn flow = queue->flow;
  gboolean refused = FALSE, eos = queue->eos;

  path->pushing = queue;
  g_mutex_unlock (&path->lock);
  if (GST_IS_EVENT (item->object)) {
    GstEvent *event = gst_event_ref (GST_EVENT_CAST (item->object));

    if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
      event = take_segment (queue, event, stamped);
    refused = !gst_pad_push_event (queue->src, event);
  } else if (wanted) {
    GstBuffer *buffer = GST_BUFFER_CAST (g_steal_pointer (&item->object));

    buffer = take_flags (buffer);
    if (stamped)
      buffer = stamp (path, queue, buffer, at);
    flow = gst_pad_push (queue->src, buffer);
    if (flow != GST_FLOW_OK)
      queue_failed (queue, flow, eos);
  }
  g_mutex_lock (&path->lock);
  path->pushing = NULL;
  if (refused && queue->flushing && gst_link_item_outlives_flush (item))
    g_queue_push_head (&queue->kept, g_steal_pointer (&item));
  if (!queue->flushing)
    queue->flow = flow;
  g_cond_broadcast (&path->cond);
  g_mutex_unlock (&path->lock);
  if (item)
    gst_link_item_free (item);
  g_mutex_lock (&path->lock);
}

static void
tell_of_change (GstLinkPath * path)
{
  const RccLinkConfig *config = &path->link.config;
  const guint64 capacity = config->trace ? rcc_trace_mean_bps (config->trace)
      : config->rate_bps;
  const RccTime now = path->now, delay = config->delay;

  path->changed = FALSE;
  g_mutex_unlock (&path->lock);
  path->changed_func (path->element, path->direction, now, capacity, delay);
  g_mutex_lock (&path->lock);
}

/* Sleeps to the next event, or until gst_link_path_wake(). */
static void
path_sleep (GstLinkPath * path)
{
  const RccTime next = path->playing
      && path->clock ? path_next (path) : RCC_NEVER;
  GstClockID id;

  path->wake_at = next;
  if (next == RCC_NEVER) {
    g_cond_wait (&path->cond, &path->lock);
  } else {
    path->id = id =
        gst_clock_new_single_shot_id (path->clock, path->zero + next);
    g_mutex_unlock (&path->lock);
    gst_clock_id_wait (id, NULL);
    g_mutex_lock (&path->lock);
    path->id = NULL;
    gst_clock_id_unref (id);
  }
  path->wake_at = 0;
}

static void
path_loop (gpointer data)
{
  GstLinkPath *path = data;
  GQueue trash = G_QUEUE_INIT;

  g_mutex_lock (&path->lock);
  if (path->running && path->playing)
    path_collect (path, gst_link_path_sync (path), &trash);
  if (!path->running)
    GST_LOG_OBJECT (path->element, "stopping");
  else if (path->out.length)
    push_item (path, g_queue_pop_head (&path->out));
  else if (path->changed)
    tell_of_change (path);
  else if (!trash.length)
    path_sleep (path);
  g_mutex_unlock (&path->lock);
  gst_link_items_free (&trash);
}

/* --- life ----------------------------------------------------------------- */

GstLinkPath *
gst_link_path_new (GstElement * element, RccDirection direction,
    GstLinkPathChanged changed)
{
  GstLinkPath *path = g_new0 (GstLinkPath, 1);

  path->element = element;
  path->direction = direction;
  path->changed_func = changed;
  path->zero = GST_CLOCK_TIME_NONE;
  path->do_timestamp = TRUE;
  g_queue_init (&path->out);
  g_mutex_init (&path->lock);
  g_cond_init (&path->cond);
  g_rec_mutex_init (&path->task_lock);
  rcc_link_init (&path->link, NULL, 0);
  rcc_scenario_run_init (&path->run, NULL, direction, 0);
  path->task = gst_task_new (path_loop, path, NULL);
  gst_task_set_lock (path->task, &path->task_lock);
  return path;
}

void
gst_link_path_free (GstLinkPath * path)
{
  g_list_free_full (path->queues, g_free);
  rcc_link_clear (&path->link);
  gst_object_unref (path->task);
  gst_clear_object (&path->clock);
  g_rec_mutex_clear (&path->task_lock);
  g_cond_clear (&path->cond);
  g_mutex_clear (&path->lock);
  g_free (path);
}

void
gst_link_path_start (GstLinkPath * path, const RccScenario * scenario,
    const RccLinkConfig * base, guint64 seed)
{
  static const gchar *const names[] = { "linksim-fwd", "linksim-rev" };

  g_mutex_lock (&path->lock);
  rcc_link_clear (&path->link);
  /* the directions draw from different sequences */
  rcc_link_init (&path->link, base, seed * 2 + path->direction);
  rcc_scenario_run_init (&path->run, scenario, path->direction, 0);
  path->zero = GST_CLOCK_TIME_NONE;
  path->now = path->wake_at = 0;
  path->running = TRUE;
  path->playing = FALSE;
  gst_link_path_sync (path);
  for (GList * l = path->queues; l; l = l->next)
    gst_link_queue_reset (l->data);
  g_mutex_unlock (&path->lock);
  gst_object_set_name (GST_OBJECT_CAST (path->task), names[path->direction]);
  gst_task_start (path->task);
}

/* The scenario goes on where it is, whatever the new clock says. */
void
gst_link_path_set_clock (GstLinkPath * path, GstClock * clock)
{
  g_mutex_lock (&path->lock);
  if (path->clock != clock) {
    path_now (path);
    gst_object_replace ((GstObject **) & path->clock, (GstObject *) clock);
    if (clock && GST_CLOCK_TIME_IS_VALID (path->zero))
      path->zero = gst_clock_get_time (clock) - path->now;
    gst_link_path_wake (path);
  }
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_play (GstLinkPath * path, GstClockTime zero)
{
  g_mutex_lock (&path->lock);
  if (!GST_CLOCK_TIME_IS_VALID (path->zero))
    path->zero = zero;
  path->playing = TRUE;
  gst_link_path_wake (path);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_pause (GstLinkPath * path)
{
  g_mutex_lock (&path->lock);
  path->playing = FALSE;
  gst_link_path_wake (path);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_stop (GstLinkPath * path)
{
  gst_task_stop (path->task);
  g_mutex_lock (&path->lock);
  path->running = path->playing = FALSE;
  gst_link_path_wake (path);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_join (GstLinkPath * path)
{
  GQueue trash = G_QUEUE_INIT;
  RccLinkPacket packet;

  gst_task_join (path->task);
  g_mutex_lock (&path->lock);
  for (GList * l = path->queues; l; l = l->next) {
    GstLinkQueue *queue = l->data;

    gst_link_queue_clear (queue, &trash);
    gst_link_items_move (&queue->kept, &trash);
  }
  while (rcc_link_drain (&path->link, &packet))
    g_queue_push_tail (&trash, (GstLinkItem *) (gsize) packet.cookie);
  /* a scenario's traces go with it */
  rcc_scenario_run_init (&path->run, NULL, path->direction, 0);
  path->link.config.trace = NULL;
  g_mutex_unlock (&path->lock);
  gst_link_items_free (&trash);
}

/* --- at run time ---------------------------------------------------------- */

void
gst_link_path_set_scenario (GstLinkPath * path, const RccScenario * scenario,
    const RccLinkConfig * base)
{
  RccTime now;

  g_mutex_lock (&path->lock);
  now = gst_link_path_sync (path);
  rcc_link_configure (&path->link, base, now);
  rcc_scenario_run_init (&path->run, scenario, path->direction, now);
  gst_link_path_sync (path);
  path->changed = TRUE;
  gst_link_path_wake (path);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_modify (GstLinkPath * path, GstLinkPathModify modify,
    gpointer data)
{
  RccLinkConfig config;
  RccTime now;

  g_mutex_lock (&path->lock);
  now = gst_link_path_sync (path);
  config = path->link.config;
  modify (&config, data);
  rcc_link_configure (&path->link, &config, now);
  path->changed = TRUE;
  gst_link_path_wake (path);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_set_do_timestamp (GstLinkPath * path, gboolean do_timestamp)
{
  g_mutex_lock (&path->lock);
  path->do_timestamp = do_timestamp;
  g_mutex_unlock (&path->lock);
}

RccLinkStats
gst_link_path_stats (GstLinkPath * path)
{
  RccLinkStats stats;
  RccTime now;

  g_mutex_lock (&path->lock);
  now = gst_link_path_sync (path);
  stats = rcc_link_stats (&path->link, now);
  gst_link_path_wake_if_due (path);
  g_mutex_unlock (&path->lock);
  return stats;
}
