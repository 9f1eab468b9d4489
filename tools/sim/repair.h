/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * repair.h - the receiver's side of parity
 *
 * What came is kept for a while. What did not is worked out as soon as a parity packet allows it.
 */
#ifndef RCC_WORLD_REPAIR_H
#define RCC_WORLD_REPAIR_H

#include "wire/ulpfec.h"
#include "sim/packet.h"

#define RCC_REPAIR_PACKETS 256          /* media; 8 s at 30 a second */
#define RCC_REPAIR_PARITIES 16

typedef struct {
  bool any;
  uint16_t seq;
  uint16_t size;
  uint8_t data[RCC_WORLD_MTU];
} RccRepairPacket;

typedef struct {
  uint32_t ssrc;                        /* of the media */
  RccRepairPacket media[RCC_REPAIR_PACKETS];
  RccRepairPacket parities[RCC_REPAIR_PARITIES];        /* payloads that may yet repair */
  unsigned next;
  uint64_t parsed, malformed, recovered, refused;
} RccWorldRepair;

void rcc_world_repair_init (RccWorldRepair *r, uint32_t ssrc);
/* An RTP packet of the media or of the parity came. */
void rcc_world_repair_packet (RccWorldRepair *r, const RccRtp *rtp, RccBytes packet);
/* The next packet that can be had back now, whole, in @out (RCC_PARITY_PACKET_MAX bytes);
 * its size, 0: none.  From then on it counts as received. */
size_t rcc_world_repair_next (RccWorldRepair *r, uint8_t *out);

#endif
