/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/addresses.h"

#include <gst/net/net.h>

static GstBuffer *
hidden (GstBuffer * buffer)
{
  GstNetAddressMeta *meta = gst_buffer_get_net_address_meta (buffer);

  if (!meta)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  meta = gst_buffer_get_net_address_meta (buffer);
  gst_buffer_remove_meta (buffer, (GstMeta *) meta);
  return buffer;
}

static gboolean
hide_in_list (GstBuffer ** buffer, guint i, gpointer unused)
{
  *buffer = hidden (*buffer);
  return TRUE;
}

static GstPadProbeReturn
on_buffers (GstPad * pad, GstPadProbeInfo * info, gpointer unused)
{
  GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

  if (!(info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST)) {
    info->data = hidden (GST_PAD_PROBE_INFO_BUFFER (info));
    return GST_PAD_PROBE_OK;
  }
  info->data = list = gst_buffer_list_make_writable (list);
  gst_buffer_list_foreach (list, hide_in_list, NULL);
  return GST_PAD_PROBE_OK;
}

void
gst_rtp_cc_bin_hide_addresses (GstPad * pad)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
      on_buffers, NULL, NULL);
}
