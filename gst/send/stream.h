/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stream.h - what the send path knows of one SSRC. That is its medium and numbers, whether its
 * decoder waits for a key frame, and what a padding packet of it looks like.
 */
#ifndef RCC_SEND_STREAM_H
#define RCC_SEND_STREAM_H

#include "core/ssrcs.h"
#include "send/packet.h"
#include "send/seq-rewrite.h"
#include "send/spurious.h"

#define RCC_SEND_HEADER_MAX 96          /* of a padding packet; larger ones get none */
#define RCC_SEND_PADDING_SIZE 255            /* RFC 3550 5.1: the count is one byte */

typedef struct {
  uint32_t ssrc;
  uint32_t pad;                         /* by which its newest packet came; RCC_SEND_PADS: it
                                         * is gone */
  RccSeqRewrite seq_rewrite;
  RccMedia media;
  bool large;                           /* some packet was too large for speech */
  bool last_large;                      /* the last one was */
  bool frame_ended;                     /* the last packet had the marker */
  uint32_t timestamp, clock_rate;       /* clock_rate in Hz; 0: not told yet */
  RccSpurious requests;                 /* for its packets */
  /* key frames */
  bool deltas;                          /* packets of other frames say that they are such */
  bool needs_key;                       /* a frame was broken, no key frame came since */
  RccTime key_requested;                /* RCC_NEVER: not yet */
  RccTime key_sent;                     /* a key frame began to leave; 0: none has */
  RccTime given_up;                     /* nothing that left before is sent again ... */
  bool gave_up;                         /* ... as a key frame is to come in its place */
  /* padding */
  uint8_t header[RCC_SEND_HEADER_MAX];  /* of the last frame's last packet */
  uint32_t header_size;                 /* of that packet; 0: none yet */
  uint16_t send_time_at, transport_at;  /* as in RccSendPacket */
} RccSendStream;

/* The record of @ssrc in @streams, which holds RccSendStreams.  Makes one where there is none,
 * and others may move then. */
RccSendStream *rcc_send_stream_get (RccSsrcs *streams, uint32_t ssrc);
/* @packet has come; it is no retransmission. */
void rcc_send_stream_note (RccSendStream *s, const RccSendPacket *packet);
/* Whether it may go before video: audio, or what looks like it. */
bool rcc_send_stream_is_audio (const RccSendStream *s);
/* Writes a packet of padding behind the last frame, with the number @seq, and returns its size.
 * @out has room for header_size and RCC_SEND_PADDING_SIZE. */
uint32_t rcc_send_stream_pad (const RccSendStream *s, uint16_t seq, uint8_t *out);

#endif
