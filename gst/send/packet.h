/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * packet.h - a packet of the send path, as it comes and as it leaves
 */
#ifndef RCC_SEND_PACKET_H
#define RCC_SEND_PACKET_H

#include "core/sbpn/queue.h"
#include "wire/rtp.h"

#define RCC_SEND_PADS RCC_SBPN_CLASSES

typedef enum {
  RCC_MEDIA_UNKNOWN,                    /* nobody says: told by the packets, see stream.c */
  RCC_MEDIA_AUDIO,
  RCC_MEDIA_VIDEO,
  RCC_MEDIA_OTHER,
} RccMedia;

typedef struct {                        /* as it comes */
  void *handle;
  uint32_t size;                        /* bytes, RTP header included */
  uint32_t pad;                         /* < RCC_SEND_PADS */
  RccTime expiry;                       /* of no use at the receiver after it; RCC_NEVER */
  const uint8_t *header;                /* header_size bytes of it, for now; NULL: not at hand */
  uint32_t ssrc, timestamp;
  uint32_t clock_rate;                  /* Hz; 0: unknown */
  RccMedia media;
  uint16_t seq, header_size;
  uint16_t osn;                         /* of a retransmission: what its payload begins with */
  uint16_t send_time_at, transport_at;  /* where abs-send-time and the transport-wide number
                                         * stand in the packet; 0: nowhere */
  int32_t transport;                    /* that number as it came; -1: none */
  uint8_t pt;
  bool rtp;                             /* else handle, size, pad, expiry and keep are all */
  bool marker;
  bool delta;                           /* GST_BUFFER_FLAG_DELTA_UNIT: of no key frame */
  bool inter;                           /* its frame builds upon others, whatever delta says */
  bool keep;                            /* GST_BUFFER_FLAG_NON_DROPPABLE */
  bool retransmission, parity;          /* RFC 4588; somebody's FEC */
} RccSendPacket;

typedef struct {                        /* a packet that leaves, or that is dropped */
  void *handle;
  uint32_t pad, size;
  RccPacket sent;                       /* what the controller was told; size 0: no RTP.  Its
                                         * seq is the RTP number, unwrapped */
  /* to be written into it */
  bool renumbered;
  uint16_t seq;
  uint16_t send_time_at, transport_at, osn_at;  /* 0: not to be written */
  uint32_t send_time;
  uint16_t transport, osn;
  bool cut;                             /* it ends behind the OSN, after size bytes, and has
                                         * neither padding nor the marker */
  /* of drops, and for statistics */
  bool media;                           /* neither a retransmission nor parity */
  RccSbpnCause cause;
  bool expired;                         /* sent all the same */
  RccTime queue_time;
  RccUpdate update;                     /* what the controller said to it */
  bool shown;                           /* it is to be, once it is written: protect.h */
} RccSendOut;

#endif
