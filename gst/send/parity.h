/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parity.h - parity packets for one RTP stream that leaves (RFC 5109, RFC 8627)
 *
 * A block is N packets, across frames; D blocks lie between one another (interleave.h).
 * Parity follows the last packet of these D blocks at once, with that packet's timestamp.
 * Or it waits for the marker, and follows a run of whole frames.  Either way all of it leaves
 * together: rtpstorage reads the first one alone, and would not find what a later one protects.
 * Parity either shares the media's SSRC and sequence numbers, or is a stream of its own.
 *
 * Or a probe cluster is filled with it (config.fills_probes), where it would be with padding. Then
 * FILL_DEPTH blocks are always begun. At a probe each gets its parity, one when the pacer wants
 * something. Together they cover the last 24 to 48 packets. What no probe wants is let go.
 *
 * This file makes it.  protect.h sends it and gives it its numbers.
 */
#ifndef RCC_SEND_PARITY_H
#define RCC_SEND_PARITY_H

#include "core/stats.h"
#include "send/packet.h"
#include "wire/interleave.h"

#define RCC_SEND_PARITY_HELD 32         /* parity packets that wait to leave, at most */
#define RCC_SEND_PARITY_EXT_MAX 64      /* bytes of header extension that parity copies */

typedef struct {
  uint8_t pt;
  bool flexfec;                         /* in a stream of its own only */
  bool apart;                           /* a stream of its own; else among the media */
  bool at_marker;                       /* parity among the media waits for the marker */
  bool flush;                           /* what is begun when parity ends gets its own */
  bool fills_probes;                    /* while there is no other parity */
  uint32_t ssrc;                        /* the stream to protect; 0: see _departs() */
  uint32_t fec_ssrc;                    /* of a stream of its own */
} RccSendParityConfig;

typedef struct {                        /* a block that is complete */
  RccParityBlock block;
  uint32_t timestamp;
  uint32_t size;                        /* of its packet, nearly */
} RccSendParityHeld;

typedef struct {
  RccSendParityConfig config;
  uint16_t seq;                         /* the own stream's newest */
  uint32_t n;                           /* packets per parity packet; 0: off */
  uint32_t depth;                       /* blocks wanted between one another */
  uint32_t fits;                        /* of them; 0: off */

  /* whom to protect, where the configuration does not say */
  uint32_t announced;                   /* 0: nobody says */
  uint32_t chosen;
  RccTime chosen_at;                    /* when it passed last; RCC_NEVER: none is */
  uint32_t current;                     /* protected last */
  uint16_t newest;                      /* its number */
  uint32_t timestamp;                   /* of the newest packet that parity is made of */

  RccInterleave rounds[2];              /* the one begun, and one that is complete and */
  unsigned at;                          /* waits for the marker; which is begun */
  bool extends;                         /* parity copies the header extension */
  uint8_t ext[RCC_SEND_PARITY_EXT_MAX]; /* of the newest packet, with its head */
  uint32_t ext_size;
  bool wanted;                          /* the packet that left last is to be shown */
  bool fills;                           /* what is due is a probe's */
  uint16_t seq_wanted, send_time_at, transport_at;      /* of it, as in RccSendOut */
  RccSendParityHeld *held;              /* a ring */
  unsigned held_room;
  unsigned first, n_held, n_due;        /* the first n_due of them may leave */
  RccResize resize;

  uint64_t packets, bytes;              /* of parity, that left */
  uint64_t filled;                      /* of it, packets in place of padding */
  uint64_t dropped_blocks, dropped, unprotected, renumbered;
} RccSendParity;                        /* the owner's */

extern const RccField rcc_send_parity_fields[];

/* As new; off. */
void rcc_send_parity_init (RccSendParity *p, const RccSendParityConfig *config,
    RccResize resize);
/* Gives its memory back. */
void rcc_send_parity_clear (RccSendParity *p);
/* Counters at 0, and off; what is begun is dropped. */
void rcc_send_parity_restart (RccSendParity *p);
/* Drops what is begun, and what waits. */
void rcc_send_parity_drop (RccSendParity *p);
/* Another configuration, for which what is begun is dropped. */
void rcc_send_parity_configure (RccSendParity *p, const RccSendParityConfig *config);
/* The same, and forgets the streams that passed. */
void rcc_send_parity_forget (RccSendParity *p);

/* From now on there is parity for every @n packets.  0: none, and what is begun is dropped, or
 * with config.flush gets its parity behind the next packet of the stream.  Up to @depth blocks
 * lie between one another; ->fits says how many the mask can name.  Where that changes, what is
 * begun gets its parity behind the next packet. */
void rcc_send_parity_set (RccSendParity *p, uint32_t n, uint32_t depth);
/* @ssrc is the stream to protect where the configuration names none; 0: nobody says.  @extends:
 * parity is to be measured as media is, and needs the same header extensions. */
void rcc_send_parity_announce (RccSendParity *p, uint32_t ssrc, bool extends);

/* @packet leaves as @out says. True: its bytes are to be shown. The configuration says which SSRC
 * is protected, else the announcement. Else it is the first one that passes, until it is silent
 * for 5 s. Never protected are retransmissions, somebody's parity, and a number that is no newer
 * than another one. Parity of two packets with one number would recover one that never was. */
bool rcc_send_parity_departs (RccSendParity *p, const RccSendPacket *packet,
    const RccSendOut *out, RccTime now);
/* The bytes of that packet, as they leave, in @n pieces.  The first has the whole header.
 * @copies: transport-wide numbers in it may be copied. */
void rcc_send_parity_add (RccSendParity *p, const RccBytes *parts, unsigned n, bool copies);

/* A probe wants a packet: whether parity is due in place of padding.  It is to be written now. */
bool rcc_send_parity_fill (RccSendParity *p);

/* Room that the next parity packet needs at most; 0: none is due. */
uint32_t rcc_send_parity_room (const RccSendParity *p);
/* Writes the next one, all but its number, and returns its size.  0: @size is too small, and it
 * is dropped.  ->send_time_at and ->transport_at say where these stand in it; 0: nowhere. */
uint32_t rcc_send_parity_write (RccSendParity *p, uint8_t *out, size_t size);

#endif
