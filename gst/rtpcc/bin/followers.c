/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/followers.h"

#include "rtpcc/bin/upstream.h"

typedef struct
{
  gconstpointer sink;           /* of the controller, to compare with */
  gconstpointer encoder;        /* the same; the adapter has a reference */
  GstElement *adapter;
} Follower;

struct _GstRtpCcFollowers
{
  GMutex lock;                  /* of all below */
  GPtrArray *all;               /* of Follower */
};

/* Without a lock: those that share a target with it hear of it. */
static void
free_follower (gpointer data)
{
  Follower *follower = data;

  gst_element_set_state (follower->adapter, GST_STATE_NULL);
  gst_object_unref (follower->adapter);
  g_free (follower);
}

GstRtpCcFollowers *
gst_rtp_cc_followers_new (void)
{
  GstRtpCcFollowers *f = g_new0 (GstRtpCcFollowers, 1);

  g_mutex_init (&f->lock);
  f->all = g_ptr_array_new ();
  return f;
}

void
gst_rtp_cc_followers_free (GstRtpCcFollowers * f)
{
  g_ptr_array_set_free_func (f->all, free_follower);
  g_ptr_array_unref (f->all);
  g_mutex_clear (&f->lock);
  g_free (f);
}

static Follower *
find_locked (GstRtpCcFollowers * f, GstPad * sink, GstElement * encoder)
{
  for (guint i = 0; i < f->all->len; i++) {
    Follower *follower = g_ptr_array_index (f->all, i);

    if (follower->sink == sink && follower->encoder == encoder)
      return follower;
  }
  return NULL;
}

static Follower *
add_locked (GstRtpCcFollowers * f, GstPad * sink, GstElement * encoder)
{
  Follower *follower = g_new0 (Follower, 1);

  follower->sink = sink;
  follower->encoder = encoder;
  follower->adapter = gst_element_factory_make ("rtpbitrateadapter", NULL);
  gst_object_ref_sink (follower->adapter);
  g_object_set (follower->adapter, "encoder", encoder, NULL);
  gst_element_set_state (follower->adapter, GST_STATE_PLAYING);
  g_ptr_array_add (f->all, follower);
  return follower;
}

/* Those of @sink whose encoder is not among @encoders. */
static GPtrArray *
take_gone_locked (GstRtpCcFollowers * f, GstPad * sink, GPtrArray * encoders)
{
  GPtrArray *gone = g_ptr_array_new_with_free_func (free_follower);

  for (guint i = f->all->len; i-- > 0;) {
    Follower *follower = g_ptr_array_index (f->all, i);

    if (follower->sink == sink
        && !g_ptr_array_find (encoders, follower->encoder, NULL))
      g_ptr_array_add (gone, g_ptr_array_remove_index (f->all, i));
  }
  return gone;
}

void
gst_rtp_cc_followers_tell (GstRtpCcFollowers * f, GstPad * sink,
    GstEvent * event)
{
  g_autoptr (GPtrArray) encoders = gst_rtp_cc_bin_find_encoders (sink);
  g_autoptr (GPtrArray) pads =
      g_ptr_array_new_with_free_func (gst_object_unref);
  g_autoptr (GPtrArray) gone = NULL;

  g_mutex_lock (&f->lock);
  gone = take_gone_locked (f, sink, encoders);
  for (guint i = 0; i < encoders->len; i++) {
    GstElement *encoder = g_ptr_array_index (encoders, i);
    Follower *follower = find_locked (f, sink, encoder);

    if (!follower)
      follower = add_locked (f, sink, encoder);
    g_ptr_array_add (pads, gst_element_get_static_pad (follower->adapter,
            "src"));
  }
  g_mutex_unlock (&f->lock);
  for (guint i = 0; i < pads->len; i++)
    gst_pad_send_event (g_ptr_array_index (pads, i), gst_event_ref (event));
}
