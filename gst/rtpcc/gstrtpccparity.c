/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtpcc/gstrtpccparity.h"

#include <gst/rtp/gstrtpbuffer.h>
#include <string.h>

#include "rtpcc/gstrtpccutils.h"
#include "wire/flexfec.h"
#include "wire/ulpfec.h"

#define SILENT (5 * RCC_SEC)    /* the stream chosen has ended */
#define RESTART 100             /* numbers that go back further begin anew (RFC 3550 A.1) */
#define MEMORIES 16             /* GStreamer merges them beyond */

const RccField gst_rtp_cc_parity_fields[] = {
  RCC_FIELD (GstRtpCcParity, packets, "packets-sent", RCC_U64, ""),
  RCC_FIELD (GstRtpCcParity, bytes, "bytes-sent", RCC_U64, "B"),
  RCC_FIELD (GstRtpCcParity, parity_packets, "fec-packets-sent", RCC_U64, ""),
  RCC_FIELD (GstRtpCcParity, parity_bytes, "fec-bytes-sent", RCC_U64, "B"),
  RCC_FIELD (GstRtpCcParity, dropped_blocks, "fec-blocks-dropped", RCC_U64,
      ""),
  RCC_FIELD (GstRtpCcParity, dropped_parity, "fec-packets-dropped", RCC_U64,
      ""),
  RCC_FIELD (GstRtpCcParity, unprotected, "packets-unprotected", RCC_U64, ""),
  RCC_FIELD (GstRtpCcParity, renumbered, "packets-renumbered", RCC_U64, ""),
  RCC_FIELD (GstRtpCcParity, malformed, "rtp-malformed", RCC_U64, ""),
  RCC_FIELD (GstRtpCcParity, fits, "fec-interleave", RCC_U32, ""),
  RCC_FIELDS_END,
};

/* --- what is begun --------------------------------------------------------- */

static gboolean
waits_for_marker (const GstRtpCcParity * p)
{
  return p->config.at_marker && !p->own_stream;
}

static RccInterleave *
begun (GstRtpCcParity * p)
{
  return &p->rounds[p->at];
}

static RccInterleave *
complete (GstRtpCcParity * p)
{
  return &p->rounds[!p->at];
}

/* What waits for the marker may be joined by as much again, for which a mask must have
 * room. */
static void
set_rounds (GstRtpCcParity * p)
{
  const guint span = p->rounds[0].span;
  const gboolean twice = waits_for_marker (p);
  const guint n = twice ? MIN (p->n, RCC_ULPFEC_SPAN_LONG / 2) : p->n;
  const guint depth = rcc_interleave_fit (p->depth, twice ? 2 * n : n, span);

  for (guint i = 0; i < G_N_ELEMENTS (p->rounds); i++)
    rcc_interleave_set (&p->rounds[i], n, depth);
  p->fits = n > 0 ? depth : 0;
}

static void
begin_rounds (GstRtpCcParity * p)
{
  const guint span =
      p->config.flexfec ? RCC_FLEXFEC_SPAN_LONGEST : RCC_ULPFEC_SPAN_LONG;

  for (guint i = 0; i < G_N_ELEMENTS (p->rounds); i++)
    rcc_interleave_init (&p->rounds[i], span);
  set_rounds (p);
}

static void
drop_blocks (GstRtpCcParity * p)
{
  for (guint i = 0; i < G_N_ELEMENTS (p->rounds); i++) {
    p->dropped_blocks += rcc_interleave_begun (&p->rounds[i]);
    rcc_interleave_drop (&p->rounds[i]);
  }
}

void
gst_rtp_cc_parity_flush (GstRtpCcParity * p)
{
  drop_blocks (p);
  for (guint i = 0; i < p->n_held; i++)
    gst_buffer_unref (p->held[i]);
  p->dropped_parity += p->n_held;
  p->n_held = p->n_due = 0;
}

void
gst_rtp_cc_parity_clear (GstRtpCcParity * p)
{
  gst_rtp_cc_parity_flush (p);
  memset (p, 0, sizeof *p);
  p->chosen_at = RCC_NEVER;
  p->transport.last = -1;
  begin_rounds (p);
}

void
gst_rtp_cc_parity_configure (GstRtpCcParity * p,
    const GstRtpCcParityConfig * config)
{
  gst_rtp_cc_parity_flush (p);
  p->config = *config;
  p->n = 0;
  begin_rounds (p);
  p->transport.last = -1;
  p->transport.moves = FALSE;
  p->packets = p->bytes = p->parity_packets = p->parity_bytes = 0;
  p->dropped_blocks = p->dropped_parity = 0;
  p->unprotected = p->renumbered = p->malformed = 0;
}

