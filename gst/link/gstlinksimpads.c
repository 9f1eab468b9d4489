/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The pads of linksim: pairs of a sink and a source, and what passes beside the data.
 */
#include "link/gstlinksim.h"

#include <stdio.h>
#include <string.h>

GST_DEBUG_CATEGORY_EXTERN (gst_link_sim_debug);
#define GST_CAT_DEFAULT gst_link_sim_debug

static GstStaticPadTemplate templates[] = {
  GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS,
      GST_STATIC_CAPS_ANY),
  GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS,
      GST_STATIC_CAPS_ANY),
  GST_STATIC_PAD_TEMPLATE ("fwd_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
      GST_STATIC_CAPS_ANY),
  GST_STATIC_PAD_TEMPLATE ("fwd_src_%u", GST_PAD_SRC, GST_PAD_REQUEST,
      GST_STATIC_CAPS_ANY),
  GST_STATIC_PAD_TEMPLATE ("rev_sink_%u", GST_PAD_SINK, GST_PAD_REQUEST,
      GST_STATIC_CAPS_ANY),
  GST_STATIC_PAD_TEMPLATE ("rev_src_%u", GST_PAD_SRC, GST_PAD_REQUEST,
      GST_STATIC_CAPS_ANY),
};

static RccDirection
direction_of (const gchar * pad_name)
{
  return g_str_has_prefix (pad_name, "rev") ? RCC_REVERSE : RCC_FORWARD;
}

static GstFlowReturn
gst_link_sim_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  return gst_link_queue_push (gst_pad_get_element_private (pad), buffer);
}

static GstFlowReturn
gst_link_sim_chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  return gst_link_queue_push_list (gst_pad_get_element_private (pad), list);
}

static gboolean
gst_link_sim_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  return gst_link_queue_event (gst_pad_get_element_private (pad), event);
}

static gboolean
gst_link_sim_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_QOS:
    case GST_EVENT_CUSTOM_UPSTREAM:
      gst_event_unref (event);
      return FALSE;
    default:
      return gst_pad_event_default (pad, parent, event);
  }
}

/* With new timestamps the link is a live source like udpsrc; else its packets are as
 * late as the delay says. What they wait in the queue nobody can promise. */
static gboolean
answer_latency (GstLinkSim * self, GstPad * pad, GstLinkQueue * queue,
    GstQuery * query)
{
  GstClockTime delay;
  gboolean answered;

  g_mutex_lock (&self->lock);
  if (self->do_timestamp) {
    gst_query_set_latency (query, TRUE, 0, GST_CLOCK_TIME_NONE);
    g_mutex_unlock (&self->lock);
    return TRUE;
  }
  delay = rcc_scenario_max_delay (self->scenario,
      direction_of (GST_PAD_NAME (pad)), &self->base);
  g_mutex_unlock (&self->lock);
  answered = gst_pad_peer_query (gst_link_queue_partner (queue, pad), query);
  if (answered) {
    GstClockTime upstream;

    gst_query_parse_latency (query, NULL, &upstream, NULL);
    gst_query_set_latency (query, TRUE, upstream + delay, GST_CLOCK_TIME_NONE);
  }
  return answered;
}

static gboolean
gst_link_sim_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstLinkQueue *queue = gst_pad_get_element_private (pad);

  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    return queue && answer_latency (GST_LINK_SIM (parent), pad, queue, query);
  return gst_pad_query_default (pad, parent, query);
}

static gboolean
gst_link_sim_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  /* a query cannot wait in the queue as its data does */
  if (GST_QUERY_IS_SERIALIZED (query)
      && GST_QUERY_TYPE (query) != GST_QUERY_CAPS)
    return FALSE;
  return gst_pad_query_default (pad, parent, query);
}

static GstIterator *
gst_link_sim_internal_links (GstPad * pad, GstObject * parent)
{
  GstLinkQueue *queue;
  GstIterator *it = NULL;
  GValue value = G_VALUE_INIT;

  GST_OBJECT_LOCK (parent);     /* released pads have no queue any more */
  queue = gst_pad_get_element_private (pad);
  if (queue) {
    g_value_init (&value, GST_TYPE_PAD);
    g_value_set_object (&value, gst_link_queue_partner (queue, pad));
    it = gst_iterator_new_single (GST_TYPE_PAD, &value);
  }
  GST_OBJECT_UNLOCK (parent);
  if (queue)
    g_value_unset (&value);
  return it;
}

