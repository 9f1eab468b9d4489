/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/lead.h"

#include <stdio.h>

#include <gst/rtp/gstrtcpbuffer.h>

static gboolean
is_goodbye (GstBuffer * compound)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  gboolean bye = FALSE, more;
  GstRTCPPacket packet;

  if (!gst_rtcp_buffer_map (compound, GST_MAP_READ, &rtcp))
    return FALSE;
  more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  for (; more && !bye; more = gst_rtcp_packet_move_to_next (&packet))
    bye = gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_BYE;
  gst_rtcp_buffer_unmap (&rtcp);
  return bye;
}

/* Of the session that has @rtcp; an rtpbin's has its number. */
static gboolean
rtp_has_ended (GstPad * rtcp)
{
  g_autoptr (GstElement) rtpbin = gst_pad_get_parent_element (rtcp);
  g_autofree gchar *name = NULL;
  gboolean ended = FALSE;
  GstPad *rtp;
  guint id;

  if (!rtpbin || sscanf (GST_PAD_NAME (rtcp), "send_rtcp_src_%u", &id) != 1)
    return FALSE;
  name = g_strdup_printf ("send_rtp_src_%u", id);
  rtp = gst_element_get_static_pad (rtpbin, name);
  ended = rtp && GST_PAD_IS_EOS (rtp);
  gst_clear_object (&rtp);
  return ended;
}

/* The last goodbye ends RTCP.  rtpsession means to do that, but it asks for a flag that the thread
 * of RTP sets after it has let the goodbye go: who is late then waits for ever. */
static void
hand_on_packet (GstPad * pad, GstBuffer * compound, GstPad * feed)
{
  const gboolean last = is_goodbye (compound) && rtp_has_ended (pad);

  gst_pad_push (feed, gst_buffer_ref (compound));
  if (last)
    gst_pad_push_event (feed, gst_event_new_eos ());
}

static GstPadProbeReturn
hand_on (GstPad * pad, GstPadProbeInfo * info, gpointer feed)
{
  if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
    gst_pad_push_event (feed, gst_event_ref (GST_PAD_PROBE_INFO_EVENT (info)));
  else if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    hand_on_packet (pad, GST_PAD_PROBE_INFO_BUFFER (info), feed);
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