void
gst_rtp_cc_parity_set_interval (GstRtpCcParity * p, guint n, guint depth)
{
  if (n == 0)
    drop_blocks (p);
  p->n = n;
  p->depth = depth;
  set_rounds (p);
}

void
gst_rtp_cc_parity_set_own_stream (GstRtpCcParity * p, gboolean own_stream)
{
  gst_rtp_cc_parity_flush (p);
  p->own_stream = own_stream;
  begin_rounds (p);
}

void
gst_rtp_cc_parity_caps (GstRtpCcParity * p, const GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  if (!gst_structure_get_uint (s, "ssrc", &p->caps_ssrc))
    p->caps_ssrc = 0;
  p->abs_id = gst_rtp_cc_extension_id (caps, RCC_ABS_SEND_TIME_URI);
  p->transport.id = gst_rtp_cc_extension_id (caps, RCC_TWCC_URI);
}

/* --- parity packets -------------------------------------------------------- */

/* The header extension of the packet before, as padding has it: without abs-send-time
 * or a transport-wide number of its own parity would not be measured.  Numbers that
 * somebody before us gives cannot be made up here. */
static gboolean
copies_extension (const GstRtpCcParity * p)
{
  if (p->config.flexfec || (p->transport.moves && !p->transport.session))
    return FALSE;
  return p->abs_id != 0 || p->transport.id != 0;
}

static void
note_extension (GstRtpCcParity * p, const GstRtpCcPacket * packet)
{
  const gsize fixed = RCC_RTP_HEADER_MIN + 4u * packet->rtp.csrc_count;
  const gsize size = packet->rtp.header_size - fixed;

  p->ext_size = 0;
  if (packet->rtp.ext_profile == 0 || size > sizeof p->ext
      || !copies_extension (p))
    return;
  memcpy (p->ext, packet->bytes.data + fixed, size);
  p->ext_size = (guint) size;
}

/* 0: the block cannot be written down, which its span sees to. */
static gsize
write_parity (const GstRtpCcParity * p, const RccParityBlock * block,
    const RccRtp * rtp, guint8 * out, gsize size)
{
  gsize header, payload;

  if (p->config.flexfec)
    return rcc_flexfec_build (out, size, rtp, block);
  header = rcc_rtp_build (out, size, rtp, NULL, 0);
  if (p->ext_size > 0) {
    out[0] |= 0x10;             /* X */
    memcpy (out + header, p->ext, p->ext_size);
    header += p->ext_size;
  }
  payload = rcc_ulpfec_build (out + header, size - header, block);
  return payload > 0 ? header + payload : 0;
}

static GstBuffer *
make_parity (const GstRtpCcParity * p, const RccParityBlock * block,
    const RccRtp * last, GstBuffer * behind)
{
  const RccRtp rtp = {.pt = p->config.pt,.timestamp = last->timestamp,.ssrc =
        p->own_stream ? p->config.fec_ssrc : last->ssrc
  };
  const gsize room = RCC_RTP_HEADER_MIN + p->ext_size + RCC_FLEXFEC_HEADER_MAX
      + block->size;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, room, NULL);
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  GstMapInfo info;
  gsize size;

  gst_memory_map (memory, &info, GST_MAP_WRITE);
  size = write_parity (p, block, &rtp, info.data, room);
  gst_memory_unmap (memory, &info);
  gst_memory_resize (memory, 0, size);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_PTS (behind);
  GST_BUFFER_DTS (buffer) = GST_BUFFER_DTS (behind);
  GST_BUFFER_FLAG_SET (buffer, GST_RTP_BUFFER_FLAG_REDUNDANT);
  return buffer;
}

static void
close_due (GstRtpCcParity * p, RccInterleave * round, const RccRtp * last,
    GstBuffer * behind)
{
  RccParityBlock *block;

  while ((block = rcc_interleave_due (round)) != NULL) {
    if (p->n_held == GST_RTP_CC_PARITY_HELD || (p->config.flexfec
            && !p->own_stream))
      p->dropped_parity++;
    else
      p->held[p->n_held++] = make_parity (p, block, last, behind);
    rcc_interleave_written (round, block);
  }
}

static void
close_all (GstRtpCcParity * p, RccInterleave * round, const RccRtp * last,
    GstBuffer * behind)
{
  rcc_interleave_end (round);
  close_due (p, round, last, behind);
}

/* Complete blocks wait for the marker beside the next ones, and what is left over there
 * joins them. */
static void
close_at_marker (GstRtpCcParity * p, const RccRtp * last, GstBuffer * behind)
{
  const gboolean due = rcc_interleave_due (begun (p)) != NULL;

  if (!last->marker && due) {
    close_all (p, complete (p), last, behind);
    p->at = !p->at;
  } else if (last->marker && (due || p->n_held > 0
          || rcc_interleave_begun (complete (p)) > 0)) {
    if (!due)
      rcc_interleave_merge (complete (p), begun (p));
    close_all (p, complete (p), last, behind);
    close_all (p, begun (p), last, behind);
  }
}

