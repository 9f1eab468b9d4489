/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/private.h"

#define KEY_INTERVAL RCC_SEC            /* least, between requests for one stream */

uint32_t
rcc_send_cost (const RccSend *s, uint32_t size)
{
  return s->packet_cost > 0 ? s->packet_cost : RCC_MAX (size, 1);
}

RccSendStream *
rcc_send_stream_of (RccSend *s, const RccSendSlot *slot)
{
  return slot->packet.rtp ? rcc_send_stream_get (&s->streams, slot->packet.ssrc) : NULL;
}

/* --- what leaves ---------------------------------------------------------- */

static void
count_sent (RccSend *s, uint32_t size)
{
  s->packets++;
  s->bytes += size;
}

void
rcc_send_tell_sent (RccSend *s, const RccRtp *rtp, uint32_t size, int transport, RccTime now,
    RccSendOut *out)
{
  RccUpdate update;

  out->sent = (RccPacket) {
    .size = size, .probe = out->sent.probe, .flags = out->sent.flags, .ssrc = rtp->ssrc,
    .timestamp = rtp->timestamp, .sent = now, .arrived = RCC_NEVER,
  };
  out->sent.seq = rcc_feedback_sent (s->feedback, rtp, transport, &out->sent);
  if (!s->controller)
    return;
  if (rtp->marker)
    out->sent.flags |= RCC_PACKET_MARKER;
  update = rcc_tell (s->controller, on_sent, &out->sent);
  if (update.changed)
    out->update = rcc_send_answered (s, update, now);
}

int
rcc_send_note_header (RccSend *s, const RccSendPacket *p, RccTime now, RccSendOut *out)
{
  out->send_time_at = p->send_time_at;
  if (p->send_time_at)
    out->send_time = rcc_abs_send_time (now + s->send_time_offset);
  if (!s->config.numbers_transport)
    return rcc_send_transport_pass (&s->transport, p->transport);
  if (p->transport_at == 0)
    return -1;
  out->transport_at = p->transport_at;
  out->transport = s->transport.next++;
  return out->transport;
}

/* RFC 4588 4: the payload of a retransmission begins with the packet's number, which the
 * receiver knows as it left. */
static void
note_retransmission (RccSend *s, const RccSendSlot *slot, RccTime now, RccSendOut *out)
{
  rcc_rtx_left (&s->rtx, slot->packet.osn, slot->packet.size, false, now);
  if (!slot->asked || (slot->left == slot->packet.osn && !slot->cut))
    return;
  out->cut = slot->cut;
  out->osn_at = slot->packet.header_size;
  out->osn = slot->left;
}

/* The first packet of a key frame that leaves mends what was broken. */
static void
note_stream (RccSend *s, RccSendStream *stream, const RccSendPacket *p, RccTime now)
{
  if (p->clock_rate != stream->clock_rate && p->clock_rate > 0) {
    stream->clock_rate = p->clock_rate;
    rcc_feedback_clock_rate (s->feedback, p->ssrc, p->clock_rate);
  }
  if (stream->media == RCC_MEDIA_VIDEO && stream->large && !p->parity
      && stream != rcc_send_padded (s))
    s->padded = (int) rcc_ssrcs_place (&s->streams, stream);
  if (stream->needs_key)
    rcc_send_want_key (s, stream, now);
  if (p->delta || p->parity || !stream->deltas)
    return;
  stream->key_sent = now;
  if (stream->gave_up)
    stream->given_up = now;
  stream->gave_up = false;
}

/* The number that a broken frame leaves out is missing at the receiver, but the network has
 * not lost it. */
static void
leave_out (RccSend *s, const RccSendStream *stream, const RccSendPacket *p, RccTime now)
{
  RccRtp rtp = { .pt = p->pt, .timestamp = p->timestamp, .ssrc = p->ssrc };

  if (!stream->seq_rewrite.leave_out || !stream->seq_rewrite.departed)
    return;
  rtp.seq = (uint16_t) (stream->seq_rewrite.last + 1);
  rcc_feedback_unsent (s->feedback, &rtp, now);
}

