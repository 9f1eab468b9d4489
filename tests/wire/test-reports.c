/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reports-rig.h"
#include "wire/ccfb.h"
#include "wire/ecn.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "wire/twcc.h"

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
  g_assert_cmpint (notes.rtcp.arrivals, ==, bytes[1] == RCC_RTCP_RTPFB
      && ((us && (bytes[0] & 31) == 11) || (bytes[0] & 31) == 15));
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
    assert_names (b, rcc_remb_build (b, sizeof b, PEER, 1000, NULL, 0), FALSE);
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
    assert_names (b, 12, FALSE);
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

/* Feedback on packets, of which PEER + 1 names those that left last; no SR or RR with it. */
static void
names_packets (gboolean extended, guint16 last, guint16 other)
{
  const RccCcfbReport report = { .received = true };
  guint8 b[128], body[2][8];
  gsize used;

  if (!extended) {
    used = rcc_ccfb_begin (b, sizeof b, PEER + 1);
    used = rcc_ccfb_add (b, sizeof b, used, MEDIA, last, &report, 1);
    used = rcc_ccfb_add (b, sizeof b, used, MEDIA, other, &report, 1);
    hear (b, rcc_ccfb_end (b, sizeof b, used, 1), START + RCC_SEC);
    return;
  }
  used = rcc_xr_begin (b, sizeof b, PEER + 1);
  for (guint i = 0; i < 2; i++) {
    const guint16 seq = i ? other : last;
    const RccXrBlock block = { RCC_XR_RECEIPT_TIMES, 0, { body[i], 8 } };

    rcc_put32 (body[i], MEDIA);
    rcc_put16 (body[i] + 4, seq);
    rcc_put16 (body[i] + 6, (guint16) (seq + 1));
    used = rcc_xr_add (b, sizeof b, used, &block);
  }
  hear (b, used, START + RCC_SEC);
}

/* Numbers in flight are a proof, of who names them, if all are: who guesses names many. */
static void
who_names_packets_in_flight_is_a_reporter (void)
{
  for (guint extended = 0; extended < 2; extended++) {
    start ();                           /* 65500 to 65599 */
    names_packets (extended, 65599 & 0xffff, 64);
    g_assert_true (notes.rtcp.about_us);
    g_assert_false (notes.rtcp.from_reporter);
    g_assert_false (rcc_reporters_any (&r.reporters, START + RCC_SEC));
    names_packets (extended, 64, 63);
    g_assert_false (rcc_reporters_any (&r.reporters, START + RCC_SEC));
    names_packets (extended, 63, 62);
    g_assert_true (notes.rtcp.about_us && notes.rtcp.from_reporter);
    g_assert_true (rcc_reporters_trusts (&r.reporters, PEER + 1, START + RCC_SEC));
    g_assert_cmpuint (r.reporters.n, ==, 1);
  }
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
  guint reported = 0;
  RccRng rng;

  rcc_rng_init (&rng, SEED, 8);
  start ();
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  for (guint i = 0; i < 16384; i++) {
    const RccReportBlock b = { .ssrc = MEDIA, .fraction = 255, .lost = 0x7fffff,
      .highest_seq = rcc_rng_u32 (&rng), .lsr = rcc_rng_u32 (&rng) | 1,
      .dlsr = rcc_rng_u32 (&rng) % SHORT (10) };

    hear_from (rcc_rng_u32 (&rng), &b, 1, START + 2 * RCC_SEC + i * RCC_MSEC);
    reported += notes.reports;
  }
  g_assert_cmpuint (reported, ==, 0);
  g_assert_cmpuint (r.forged, ==, 16384);
  g_assert_cmphex (rcc_reports_find (&r, MEDIA)->from[0].reporter, ==, PEER);
}

