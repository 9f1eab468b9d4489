/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The sink pads of rtpsbpnmux: what of a stream goes on, and what ends here.
 */
#include "rtpcc/gstrtpccmuxpathprivate.h"

#include "rtpcc/gstrtpccmuxcaps.h"

/* --- data --------------------------------------------------------------------- */

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
  GstRtpCcMuxPath *path = gst_rtp_cc_mux_path_of (pad);
  const GstFlowReturn flow = g_atomic_int_get (&path->flow);

  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  if (!mux_pad->plain)
    retime (&buffer, 0, &mux_pad->segment);
  return gst_rtp_cc_mux_path_admit (mux_pad, path, buffer,
      gst_rtp_cc_mux_order_arrive);
}

static GstFlowReturn
chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpSbpnMuxPad *mux_pad = (GstRtpSbpnMuxPad *) pad;
  GstRtpCcMuxPath *path = gst_rtp_cc_mux_path_of (pad);
  const GstFlowReturn flow = g_atomic_int_get (&path->flow);

  if (flow != GST_FLOW_OK) {
    gst_buffer_list_unref (list);
    return flow;
  }
  if (!mux_pad->plain) {
    list = gst_buffer_list_make_writable (list);
    gst_buffer_list_foreach (list, retime, &mux_pad->segment);
  }
  return gst_rtp_cc_mux_path_admit (mux_pad, path, list,
      gst_rtp_cc_mux_order_arrive_list);
}

/* --- events ------------------------------------------------------------------- */

/* Not all payloaders say which packets are DELTA_UNITs: rtpvp8pay of 1.22 does not. */
static gboolean
is_inter_coded (const gchar * encoding)
{
  static const gchar *const codecs[] = {
    "H261", "H263", "H263-1998", "H263-2000", "H264", "H265", "H266", "VP8",
    "VP8-DRAFT-IETF-01", "VP9", "VP9-DRAFT-IETF-01", "AV1", "MP4V-ES", "MPV",
    "THEORA",
  };

  for (guint i = 0; i < G_N_ELEMENTS (codecs); i++)
    if (g_strcmp0 (encoding, codecs[i]) == 0)
      return TRUE;
  return FALSE;
}

static void
take_caps (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad, GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  const gchar *media = gst_structure_get_string (s, "media");
  GstRtpCcMuxConfig config;

  gst_rtp_cc_driver_lock (path->driver);
  gst_caps_replace (&pad->caps, caps);
  pad->media = g_strcmp0 (media, "audio") == 0 ? GST_RTP_SBPN_MUX_AUDIO
      : g_strcmp0 (media, "video") == 0 ? GST_RTP_SBPN_MUX_VIDEO
      : GST_RTP_SBPN_MUX_UNKNOWN;
  pad->inter = is_inter_coded (gst_structure_get_string (s, "encoding-name"));
  if (pad->klass < GST_RTP_CC_MUX_PADS) {
    config = gst_rtp_sbpn_mux_pad_config (pad);
    gst_rtp_cc_mux_queue_open (&path->order.queue, pad->klass, &config);
    gst_rtp_cc_mux_order_renew_caps (&path->order);
  }
  gst_rtp_cc_driver_unlock (path->driver);
  path->funcs->pads_changed (path->order.element);
}

static void
take_segment (GstRtpSbpnMuxPad * pad, GstEvent * event)
{
  GstSegment *s = &pad->segment;

  gst_event_copy_segment (event, s);
  pad->plain = s->format != GST_FORMAT_TIME || (s->rate == 1.0 && s->base == 0
      && s->start == 0 && s->offset == 0 && s->stop == GST_CLOCK_TIME_NONE);
}

/* A new stream may follow an ended one. */
static void
take_stream_start (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad)
{
  gst_rtp_cc_driver_lock (path->driver);
  pad->eos = FALSE;
  if (path->order.ended)
    gst_rtp_cc_mux_order_start_over (&path->order);
  gst_rtp_cc_driver_unlock (path->driver);
  if (g_atomic_int_get (&path->flow) == GST_FLOW_EOS)
    gst_rtp_cc_mux_path_start (path);
}

static gboolean
sink_serialized (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad,
    GstEvent * event)
{
  const GstFlowReturn flow = g_atomic_int_get (&path->flow);
  const gboolean end = GST_EVENT_TYPE (event) == GST_EVENT_EOS;

  if (flow != GST_FLOW_OK) {
    if (end)
      gst_rtp_cc_mux_path_report (path, flow);
    gst_event_unref (event);
    return FALSE;
  }
  if (!end)
    return gst_rtp_cc_mux_path_admit (pad, path, event,
        gst_rtp_cc_mux_order_arrive_event) == GST_FLOW_OK;
  gst_event_unref (event);
  return gst_rtp_cc_mux_path_admit (pad, path, NULL,
      gst_rtp_cc_mux_order_arrive_end) == GST_FLOW_OK;
}

/* --- flushing ------------------------------------------------------------------ */

static void
begin_flush (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad, GstEvent * event)
{
  gboolean all;

  gst_rtp_cc_driver_lock (path->driver);
  pad->flushing = TRUE;
  if (pad->klass < GST_RTP_CC_MUX_PADS)
    gst_rtp_cc_mux_order_flush (&path->order, pad->klass, FALSE);
  all = gst_rtp_cc_mux_order_all_flushing (&path->order)
      && !path->order.flushed;
  path->order.flushed |= all;
  gst_rtp_cc_driver_unlock (path->driver);
  if (!all) {
    gst_event_unref (event);
    gst_rtp_cc_waiter_wake (path->waiter);
    return;
  }
  gst_rtp_cc_mux_path_stop (path);
  gst_pad_push_event (path->order.src, event);
  gst_pad_pause_task (path->order.src);
}

