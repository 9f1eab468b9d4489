/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "honest-receiver.h"
#include "wire/ccfb.h"
#include "wire/ecn.h"
#include "wire/remb.h"
#include "wire/reports.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"

#define PEER 0x22222222u
#define MEDIA 0xaaaa0000u
#define SHORT(seconds) ((guint32) ((seconds) * 65536))
#define START (100 * RCC_SEC)
#define NTP G_GUINT64_CONSTANT (0xe8001234567890ab)     /* of the SR at START */

/* A sender that writes down what it is told. */
static struct {
  RccSender sender;
  guint reports, rtcps;
  RccReport report;                     /* the last one */
  RccRtcp rtcp;
  guint32 reporters[RCC_REPORTS_REPORTERS];
} notes;

static RccReports r;
static RccReportBlock good;             /* 100 packets sent, 90 arrived, an SR echoed */

static RccUpdate
on_report (RccSender *s, const RccReport *report, RccTime now)
{
  g_assert_cmpuint (notes.rtcps, ==, 0);        /* after the reports */
  notes.reports++;
  notes.report = *report;
  return (RccUpdate) { .changed = RCC_TARGET, .target_bps = 1 };
}

static RccUpdate
on_rtcp (RccSender *s, const RccRtcp *rtcp, RccTime now)
{
  notes.rtcps++;
  notes.rtcp = *rtcp;
  memcpy (notes.reporters, rtcp->reporters, rtcp->n_reporters * sizeof (guint32));
  return (RccUpdate) { .changed = RCC_STOP };
}

static const RccSenderOps ops = { .name = "notes", .on_report = on_report, .on_rtcp = on_rtcp };

static void
sent (guint32 ssrc, guint first, guint n, RccTime now)
{
  for (guint i = 0; i < n; i++) {
    const RccRtp rtp = { .ssrc = ssrc, .seq = (guint16) (first + i) };

    rcc_reports_sent (&r, &rtp, now);
  }
}

static guint32
sr_sent (guint32 ssrc, RccTime now)
{
  const RccRtcpReport sr = { .ssrc = ssrc, .is_sr = true,
    .ntp = NTP + rcc_ns_to_ntp (now - START) };
  guint8 bytes[64];

  rcc_reports_rtcp_sent (&r, (RccBytes) { bytes,
          rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0) }, now);
  return rcc_ntp_middle (sr.ntp);
}

static void
start_empty (void)
{
  memset (&r, 0xa5, sizeof r);          /* init leaves nothing to chance */
  rcc_reports_init (&r);
  memset (&notes, 0, sizeof notes);
  notes.sender.ops = &ops;
}

static void
start (void)
{
  start_empty ();
  sent (MEDIA, 65500, 100, START);
  good = (RccReportBlock) { .ssrc = MEDIA, .highest_seq = 65589, .fraction = 25, .lost = 9,
    .jitter = 90, .lsr = sr_sent (MEDIA, START), .dlsr = SHORT (1) };
}

static RccUpdate
hear (const guint8 *bytes, gsize size, RccTime now)
{
  notes.reports = notes.rtcps = 0;
  return rcc_reports_rtcp (&r, (RccBytes) { bytes, size }, 0, now, &notes.sender);
}

static RccUpdate
hear_from (guint32 reporter, const RccReportBlock *blocks, guint n, RccTime now)
{
  guint8 bytes[1024];

  return hear (bytes, rcc_rtcp_build_rr (bytes, sizeof bytes, reporter, blocks, n), now);
}

/* Whether one block from the peer was told, and its compound with it. */
static gboolean
believed (RccReportBlock block, RccTime now)
{
  hear_from (PEER, &block, 1, now);
  g_assert_cmpuint (notes.reports, <=, notes.rtcps);
  return notes.reports == 1;
}

/* Refused with its compound, and nothing but the counters has moved. */
static gboolean
refused (RccReportBlock block, RccTime now)
{
  const guint64 forged = r.forged;
  static RccReports before;

  before = r;
  hear_from (PEER, &block, 1, now);
  return notes.rtcps == 0 && r.forged == forged + 1
      && memcmp (before.streams, r.streams, sizeof r.streams) == 0
      && before.rtt.samples == r.rtt.samples && before.rtt.smoothed == r.rtt.smoothed;
}

