/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtp.h - RTP header and header extensions (RFC 3550 5.1, RFC 8285)
 */
#ifndef RCC_WIRE_RTP_H
#define RCC_WIRE_RTP_H

#include "wire/bytes.h"

#define RCC_RTP_HEADER_MIN 12

typedef struct {
  uint8_t pt, csrc_count;
  bool marker, padding;
  uint16_t seq;
  uint32_t timestamp, ssrc;
  uint16_t ext_profile;                 /* 0xBEDE, 0x1000..0x100f; 0: no extension */
  RccBytes ext;                         /* the extension's data, without its 4-byte head */
  size_t header_size;                   /* up to the payload */
} RccRtp;

/* @bytes: the packet's first contiguous bytes, at least the whole header.  False
 * when they are not version 2 or the header (CSRCs, extension) ends beyond them. */
bool rcc_rtp_parse (RccBytes bytes, RccRtp *rtp);

/* RFC 5761 4: RTP and RTCP on one port. What has these in RTP's marker and payload type is RTCP
 * of type 192..223. */
static inline bool
rcc_rtp_is_rtcp (const RccRtp *rtp)
{
  return rtp->marker && rtp->pt >= 64 && rtp->pt < 96;
}

/* Padding bytes at the end of the whole @packet. 0 without the P bit, -1 when the count is 0 or
 * larger than what follows the header. */
int rcc_rtp_padding (RccBytes packet, const RccRtp *rtp);

/* The element @id (1..14 one-byte form, 1..255 two-byte form); points into the packet. False when
 * absent, when there more than once (which one to believe?), and when the extension is malformed
 * before it. What follows id 15, id 0 with a length or an element that ends outside is not read. */
bool rcc_rtp_ext (const RccRtp *rtp, uint8_t id, RccBytes *value);

/* One element after the other: @rest is { 0 } before the first.  False at the end and where the
 * rest is malformed. */
bool rcc_rtp_ext_next (const RccRtp *rtp, RccBytes *rest, uint8_t *id, RccBytes *value);

typedef struct {                        /* for rcc_rtp_build() */
  uint8_t id, size;                     /* 1..14; 1..16 bytes */
  const uint8_t *data;
} RccRtpExt;

/* Writes a header (no CSRCs) with the @n one-byte extension elements of @exts. 0 when @size is
 * too small or an element does not fit the one-byte form. Uses pt, marker, padding, seq,
 * timestamp and ssrc of @rtp. */
size_t rcc_rtp_build (uint8_t *out, size_t size, const RccRtp *rtp,
    const RccRtpExt *exts, size_t n);

/* abs-send-time, 24-bit 6.18 fixed-point seconds
 * (http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time). */
#define RCC_ABS_SEND_TIME_URI \
  "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
#define RCC_ABS_SEND_TIME_SIZE 3
#define RCC_TWCC_URI \
  "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
#define RCC_TWCC_EXT_SIZE 2

uint32_t rcc_abs_send_time (RccTime t);         /* modulo 64 s */
/* ns that @ticks (unwrapped 24-bit counts) stand for, rounded to nearest. */
int64_t rcc_abs_send_time_to_ns (int64_t ticks);

#endif
