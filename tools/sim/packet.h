/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * packet.h - a datagram of the simulated world: real bytes
 */
#ifndef RCC_WORLD_PACKET_H
#define RCC_WORLD_PACKET_H

#include "wire/rtp.h"

#define RCC_WORLD_MTU 1500

/* The header extensions of the world. */
enum { RCC_WORLD_EXT_ABS = 3, RCC_WORLD_EXT_TWCC = 5 };
enum { RCC_WORLD_PT_VIDEO = 96, RCC_WORLD_PT_AUDIO = 97, RCC_WORLD_PT_PARITY = 98,
  RCC_WORLD_PT_RTX = 99 };

typedef enum { RCC_WORLD_AUDIO, RCC_WORLD_VIDEO, RCC_WORLD_STREAMS } RccWorldStream;

typedef struct RccDatagram RccDatagram;

struct RccDatagram {
  RccDatagram *next;                    /* in a queue */
  unsigned flow;                        /* of its kind */
  bool rtcp, tcp;
  bool padding, parity;
  bool rtx;                             /* a copy that was asked for (RFC 4588) */
  RccWorldStream stream;                /* of media */
  uint64_t frame;                       /* of video, from 1; 0: of no frame */
  RccEcn ecn;                           /* as in its IP header: as sent, then as it came */
  RccTime created;                      /* when the frame was made */
  RccTime queued, left;                 /* came to the send path, left it */
  size_t offered_bin, left_bin;         /* of the delivery stats, then */
  uint32_t size;
  uint8_t data[RCC_WORLD_MTU];
};

/* An RTP packet with both extensions, their values 0, or none where it is @plain, and
 * @payload bytes (of padding where @rtp says so); the caller's. */
RccDatagram *rcc_datagram_rtp (const RccRtp *rtp, bool plain, size_t payload, RccTime now);
/* RTP timestamp. */
uint32_t rcc_world_ticks (RccTime now, uint32_t rate);

#endif
