/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Each message cut short anywhere, its length set right, and random bytes of it: who reads
 * beyond its end is ended by the system.
 */
#include "feedback-rig.h"
#include "guard.h"
#include "wire/ecn.h"
#include "wire/flexfec.h"
#include "wire/nack.h"
#include "wire/ulpfec.h"
#include "wire/xr-rle.h"
#include "wire/xr-rtt.h"
#include "wire/xr-times.h"

#define ROUNDS 40                       /* of random bytes for each length */

static RccRng rng;

static void
read_blocks (RccXr xr)
{
  RccXrBlock block;

  while (rcc_xr_next (&xr.blocks, &block)) {
    RccXrRange range;
    RccXrRle rle;
    RccXrTimes times;
    RccXrDlrr entry;
    RccBytes rest = block.body;
    guint64 ntp;

    rcc_xr_range_parse (&block, &range);
    rcc_xr_rle_parse (&block, &rle);
    rcc_xr_times_parse (&block, &times);
    rcc_xr_rrtr_parse (&block, &ntp);
    while (rcc_xr_dlrr_next (&rest, &entry));
  }
}

/* By every reader of RTCP, and by all of them as feedback. */
static void
read_rtcp (RccBytes bytes)
{
  RccBytes rest = bytes;
  RccRtcpPacket p;

  while (rcc_rtcp_next (&rest, &p)) {
    guint16 seqs[RCC_NACK_SPAN];
    RccRtcpReport report;
    RccRtcpFeedback fb;
    RccReportBlock block;
    RccNack nack;
    RccEcnFeedback marks;
    RccXr xr;

    if (rcc_rtcp_report (&p, &report))
      for (guint i = 0; i < report.n_blocks; i++)
        rcc_rtcp_block (&report, i, &block);
    rcc_rtcp_feedback (&p, &fb);
    if (rcc_nack_parse (&p, &nack))
      for (guint i = 0; i < nack.n_pairs; i++)
        rcc_nack_pair (&nack, i, seqs);
    rcc_ecn_parse (&p, &marks);
    if (rcc_xr_parse (&p, &xr))
      read_blocks (xr);
  }
  rcc_feedback_rtcp (&f, bytes, 0, 2 * RCC_SEC, &notes.sender);
}

static void
read_rtp (RccBytes bytes)
{
  RccBytes rest = { 0 }, value;
  RccParity parity;
  RccRtp rtp;
  guint8 id;

  rcc_ulpfec_parse (bytes, MEDIA, &parity);
  if (!rcc_rtp_parse (bytes, &rtp))
    return;
  rcc_rtp_padding (bytes, &rtp);
  while (rcc_rtp_ext_next (&rtp, &rest, &id, &value))
    rcc_rtp_ext (&rtp, id, &value);
  rcc_flexfec_parse (bytes, &rtp, &parity);
}

static void
cut (const guint8 *data, gsize whole, gboolean rtcp)
{
  guint8 bytes[GUARD_ROOM];

  g_assert_cmpuint (whole, >, 0);
  for (gsize size = rtcp ? 4 : 0; size <= whole; size += rtcp ? 4 : 1)
    for (guint i = 0; i < ROUNDS; i++) {
      RccBytes end;

      memcpy (bytes, data, whole);
      for (guint k = i; k > 0 && whole > 4; k = k / 2)
        bytes[4 + rcc_rng_u32 (&rng) % (whole - 4)] = (guint8) rcc_rng_u32 (&rng);
      if (!rtcp && i % 4 == 3)          /* CSRCs, an extension, padding */
        bytes[0] = 0x80 | (rcc_rng_u32 (&rng) & 0x3f);
      end = guarded (bytes, size);
      if (rtcp) {
        rcc_put16 ((guint8 *) end.data + 2, (guint16) (size / 4 - 1));
        read_rtcp (end);
      }
      read_rtp (end);
    }
}

