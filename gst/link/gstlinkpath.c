/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "link/gstlinkpath.h"

GST_DEBUG_CATEGORY_EXTERN (gst_link_sim_debug);
#define GST_CAT_DEFAULT gst_link_sim_debug

/* A buffer or a serialised event on its way through a lane.  A buffer's item is the
 * link's cookie too, and stays alive until the link has given it back. */
typedef struct
{
  GstLinkLane *lane;            /* NULL: flushed, only the link still knows it */
  GstMiniObject *object;        /* NULL: dropped */
  gboolean settled;             /* an event, or out of the link */
  RccTime delivered;
} Item;

struct _GstLinkLane
{
  GstLinkPath *path;
  GstPad *sink, *src;
  GQueue items;                 /* in order of arrival */
  GQueue kept;                  /* sticky events that a flush does not take */
  GstSegment segment;           /* as pushed last */
  GstFlowReturn flow;           /* of the last push */
  gboolean flushing, eos;
};

struct _GstLinkPath
{
  GstElement *element;
  RccDirection direction;
  GstLinkPathChanged changed_func;
  GstTask *task;
  GRecMutex task_lock;

  GMutex lock;                  /* all below; never held across a push */
  GCond cond;
  GList *lanes;
  RccLink link;
  RccScenarioRun run;
  GQueue out;                   /* items whose turn it is */
  GstLinkLane *pushing;
  gboolean running, playing, changed, do_timestamp;
  GstClock *clock;
  GstClockTime zero;            /* the link's 0 on the clock; NONE: never played */
  RccTime now;                  /* the latest, survives a change of clock */
  GstClockID id;                /* what the task sleeps on */
  RccTime wake_at;              /* 0: it is awake */
};

/* --- time ------------------------------------------------------------------ */

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

static void
path_wake (GstLinkPath * path)
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

/* Brings the link to the clock's time: everything that is done to it begins here. */
static RccTime
path_sync (GstLinkPath * path)
{
  const RccTime now = path_now (path);

  if (rcc_scenario_apply (&path->run, &path->link, now))
    path->changed = TRUE;
  return now;
}

static void
path_wake_if_due (GstLinkPath * path)
{
  if (path->changed || path->out.length || path_next (path) < path->wake_at)
    path_wake (path);
}

/* --- items ------------------------------------------------------------------ */

static Item *
item_new (GstLinkLane * lane, gpointer object, gboolean settled)
{
  Item *item = g_new (Item, 1);

  *item = (Item) { lane, GST_MINI_OBJECT_CAST (object), settled, RCC_NEVER };
  return item;
}

