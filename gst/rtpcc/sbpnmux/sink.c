/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sbpnmux/sink.h"

#include "rtpcc/common/pads.h"
#include "rtpcc/common/utils.h"
#include "rtpcc/sbpnmux/caps.h"

static GstRtpCcSendInput *
input_of (GstRtpSbpnMuxPad * pad)
{
  return gst_pad_get_element_private (GST_PAD (pad));
}

/* --- what the source pad has to say first --------------------------------- */

static GstEvent *
make_stream_start (GstElement * element)
{
  gchar *id = g_strdup_printf ("%s-%08x", GST_OBJECT_NAME (element),
      g_random_int ());
  GstEvent *event = gst_event_new_stream_start (id);

  gst_event_set_group_id (event, gst_util_group_id_next ());
  g_free (id);
  return event;
}

guint
gst_rtp_cc_mux_sink_before (GstRtpCcMuxSink * s, GstEvent ** events)
{
  guint n = 0;

  if (G_LIKELY (!s->need_start && !s->need_caps && !s->need_segment))
    return 0;
  if (s->need_start)
    events[n++] = make_stream_start (s->send->element);
  if (s->need_caps && s->caps)
    events[n++] = gst_event_new_caps (s->caps);
  if (s->need_segment) {
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    events[n++] = gst_event_new_segment (&segment);
  }
  s->need_start = s->need_segment = FALSE;
  s->need_caps = s->need_caps && !s->caps;
  return n;
}

void
gst_rtp_cc_mux_sink_again (GstRtpCcMuxSink * s, gboolean stream)
{
  s->need_segment = TRUE;
  s->need_start |= stream;
  s->need_caps |= stream;
}

GstRtpSbpnMuxPad *
gst_rtp_cc_mux_sink_pad (GstRtpCcMuxSink * s, guint k)
{
  return k < RCC_SEND_PADS ? (GstRtpSbpnMuxPad *) s->send->inputs[k].pad : NULL;
}

/* With the core locked: the pads' caps have changed. */
static void
renew_caps (GstRtpCcMuxSink * s)
{
  GstCaps *all[RCC_SEND_PADS] = { NULL };
  gboolean contradicted;
  GstCaps *caps;

  for (guint k = 0; k < RCC_SEND_PADS; k++)
    all[k] = s->send->inputs[k].pad ? gst_rtp_cc_mux_sink_pad (s, k)->caps
        : NULL;
  caps = gst_rtp_cc_mux_caps (all, RCC_SEND_PADS, &contradicted);
  if (!caps)
    return;                     /* what is known still holds for what is queued */
  if (contradicted)
    GST_WARNING_OBJECT (s->send->src,
        "the pads' caps give one header extension "
        "several numbers, or one number several extensions: it is left out; give "
        "it the same extmap-N at all payloaders");
  if (!s->caps || !gst_caps_is_equal (caps, s->caps)) {
    s->need_caps = TRUE;
    gst_caps_replace (&s->caps, caps);
  }
  gst_caps_unref (caps);
}

/* --- settings ------------------------------------------------------------- */

static void
open_pad (GstRtpCcMuxSink * s, GstRtpSbpnMuxPad * pad)
{
  GstRtpCcSendInput *input = input_of (pad);
  const RccSbpnClassConfig config =
      gst_rtp_sbpn_mux_pad_class (pad, input->media == RCC_MEDIA_AUDIO,
      input->media == RCC_MEDIA_VIDEO, &input->expiry);

  rcc_send_open (&s->send->path, input->k, &config, input->expiry);
}

void
gst_rtp_cc_mux_sink_open (GstRtpCcMuxSink * s)
{
  for (guint k = 0; k < RCC_SEND_PADS; k++)
    if (s->send->inputs[k].pad)
      open_pad (s, gst_rtp_cc_mux_sink_pad (s, k));
}

static gboolean
is_ours (GstRtpCcMuxSink * s, GstRtpSbpnMuxPad * pad)
{
  return input_of (pad) && input_of (pad)->pad == GST_PAD (pad);
}

