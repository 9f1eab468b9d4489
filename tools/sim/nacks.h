/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nacks.h - the receiver's requests for what is missing (RFC 4585 6.2.1), as often as a
 * browser asks
 */
#ifndef RCC_WORLD_NACKS_H
#define RCC_WORLD_NACKS_H

#include "wire/rtp.h"
#include "sim/packet.h"

#define RCC_NACKS_MISSING 512           /* more at once: the stream has begun anew */
#define RCC_NACKS_IN_ONE 128            /* numbers asked for by one message */

typedef struct {
  uint32_t ssrc, own;                   /* of the video, and of who asks */
  unsigned times;                       /* each number is asked for so often */
  RccTime interval;                     /* ... so far apart, the first time at once */
} RccNacksConfig;

typedef struct {
  uint16_t seq;
  unsigned asked;
  RccTime next;
} RccMissing;

typedef struct {
  RccNacksConfig config;
  bool any;
  uint16_t highest;
  RccMissing missing[RCC_NACKS_MISSING];        /* in rising order */
  unsigned n;
  uint64_t requests;                    /* numbers asked for, each time */
  uint64_t recovered, given_up, unneeded;       /* unneeded: a copy of what had come */
} RccNacks;

void rcc_nacks_init (RccNacks *k, const RccNacksConfig *config);
/* A packet of the video, or of its RTX stream (RFC 4588 4), came. */
void rcc_nacks_packet (RccNacks *k, const RccRtp *rtp, RccBytes packet, RccTime now);
/* When the next request is due; RCC_NEVER: nothing is missing. */
RccTime rcc_nacks_next (const RccNacks *k);
/* The message that is due, or NULL; the caller's. */
RccDatagram *rcc_nacks_poll (RccNacks *k, RccTime now);

#endif
