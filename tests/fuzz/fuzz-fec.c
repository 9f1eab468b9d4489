/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-fec.c - the same bytes as FEC packets over a stream that lost some of its own
 *
 * Whatever is recovered would have been taken off the network, and parity made again
 * over it and all that arrived says what the packet said: nothing is made up.
 */
#include "fuzz-wire.h"

#include <stdlib.h>
#include <string.h>

#include "mutator-fec.h"
#include "wire/interleave.h"

#define NUMBERS UINT64_C (0x0000ffff00000000)   /* of the header's 64 bits, the sequence's */
#define VERSION (UINT64_C (3) << 62)

static struct {
  uint8_t data[FEC_MEDIA_MAX];
  size_t size;
} history[256];

static RccBytes
look_up (void *user, uint32_t ssrc, uint16_t seq)
{
  const uint16_t at = (uint16_t) (seq - FEC_MEDIA_FIRST);

  if (history[0].size == 0)
    for (unsigned i = 0; i < 256; i++)
      history[i].size = fec_media ((uint16_t) (FEC_MEDIA_FIRST + i), history[i].data).size;
  if (ssrc != FEC_SSRC || at > 255 || fec_media_lost (seq))
    return (RccBytes) { 0 };
  return (RccBytes) { history[at].data, history[at].size };
}

/* Of one stream and in mask form: the same sum again. */
static void
same_parity (const RccParity *parity, const RccParityResult *result, const uint8_t *packet)
{
  const RccParityStream *stream = &parity->streams[0];
  RccParityBlock block;
  uint16_t seq;
  size_t common;

  rcc_parity_init (&block, RCC_PARITY_SPAN_MAX);
  for (unsigned i = 0; i < RCC_PARITY_SPAN_MAX; i++) {
    seq = (uint16_t) (stream->base + i);
    if (!(stream->mask[i / 64] >> (63 - i % 64) & 1))
      continue;
    MUST (rcc_parity_add (&block, seq == result->seq
            ? (RccBytes) { packet, result->size } : look_up (NULL, stream->ssrc, seq)));
  }
  common = RCC_MIN (block.size, parity->body.size);
  MUST (((block.head ^ parity->head) & ~NUMBERS & ~VERSION) == 0);
  MUST (block.length == parity->length);
  MUST (memcmp (block.body, parity->body.data, common) == 0);
}

static void
try_recover (const RccParity *parity)
{
  static uint8_t out[RCC_PARITY_PACKET_MAX];
  const RccParitySource source = { look_up, NULL, NULL };
  const RccParityResult result = rcc_parity_recover (parity, &source, out, sizeof out);
  const RccBytes packet = { out, result.size };
  RccRtp rtp;

  if (result.verdict != RCC_PARITY_RECOVERED) {
    MUST (result.size == 0);
    return;
  }
  rcc_fuzz_taken[RCC_FUZZ_REPAIR]++;
  MUST (result.size <= RCC_RTP_HEADER_MIN + parity->body.size);
  MUST (rcc_rtp_parse (packet, &rtp) && rcc_rtp_padding (packet, &rtp) >= 0);
  MUST (rtp.ssrc == result.ssrc && rtp.seq == result.seq);
  MUST (rcc_parity_protects (parity, result.ssrc, result.seq));
  MUST (look_up (NULL, result.ssrc, result.seq).size == 0);
  if (parity->n_streams == 1 && parity->streams[0].step == 1
      && (parity->streams[0].mask[1] & UINT64_C (0x3ffff)) == 0
      && parity->streams[0].mask[2] == 0)
    same_parity (parity, &result, out);
}

static void
inside (RccBytes body, RccBytes input)
{
  MUST (body.size <= input.size && body.data >= input.data
      && body.data + body.size <= input.data + input.size);
}

static void
try_ulpfec (RccBytes payload, RccBytes input)
{
  RccParity parity;

  if (!rcc_ulpfec_parse (payload, FEC_SSRC, &parity))
    return;
  rcc_fuzz_taken[RCC_FUZZ_ULPFEC]++;
  MUST (parity.n_streams == 1 && parity.streams[0].mask[0] != 0);
  inside (parity.body, input);
  try_recover (&parity);
}

