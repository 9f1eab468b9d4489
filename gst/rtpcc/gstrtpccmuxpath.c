/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccmuxpathprivate.h"

#include <gst/video/video.h>

GstRtpCcMuxPath *
gst_rtp_cc_mux_path_of (GstPad * pad)
{
  return gst_pad_get_element_private (pad);
}

/* --- pushing ------------------------------------------------------------------ */

static GstPad *
pad_of (GstRtpCcMuxPath * path, guint k)
{
  GstPad *pad;

  gst_rtp_cc_driver_lock (path->driver);
  pad =
      path->order.pads[k] ? gst_object_ref (GST_PAD (path->
          order.pads[k])) : NULL;
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
pass (GstRtpCcMuxPath * path, GstRtpCcMuxPassage * p)
{
  GstMiniObject *object = p->object;
  GstFlowReturn flow = GST_FLOW_OK;

  for (guint i = 0; i < p->n_before; i++)
    gst_pad_push_event (path->order.src, p->before[i]);
  if (GST_IS_BUFFER (object))
    flow = gst_pad_push (path->order.src, GST_BUFFER (object));
  else if (GST_IS_BUFFER_LIST (object))
    flow = gst_pad_push_list (path->order.src, GST_BUFFER_LIST (object));
  else
    gst_pad_push_event (path->order.src, GST_EVENT (object));

  atomic_store (&path->order.passing, FALSE);
  if (p->wake || (atomic_load (&path->order.blocked)
          && atomic_exchange (&path->order.blocked, FALSE)))
    gst_rtp_cc_waiter_wake (path->waiter);
  if (G_UNLIKELY (p->asks))
    ask_for_keys (path, p->asks);
  return flow;
}

/* @object, which may be NULL, goes the way of @how. */
GstFlowReturn
gst_rtp_cc_mux_path_admit (GstRtpSbpnMuxPad * pad, GstRtpCcMuxPath * path,
    gpointer object, GstRtpCcDriverCall how)
{
  GstRtpCcMuxPassage p = {.order = &path->order,.pad = pad,.object =
        object,.when = RCC_NEVER
  };

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

void
gst_rtp_cc_mux_path_report (GstRtpCcMuxPath * path, GstFlowReturn flow)
{
  if (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS)
    GST_ELEMENT_FLOW_ERROR (path->order.element, flow);
}

/* --- the source pad ------------------------------------------------------------ */

/* Downstream took nothing any more.  Upstream hears of it at its next push; after
 * EOS there is none, so the application has to. */
static void
give_up (GstRtpCcMuxPath * path, GstFlowReturn flow)
{
  gboolean ended;

  GST_DEBUG_OBJECT (path->order.src, "pausing: %s", gst_flow_get_name (flow));
  gst_pad_pause_task (path->order.src); /* first: who sees the flow may start it again */
  g_atomic_int_set (&path->flow, flow);
  gst_rtp_cc_driver_lock (path->driver);
  ended = gst_rtp_cc_mux_order_all_ended (&path->order);
  gst_rtp_cc_driver_unlock (path->driver);
  if (ended)
    gst_rtp_cc_mux_path_report (path, flow);
}

typedef enum
{ NOTHING, LEFT, GAVE_UP } Step;

/* Lets one object out; NOTHING: @when is to be waited for. */
static Step
let_out (GstRtpCcMuxPath * path, RccTime * when)
{
  GstRtpCcMuxPassage p = {.order = &path->order,.when = RCC_NEVER };
  GstFlowReturn flow;

  gst_rtp_cc_driver_call (path->driver, gst_rtp_cc_mux_order_leave, &p);
  *when = p.when;
  if (!p.object) {
    if (p.asks)
      ask_for_keys (path, p.asks);
    return NOTHING;
  }
  flow = pass (path, &p);
  if (G_LIKELY (flow == GST_FLOW_OK))
    return LEFT;
  give_up (path, flow);
  return GAVE_UP;
}

/* Whatever may leave does; then, with a ticket, it is asked once more, and slept. */
static void
loop (gpointer user_data)
{
  GstRtpCcMuxPath *path = user_data;
  GstClockTime time;
  GstClock *clock;
  RccTime when;
  guint ticket;
  Step step;

  do
    step = let_out (path, &when);
  while (step == LEFT && g_atomic_int_get (&path->flow) == GST_FLOW_OK);
  if (step == GAVE_UP)
    return;
  ticket = gst_rtp_cc_waiter_ticket (path->waiter);
  if (gst_rtp_cc_waiter_is_flushing (path->waiter)) {
    gst_pad_pause_task (path->order.src);
    return;
  }
  if (let_out (path, &when) != NOTHING)
    return;
  clock = gst_rtp_cc_driver_clock (path->driver, when, &time);
  gst_rtp_cc_waiter_wait (path->waiter, clock,
      clock ? time : GST_CLOCK_TIME_NONE, ticket);
  gst_clear_object (&clock);
}

void
gst_rtp_cc_mux_path_stop (GstRtpCcMuxPath * path)
{
  g_atomic_int_set (&path->flow, GST_FLOW_FLUSHING);
  gst_rtp_cc_waiter_set_flushing (path->waiter, TRUE);
}

void
gst_rtp_cc_mux_path_start (GstRtpCcMuxPath * path)
{
  g_atomic_int_set (&path->flow, GST_FLOW_OK);
  gst_rtp_cc_waiter_set_flushing (path->waiter, FALSE);
  gst_pad_start_task (path->order.src, loop, path, NULL);
}

static gboolean
src_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpCcMuxPath *path = gst_rtp_cc_mux_path_of (pad);
  gboolean stopped;

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (active) {
    gst_rtp_cc_driver_lock (path->driver);
    gst_rtp_cc_mux_order_start_over (&path->order);
    path->order.flushed = FALSE;
    gst_rtp_cc_driver_unlock (path->driver);
    atomic_store (&path->order.passing, FALSE);
    gst_rtp_cc_mux_path_start (path);
    return TRUE;
  }
  gst_rtp_cc_mux_path_stop (path);
  stopped = gst_pad_stop_task (pad);
  gst_rtp_cc_driver_lock (path->driver);
  path->order.need_start = TRUE;        /* nothing is to be stored */
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    if (path->order.pads[k])
      gst_rtp_cc_mux_order_flush (&path->order, k, FALSE);
  gst_rtp_cc_driver_unlock (path->driver);
  return stopped;
}

/* As queue does: what may be held back is room, not a delay that everybody has. */
static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcMuxPath *path = gst_rtp_cc_mux_path_of (pad);
  GstClockTime min, max;
  gboolean live;

  if (!gst_pad_query_default (pad, parent, query))
    return FALSE;
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return TRUE;
  gst_query_parse_latency (query, &live, &min, &max);
  GST_OBJECT_LOCK (path->order.element);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max = path->room < GST_CLOCK_TIME_NONE - max ? max + path->room
        : GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (path->order.element);
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

  path->driver = driver;
  path->funcs = funcs;
  path->waiter = gst_rtp_cc_waiter_new ();
  path->flow = GST_FLOW_FLUSHING;
  gst_rtp_cc_mux_order_init (&path->order, element, src, funcs->sent);
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
  gst_rtp_cc_mux_order_clear (&path->order);
  gst_rtp_cc_waiter_free (path->waiter);
  g_free (path);
}