static GstPad *
make_pad (GstLinkSim * self, const gchar * template, const gchar * name)
{
  GstPadTemplate *templ =
      gst_element_class_get_pad_template (GST_ELEMENT_GET_CLASS (self),
      template);
  GstPad *pad = gst_pad_new_from_template (templ, name);

  if (GST_PAD_IS_SINK (pad)) {
    gst_pad_set_chain_function (pad, gst_link_sim_chain);
    gst_pad_set_chain_list_function (pad, gst_link_sim_chain_list);
    gst_pad_set_event_function (pad, gst_link_sim_sink_event);
    gst_pad_set_query_function (pad, gst_link_sim_sink_query);
  } else {
    gst_pad_set_event_function (pad, gst_link_sim_src_event);
    gst_pad_set_query_function (pad, gst_link_sim_src_query);
  }
  gst_pad_set_iterate_internal_links_function (pad,
      gst_link_sim_internal_links);
  GST_PAD_SET_PROXY_CAPS (pad);
  return pad;
}

static void
add_queue (GstLinkSim * self, RccDirection direction, GstPad * sink,
    GstPad * src)
{
  GstLinkQueue *queue =
      gst_link_path_add_queue (self->paths[direction], sink, src);
  const gboolean active = GST_STATE (self) > GST_STATE_READY
      || GST_STATE_NEXT (self) == GST_STATE_PAUSED;

  gst_pad_set_element_private (sink, queue);
  gst_pad_set_element_private (src, queue);
  if (active) {
    gst_pad_set_active (src, TRUE);
    gst_pad_set_active (sink, TRUE);
  }
  gst_element_add_pad (GST_ELEMENT (self), src);
  gst_element_add_pad (GST_ELEMENT (self), sink);
}

/* The number in @name, or the first that is free. */
static guint
choose_index (GstElement * element, const gchar * prefix, const gchar * name)
{
  guint index = 0;

  if (name
      && sscanf (strrchr (name, '_') ? strrchr (name, '_') : "", "_%u",
          &index) == 1)
    return index;
  for (index = 0;; index++) {
    g_autofree gchar *taken = g_strdup_printf ("%s_sink_%u", prefix, index);
    GstPad *pad = gst_element_get_static_pad (element, taken);

    if (!pad)
      return index;
    gst_object_unref (pad);
  }
}

static GstPad *
gst_link_sim_request_pad (GstElement * element, GstPadTemplate * templ,
    const gchar * name, const GstCaps * caps)
{
  static const gchar *const prefixes[] = { "fwd", "rev" };
  GstLinkSim *self = GST_LINK_SIM (element);
  const RccDirection direction =
      direction_of (GST_PAD_TEMPLATE_NAME_TEMPLATE (templ));
  const gchar *prefix = prefixes[direction];
  const guint index = choose_index (element, prefix, name);
  g_autofree gchar *sink_template = g_strconcat (prefix, "_sink_%u", NULL);
  g_autofree gchar *src_template = g_strconcat (prefix, "_src_%u", NULL);
  g_autofree gchar *sink_name = g_strdup_printf ("%s_sink_%u", prefix, index);
  g_autofree gchar *src_name = g_strdup_printf ("%s_src_%u", prefix, index);
  GstPad *sink, *src;

  if ((sink = gst_element_get_static_pad (element, sink_name))) {
    GST_WARNING_OBJECT (self, "pad pair %u is in use", index);
    gst_object_unref (sink);
    return NULL;
  }
  sink = make_pad (self, sink_template, sink_name);
  src = make_pad (self, src_template, src_name);
  add_queue (self, direction, sink, src);
  return GST_PAD_TEMPLATE_DIRECTION (templ) == GST_PAD_SINK ? sink : src;
}

static void
gst_link_sim_release_pad (GstElement * element, GstPad * pad)
{
  GstLinkSim *self = GST_LINK_SIM (element);
  const RccDirection direction = direction_of (GST_PAD_NAME (pad));
  GstLinkQueue *queue;
  GstPad *partner;

  GST_OBJECT_LOCK (self);
  queue = gst_pad_get_element_private (pad);
  partner = queue ? gst_object_ref (gst_link_queue_partner (queue, pad)) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (!queue)                   /* went with its partner */
    return;
  gst_object_ref (pad);
  gst_link_path_detach_queue (self->paths[direction], queue);
  GST_OBJECT_LOCK (self);
  gst_pad_set_element_private (pad, NULL);
  gst_pad_set_element_private (partner, NULL);
  GST_OBJECT_UNLOCK (self);
  gst_link_path_remove_queue (self->paths[direction], queue);
  gst_element_remove_pad (element, pad);
  gst_element_remove_pad (element, partner);
  gst_object_unref (pad);
  gst_object_unref (partner);
}

void
gst_link_sim_add_always_pads (GstLinkSim * self)
{
  add_queue (self, RCC_FORWARD, make_pad (self, "sink", "sink"),
      make_pad (self, "src", "src"));
}

void
gst_link_sim_class_init_pads (GstElementClass * klass)
{
  klass->request_new_pad = gst_link_sim_request_pad;
  klass->release_pad = gst_link_sim_release_pad;
  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    gst_element_class_add_static_pad_template (klass, &templates[i]);
}
