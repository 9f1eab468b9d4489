/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/lead.h"

static GstPadProbeReturn
hand_on (GstPad * pad, GstPadProbeInfo * info, gpointer feed)
{
  if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
    gst_pad_push_event (feed, gst_event_ref (GST_PAD_PROBE_INFO_EVENT (info)));
  else if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    gst_pad_push (feed, gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info)));
  return GST_PAD_PROBE_DROP;
}

static gboolean
copy_event (GstPad * pad, GstEvent ** event, gpointer feed)
{
  gst_pad_push_event (feed, gst_event_ref (*event));
  return TRUE;
}

gulong
gst_rtp_cc_lead_out (GstPad * src, GstPad * feed)
{
  gst_pad_sticky_events_foreach (src, copy_event, feed);
  return gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, hand_on, gst_object_ref (feed),
      gst_object_unref);
}

void
gst_rtp_cc_lead (GstPad * sink)
{
  GstPad *src = gst_pad_get_peer (sink), *feed;

  if (!src)
    return;
  gst_pad_unlink (src, sink);
  feed = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SRC));
  gst_pad_set_active (feed, TRUE);
  gst_pad_link (feed, sink);
  gst_rtp_cc_lead_out (src, feed);
  gst_object_unref (feed);
  gst_object_unref (src);
}