void
gst_rtp_cc_mux_sink_reconfigure (GstRtpCcMuxSink * s, GstRtpSbpnMuxPad * pad)
{
  gst_rtp_cc_driver_lock (s->send->driver);
  if (is_ours (s, pad))
    open_pad (s, pad);
  gst_rtp_cc_driver_unlock (s->send->driver);
  s->pads_changed (s->send->element);
}

void
gst_rtp_cc_mux_sink_stats (GstRtpCcMuxSink * s, GstRtpSbpnMuxPad * pad,
    GstClockTime now, GstStructure * stats)
{
  RccSend *path = &s->send->path;
  guint k;

  if (!is_ours (s, pad))
    return;
  k = input_of (pad)->k;
  if (now != GST_CLOCK_TIME_NONE)
    rcc_send_measure (path, k, now);
  gst_rtp_cc_stats_add (stats, rcc_sbpn_class_fields,
      rcc_sbpn_class (&path->sbpn, k));
  gst_rtp_cc_stats_add (stats, rcc_send_pad_fields, &path->pads[k]);
}

/* --- data ----------------------------------------------------------------- */

static GstClockTime
running (const GstSegment * segment, GstClockTime time)
{
  guint64 t;

  if (gst_segment_to_running_time_full (segment, GST_FORMAT_TIME, time,
          &t) != 1)
    return GST_CLOCK_TIME_NONE;
  return t;
}

/* Running times, in the one segment that leaves. */
static gboolean
retime (GstBuffer ** buffer, guint i, gpointer user_data)
{
  const GstSegment *segment = user_data;

  *buffer = gst_buffer_make_writable (*buffer);
  GST_BUFFER_PTS (*buffer) = running (segment, GST_BUFFER_PTS (*buffer));
  GST_BUFFER_DTS (*buffer) = running (segment, GST_BUFFER_DTS (*buffer));
  return TRUE;
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpSbpnMuxPad *mux_pad = (GstRtpSbpnMuxPad *) pad; /* per packet: unchecked */

  if (!mux_pad->plain)
    retime (&buffer, 0, &mux_pad->segment);
  return gst_rtp_cc_send_chain (pad, parent, buffer);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpSbpnMuxPad *mux_pad = (GstRtpSbpnMuxPad *) pad;

  if (!mux_pad->plain) {
    list = gst_buffer_list_make_writable (list);
    gst_buffer_list_foreach (list, retime, &mux_pad->segment);
  }
  return gst_rtp_cc_send_chain_list (pad, parent, list);
}

/* --- events and queries --------------------------------------------------- */

static GstRtpCcMuxSink *
sink_of (GstPad * pad)
{
  return GST_RTP_SBPN_MUX_PAD (pad)->sink;
}

static void
take_caps (GstRtpCcMuxSink * s, GstRtpSbpnMuxPad * pad, GstCaps * caps)
{
  gst_rtp_cc_send_caps (GST_PAD (pad), caps);
  gst_rtp_cc_driver_lock (s->send->driver);
  gst_caps_replace (&pad->caps, caps);
  if (is_ours (s, pad)) {
    open_pad (s, pad);
    renew_caps (s);
  }
  gst_rtp_cc_driver_unlock (s->send->driver);
  s->pads_changed (s->send->element);
}

