/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/adapter/watch.h"

typedef struct
{
  GstRtpCcWatcher watcher;
  GstElement *element;          /* owned */
  gpointer data;
} Closure;

static GstPadProbeReturn
on_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  const Closure *c = user_data;

  return c->watcher (c->data, GST_PAD_PROBE_INFO_BUFFER (info));
}

static void
free_closure (gpointer user_data)
{
  Closure *c = user_data;

  gst_object_unref (c->element);
  g_free (c);
}

void
gst_rtp_cc_watch_begin (GstRtpCcWatch * w, GstElement * encoder,
    const gchar * name, GstRtpCcWatcher watcher, GstElement * element,
    gpointer data)
{
  GstPad *pad = gst_element_get_static_pad (encoder, name);
  Closure *c;

  if (!pad || pad == w->pad) {
    gst_clear_object (&pad);
    return;
  }
  gst_rtp_cc_watch_end (w);
  c = g_new0 (Closure, 1);
  *c = (Closure) {
  .watcher = watcher,.element = gst_object_ref (element),.data = data};
  w->pad = pad;
  w->probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_buffer, c,
      free_closure);
}

void
gst_rtp_cc_watch_end (GstRtpCcWatch * w)
{
  if (w->pad)
    gst_pad_remove_probe (w->pad, w->probe);
  gst_clear_object (&w->pad);
}
