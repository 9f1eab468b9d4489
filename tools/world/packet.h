/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * packet.h - a datagram of the simulated world: real bytes
 */
#ifndef RCC_WORLD_PACKET_H
#define RCC_WORLD_PACKET_H

#include "core/rcc.h"

#define RCC_WORLD_MTU 1500

typedef enum { RCC_WORLD_AUDIO, RCC_WORLD_VIDEO, RCC_WORLD_STREAMS } RccWorldStream;

typedef struct RccDatagram RccDatagram;

struct RccDatagram {
  RccDatagram *next;                    /* in a queue */
  unsigned flow;                        /* of its kind */
  bool rtcp, tcp;
  bool padding;
  RccWorldStream stream;                /* of media */
  uint64_t frame;                       /* of video, from 1; 0: of no frame */
  RccTime created;                      /* when the frame was made */
  RccTime queued;
  uint32_t size;
  uint8_t data[RCC_WORLD_MTU];
};

#endif
