/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-reporter.c - the receiver's feedback writer for extended reports: hostile RTP and RTCP in,
 * reports out, of whatever size somebody leaves room for
 *
 * What it says can be read again, stays within its room, tells of each packet what its
 * counters say, and comes to an end.  It lives for EPOCH inputs, so that state meets state.
 */
#include "fuzz-wire.h"

#include <stdlib.h>

#include "wire/rtcp.h"
#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"
#include "wire/xrreporter.h"

#define EPOCH 4096
#define EVERY 32                        /* of the inputs one: it takes its time */
#define ROOM 1400
#define REPORTS_MAX 600                 /* until nothing is pending any more */

static RccXrReporter reporter;
static RccTime now;
static unsigned inputs;

static void
begin (void)
{
  static const uint32_t rates[] = { 90000, 0, 48000, UINT32_MAX };

  rcc_xr_reporter_clear (&reporter);
  rcc_xr_reporter_init (&reporter, 1, realloc);
  reporter.clock_rate = rates[inputs / EPOCH % 4];
  reporter.times = inputs / EPOCH % 8 < 6;
  now = inputs / EPOCH % 3 ? RCC_SEC : 0;
}

static void
take (const RccRtp *rtp, bool late, RccTime at)
{
  rcc_xr_reporter_packet (&reporter, rtp, late, at);
  for (unsigned i = 0; i < reporter.arrivals.streams.n; i++) {
    const RccXrStream *s = rcc_xr_arrivals_stream (&reporter.arrivals, i);

    MUST (s->n_stragglers <= RCC_XR_STRAGGLERS && s->come.begin <= s->come.unwrap.last + 1);
    for (unsigned k = 1; k < s->n_stragglers; k++)
      MUST (s->stragglers[k - 1].number < s->stragglers[k].number);
  }
}

/* The input as one packet, and its bytes as steps of a stream's numbers: mostly on, now and
 * then back, or far away. */
static void
receive (RccBytes input)
{
  static uint16_t seqs[8];
  RccRtp rtp;

  if (rcc_rtp_parse (input, &rtp))
    take (&rtp, input.size % 4 == 0, now);
  for (size_t i = 0; i + 1 < input.size && i < 64; i += 2) {
    const uint8_t what = input.data[i], by = input.data[i + 1];
    const unsigned k = what & 7;

    seqs[k] = (uint16_t) (seqs[k] + (what & 0xc0 ? 1 + (by & 3) : what & 0x20 ? -by : by << 8));
    take (&(RccRtp) { .ssrc = k == 7 ? 7 : k / 4, .seq = seqs[k] }, by > 240,
        now + i * (RccTime) by);
  }
}

typedef struct {
  uint64_t received, lost, late, times; /* packets; bytes of receipt times */
  RccXrRange range;                     /* of the Loss RLE before */
} Reported;

static void
read_rle (const RccXrRle *rle, Reported *reported)
{
  RccXrRleWalk walk;
  uint16_t seq;
  bool bit;

  MUST (rle->range.thinning == 0 && !rle->early);
  if (rle->discard)                     /* of what the one before says has come */
    MUST (rle->range.ssrc == reported->range.ssrc && rle->range.begin_seq
        == reported->range.begin_seq && rle->range.end_seq == reported->range.end_seq);
  reported->range = rle->range;
  for (rcc_xr_rle_begin (&walk, rle); rcc_xr_rle_next (&walk, &seq, &bit);) {
    reported->late += rle->discard && bit;
    reported->received += !rle->discard && bit;
    reported->lost += !rle->discard && !bit;
  }
}

static void
read_report (RccBytes said, Reported *reported)
{
  RccRtcpPacket packet;
  RccXrBlock block;
  RccXrTimes times;
  RccXrRle rle;
  RccXr xr;

  *reported = (Reported) { 0 };
  while (rcc_rtcp_next (&said, &packet)) {
    if (packet.type != RCC_RTCP_XR)
      continue;
    MUST (rcc_xr_parse (&packet, &xr) && xr.ssrc == reporter.source.ssrc);
    while (rcc_xr_next (&xr.blocks, &block)) {
      if (rcc_xr_rle_parse (&block, &rle))
        read_rle (&rle, reported);
      else if (rcc_xr_times_parse (&block, &times))
        reported->times += 4 + block.body.size;
    }
    MUST (xr.blocks.size == 0);
  }
  MUST (said.size == 0);
}