static void
item_free (Item * item)
{
  if (item->object)
    gst_mini_object_unref (item->object);
  g_free (item);
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

static void
set_ecn (Item * item, RccEcn ecn)
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

/* Moves what nothing stands before any more from the lane to the output. */
static void
lane_settle (GstLinkLane * lane)
{
  Item *item;

  while ((item = g_queue_peek_head (&lane->items)) && item->settled) {
    g_queue_pop_head (&lane->items);
    if (item->object)
      g_queue_push_tail (&lane->path->out, item);
    else
      item_free (item);
  }
}

/* Takes what is due out of the link; dropped buffers end up in @trash. */
static void
path_collect (GstLinkPath * path, RccTime now, GQueue * trash)
{
  RccLinkPacket packet;

  while (rcc_link_pop (&path->link, now, &packet)) {
    Item *item = (Item *) (gsize) packet.cookie;

    if (!item->lane) {
      g_queue_push_tail (trash, item);
      continue;
    }
    item->settled = TRUE;
    item->delivered = packet.delivered;
    if (packet.fate == RCC_LINK_PASSED) {
      set_ecn (item, packet.ecn);
    } else {
      g_queue_push_tail (trash, item_new (NULL, item->object, TRUE));
      item->object = NULL;
    }
    lane_settle (item->lane);
  }
}

/* What a flush must not take away: the receiver would never hear of it again. */
static gboolean
outlives_flush (Item * item)
{
  GstEvent *event = GST_EVENT_CAST (item->object);

  return item->object && GST_IS_EVENT (event) && GST_EVENT_IS_STICKY (event)
      && GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT
      && GST_EVENT_TYPE (event) != GST_EVENT_EOS;
}

/* Empties the lane; a buffer that the link still has is cut off from its item. */
static void
lane_clear (GstLinkLane * lane, GQueue * trash)
{
  Item *item;

  for (GList * l = lane->path->out.head, *next; l; l = next) {
    item = l->data;
    next = l->next;
    if (item->lane != lane)
      continue;
    g_queue_delete_link (&lane->path->out, l);
    g_queue_push_tail (outlives_flush (item) ? &lane->kept : trash, item);
  }
  while ((item = g_queue_pop_head (&lane->items))) {
    if (item->settled) {
      g_queue_push_tail (outlives_flush (item) ? &lane->kept : trash, item);
    } else {
      g_queue_push_tail (trash, item_new (NULL, item->object, TRUE));
      item->object = NULL;
      item->lane = NULL;
    }
  }
}

static void
queue_move (GQueue * from, GQueue * to)
{
  gpointer item;

  while ((item = g_queue_pop_head (from)))
    g_queue_push_tail (to, item);
}

static void
empty_trash (GQueue * trash)
{
  g_queue_clear_full (trash, (GDestroyNotify) item_free);
}

/* --- the task --------------------------------------------------------------- */

/* As udpsrc with do-timestamp: the running time at which the packet came in, here
 * exactly the delivery time, however late this thread is. */
static GstBuffer *
stamp (GstLinkPath * path, GstLinkLane * lane, GstBuffer * buffer, GstClockTime at)
{
  const GstClockTime base = gst_element_get_base_time (path->element);
  GstClockTime pts;

  if (lane->segment.format != GST_FORMAT_TIME)
    return buffer;
  pts = gst_segment_position_from_running_time (&lane->segment, GST_FORMAT_TIME,
      at > base ? at - base : 0);
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = pts;
  return buffer;
}

static void
lane_failed (GstLinkLane * lane, GstFlowReturn flow)
{
  GST_INFO_OBJECT (lane->src, "downstream returned %s", gst_flow_get_name (flow));
  /* the sender hears of it with its next packet, unless it has sent its last */
  if (lane->eos && (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS))
    GST_ELEMENT_FLOW_ERROR (lane->path->element, flow);
}

/* Called with the lock held, which is released meanwhile. */
static void
push_item (GstLinkPath * path, Item * item)
{
  GstLinkLane *lane = item->lane;
  const GstClockTime at = path->zero + item->delivered;
  const gboolean stamped = path->do_timestamp, wanted = lane->flow == GST_FLOW_OK;
  GstFlowReturn flow = lane->flow;
  gboolean refused = FALSE;

  path->pushing = lane;
  g_mutex_unlock (&path->lock);
  if (GST_IS_EVENT (item->object)) {
    GstEvent *event = GST_EVENT_CAST (item->object);

    if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
      gst_event_copy_segment (event, &lane->segment);
    refused = !gst_pad_push_event (lane->src, gst_event_ref (event));
  } else if (wanted) {
    GstBuffer *buffer = GST_BUFFER_CAST (g_steal_pointer (&item->object));

    if (stamped)
      buffer = stamp (path, lane, buffer, at);
    flow = gst_pad_push (lane->src, buffer);
    if (flow != GST_FLOW_OK)
      lane_failed (lane, flow);
  }
  g_mutex_lock (&path->lock);
  path->pushing = NULL;
  if (refused && lane->flushing && outlives_flush (item))
    g_queue_push_head (&lane->kept, g_steal_pointer (&item));
  if (!lane->flushing)
    lane->flow = flow;
  g_cond_broadcast (&path->cond);
  g_mutex_unlock (&path->lock);
  if (item)
    item_free (item);
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

/* Sleeps to the next event, or until path_wake(). */
static void
path_sleep (GstLinkPath * path)
{
  const RccTime next = path->playing && path->clock ? path_next (path) : RCC_NEVER;
  GstClockID id;

  path->wake_at = next;
  if (next == RCC_NEVER) {
    g_cond_wait (&path->cond, &path->lock);
  } else {
    path->id = id = gst_clock_new_single_shot_id (path->clock, path->zero + next);
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
    path_collect (path, path_sync (path), &trash);
  if (!path->running)
    GST_LOG_OBJECT (path->element, "stopping");
  else if (path->out.length)
    push_item (path, g_queue_pop_head (&path->out));
  else if (path->changed)
    tell_of_change (path);
  else if (!trash.length)
    path_sleep (path);
  g_mutex_unlock (&path->lock);
  empty_trash (&trash);
}

/* --- lanes ------------------------------------------------------------------ */

GstLinkLane *
gst_link_path_add_lane (GstLinkPath * path, GstPad * sink, GstPad * src)
{
  GstLinkLane *lane = g_new0 (GstLinkLane, 1);

  lane->path = path;
  lane->sink = sink;
  lane->src = src;
  gst_segment_init (&lane->segment, GST_FORMAT_UNDEFINED);
  g_mutex_lock (&path->lock);
  path->lanes = g_list_prepend (path->lanes, lane);
  g_mutex_unlock (&path->lock);
  return lane;
}

void
gst_link_path_detach_lane (GstLinkPath * path, GstLinkLane * lane)
{
  g_mutex_lock (&path->lock);
  lane->flushing = TRUE;
  path_wake (path);
  g_mutex_unlock (&path->lock);
  gst_pad_set_active (lane->sink, FALSE);
  gst_pad_set_active (lane->src, FALSE);
  g_mutex_lock (&path->lock);
  while (path->pushing == lane)
    g_cond_wait (&path->cond, &path->lock);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_remove_lane (GstLinkPath * path, GstLinkLane * lane)
{
  GQueue trash = G_QUEUE_INIT;

  g_mutex_lock (&path->lock);
  while (path->pushing == lane)
    g_cond_wait (&path->cond, &path->lock);
  lane_clear (lane, &trash);
  queue_move (&lane->kept, &trash);
  path->lanes = g_list_remove (path->lanes, lane);
  g_mutex_unlock (&path->lock);
  empty_trash (&trash);
  g_free (lane);
}

GstPad *
gst_link_lane_partner (GstLinkLane * lane, GstPad * pad)
{
  return pad == lane->sink ? lane->src : lane->sink;
}

/* Whether packets may enter: they wait for PLAYING, for only then is there time. */
static GstFlowReturn
lane_enter (GstLinkLane * lane)
{
  GstLinkPath *path = lane->path;

  while (path->running && !path->playing && !lane->flushing)
    g_cond_wait (&path->cond, &path->lock);
  if (!path->running || lane->flushing)
    return GST_FLOW_FLUSHING;
  return lane->eos ? GST_FLOW_EOS : lane->flow;
}

static void
lane_offer (GstLinkLane * lane, GstBuffer * buffer, RccTime now, GQueue * trash)
{
  const gsize size = gst_buffer_get_size (buffer);
  Item *item = item_new (lane, buffer, FALSE);

  if (rcc_link_push (&lane->path->link, (gsize) item, (guint32) MIN (size,
              G_MAXUINT32), get_ecn (buffer), now) == RCC_LINK_PASSED)
    g_queue_push_tail (&lane->items, item);
  else
    g_queue_push_tail (trash, item);
}

GstFlowReturn
gst_link_lane_push (GstLinkLane * lane, GstBuffer * buffer)
{
  GstLinkPath *path = lane->path;
  GQueue trash = G_QUEUE_INIT;
  GstFlowReturn flow;

  g_mutex_lock (&path->lock);
  flow = lane_enter (lane);
  if (flow == GST_FLOW_OK) {
    lane_offer (lane, g_steal_pointer (&buffer), path_sync (path), &trash);
    path_wake_if_due (path);
  }
  g_mutex_unlock (&path->lock);
  gst_clear_buffer (&buffer);
  empty_trash (&trash);
  return flow;
}

GstFlowReturn
gst_link_lane_push_list (GstLinkLane * lane, GstBufferList * list)
{
  GstLinkPath *path = lane->path;
  GQueue trash = G_QUEUE_INIT;
  GstFlowReturn flow;

  g_mutex_lock (&path->lock);
  flow = lane_enter (lane);
  if (flow == GST_FLOW_OK) {
    const RccTime now = path_sync (path);

    for (guint i = 0; i < gst_buffer_list_length (list); i++)
      lane_offer (lane, gst_buffer_ref (gst_buffer_list_get (list, i)), now, &trash);
    path_wake_if_due (path);
  }
  g_mutex_unlock (&path->lock);
  gst_buffer_list_unref (list);
  empty_trash (&trash);
  return flow;
}

static gboolean
lane_flush_start (GstLinkLane * lane, GstEvent * event)
{
  GstLinkPath *path = lane->path;
  GQueue trash = G_QUEUE_INIT;
  /* first downstream: it may be blocking our task */
  const gboolean handled = gst_pad_push_event (lane->src, event);

  g_mutex_lock (&path->lock);
  lane->flushing = TRUE;
  g_cond_broadcast (&path->cond);
  lane_clear (lane, &trash);
  g_mutex_unlock (&path->lock);
  empty_trash (&trash);
  return handled;
}

static gboolean
lane_flush_stop (GstLinkLane * lane, GstEvent * event)
{
  GstLinkPath *path = lane->path;
  GQueue trash = G_QUEUE_INIT;
  gboolean handled;

  g_mutex_lock (&path->lock);
  lane->flushing = TRUE;
  lane_clear (lane, &trash);
  while (path->pushing == lane)
    g_cond_wait (&path->cond, &path->lock);
  g_mutex_unlock (&path->lock);
  empty_trash (&trash);
  handled = gst_pad_push_event (lane->src, event);
  g_mutex_lock (&path->lock);
  gst_segment_init (&lane->segment, GST_FORMAT_UNDEFINED);
  lane->flow = GST_FLOW_OK;
  lane->flushing = lane->eos = FALSE;
  queue_move (&lane->kept, &path->out);
  path_wake_if_due (path);
  g_mutex_unlock (&path->lock);
  return handled;
}

gboolean
gst_link_lane_event (GstLinkLane * lane, GstEvent * event)
{
  GstLinkPath *path = lane->path;
  gboolean taken;

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START)
    return lane_flush_start (lane, event);
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    return lane_flush_stop (lane, event);
  if (!GST_EVENT_IS_SERIALIZED (event))
    return gst_pad_push_event (lane->src, event);

  g_mutex_lock (&path->lock);
  taken = path->running && !lane->flushing;
  if (taken) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
      lane->eos = TRUE;
    else if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
      lane->eos = FALSE;
    g_queue_push_tail (&lane->items, item_new (lane, event, TRUE));
    lane_settle (lane);
    path_wake_if_due (path);
  }
  g_mutex_unlock (&path->lock);
  if (!taken)
    gst_event_unref (event);
  return taken;
}

/* --- life -------------------------------------------------------------------- */

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
  g_list_free_full (path->lanes, g_free);
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
  path_sync (path);
  for (GList * l = path->lanes; l; l = l->next) {
    GstLinkLane *lane = l->data;

    gst_segment_init (&lane->segment, GST_FORMAT_UNDEFINED);
    lane->flow = GST_FLOW_OK;
    lane->flushing = lane->eos = FALSE;
  }
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
    path_wake (path);
  }
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_play (GstLinkPath * path)
{
  g_mutex_lock (&path->lock);
  if (!GST_CLOCK_TIME_IS_VALID (path->zero))
    path->zero = gst_clock_get_time (path->clock);
  path->playing = TRUE;
  path_wake (path);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_pause (GstLinkPath * path)
{
  g_mutex_lock (&path->lock);
  path->playing = FALSE;
  path_wake (path);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_stop (GstLinkPath * path)
{
  gst_task_stop (path->task);
  g_mutex_lock (&path->lock);
  path->running = path->playing = FALSE;
  path_wake (path);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_join (GstLinkPath * path)
{
  GQueue trash = G_QUEUE_INIT;
  RccLinkPacket packet;

  gst_task_join (path->task);
  g_mutex_lock (&path->lock);
  for (GList * l = path->lanes; l; l = l->next) {
    GstLinkLane *lane = l->data;

    lane_clear (lane, &trash);
    queue_move (&lane->kept, &trash);
  }
  while (rcc_link_drain (&path->link, &packet))
    g_queue_push_tail (&trash, (Item *) (gsize) packet.cookie);
  /* a scenario's traces go with it */
  rcc_scenario_run_init (&path->run, NULL, path->direction, 0);
  path->link.config.trace = NULL;
  g_mutex_unlock (&path->lock);
  empty_trash (&trash);
}

/* --- at run time ------------------------------------------------------------- */

void
gst_link_path_set_scenario (GstLinkPath * path, const RccScenario * scenario,
    const RccLinkConfig * base)
{
  RccTime now;

  g_mutex_lock (&path->lock);
  now = path_sync (path);
  rcc_link_configure (&path->link, base, now);
  rcc_scenario_run_init (&path->run, scenario, path->direction, now);
  path_sync (path);
  path->changed = TRUE;
  path_wake (path);
  g_mutex_unlock (&path->lock);
}

void
gst_link_path_modify (GstLinkPath * path, GstLinkPathModify modify, gpointer data)
{
  RccLinkConfig config;
  RccTime now;

  g_mutex_lock (&path->lock);
  now = path_sync (path);
  config = path->link.config;
  modify (&config, data);
  rcc_link_configure (&path->link, &config, now);
  path->changed = TRUE;
  path_wake (path);
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
  now = path_sync (path);
  stats = rcc_link_stats (&path->link, now);
  path_wake_if_due (path);
  g_mutex_unlock (&path->lock);
  return stats;
}
