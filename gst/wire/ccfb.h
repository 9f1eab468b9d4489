/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ccfb.h - RTCP feedback for congestion control (RFC 8888)
 *
 * num_reports is the count of metric blocks: erratum 8166 corrects "inclusive" in
 * section 3.1 to "up to, but not including, begin_seq+num_reports".
 */
#ifndef RCC_WIRE_CCFB_H
#define RCC_WIRE_CCFB_H

#include "wire/rtcp.h"

#define RCC_CCFB_REPORTS_MAX 16384      /* RFC 8888 3.1, for one SSRC */

typedef struct {
  bool received;
  RccEcn ecn;
  RccTime before;       /* arrival, so long before the report, +- 0.49 ms; RCC_NEVER:
                         * unknown, after the report, or more than 8 s ago */
} RccCcfbReport;

typedef struct {                        /* one SSRC's reports, pointing into the packet */
  uint32_t ssrc;
  uint16_t begin_seq;
  uint16_t n_reports;                   /* from begin_seq on, modulo 2^16; may be 0 */
  const uint8_t *reports;
} RccCcfbBlock;

typedef struct {
  uint32_t sender_ssrc;
  uint32_t timestamp;                   /* NTP short: when the report was made */
  RccBytes blocks;
} RccCcfb;

/* False for anything but RTPFB FMT 11 with room for a timestamp. */
bool rcc_ccfb_parse (const RccRtcpPacket *packet, RccCcfb *ccfb);
/* Takes the next block off @rest (start with ccfb->blocks). False at the end, or when the block
 * claims more than is there or than RCC_CCFB_REPORTS_MAX. */
bool rcc_ccfb_next (RccBytes *rest, RccCcfbBlock *block);
/* @i < n_reports; speaks of the packet begin_seq + @i. */
void rcc_ccfb_report (const RccCcfbBlock *block, unsigned i, RccCcfbReport *report);

/* Building: begin, any number of blocks, end.  Each returns the new total size,
 * or 0 when it does not fit (what was there before stays valid).  Room for the
 * timestamp is set aside: where begin or add succeeded, end does too.  Offsets
 * are rounded to nearest; @before more than 8189/1024 s is said as over-range. */
size_t rcc_ccfb_begin (uint8_t *out, size_t size, uint32_t sender_ssrc);
size_t rcc_ccfb_add (uint8_t *out, size_t size, size_t used, uint32_t ssrc,
    uint16_t begin_seq, const RccCcfbReport *reports, unsigned n);
size_t rcc_ccfb_end (uint8_t *out, size_t size, size_t used, uint32_t timestamp);

#endif
