/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/lead.h"

#include <stdio.h>

#include <gst/rtp/gstrtcpbuffer.h>

#include "wire/rtcp.h"

static gboolean
is_goodbye (GstBuffer * compound)
{
  GstMapInfo map;
  gboolean bye;

  if (!gst_buffer_map (compound, &map, GST_MAP_READ))
    return FALSE;
  bye = rcc_rtcp_has ((RccBytes) {
      map.data, map.size}
      , RCC_RTCP_BYE);
  gst_buffer_unmap (compound, &map);
  return bye;
}

/* The session of @rtcp whose RTP has ended (transfer full); NULL: it has not. */
static GObject *
ended_session (GstPad * rtcp)
{
  g_autoptr (GstElement) rtpbin = gst_pad_get_parent_element (rtcp);
  g_autofree gchar *name = NULL;
  GObject *session = NULL;
  GstPad *rtp;
  guint id;

  if (!rtpbin || sscanf (GST_PAD_NAME (rtcp), "send_rtcp_src_%u", &id) != 1
      || !g_signal_lookup ("get-internal-session", G_OBJECT_TYPE (rtpbin)))
    return NULL;
  name = g_strdup_printf ("send_rtp_src_%u", id);
  rtp = gst_element_get_static_pad (rtpbin, name);
  if (rtp && GST_PAD_IS_EOS (rtp))
    g_signal_emit_by_name (rtpbin, "get-internal-session", id, &session);
  gst_clear_object (&rtp);
  return session;
}

#define SOURCES 31              /* of one BYE (RFC 3550 6.6) */

static gboolean
is_own (const GstStructure * source, guint * ssrc)
{
  gboolean internal = FALSE;

  return source && gst_structure_get (source, "internal", G_TYPE_BOOLEAN, &internal, "ssrc",
      G_TYPE_UINT, ssrc, NULL) && internal;
}

/* A BYE of all sources of @session. */
static GstBuffer *
make_goodbye (GObject * session)
{
  const GValueArray *sources = NULL;
  guint8 bytes[4 + 4 * SOURCES];
  GstStructure *stats = NULL;
  const GValue *value;
  guint n = 0, ssrc;

  g_object_get (session, "stats", &stats, NULL);
  value = gst_structure_get_value (stats, "source-stats");
  sources = value ? g_value_get_boxed (value) : NULL;
  for (guint i = 0; sources && i < sources->n_values && n < SOURCES; i++)
    if (is_own (gst_value_get_structure (&sources->values[i]), &ssrc))
      GST_WRITE_UINT32_BE (bytes + 4 + 4 * n++, ssrc);
  gst_structure_free (stats);
  bytes[0] = (guint8) (GST_RTCP_VERSION << 6 | n);
  bytes[1] = GST_RTCP_TYPE_BYE;
  GST_WRITE_UINT16_BE (bytes + 2, n);
  return gst_buffer_new_memdup (bytes, 4 + 4 * n);
}

#define GOODBYES 3              /* each may be lost as any packet; the other end would wait */
#define BETWEEN (50 * G_TIME_SPAN_MILLISECOND)  /* a queue that was full has room again */

static void
say_goodbye (GstPad * feed, GstBuffer * goodbye)
{
  for (guint i = 1; i < GOODBYES
      && gst_pad_push (feed, gst_buffer_ref (goodbye)) == GST_FLOW_OK; i++)
    g_usleep (BETWEEN);
  gst_pad_push (feed, goodbye);
}

/* The goodbye ends RTCP, and is that of all sources.  rtpsession sends one for each, and means to
 * end RTCP after the first: the others would not leave.  And it asks for a flag that the thread of
 * RTP sets after it has let the goodbye go: who is late there would wait for ever. */
static void
hand_on_packet (GstPad * pad, GstBuffer * compound, GstPad * feed)
{
  GObject *session = is_goodbye (compound) ? ended_session (pad) : NULL;

  if (!session) {
    gst_pad_push (feed, gst_buffer_ref (compound));
    return;
  }
  say_goodbye (feed, gst_buffer_append (gst_buffer_copy (compound), make_goodbye (session)));
  gst_pad_push_event (feed, gst_event_new_eos ());
  g_object_unref (session);
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