static void
a_report_is_told (void)
{
  RccUpdate u;

  start ();
  rcc_reports_clock_rate (&r, MEDIA, 90000);
  u = hear_from (PEER, &good, 1, START + 1080 * RCC_MSEC);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_STOP);
  g_assert_cmpuint (notes.reports, ==, 1);
  g_assert_cmphex (notes.report.ssrc, ==, MEDIA);
  g_assert_cmphex (notes.report.reporter, ==, PEER);
  g_assert_cmpint (notes.report.highest_seq, ==, 65589);
  g_assert_cmpint (notes.report.lost, ==, 9);
  g_assert_cmpuint (notes.report.expected, ==, 0);
  g_assert_cmpfloat (notes.report.fraction_lost, ==, 25 / 256.0);
  g_assert_cmpuint (notes.report.jitter, ==, RCC_MSEC);
  g_assert_cmpuint (notes.report.rtt, ==, 80 * RCC_MSEC);
  g_assert_cmpuint (notes.report.ce, ==, 0);
  good.highest_seq += 10;
  good.dlsr += SHORT (1);
  g_assert_true (believed (good, START + 2100 * RCC_MSEC));
  g_assert_cmpuint (notes.report.expected, ==, 10);
  g_assert_cmpuint (notes.report.rtt, ==, 100 * RCC_MSEC);
  g_assert_cmpuint (r.rtt.smoothed, ==, 84 * RCC_MSEC);
}

/* C9 */
static void
what_never_was_is_refused (void)
{
  RccReportBlock b;

  start ();
  b = good, b.highest_seq = 65600;      /* one more than was sent */
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b.highest_seq = 65599 + 30000;
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.lsr++;
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.lsr += SHORT (3);
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.lsr -= SHORT (3600);
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.dlsr = SHORT (2.1);
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b.dlsr = UINT32_MAX;
  g_assert_true (refused (b, START + 2 * RCC_SEC));
  b = good, b.dlsr = 0;                 /* a minute on the way */
  g_assert_true (refused (b, START + 61 * RCC_SEC));
  g_assert_cmpuint (r.forged, ==, 8);
  g_assert_cmpuint (r.rtt.refused, ==, 6);
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  b = good, b.lsr--, b.dlsr = 0;        /* before the first, but that was echoed */
  g_assert_true (refused (b, START + 2 * RCC_SEC));
}

/* C9: odd, but it may be so. */
static void
what_may_be_is_believed (void)
{
  RccReportBlock b;

  start ();
  b = good, b.fraction = 255, b.lost = -1, b.jitter = UINT32_MAX;
  g_assert_true (believed (b, START + 2 * RCC_SEC));
  b.dlsr += SHORT (0.5), b.lost = 0x7fffff;
  g_assert_true (believed (b, START + 2 * RCC_SEC));
  g_assert_cmpint (notes.report.lost, ==, 0x7fffff);
  b.dlsr += SHORT (0.1), b.lost = -0x800000;
  g_assert_true (believed (b, START + 2 * RCC_SEC));
  b.highest_seq++, b.lsr = b.dlsr = 0;
  g_assert_true (believed (b, START + 3 * RCC_SEC));
  g_assert_cmpuint (notes.report.rtt, ==, RCC_NEVER);
}

/* The peer counts fast, or the link is one room: no round trip, no forgery. */
static void
a_clock_that_runs_fast_is_tolerated (void)
{
  start ();
  good.dlsr = SHORT (2.015);
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (notes.report.rtt, ==, 0);
}

/* The forward path is cut: for minutes the peer has one SR to echo while we send more
 * than are remembered, and more packets than half a wrap. */
static void
a_cut_path_stays_believed (void)
{
  RccTime now = START + RCC_SEC;

  start ();
  for (guint i = 0; i < 60; i++) {
    g_assert_true (believed (good, now + 50 * RCC_MSEC));
    g_assert_cmpuint (notes.report.rtt, ==, 50 * RCC_MSEC);
    g_assert_cmpint (notes.report.highest_seq, ==, 65589);
    sent (MEDIA, 65600 + i * 5000, 5000, now);
    for (guint k = 0; k < 50; k++)
      sr_sent (MEDIA, now + k * 100 * RCC_MSEC);
    now += 5 * RCC_SEC;
    good.dlsr += SHORT (5);
  }
  g_assert_cmpuint (r.forged + r.stale + r.duplicates, ==, 0);
  g_assert_cmpuint (r.rtt.samples, ==, 60);
}

/* Far down a queue at 4000 packets a second: 40000 packets behind, but on the move. */
static void
far_behind_is_believed (void)
{
  start ();
  g_assert_true (believed (good, START + RCC_SEC));
  for (guint i = 0; i < 20; i++) {
    sent (MEDIA, 65600 + i * 4000, 4000, START + i * RCC_SEC);
    good.highest_seq += 2000;
    good.dlsr += 100;
    g_assert_true (believed (good, START + (i + 2) * RCC_SEC));
    g_assert_cmpint (notes.report.highest_seq, ==, 65589 + 2000 * (i + 1));
    g_assert_cmpuint (notes.report.expected, ==, 2000);
  }
}

