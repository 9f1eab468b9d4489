/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scream/rate.h - target and pacing rate by the reference window and the round trip
 * (screamv2 4.3.2, 4.4)
 *
 * Frames are those of the stream with the largest ones: packets of one timestamp.  How long its
 * first packet waited is seen as it leaves.
 */
#ifndef RCC_SCREAM_RATE_H
#define RCC_SCREAM_RATE_H

#include "core/scream/config.h"

#define RCC_SCREAM_STREAMS 4

typedef struct {
  uint32_t ssrc, timestamp, bytes;      /* bytes of the frame so far */
  RccTime began;                        /* RCC_NEVER: the slot is free */
  double mean;                          /* of its frames, bytes */
} RccScreamStream;

typedef struct {
  RccScreamStream streams[RCC_SCREAM_STREAMS];
  double period;                        /* frame_period, s */
  double adjust, deviation;             /* rate_adjust_factor, frame_size_dev */
} RccScreamRate;

void rcc_scream_rate_init (RccScreamRate *r);

/* A packet leaves that waited for @waited in the send queue; @target_bps as it is now. */
void rcc_scream_rate_sent (RccScreamRate *r, const RccScreamConfig *config,
    const RccPacket *packet, RccTime waited, double target_bps);

/* What a window of @bytes is worth in bit/s, without limits. */
double rcc_scream_rate_target (const RccScreamRate *r, const RccScreamConfig *config,
    double bytes, RccTime rtt);
/* The window that @bps comes from: the reverse. */
double rcc_scream_rate_window (const RccScreamConfig *config, double bps, RccTime rtt);

double rcc_scream_rate_pacing (const RccScreamConfig *config, double target_bps, double most_bps);

#endif
