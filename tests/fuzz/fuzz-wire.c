/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-wire.c - any bytes, through every parser of gst/wire
 *
 * Reads all that a parser hands out, and checks what must hold of it whatever the
 * bytes were: counts stay within the bytes that are there, and what was parsed can
 * be built and parsed again.  The entry is libFuzzer's, with two drivers:
 *
 * - mutate.c, a seeded mutator for any compiler that has the sanitizers; `meson
 *   test -C build --suite fuzz` runs ten million inputs.  By hand, for longer:
 *     build/tests/fuzz/fuzz-wire --runs 1000000000 --seed 2
 *   or from one kind of packet: --only built-xr
 *   A failure prints the input and the --first that leads to it again.
 * - libFuzzer, when the compiler is clang (it lives in clang's compiler-rt package):
 *     CC=clang meson setup build-clang
 *     ninja -C build-clang tests/fuzz/fuzz-wire-libfuzzer
 *     mkdir -p corpus && build-clang/tests/fuzz/fuzz-wire --seeds corpus
 *     build-clang/tests/fuzz/fuzz-wire-libfuzzer -max_len=2000 corpus
 */
#include "fuzz-wire.h"

#include <string.h>

#include "wire/ccfb.h"
#include "wire/ecn.h"
#include "wire/nack.h"
#include "wire/remb.h"
#include "wire/rtp.h"
#include "wire/sendtime-finder.h"
#include "wire/tmmbr.h"
#include "../wire/twcc-statuses.h"
#include "wire/xr.h"

uint64_t rcc_fuzz_taken[RCC_FUZZ_PARSERS];

/* What is read goes here, so that no read is optimised away. */
static volatile uint64_t sink;

static void
inside (RccBytes part, RccBytes whole)
{
  MUST (part.size <= whole.size);
  MUST (part.size == 0 || (part.data >= whole.data
          && part.data + part.size <= whole.data + whole.size));
  for (size_t i = 0; i < part.size; i += 16)
    sink += part.data[i];
  if (part.size > 0)
    sink += part.data[part.size - 1];
}

/* The packet again and again, its element @id of three bytes now a clock and now as it came: an id
 * that is found is one of the packet's, and so is what may be written to. */
static void
try_finder (const RccRtp *packet, uint8_t id)
{
  RccSendTimeFinder f;
  RccTime now = (RccTime) packet->seq * RCC_SEC;
  uint8_t bytes[2048];
  RccBytes value;
  RccRtp rtp = *packet;

  if (rtp.ext.size > sizeof bytes)
    return;
  memcpy (bytes, rtp.ext.data, rtp.ext.size);
  rtp.ext.data = bytes;
  rcc_sendtime_finder_init (&f, packet->ssrc & 1 ? &rcc_sendtime_sent : &rcc_sendtime_received);
  for (unsigned i = 0; i < 60; i++, now += 20 * RCC_MSEC) {
    if (!rcc_rtp_ext (&rtp, id, &value) || value.size != RCC_ABS_SEND_TIME_SIZE)
      return;
    if (i < 40 || packet->timestamp & 1)
      rcc_put24 (bytes + (value.data - bytes), rcc_abs_send_time (now + packet->timestamp));
    else
      memcpy (bytes, packet->ext.data, rtp.ext.size);
    if (rcc_sendtime_finder_packet (&f, &rtp, now) == 0)
      continue;
    MUST (rcc_rtp_ext (&rtp, f.id, &value) && value.size == RCC_ABS_SEND_TIME_SIZE);
    rcc_sendtime_finder_fits (&f, value, now);
    sink += rcc_sendtime_finder_time (&f, now);
  }
}

static void
try_rtp (RccBytes input)
{
  RccBytes value;
  RccRtp rtp;
  int padding;

  if (!rcc_rtp_parse (input, &rtp))
    return;
  rcc_fuzz_taken[RCC_FUZZ_RTP]++;
  MUST (rtp.header_size >= RCC_RTP_HEADER_MIN && rtp.header_size <= input.size);
  inside (rtp.ext, input);
  padding = rcc_rtp_padding (input, &rtp);
  MUST (padding >= -1 && padding <= (int) (input.size - rtp.header_size));
  if (rtp.ext.size == 0)
    return;
  for (unsigned id = 0; id < 18; id++)
    if (rcc_rtp_ext (&rtp, (uint8_t) id, &value)) {
      rcc_fuzz_taken[RCC_FUZZ_EXT]++;
      inside (value, rtp.ext);
      if (value.size == RCC_ABS_SEND_TIME_SIZE)
        try_finder (&rtp, (uint8_t) id);
    }
}

/* A report without padding or a profile's extension is built again to the byte. */
static void
try_report (const RccRtcpPacket *packet)
{
  uint8_t built[28 + 31 * 24];
  RccReportBlock blocks[RCC_RTCP_BLOCKS_MAX];
  RccRtcpReport report;
  size_t size;

  if (!rcc_rtcp_report (packet, &report))
    return;
  rcc_fuzz_taken[RCC_FUZZ_REPORT]++;
  MUST (report.n_blocks <= packet->count);
  inside (report.blocks, packet->body);
  for (unsigned i = 0; i < report.n_blocks; i++) {
    rcc_rtcp_block (&report, i, &blocks[i]);
    MUST (blocks[i].lost >= -0x800000 && blocks[i].lost <= 0x7fffff);
  }
  size = report.is_sr
      ? rcc_rtcp_build_sr (built, sizeof built, &report, blocks, report.n_blocks)
      : rcc_rtcp_build_rr (built, sizeof built, report.ssrc, blocks, report.n_blocks);
  MUST (size > 0 && size <= packet->whole.size);
  MUST (memcmp (built + 4, packet->body.data, size - 4) == 0);
}

static void
try_remb (const RccRtcpPacket *packet)
{
  RccRemb remb, again;
  RccRtcpPacket copy = *packet;
  uint8_t built[20];

  if (!rcc_remb_parse (packet, &remb))
    return;
  rcc_fuzz_taken[RCC_FUZZ_REMB]++;
  inside (remb.ssrcs, packet->body);
  for (unsigned i = 0; i < remb.n_ssrcs; i++)
    sink += rcc_remb_ssrc (&remb, i);
  MUST (rcc_remb_build (built, sizeof built, remb.sender_ssrc, remb.bps, NULL, 0) == 20);
  copy.body = (RccBytes) { built + 4, 16 };
  MUST (rcc_remb_parse (&copy, &again));
  MUST (again.bps <= remb.bps && remb.bps - again.bps <= remb.bps >> 17);
  MUST (again.bps == remb.bps || remb.bps == UINT64_MAX);
}

static void
try_tmmbr (const RccRtcpPacket *packet)
{
  RccTmmbrEntry entry;
  RccTmmbr tmmbr;

  if (!rcc_tmmbr_parse (packet, &tmmbr))
    return;
  rcc_fuzz_taken[RCC_FUZZ_TMMBR]++;
  inside (tmmbr.fci, packet->body);
  MUST (8 * (size_t) tmmbr.n_entries <= tmmbr.fci.size);
  for (unsigned i = 0; i < tmmbr.n_entries; i++) {
    rcc_tmmbr_entry (&tmmbr, i, &entry);
    MUST (entry.overhead <= 511);
    sink += entry.bps + entry.ssrc;
  }
}

static void
try_nack (const RccRtcpPacket *packet)
{
  uint16_t seqs[RCC_NACK_SPAN];
  RccNack nack;

  if (!rcc_nack_parse (packet, &nack))
    return;
  rcc_fuzz_taken[RCC_FUZZ_NACK]++;
  inside (nack.pairs, packet->body);
  for (unsigned i = 0; i < nack.n_pairs; i++) {
    const unsigned n = rcc_nack_pair (&nack, i, seqs);

    MUST (n >= 1 && n <= RCC_NACK_SPAN);
    for (unsigned k = 1; k < n; k++)
      MUST ((uint16_t) (seqs[k] - seqs[k - 1]) >= 1);
    sink += seqs[n - 1];
  }
}

/* The first message that the statuses make says what they say. */
static void
twcc_again (const RccTwcc *twcc, const RccTwccStatus *statuses)
{
  static RccTwccStatus again[TWCC_STATUSES_ROOM];
  uint8_t built[300];
  unsigned done;
  const size_t size = rcc_twcc_build (built, sizeof built, twcc, statuses,
      RCC_MIN (twcc->n_statuses, 200u), &done);
  RccBytes rest = { built, size };
  RccRtcpPacket packet;
  RccTwcc parsed;
  int64_t shift;

  MUST (size > 0 && size % 4 == 0 && done > 0 && done <= twcc->n_statuses);
  MUST (rcc_rtcp_next (&rest, &packet) && rest.size == 0);
  MUST (twcc_statuses (&packet, &parsed, again) && parsed.n_statuses == done);
  MUST (parsed.base_seq == twcc->base_seq && parsed.fb_count == twcc->fb_count);
  for (unsigned i = 0; i < done; i++) {
    MUST (again[i].received == statuses[i].received);
    shift = again[i].arrived_us - statuses[i].arrived_us;
    /* 2^24 steps of 64 ms apart where the time left what 24 bits can say */
    MUST (shift % (INT64_C (64000) << 24) == 0);
  }
}

static void
try_twcc (const RccRtcpPacket *packet)
{
  static RccTwccStatus statuses[TWCC_STATUSES_ROOM];
  int64_t start;
  RccTwcc twcc;

  if (!twcc_statuses (packet, &twcc, statuses))
    return;
  rcc_fuzz_taken[RCC_FUZZ_TWCC]++;
  MUST (twcc.n_statuses > 0);
  MUST (twcc.reference >= -0x800000 && twcc.reference <= 0x7fffff);
  start = twcc.reference * INT64_C (64000);
  for (unsigned i = 0; i < twcc.n_statuses; i++) {
    const int64_t since = statuses[i].arrived_us - start;

    if (statuses[i].received)
      MUST (since >= -8192000 * (int64_t) (i + 1) && since <= 8191750 * (int64_t) (i + 1));
    else
      MUST (statuses[i].arrived_us == 0);
  }
  twcc_again (&twcc, statuses);
}

static void
try_ccfb (const RccRtcpPacket *packet)
{
  RccCcfbReport report;
  RccCcfbBlock block;
  size_t before;
  RccCcfb ccfb;

  if (!rcc_ccfb_parse (packet, &ccfb))
    return;
  inside (ccfb.blocks, packet->body);
  before = ccfb.blocks.size;
  while (rcc_ccfb_next (&ccfb.blocks, &block)) {
    rcc_fuzz_taken[RCC_FUZZ_CCFB]++;
    MUST (block.n_reports <= RCC_CCFB_REPORTS_MAX && ccfb.blocks.size <= before - 8);
    inside ((RccBytes) { block.reports, 2u * block.n_reports }, packet->body);
    before = ccfb.blocks.size;
    for (unsigned i = 0; i < block.n_reports; i++) {
      rcc_ccfb_report (&block, i, &report);
      MUST (report.ecn <= 3 && (report.before == RCC_NEVER || report.before < 8 * RCC_SEC));
      MUST (report.received || report.before == RCC_NEVER);
    }
  }
}

static void
try_ecn (const RccRtcpPacket *packet)
{
  uint8_t again[RCC_ECN_FEEDBACK_SIZE];
  RccEcnFeedback fb;

  if (!rcc_ecn_parse (packet, &fb))
    return;
  rcc_fuzz_taken[RCC_FUZZ_ECN]++;
  MUST (rcc_ecn_build (again, sizeof again, &fb) == RCC_ECN_FEEDBACK_SIZE);
  MUST (memcmp (again + 4, packet->body.data, sizeof again - 4) == 0);
}

/* What was walked is built again to the byte. */
static void
try_xr (const RccRtcpPacket *packet)
{
  static uint8_t again[4 << 16];
  uint8_t entry[RCC_ECN_ENTRY_SIZE];
  RccEcnCounters counters;
  RccXrBlock block;
  size_t used;
  RccXr xr;

  if (!rcc_xr_parse (packet, &xr))
    return;
  inside (xr.blocks, packet->body);
  used = rcc_xr_begin (again, sizeof again, xr.ssrc);
  while (rcc_xr_next (&xr.blocks, &block)) {
    rcc_fuzz_taken[RCC_FUZZ_XR]++;
    inside (block.body, packet->body);
    used = rcc_xr_add (again, sizeof again, used, &block);
    MUST (used > 0 && used + xr.blocks.size == packet->body.size + 4);
    rcc_fuzz_xr_block (block.type, block.specific, block.body.data, block.body.size);
    while (rcc_ecn_next (&block.body, &counters)) {
      MUST (rcc_ecn_put (entry, sizeof entry, &counters) == sizeof entry);
      MUST (memcmp (entry, block.body.data - sizeof entry, sizeof entry) == 0);
    }
  }
  MUST (memcmp (again + 4, packet->body.data, used - 4) == 0);
}

static void
try_rtcp (RccBytes input)
{
  RccBytes rest = input;
  RccRtcpPacket packet;
  RccRtcpFeedback fb;
  size_t walked = 0;

  while (rcc_rtcp_next (&rest, &packet)) {
    MUST (packet.whole.size >= 4 && packet.whole.size % 4 == 0);
    MUST (packet.whole.data == input.data + walked);
    inside (packet.whole, input);
    inside (packet.body, packet.whole);
    walked += packet.whole.size;
    try_report (&packet);
    if (rcc_rtcp_feedback (&packet, &fb))
      inside (fb.fci, packet.body);
    try_remb (&packet);
    try_tmmbr (&packet);
    try_nack (&packet);
    try_twcc (&packet);
    try_ccfb (&packet);
    try_ecn (&packet);
    try_xr (&packet);
  }
  MUST (walked + rest.size == input.size && rest.data == input.data + walked);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const uint8_t nothing[1];
  const RccBytes input = { size ? data : nothing, size };

  try_rtp (input);
  try_rtcp (input);
  rcc_fuzz_fec (input.data, input.size);
  rcc_fuzz_ends (input.data, input.size);
  rcc_fuzz_reporter (input.data, input.size);
  rcc_fuzz_peers (input.data, input.size);
  return 0;
}