static void
the_longest_silent_makes_room (void)
{
  start ();
  for (guint i = 1; i < RCC_REPORTS_STREAMS + 4; i++)
    sent (MEDIA + i, 0, 100, START + i);
  g_assert_cmpuint (r.streams.n, ==, RCC_REPORTS_STREAMS);
  g_assert_false (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (r.ignored, ==, 1);
  /* an SR alone takes nobody's place, and a stream comes back with an empty memory */
  sr_sent (MEDIA + 500, START);
  g_assert_null (rcc_reports_find (&r, MEDIA + 500));
  for (guint i = 4; i < RCC_REPORTS_STREAMS + 4; i++)
    g_assert_nonnull (rcc_reports_find (&r, MEDIA + i));
  sent (MEDIA, 65500, 100, START + 20);
  g_assert_cmpuint (rcc_reports_find (&r, MEDIA)->packets, ==, 100);
  good.lsr -= SHORT (1);
  g_assert_true (believed (good, START + 2 * RCC_SEC));
  g_assert_cmpuint (notes.report.rtt, ==, RCC_NEVER);
}

/* Announced, but nothing of it was sent: nobody can have got it. */
static void
a_stream_begins_with_its_first_packet (void)
{
  const RccReportBlock b = { .ssrc = MEDIA + 1 };

  start ();
  rcc_reports_clock_rate (&r, MEDIA + 1, 90000);
  g_assert_false (believed (b, START + RCC_SEC));
  g_assert_cmpuint (r.ignored, ==, 1);
  g_assert_false (notes.rtcp.about_us);
  sent (MEDIA + 1, 0, 1, START + RCC_SEC);
  g_assert_true (believed (b, START + 2 * RCC_SEC));
}

/* One that has wrapped to 0 is a counter. */
static void
a_count_of_0_counts (void)
{
  start ();
  sent (MEDIA, 65600, 5000, START);
  g_assert_cmpuint (marks (10, PEER, IN_FEEDBACK, 65533), ==, 0);       /* where it begins */
  g_assert_cmpuint (marks (10, PEER, IN_FEEDBACK, 0), ==, 3);
  g_assert_cmpuint (marks (10, PEER, IN_FEEDBACK, 1), ==, 1);
}

/* A REMB is over with its last SSRC, whatever follows: here the header of an RR is one of
 * ours. */
static void
a_remb_names_no_more_than_its_list (void)
{
  const guint32 others[] = { 5, 6 };
  guint8 bytes[64];
  gsize used;

  start_empty ();
  sent (0x80c90001u, 0, 10, START);
  used = rcc_remb_build (bytes, sizeof bytes, PEER, 500000, others, 2);
  used += rcc_rtcp_build_rr (bytes + used, sizeof bytes - used, PEER, NULL, 0);
  hear (bytes, used, START + RCC_SEC);
  g_assert_cmpuint (notes.rtcps, ==, 1);
  g_assert_false (notes.rtcp.about_us);
}

/* 4.1 of RFC 8083 counts any RTCP of a known reporter; of a type that nobody knows, nobody knows
 * who sent it. */
static void
packets_of_known_types_say_whose_they_are (void)
{
  for (guint type = 192; type < 224; type++) {
    guint8 bytes[64];
    gsize used;

    start ();
    g_assert_true (believed (good, START + 2 * RCC_SEC));
    used = rcc_rtcp_build_rr (bytes, sizeof bytes, 0x77, NULL, 0);
    rcc_put32 (bytes + used, 0x80000001u | type << 16);
    rcc_put32 (bytes + used + 4, PEER);
    hear (bytes, used + 8, START + 3 * RCC_SEC);
    if (notes.rtcps > 0)
      g_assert_cmpint (notes.rtcp.from_reporter, ==, type >= RCC_RTCP_SR && type <= RCC_RTCP_XR);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/reports/" path, func)
  ADD ("one-forged-block-refuses-the-compound", one_forged_block_refuses_the_compound);
  ADD ("a-remb-names-no-more-than-its-list", a_remb_names_no_more_than_its_list);
  ADD ("packets-of-known-types-say-whose-they-are", packets_of_known_types_say_whose_they_are);
  ADD ("blocks-are-told-one-after-another", blocks_are_told_one_after_another);
  ADD ("a-compound-is-summed-up", a_compound_is_summed_up);
  ADD ("what-is-no-rtcp-is-not-told", what_is_no_rtcp_is_not_told);
  ADD ("feedback-names-its-streams", feedback_names_its_streams);
  ADD ("marks-are-counted", marks_are_counted);
  ADD ("a-lying-xr-block-costs-nothing-else", a_lying_xr_block_costs_nothing_else);
  ADD ("forged-names-make-no-state", forged_names_make_no_state);
  ADD ("blind-guesses-are-refused", blind_guesses_are_refused);
  ADD ("the-longest-silent-makes-room", the_longest_silent_makes_room);
  ADD ("a-stream-begins-with-its-first-packet", a_stream_begins_with_its_first_packet);
  ADD ("who-names-packets-in-flight-is-a-reporter", who_names_packets_in_flight_is_a_reporter);
  ADD ("a-count-of-0-counts", a_count_of_0_counts);
  return g_test_run ();
}
