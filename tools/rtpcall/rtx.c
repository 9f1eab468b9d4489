/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtx.h"

#include "rtpcc/bin/rtxwait.h"

#define MAP(name, key, value) name "," key "=(uint)" value
#define PT_MAP MAP ("application/x-rtp-pt-map", G_STRINGIFY (CALL_VIDEO_PT), \
    G_STRINGIFY (CALL_RTX_PT))
/* Who asks for older packets shows nothing of them. */
#define KEPT_MS "1000"
#define KEPT_PACKETS "1000"             /* 10 Mbit/s for so long */

/* Both ends know how the SSRCs belong together, so that no copy waits for its stream to be found
 * out.  What is known of others stays. */
static void
know (GstElement *element, guint32 ssrc)
{
  g_autofree char *media = g_strdup_printf ("%u", ssrc);
  GstStructure *ssrcs = g_object_get_data (G_OBJECT (element), "ssrcs");

  ssrcs = ssrcs ? gst_structure_copy (ssrcs)
      : gst_structure_new_empty ("application/x-rtp-ssrc-map");
  gst_structure_set (ssrcs, media, G_TYPE_UINT, CALL_RTX_SSRC (ssrc), NULL);
  g_object_set (element, "ssrc-map", ssrcs, NULL);
  g_object_set_data_full (G_OBJECT (element), "ssrcs", ssrcs, (GDestroyNotify) gst_structure_free);
}

GstElement *
call_add_rtx_sender (Call *call, GError **error)
{
  GstElement *rtx = call_add (call, error, "rtprtxsend", "max-size-time", KEPT_MS,
      "max-size-packets", KEPT_PACKETS, NULL);

  if (rtx) {
    gst_util_set_object_arg (G_OBJECT (rtx), "payload-type-map", PT_MAP);
    know (rtx, call->video_ssrc);
  }
  return call->rtx = rtx;
}

static void
add_ghost (GstElement *bin, GstElement *element, const char *pad_name, const char *name)
{
  GstPad *pad = gst_element_get_static_pad (element, pad_name);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
  gst_object_unref (pad);
}

static GstElement *
on_aux_wanted (GstElement *rtpbin, guint session, gpointer data)
{
  GstElement *rtx = gst_element_factory_make ("rtprtxreceive", NULL), *bin;

  if (!rtx)
    return NULL;
  gst_util_set_object_arg (G_OBJECT (rtx), "payload-type-map", PT_MAP);
  g_object_set_data_full (G_OBJECT (rtpbin), "rtx", gst_object_ref (rtx), gst_object_unref);
  bin = gst_bin_new (NULL);
  gst_bin_add (GST_BIN (bin), rtx);
  add_ghost (bin, rtx, "sink", "sink_0");
  add_ghost (bin, rtx, "src", "src_0");
  return bin;
}

static void
on_latency (GstElement *jitterbuffer, GParamSpec *pspec, Call *call)
{
  guint latency;

  g_object_get (jitterbuffer, "latency", &latency, NULL);
  call->wait_ms = MAX (call->wait_ms, latency);
}

/* That of audio, too, of which nothing is sent again. */
static void
on_jitterbuffer (GstElement *rtpbin, GstElement *jitterbuffer, guint session, guint ssrc,
    Call *call)
{
  GstElement *rtx = g_object_get_data (G_OBJECT (rtpbin), "rtx");

  g_signal_connect (jitterbuffer, "notify::latency", G_CALLBACK (on_latency), call);
  gst_rtp_cc_bin_rtx_wait (jitterbuffer, (guint) call->options->latency_most_ms);
  if (rtx)
    know (rtx, ssrc);
}

void
call_add_rtx_receiver (Call *call)
{
  g_object_set (call->recv_rtpbin, "do-retransmission", TRUE, NULL);
  g_signal_connect (call->recv_rtpbin, "request-aux-receiver", G_CALLBACK (on_aux_wanted),
      NULL);
  g_signal_connect (call->recv_rtpbin, "new-jitterbuffer", G_CALLBACK (on_jitterbuffer), call);
}