/* How often the peer saw the number wrap is its own affair. */
static void
a_late_joiner_has_fewer_wraps (void)
{
  start ();
  sent (MEDIA, 65600, 200000, START);
  good.highest_seq = (65599 + 200000) & 0xffff;
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpint (notes.report.highest_seq, ==, 65599 + 200000);
}

/* C12 */
static void
copies_are_not_told_twice (void)
{
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  for (guint i = 1; i <= 10; i++) {
    g_assert_false (believed (good, START + (2 + i) * RCC_SEC));
    g_assert_cmpuint (notes.rtcps, ==, 1);      /* RTCP came in all the same */
    g_assert_true (notes.rtcp.about_us);
    g_assert_cmpuint (r.duplicates, ==, i);
  }
  g_assert_cmpuint (r.rtt.samples, ==, 1);
  good.dlsr++;                          /* nothing new arrived there: that is news */
  g_assert_true (believed (good, START + 20 * RCC_SEC));
}

static void
copies_without_an_echo_are_near (void)
{
  start ();
  good.lsr = good.dlsr = 0;
  g_assert_true (believed (good, START));
  g_assert_false (believed (good, START + 499 * RCC_MSEC));
  g_assert_true (believed (good, START + 500 * RCC_MSEC));
  g_assert_cmpuint (r.duplicates, ==, 1);
}

/* rtpsession reports with each of its SSRCs, the later ones about no packets. */
static void
one_receiver_of_two_names_is_heard_once (void)
{
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  good.fraction = 0;
  hear_from (PEER + 1, &good, 1, START + 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 0);
  g_assert_cmpuint (r.duplicates, ==, 1);
}

static void
overtaken_reports_are_stale (void)
{
  RccReportBlock second, third;

  start ();
  second = good, second.highest_seq++, second.dlsr += SHORT (0.2);
  third = second, third.dlsr += SHORT (0.2);
  g_assert_true (believed (third, START + 2 * RCC_SEC));
  g_assert_false (believed (second, START + 2 * RCC_SEC));
  g_assert_false (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (r.stale, ==, 2);
  g_assert_cmpuint (notes.rtcps, ==, 1);
  good.lsr = good.dlsr = 0;
  g_assert_false (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (r.stale, ==, 3);
  g_assert_cmpuint (r.streams[0].last.dlsr, ==, third.dlsr);
}

/* With an echo that says that it was made later, at once; else after a while. */
static void
a_receiver_that_began_anew_is_believed (void)
{
  RccTime now = START + 6 * RCC_SEC;
  RccReportBlock b;

  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  b = good, b.highest_seq -= 50, b.dlsr = SHORT (3);
  g_assert_true (believed (b, START + 4 * RCC_SEC));
  b.highest_seq -= 10, b.lsr = sr_sent (MEDIA, START + 5 * RCC_SEC), b.dlsr = 0;
  g_assert_true (believed (b, START + 5 * RCC_SEC));
  b.lsr = 0;
  for (guint i = 0; i < 5; i++, now += 2 * RCC_SEC) {
    b.highest_seq--;
    g_assert_false (believed (b, now));
  }
  g_assert_true (believed (b, now));
  g_assert_cmpuint (r.stale, ==, 5);
}

/* Our clock is set back by an hour: SRs go by when they left. */
static void
a_clock_set_back_stales_nothing (void)
{
  RccRtcpReport sr = { .ssrc = MEDIA, .is_sr = true };
  guint8 bytes[64];

  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  sr.ntp = NTP - (G_GUINT64_CONSTANT (3600) << 32);
  rcc_reports_rtcp_sent (&r, (RccBytes) { bytes,
          rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0) }, START + 3 * RCC_SEC);
  good.lsr = rcc_ntp_middle (sr.ntp);
  g_assert_true (believed (good, START + 4100 * RCC_MSEC));
  g_assert_cmpuint (notes.report.rtt, ==, 100 * RCC_MSEC);
}

/* Before SRs are seen the wall clock does; a bad sample is no bad report. */
static void
the_wall_clock_refuses_no_report (void)
{
  guint8 bytes[64];
  gsize size;

  start_empty ();
  sent (MEDIA, 0, 100, START);
  good = (RccReportBlock) { .ssrc = MEDIA, .highest_seq = 50, .lsr = SHORT (10) };
  for (guint i = 0; i < 3; i++, good.highest_seq++, good.lsr += SHORT (10)) {
    size = rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, &good, 1);
    notes.rtcps = 0;
    rcc_reports_rtcp (&r, (RccBytes) { bytes, size }, SHORT (10.5), START + RCC_SEC,
        &notes.sender);
    g_assert_cmpuint (notes.rtcps, ==, 1);
    g_assert_cmpuint (notes.report.rtt, ==, i ? RCC_NEVER : RCC_SEC / 2);
  }
  g_assert_cmpuint (notes.reports, ==, 3);
  g_assert_cmpuint (r.rtt.refused, ==, 2);
}

