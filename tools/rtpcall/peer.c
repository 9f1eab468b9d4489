/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "peer.h"
#include "peers.h"
#include "screamtx.h"

#include <math.h>

double
call_peer_target (Call *call)
{
  const CallPeer *peer = call_peer_find (call->options->cc->name);
  guint number;

  if (!call->peer)
    return NAN;
  g_object_get (call->peer, peer->estimate, &number, NULL);
  return number * peer->unit;
}

/* In the thread that has the feedback.  What listens upstream is as with our elements: the mux,
 * which divides, and the encoder's adapter. */
static void
on_estimate (GObject *peer, GParamSpec *property, Call *call)
{
  GstPad *sink = gst_element_get_static_pad (GST_ELEMENT (peer), "sink");
  const double bps = call_peer_target (call);

  if (bps > 0)
    gst_pad_push_event (sink, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
            gst_structure_new ("GstRtpTargetBitrate", "target-bitrate", G_TYPE_UINT, (guint) bps,
                "source", G_TYPE_STRING, call->options->cc->name, NULL)));
  gst_object_unref (sink);
}

/* As its authors' script does; kbit/s. */
static void
configure_scream (GstElement *peer, const CallOptions *o)
{
  g_autofree char *params = g_strdup_printf ("-nosummary -forceidr -initrate %u -minrate %u "
      "-maxrate %u", o->start_bps / 1000, o->min_bps / 1000, o->max_bps / 1000);

  g_object_set (peer, "params", params, NULL);
}

gboolean
call_add_peer (Call *call, GError **error)
{
  const CallOptions *o = call->options;
  g_autofree char *signal = g_strconcat ("notify::", call_peer_find (o->cc->name)->estimate, NULL);

  call->peer = call_add (call, error, o->cc->name, NULL);
  if (!call->peer)
    return FALSE;
  if (o->variant) {
    gst_util_set_object_arg (G_OBJECT (call->peer), "estimator", o->variant);
    g_object_set (call->peer, "min-bitrate", o->min_bps, "max-bitrate", o->max_bps,
        "estimated-bitrate", o->start_bps, NULL);
  } else
    configure_scream (call->peer, o);
  g_signal_connect (call->peer, signal, G_CALLBACK (on_estimate), call);
  return TRUE;
}

/* screamtx takes RFC 8888 feedback alone, and no compound that begins with a report. */
static GstPadProbeReturn
hand_feedback (GstPad *pad, GstPadProbeInfo *info, gpointer sink)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstMapInfo map;
  RccRtcpPacket p;
  RccCcfb ccfb;
  RccBytes rest;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return GST_PAD_PROBE_OK;
  rest = (RccBytes) { map.data, map.size };
  while (rcc_rtcp_next (&rest, &p))
    if (rcc_ccfb_parse (&p, &ccfb)) {
      guint8 *copy = g_memdup2 (p.whole.data, p.whole.size);

      if (call_peer_scream_ccfb (copy, &ccfb))
        gst_pad_chain (sink, gst_buffer_new_wrapped (copy, p.whole.size));
      else
        g_free (copy);
    }
  gst_buffer_unmap (buffer, &map);
  return GST_PAD_PROBE_OK;
}

static void
tap_rtcp (GstElement *before, GstElement *peer)
{
  GstPad *from = gst_element_get_static_pad (before, "rtcp_src");
  GstPad *sink = gst_element_get_static_pad (peer, "rtcp_sink");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_set_active (sink, TRUE);
  gst_pad_send_event (sink, gst_event_new_stream_start ("rtcp"));
  gst_pad_send_event (sink, gst_event_new_segment (&segment));
  gst_pad_add_probe (from, GST_PAD_PROBE_TYPE_BUFFER, hand_feedback, sink, gst_object_unref);
  gst_object_unref (from);
}

/* rtpgccbwe has its feedback from the session as an event, screamtx from RTCP. */
gboolean
call_peer_link (Call *call, GstElement *before, GError **error)
{
  if (call->options->feedback == CALL_CCFB) {
    tap_rtcp (before, call->peer);
    call_screamtx_guard (call->peer, call->video_ssrc);
  }
  return call_link (error, before, "src", call->peer, "sink")
      && call_link (error, call->peer, "src", call->send_rtpbin, "send_rtp_sink_0")
      && call_link (error, before, "rtcp_src", call->send_rtpbin, "recv_rtcp_sink_0");
}
