/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/sendpath/buffer.h"

#include <gst/rtp/gstrtpbuffer.h>

#include "rtpcc/sendpath/parity.h"

/* Where the value of extension @id, of @size bytes, stands in the packet; 0: nowhere. */
static guint16
find_extension (const GstRtpCcPacket * m, guint8 id, gsize size)
{
  RccBytes value;

  if (id && rcc_rtp_ext (&m->rtp, id, &value) && value.size == size)
    return (guint16) (value.data - m->bytes.data);
  return 0;
}

/* The same of abs-send-time. An id that nobody has told is found from the packets. What is
 * written then goes on with the clock that has stamped them. */
static guint16
find_send_time (GstRtpCcSend * x, const GstRtpCcSendInput * input,
    const GstRtpCcPacket * m, RccTime now)
{
  RccSendTimeFinder *finder = &x->finder;
  guint16 at;

  if (G_LIKELY (input->abs_id || m->rtp.ext_profile == 0
          || x->passes_extensions))
    return find_extension (m, input->abs_id, RCC_ABS_SEND_TIME_SIZE);
  at = find_extension (m, rcc_sendtime_finder_packet (finder, &m->rtp, now),
      RCC_ABS_SEND_TIME_SIZE);
  if (at == 0 || !rcc_sendtime_finder_fits (finder, (RccBytes) {
          m->bytes.data + at, RCC_ABS_SEND_TIME_SIZE}
          , now))
    return 0;
  x->path.send_time_offset = rcc_sendtime_finder_time (finder, 0);
  return at;
}

static RccTime
expiry_of (const GstRtpCcSendInput * input, RccTime now)
{
  const RccTime life = input->expiry;

  return life == GST_CLOCK_TIME_NONE || now > RCC_NEVER - life ? RCC_NEVER : now + life;
}

static void
describe_rtp (RccSendPacket * p, const GstRtpCcSendInput * input,
    const GstRtpCcPacket * m, GstBuffer * buffer, RccTime now)
{
  guint8 number[2];

  p->rtp = TRUE;
  p->ssrc = m->rtp.ssrc;
  p->timestamp = m->rtp.timestamp;
  p->seq = m->rtp.seq;
  p->pt = m->rtp.pt;
  p->marker = m->rtp.marker;
  p->header = m->bytes.data;
  p->header_size = (guint16) MIN (m->rtp.header_size, G_MAXUINT16);
  p->clock_rate = input->clock_rate;
  p->send_time_at = find_send_time (input->send, input, m, now);
  p->transport_at = find_extension (m, input->transport_id, RCC_TWCC_EXT_SIZE);
  if (p->transport_at)
    p->transport = rcc_be16 (m->bytes.data + p->transport_at);
  if (p->retransmission && gst_buffer_extract (buffer, p->header_size, number,
          2) == 2)
    p->osn = rcc_be16 (number);
}

void
gst_rtp_cc_send_buffer_open (GstRtpCcSendBuffer * b, GstRtpCcSend * x, guint k,
    GstBuffer * buffer, gsize size, gboolean write, RccTime now)
{
  const GstRtpCcSendInput *input = &x->inputs[k];
  const guint flags = GST_BUFFER_FLAGS (buffer);
  const gboolean again = (flags & GST_RTP_BUFFER_FLAG_RETRANSMISSION) != 0;

  b->send = x;
  b->now = now;
  b->packet = rcc_send_room (&x->path);
  *b->packet = (RccSendPacket) {
  .handle = buffer,.size = (guint32) size,.pad = k,.media =
        input->media,.expiry = expiry_of (input, now),.transport =
        -1,.delta = (flags & GST_BUFFER_FLAG_DELTA_UNIT) != 0,.inter =
        input->inter,.keep =
        (flags & GST_BUFFER_FLAG_NON_DROPPABLE) != 0,.retransmission =
        again,.parity = (flags & GST_RTP_BUFFER_FLAG_REDUNDANT) != 0,};
  b->is_mapped = gst_rtp_cc_packet_map_full (buffer, write, &b->mapped);
  if (b->is_mapped)
    describe_rtp (b->packet, input, &b->mapped, buffer, now);
}

gboolean
gst_rtp_cc_send_buffer_close (GstRtpCcSendBuffer * b, const RccSendOut * out)
{
  const gsize mapped = b->is_mapped ? b->mapped.bytes.size : 0;
  gboolean written = !out || !rcc_send_out_writes (out);

  if (!b->is_mapped)
    return TRUE;
  if (!written && !out->cut && (b->mapped.info.flags & GST_MAP_WRITE)
      && out->osn_at + 2u <= mapped) {
    rcc_send_out_write (out, b->mapped.info.data, mapped);
    written = TRUE;
  }
  if (G_UNLIKELY (written && out && out->shown))
    gst_rtp_cc_send_parity_show (b->send, b->mapped.buffer, &b->mapped, b->now);
  gst_rtp_cc_packet_unmap (&b->mapped);
  return written;
}

void
gst_rtp_cc_send_buffer_write (GstBuffer * buffer, const RccSendOut * out)
{
  gsize least = RCC_RTP_HEADER_MIN;
  guint8 osn[2];
  GstMapInfo info;

  least = MAX (least, out->send_time_at + 3u);
  least = MAX (least, out->transport_at + 2u);
  if (gst_buffer_n_memory (buffer) == 0
      || !gst_buffer_map_range (buffer, 0,
          gst_buffer_peek_memory (buffer, 0)->size >= least ? 1 : -1, &info,
          GST_MAP_READWRITE))
    return;
  rcc_send_out_write (out, info.data, MIN (info.size,
          out->osn_at ? out->osn_at : info.size));
  gst_buffer_unmap (buffer, &info);
  if (out->osn_at) {
    rcc_put16 (osn, out->osn);
    gst_buffer_fill (buffer, out->osn_at, osn, sizeof osn);
  }
}
