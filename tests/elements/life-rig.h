/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * life-rig.h - any element between pads that take everything, and a count of what
 * lives: the element, its pads, and every buffer and event that was given to it
 */
#ifndef LIFE_RIG_H
#define LIFE_RIG_H

#include "rig.h"

static gint alive;

static void
gone (gpointer data, gpointer object)
{
  g_atomic_int_dec_and_test (&alive);
}

static gpointer
watch_object (gpointer object)
{
  g_atomic_int_inc (&alive);
  g_object_weak_ref (object, (GWeakNotify) gone, NULL);
  return object;
}

static gpointer
watch_mini (gpointer object)
{
  g_atomic_int_inc (&alive);
  gst_mini_object_weak_ref (object, (GstMiniObjectNotify) gone, NULL);
  return object;
}

/* A clock's callback in flight still has a reference or two for a moment. */
G_GNUC_UNUSED static void
assert_none_alive (void)
{
  wait_for (g_atomic_int_get (&alive) == 0);
}

typedef struct {
  GstElement *e;
  GPtrArray *pads, *drains;     /* all of the element's, and what its sources feed */
  GPtrArray *requested;
} Life;

static GstStaticPadTemplate drain_template = GST_STATIC_PAD_TEMPLATE ("drain",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static GstFlowReturn
drain_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static gboolean
drain_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  gst_event_unref (event);
  return TRUE;
}

static void
life_add_pads (Life *life)
{
  for (GList *item = life->e->pads; item; item = item->next) {
    GstPad *drain;

    g_ptr_array_add (life->pads, gst_object_ref (watch_object (item->data)));
    if (GST_PAD_IS_SINK (item->data))
      continue;
    /* without a template GStreamer 1.22's caps query races with caps events */
    drain = gst_pad_new_from_static_template (&drain_template, NULL);
    gst_pad_set_chain_function (drain, drain_chain);
    gst_pad_set_event_function (drain, drain_event);
    gst_pad_set_active (drain, TRUE);
    fail_unless_equals_int (gst_pad_link (item->data, drain), GST_PAD_LINK_OK);
    g_ptr_array_add (life->drains, watch_object (gst_object_ref_sink (drain)));
  }
}

/* One pad of each request template, as far as the element gives it: those that come
 * in pairs may be there already. */
static void
life_request (Life *life)
{
  const GList *item = gst_element_class_get_pad_template_list
      (GST_ELEMENT_GET_CLASS (life->e));

  for (; item; item = item->next) {
    GstPad *pad;

    if (GST_PAD_TEMPLATE_PRESENCE (item->data) == GST_PAD_REQUEST
        && (pad = gst_element_request_pad (life->e, item->data, NULL, NULL)))
      g_ptr_array_add (life->requested, pad);
  }
}

static Life
life_new (const gchar *factory, gboolean request)
{
  Life life = {.e = element_new (factory) };

  gst_object_ref_sink (watch_object (life.e));
  life.pads = g_ptr_array_new_with_free_func (gst_object_unref);
  life.drains = g_ptr_array_new_with_free_func (gst_object_unref);
  life.requested = g_ptr_array_new_with_free_func (gst_object_unref);
  if (request)
    life_request (&life);
  life_add_pads (&life);
  return life;
}

G_GNUC_UNUSED static void
life_release (Life *life)
{
  for (guint i = 0; i < life->requested->len; i++)
    gst_element_release_request_pad (life->e, life->requested->pdata[i]);
  g_ptr_array_set_size (life->requested, 0);
}

static void
life_free (Life *life)
{
  fail_unless_equals_int (gst_element_set_state (life->e, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  for (guint i = 0; i < life->drains->len; i++) {
    GstPad *peer = gst_pad_get_peer (life->drains->pdata[i]);

    if (peer)
      gst_pad_unlink (peer, life->drains->pdata[i]);
    gst_clear_object (&peer);
  }
  g_ptr_array_unref (life->requested);
  g_ptr_array_unref (life->drains);
  g_ptr_array_unref (life->pads);
  wait_for (GST_OBJECT_REFCOUNT_VALUE (life->e) == 1);
  gst_object_unref (life->e);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Life, life_free)

/* What a pad is for, by its template: RTP where that says nothing. */
static const gchar *
pad_media (GstPad *pad)
{
  GstCaps *caps = gst_pad_get_pad_template_caps (pad);
  const gchar *media = gst_caps_is_any (caps) ? "application/x-rtp"
      : gst_structure_get_name (gst_caps_get_structure (caps, 0));

  gst_caps_unref (caps);
  return g_intern_string (media);
}

static GstCaps *
pad_caps (GstPad *pad)
{
  const gchar *media = pad_media (pad);

  if (g_str_equal (media, "video/x-raw"))
    return gst_caps_from_string
        ("video/x-raw,format=I420,width=320,height=288,framerate=30/1");
  if (g_str_equal (media, "application/x-rtp"))
    return gst_caps_from_string ("application/x-rtp,media=video,clock-rate=90000,"
        "payload=96,encoding-name=H264");
  return gst_caps_new_empty_simple (media);
}

static GstBuffer *
pad_buffer (GstPad *pad)
{
  static const guint8 rtp[100] = { 0x80, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3 };
  static const guint8 rr[] = { 0x80, 201, 0, 1, 0, 0, 0, 1 };
  const gchar *media = pad_media (pad);
  GstBuffer *buffer;

  if (g_str_equal (media, "video/x-raw")) {
    buffer = gst_buffer_new_allocate (NULL, 320 * 288 * 3 / 2, NULL);
    gst_buffer_memset (buffer, 0, 128, -1);
  } else if (g_str_equal (media, "application/x-rtcp")) {
    buffer = gst_buffer_new_memdup (rr, sizeof rr);
  } else {
    buffer = gst_buffer_new_memdup (rtp, sizeof rtp);
  }
  GST_BUFFER_PTS (buffer) = 0;
  return watch_mini (buffer);
}

static gboolean
pad_event (GstPad *pad, GstEvent *event)
{
  return gst_pad_send_event (pad, watch_mini (event));
}

/* What must come before data; refused by a pad that is not active. */
static void
pad_open (GstPad *pad)
{
  GstCaps *caps = pad_caps (pad);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  pad_event (pad, gst_event_new_stream_start ("life"));
  pad_event (pad, gst_event_new_caps (caps));
  pad_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
}

G_GNUC_UNUSED static GstFlowReturn
pad_feed (GstPad *pad)
{
  return gst_pad_chain (pad, pad_buffer (pad));
}

#endif