/* --- what passes ----------------------------------------------------------- */

static gboolean
is_newer (guint16 * last, guint16 seq)
{
  const gint16 by = (gint16) (seq - *last);

  if (by <= 0 && by >= -RESTART)
    return FALSE;
  *last = seq;
  return TRUE;
}

static GstRtpCcParityStream *
find_stream (GstRtpCcParity * p, guint32 ssrc)
{
  for (guint i = 0; i < p->n_streams; i++)
    if (p->streams[i].ssrc == ssrc)
      return &p->streams[i];
  return NULL;
}

/* Beyond the table the newest is forgotten: the oldest is the one that the session was
 * made for. */
static GstRtpCcParityStream *
add_stream (GstRtpCcParity * p, guint32 ssrc, guint16 seq)
{
  GstRtpCcParityStream *s;

  if (p->n_streams < GST_RTP_CC_PARITY_STREAMS)
    p->n_streams++;
  s = &p->streams[p->n_streams - 1];
  *s = (GstRtpCcParityStream) {
  .ssrc = ssrc,.last = seq};
  return s;
}

static gboolean
is_protected (GstRtpCcParity * p, const RccRtp * rtp, GstBuffer * buffer,
    RccTime now)
{
  const guint32 said = p->config.ssrc != 0 ? p->config.ssrc : p->caps_ssrc;

  if (rtp->pt == p->config.pt || GST_BUFFER_FLAG_IS_SET (buffer,
          GST_RTP_BUFFER_FLAG_RETRANSMISSION | GST_RTP_BUFFER_FLAG_REDUNDANT))
    return FALSE;
  if (said != 0)
    return rtp->ssrc == said;
  if (p->chosen_at == RCC_NEVER || now > p->chosen_at + SILENT)
    p->chosen = rtp->ssrc;
  if (rtp->ssrc != p->chosen)
    return FALSE;
  p->chosen_at = now;
  return TRUE;
}

/* The payload lies in memories of its own, as payloaders make it: mapped where it is,
 * not merged, which would copy it. */
static gboolean
add_to_block (GstRtpCcParity * p, const GstRtpCcPacket * packet)
{
  RccBytes parts[MEMORIES];
  GstMapInfo infos[MEMORIES];
  const guint n = packet->memory ? gst_buffer_n_memory (packet->buffer) : 1;
  gboolean added = FALSE;
  guint mapped = 1;

  parts[0] = packet->bytes;
  while (mapped < MIN (n, MEMORIES) && gst_memory_map (gst_buffer_peek_memory
          (packet->buffer, mapped), &infos[mapped], GST_MAP_READ)) {
    parts[mapped] = (RccBytes) {
    infos[mapped].data, infos[mapped].size};
    mapped++;
  }
  if (mapped == n)
    added = rcc_interleave_add (begun (p), &packet->rtp, parts, n);
  while (--mapped > 0)
    gst_memory_unmap (gst_buffer_peek_memory (packet->buffer, mapped),
        &infos[mapped]);
  return added;
}

static void
protect (GstRtpCcParity * p, const GstRtpCcPacket * packet, gsize size)
{
  const RccRtp *rtp = &packet->rtp;

  if (size > RCC_PARITY_PACKET_MAX) {
    p->unprotected++;
    return;
  }
  if (!add_to_block (p, packet)) {
    close_all (p, begun (p), rtp, packet->buffer);      /* the numbers have jumped */
    if (!add_to_block (p, packet))
      p->unprotected++;
  }
  note_extension (p, packet);
  if (waits_for_marker (p))
    close_at_marker (p, rtp, packet->buffer);
  else
    close_due (p, begun (p), rtp, packet->buffer);
}

/* RFC 4588: the payload of a retransmission begins with the packet's number, which
 * the receiver knows as it left. */
static void
renumber_retransmission (const GstRtpCcParity * p, GstBuffer * buffer,
    gsize header)
{
  guint8 number[2];
  guint16 left;

  if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION)
      || gst_buffer_extract (buffer, header, number, 2) != 2
      || !rcc_insert_answer (&p->requests, rcc_be16 (number), &left))
    return;
  rcc_put16 (number, left);
  gst_buffer_fill (buffer, header, number, 2);
}

gboolean
gst_rtp_cc_parity_writes (const GstRtpCcParity * p)
{
  return p->n_streams > 0;
}

