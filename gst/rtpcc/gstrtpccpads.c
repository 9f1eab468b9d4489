/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccpads.h"

GstPad *
gst_rtp_cc_pad_mate (GstPad * pad)
{
  return g_object_get_data (G_OBJECT (pad), "rtpcc-mate");
}

static GstIterator *
internal_links (GstPad * pad, GstObject * parent)
{
  GstPad *mate = gst_rtp_cc_pad_mate (pad);
  GValue value = G_VALUE_INIT;
  GstIterator *it;

  if (!mate)
    return NULL;
  g_value_init (&value, GST_TYPE_PAD);
  g_value_set_object (&value, mate);
  it = gst_iterator_new_single (GST_TYPE_PAD, &value);
  g_value_unset (&value);
  return it;
}

void
gst_rtp_cc_add_pad_pair (GstElement * element, GstPad * sink, GstPad * src)
{
  g_object_set_data (G_OBJECT (sink), "rtpcc-mate", src);
  g_object_set_data (G_OBJECT (src), "rtpcc-mate", sink);
  gst_pad_set_iterate_internal_links_function (sink, internal_links);
  gst_pad_set_iterate_internal_links_function (src, internal_links);
  GST_PAD_SET_PROXY_CAPS (sink);
  GST_PAD_SET_PROXY_ALLOCATION (sink);
  gst_element_add_pad (element, src);
  gst_element_add_pad (element, sink);
}
