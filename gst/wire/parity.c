/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire/parity.h"

#include <string.h>

#include "core/fbra/xorfec.h"

#define BITS (64 * RCC_PARITY_WORDS)
#define FIXED_BITS UINT64_C (0x3fffffffffffffff)        /* all but the version */

/* The 80-bit string of RFC 5109 8.1 and RFC 8627 6.3.2. */
typedef struct {
  uint64_t head;
  uint16_t length;
} Header;

static void
header_xor (Header *header, RccBytes packet)
{
  header->head ^= rcc_be64 (packet.data);
  header->length ^= (uint16_t) (packet.size - RCC_RTP_HEADER_MIN);
}

void
rcc_parity_init (RccParityBlock *block, unsigned span)
{
  block->span = RCC_CLAMP (span, 1, RCC_PARITY_SPAN_MAX);
  block->n = 0;
  block->size = 0;
  block->head = block->mask[0] = block->mask[1] = 0;
  block->ssrc = 0;
  block->base = block->length = 0;
}

/* What lies beyond all packets before has been zero so far: it is copied.  @at: offset in
 * the body, no further than what is in use of it. */
static void
body_add (RccParityBlock *block, size_t at, const uint8_t *bytes, size_t size)
{
  const size_t common = RCC_MIN (size, block->size - at);

  rcc_xor (block->body + at, bytes, common);
  if (size > common) {
    memcpy (block->body + at + common, bytes + common, size - common);
    block->size = at + size;
  }
}

/* Whether the packet may join, and its bit of the mask. */
static bool
find_bit (RccParityBlock *block, const RccRtp *rtp, uint64_t **word, uint64_t *bit)
{
  unsigned distance;

  if (block->n == 0) {
    block->base = rtp->seq;
    block->ssrc = rtp->ssrc;
  }
  distance = (uint16_t) (rtp->seq - block->base);
  if (distance >= block->span || rtp->ssrc != block->ssrc)
    return false;
  *word = &block->mask[distance / 64];
  *bit = UINT64_C (1) << (63 - distance % 64);
  return true;
}

bool
rcc_parity_add_parts (RccParityBlock *block, const RccRtp *rtp, const RccBytes *parts,
    unsigned n)
{
  size_t size = 0, skip = RCC_RTP_HEADER_MIN, at = 0;
  uint64_t *word, bit;

  for (unsigned i = 0; i < n; i++)
    size += parts[i].size;
  if (size > RCC_PARITY_PACKET_MAX || !find_bit (block, rtp, &word, &bit))
    return false;
  if (*word & bit)
    return true;
  *word |= bit;
  block->n++;
  block->head = (block->head ^ rcc_be64 (parts[0].data)) & FIXED_BITS;
  block->length ^= (uint16_t) (size - RCC_RTP_HEADER_MIN);
  for (unsigned i = 0; i < n; i++) {
    body_add (block, at, parts[i].data + skip, parts[i].size - skip);
    at += parts[i].size - skip;
    skip = 0;
  }
  return true;
}

bool
rcc_parity_add (RccParityBlock *block, RccBytes packet)
{
  RccRtp rtp;

  return rcc_rtp_parse (packet, &rtp) && rcc_parity_add_parts (block, &rtp, &packet, 1);
}

/* How many bits a mask reaches over; not for an empty one. */
static unsigned
reach (const uint64_t *mask)
{
  return mask[1] ? 128 - (unsigned) __builtin_ctzll (mask[1])
      : 64 - (unsigned) __builtin_ctzll (mask[0]);
}

bool
rcc_parity_merge (RccParityBlock *block, const RccParityBlock *other)
{
  const unsigned by = (uint16_t) (other->base - block->base);
  uint64_t mask[2] = { 0, 0 };

  if (other->n == 0)
    return true;
  if (block->n == 0 || other->ssrc != block->ssrc || by + reach (other->mask) > block->span)
    return false;
  if (by < 64) {
    mask[0] = other->mask[0] >> by;
    mask[1] = other->mask[1] >> by | (by ? other->mask[0] << (64 - by) : 0);
  } else {
    mask[1] = other->mask[0] >> (by - 64);
  }
  if ((mask[0] & block->mask[0]) | (mask[1] & block->mask[1]))
    return false;
  block->mask[0] |= mask[0];
  block->mask[1] |= mask[1];
  block->n += other->n;
  block->head ^= other->head;
  block->length ^= other->length;
  body_add (block, 0, other->body, other->size);
  return true;
}

