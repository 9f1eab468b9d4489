/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/adapters.h"

#include "rtpcc/bin/upstream.h"

typedef struct
{
  gconstpointer sink;           /* of the controller, to compare with */
  gconstpointer encoder;        /* the same; the adapter has a reference */
  GstElement *element;
} Adapter;

struct _GstRtpCcAdapters
{
  GMutex lock;                  /* of all below */
  GPtrArray *all;               /* of Adapter */
};

/* Without a lock: those that share a target with it hear of it. */
static void
free_one (gpointer data)
{
  Adapter *a = data;

  gst_element_set_state (a->element, GST_STATE_NULL);
  gst_object_unref (a->element);
  g_free (a);
}

GstRtpCcAdapters *
gst_rtp_cc_adapters_new (void)
{
  GstRtpCcAdapters *set = g_new0 (GstRtpCcAdapters, 1);

  g_mutex_init (&set->lock);
  set->all = g_ptr_array_new ();
  return set;
}

void
gst_rtp_cc_adapters_free (GstRtpCcAdapters * set)
{
  g_ptr_array_set_free_func (set->all, free_one);
  g_ptr_array_unref (set->all);
  g_mutex_clear (&set->lock);
  g_free (set);
}

static Adapter *
find_locked (GstRtpCcAdapters * set, GstPad * sink, GstElement * encoder)
{
  for (guint i = 0; i < set->all->len; i++) {
    Adapter *a = g_ptr_array_index (set->all, i);

    if (a->sink == sink && a->encoder == encoder)
      return a;
  }
  return NULL;
}

static Adapter *
add_locked (GstRtpCcAdapters * set, GstPad * sink, GstElement * encoder)
{
  Adapter *a = g_new0 (Adapter, 1);

  a->sink = sink;
  a->encoder = encoder;
  a->element = gst_element_factory_make ("rtpbitrateadapter", NULL);
  gst_object_ref_sink (a->element);
  g_object_set (a->element, "encoder", encoder, NULL);
  gst_element_set_state (a->element, GST_STATE_PLAYING);
  g_ptr_array_add (set->all, a);
  return a;
}

/* Those of @sink whose encoder is not among @encoders. */
static GPtrArray *
take_gone_locked (GstRtpCcAdapters * set, GstPad * sink, GPtrArray * encoders)
{
  GPtrArray *gone = g_ptr_array_new_with_free_func (free_one);

  for (guint i = set->all->len; i-- > 0;) {
    Adapter *a = g_ptr_array_index (set->all, i);

    if (a->sink == sink
        && !g_ptr_array_find (encoders, a->encoder, NULL))
      g_ptr_array_add (gone, g_ptr_array_remove_index (set->all, i));
  }
  return gone;
}

void
gst_rtp_cc_adapters_tell (GstRtpCcAdapters * set, GstPad * sink,
    GstEvent * event)
{
  g_autoptr (GPtrArray) encoders = gst_rtp_cc_bin_find_encoders (sink);
  g_autoptr (GPtrArray) pads =
      g_ptr_array_new_with_free_func (gst_object_unref);
  g_autoptr (GPtrArray) gone = NULL;

  g_mutex_lock (&set->lock);
  gone = take_gone_locked (set, sink, encoders);
  for (guint i = 0; i < encoders->len; i++) {
    GstElement *encoder = g_ptr_array_index (encoders, i);
    Adapter *a = find_locked (set, sink, encoder);

    if (!a)
      a = add_locked (set, sink, encoder);
    g_ptr_array_add (pads, gst_element_get_static_pad (a->element,
            "src"));
  }
  g_mutex_unlock (&set->lock);
  for (guint i = 0; i < pads->len; i++)
    gst_pad_send_event (g_ptr_array_index (pads, i), gst_event_ref (event));
}
