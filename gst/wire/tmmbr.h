/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tmmbr.h - Temporary Maximum Media Stream Bit Rate Request and Notification
 * (RFC 5104 4.2.1, 4.2.2)
 */
#ifndef RCC_WIRE_TMMBR_H
#define RCC_WIRE_TMMBR_H

#include "wire/rtcp.h"

#define RCC_TMMBR_ENTRIES_MAX 32766     /* a packet's length is 16 bits of words */

typedef struct {
  uint32_t ssrc;        /* TMMBR: media sender addressed; TMMBN: who owns the limit */
  uint64_t bps;         /* mantissa << exp, saturated; counts @overhead in */
  uint16_t overhead;    /* bytes a packet, 0..511 */
} RccTmmbrEntry;

typedef struct {
  uint32_t sender_ssrc;
  bool notification;                    /* TMMBN */
  unsigned n_entries;                   /* those that are there whole, maybe none */
  RccBytes fci;
} RccTmmbr;

/* False for anything but RTPFB FMT 3 or 4. */
bool rcc_tmmbr_parse (const RccRtcpPacket *packet, RccTmmbr *tmmbr);
/* @i < n_entries. */
void rcc_tmmbr_entry (const RccTmmbr *tmmbr, unsigned i, RccTmmbrEntry *entry);
/* Rounds bitrates down by less than 2^-16 of the value and limits overhead to 511. Returns 12 + 8
 * * @n bytes. 0 when @size is too small, @n is above the maximum, or a request would have no
 *   entry. A notification may have none: no limit holds. */
size_t rcc_tmmbr_build (uint8_t *out, size_t size, uint32_t sender_ssrc,
    bool notification, const RccTmmbrEntry *entries, unsigned n);

#endif
