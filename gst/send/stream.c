/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send/stream.h"

#include <string.h>

#include "send/path.h"

#define SPEECH_MAX 300                  /* bytes; larger packets are no speech */

void
rcc_send_streams_init (RccSendStreams *s, RccResize resize)
{
  *s = (RccSendStreams) { .resize = resize };
}

void
rcc_send_streams_clear (RccSendStreams *s)
{
  rcc_release (s->resize, s->streams);
  s->streams = NULL;
  s->room = 0;
  rcc_send_streams_forget (s);
}

void
rcc_send_streams_forget (RccSendStreams *s)
{
  rcc_ssrcs_init (&s->ssrcs);
  s->hit = 0;
  s->uses = 0;
}

RccSendStream *
rcc_send_streams_find (RccSendStreams *s, uint32_t ssrc)
{
  int i;

  if (s->hit < s->ssrcs.n && s->streams[s->hit].ssrc == ssrc)
    return &s->streams[s->hit];
  i = rcc_ssrcs_find (&s->ssrcs, ssrc);
  return i >= 0 ? &s->streams[s->hit = (unsigned) i] : NULL;
}

static unsigned
used_longest_ago (const RccSendStreams *s)
{
  unsigned oldest = 0;

  for (unsigned i = 1; i < s->ssrcs.n; i++)
    if (s->streams[i].used < s->streams[oldest].used)
      oldest = i;
  return oldest;
}

static unsigned
add (RccSendStreams *s, uint32_t ssrc)
{
  unsigned place = s->ssrcs.n;

  if (place == RCC_SEND_STREAMS) {
    place = used_longest_ago (s);
    rcc_ssrcs_replace (&s->ssrcs, place, ssrc);
    return place;
  }
  if (place == s->room) {
    s->room = RCC_MAX (2, 2 * s->room);
    s->streams = s->resize (s->streams, s->room * sizeof *s->streams);
  }
  rcc_ssrcs_add (&s->ssrcs, ssrc);
  return place;
}

RccSendStream *
rcc_send_streams_get (RccSendStreams *s, uint32_t ssrc)
{
  RccSendStream *stream = rcc_send_streams_find (s, ssrc);

  if (!stream) {
    s->hit = add (s, ssrc);
    stream = &s->streams[s->hit];
    stream->ssrc = ssrc;
    stream->pad = RCC_SEND_PADS;
    stream->media = RCC_MEDIA_UNKNOWN;
    stream->large = stream->last_large = stream->frame_ended = false;
    stream->timestamp = stream->clock_rate = stream->header_size = 0;
    stream->deltas = stream->needs_key = false;
    stream->key_asked = RCC_NEVER;
    stream->requests = (RccSpurious) { 0 };
    rcc_numbering_init (&stream->numbering);
  }
  stream->used = ++s->uses;
  return stream;
}

/* Where nobody says (behind rtpfunnel): video is what no audio payload format sends, two
 * large packets of one timestamp, or two in a row that both have the marker, which ends a
 * frame of video but begins a talkspurt (RFC 3551 4.1). */
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