/* Another stream's parity is dropped, which the pacer counts no more. */
static void
note_parity (RccSend *s, const RccSendPacket *p, RccTime now, RccSendOut *out)
{
  const unsigned due = s->parity->n_due;

  out->shown = rcc_send_parity_departs (s->parity, p, out, now);
  if (s->parity->n_due != due)
    rcc_send_count_parity (s, now);
}

void
rcc_send_depart (RccSend *s, const RccSendSlot *slot, RccSendStream *stream, RccTime now,
    RccSendOut *out)
{
  const RccSendPacket *p = &slot->packet;
  int transport;
  RccRtp rtp;

  out->handle = p->handle;
  out->pad = p->pad;
  out->size = p->size;
  out->media = !p->retransmission && !p->parity;
  s->departed[slot->class_index]++;
  rcc_pacer_removed (&s->pacer, p->size);
  if (s->paced)
    out->sent.probe = rcc_pacer_sent (&s->pacer, rcc_send_cost (s, p->size), now);
  if (!stream)
    return;
  leave_out (s, stream, p, now);
  out->seq = rcc_seq_rewrite_depart (&stream->seq_rewrite, slot->number);
  out->renumbered = out->seq != p->seq;
  s->writes |= out->renumbered;
  s->renumbered += out->renumbered;
  if (p->retransmission)
    note_retransmission (s, slot, now, out);
  else
    note_stream (s, stream, p, now);
  s->parity_passed |= p->parity;
  transport = rcc_send_note_header (s, p, now, out);
  count_sent (s, p->size);
  rtp = (RccRtp) { .pt = p->pt, .marker = p->marker, .seq = out->seq,
    .timestamp = p->timestamp, .ssrc = p->ssrc, .header_size = p->header_size };
  rcc_send_tell_sent (s, &rtp, p->size, transport, now, out);
  if (s->parity)
    note_parity (s, p, now, out);
}

/* --- what does not -------------------------------------------------------- */

/* False: it has just been asked for. */
static bool
request_key (RccSend *s, RccSendStream *stream, RccTime now)
{
  const RccTime interval = s->rtt == RCC_NEVER ? KEY_INTERVAL : RCC_MAX (s->rtt, KEY_INTERVAL);

  if (stream->key_requested != RCC_NEVER && now - stream->key_requested < interval)
    return false;
  stream->key_requested = now;
  s->key_requests++;
  if (stream->pad >= RCC_SEND_PADS)
    return true;
  s->pads[stream->pad].key_requests++;
  s->key_request_pads |= UINT32_C (1) << stream->pad;
  return true;
}

void
rcc_send_want_key (RccSend *s, RccSendStream *stream, RccTime now)
{
  if (request_key (s, stream, now))
    stream->needs_key = stream->deltas; /* else nothing would tell that it came */
}

/* A browser waits for what it misses for 3 s before it asks for a key frame.  Copies of all that
 * is lost where a path gets narrow may take as long, and the oldest never come. */
bool
rcc_send_gives_up (RccSend *s, RccSendStream *stream, const RccRtxPacket *packet,
    const RccRtxPath *path, RccTime now)
{
  if (!stream->deltas || rcc_send_stream_is_audio (stream) || stream->requests.likely)
    return false;
  if (packet->sent > stream->given_up) {
    if (packet->sent <= stream->key_sent || !rcc_rtx_is_hopeless (&s->rtx, packet, path, now))
      return false;
    stream->given_up = now;
    stream->gave_up = true;
  }
  if (stream->gave_up)
    request_key (s, stream, now);
  s->rtx.given_up++;
  return true;
}

static void
count_drop (RccSend *s, const RccSendSlot *slot, const RccSendOut *out)
{
  s->dropped++;
  s->dropped_media += out->media && out->cause != RCC_SBPN_FLUSHED;
  s->dropped_audio += slot->class_index == RCC_SEND_AUDIO && !s->config.scheduled
      && out->cause != RCC_SBPN_FLUSHED;
}

/* Frames that others build upon.  As long as no key frame comes it is asked for again.  One
 * that is queued already counts where packets say what they are of. */
