/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtx.h"

#define MAP(name, key, value) name "," key "=(uint)" value
#define PT_MAP MAP ("application/x-rtp-pt-map", G_STRINGIFY (CALL_VIDEO_PT), \
    G_STRINGIFY (CALL_RTX_PT))
/* Who asks for older packets shows nothing of them. */
#define KEPT_MS "1000"
#define KEPT_PACKETS "1000"             /* 10 Mbit/s for so long */

/* Both ends know the SSRCs, so that no copy waits for its stream to be found out. */
static GstStructure *
ssrc_map (void)
{
  g_autofree char *media = g_strdup_printf ("%u", CALL_VIDEO_SSRC);

  return gst_structure_new ("application/x-rtp-ssrc-map", media, G_TYPE_UINT, CALL_RTX_SSRC,
      NULL);
}

static void
set_maps (GstElement *element)
{
  GstStructure *ssrcs = ssrc_map ();

  gst_util_set_object_arg (G_OBJECT (element), "payload-type-map", PT_MAP);
  g_object_set (element, "ssrc-map", ssrcs, NULL);
  gst_structure_free (ssrcs);
}

GstElement *
call_add_rtx_sender (Call *call, GError **error)
{
  GstElement *rtx = call_add (call, error, "rtprtxsend", "max-size-time", KEPT_MS,
      "max-size-packets", KEPT_PACKETS, NULL);

  if (rtx)
    set_maps (rtx);
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
  set_maps (rtx);
  bin = gst_bin_new (NULL);
  gst_bin_add (GST_BIN (bin), rtx);
  add_ghost (bin, rtx, "sink", "sink_0");
  add_ghost (bin, rtx, "src", "src_0");
  return bin;
}

/* Pictures are not spaced by their packets: what it expects next would be asked for in vain. */
static void
on_jitterbuffer (GstElement *rtpbin, GstElement *jitterbuffer, guint session, guint ssrc,
    gpointer data)
{
  g_object_set (jitterbuffer, "rtx-next-seqnum", FALSE, NULL);
}

void
call_add_rtx_receiver (Call *call)
{
  g_object_set (call->recv_rtpbin, "do-retransmission", TRUE, NULL);
  g_signal_connect (call->recv_rtpbin, "request-aux-receiver", G_CALLBACK (on_aux_wanted),
      NULL);
  g_signal_connect (call->recv_rtpbin, "new-jitterbuffer", G_CALLBACK (on_jitterbuffer), NULL);
}
