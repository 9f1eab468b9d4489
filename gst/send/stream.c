/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/stream.h"

#include <string.h>

#define SPEECH_MAX 300                  /* bytes; larger packets are no speech */

RccSendStream *
rcc_send_stream_get (RccSsrcs *streams, uint32_t ssrc)
{
  bool is_new;
  RccSendStream *s = rcc_ssrcs_use (streams, ssrc, &is_new);

  if (is_new) {
    s->ssrc = ssrc;
    s->pad = RCC_SEND_PADS;
    s->media = RCC_MEDIA_UNKNOWN;
    s->key_requested = RCC_NEVER;
    rcc_seq_rewrite_init (&s->seq_rewrite);
  }
  return s;
}

/* Behind rtpfunnel nobody says what the medium is. Then it is video where it does what no audio
 * payload format would. That is two large packets of one timestamp, or two in a row with the
 * marker. The marker ends a frame of video but begins a talkspurt (RFC 3551 4.1). */
static bool
looks_like_video (const RccSendStream *s, const RccSendPacket *packet)
{
  if (!s->last_large || packet->size < SPEECH_MAX)
    return false;
  return packet->timestamp == s->timestamp || (packet->marker && s->frame_ended);
}

static void
keep_header (RccSendStream *s, const RccSendPacket *packet)
{
  if (s->media != RCC_MEDIA_VIDEO || !s->large || !packet->marker || !packet->header
      || packet->header_size > RCC_SEND_HEADER_MAX)
    return;
  memcpy (s->header, packet->header, packet->header_size);
  s->header_size = packet->header_size;
  s->send_time_at = packet->send_time_at;
  s->transport_at = packet->transport_at;
}

void
rcc_send_stream_note (RccSendStream *s, const RccSendPacket *packet)
{
  if (packet->media != RCC_MEDIA_UNKNOWN)
    s->media = packet->media;
  else if (s->media == RCC_MEDIA_UNKNOWN && looks_like_video (s, packet))
    s->media = RCC_MEDIA_VIDEO;
  s->last_large = packet->size >= SPEECH_MAX;
  s->large |= s->last_large;
  s->timestamp = packet->timestamp;
  s->frame_ended = packet->marker;
  s->deltas |= packet->delta;
  keep_header (s, packet);
}

bool
rcc_send_stream_is_audio (const RccSendStream *s)
{
  return s->media == RCC_MEDIA_AUDIO || (s->media == RCC_MEDIA_UNKNOWN && !s->large);
}

uint32_t
rcc_send_stream_pad (const RccSendStream *s, uint16_t seq, uint8_t *out)
{
  memcpy (out, s->header, s->header_size);
  memset (out + s->header_size, 0, RCC_SEND_PADDING_SIZE - 1);
  out[s->header_size + RCC_SEND_PADDING_SIZE - 1] = RCC_SEND_PADDING_SIZE;
  out[0] |= 0x20;                       /* P */
  out[1] &= 0x7f;                       /* no marker */
  rcc_put16 (out + 2, seq);
  return s->header_size + RCC_SEND_PADDING_SIZE;
}