/* An SR is its SSRC's: nobody echoes it for another stream. */
static void
srs_are_of_one_stream (void)
{
  start ();
  for (guint i = 1; i < RCC_REPORTS_STREAMS; i++)
    sent (MEDIA + i, 0, 100, START);
  for (guint n = 0; n < 60; n++)        /* every 50 ms, in turn, off by a tick */
    for (guint i = 0; i < RCC_REPORTS_STREAMS; i++)
      sr_sent (MEDIA + i, START + (n * 50 + i) * RCC_MSEC);
  for (guint i = 0; i < RCC_REPORTS_STREAMS; i++) {
    const RccReportBlock b = { .ssrc = MEDIA + i, .highest_seq = i ? 9 : 65589,
      .lsr = rcc_ntp_middle (NTP + rcc_ns_to_ntp (i * RCC_MSEC)) };

    g_assert_true (believed (b, START + 3 * RCC_SEC));
    g_assert_cmpuint (notes.report.rtt, ==, 3 * RCC_SEC - i * RCC_MSEC);
  }
  good.highest_seq++, good.dlsr = 0;
  good.lsr = rcc_ntp_middle (NTP + rcc_ns_to_ntp (RCC_MSEC));
  g_assert_true (refused (good, START + 3 * RCC_SEC));
}

/* One forged block, wherever it stands, silences the whole compound. */
static void
one_forged_block_refuses_the_compound (void)
{
  RccReportBlock blocks[4];

  for (guint bad = 0; bad < 4; bad++) {
    start ();
    for (guint i = 0; i < 4; i++) {
      sent (MEDIA + i, 65500, 100, START);
      blocks[i] = good, blocks[i].ssrc = MEDIA + i;
      blocks[i].lsr = sr_sent (MEDIA + i, START);
    }
    blocks[bad].highest_seq += 100;
    hear_from (PEER, blocks, 4, START + 2 * RCC_SEC);
    g_assert_cmpuint (notes.reports + notes.rtcps, ==, 0);
    g_assert_cmpuint (r.forged, ==, 1);
    blocks[bad].highest_seq -= 100;
    hear_from (PEER, blocks, 4, START + 2 * RCC_SEC);
    g_assert_cmpuint (notes.reports, ==, 4);
    g_assert_cmpuint (notes.rtcps, ==, 1);
  }
}

/* Two blocks about one stream in one compound: the second is judged after the first. */
static void
blocks_are_told_one_after_another (void)
{
  RccReportBlock blocks[3];

  start ();
  blocks[0] = blocks[1] = blocks[2] = good;
  blocks[2].highest_seq--;
  blocks[2].dlsr--;
  hear_from (PEER, blocks, 3, START + 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 1);
  g_assert_cmpuint (r.duplicates, ==, 1);
  g_assert_cmpuint (r.stale, ==, 1);
}

static void
a_compound_is_summed_up (void)
{
  RccReportBlock blocks[3] = { { .ssrc = 1 }, { .ssrc = 2 }, { .ssrc = 3 } };
  const RccRtcpReport sr = { .ssrc = PEER, .is_sr = true };
  guint8 bytes[2048];
  gsize used;

  start ();
  used = rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, blocks, 2);
  used += rcc_rtcp_build_rr (bytes + used, sizeof bytes - used, PEER + 1, blocks, 3);
  used += rcc_rtcp_build_rr (bytes + used, sizeof bytes - used, PEER + 2, NULL, 0);
  used += rcc_rtcp_build_cname (bytes + used, sizeof bytes - used, PEER, "peer");
  memset (bytes + used, 0, 5);
  hear (bytes, used + 5, START + RCC_SEC);
  g_assert_cmpuint (notes.rtcps, ==, 1);
  g_assert_cmpuint (notes.rtcp.size, ==, used + 5);
  g_assert_cmpuint (notes.rtcp.n_reporters, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmphex (notes.reporters[i], ==, PEER + i);
  g_assert_true (notes.rtcp.from_sender);
  g_assert_cmpuint (notes.rtcp.n_blocks, ==, 3);
  g_assert_false (notes.rtcp.about_us);
  g_assert_cmpuint (r.ignored, ==, 5);
  g_assert_cmpuint (r.truncated_bytes, ==, 5);
  hear_from (PEER, &good, 1, START + RCC_SEC);
  g_assert_true (notes.rtcp.about_us);
  g_assert_false (notes.rtcp.from_sender);
  /* no more reporters than are listed */
  for (used = 0; used < 40 * 8; used += 8)
    rcc_rtcp_build_rr (bytes + used, sizeof bytes - used, PEER, NULL, 0);
  hear (bytes, used, START + RCC_SEC);
  g_assert_cmpuint (notes.rtcp.n_reporters, ==, RCC_REPORTS_REPORTERS);
}