/* Downstream's flush is over; @event may be NULL. */
static void
flush_downstream (GstRtpCcMuxPath * path, GstEvent * event)
{
  gst_pad_push_event (path->order.src,
      event ? event : gst_event_new_flush_stop (TRUE));
  if (gst_pad_is_active (path->order.src))
    gst_rtp_cc_mux_path_start (path);
}

static void
end_flush (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad, GstEvent * event)
{
  gboolean first;

  gst_rtp_cc_driver_lock (path->driver);
  if (pad->klass < GST_RTP_CC_MUX_PADS)
    gst_rtp_cc_mux_order_flush (&path->order, pad->klass, FALSE);
  pad->flushing = pad->eos = FALSE;
  first = gst_rtp_cc_mux_order_end_flush (&path->order);
  gst_rtp_cc_driver_unlock (path->driver);
  if (first)
    flush_downstream (path, event);
  else
    gst_event_unref (event);
}

void
gst_rtp_cc_mux_sink_gone (GstRtpCcMuxPath * path, GstRtpSbpnMuxPad * pad)
{
  gboolean last = FALSE;

  gst_rtp_cc_driver_lock (path->driver);
  if (pad->klass < GST_RTP_CC_MUX_PADS) {
    gst_rtp_cc_mux_order_flush (&path->order, pad->klass, TRUE);
    path->order.pads[pad->klass] = NULL;
    pad->klass = GST_RTP_CC_MUX_PADS;
    gst_rtp_cc_mux_order_renew_caps (&path->order);
    /* nobody is left who would end it */
    last = path->order.flushed && !gst_rtp_cc_mux_order_any_pad (&path->order)
        && gst_rtp_cc_mux_order_end_flush (&path->order);
  }
  gst_rtp_cc_driver_unlock (path->driver);
  if (last)
    flush_downstream (path, NULL);
}

static gboolean
sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpSbpnMuxPad *mux_pad = GST_RTP_SBPN_MUX_PAD (pad);
  GstRtpCcMuxPath *path = gst_rtp_cc_mux_path_of (pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      begin_flush (path, mux_pad, event);
      return TRUE;
    case GST_EVENT_FLUSH_STOP:
      end_flush (path, mux_pad, event);
      return TRUE;
    case GST_EVENT_STREAM_START:
      take_stream_start (path, mux_pad);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      take_caps (path, mux_pad, caps);
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
      if (GST_EVENT_IS_SERIALIZED (event))
        return sink_serialized (path, mux_pad, event);
      return gst_pad_push_event (path->order.src, event);
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
query_caps (GstRtpCcMuxPath * path, GstQuery * query)
{
  GstCaps *filter, *caps, *downstream =
      gst_pad_peer_query_caps (path->order.src, NULL);

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

/* A serialised query would overtake what is queued. */
static gboolean
sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstRtpCcMuxPath *path = gst_rtp_cc_mux_path_of (pad);
  gboolean clear;

  if (GST_QUERY_TYPE (query) == GST_QUERY_CAPS)
    return query_caps (path, query);
  if (GST_QUERY_IS_SERIALIZED (query)) {
    gst_rtp_cc_driver_lock (path->driver);
    clear = gst_rtp_cc_mux_order_is_clear (&path->order);
    gst_rtp_cc_driver_unlock (path->driver);
    if (!clear)
      return FALSE;
  }
  return gst_pad_query_default (pad, parent, query);
}

static GstIterator *
sink_links (GstPad * pad, GstObject * parent)
{
  GValue value = G_VALUE_INIT;
  GstIterator *it;

  g_value_init (&value, GST_TYPE_PAD);
  g_value_set_object (&value, gst_rtp_cc_mux_path_of (pad)->order.src);
  it = gst_iterator_new_single (GST_TYPE_PAD, &value);
  g_value_unset (&value);
  return it;
}

static gboolean
sink_activate_mode (GstPad * pad, GstObject * parent, GstPadMode mode,
    gboolean active)
{
  GstRtpSbpnMuxPad *mux_pad = GST_RTP_SBPN_MUX_PAD (pad);
  GstRtpCcMuxPath *path = gst_rtp_cc_mux_path_of (pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  if (!active)
    return TRUE;
  gst_rtp_cc_driver_lock (path->driver);
  mux_pad->eos = mux_pad->flushing = FALSE;
  gst_rtp_cc_driver_unlock (path->driver);
  return TRUE;
}

void
gst_rtp_cc_mux_sink_set_functions (GstPad * pad, GstRtpCcMuxPath * path)
{
  gst_pad_set_element_private (pad, path);
  gst_pad_set_chain_function (pad, GST_DEBUG_FUNCPTR (chain));
  gst_pad_set_chain_list_function (pad, GST_DEBUG_FUNCPTR (chain_list));
  gst_pad_set_event_function (pad, GST_DEBUG_FUNCPTR (sink_event));
  gst_pad_set_query_function (pad, GST_DEBUG_FUNCPTR (sink_query));
  gst_pad_set_activatemode_function (pad,
      GST_DEBUG_FUNCPTR (sink_activate_mode));
  gst_pad_set_iterate_internal_links_function (pad,
      GST_DEBUG_FUNCPTR (sink_links));
  GST_PAD_SET_PROXY_ALLOCATION (pad);
}
