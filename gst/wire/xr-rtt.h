/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * xr-rtt.h - the round trip for who sends no media: Receiver Reference Time and DLRR
 * (RFC 3611 4.4, 4.5)
 *
 * The receiver sends its NTP time (RRTR) and remembers when with rcc_srs_sent(). The sender
 * answers with that time's middle bits and how long it has had them (DLRR).
 */
#ifndef RCC_WIRE_XR_RTT_H
#define RCC_WIRE_XR_RTT_H

#include "core/rtt.h"
#include "wire/xr.h"

#define RCC_XR_DLRR_MAX 31              /* sub-blocks that one call builds */

typedef struct {                        /* one sub-block */
  uint32_t ssrc;                        /* whose RRTR is answered */
  uint32_t lrr;                         /* its middle 32 bits; 0: none came */
  uint32_t dlrr;                        /* 1/65536 s since it came */
} RccXrDlrr;

/* False for other blocks and for a body that is not 8 bytes. */
bool rcc_xr_rrtr_parse (const RccXrBlock *block, uint64_t *ntp);
/* Takes the next sub-block off @rest (start with the body of an RCC_XR_DLRR block). False at the
 * end, and on the rest of one that is cut short. */
bool rcc_xr_dlrr_next (RccBytes *rest, RccXrDlrr *entry);

/* As rcc_xr_add().  @n 1..RCC_XR_DLRR_MAX, 0 is returned for others. */
size_t rcc_xr_rrtr_add (uint8_t *out, size_t size, size_t used, uint64_t ntp);
size_t rcc_xr_dlrr_add (uint8_t *out, size_t size, size_t used, const RccXrDlrr *entries,
    unsigned n);

/* What @entry, about our SSRC, says of the round trip; @rrtrs: our RRTRs' middle 32 bits, as
 * rcc_srs_sent() remembers SRs'. RCC_NEVER where rcc_rtt_judge() takes an LSR and DLSR for none.
 * That is an RRTR that never left or is forgotten, held for longer than it exists, away for more
 * than RCC_RTT_MAX. */
RccTime rcc_xr_rtt (const RccSrLog *log, const RccSrs *rrtrs, const RccXrDlrr *entry, RccTime now);

#endif
