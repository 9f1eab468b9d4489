/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-xr.c - any bytes as the body of a block about single packets or round trips
 *
 * A walk ends, stays within what was claimed and says again what it said when it is built
 * anew; passing over numbers is the same as walking over them.
 */
#include "fuzz-wire.h"

#include <string.h>

#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"

#define AGAIN_MAX 512                   /* numbers that are built again */

static bool bits[65536];
static uint32_t times_of[65536];

static bool
bit_of (void *user, uint16_t seq)
{
  return bits[seq];
}

static bool
time_of (void *user, uint16_t seq, uint32_t *ticks)
{
  *ticks = times_of[seq];
  return true;
}

/* The only block of what was built, behind an XR packet's head. */
static RccXrBlock
only_block (uint8_t *out, size_t used)
{
  RccBytes rest = { out, used };
  RccRtcpPacket packet;
  RccXrBlock block;
  RccXr xr;

  MUST (used > 8 && rcc_rtcp_next (&rest, &packet) && rest.size == 0);
  MUST (rcc_xr_parse (&packet, &xr) && rcc_xr_next (&xr.blocks, &block));
  MUST (xr.blocks.size == 0);
  return block;
}

static void
rle_again (const RccXrRle *rle, uint16_t first, uint32_t n)
{
  static uint8_t out[AGAIN_MAX + 64];
  const size_t begun = rcc_xr_begin (out, sizeof out, 1);
  RccXrRle part = *rle, again;
  RccXrRleWalk walk;
  RccXrBlock block;
  uint32_t said = 0;
  uint16_t end, seq;
  size_t used;
  bool bit;

  part.range.end_seq = (uint16_t) (first + ((n - 1) << part.range.thinning) + 1);
  used = rcc_xr_rle_add (out, sizeof out, begun, &part, bit_of, NULL, &end);
  MUST (end == part.range.end_seq);
  block = only_block (out, used);
  MUST (rcc_xr_rle_parse (&block, &again));
  MUST (again.discard == rle->discard && again.early == rle->early);
  MUST (again.chunks.size <= ((n + 14) / 15 + 1) / 2 * 4);
  for (rcc_xr_rle_begin (&walk, &again); rcc_xr_rle_next (&walk, &seq, &bit); said++)
    MUST (bit == bits[seq]);
  MUST (said == n);
}

static void
try_rle (const RccXrBlock *block)
{
  RccXrRleWalk walk, skipped;
  uint32_t n = 0, claimed;
  uint16_t first = 0, seq, other;
  RccXrRle rle;
  bool bit, same;

  if (!rcc_xr_rle_parse (block, &rle))
    return;
  rcc_fuzz_taken[RCC_FUZZ_RLE]++;
  claimed = rcc_xr_range_count (&rle.range, &first);
  MUST (claimed <= RCC_XR_RANGE_MAX);
  rcc_xr_rle_begin (&skipped, &rle);
  for (rcc_xr_rle_begin (&walk, &rle); n < AGAIN_MAX && rcc_xr_rle_next (&walk, &seq, &bit);
      n++) {
    MUST (seq == (uint16_t) (first + (n << rle.range.thinning)));
    bits[seq] = bit;
  }
  MUST (n <= claimed);
  rcc_xr_rle_skip (&skipped, n);
  MUST (rcc_xr_rle_next (&walk, &seq, &bit) == rcc_xr_rle_next (&skipped, &other, &same));
  rcc_xr_rle_skip (&skipped, UINT32_MAX);
  MUST (!rcc_xr_rle_next (&skipped, &other, &same));
  if (n > 0)
    rle_again (&rle, first, n);
}

static void
try_times (const RccXrBlock *block)
{
  static uint8_t out[4 * AGAIN_MAX + 64];
  RccXrTimesWalk walk;
  RccXrTimes times;
  RccXrRange part;
  RccXrBlock again;
  uint16_t first = 0, seq, end;
  uint32_t n = 0, ticks;

  if (!rcc_xr_times_parse (block, &times))
    return;
  rcc_fuzz_taken[RCC_FUZZ_TIMES]++;
  rcc_xr_range_count (&times.range, &first);
  for (rcc_xr_times_begin (&walk, &times); n < AGAIN_MAX
      && rcc_xr_times_next (&walk, &seq, &ticks); n++) {
    MUST (seq == (uint16_t) (first + (n << times.range.thinning)));
    times_of[seq] = ticks;
  }
  MUST (4 * (size_t) n <= times.times.size);
  if (n == 0)
    return;
  part = times.range;
  part.end_seq = (uint16_t) (first + ((n - 1) << part.thinning) + 1);
  again = only_block (out, rcc_xr_times_add (out, sizeof out,
          rcc_xr_begin (out, sizeof out, 1), &part, time_of, NULL, &end));
  MUST (end == part.end_seq && again.body.size == 8 + 4 * (size_t) n);
  MUST (memcmp (again.body.data + 8, times.times.data, 4 * (size_t) n) == 0);
}

static void
try_rtt (const RccXrBlock *block)
{
  RccBytes rest = block->body;
  RccXrDlrr entry;
  uint64_t ntp = 0;
  static RccSrLog log;
  RccSrs rrtrs = { .n = 0 };
  RccTime rtt;

  if (rcc_xr_rrtr_parse (block, &ntp))
    rcc_fuzz_taken[RCC_FUZZ_RTT]++;
  if (block->type != RCC_XR_DLRR)
    return;
  rcc_sr_log_init (&log, realloc);
  while (rcc_xr_dlrr_next (&rest, &entry)) {
    rcc_fuzz_taken[RCC_FUZZ_RTT]++;
    rcc_srs_sent (&log, &rrtrs, entry.lrr, RCC_SEC);
    rtt = rcc_xr_rtt (&log, &rrtrs, &entry, RCC_SEC + entry.ssrc);
    MUST (rtt == RCC_NEVER || rtt <= RCC_RTT_MAX);
  }
  MUST (rest.size < 12);
  rcc_log_clear (&log);
}

void
rcc_fuzz_xr_block (uint8_t type, uint8_t specific, const uint8_t *data, size_t size)
{
  const RccXrBlock block = { type, specific, { data, size } };

  try_rle (&block);
  try_times (&block);
  try_rtt (&block);
}