static void
what_is_no_rtcp_is_not_told (void)
{
  static const guint8 bytes[] = { 0x40, 201, 0, 1, 0, 0, 0, 0 };

  start ();
  for (gsize size = 0; size <= sizeof bytes; size++) {
    hear (bytes, size, START);
    g_assert_cmpuint (notes.rtcps, ==, 0);
  }
  g_assert_cmpuint (r.truncated_bytes, ==, 36);
}

static void
assert_names (const guint8 *bytes, gsize size, gboolean us)
{
  g_assert_cmpuint (size, >, 0);
  hear (bytes, size, START + RCC_SEC);
  g_assert_cmpuint (notes.rtcps, ==, 1);
  g_assert_cmpuint (notes.rtcp.n_reporters, ==, 0);
  g_assert_cmpint (notes.rtcp.about_us, ==, us);
}

/* Each format says in its own way whom it means. */
static void
feedback_names_its_streams (void)
{
  const RccTwccStatus status = { .received = true };
  const RccCcfbReport report = { .received = true };
  guint8 b[128];
  guint done;

  for (guint us = 0; us < 2; us++) {
    const guint32 ssrcs[] = { 5, us ? MEDIA : 6 };
    const RccTmmbrEntry entries[] = { { .ssrc = 5 }, { .ssrc = ssrcs[1] } };
    const RccTwcc twcc = { .media_ssrc = us ? MEDIA : 6 };
    const RccEcnFeedback ecn = { .counters.ssrc = ssrcs[1] };
    gsize used;

    start ();
    assert_names (b, rcc_remb_build (b, sizeof b, PEER, 1000, ssrcs, 2), us);
    assert_names (b, rcc_remb_build (b, sizeof b, PEER, 1000, NULL, 0), TRUE);
    assert_names (b, rcc_tmmbr_build (b, sizeof b, PEER, false, entries, 2), us);
    assert_names (b, rcc_twcc_build (b, sizeof b, &twcc, &status, 1, &done), us);
    assert_names (b, rcc_ecn_build (b, sizeof b, &ecn), us);
    used = rcc_ccfb_begin (b, sizeof b, PEER);
    used = rcc_ccfb_add (b, sizeof b, used, 5, 0, &report, 1);
    used = rcc_ccfb_add (b, sizeof b, used, ssrcs[1], 0, &report, 1);
    assert_names (b, rcc_ccfb_end (b, sizeof b, used, 1), us);
    rcc_rtcp_put_header (b, RCC_RTCP_PSFB, 1, 12);      /* a PLI */
    rcc_put32 (b + 4, PEER);
    rcc_put32 (b + 8, ssrcs[1]);
    assert_names (b, 12, us);
    rcc_put32 (b + 8, 0);
    assert_names (b, 12, TRUE);
  }
}

typedef enum { NO_COUNTER, IN_FEEDBACK, IN_XR } Carrier;

/* Marks told with a report that moved on by @packets. */
static guint32
marks (guint packets, guint32 reporter, Carrier carrier, guint16 ce)
{
  const RccEcnFeedback fb = { .sender_ssrc = PEER, .counters = { .ssrc = MEDIA, .ce = ce } };
  const RccEcnFeedback other = { .sender_ssrc = PEER, .counters = { .ssrc = 77, .ce = 999 } };
  RccXrBlock block = { .type = RCC_XR_ECN_SUMMARY };
  guint8 bytes[256], body[2 * RCC_ECN_ENTRY_SIZE];
  gsize used, end;

  good.highest_seq += packets;
  good.dlsr += 1;
  used = rcc_rtcp_build_rr (bytes, sizeof bytes, reporter, &good, 1);
  if (carrier == IN_FEEDBACK) {
    used += rcc_ecn_build (bytes + used, sizeof bytes - used, &fb);
    used += rcc_ecn_build (bytes + used, sizeof bytes - used, &other);
  } else if (carrier == IN_XR) {
    rcc_ecn_put (body, sizeof body, &other.counters);
    rcc_ecn_put (body + RCC_ECN_ENTRY_SIZE, RCC_ECN_ENTRY_SIZE, &fb.counters);
    block.body = (RccBytes) { body, sizeof body };
    end = rcc_xr_begin (bytes + used, sizeof bytes - used, PEER);
    used += rcc_xr_add (bytes + used, sizeof bytes - used, end, &block);
  }
  hear (bytes, used, START + 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 1);
  return notes.report.ce;
}