/* Into the mapping where that takes no copy.  FALSE: nothing is mapped any more. */
static gboolean
write_number (GstRtpCcPacket * packet, guint16 seq)
{
  GstBuffer *buffer = packet->buffer;
  guint8 number[2];

  if (packet->info.flags & GST_MAP_WRITE) {
    rcc_put16 (packet->info.data + 2, seq);
    return TRUE;
  }
  rcc_put16 (number, seq);
  gst_rtp_cc_packet_unmap (packet);
  gst_buffer_fill (buffer, 2, number, 2);
  return gst_rtp_cc_packet_map (buffer, packet);
}

static gboolean
renumber (GstRtpCcParity * p, GstRtpCcPacket * packet, GstRtpCcParityStream * s)
{
  const guint16 seq = rcc_insert_leaves (&s->insert, packet->rtp.seq);

  if (seq != packet->rtp.seq) {
    if (!write_number (packet, seq))
      return FALSE;
    packet->rtp.seq = seq;
    p->renumbered++;
  }
  is_newer (&s->last, seq);
  return TRUE;
}

/* What the packet means for parity. */
static void
consider (GstRtpCcParity * p, const GstRtpCcPacket * packet, gsize size,
    gboolean numbered, RccTime now)
{
  const RccRtp *rtp = &packet->rtp;

  if (!is_protected (p, rtp, packet->buffer, now)) {
    p->unprotected += p->n > 0;
    return;
  }
  if (p->current != rtp->ssrc) {
    gst_rtp_cc_parity_flush (p);
    p->current = rtp->ssrc;
    p->newest = (guint16) (rtp->seq - 1);
  }
  if (!is_newer (&p->newest, rtp->seq)) {
    p->unprotected += p->n > 0;
  } else if (p->n > 0) {
    if (!numbered && !p->own_stream)
      add_stream (p, rtp->ssrc, rtp->seq);
    protect (p, packet, size);
  }
  if (p->own_stream || !p->config.at_marker || rtp->marker)
    p->n_due = p->n_held;
}

gboolean
gst_rtp_cc_parity_packet (GstRtpCcParity * p, GstBuffer * buffer, gsize size,
    RccTime now, GstRtpCcParityPacket * sent)
{
  GstRtpCcParityStream *s = NULL;
  GstRtpCcPacket packet;

  if (!gst_rtp_cc_packet_map_full (buffer, gst_rtp_cc_parity_writes (p),
          &packet)) {
    p->malformed++;
    return FALSE;
  }
  if (p->n_streams > 0 && (s = find_stream (p, packet.rtp.ssrc))
      && !renumber (p, &packet, s)) {
    p->malformed++;
    return FALSE;
  }
  p->packets++;
  p->bytes += size;
  consider (p, &packet, size, s != NULL, now);
  sent->rtp = packet.rtp;
  sent->twcc = gst_rtp_cc_transport_number (&p->transport, &packet.rtp);
  sent->size = (guint32) size;
  gst_rtp_cc_packet_unmap (&packet);
  if (p->n_streams > 0)
    renumber_retransmission (p, buffer, sent->rtp.header_size);
  return TRUE;
}

static void
number_parity (GstRtpCcParity * p, guint8 * data)
{
  GstRtpCcParityStream *s;

  if (p->own_stream) {
    rcc_put16 (data + 2, ++p->seq);
    return;
  }
  s = find_stream (p, rcc_be32 (data + 8));
  rcc_put16 (data + 2, ++s->last);
  rcc_insert_put (&s->insert, s->last);
  p->newest = s->last;
}

GstBuffer *
gst_rtp_cc_parity_next (GstRtpCcParity * p, GstRtpCcParityPacket * sent)
{
  GstMemory *memory;
  GstMapInfo info;
  GstBuffer *buffer;

  if (G_LIKELY (p->n_due == 0))
    return NULL;
  buffer = p->held[0];
  p->n_due--;
  if (--p->n_held > 0)
    memmove (p->held, p->held + 1, p->n_held * sizeof *p->held);
  memory = gst_buffer_peek_memory (buffer, 0);
  gst_memory_map (memory, &info, GST_MAP_READWRITE);
  number_parity (p, info.data);
  sent->rtp = (RccRtp) {
  .pt = p->config.pt,.seq = rcc_be16 (info.data + 2),.timestamp =
        rcc_be32 (info.data + 4),.ssrc = rcc_be32 (info.data + 8)};
  sent->twcc = -1;
  sent->size = (guint32) info.size;
  gst_memory_unmap (memory, &info);
  p->parity_packets++;
  p->parity_bytes += sent->size;
  return buffer;
}

gboolean
gst_rtp_cc_parity_request (GstRtpCcParity * p, guint32 ssrc, guint16 seq,
    guint16 * former)
{
  GstRtpCcParityStream *s = find_stream (p, ssrc);

  *former = seq;
  if (!s)
    return !p->own_stream || ssrc != p->config.fec_ssrc;
  return rcc_insert_request (&s->insert, &p->requests, seq, former);
}