static void
take_segment (GstRtpSbpnMuxPad * pad, GstEvent * event)
{
  gst_event_copy_segment (event, &pad->segment);
  pad->plain = pad->segment.format != GST_FORMAT_TIME
      || gst_rtp_cc_segment_is_plain (&pad->segment);
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpSbpnMuxPad *mux_pad = GST_RTP_SBPN_MUX_PAD (pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      gst_rtp_cc_send_stream_start (pad);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      take_caps (mux_pad->sink, mux_pad, caps);
      break;
    case GST_EVENT_SEGMENT:
      take_segment (mux_pad, event);
      break;
    case GST_EVENT_GAP:        /* the others may have none */
    case GST_EVENT_SEGMENT_DONE:
    case GST_EVENT_STREAM_GROUP_DONE:
    case GST_EVENT_STREAM_COLLECTION:
      break;
    default:
      return gst_rtp_cc_send_sink_event (pad, parent, event);
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
query_caps (GstPad * src, GstQuery * query)
{
  GstCaps *filter, *caps, *downstream = gst_pad_peer_query_caps (src, NULL);

  caps = gst_rtp_cc_mux_caps_upstream (downstream);
  gst_caps_unref (downstream);
  gst_query_parse_caps (query, &filter);
  if (filter) {
    GstCaps *both =
        gst_caps_intersect_full (caps, filter, GST_CAPS_INTERSECT_FIRST);

    gst_caps_unref (caps);
    caps = both;
  }
  gst_query_set_caps_result (query, caps);
  gst_caps_unref (caps);
  return TRUE;
}

static gboolean
sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_CAPS)
    return query_caps (sink_of (pad)->send->src, query);
  return gst_rtp_cc_send_sink_query (pad, parent, query);
}

static GstIterator *
sink_links (GstPad * pad, GstObject * parent)
{
  return gst_rtp_cc_only_link (sink_of (pad)->send->src);
}

static gint
is_rtcp_pad (gconstpointer a, gconstpointer b)
{
  return GST_IS_RTP_SBPN_MUX_PAD (g_value_get_object (a)) ? 0 : 1;
}

/* All sink pads of RTP, and not those of RTCP. */
static GstIterator *
src_links (GstPad * pad, GstObject * parent)
{
  GValue unused = G_VALUE_INIT;

  g_value_init (&unused, G_TYPE_BOOLEAN);
  return gst_iterator_filter (gst_element_iterate_sink_pads (GST_ELEMENT
          (parent)), is_rtcp_pad, &unused);
}

/* --- pads ----------------------------------------------------------------- */

void
gst_rtp_cc_mux_sink_init (GstRtpCcMuxSink * s, GstRtpCcSend * send,
    void (*pads_changed) (GstElement * element))
{
  s->send = send;
  s->pads_changed = pads_changed;
  gst_pad_set_iterate_internal_links_function (send->src,
      GST_DEBUG_FUNCPTR (src_links));
}

void
gst_rtp_cc_mux_sink_clear (GstRtpCcMuxSink * s)
{
  gst_caps_replace (&s->caps, NULL);
}

static void
set_functions (GstPad * pad)
{
  gst_pad_set_chain_function (pad, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_chain_list_function (pad, GST_DEBUG_FUNCPTR (chain_list));
  gst_pad_set_event_function (pad, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_query_function (pad, GST_DEBUG_FUNCPTR (sink_query));
  gst_pad_set_iterate_internal_links_function (pad,
      GST_DEBUG_FUNCPTR (sink_links));
  GST_PAD_SET_PROXY_ALLOCATION (pad);
}

gboolean
gst_rtp_cc_mux_sink_add (GstRtpCcMuxSink * s, GstRtpSbpnMuxPad * pad)
{
  pad->sink = s;
  if (gst_rtp_cc_send_add (s->send, GST_PAD (pad)) == RCC_SEND_PADS)
    return FALSE;
  set_functions (GST_PAD (pad));
  gst_rtp_cc_driver_lock (s->send->driver);
  open_pad (s, pad);
  gst_rtp_cc_driver_unlock (s->send->driver);
  return TRUE;
}

void
gst_rtp_cc_mux_sink_remove (GstRtpCcMuxSink * s, GstRtpSbpnMuxPad * pad)
{
  gst_rtp_cc_send_remove (s->send, input_of (pad)->k);
  gst_rtp_cc_driver_lock (s->send->driver);
  renew_caps (s);
  gst_rtp_cc_driver_unlock (s->send->driver);
  s->pads_changed (s->send->element);
}
