/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/bin/numbers.h"

/* Further back is no packet that was overtaken: nothing is between a payloader and here. */
#define OVERTAKEN 64

typedef struct
{
  const GstRtpCcBinSrtp *srtp;
  gboolean begun;
  guint32 ssrc;
  guint16 highest;              /* as it left */
  guint16 offset;               /* from what comes to what leaves */
} Numbers;

/* What to add to the number of the packet with this header. */
static guint16
offset_of (Numbers * n, const guint8 * header)
{
  const guint16 seq = GST_READ_UINT16_BE (header + 2);
  const guint32 ssrc = GST_READ_UINT32_BE (header + 8);
  gint16 by;

  if (!n->begun || ssrc != n->ssrc) {
    n->begun = TRUE;
    n->ssrc = ssrc;
    n->offset = 0;
    n->highest = seq;
    return 0;
  }
  by = (gint16) (guint16) (seq + n->offset - n->highest);
  if (by <= -OVERTAKEN) {
    n->offset = (guint16) (n->highest + 1 - seq);
    by = 1;
  }
  if (by > 0)
    n->highest = (guint16) (n->highest + by);
  return n->offset;
}

static void
number (Numbers * n, GstBuffer ** buffer)
{
  guint8 header[12];
  guint16 offset;

  if (gst_buffer_extract (*buffer, 0, header, sizeof header) < sizeof header
      || !(offset = offset_of (n, header)))
    return;
  offset = (guint16) (offset + GST_READ_UINT16_BE (header + 2));
  GST_WRITE_UINT16_BE (header + 2, offset);
  *buffer = gst_buffer_make_writable (*buffer);
  gst_buffer_fill (*buffer, 2, header + 2, 2);
}

static gboolean
number_each (GstBuffer ** buffer, guint i, gpointer data)
{
  number (data, buffer);
  return TRUE;
}

static GstPadProbeReturn
on_packets (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Numbers *n = data;
  GstBuffer *buffer;
  GstBufferList *list;

  if (!n->srtp->key)
    return GST_PAD_PROBE_OK;
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    buffer = GST_PAD_PROBE_INFO_BUFFER (info);
    number (n, &buffer);
    GST_PAD_PROBE_INFO_DATA (info) = buffer;
    return GST_PAD_PROBE_OK;
  }
  list = gst_buffer_list_make_writable (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
  gst_buffer_list_foreach (list, number_each, n);
  GST_PAD_PROBE_INFO_DATA (info) = list;
  return GST_PAD_PROBE_OK;
}

void
gst_rtp_cc_bin_numbers_go_on (GstPad * pad, const GstRtpCcBinSrtp * srtp)
{
  Numbers *n = g_new0 (Numbers, 1);

  n->srtp = srtp;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_packets, n, g_free);
}
