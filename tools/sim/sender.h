/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sender.h - a media sender of the simulated world: source, packetiser, scheduler,
 * pacer, congestion control, circuit breaker, RTP and SRs out, RTCP in.  Bytes all the
 * way.
 */
#ifndef RCC_WORLD_SENDER_H
#define RCC_WORLD_SENDER_H

#include "core/fbra/protection.h"
#include "send/gate.h"
#include "send/protect.h"
#include "wire/feedback.h"
#include "sim/controller.h"
#include "sim/history.h"
#include "sim/delivery.h"
#include "sim/targetdelay.h"
#include "sim/source.h"

typedef struct {
  uint32_t ssrc, audio_ssrc;            /* audio_ssrc 0: no audio */
  uint32_t parity_ssrc;                 /* 0: no parity */
  uint32_t rtx_ssrc;                    /* 0: nothing is sent again */
  bool adapt;                           /* follow the controller; else a fixed rate */
  const RccController *controller;
  const void *controller_config;        /* of that; read by init alone */
  RccConfig limits;
  RccSourceConfig source;
  RccSendConfig queue;
  uint32_t entries;                     /* packets that wait at most; 0: 16384 */
  RccTime skip_queue, expiry[RCC_WORLD_STREAMS];        /* as in world.h */
  RccSbpnClassConfig classes[RCC_WORLD_STREAMS];        /* where it is scheduled */
  RccTime encoder_delay;                /* from new target to encoder */
  RccTime pause, resume;                /* no frame and no audio in [pause, resume) */
  uint32_t packet_size;                 /* of the largest RTP packet, header included */
  RccTime sr_interval;
  bool plain;                           /* no header extensions */
  uint32_t parity_always;               /* N where the controller asks for none; 0: none */
  unsigned parity_depth;                /* of its blocks, as in send/parity.h */
  bool parity_flush;                    /* as there */
  bool parity_probes;                   /* probes are filled with parity, as there */
  bool parity_first;                    /* increases are parity first, as in probed.h */
  uint32_t audio_size;                  /* of every audio packet, the same */
  bool breaks;                          /* a circuit breaker stands behind the pacer */
  RccBreakerConfig breaker;
  uint64_t seed;
} RccWorldSenderConfig;

typedef struct {
  RccWorldSenderConfig config;
  RccWorldController control;
  RccSend path;
  RccDeliveryStats delivery;
  RccSource source;
  RccFeedback *feedback;
  RccGate *gate;                        /* NULL: none */
  RccSendParity *parity;                /* NULL: none */
  RccWorldHistory *history;             /* NULL: nothing is sent again */
  uint16_t seq, audio_seq;
  RccTime audio_next, sr_next;
  uint32_t timestamp;                   /* of the last frame, for padding */
  uint64_t frame;                       /* its number */
  RccRng rng;
  RccTargetDelay target_delay;          /* targets on their way to the encoder */
  uint32_t target_bps;                  /* of the controller, or the fixed rate; without
                                         * parity */
  uint32_t allowed_bps;                 /* by the breaker, as last told to the encoder */
  uint32_t packets, octets;
  uint64_t padding_bytes, parity_bytes, media_bytes, dropped;
  uint64_t pictures_skipped;
  uint64_t gaps;                        /* numbers of the video that were left out */
  int video_seq;                        /* the last that left; -1: none */
} RccWorldSender;

#define RCC_WORLD_AUDIO_SIZE 74         /* RFC 8867 4: constant 20 kbit/s of payload */

/* Everything is counted in s->delivery unless its span is set after this. */
bool rcc_world_sender_init (RccWorldSender *s, const RccWorldSenderConfig *config,
    RccTime now, char *error, size_t error_size);
void rcc_world_sender_clear (RccWorldSender *s);

RccTime rcc_world_sender_next (RccWorldSender *s, RccTime now);
/* Does what is due and returns the next datagram to put on the link (the caller frees it). NULL:
 * there is none until rcc_world_sender_next(). */
RccDatagram *rcc_world_sender_poll (RccWorldSender *s, RccTime now);
void rcc_world_sender_rtcp (RccWorldSender *s, const uint8_t *data, size_t size,
    RccTime now);

#endif