/* RFC 6679 5.1: 16 bits that wrap; RFC 8083 5: what the SR or RR brings along. */
static void
marks_are_counted (void)
{
  guint8 bytes[64];
  const RccEcnFeedback alone = { .counters = { .ssrc = MEDIA, .ce = 30 } };

  start ();
  sent (MEDIA, 65600, 5000, START);
  g_assert_cmpuint (marks (10, PEER, NO_COUNTER, 0), ==, 0);
  g_assert_cmpuint (marks (10, PEER, IN_FEEDBACK, 65530), ==, 0);       /* where it begins */
  g_assert_cmpuint (marks (10, PEER, IN_FEEDBACK, 65533), ==, 3);
  g_assert_cmpuint (marks (10, PEER, IN_XR, 2), ==, 5);
  g_assert_cmpuint (marks (10, PEER, NO_COUNTER, 0), ==, 0);
  g_assert_cmpuint (marks (10, PEER, IN_XR, 4), ==, 2);
  /* nothing new arrived: they are the next report's */
  g_assert_cmpuint (marks (0, PEER, IN_XR, 6), ==, 0);
  g_assert_cmpuint (marks (10, PEER, IN_XR, 7), ==, 3);
  /* alone it is not looked at: its marks come with the next report */
  hear (bytes, rcc_ecn_build (bytes, sizeof bytes, &alone), START + 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 0);
  g_assert_cmpuint (marks (10, PEER, IN_FEEDBACK, 9), ==, 2);
  /* more than came, by duplicates: all; fewer than before, or another's: a beginning */
  g_assert_cmpuint (marks (10, PEER, IN_FEEDBACK, 60), ==, 10);
  g_assert_cmpuint (marks (10, PEER, IN_FEEDBACK, 3), ==, 0);
  g_assert_cmpuint (marks (10, PEER, IN_FEEDBACK, 4), ==, 1);
  g_assert_cmpuint (marks (10, PEER + 1, IN_FEEDBACK, 9), ==, 0);
  g_assert_cmpuint (marks (10, PEER + 1, IN_FEEDBACK, 10), ==, 1);
}

/* C5: lengths that lie, in a compound whose reports count. */
static void
a_lying_xr_block_costs_nothing_else (void)
{
  guint8 bytes[256];
  gsize used;

  start ();
  used = rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, &good, 1);
  rcc_rtcp_put_header (bytes + used, RCC_RTCP_XR, 0, 16);
  rcc_put32 (bytes + used + 4, PEER);
  rcc_put32 (bytes + used + 8, 0x0d00ffff);
  rcc_put32 (bytes + used + 12, 0);
  hear (bytes, used + 16, START + 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 1);
  g_assert_cmpuint (notes.rtcps, ==, 1);
  g_assert_cmpuint (r.truncated_bytes, ==, 8);
}

/* C10: whatever they call themselves and speak of, the counters are all that moves. */
static void
forged_names_make_no_state (void)
{
  static RccReports before;
  RccRng rng;

  rcc_rng_init (&rng, SEED, 7);
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  before = r;
  for (guint i = 0; i < 16384; i++) {
    RccReportBlock blocks[31];

    for (guint k = 0; k < 31; k++)
      blocks[k] = (RccReportBlock) { .ssrc = rcc_rng_u32 (&rng) | 1, .fraction = 255,
        .highest_seq = rcc_rng_u32 (&rng), .lsr = rcc_rng_u32 (&rng) };
    hear_from (rcc_rng_u32 (&rng), blocks, 31, START + 2 * RCC_SEC + i * RCC_MSEC);
    g_assert_cmpuint (notes.reports, ==, 0);
  }
  g_assert_cmpuint (r.ignored, ==, 16384 * 31);
  before.ignored = r.ignored;
  before.compounds = r.compounds;
  g_assert_cmpmem (&before, sizeof before, &r, sizeof r);
}

/* C11: who knows our SSRC but hears nothing of us. */
static void
blind_guesses_are_refused (void)
{
  guint told = 0;
  RccRng rng;

  rcc_rng_init (&rng, SEED, 8);
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  for (guint i = 0; i < 16384; i++) {
    const RccReportBlock b = { .ssrc = MEDIA, .fraction = 255, .lost = 0x7fffff,
      .highest_seq = rcc_rng_u32 (&rng), .lsr = rcc_rng_u32 (&rng) | 1,
      .dlsr = rcc_rng_u32 (&rng) % SHORT (10) };

    hear_from (rcc_rng_u32 (&rng), &b, 1, START + 2 * RCC_SEC + i * RCC_MSEC);
    told += notes.reports;
  }
  g_assert_cmpuint (told, ==, 0);
  g_assert_cmpuint (r.forged, ==, 16384);
  g_assert_cmphex (r.streams[0].reporter, ==, PEER);
}

