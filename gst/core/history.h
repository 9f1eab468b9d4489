/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history.h - what was sent, by unwrapped number, until feedback speaks of it
 */
#ifndef RCC_HISTORY_H
#define RCC_HISTORY_H

#include "core/seq.h"

/* At 1200 B a packet: 6.5 s of 3 Mbit/s, 0.8 s of 25 Mbit/s. */
#define RCC_HISTORY_SIZE 2048

typedef struct {
  RccPacket packet;                     /* sent == RCC_NEVER: the slot is empty */
  bool judged;                          /* feedback has spoken of it */
  bool withheld;                        /* given a number, but never let out */
  uint8_t said;                         /* scratch of who reads a compound; 0 between them */
  uint32_t ticks;                       /* as @said */
} RccSentPacket;

typedef struct {
  RccUnwrap unwrap;                     /* of the numbers as sent */
  uint64_t added, withheld;
  RccSentPacket slots[RCC_HISTORY_SIZE];
} RccHistory;

void rcc_history_init (RccHistory *h);

/* @seq: 16 bits as on the wire.  Returns the packet, for its ssrc and timestamp. */
RccSentPacket *rcc_history_sent (RccHistory *h, uint16_t seq, uint32_t size,
    uint32_t probe, RccTime now);

/* A packet that had its number already was dropped before it left: it is missing
 * at the receiver, but the network has not lost it. */
void rcc_history_withheld (RccHistory *h, uint16_t seq, RccTime now);

/* How many numbers in (@after, @upto] were withheld, as far as is remembered. */
uint32_t rcc_history_count_withheld (RccHistory *h, int64_t after, int64_t upto);

/* The packet with that number; NULL when it was never sent or is forgotten.  The
 * number is unwrapped against the newest one sent, so an echo of a number that
 * has not been sent yet finds nothing. */
RccSentPacket *rcc_history_find (RccHistory *h, uint16_t seq);

/* Whether that number lies before the newest one sent by less than half of all numbers: it
 * is still to be sent. */
bool rcc_history_is_ahead (const RccHistory *h, uint16_t seq);

#endif