/* In an allocation that ends where the room does.  Returns its size. */
static size_t
report (size_t room, size_t budget, bool compound)
{
  uint8_t *out = malloc (room ? room : 1);
  const RccXrReporter *r = &reporter;
  const uint64_t received = r->reported_received, lost = r->reported_lost, late = r->reported_late;
  const uint64_t again = r->reported_again;
  const size_t size = (compound ? rcc_xr_reporter_compound : rcc_xr_reporter_packet_of)
      (&reporter, now, budget, out, room);
  Reported reported;

  MUST (size <= room && size % 4 == 0);
  read_report ((RccBytes) { out, size }, &reported);
  MUST (reported.received == r->reported_received - received && reported.lost
      == r->reported_lost - lost);
  MUST (reported.late == r->reported_late - late && reported.late <= reported.received);
  MUST (r->reported_again - again <= reported.received);
  MUST (reported.times == 0 || size <= budget || reported.times <= size - reported.times);
  rcc_fuzz_taken[RCC_FUZZ_REPORTED] += reported.received + reported.lost > 0;
  free (out);
  return size;
}

static void
hear (RccBytes input)
{
  if (rcc_xr_reporter_rtcp (&reporter, input, now)) {
    MUST (reporter.rtt.last <= RCC_RTT_MAX);
    rcc_fuzz_taken[RCC_FUZZ_ECHO]++;
  }
  if (inputs % 16 == 0)
    rcc_xr_reporter_rtcp_passed (&reporter, input, now);
}

static uint32_t
newest (const RccSrs *sent)
{
  const RccSrLog *log = &reporter.echoes;

  for (uint32_t i = 1; i <= log->live; i++) {
    const RccLogKey *sr = rcc_log_at (log, log->places - i);

    if (sr->stream == sent->source)
      return (uint32_t) sr->number;
  }
  return 0;
}

/* Our own SR and our reference time, echoed, as what a round trip is made of; then the
 * next SR. */
static void
echo (void)
{
  const uint32_t ssrc = reporter.source.ssrc;
  const RccReportBlock block = { .ssrc = ssrc, .lsr = newest (&reporter.srs) };
  const RccXrDlrr entry = { ssrc, newest (&reporter.rrtrs), inputs };
  const RccRtcpReport sr = { .ssrc = ssrc, .ntp = rcc_ns_to_ntp (now) };
  uint8_t out[100];

  hear ((RccBytes) { out, rcc_rtcp_build_rr (out, sizeof out, 9, &block, 1) });
  hear ((RccBytes) { out, rcc_xr_dlrr_add (out, sizeof out, rcc_xr_begin (out, sizeof out, 9),
      &entry, 1) });
  rcc_xr_reporter_rtcp_passed (&reporter, (RccBytes) { out,
      rcc_rtcp_build_sr (out, sizeof out, &sr, NULL, 0) }, now);
}

void
rcc_fuzz_reporter (const uint8_t *data, size_t size)
{
  const RccBytes input = { data, size };
  const size_t budget = size > 1 ? 8u * data[1] : 0;
  static unsigned calls;

  if (calls++ % EVERY != 0)
    return;
  if (inputs++ % EPOCH == 0)
    begin ();
  now += size > 0 ? data[size - 1] * RCC_MSEC / 4 : 0;
  receive (input);
  hear (input);
  if (inputs % 8 == 1)
    echo ();
  if (inputs % 4 == 0)
    report (size % 3 ? ROOM : size > 2 ? data[2] : 0, budget, inputs % 8 == 0);
  if (inputs % 512 == 0) {
    unsigned n = 0;

    while (rcc_xr_reporter_pending (&reporter) && n++ < REPORTS_MAX)
      if (report (ROOM, budget, true) == 0)
        n += REPORTS_MAX / 8;
    MUST (!rcc_xr_reporter_pending (&reporter));
  }
}
