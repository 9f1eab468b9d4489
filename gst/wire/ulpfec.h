/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ulpfec.h - generic FEC, the payload of its packets (RFC 5109)
 *
 * Departs from it: one level is written, and of a packet with several only level 0
 * repairs.  The others are checked and skipped, so a packet longer than the first
 * protection length is refused, never cut.  A packet's further level may stand in
 * another FEC packet than its first (7.4 b); nobody sends such.
 */
#ifndef RCC_WIRE_ULPFEC_H
#define RCC_WIRE_ULPFEC_H

#include "wire/parity.h"

#define RCC_ULPFEC_SPAN 16              /* of the short mask, for rcc_parity_init() */
#define RCC_ULPFEC_SPAN_LONG 48
#define RCC_ULPFEC_HEADER_MAX 18        /* bytes before the body; 14 with the short mask */

/* @payload: of the FEC packet, without RTP header and padding, or a block of RED; @ssrc:
 * of the stream that it protects.  False when the headers do not fit, or a protection length
 * claims more than is there.  False also when bytes are left behind the last level, or the mask
 * of level 0 is empty.  The E bit is ignored, as 7.3 asks for. */
bool rcc_ulpfec_parse (RccBytes payload, uint32_t ssrc, RccParity *parity);

/* The payload that protects @block, with the short mask where it does. Returns its size, or 0
 * when the block is empty, reaches over more than 48 numbers, or @size is too small. */
size_t rcc_ulpfec_build (uint8_t *out, size_t size, const RccParityBlock *block);

#endif
