/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parity.h - what ULPFEC (RFC 5109) and FlexFEC (RFC 8627) have in common
 *
 * Both send the exclusive or of RTP packets, and their formats are two ways to write it down. It
 * is an 80-bit string and the bytes from offset 12 on, with shorter packets padded by zeros. The
 * string is that of RFC 5109 8.1: the first 8 header bytes, then the length behind the fixed
 * header. With it goes which sequence numbers went in. The formats (ulpfec.h, flexfec.h) write an
 * RccParityBlock and read an RccParity. The arithmetic is here only.
 */
#ifndef RCC_WIRE_PARITY_H
#define RCC_WIRE_PARITY_H

#include "wire/rtp.h"

#define RCC_PARITY_PACKET_MAX 2048      /* bytes of an RTP packet, header included */
#define RCC_PARITY_BODY_MAX (RCC_PARITY_PACKET_MAX - RCC_RTP_HEADER_MIN)
#define RCC_PARITY_SPAN_MAX 110         /* the longest mask there is: FlexFEC's */
#define RCC_PARITY_STREAMS_MAX 15       /* what a CSRC list can name */
#define RCC_PARITY_WORDS 4              /* of a mask: L and D go up to 255 */

/* The sender's side: the packets of one stream that go into one parity packet.  Over
 * 2 kB, owned by the caller; a block in use may be copied. */
typedef struct {
  uint32_t ssrc;
  unsigned span;                        /* sequence numbers a block may reach over */
  unsigned n;                           /* packets in it */
  uint16_t base;                        /* the lowest, which is the first */
  uint16_t length;                      /* the exclusive or of (size - 12) */
  uint64_t head;                        /* ... of the first 8 bytes of each */
  uint64_t mask[2];                     /* bit i, from the top of [0] on: base + i */
  size_t size;                          /* bytes of body in use: the longest packet's */
  uint8_t body[RCC_PARITY_BODY_MAX];
} RccParityBlock;

/* An empty block. @span: 16 or 48 for ULPFEC, 15, 46 or 110 for FlexFEC. Out of these bounds it
 * is taken as 1 or RCC_PARITY_SPAN_MAX. Does not touch the body: cheap. */
void rcc_parity_init (RccParityBlock *block, unsigned span);

/* Adds a whole RTP packet. One whose sequence number is in the block is taken for a copy and
 * changes nothing: true. False, and nothing added, for what cannot join. That is a number below
 * the first's or beyond the span, another SSRC, no RTP packet, or more than RCC_PARITY_PACKET_MAX
 * bytes. The first two ask for a new block. */
bool rcc_parity_add (RccParityBlock *block, RccBytes packet);
/* The same for a packet that lies in @n pieces, as buffers have it. The first holds the whole
 * header, which is @rtp. The number that counts is @rtp's, whatever the bytes say. */
bool rcc_parity_add_parts (RccParityBlock *block, const RccRtp *rtp, const RccBytes *parts,
    unsigned n);

/* One parity for the packets of both, into @block. False, and nothing changed, where @other is of
 * another stream, begins before @block, reaches beyond its span, or shares a packet with it. */
bool rcc_parity_merge (RccParityBlock *block, const RccParityBlock *other);

/* The receiver's side: the packets of one stream below a parity. */
typedef struct {
  uint32_t ssrc;
  uint16_t base;
  uint16_t step;                        /* bit i of the mask: base + i * step */
  uint64_t mask[RCC_PARITY_WORDS];      /* from the top of [0] on */
} RccParityStream;

/* One parsed FEC packet; the body points into it. */
typedef struct {
  uint64_t head;                        /* version and sequence bits mean nothing */
  uint16_t length;
  RccBytes body;
  unsigned n_streams;
  RccParityStream streams[RCC_PARITY_STREAMS_MAX];
} RccParity;

/* Where the packets that did arrive are. */
typedef struct {
  /* The whole packet as it arrived, or no bytes when there is none.  Media only: never
   * an FEC packet that shares the sequence space.  Must answer alike within one call. */
  RccBytes (*packet) (void *user, uint32_t ssrc, uint16_t seq);
  /* May the stream carry such a packet (its payload type)?  NULL: any. */
  bool (*accept) (void *user, const RccRtp *rtp);
  void *user;
} RccParitySource;

typedef enum {
  RCC_PARITY_COMPLETE,                  /* nothing is missing */
  RCC_PARITY_SHORT,                     /* more than one is: later, perhaps */
  RCC_PARITY_REFUSED,                   /* what came out is not the packet that was lost */
  RCC_PARITY_RECOVERED
} RccParityVerdict;

typedef struct {
  RccParityVerdict verdict;
  uint32_t ssrc;                        /* of the missing packet; 0 unless it is the only one */
  uint16_t seq;
  size_t size;                          /* bytes of it in @out; 0 unless recovered */
} RccParityResult;

/* Recovers the one packet that is missing into @out. That must overlap nothing that is read, and
 * have room for 12 + body.size bytes. RCC_PARITY_PACKET_MAX do for what an RccParityBlock makes.
 * What is in @out beyond the result's size means nothing.
 *
 * Never a packet that was padded with zeros, nor one that would not have been taken when it had
 * arrived. Refused are a length beyond the body (a higher level would be needed for the rest) and
 * a body beyond @out. So are a header, extension or padding that does not fit the length, and
 * what @accept does not accept. So is a body that is not all zeros beyond the length: the lost
 * packet had nothing there. Then either it or another one was not what the sender protected. The
 * RFCs do not ask for the last, any parity made by their rules passes. */
RccParityResult rcc_parity_recover (const RccParity *parity, const RccParitySource *source,
    uint8_t *out, size_t size);

/* Is @seq of @ssrc below this parity? */
bool rcc_parity_protects (const RccParity *parity, uint32_t ssrc, uint16_t seq);

#endif