static void
the_longest_silent_makes_room (void)
{
  start ();
  for (guint i = 1; i < 12; i++)
    sent (MEDIA + i, 0, 100, START + i);
  g_assert_cmpuint (r.n_streams, ==, RCC_REPORTS_STREAMS);
  g_assert_false (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (r.ignored, ==, 1);
  /* an SR alone takes nobody's place, and a stream comes back with an empty memory */
  sr_sent (MEDIA + 50, START);
  g_assert_null (rcc_reports_find (&r, MEDIA + 50));
  sent (MEDIA, 65500, 100, START + 20);
  g_assert_cmpuint (rcc_reports_find (&r, MEDIA)->packets, ==, 100);
  good.lsr -= SHORT (1);
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (notes.report.rtt, ==, RCC_NEVER);
}

/* What a path does, and what came of it. */
typedef struct {
  const gchar *name;
  gdouble loss, duplicates;
  gint delay, jitter, rr_jitter;        /* ms */
  gint drift;                           /* ppm */
  guint rr, sr;                         /* longest interval, ms */
  gboolean restarts;                    /* the receiver, with the same SSRC */
  gdouble samples;                      /* of the reports told, so many have an RTT at least */
} Path;

static const Path paths[] = {
  { "calm", 0, 0, 20, 0, 0, 0, 5000, 5000, FALSE, 0.95 },
  { "lossy", 0.3, 0.1, 50, 200, 200, 200, 2000, 3000, FALSE, 0.95 },
  { "reordering", 0.05, 0.3, 10, 500, 3000, 0, 500, 1000, FALSE, 0.95 },
  { "bloated", 0.05, 0.02, 2500, 500, 2500, -200, 300, 100, FALSE, 0.9 },
  { "many-srs", 0.05, 0.02, 2500, 500, 2500, -200, 300, 50, FALSE, 0 },
  { "in-one-room", 0, 0, 0, 0, 0, 500, 1000, 20000, FALSE, 0.9 },
  { "restarting", 0.1, 0.05, 40, 100, 100, 0, 1000, 2000, TRUE, 0.9 },
};

#define MODEL_PACKETS 100000

/* Ten minutes at 166 packets a second; every minute some seconds of nothing, either
 * way.  Not one honest block is refused, and only what was overtaken or doubled on
 * the way is not told. */
static void
an_honest_receiver_is_believed (gconstpointer data)
{
  const Path *path = data;
  Honest h = { .loss = path->loss, .duplicates = path->duplicates,
    .delay = (RccTime) path->delay * RCC_MSEC, .jitter = (RccTime) path->jitter * RCC_MSEC,
    .rr_jitter = (RccTime) path->rr_jitter * RCC_MSEC,
    .drift = path->drift * 1e-6, .source.ssrc = MEDIA,
    .path = g_sequence_new (g_free) };
  RccTime now = START, rr = START, sr = START, restart = START + 45 * RCC_SEC;
  /* the middle 32 bits of NTP time wrap half-way */
  guint64 ntp = (G_GUINT64_CONSTANT (0xe800ffff) << 32) - (G_GUINT64_CONSTANT (300) << 32);
  guint heard = 0, told = 0, late = 0, newest = 0;
  g_autofree guint8 *seen = g_new0 (guint8, 200000);
  gdouble worst = 0;
  Flying f;

  rcc_rng_init (&h.rng, SEED, 9);
  start_empty ();
  for (guint i = 0; i < MODEL_PACKETS; i++, now += 6 * RCC_MSEC) {
    const gboolean cut = (now / RCC_SEC) % 60 < 7;

    sent (MEDIA, 65000 + i, 1, now);
    h.loss = cut ? 1 : path->loss;
    honest_send (&h, (Flying) { .kind = IS_PACKET, .seq = (guint16) (65000 + i) }, now);
    if (now >= sr) {
      const RccRtcpReport report = { .ssrc = MEDIA, .is_sr = true,
        .ntp = ntp + rcc_ns_to_ntp (now - START) };
      guint8 bytes[64];

      rcc_reports_rtcp_sent (&r, (RccBytes) { bytes,
              rcc_rtcp_build_sr (bytes, sizeof bytes, &report, NULL, 0) }, now);
      honest_send (&h, (Flying) { .kind = IS_SR, .ntp = rcc_ntp_middle (report.ntp) }, now);
      sr = now + (RccTime) ((0.5 + honest_chance (&h) / 2) * path->sr) * RCC_MSEC;
    }
    if (path->restarts && now >= restart) {
      h.source.any = FALSE;
      h.source.lsr = 0;
      restart += 45 * RCC_SEC;
    }
    h.loss = (now / RCC_SEC) % 60 < 3 ? 1 : path->loss;
    if (now >= rr) {
      honest_report (&h, now);
      rr = now + (RccTime) ((0.5 + honest_chance (&h) / 2) * path->rr) * RCC_MSEC;
    }
    while (honest_arrival (&h, now, &f)) {
      const gboolean news = believed (f.block, now);

      g_assert_cmpuint (notes.rtcps, ==, 1);
      heard++;
      told += news;
      if (news && notes.report.rtt != RCC_NEVER)
        worst = MAX (worst, (gdouble) notes.report.rtt / RCC_SEC);
      if (!news) {                      /* doubled, or overtaken by a later one */
        late++;
        g_assert_true (seen[f.number] || f.number < newest);
      }
      g_assert_cmpuint (f.number, <, 200000);
      seen[f.number] = 1;
      newest = MAX (newest, f.number);
    }
  }
  g_test_message ("%-12s %5u heard, %5u told, %u copies, %u overtaken, %u forged; "
      "%u RTTs up to %.3f s, %u unknown", path->name, heard, told, (guint) r.duplicates,
      (guint) r.stale, (guint) r.forged, (guint) r.rtt.samples, worst, (guint) r.rtt.refused);
  g_assert_cmpuint (r.forged, ==, 0);
  g_assert_cmpuint (r.ignored, ==, 0);
  g_assert_cmpuint (told + late, ==, heard);
  g_assert_cmpuint (r.duplicates + r.stale, ==, late);
  g_assert_cmpuint (told, >, 100);
  g_assert_cmpfloat ((gdouble) r.rtt.samples, >=, told * path->samples);
  g_assert_cmpfloat (worst, <=, (2 * path->delay + path->jitter + path->rr_jitter + 40) / 1000.0);
  g_sequence_free (h.path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/reports/" path, func)
  ADD ("a-report-is-told", a_report_is_told);
  ADD ("what-never-was-is-refused", what_never_was_is_refused);
  ADD ("what-may-be-is-believed", what_may_be_is_believed);
  ADD ("a-clock-that-runs-fast-is-tolerated", a_clock_that_runs_fast_is_tolerated);
  ADD ("a-cut-path-stays-believed", a_cut_path_stays_believed);
  ADD ("far-behind-is-believed", far_behind_is_believed);
  ADD ("a-late-joiner-has-fewer-wraps", a_late_joiner_has_fewer_wraps);
  ADD ("copies-are-not-told-twice", copies_are_not_told_twice);
  ADD ("copies-without-an-echo-are-near", copies_without_an_echo_are_near);
  ADD ("one-receiver-of-two-names-is-heard-once", one_receiver_of_two_names_is_heard_once);
  ADD ("overtaken-reports-are-stale", overtaken_reports_are_stale);
  ADD ("a-receiver-that-began-anew-is-believed", a_receiver_that_began_anew_is_believed);
  ADD ("a-clock-set-back-stales-nothing", a_clock_set_back_stales_nothing);
  ADD ("the-wall-clock-refuses-no-report", the_wall_clock_refuses_no_report);
  ADD ("srs-are-of-one-stream", srs_are_of_one_stream);
  ADD ("one-forged-block-refuses-the-compound", one_forged_block_refuses_the_compound);
  ADD ("blocks-are-told-one-after-another", blocks_are_told_one_after_another);
  ADD ("a-compound-is-summed-up", a_compound_is_summed_up);
  ADD ("what-is-no-rtcp-is-not-told", what_is_no_rtcp_is_not_told);
  ADD ("feedback-names-its-streams", feedback_names_its_streams);
  ADD ("marks-are-counted", marks_are_counted);
  ADD ("a-lying-xr-block-costs-nothing-else", a_lying_xr_block_costs_nothing_else);
  ADD ("forged-names-make-no-state", forged_names_make_no_state);
  ADD ("blind-guesses-are-refused", blind_guesses_are_refused);
  ADD ("the-longest-silent-makes-room", the_longest_silent_makes_room);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_autofree gchar *name = g_strdup_printf ("/reports/honest/%s", paths[i].name);

    g_test_add_data_func (name, &paths[i], an_honest_receiver_is_believed);
  }
  return g_test_run ();
}
