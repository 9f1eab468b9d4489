/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/common/walk.h"

/* Longer chains than this are loops. */
#define MAX_HOPS 64

/* The pad of a real element at the other end of @near's link. A bin's edge is a pair of proxy
 * pads, internal to each other. One of them is the ghost pad. Whichever of them is the peer, the
 * other one's peer is across the edge. */
static GstPad *
far_pad (GstPad * near)
{
  GstPad *pad = gst_pad_get_peer (near);
  guint hops;

  for (hops = 0; pad && GST_IS_PROXY_PAD (pad); hops++) {
    GstProxyPad *other = hops < MAX_HOPS ?
        gst_proxy_pad_get_internal (GST_PROXY_PAD (pad)) : NULL;

    gst_object_unref (pad);
    pad = other ? gst_pad_get_peer (GST_PAD (other)) : NULL;
    gst_clear_object (&other);
  }
  return pad;
}

GstPad *
gst_rtp_cc_walk_inside (GstPad * pad, gboolean alone)
{
  GstIterator *it = gst_pad_iterate_internal_links (pad);
  GValue item = G_VALUE_INIT;
  GstPad *found = NULL;
  guint n = 0;
  gboolean done = it == NULL;

  while (!done) {
    switch (gst_iterator_next (it, &item)) {
      case GST_ITERATOR_OK:
        if (n++ == 0)
          found = g_value_dup_object (&item);
        g_value_reset (&item);
        done = !alone;
        break;
      case GST_ITERATOR_RESYNC:
        gst_iterator_resync (it);
        gst_clear_object (&found);
        n = 0;
        break;
      default:
        done = TRUE;
    }
  }
  if (G_IS_VALUE (&item))
    g_value_unset (&item);
  if (it)
    gst_iterator_free (it);
  if (n > 1)
    gst_clear_object (&found);
  return found;
}

GstElement *
gst_rtp_cc_walk (GstPad * from, gboolean (*wanted) (GstElement * element),
    gboolean alone, GstPad ** by)
{
  GstPad *pad = gst_object_ref (from);
  GstElement *found = NULL;

  for (guint hops = 0; pad && !found && hops < MAX_HOPS; hops++) {
    GstPad *far = far_pad (pad);
    GstElement *element = far ? gst_pad_get_parent_element (far) : NULL;

    gst_clear_object (&pad);
    if (element && wanted (element)) {
      found = gst_object_ref (element);
      if (by)
        *by = gst_object_ref (far);
    } else if (element) {
      pad = gst_rtp_cc_walk_inside (far, alone);
    }
    gst_clear_object (&element);
    gst_clear_object (&far);
  }
  gst_clear_object (&pad);
  return found;
}
