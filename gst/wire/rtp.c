/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/rtp.h"

#include <string.h>

#define PROFILE_ONE_BYTE 0xBEDE         /* RFC 8285 4.2 */
#define PROFILE_TWO_BYTE 0x1000         /* 4.3; the low 4 bits are appbits */

bool
rcc_rtp_parse (RccBytes bytes, RccRtp *rtp)
{
  const uint8_t *p = bytes.data;
  size_t size;

  if (bytes.size < RCC_RTP_HEADER_MIN || p[0] >> 6 != 2) {
    *rtp = (RccRtp) { 0 };
    return false;
  }
  *rtp = (RccRtp) {
    .pt = p[1] & 0x7f, .csrc_count = p[0] & 0x0f,
    .marker = (p[1] & 0x80) != 0, .padding = (p[0] & 0x20) != 0,
    .seq = rcc_be16 (p + 2), .timestamp = rcc_be32 (p + 4), .ssrc = rcc_be32 (p + 8),
  };
  size = RCC_RTP_HEADER_MIN + 4u * rtp->csrc_count;
  if (p[0] & 0x10) {                    /* X: RFC 3550 5.3.1 */
    RccBytes ext = { p, 0 };

    if (bytes.size < size + 4)
      return false;
    ext.data += size + 4;
    ext.size = 4u * rcc_be16 (p + size + 2);
    rtp->ext_profile = rcc_be16 (p + size);
    rtp->ext = ext;
    size += 4 + ext.size;
  }
  rtp->header_size = size;
  return size <= bytes.size;
}

int
rcc_rtp_padding (RccBytes packet, const RccRtp *rtp)
{
  int count;

  if (!rtp->padding)
    return 0;
  if (packet.size <= rtp->header_size)
    return -1;
  count = packet.data[packet.size - 1];
  return count == 0 || (size_t) count > packet.size - rtp->header_size ? -1 : count;
}

/* Takes one element off @rest, padding skipped. False at the end and where the rest must not be
 * read. That is id 15, id 0 with a length (RFC 8285 4.1.2, 4.2), or an element that ends
 * outside. */
static inline bool
next_element (RccBytes *rest, bool two_byte, uint8_t *id, RccBytes *value)
{
  const size_t head = two_byte ? 2 : 1;

  while (rest->size > 0 && rest->data[0] == 0) {
    rest->data++;
    rest->size--;
  }
  if (rest->size < head)
    return false;
  *id = two_byte ? rest->data[0] : rest->data[0] >> 4;
  if (!two_byte && (*id == 0 || *id == 15))
    return false;
  value->data = rest->data + head;
  value->size = two_byte ? rest->data[1] : (rest->data[0] & 0x0fu) + 1;
  if (value->size > rest->size - head)
    return false;
  rest->data += head + value->size;
  rest->size -= head + value->size;
  return true;
}

/* Inline, so that each form has a loop of its own: this runs per packet. */
static inline bool
find_element (RccBytes rest, bool two_byte, uint8_t id, RccBytes *value)
{
  RccBytes element, last = { 0 };
  unsigned found = 0;
  uint8_t element_id;

  while (next_element (&rest, two_byte, &element_id, &element)) {
    if (element_id != id)
      continue;
    last = element;
    found++;
  }
  *value = last;
  return found == 1;
}

bool
rcc_rtp_ext (const RccRtp *rtp, uint8_t id, RccBytes *value)
{
  if (rtp->ext_profile == PROFILE_ONE_BYTE)
    return find_element (rtp->ext, false, id, value);
  if ((rtp->ext_profile & 0xfff0) == PROFILE_TWO_BYTE)
    return find_element (rtp->ext, true, id, value);
  *value = (RccBytes) { 0 };
  return false;
}

bool
rcc_rtp_ext_next (const RccRtp *rtp, RccBytes *rest, uint8_t *id, RccBytes *value)
{
  if (!rest->data)
    *rest = rtp->ext;
  if (rtp->ext_profile == PROFILE_ONE_BYTE)
    return next_element (rest, false, id, value);
  return (rtp->ext_profile & 0xfff0) == PROFILE_TWO_BYTE && next_element (rest, true, id, value);
}

/* Bytes of the elements before padding; 0 when one does not fit its form. */
static size_t
elements_size (const RccRtpExt *exts, size_t n)
{
  size_t size = 0;

  for (size_t i = 0; i < n; i++) {
    if (exts[i].id < 1 || exts[i].id > 14 || exts[i].size < 1 || exts[i].size > 16)
      return 0;
    size += 1u + exts[i].size;
  }
  return size;
}

size_t
rcc_rtp_build (uint8_t *out, size_t size, const RccRtp *rtp, const RccRtpExt *exts, size_t n)
{
  const size_t elements = elements_size (exts, n);
  const size_t words = (elements + 3) / 4;
  const size_t total = RCC_RTP_HEADER_MIN + (n ? 4 + 4 * words : 0);
  uint8_t *p;

  if (size < total || (n && !elements) || words > UINT16_MAX)
    return 0;
  memset (out, 0, total);
  out[0] = (uint8_t) (0x80 | rtp->padding << 5 | (n > 0) << 4);
  out[1] = (uint8_t) (rtp->marker << 7 | (rtp->pt & 0x7f));
  rcc_put16 (out + 2, rtp->seq);
  rcc_put32 (out + 4, rtp->timestamp);
  rcc_put32 (out + 8, rtp->ssrc);
  if (!n)
    return total;
  p = out + RCC_RTP_HEADER_MIN;
  rcc_put16 (p, PROFILE_ONE_BYTE);
  rcc_put16 (p + 2, (uint16_t) words);
  p += 4;
  for (size_t i = 0; i < n; i++) {
    *p++ = (uint8_t) (exts[i].id << 4 | (exts[i].size - 1));
    memcpy (p, exts[i].data, exts[i].size);
    p += exts[i].size;
  }
  return total;
}

uint32_t
rcc_abs_send_time (RccTime t)
{
  const uint64_t seconds = t / RCC_SEC % 64;

  return (uint32_t) (seconds << 18 | ((t % RCC_SEC) << 18) / RCC_SEC);
}

/* 10^9 / 2^18 = 1953125 / 512: whole 512s first, so that nothing overflows. */
int64_t
rcc_abs_send_time_to_ns (int64_t ticks)
{
  const int64_t rest = ticks % 512 + 512;       /* not negative */

  return (ticks - rest) / 512 * 1953125 + (rest * 1953125 + 256) / 512;
}