gboolean
gst_rtp_cc_mux_path_add (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad)
{
  GstRtpCcMuxConfig config;
  guint k = 0;

  gst_rtp_cc_driver_lock (path->driver);
  while (k < GST_RTP_CC_MUX_PADS && path->order.pads[k])
    k++;
  if (k < GST_RTP_CC_MUX_PADS) {
    config = gst_rtp_sbpn_mux_pad_config (pad);
    path->order.pads[k] = pad;
    pad->klass = k;
    gst_rtp_cc_mux_queue_open (&path->order.queue, k, &config);
  }
  gst_rtp_cc_driver_unlock (path->driver);
  if (k == GST_RTP_CC_MUX_PADS)
    return FALSE;
  gst_rtp_cc_mux_sink_set_functions (GST_PAD (pad), path);
  return TRUE;
}

void
gst_rtp_cc_mux_path_remove (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad)
{
  gst_rtp_cc_mux_sink_gone (path, pad);
  gst_rtp_cc_waiter_wake (path->waiter);        /* the others may have ended */
  path->funcs->pads_changed (path->order.element);
}

GstRtpCcMuxQueue *
gst_rtp_cc_mux_path_queue (GstRtpCcMuxPath * path)
{
  return &path->order.queue;
}

GstRtpSbpnMuxPad *const *
gst_rtp_cc_mux_path_pads (GstRtpCcMuxPath * path)
{
  return path->order.pads;
}

static void
open_pad (GstRtpCcMuxPath * path, guint k)
{
  const GstRtpCcMuxConfig config =
      gst_rtp_sbpn_mux_pad_config (path->order.pads[k]);

  gst_rtp_cc_mux_queue_open (&path->order.queue, k, &config);
}

void
gst_rtp_cc_mux_path_open (GstRtpCcMuxPath * path)
{
  for (guint k = 0; k < GST_RTP_CC_MUX_PADS; k++)
    if (path->order.pads[k])
      open_pad (path, k);
}

void
gst_rtp_cc_mux_path_reconfigure (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad)
{
  gst_rtp_cc_driver_lock (path->driver);
  if (pad->klass < GST_RTP_CC_MUX_PADS)
    open_pad (path, pad->klass);
  gst_rtp_cc_driver_unlock (path->driver);
  path->funcs->pads_changed (path->order.element);
}

GstPad *
gst_rtp_cc_mux_path_find (GstRtpCcMuxPath * path, guint32 ssrc)
{
  GstPad *pad = NULL;
  guint k;

  gst_rtp_cc_driver_lock (path->driver);
  k = rcc_renumber_owner (path->order.queue.numbers, ssrc);
  if (k < GST_RTP_CC_MUX_PADS && path->order.pads[k])
    pad = gst_object_ref (GST_PAD (path->order.pads[k]));
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
  GST_OBJECT_LOCK (path->order.element);
  path->room = room;
  GST_OBJECT_UNLOCK (path->order.element);
}