/* Walks the sequence numbers of a mask; *@at starts at 0. */
static bool
next_seq (const RccParityStream *stream, unsigned *at, uint16_t *seq)
{
  while (*at < BITS) {
    const uint64_t rest = stream->mask[*at / 64] << *at % 64;

    if (rest == 0) {
      *at = (*at / 64 + 1) * 64;
      continue;
    }
    *at += (unsigned) __builtin_clzll (rest);
    *seq = (uint16_t) (stream->base + *at * stream->step);
    ++*at;
    return true;
  }
  return false;
}

bool
rcc_parity_protects (const RccParity *parity, uint32_t ssrc, uint16_t seq)
{
  for (unsigned i = 0; i < parity->n_streams; i++) {
    const RccParityStream *stream = &parity->streams[i];
    unsigned at = 0;
    uint16_t one;

    while (stream->ssrc == ssrc && next_seq (stream, &at, &one))
      if (one == seq)
        return true;
  }
  return false;
}

/* A packet of another number or stream in that place counts as none. What a history hands out by
 * mistake must not go into the sum. */
static bool
arrived (const RccParitySource *source, uint32_t ssrc, uint16_t seq, RccBytes *packet)
{
  *packet = source->packet (source->user, ssrc, seq);
  return packet->size >= RCC_RTP_HEADER_MIN && packet->size <= UINT16_MAX
      && packet->data[0] >> 6 == 2 && rcc_be16 (packet->data + 2) == seq
      && rcc_be32 (packet->data + 8) == ssrc;
}

/* Sums the headers of all that is there; the count of what is not, which stops at 2. */
static unsigned
sum_headers (const RccParity *parity, const RccParitySource *source, Header *header,
    RccParityResult *result)
{
  unsigned missing = 0;
  RccBytes packet;
  uint16_t seq;

  for (unsigned i = 0; i < parity->n_streams; i++) {
    const RccParityStream *stream = &parity->streams[i];

    for (unsigned at = 0; next_seq (stream, &at, &seq);) {
      if (arrived (source, stream->ssrc, seq, &packet)) {
        header_xor (header, packet);
        continue;
      }
      if (++missing > 1)
        return missing;
      result->ssrc = stream->ssrc;
      result->seq = seq;
    }
  }
  return missing;
}

/* What a packet has beyond the body was not protected: RFC 5109 9.2, step 3. */
static void
sum_bodies (const RccParity *parity, const RccParitySource *source, uint8_t *body)
{
  RccBytes packet;
  uint16_t seq;

  for (unsigned i = 0; i < parity->n_streams; i++)
    for (unsigned at = 0; next_seq (&parity->streams[i], &at, &seq);)
      if (arrived (source, parity->streams[i].ssrc, seq, &packet))
        rcc_xor (body, packet.data + RCC_RTP_HEADER_MIN,
            RCC_MIN (packet.size - RCC_RTP_HEADER_MIN, parity->body.size));
}

static bool
all_zeros (const uint8_t *bytes, size_t size)
{
  uint8_t any = 0;

  for (size_t i = 0; i < size; i++)
    any |= bytes[i];
  return any == 0;
}

/* RFC 5109 9.1 and RFC 8627 6.3.2, steps 4 to 14. */
static void
put_header (uint8_t *out, uint64_t head, uint16_t seq, uint32_t ssrc)
{
  rcc_put64 (out, (head & FIXED_BITS) | UINT64_C (2) << 62);
  rcc_put16 (out + 2, seq);
  rcc_put32 (out + 8, ssrc);
}

RccParityResult
rcc_parity_recover (const RccParity *parity, const RccParitySource *source, uint8_t *out,
    size_t size)
{
  RccParityResult result = { .verdict = RCC_PARITY_REFUSED };
  Header header = { parity->head, parity->length };
  const unsigned missing = sum_headers (parity, source, &header, &result);
  uint8_t *body = out + RCC_RTP_HEADER_MIN;
  RccBytes packet = { out, RCC_RTP_HEADER_MIN + (size_t) header.length };
  RccRtp rtp;

  if (missing != 1)
    return (RccParityResult) { .verdict = missing ? RCC_PARITY_SHORT : RCC_PARITY_COMPLETE };
  if (header.length > parity->body.size || size < RCC_RTP_HEADER_MIN
      || parity->body.size > size - RCC_RTP_HEADER_MIN)
    return result;
  put_header (out, header.head, result.seq, result.ssrc);
  if (parity->body.size > 0)
    memcpy (body, parity->body.data, parity->body.size);
  sum_bodies (parity, source, body);
  if (!all_zeros (body + header.length, parity->body.size - header.length)
      || !rcc_rtp_parse (packet, &rtp) || rcc_rtp_padding (packet, &rtp) < 0
      || (source->accept && !source->accept (source->user, &rtp)))
    return result;
  result.verdict = RCC_PARITY_RECOVERED;
  result.size = packet.size;
  return result;
}
