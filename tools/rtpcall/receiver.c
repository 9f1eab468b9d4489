/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "control.h"
#include "repair.h"
#include "rtx.h"

#include <string.h>

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
add_video (Call *call, GError **error)
{
  GstElement *depay = call_add (call, error, "rtph264depay", "request-keyframe", "true",
      NULL);
  GstElement *decoder = call_add (call, error, "avdec_h264", "max-threads", "1", NULL);
  GstElement *convert = call_add (call, error, "videoconvert", NULL);
  GstElement *sink = add_sink (call, "autovideosink", error);

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

/* "recv_rtp_src_SESSION_SSRC_PT": to the depayloader of its payload type; further
 * streams, and padding without media, go nowhere. */
static void
on_pad_added (GstElement *rtpbin, GstPad *pad, gpointer user_data)
{
  Call *call = user_data;
  const char *name = GST_PAD_NAME (pad), *pt = strrchr (name, '_');
  GstElement *depay = NULL;
  GstPad *sink = NULL;

  if (!g_str_has_prefix (name, "recv_rtp_src_"))
    return;
  if (!strcmp (pt, "_" G_STRINGIFY (CALL_VIDEO_PT)))
    depay = g_object_get_data (G_OBJECT (rtpbin), "video");
  else if (!strcmp (pt, "_" G_STRINGIFY (CALL_AUDIO_PT)))
    depay = g_object_get_data (G_OBJECT (rtpbin), "audio");
  if (depay)
    sink = gst_element_get_static_pad (depay, "sink");
  if (!sink || gst_pad_is_linked (sink)) {
    GstElement *nowhere = call_add (call, NULL, "fakesink", "sync", "false", "async",
        "false", NULL);

    g_clear_object (&sink);
    gst_element_sync_state_with_parent (nowhere);
    sink = gst_element_get_static_pad (nowhere, "sink");
  }
  gst_pad_link (pad, sink);
  gst_object_unref (sink);
}

static void
on_bye (GstElement *rtpbin, guint session, guint ssrc, gpointer user_data)
{
  Call *call = user_data;

  if (call->options->mode == CALL_RECEIVE)
    call_end (call, NULL);
}

gboolean
call_add_receiver (Call *call, GError **error)
{
  g_autofree char *latency = g_strdup_printf ("%d", call->options->latency_ms);
  GstElement *video, *audio = NULL;

  call->recv_rtpbin = call_add (call, error, "rtpbin", "rtp-profile", "avpf", "latency",
      latency, NULL);
  if (call->recv_rtpbin && call->options->rtx)
    call_add_rtx_receiver (call);
  if (call->recv_rtpbin && call_may_have_parity (call->options))
    call_add_repair (call);
  if (call->options->reference && !add_reference (call, error))
    return FALSE;
  if (!call->recv_rtpbin || !(video = add_video (call, error))
      || (!call->options->no_audio && !(audio = add_audio (call, error)))
      || !call_add_estimator (call, error))
    return FALSE;
  g_object_set_data (G_OBJECT (call->recv_rtpbin), "video", video);
  g_object_set_data (G_OBJECT (call->recv_rtpbin), "audio", audio);
  g_signal_connect (call->recv_rtpbin, "request-pt-map", G_CALLBACK (call_pt_map), call);
  g_signal_connect (call->recv_rtpbin, "pad-added", G_CALLBACK (on_pad_added), call);
  g_signal_connect (call->recv_rtpbin, "on-bye-ssrc", G_CALLBACK (on_bye), call);
  return TRUE;
}
