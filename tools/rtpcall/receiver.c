/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "control.h"
#include "repair.h"
#include "rtx.h"
#include "streams.h"

#define MAX_STREAMS 256                 /* whoever sends here; each has a jitterbuffer with a thread */

/* Every picture counts where it is measured, late or not; a window keeps time. */
static GstElement *
add_sink (Call *call, const char *window, GError **error)
{
  if (call->options->show)
    return call_add (call, error, window, NULL);
  return call_add (call, error, "fakesink", "sync", "false", "async", "false", NULL);
}

/* What the other end plays, as it plays it.  It waits for what has come, not for a clock. */
static gboolean
add_reference (Call *call, GError **error)
{
  g_autofree char *depth = g_strdup_printf ("%d", 6 * call->options->fps);
  GstElement *film = NULL, *stamp = call_add (call, error, "framestamp", NULL);

  call->psnr = call_add (call, error, "psnr", "max-size-buffers", depth, NULL);
  return stamp && call->psnr && call_add_source (call, &film, NULL, error)
      && call_chain (error, film, stamp, NULL)
      && call_link (error, stamp, "src", call->psnr, "ref_sink");
}

/* A lost packet makes the depayloader ask for a key frame (the session turns it into
 * a PLI); the decoder shows what it has until then.  Frame threads would delay. */
static GstElement *
add_video (Call *call, GstElement **decoded_by, GError **error)
{
  GstElement *depay = call_add (call, error, "rtph264depay", "request-keyframe", "true",
      NULL);
  GstElement *decoder = call_add (call, error, "avdec_h264", "max-threads", "1", NULL);
  GstElement *convert = call_add (call, error, "videoconvert", NULL);
  GstElement *sink = add_sink (call, "autovideosink", error);

  *decoded_by = decoder;
  if (!depay || !decoder || !convert || !sink || !call_chain (error, depay, decoder, NULL)
      || !call_chain (error, convert, sink, NULL))
    return NULL;
  if (!call->psnr)
    return call_link (error, decoder, "src", convert, "sink") ? depay : NULL;
  if (!call_link (error, decoder, "src", call->psnr, "dist_sink")
      || !call_link (error, call->psnr, "src", convert, "sink"))
    return NULL;
  return depay;
}

static GstElement *
add_audio (Call *call, GError **error)
{
  GstElement *depay = call_add (call, error, "rtpopusdepay", NULL);
  GstElement *decoder = call_add (call, error, "opusdec", "plc", "true", NULL);
  GstElement *convert = call_add (call, error, "audioconvert", NULL);
  GstElement *sink = add_sink (call, "autoaudiosink", error);

  if (!depay || !decoder || !convert || !sink
      || !call_chain (error, depay, decoder, convert, sink, NULL))
    return NULL;
  return depay;
}

/* rtpbin drops what comes with more SSRCs, and says nothing. */
static void
on_new_stream (GstElement *rtpbin, GstElement *jitterbuffer, guint session, guint ssrc, gint *streams)
{
  if (g_atomic_int_add (streams, 1) == MAX_STREAMS - 1)
    g_printerr ("\nrtpcall: %d streams have come, and what has another SSRC is dropped: keep strangers "
        "out by a firewall, or start again\n", MAX_STREAMS);
}

static void
limit_streams (GstElement *rtpbin)
{
  gint *streams = g_new0 (gint, 1);

  g_object_set (rtpbin, "max-streams", MAX_STREAMS, NULL);
  g_object_set_data_full (G_OBJECT (rtpbin), "streams", streams, g_free);
  g_signal_connect (rtpbin, "new-jitterbuffer", G_CALLBACK (on_new_stream), streams);
}

gboolean
call_add_receiver (Call *call, GError **error)
{
  g_autofree char *latency = g_strdup_printf ("%d", call->options->latency_ms);
  GstElement *video, *decoder, *audio = NULL;

  call->wait_ms = (guint) call->options->latency_ms;
  call->recv_rtpbin = call_add (call, error, "rtpbin", "rtp-profile", "avpf", "latency",
      latency, NULL);
  if (call->recv_rtpbin)
    limit_streams (call->recv_rtpbin);
  if (call->recv_rtpbin && call->options->rtx)
    call_add_rtx_receiver (call);
  if (call->recv_rtpbin && call_may_have_parity (call->options))
    call_add_repair (call);
  if (call->options->reference && !add_reference (call, error))
    return FALSE;
  if (!call->recv_rtpbin || !(video = add_video (call, &decoder, error))
      || (!call->options->no_audio && !(audio = add_audio (call, error)))
      || !call_add_estimator (call, error))
    return FALSE;
  g_object_set_data (G_OBJECT (call->recv_rtpbin), "video", video);
  call_add_streams (call, video, decoder, audio);
  g_signal_connect (call->recv_rtpbin, "request-pt-map", G_CALLBACK (call_pt_map), call);
  return TRUE;
}
