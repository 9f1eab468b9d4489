/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "call.h"
#include "peers.h"

#include <gst/app/app.h>
#include <string.h>

static const struct { const char *factory, *package; } packages[] = {
  {"appsink", "gstreamer1.0-plugins-base"},
  {"appsrc", "gstreamer1.0-plugins-base"},
  {"aspectratiocrop", "gstreamer1.0-plugins-good"},
  {"audioconvert", "gstreamer1.0-plugins-base"},
  {"audioresample", "gstreamer1.0-plugins-base"},
  {"audiotestsrc", "gstreamer1.0-plugins-base"},
  {"autoaudiosink", "gstreamer1.0-plugins-good"},
  {"autoaudiosrc", "gstreamer1.0-plugins-good"},
  {"autovideosink", "gstreamer1.0-plugins-good"},
  {"avdec_h264", "gstreamer1.0-libav"},
  {"capssetter", "gstreamer1.0-plugins-good"},
  {"decodebin", "gstreamer1.0-plugins-base"},
  {"multiudpsink", "gstreamer1.0-plugins-good"},
  {"opusdec", "gstreamer1.0-plugins-base"},
  {"opusenc", "gstreamer1.0-plugins-base"},
  {"rtpbin", "gstreamer1.0-plugins-good"},
  {"rtph264depay", "gstreamer1.0-plugins-good"},
  {"rtph264pay", "gstreamer1.0-plugins-good"},
  {"rtpopusdepay", "gstreamer1.0-plugins-good"},
  {"rtpopuspay", "gstreamer1.0-plugins-good"},
  {"rtprtxreceive", "gstreamer1.0-plugins-good"},
  {"rtprtxsend", "gstreamer1.0-plugins-good"},
  {"rtpulpfecdec", "gstreamer1.0-plugins-good"},
  {"udpsrc", "gstreamer1.0-plugins-good"},
  {"v4l2src", "gstreamer1.0-plugins-good"},
  {"videoconvert", "gstreamer1.0-plugins-base"},
  {"videorate", "gstreamer1.0-plugins-base"},
  {"videoscale", "gstreamer1.0-plugins-base"},
  {"videotestsrc", "gstreamer1.0-plugins-base"},
  {"x264enc", "gstreamer1.0-plugins-ugly"},
};
static const char *const ours[] = { "framestamp", "linksim", "psnr", "rtpbitrateadapter",
  "rtpcircuitbreaker", "rtpfbrafec", "rtpfbrareceiver", "rtpgccreceiver", "rtpgccsender", "rtpsbpnmux", NULL };

static void
say_missing (GError **error, const char *factory)
{
  const CallPeer *peer = call_peer_find (factory);

  for (guint i = 0; i < G_N_ELEMENTS (packages); i++)
    if (!strcmp (factory, packages[i].factory)) {
      call_fail (error, "the GStreamer element %s is missing: install the Debian package "
          "%s", factory, packages[i].package);
      return;
    }
  if (peer)
    call_fail (error, "the GStreamer element %s is missing: %s, and put its folder into "
        "GST_PLUGIN_PATH", factory, peer->advice);
  else if (g_strv_contains (ours, factory))
    call_fail (error, "the GStreamer element %s of gst-rtpcc is missing: install gst-rtpcc, "
        "or run inside \"meson devenv -C build\"", factory);
  else
    call_fail (error, "the GStreamer element %s is missing: install the Debian package "
        "libgstreamer1.0-0", factory);
}

GstElement *
call_add (Call *call, GError **error, const char *factory, ...)
{
  GstElement *element = gst_element_factory_make (factory, NULL);
  const char *name, *value;
  va_list args;

  if (!element) {
    say_missing (error, factory);
    return NULL;
  }
  va_start (args, factory);
  while ((name = va_arg (args, const char *))) {
    value = va_arg (args, const char *);
    gst_util_set_object_arg (G_OBJECT (element), name, value);
  }
  va_end (args);
  gst_bin_add (GST_BIN (call->pipeline), element);
  return element;
}

gboolean
call_chain (GError **error, GstElement *first, ...)
{
  gboolean good = first != NULL;
  GstElement *next;
  va_list args;

  va_start (args, first);
  while (good && (next = va_arg (args, GstElement *))) {
    GstPad *src = gst_element_get_static_pad (first, "src");

    good = call_link (error, first, src ? "src" : NULL, next, "sink");
    g_clear_object (&src);
    first = next;
  }
  va_end (args);
  return good;
}

gboolean
call_link (GError **error, GstElement *from, const char *from_pad, GstElement *to,
    const char *to_pad)
{
  if (gst_element_link_pads (from, from_pad, to, to_pad))
    return TRUE;
  return call_fail (error, "%s cannot be linked to %s; is this an old or foreign version "
      "of one of them?", GST_OBJECT_NAME (from), GST_OBJECT_NAME (to));
}

static GstFlowReturn
on_bridge_sample (GstAppSink *sink, gpointer user_data)
{
  GstSample *sample = gst_app_sink_pull_sample (sink);
  GstFlowReturn flow = GST_FLOW_EOS;

  if (sample) {
    /* A copy, as its timestamp becomes the bridge's. */
    GstBuffer *buffer = gst_buffer_copy (gst_sample_get_buffer (sample));

    GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = GST_CLOCK_TIME_NONE;
    flow = gst_app_src_push_buffer (GST_APP_SRC (user_data), buffer);
    gst_sample_unref (sample);
  }
  return flow;
}

gboolean
call_bridge (Call *call, GstElement *from, const char *from_pad, GstElement *to,
    const char *to_pad, GError **error)
{
  static GstAppSinkCallbacks callbacks = { .new_sample = on_bridge_sample };
  GstElement *sink = call_add (call, error, "appsink", "sync", "false", "async", "false",
      NULL);
  GstElement *source = call_add (call, error, "appsrc", "caps", "application/x-rtcp",
      "is-live", "true", "format", "time", "do-timestamp", "true", NULL);

  if (!sink || !source)
    return FALSE;
  gst_app_sink_set_callbacks (GST_APP_SINK (sink), &callbacks, source, NULL);
  return call_link (error, from, from_pad, sink, "sink")
      && call_link (error, source, "src", to, to_pad);
}

GstElement *
call_filter (Call *call, GError **error, const char *format, ...)
{
  GstElement *filter;
  char *text;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  filter = call_add (call, error, "capsfilter", "caps", text, NULL);
  g_free (text);
  return filter;
}
