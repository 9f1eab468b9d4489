/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/parity.h"

#include <gst/rtp/gstrtpbuffer.h>

#define MEMORIES 16             /* GStreamer merges them beyond */

/* The payload lies in memories of its own, as payloaders make it: mapped where it is,
 * not merged, which would copy it. */
static void
show_parts (GstRtpCcSend * x, const GstRtpCcPacket * packet, RccTime now)
{
  RccBytes parts[MEMORIES];
  GstMapInfo infos[MEMORIES];
  const guint n = packet->memory ? gst_buffer_n_memory (packet->buffer) : 1;
  guint mapped = 1;

  parts[0] = packet->bytes;
  while (mapped < MIN (n, MEMORIES) && gst_memory_map (gst_buffer_peek_memory
          (packet->buffer, mapped), &infos[mapped], GST_MAP_READ)) {
    parts[mapped] = (RccBytes) {
    infos[mapped].data, infos[mapped].size};
    mapped++;
  }
  rcc_send_show (&x->path, parts, mapped == n ? n : 0, now);
  while (--mapped > 0)
    gst_memory_unmap (gst_buffer_peek_memory (packet->buffer, mapped),
        &infos[mapped]);
}

void
gst_rtp_cc_send_parity_show (GstRtpCcSend * x, GstBuffer * buffer,
    const GstRtpCcPacket * mapped, RccTime now)
{
  GstRtpCcPacket packet;

  if (mapped) {
    show_parts (x, mapped, now);
  } else if (gst_rtp_cc_packet_map (buffer, &packet)) {
    show_parts (x, &packet, now);
    gst_rtp_cc_packet_unmap (&packet);
  }
}

GstBuffer *
gst_rtp_cc_send_parity_make (GstRtpCcSend * x, RccTime now, RccSendOut * out)
{
  const gsize room = rcc_send_parity_room (x->path.parity);
  const guint8 flags = x->funcs && x->funcs->mark
      ? (guint8) x->funcs->mark (x->element, now, TRUE) : 0;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, room, NULL);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  GstMapInfo info;
  gboolean made;

  gst_memory_map (memory, &info, GST_MAP_WRITE);
  made = rcc_send_parity (&x->path, info.data, room, flags, now, out);
  gst_memory_unmap (memory, &info);
  if (!made) {
    gst_buffer_unref (buffer);
    return NULL;
  }
  gst_memory_resize (memory, 0, out->size);
  GST_BUFFER_PTS (buffer) = x->pts;
  GST_BUFFER_DTS (buffer) = x->dts;
  GST_BUFFER_FLAG_SET (buffer, GST_RTP_BUFFER_FLAG_REDUNDANT);
  return buffer;
}

void
gst_rtp_cc_send_parity_announce (GstRtpCcSend * x, guint k)
{
  if (x->path.parity)
    rcc_send_parity_announce (x->path.parity, x->inputs[k].ssrc,
        x->inputs[k].extends);
}

/* --- what goes behind a packet -------------------------------------------- */

void
gst_rtp_cc_send_tail_add (GstRtpCcSendTail * tail, GstBuffer * parity)
{
  if (!tail->buffer && !tail->list) {
    tail->buffer = parity;
    return;
  }
  if (!tail->list) {
    tail->list = gst_buffer_list_new ();
    gst_buffer_list_add (tail->list, g_steal_pointer (&tail->buffer));
  }
  gst_buffer_list_add (tail->list, parity);
}

GstFlowReturn
gst_rtp_cc_send_tail_push (GstRtpCcSend * x, GstRtpCcSendTail * tail,
    GstFlowReturn flow)
{
  if (tail->apart)
    return gst_rtp_cc_fec_pad_push (x->fec, x->inputs[0].pad, tail->buffer,
        tail->list, flow);
  if (flow != GST_FLOW_OK) {
    gst_clear_buffer (&tail->buffer);
    gst_clear_buffer_list (&tail->list);
    return flow;
  }
  return tail->list ? gst_pad_push_list (x->src, tail->list)
      : gst_pad_push (x->src, tail->buffer);
}
