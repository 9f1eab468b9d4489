/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/guard.h"

#include <gst/net/net.h>
#include <gst/rtp/gstrtcpbuffer.h>

#include "rtpcc/bin/source.h"
#include "wire/rtcp.h"

#define STRANGERS 8

typedef struct
{
  GstElement *rtpbin;           /* has the pad */
  guint session;
  guint32 last;                 /* that was no stranger; 0: none */
  guint32 strangers[STRANGERS];
  guint n;
} Guard;

static gboolean
is_ours (const Guard * g, guint32 ssrc)
{
  g_autoptr (GstStructure) stats = gst_rtp_cc_bin_source_stats (g->rtpbin, g->session, ssrc);
  gboolean internal = FALSE;

  return stats && gst_structure_get_boolean (stats, "internal", &internal) && internal;
}

/* Of RFC 8888 the first block stands where others have the media's SSRC. */
static gboolean
packet_names_us (const Guard * g, const RccRtcpPacket * packet)
{
  RccRtcpFeedback feedback;
  RccRtcpReport report;
  RccReportBlock block;

  if (rcc_rtcp_feedback (packet, &feedback))
    return is_ours (g, feedback.media_ssrc);
  if (!rcc_rtcp_report (packet, &report))
    return FALSE;
  for (guint i = 0; i < report.n_blocks; i++) {
    rcc_rtcp_block (&report, i, &block);
    if (is_ours (g, block.ssrc))
      return TRUE;
  }
  return FALSE;
}

static gboolean
names_us (const Guard * g, GstBuffer * compound)
{
  gboolean found = FALSE;
  RccRtcpPacket packet;
  GstMapInfo map;
  RccBytes rest;

  if (!gst_buffer_map (compound, &map, GST_MAP_READ))
    return FALSE;
  rest = (RccBytes) {
  map.data, map.size};
  while (!found && rcc_rtcp_next (&rest, &packet))
    found = packet_names_us (g, &packet);
  gst_buffer_unmap (compound, &map);
  return found;
}

/* Whether @what has not been said of it. */
static gboolean
is_first_time (GstElement * rtpbin, const gchar * what)
{
  return g_object_replace_data (G_OBJECT (rtpbin), what, NULL, GINT_TO_POINTER (TRUE), NULL,
      NULL);
}

static gboolean
may_be_let_in (Guard * g, guint32 ssrc)
{
  for (guint i = 0; i < g->n; i++)
    if (g->strangers[i] == ssrc)
      return TRUE;
  if (g->n == STRANGERS) {
    if (is_first_time (g->rtpbin, "strangers"))
      GST_ELEMENT_WARNING (g->rtpbin, RESOURCE, READ, ("RTCP of more than %d SSRCs came that "
              "neither send RTP here nor report on ours. More of it is dropped: keep such packets "
              "out by a firewall.", STRANGERS), (NULL));
    return FALSE;
  }
  g->strangers[g->n++] = ssrc;
  return TRUE;
}

static gboolean
passes (Guard * g, GstBuffer * buffer)
{
  guint8 head[8];
  guint32 ssrc;

  if (gst_buffer_extract (buffer, 0, head, sizeof head) < sizeof head || head[1] < RCC_RTCP_SR
      || head[1] > RCC_RTCP_XR || !gst_rtcp_buffer_validate_reduced (buffer))
    return TRUE;                /* RTP, or what the session takes for nothing */
  ssrc = GST_READ_UINT32_BE (head + 4);
  if (ssrc == g->last)
    return TRUE;
  if (!gst_rtp_cc_bin_source_has_sent (g->rtpbin, g->session, ssrc) && !is_ours (g, ssrc)
      && !names_us (g, buffer))
    return may_be_let_in (g, ssrc);
  g->last = ssrc;
  return TRUE;
}

static GstBuffer *
without_address (GstBuffer * buffer)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);

  if (!meta)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  meta = gst_buffer_get_net_address_meta (buffer);
  gst_buffer_remove_meta (buffer, (GstMeta *) meta);
  return buffer;
}

static gboolean
check_in_list (GstBuffer ** buffer, guint i, gpointer guard)
{
  if (passes (guard, *buffer))
    *buffer = without_address (*buffer);
  else
    gst_clear_buffer (buffer);
  return TRUE;
}

static GstPadProbeReturn
on_buffers (GstPad * pad, GstPadProbeInfo * info, gpointer guard)
{
  GstBufferList *list;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    info->data = list = gst_buffer_list_make_writable (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
    gst_buffer_list_foreach (list, check_in_list, guard);
  } else if (passes (guard, GST_PAD_PROBE_INFO_BUFFER (info))) {
    info->data = without_address (GST_PAD_PROBE_INFO_BUFFER (info));
  } else {
    return GST_PAD_PROBE_DROP;
  }
  return GST_PAD_PROBE_OK;
}

void
gst_rtp_cc_bin_guard (GstPad * pad, GstElement * rtpbin, guint session)
{
  Guard *g = g_new0 (Guard, 1);

  g->rtpbin = rtpbin;
  g->session = session;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_buffers,
      g, g_free);
}

/* --- streams -------------------------------------------------------------- */

#define SESSION "rtpcc-session"         /* of a jitterbuffer: its number and 1 */

static void
count_of_session (const GValue * child, gpointer data)
{
  guint *counted = data;        /* the session's number and 1; how many */

  counted[1] += GPOINTER_TO_UINT (g_object_get_data (g_value_get_object (child), SESSION))
      == counted[0];
}

static void
on_new_jitterbuffer (GstElement * rtpbin, GstElement * jitterbuffer, guint session, guint ssrc,
    gpointer unused)
{
  GstIterator *children = gst_bin_iterate_elements (GST_BIN (rtpbin));
  guint counted[2] = { session + 1, 0 }, most;

  g_object_set_data (G_OBJECT (jitterbuffer), SESSION, GUINT_TO_POINTER (session + 1));
  gst_iterator_foreach (children, count_of_session, counted);
  gst_iterator_free (children);
  g_object_get (rtpbin, "max-streams", &most, NULL);
  if (counted[1] >= most && is_first_time (rtpbin, "streams"))
    GST_ELEMENT_WARNING (rtpbin, RESOURCE, READ, ("%u streams come, as many as max-streams allows. "
            "What has another SSRC is dropped: keep strangers out by a firewall, or set more.",
            most), (NULL));
}

void
gst_rtp_cc_bin_guard_streams (GstElement * rtpbin)
{
  g_signal_connect (rtpbin, "new-jitterbuffer", G_CALLBACK (on_new_jitterbuffer), NULL);
}
