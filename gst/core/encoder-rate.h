/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encoder-rate.h - from a target on the wire to an encoder's bitrate
 */
#ifndef RCC_ENCODER_RATE_H
#define RCC_ENCODER_RATE_H

#include "core/rcc.h"

typedef struct {
  uint32_t min_bps, max_bps;            /* of the encoder; min wins */
  uint32_t reserved_bps;                /* other streams' part of the target */
  uint32_t packet_overhead;             /* bytes of headers per packet */
  uint32_t mtu;                         /* bytes of a full packet, headers included */
} RccEncoderLimits;

/* What the encoder may produce so that media, repair, headers and the reserved
 * part fit @target_bps.  @frame_rate: encoded frames per second, each of which
 * begins a packet; 0: not known, then every packet is taken as full. */
uint32_t rcc_encoder_bitrate (const RccEncoderLimits *limits, uint32_t target_bps,
    uint32_t fec_bps, double frame_rate);

/* The reverse: the target, without repair, of which the encoder can produce @bps.  UINT32_MAX
 * stays as it is. */
uint32_t rcc_encoder_target (const RccEncoderLimits *limits, uint32_t bps, double frame_rate);

typedef enum {
  RCC_ENCODER_STAYS,                    /* not worth it: within 1 % */
  RCC_ENCODER_LATER,                    /* when the interval is over */
  RCC_ENCODER_NOW,
} RccEncoderChange;

/* Whether an encoder that was set to @current @since_last ns ago should be set to
 * @wanted.  Down by more than 5 % goes at once, all else once per @interval. */
RccEncoderChange rcc_encoder_change (uint32_t current, uint32_t wanted, RccTime since_last,
    RccTime interval);

/* Frames per second of stream time, renewed every second. */
typedef struct {
  RccTime first;                        /* RCC_NEVER: none yet */
  unsigned intervals;                   /* since first */
  double rate;                          /* 0: not known */
} RccFrameRate;

#define RCC_FRAME_RATE_INIT { RCC_NEVER, 0, 0. }

/* True when the rate was renewed. Times that are missing (RCC_NEVER) count for nothing. Time that
 * goes back or leaps by 5 s begins anew with the old rate. */
bool rcc_frame_rate_add (RccFrameRate *f, RccTime time);

#endif