static void
note_broken (RccSend *s, RccSendStream *stream, const RccSendPacket *p, const RccSbpnOut *from,
    RccTime now)
{
  const bool key_follows = from->key_follows && stream->deltas;

  if (from->breaks_frame && !key_follows && stream->media != RCC_MEDIA_AUDIO)
    stream->needs_key |= stream->deltas || p->inter;
  if (stream->needs_key)
    rcc_send_want_key (s, stream, now);
}

void
rcc_send_mark_unsent (RccSend *s, const RccSendSlot *slot, const RccSbpnOut *from, RccTime now,
    RccSendOut *out)
{
  const RccSendPacket *p = &slot->packet;
  RccSendStream *stream = rcc_send_stream_of (s, slot);

  *out = (RccSendOut) { .handle = p->handle, .pad = p->pad, .size = p->size,
    .media = !p->retransmission && !p->parity, .cause = RCC_SBPN_FULL };
  if (from) {
    out->cause = from->cause;
    out->queue_time = from->queue_time;
    rcc_pacer_removed (&s->pacer, p->size);
  }
  s->departed[slot->class_index]++;
  count_drop (s, slot, out);
  if (!stream)
    return;
  rcc_seq_rewrite_drop (&stream->seq_rewrite, slot->number, from && from->frame_begun
      && rcc_sbpn_class (&s->sbpn, slot->class_index)->config.whole_frames);
  s->writes = true;
  if (p->retransmission)
    rcc_rtx_left (&s->rtx, p->osn, p->size, true, now);
  else if (from && out->cause != RCC_SBPN_FLUSHED)
    note_broken (s, stream, p, from, now);
}

/* --- padding -------------------------------------------------------------- */

/* Numbers that somebody before us has given to the transport-wide extension cannot be made up
 * here. And parity speaks of the numbers that it saw. */
bool
rcc_send_can_pad (const RccSend *s)
{
  const RccSendStream *stream = rcc_send_padded (s);

  return stream && stream->header_size > 0 && !s->parity_passed
      && (s->config.numbers_transport || !s->transport.moves || s->transport.session);
}

uint32_t
rcc_send_pad_size (const RccSend *s)
{
  return rcc_send_padded (s)->header_size + RCC_SEND_PADDING_SIZE;
}

/* On the SSRC of the video, with the timestamp and extensions of its last packet and a number of
 * its own. RFC 3550 5.1 allows it, libwebrtc's receivers know it. */
void
rcc_send_pad (RccSend *s, uint8_t *bytes, RccTime now, RccSendOut *out)
{
  RccSendStream *stream = rcc_send_padded (s);
  const RccSendPacket header = { .send_time_at = stream->send_time_at,
    .transport_at = stream->transport_at, .transport = -1 };
  int transport;
  RccRtp rtp;

  *out = (RccSendOut) { .pad = stream->pad };
  out->seq = rcc_seq_rewrite_insert (&stream->seq_rewrite, true);
  s->writes = true;
  out->size = rcc_send_stream_pad (stream, out->seq, bytes);
  transport = rcc_send_note_header (s, &header, now, out);
  rcc_send_out_write (out, bytes, out->size);
  rcc_rtp_parse ((RccBytes) { bytes, out->size }, &rtp);
  out->sent.probe = rcc_pacer_sent (&s->pacer, rcc_send_cost (s, out->size), now);
  s->padding_packets++;
  s->padding_bytes += out->size;
  count_sent (s, out->size);
  rcc_send_tell_sent (s, &rtp, out->size, transport, now, out);
}

void
rcc_send_out_write (const RccSendOut *out, uint8_t *bytes, size_t size)
{
  if (out->cut && size >= 2) {
    bytes[0] &= ~0x20;                  /* P */
    bytes[1] &= ~0x80;                  /* M: no frame ends here */
  }
  if (out->renumbered && size >= 4)
    rcc_put16 (bytes + 2, out->seq);
  if (out->send_time_at && out->send_time_at + 3u <= size)
    rcc_put24 (bytes + out->send_time_at, out->send_time);
  if (out->transport_at && out->transport_at + 2u <= size)
    rcc_put16 (bytes + out->transport_at, out->transport);
  if (out->osn_at && out->osn_at + 2u <= size)
    rcc_put16 (bytes + out->osn_at, out->osn);
}
