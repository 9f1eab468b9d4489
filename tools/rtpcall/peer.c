/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "peer.h"

#include <math.h>

const RccController call_peer_row = {
  .name = CALL_PEER_NAME,
  .text = "GCC of gst-plugins-rs, where that is installed",
  .feedbacks = { "twcc" },
};

/* In the thread that has the feedback.  What listens upstream is as with our elements: the mux,
 * which divides, and the encoder's adapter. */
static void
on_estimate (GObject *peer, GParamSpec *property, Call *call)
{
  GstPad *sink = gst_element_get_static_pad (GST_ELEMENT (peer), "sink");
  guint bps;

  g_object_get (peer, "estimated-bitrate", &bps, NULL);
  gst_pad_push_event (sink, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstRtpTargetBitrate", "target-bitrate", G_TYPE_UINT, bps,
              "source", G_TYPE_STRING, CALL_PEER_NAME, NULL)));
  gst_object_unref (sink);
}

gboolean
call_add_peer (Call *call, GError **error)
{
  const CallOptions *o = call->options;

  call->peer = call_add (call, error, CALL_PEER_NAME, "estimator", o->variant, NULL);
  if (!call->peer)
    return FALSE;
  g_object_set (call->peer, "min-bitrate", o->min_bps, "max-bitrate", o->max_bps,
      "estimated-bitrate", o->start_bps, NULL);
  g_signal_connect (call->peer, "notify::estimated-bitrate", G_CALLBACK (on_estimate), call);
  return TRUE;
}

double
call_peer_target (Call *call)
{
  guint bps;

  if (!call->peer)
    return NAN;
  g_object_get (call->peer, "estimated-bitrate", &bps, NULL);
  return bps;
}