static void
rtcp_is_not_read_beyond_its_end (void)
{
  const RccReportBlock blocks[2] = { { .ssrc = MEDIA, .highest_seq = 50 }, { .ssrc = MEDIA + 1 } };
  const RccRtcpReport sr = { .ssrc = PEER, .is_sr = true };
  const guint32 ssrcs[] = { MEDIA, MEDIA + 1 };
  const guint16 seqs[] = { 1, 2, 9, 90 };
  const RccTmmbrEntry entries[2] = { { MEDIA, 100000, 40 }, { MEDIA + 1, 200000, 40 } };
  const RccEcnFeedback marks = { .counters = { .ssrc = MEDIA } };
  const RccTwcc head = { .sender_ssrc = PEER, .media_ssrc = MEDIA, .base_seq = 3 };
  const RccCcfbReport reports[5] = { { .received = true }, { .received = false } };
  const RccXrDlrr answers[2] = { { MEDIA, 1, 2 }, { PEER, 3, 4 } };
  guint8 b[1024];
  guint done;
  gsize n;

  start ();
  sent_many (MEDIA, 0, 100, RCC_SEC, RCC_MSEC);
  cut (b, rcc_rtcp_build_rr (b, sizeof b, PEER, blocks, 2), TRUE);
  cut (b, rcc_rtcp_build_sr (b, sizeof b, &sr, blocks, 2), TRUE);
  cut (b, rcc_rtcp_build_cname (b, sizeof b, PEER, "somebody"), TRUE);
  cut (b, rcc_nack_build (b, sizeof b, PEER, MEDIA, seqs, 4), TRUE);
  cut (b, rcc_tmmbr_build (b, sizeof b, PEER, false, entries, 2), TRUE);
  cut (b, rcc_tmmbr_build (b, sizeof b, PEER, true, entries, 2), TRUE);
  cut (b, rcc_ecn_build (b, sizeof b, &marks), TRUE);
  cut (b, rcc_remb_build (b, sizeof b, PEER, 500000, ssrcs, 2), TRUE);
  for (guint i = 0; i < 40; i++)
    statuses[i] = (RccTwccStatus) { i % 7 > 0, 500000000 + i * i * 1000 };
  cut (b, rcc_twcc_build (b, sizeof b, &head, statuses, 40, &done), TRUE);
  n = rcc_ccfb_begin (b, sizeof b, PEER);
  n = rcc_ccfb_add (b, sizeof b, n, MEDIA, 7, reports, 5);
  n = rcc_ccfb_add (b, sizeof b, n, MEDIA + 1, 7, reports, 2);
  cut (b, rcc_ccfb_end (b, sizeof b, n, 12345), TRUE);
  n = rcc_xr_rrtr_add (b, sizeof b, rcc_xr_begin (b, sizeof b, PEER), 77);
  cut (b, rcc_xr_dlrr_add (b, sizeof b, n, answers, 2), TRUE);
}

static bool
each_third (void *user, uint16_t seq)
{
  return seq % 3 == 0;
}

static bool
each_time (void *user, uint16_t seq, uint32_t *ticks)
{
  *ticks = seq;
  return true;
}

static void
reports_of_packets_are_not_either (void)
{
  RccXrRle rle = { .range = { .ssrc = MEDIA, .begin_seq = 5, .end_seq = 60 } };
  guint8 b[1024];
  guint16 end;
  gsize n;

  start ();
  sent_many (MEDIA, 0, 100, RCC_SEC, RCC_MSEC);
  n = rcc_xr_begin (b, sizeof b, PEER);
  n = rcc_xr_rle_add (b, sizeof b, n, &rle, each_third, NULL, &end);
  rle.discard = true;
  n = rcc_xr_rle_add (b, sizeof b, n, &rle, each_third, NULL, &end);
  cut (b, rcc_xr_times_add (b, sizeof b, n, &rle.range, each_time, NULL, &end), TRUE);
}

static void
rtp_is_not_read_beyond_its_end (void)
{
  static const guint8 values[3][20] = { { 1, 2, 3 }, { 4 }, { 5 } };
  const RccRtpExt small[] = { { 1, 3, values[0] }, { 2, 1, values[1] }, { 14, 16, values[2] } };
  const RccRtpExt large[] = { { 1, 3, values[0] }, { 99, 20, values[2] } };
  const RccRtp rtp = { .pt = 96, .ssrc = MEDIA };
  guint8 b[256];

  memset (b, 0, sizeof b);
  cut (b, rcc_rtp_build (b, sizeof b, &rtp, small, 3) + 8, FALSE);
  cut (b, rcc_rtp_build (b, sizeof b, &rtp, large, 2) + 8, FALSE);
  cut (b, rcc_rtp_build (b, sizeof b, &rtp, NULL, 0) + 40, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  rcc_rng_init (&rng, SEED, 77);
  g_test_add_func ("/guarded/rtcp", rtcp_is_not_read_beyond_its_end);
  g_test_add_func ("/guarded/reports-of-packets", reports_of_packets_are_not_either);
  g_test_add_func ("/guarded/rtp", rtp_is_not_read_beyond_its_end);
  return g_test_run ();
}
