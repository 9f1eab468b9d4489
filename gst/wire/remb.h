/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * remb.h - Receiver Estimated Maximum Bitrate (draft-alvestrand-rmcat-remb-03)
 */
#ifndef RCC_WIRE_REMB_H
#define RCC_WIRE_REMB_H

#include "wire/rtcp.h"

#define RCC_REMB_SSRCS_MAX 255

typedef struct {
  uint32_t sender_ssrc;
  uint64_t bps;                         /* saturated at UINT64_MAX: exp goes to 63 */
  unsigned n_ssrcs;                     /* as many as are there */
  RccBytes ssrcs;                       /* 4 bytes each */
} RccRemb;

/* False for anything but PSFB FMT 15 with the identifier REMB and a length of exactly 12 + 8 + 4N
 * bytes. N may be 0. */
bool rcc_remb_parse (const RccRtcpPacket *packet, RccRemb *remb);
/* @i < n_ssrcs. */
uint32_t rcc_remb_ssrc (const RccRemb *remb, unsigned i);

/* 20 + 4 * @n bytes, or 0 when @size is too small or @n > 255.  Rounds down by
 * less than 2^-17 of the value. */
size_t rcc_remb_build (uint8_t *out, size_t size, uint32_t sender_ssrc,
    uint64_t bps, const uint32_t *ssrcs, unsigned n);

#endif
