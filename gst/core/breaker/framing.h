/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/framing.h - how a stream is cut into frames and packets: Tf and s of RFC 8083 3
 *
 * A frame is what shares an RTP timestamp with the packet before.
 */
#ifndef RCC_FRAMING_H
#define RCC_FRAMING_H

#include "core/rcc.h"

#define RCC_FRAMING_SLOTS 1024          /* 4 G: exact; beyond, several frames share one */
#define RCC_FRAMING_GAPS 11             /* seconds, for the largest gap of the last 10 */

typedef struct {
  uint32_t timestamp;
  bool any;                             /* a frame is under way */
  RccTime frame_at, packet_at;          /* when the newest began / left; RCC_NEVER: none */
  uint64_t bytes, packets;              /* sums over the slots */
  unsigned slot, frames_in_slot;
  unsigned frames_per_slot, n_slots;    /* from 4 G */
  RccTime last_gap;                     /* between the last two frames; RCC_NEVER: none yet */
  struct {
    uint32_t second;                    /* which */
    RccTime longest;
  } gaps[RCC_FRAMING_GAPS];
  struct {
    uint32_t bytes, packets;
  } slots[RCC_FRAMING_SLOTS];
} RccFraming;

/* @frames: the 4 G that s is taken over; 0 counts as 1. */
void rcc_framing_init (RccFraming *f, unsigned frames);
void rcc_framing_packet (RccFraming *f, uint32_t timestamp, uint32_t size, RccTime now);
/* The stream stopped: the time until the next packet is no gap between frames. */
void rcc_framing_pause (RccFraming *f);

/* s: mean size of the packets of the last 4 G frames, the one under way included. Bytes with the
 * RTP header, 0 before the first. */
double rcc_framing_packet_size (const RccFraming *f);
/* Tf: the longest gap between frames in the last 10 s, or for streams with longer gaps the newest
 * one. RCC_NEVER before the second frame. */
RccTime rcc_framing_interval (const RccFraming *f, RccTime now);

#endif
