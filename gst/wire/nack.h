/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nack.h - generic NACK (RFC 4585 6.2.1)
 */
#ifndef RCC_WIRE_NACK_H
#define RCC_WIRE_NACK_H

#include "wire/rtcp.h"

#define RCC_NACK_SPAN 17                /* numbers that one pair can name */

typedef struct {
  uint32_t sender_ssrc, media_ssrc;
  unsigned n_pairs;
  RccBytes pairs;                       /* 4 bytes each: PID, BLP */
} RccNack;

/* False for anything but RTPFB FMT 1 with at least one whole pair. Bytes after the last whole
 * pair are not looked at. */
bool rcc_nack_parse (const RccRtcpPacket *packet, RccNack *nack);
/* @i < n_pairs: the numbers that it names, the first one first; how many there are, 1 to
 * RCC_NACK_SPAN. */
unsigned rcc_nack_pair (const RccNack *nack, unsigned i, uint16_t seqs[RCC_NACK_SPAN]);

/* @seqs in rising order (modulo 2^16).  Bytes written, 0 when @n is 0 or @size too small. */
size_t rcc_nack_build (uint8_t *out, size_t size, uint32_t sender_ssrc, uint32_t media_ssrc,
    const uint16_t *seqs, unsigned n);

#endif
