/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ecn.h - ECN counters from the receiver (RFC 6679): the feedback packet (5.1) and the
 * summary block of extended reports (5.2)
 */
#ifndef RCC_WIRE_ECN_H
#define RCC_WIRE_ECN_H

#include "wire/rtcp.h"
#include "wire/xr.h"

typedef struct {                        /* cumulative, from 0 when the receiver joined */
  uint32_t ssrc;                        /* the stream they speak of */
  uint32_t ect0, ect1;                  /* these wrap at 32 bits, the others at 16 */
  uint16_t ce, not_ect, lost, duplicates;
} RccEcnCounters;

typedef struct {
  uint32_t sender_ssrc;
  uint32_t highest_seq;                 /* extended, the newest that was counted */
  RccEcnCounters counters;
} RccEcnFeedback;

/* False for anything but RTPFB FMT 8 with one report of exactly 20 bytes. */
bool rcc_ecn_parse (const RccRtcpPacket *packet, RccEcnFeedback *fb);
/* Takes the next stream's counters off @rest: start with the body of an XR block of
 * type RCC_XR_ECN_SUMMARY.  False at the end; what is left is no whole entry. */
bool rcc_ecn_next (RccBytes *rest, RccEcnCounters *counters);

#define RCC_ECN_FEEDBACK_SIZE 32
#define RCC_ECN_ENTRY_SIZE 20
/* RCC_ECN_FEEDBACK_SIZE, or 0 when @size is too small. */
size_t rcc_ecn_build (uint8_t *out, size_t size, const RccEcnFeedback *fb);
/* One entry of a summary block's body; RCC_ECN_ENTRY_SIZE, or 0 when @size is too small. */
size_t rcc_ecn_put (uint8_t *out, size_t size, const RccEcnCounters *counters);

#endif