static void
try_flexfec (RccBytes input, const RccRtp *rtp)
{
  RccParity parity;

  if (!rcc_flexfec_parse (input, rtp, &parity))
    return;
  rcc_fuzz_taken[RCC_FUZZ_FLEXFEC]++;
  MUST (parity.n_streams == rtp->csrc_count && parity.n_streams > 0);
  for (unsigned i = 0; i < parity.n_streams; i++)
    MUST (parity.streams[i].step > 0 && (parity.streams[i].mask[0] | parity.streams[i].mask[1]));
  inside (parity.body, input);
  try_recover (&parity);
}

/* A block that is due, as either kind of FEC packet: what it says is what has joined. */
static void
write_down (const RccParityBlock *block, unsigned span)
{
  static uint8_t out[RCC_PARITY_PACKET_MAX + 64];
  const bool long_mask = span > 48;
  const RccRtp head = { .pt = 99, .seq = 7, .ssrc = 5 };
  const size_t size = long_mask ? rcc_flexfec_build (out, sizeof out, &head, block)
      : rcc_ulpfec_build (out, sizeof out, block);
  RccParity parity;
  unsigned joined = 0;
  RccRtp rtp;

  MUST (block->n > 0 && size > 0);
  if (long_mask)
    MUST (rcc_rtp_parse ((RccBytes) { out, size }, &rtp)
        && rcc_flexfec_parse ((RccBytes) { out, size }, &rtp, &parity));
  else
    MUST (rcc_ulpfec_parse ((RccBytes) { out, size }, block->ssrc, &parity));
  for (unsigned i = 0; i < span; i++)
    joined += rcc_parity_protects (&parity, block->ssrc, (uint16_t) (block->base + i));
  MUST (joined == block->n);
  MUST (parity.length == block->length && parity.body.size == block->size);
}

static void
write_due (RccInterleave *x)
{
  RccParityBlock *block;

  for (unsigned i = 0; (block = rcc_interleave_due (x)); i++) {
    MUST (i < RCC_INTERLEAVE_DEPTH);
    write_down (block, x->span);
    rcc_interleave_written (x, block);
  }
}

/* Each byte is what happens next at a sender that protects two layers apart. */
static void
try_interleave (const uint8_t *data, size_t size)
{
  static const unsigned spans[] = { 16, 48, 46, 110 };
  static RccInterleave x[2];
  uint16_t seq = 65530;

  for (unsigned k = 0; k < 2; k++) {
    rcc_interleave_clear (&x[k]);
    rcc_interleave_init (&x[k], spans[data[1] % 4], realloc);
    rcc_interleave_set (&x[k], 1 + data[2] % 6, 1 + data[3] % 5);
  }
  for (size_t i = 4; i < size; i++) {
    RccInterleave *one = &x[data[i] >> 3 & 1];
    uint8_t packet[64] = { 0x80, 96 };
    const RccRtp rtp = { .pt = 96, .seq = seq, .ssrc = FEC_SSRC,
      .header_size = RCC_RTP_HEADER_MIN };
    const RccBytes part = { packet, RCC_RTP_HEADER_MIN + data[i] % 50u };

    switch (data[i] % 8) {
      case 0:
        rcc_interleave_set (one, data[i] >> 4, 1 + data[i - 1] % RCC_INTERLEAVE_DEPTH);
        break;
      case 1:
        rcc_interleave_end (one);
        break;
      case 2:
        if (data[i] & 0x80)
          rcc_interleave_drop (one);
        else
          rcc_interleave_merge (&x[0], &x[1]);
        break;
      case 3:
        seq = (uint16_t) (seq + data[i]);
        break;
      default:
        rcc_put16 (packet + 2, seq);
        rcc_put32 (packet + 8, FEC_SSRC);
        memset (packet + 12, data[i], sizeof packet - 12);
        if (rcc_interleave_add (one, &rtp, &part, 1))
          seq++;
        else
          rcc_interleave_end (one);
    }
    MUST (rcc_interleave_begun (one) <= one->depth && one->depth <= RCC_INTERLEAVE_DEPTH);
    write_due (one);
  }
}

void
rcc_fuzz_fec (const uint8_t *data, size_t size)
{
  const RccBytes input = { data, size };
  RccBytes payload = input;
  RccRtp rtp;

  try_ulpfec (input, input);
  if (size > 4 && data[0] % 16 == 15)
    try_interleave (data, size);
  if (!rcc_rtp_parse (input, &rtp))
    return;
  payload.data += rtp.header_size;
  payload.size -= rtp.header_size;
  try_ulpfec (payload, input);
  try_flexfec (input, &rtp);
}
