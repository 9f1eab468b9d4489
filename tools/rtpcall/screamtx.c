/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "screamtx.h"

#define SSRC_AT 8                       /* RFC 3550 5.1 */

static GstPadProbeReturn
pass_by (GstPad *sink, GstPadProbeInfo *info, gpointer ssrc)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstElement *peer;
  GstPad *src;
  guint32 found;

  if (gst_buffer_extract (buffer, SSRC_AT, &found, sizeof found) == sizeof found
      && GUINT32_FROM_BE (found) == GPOINTER_TO_UINT (ssrc))
    return GST_PAD_PROBE_OK;
  peer = gst_pad_get_parent_element (sink);
  src = gst_element_get_static_pad (peer, "src");
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = gst_pad_push (src, buffer);
  gst_object_unref (src);
  gst_object_unref (peer);
  return GST_PAD_PROBE_HANDLED;
}

static GstPadProbeReturn
take (GstPad *src, GstPadProbeInfo *info, gpointer unused)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstPad *next = gst_pad_get_peer (src);

  if (next) {
    gst_pad_chain (next, buffer);
    gst_object_unref (next);
  } else
    gst_buffer_unref (buffer);
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_OK;
  return GST_PAD_PROBE_HANDLED;
}

void
call_screamtx_guard (GstElement *peer, guint32 ssrc)
{
  GstPad *sink = gst_element_get_static_pad (peer, "sink");
  GstPad *src = gst_element_get_static_pad (peer, "src");

  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, pass_by, GUINT_TO_POINTER (ssrc), NULL);
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, take, NULL, NULL);
  gst_object_unref (sink);
  gst_object_unref (src);
}
