/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * packet.h - a datagram of the simulated world: real bytes
 */
#ifndef RCC_WORLD_PACKET_H
#define RCC_WORLD_PACKET_H

#include "core/rcc.h"

#define RCC_WORLD_MTU 1500

typedef struct RccDatagram RccDatagram;

struct RccDatagram {
  RccDatagram *next;                    /* in a queue */
  unsigned flow;
  bool rtcp;
  RccTime created;                      /* when the frame was made */
  uint32_t size;
  uint8_t data[RCC_WORLD_MTU];
};

#endif
