/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtcp.h - RTCP compounds, SR and RR (RFC 3550 6.4, reduced size: RFC 5506)
 */
#ifndef RCC_WIRE_RTCP_H
#define RCC_WIRE_RTCP_H

#include "wire/bytes.h"

enum {
  RCC_RTCP_SR = 200, RCC_RTCP_RR = 201, RCC_RTCP_SDES = 202, RCC_RTCP_BYE = 203,
  RCC_RTCP_APP = 204, RCC_RTCP_RTPFB = 205, RCC_RTCP_PSFB = 206, RCC_RTCP_XR = 207,
};

typedef struct {
  uint8_t type;
  uint8_t count;                        /* RC, SC or FMT: the low 5 bits */
  RccBytes whole;                       /* the packet with its header */
  RccBytes body;                        /* after the 4-byte header, without padding */
} RccRtcpPacket;

/* Takes the next packet off the front of @rest. False at the end (@rest empty) and on what is
 * malformed. Then @rest is what was not understood, and its size goes to the rtcp-truncated
 * counter. Malformed is a P bit on any but the last packet. So is one with a count that is 0, no
 * multiple of 4 or beyond the packet. Only transport-wide feedback (RTPFB 15) may be padded
 * anywhere and by single bytes, as browsers do. Then its body is no multiple of 4. Types that
 * nobody knows are handed out like any other: skip them. */
bool rcc_rtcp_next (RccBytes *rest, RccRtcpPacket *packet);

/* Whether @compound has a packet of @type before anything that is malformed. */
bool rcc_rtcp_has (RccBytes compound, uint8_t type);

/* Whether a packet may follow @compound. None may after padding or a BYE (RFC 3550 6.4.1, 6.6),
 * nor after what we cannot read, for that may be encrypted. @truncated grows by its size. */
bool rcc_rtcp_may_append (RccBytes compound, uint64_t *truncated);

typedef struct {
  uint32_t ssrc;                        /* the stream it speaks of */
  uint8_t fraction;                     /* /256 */
  int32_t lost;                         /* signed 24 bit */
  uint32_t highest_seq;                 /* extended */
  uint32_t jitter;                      /* timestamp units */
  uint32_t lsr;                         /* middle 32 bits of an NTP time */
  uint32_t dlsr;                        /* 1/65536 s */
} RccReportBlock;

#define RCC_RTCP_BLOCKS_MAX 31

typedef struct {
  uint32_t ssrc;                        /* who reports */
  bool is_sr;
  uint64_t ntp;                         /* SR only, as are the next three */
  uint32_t rtp_time, packets, octets;
  unsigned n_blocks;                    /* those that are there, not those claimed */
  RccBytes blocks;
} RccRtcpReport;

/* An SR or RR; false for other types and when the fixed part is short.  What
 * follows the blocks is a profile's own (RFC 3550 6.4.3) and not looked at. */
bool rcc_rtcp_report (const RccRtcpPacket *packet, RccRtcpReport *report);
/* @i < n_blocks. */
void rcc_rtcp_block (const RccRtcpReport *report, unsigned i, RccReportBlock *block);

/* Builders return the bytes written, 0 when @size is too small or n > 31.  What
 * does not fit in 24 bits of lost is clamped. */
size_t rcc_rtcp_build_sr (uint8_t *out, size_t size, const RccRtcpReport *sr,
    const RccReportBlock *blocks, unsigned n);
size_t rcc_rtcp_build_rr (uint8_t *out, size_t size, uint32_t ssrc,
    const RccReportBlock *blocks, unsigned n);
size_t rcc_rtcp_build_cname (uint8_t *out, size_t size, uint32_t ssrc,
    const char *cname);                 /* one SDES chunk; up to 255 bytes of @cname */

/* The common start of RTPFB and PSFB (RFC 4585 6.1): the two SSRCs, then FCI. */
typedef struct {
  uint32_t sender_ssrc, media_ssrc;
  RccBytes fci;
} RccRtcpFeedback;
/* False for other types and when the SSRCs are not there. */
bool rcc_rtcp_feedback (const RccRtcpPacket *packet, RccRtcpFeedback *fb);

/* The first 4 bytes of a packet of @size bytes without padding, for the builders of this folder.
 * @size is a multiple of 4, header included, up to 2^18. */
void rcc_rtcp_put_header (uint8_t *out, uint8_t type, uint8_t count, size_t size);

/* Middle 32 bits of a 64-bit NTP timestamp, as LSR has them. */
static inline uint32_t
rcc_ntp_middle (uint64_t ntp)
{
  return (uint32_t) (ntp >> 16);
}

/* NTP short (16.16 s) to ns and back. */
static inline RccTime
rcc_ntp_short_to_ns (uint32_t v)
{
  return ((uint64_t) v * 1000000000 + 32768) >> 16;
}

/* A span or a time of day (seconds since 1900 in the high 32 bits) from ns. */
static inline uint64_t
rcc_ns_to_ntp (RccTime ns)
{
  return (ns / RCC_SEC) << 32 | (((ns % RCC_SEC) << 32) / RCC_SEC);
}

#endif
