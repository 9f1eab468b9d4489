/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/ccfb.h"
#include "wire/remb.h"
#include "wire/reporter.h"
#include "wire/xr-rle.h"
#include "wire/tmmbr.h"
#include "twcc-statuses.h"

#define OURS 0x11111111u
#define MEDIA 0xaaaa0000u
#define TWCC_ID 5

static RccReporter r;
static guint8 out[4096];
static RccTwccStatus statuses[TWCC_STATUSES_ROOM];

static void
start (RccFeedbackFormat format)
{
  rcc_reporter_clear (&r);              /* of the test before */
  memset (&r, 0xa5, sizeof r);          /* init leaves nothing to chance */
  rcc_reporter_init (&r, format, OURS, g_realloc);
  r.twcc_id = TWCC_ID;
}

static void
arrives (guint32 ssrc, guint16 seq, guint16 twcc, guint8 ecn, RccTime at)
{
  const RccRtp head = { .pt = 96, .seq = seq, .ssrc = ssrc };
  guint8 bytes[64], value[2];
  const RccRtpExt ext = { TWCC_ID, 2, value };
  RccRtp rtp;

  rcc_put16 (value, twcc);
  g_assert_true (rcc_rtp_parse ((RccBytes) { bytes,
              rcc_rtp_build (bytes, sizeof bytes, &head, &ext, 1) }, &rtp));
  rcc_reporter_packet (&r, &rtp, ecn, at);
}

static void
says_nothing_before_media (void)
{
  static const RccFeedbackFormat formats[] = {
    RCC_FEEDBACK_REMB, RCC_FEEDBACK_TMMBR, RCC_FEEDBACK_CCFB, RCC_FEEDBACK_TWCC,
  };

  for (guint i = 0; i < 4; i++) {
    start (formats[i]);
    g_assert_cmpuint (rcc_reporter_packet_of (&r, 1000000, RCC_SEC, ALL (out)), ==, 0);
    g_assert_cmpuint (rcc_reporter_compound (&r, 1000000, RCC_SEC, ALL (out)), ==, 0);
  }
}

/* Also where the clock has just begun. */
static void
ccfb_tells_how_long_ago (void)
{
  RccCcfbReport report;
  RccCcfbBlock block;
  RccRtcpPacket p;
  RccCcfb ccfb;

  start (RCC_FEEDBACK_CCFB);
  arrives (MEDIA, 1, 1, 0, RCC_MSEC);
  p = only_packet (out, rcc_reporter_packet_of (&r, 1000000, RCC_MSEC + RCC_SEC, ALL (out)));
  g_assert_true (rcc_ccfb_parse (&p, &ccfb) && rcc_ccfb_next (&ccfb.blocks, &block));
  rcc_ccfb_report (&block, 0, &report);
  g_assert_cmpuint (report.before, ==, RCC_SEC);
}

/* Of all streams, until they come. */
static void
an_estimate_counts_what_is_missing (void)
{
  static const struct { guint16 seq; guint64 missing; } steps[] = {
    { 65533, 1 }, { 65534, 1 }, { 1, 3 }, { 0, 2 }, { 65535, 1 },
    { 65535, 0 },                       /* a copy looks as if it had been missing */
    { 11, 9 }, { 5, 8 }, { 40000, 8 }, { 40001, 8 }, { 40002, 8 },      /* begun anew */
    { 40004, 9 },
    { 42052, 2056 }, { 44101, 2056 },   /* 2047 of them, and one too many */
  };

  for (guint tmmbr = 0; tmmbr < 2; tmmbr++) {
    start (tmmbr ? RCC_FEEDBACK_TMMBR : RCC_FEEDBACK_REMB);
    arrives (MEDIA + 1, 7, 0, 0, RCC_SEC);
    arrives (MEDIA + 1, 9, 0, 0, RCC_SEC);
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
      arrives (MEDIA, steps[i].seq, 0, 0, RCC_SEC + i * RCC_MSEC);
      g_assert_cmpuint (r.missing, ==, steps[i].missing);
      g_assert_false (rcc_reporter_pending (&r));
    }
  }
}

static void
remb_is_for_every_stream (void)
{
  RccRtcpPacket p;
  RccRemb remb;

  start (RCC_FEEDBACK_REMB);
  arrives (MEDIA, 1, 1, 0, RCC_SEC);
  arrives (MEDIA + 1, 1, 2, 0, RCC_SEC);
  p = only_packet (out, rcc_reporter_packet_of (&r, 1234567, RCC_SEC, ALL (out)));
  g_assert_true (rcc_remb_parse (&p, &remb));
  g_assert_cmpuint (remb.sender_ssrc, ==, OURS);
  g_assert_cmpuint (remb.n_ssrcs, ==, 2);
  g_assert_cmpuint (rcc_remb_ssrc (&remb, 0), ==, MEDIA);
  g_assert_cmpuint (rcc_remb_ssrc (&remb, 1), ==, MEDIA + 1);
  g_assert_cmpuint (remb.bps, <=, 1234567);
  g_assert_cmpuint (remb.bps, >=, 1234567 - 1234567 / 100000);
}

/* One entry, for the stream heard last, with what lies below RTP counted in. */
static void
tmmbr_is_for_one (void)
{
  RccTmmbrEntry entry;
  RccRtcpPacket p;
  RccTmmbr tmmbr;

  start (RCC_FEEDBACK_TMMBR);
  arrives (MEDIA, 1, 1, 0, RCC_SEC);
  arrives (MEDIA + 1, 1, 2, 0, RCC_SEC + 1);
  p = only_packet (out, rcc_reporter_packet_of (&r, 1200000, RCC_SEC, ALL (out)));
  g_assert_true (rcc_tmmbr_parse (&p, &tmmbr));
  g_assert_false (tmmbr.notification);
  g_assert_cmpuint (tmmbr.sender_ssrc, ==, OURS);
  g_assert_cmpuint (tmmbr.n_entries, ==, 1);
  rcc_tmmbr_entry (&tmmbr, 0, &entry);
  g_assert_cmpuint (entry.ssrc, ==, MEDIA + 1);
  g_assert_cmpuint (entry.overhead, ==, 40);
  g_assert_cmpuint (entry.bps, <=, 1240000);
  g_assert_cmpuint (entry.bps, >=, 1239900);
  rcc_reporter_packet_of (&r, UINT32_MAX, RCC_SEC, ALL (out));  /* no overflow */
  p = only_packet (out, rcc_reporter_packet_of (&r, UINT32_MAX, RCC_SEC, ALL (out)));
  g_assert_true (rcc_tmmbr_parse (&p, &tmmbr));
  rcc_tmmbr_entry (&tmmbr, 0, &entry);
  g_assert_cmpuint (entry.bps, >, UINT32_MAX);
}

typedef struct {
  guint blocks, reports, received, ce;
  guint16 begin;
  RccTime before;                       /* of the first received */
} Ccfb;

static Ccfb
ccfb (RccTime now, gsize room)
{
  const gsize size = rcc_reporter_packet_of (&r, 0, now, out, room);
  Ccfb c = { .before = RCC_NEVER };
  RccCcfbBlock block;
  RccRtcpPacket p;
  RccCcfb message;
  RccBytes rest;

  if (size == 0)
    return c;
  p = only_packet (out, size);
  g_assert_true (rcc_ccfb_parse (&p, &message));
  g_assert_cmpuint (message.timestamp, ==, rcc_ntp_middle (rcc_ns_to_ntp (now)));
  rest = message.blocks;
  for (; rcc_ccfb_next (&rest, &block); c.blocks++) {
    if (c.blocks == 0)
      c.begin = block.begin_seq;
    for (guint i = 0; i < block.n_reports; i++) {
      RccCcfbReport report;

      rcc_ccfb_report (&block, i, &report);
      c.reports++;
      if (!report.received)
        continue;
      if (c.received++ == 0)
        c.before = report.before;
      c.ce += report.ecn == RCC_ECN_CE;
    }
  }
  return c;
}

static void
ccfb_tells_arrivals_once (void)
{
  Ccfb c;

  start (RCC_FEEDBACK_CCFB);
  for (guint i = 0; i < 10; i++)
    if (i != 4)
      arrives (MEDIA, (guint16) (65530 + i), 0, i == 7 ? RCC_ECN_CE : RCC_ECN_ECT0,
          RCC_SEC + i * 10 * RCC_MSEC);
  c = ccfb (RCC_SEC + 100 * RCC_MSEC, sizeof out);
  g_assert_cmpuint (c.blocks, ==, 1);
  g_assert_cmpuint (c.begin, ==, 65530);
  g_assert_cmpuint (c.reports, ==, 10);
  g_assert_cmpuint (c.received, ==, 9);
  g_assert_cmpuint (c.ce, ==, 1);
  g_assert_cmpint (ABS ((gint64) c.before - 100 * (gint64) RCC_MSEC), <=, RCC_MSEC);
  g_assert_cmpuint (ccfb (RCC_SEC + 200 * RCC_MSEC, sizeof out).blocks, ==, 0);
  arrives (MEDIA, 5, 0, 0, RCC_SEC + 210 * RCC_MSEC);
  c = ccfb (RCC_SEC + 220 * RCC_MSEC, sizeof out);
  /* from where the last one ended: 4 is missing for now */
  g_assert_cmpuint (c.begin, ==, 4);
  g_assert_cmpuint (c.reports, ==, 2);
  g_assert_cmpuint (c.received, ==, 1);
}

/* RFC 8888 3.1: a report may be lost, so the last packets are told of again. */
static void
ccfb_repeats_the_last_packets (void)
{
  Ccfb c;

  start (RCC_FEEDBACK_CCFB);
  r.repeat = 4;
  for (guint i = 0; i < 10; i++)
    if (i != 7)
      arrives (MEDIA, (guint16) (65530 + i), 0, 0, RCC_SEC + i * 10 * RCC_MSEC);
  g_assert_cmpuint (ccfb (RCC_SEC + 100 * RCC_MSEC, sizeof out).reports, ==, 10);
  /* alone they are no news */
  g_assert_cmpuint (ccfb (RCC_SEC + 110 * RCC_MSEC, sizeof out).blocks, ==, 0);
  arrives (MEDIA, 4, 0, 0, RCC_SEC + 120 * RCC_MSEC);
  c = ccfb (RCC_SEC + 120 * RCC_MSEC, sizeof out);
  g_assert_cmpuint (c.begin, ==, 0);    /* 0, 1, which is lost, 2, 3 and the news */
  g_assert_cmpuint (c.reports, ==, 5);
  g_assert_cmpuint (c.received, ==, 4);
  g_assert_cmpint (ABS ((gint64) c.before - 60 * (gint64) RCC_MSEC), <=, RCC_MSEC);
  /* of what came more than a second ago nobody asks any more */
  arrives (MEDIA, 5, 0, 0, 2 * RCC_SEC + 110 * RCC_MSEC);
  c = ccfb (2 * RCC_SEC + 110 * RCC_MSEC, sizeof out);
  g_assert_cmpuint (c.begin, ==, 4);
  g_assert_cmpuint (c.reports, ==, 2);
  /* nor where there is no room beside the news: 24 bytes hold two reports */
  arrives (MEDIA, 6, 0, 0, 2 * RCC_SEC + 120 * RCC_MSEC);
  arrives (MEDIA, 7, 0, 0, 2 * RCC_SEC + 130 * RCC_MSEC);
  c = ccfb (2 * RCC_SEC + 140 * RCC_MSEC, 24);
  g_assert_cmpuint (c.begin, ==, 6);
  g_assert_cmpuint (c.reports, ==, 2);
}

static void
ccfb_has_a_block_for_each_stream (void)
{
  Ccfb c;

  start (RCC_FEEDBACK_CCFB);
  for (guint i = 0; i < 8; i++)
    arrives (MEDIA + i % 2, (guint16) (100 + i / 2), 0, 0, RCC_SEC + i);
  c = ccfb (RCC_SEC + RCC_MSEC, sizeof out);
  g_assert_cmpuint (c.blocks, ==, 2);
  g_assert_cmpuint (c.reports, ==, 8);
  g_assert_cmpuint (c.received, ==, 8);
}

/* RFC 8888 3.1: the first copy's arrival; CE if any copy had it, and only then. */
static void
copies_count_once (void)
{
  Ccfb c;

  start (RCC_FEEDBACK_CCFB);
  arrives (MEDIA, 1, 0, RCC_ECN_ECT0, RCC_SEC);
  arrives (MEDIA, 1, 0, RCC_ECN_ECT1, RCC_SEC + 50 * RCC_MSEC);
  c = ccfb (RCC_SEC + 100 * RCC_MSEC, sizeof out);
  g_assert_cmpuint (c.received, ==, 1);
  g_assert_cmpuint (c.ce, ==, 0);
  g_assert_cmpint (ABS ((gint64) c.before - 100 * (gint64) RCC_MSEC), <=, RCC_MSEC);
  arrives (MEDIA, 2, 0, RCC_ECN_ECT0, RCC_SEC);
  arrives (MEDIA, 2, 0, RCC_ECN_CE, RCC_SEC);
  arrives (MEDIA, 2, 0, RCC_ECN_ECT0, RCC_SEC);
  g_assert_cmpuint (ccfb (RCC_SEC + 100 * RCC_MSEC, sizeof out).ce, ==, 1);
}

static void
a_late_packet_is_told_again_with_its_neighbours (void)
{
  Ccfb c;

  start (RCC_FEEDBACK_CCFB);
  for (guint i = 0; i < 10; i++)
    if (i != 6)
      arrives (MEDIA, (guint16) i, 0, 0, RCC_SEC);
  g_assert_cmpuint (ccfb (RCC_SEC, sizeof out).received, ==, 9);
  arrives (MEDIA, 6, 0, 0, RCC_SEC + RCC_MSEC);
  c = ccfb (RCC_SEC + 2 * RCC_MSEC, sizeof out);
  g_assert_cmpuint (c.begin, ==, 6);
  g_assert_cmpuint (c.received, ==, 4);
}

static void
small_packets_take_what_fits (void)
{
  guint reported = 0, messages = 0;

  start (RCC_FEEDBACK_CCFB);
  for (guint i = 0; i < 500; i++)
    arrives (MEDIA, (guint16) i, 0, 0, RCC_SEC);
  for (Ccfb c; (c = ccfb (RCC_SEC, 220)).blocks; messages++) {
    g_assert_cmpuint (c.begin, ==, reported);
    reported += c.reports;
  }
  g_assert_cmpuint (reported, ==, 500);
  g_assert_cmpuint (messages, ==, 5);   /* 100 of 2 bytes each beside 20 of heads */
  arrives (MEDIA, 500, 0, 0, RCC_SEC);
  for (gsize room = 0; room < 24; room++)
    g_assert_cmpuint (ccfb (RCC_SEC, room).blocks, ==, 0);
  g_assert_cmpuint (ccfb (RCC_SEC, 24).received, ==, 1);
}

/* As many as there is room for, whether that ends on the word or not. */
static void
any_size_takes_what_fits (void)
{
  for (gsize room = 24; room < 120; room++) {
    start (RCC_FEEDBACK_CCFB);
    for (guint i = 0; i < 100; i++)
      arrives (MEDIA, (guint16) i, 0, 0, RCC_SEC);
    g_assert_cmpuint (ccfb (RCC_SEC, room).reports, ==, (room - 20) / 4 * 2);
  }
}

/* An RR of 8 bytes, and the feedback of 24. */
static void
a_compound_is_whole_or_none (void)
{
  start (RCC_FEEDBACK_CCFB);
  arrives (MEDIA, 0, 0, 0, RCC_SEC);
  for (gsize room = 0; room < 8 + 24; room++)
    g_assert_cmpuint (rcc_reporter_compound (&r, 0, RCC_SEC, out, room), ==, 0);
  g_assert_true (rcc_reporter_pending (&r));
  g_assert_cmpuint (rcc_reporter_compound (&r, 0, RCC_SEC, out, 8 + 24), ==, 8 + 24);
  g_assert_false (rcc_reporter_pending (&r));
}

static void
numbers_that_start_anew_are_followed (void)
{
  guint received = 0;

  start (RCC_FEEDBACK_CCFB);
  for (guint i = 0; i < 100; i++)
    arrives (MEDIA, (guint16) (20000 + i), 0, 0, RCC_SEC);
  ccfb (RCC_SEC, sizeof out);
  /* one stray from long ago is no restart */
  arrives (MEDIA, 5000, 0, 0, RCC_SEC);
  arrives (MEDIA, 20100, 0, 0, RCC_SEC);
  g_assert_cmpuint (ccfb (RCC_SEC, sizeof out).begin, ==, 20100);
  for (guint i = 0; i < 100; i++) {
    arrives (MEDIA, (guint16) i, 0, 0, RCC_SEC);
    received += ccfb (RCC_SEC, sizeof out).received;
  }
  g_assert_cmpuint (received, ==, 98);
}

static RccTwcc
twcc (RccTime now)
{
  const gsize size = rcc_reporter_packet_of (&r, 0, now, ALL (out));
  RccTwcc message = { 0 };
  RccRtcpPacket p;

  if (size == 0)
    return message;
  p = only_packet (out, size);
  g_assert_true (twcc_statuses (&p, &message, statuses));
  return message;
}

static void
twcc_tells_arrivals_once (void)
{
  RccTwcc m;

  start (RCC_FEEDBACK_TWCC);
  for (guint i = 0; i < 20; i++)
    if (i != 3)
      arrives (MEDIA + i % 2, (guint16) (i / 2), (guint16) (65530 + i), 0,
          10 * RCC_SEC + i * 7 * RCC_MSEC);
  m = twcc (11 * RCC_SEC);
  g_assert_cmpuint (m.sender_ssrc, ==, OURS);
  g_assert_cmpuint (m.media_ssrc, ==, MEDIA);
  g_assert_cmpuint (m.base_seq, ==, 65530);
  g_assert_cmpuint (m.n_statuses, ==, 20);
  for (guint i = 0; i < 20; i++) {
    g_assert_cmpint (statuses[i].received, ==, i != 3);
    if (i != 3)
      g_assert_cmpint (ABS (statuses[i].arrived_us - (gint64) (10000000 + i * 7000)), <=, 250);
  }
  g_assert_cmpuint (twcc (11 * RCC_SEC).n_statuses, ==, 0);
}

static void
twcc_counts_its_messages (void)
{
  start (RCC_FEEDBACK_TWCC);
  for (guint i = 0; i < 600; i++) {
    RccTwcc m;

    arrives (MEDIA, (guint16) i, (guint16) i, 0, i * 10 * RCC_MSEC);
    m = twcc (i * 10 * RCC_MSEC);
    g_assert_cmpuint (m.fb_count, ==, i % 256);
    g_assert_cmpuint (m.base_seq, ==, i);
  }
}

/* A pause longer than 16 bits of 250 us: two messages, nothing lost between them. */
static void
twcc_spans_a_long_pause (void)
{
  start (RCC_FEEDBACK_TWCC);
  for (guint i = 0; i < 6; i++)
    arrives (MEDIA, (guint16) i, (guint16) i, 0, RCC_SEC + (i / 3) * 20 * RCC_SEC);
  g_assert_cmpuint (twcc (30 * RCC_SEC).n_statuses, ==, 3);
  g_assert_cmpuint (twcc (30 * RCC_SEC).base_seq, ==, 3);
  g_assert_cmpuint (twcc (30 * RCC_SEC).n_statuses, ==, 0);
}

static gsize
session_compound (guint8 *bytes, gsize size, guint32 ssrc, const gchar *cname)
{
  gsize used = rcc_rtcp_build_rr (bytes, size, ssrc, NULL, 0);

  if (cname)
    used += rcc_rtcp_build_cname (bytes + used, size - used, ssrc, cname);
  return used;
}

static void
adopts_who_the_session_is (void)
{
  guint8 passing[512];
  gchar longest[256];
  RccBytes rest;
  RccRtcpPacket p;
  RccRtcpReport report;
  RccRemb remb;

  memset (longest, 'x', 255);
  longest[255] = '\0';
  start (RCC_FEEDBACK_REMB);
  arrives (MEDIA, 1, 1, 0, RCC_SEC);
  g_assert_false (r.source.adopted);
  rcc_rtcp_source_rtcp_passed (&r.source, (RccBytes) { passing,
          session_compound (passing, sizeof passing, 0x22222222, longest) });
  g_assert_true (r.source.adopted);
  g_assert_cmpstr (r.source.cname, ==, longest);
  rcc_rtcp_source_rtcp_passed (&r.source, (RccBytes) { passing,
          session_compound (passing, sizeof passing, 0x22222222, "user@host") });
  g_assert_cmpstr (r.source.cname, ==, "user@host");

  rest = (RccBytes) { out, rcc_reporter_compound (&r, 500000, RCC_SEC, ALL (out)) };
  g_assert_true (rcc_rtcp_next (&rest, &p));
  g_assert_true (rcc_rtcp_report (&p, &report));
  g_assert_false (report.is_sr);
  g_assert_cmpuint (report.ssrc, ==, 0x22222222);
  g_assert_cmpuint (report.n_blocks, ==, 0);
  g_assert_true (rcc_rtcp_next (&rest, &p));
  g_assert_cmpuint (p.type, ==, RCC_RTCP_SDES);
  g_assert_cmpuint (rcc_be32 (p.body.data), ==, 0x22222222);
  g_assert_true (rcc_rtcp_next (&rest, &p));
  g_assert_true (rcc_remb_parse (&p, &remb));
  g_assert_cmpuint (remb.sender_ssrc, ==, 0x22222222);
  g_assert_true (rcc_rtcp_next (&rest, &p));    /* a packet's number */
  g_assert_cmpuint (p.type, ==, RCC_RTCP_XR);
  g_assert_cmpuint (rcc_be32 (p.body.data), ==, 0x22222222);
  g_assert_false (rcc_rtcp_next (&rest, &p));
  g_assert_cmpuint (rest.size, ==, 0);
}

static gboolean
names_a_number (RccBytes compound, guint32 *ssrc, guint16 *seq)
{
  RccRtcpPacket p;
  RccXrBlock block;
  RccXrRle rle;
  RccXr xr;

  while (rcc_rtcp_next (&compound, &p))
    if (rcc_xr_parse (&p, &xr)) {
      g_assert_cmphex (xr.ssrc, ==, OURS);
      g_assert_true (rcc_xr_next (&xr.blocks, &block) && rcc_xr_rle_parse (&block, &rle));
      g_assert_true (rle.discard);
      g_assert_cmpuint ((guint16) (rle.range.end_seq - rle.range.begin_seq), ==, 1);
      *ssrc = rle.range.ssrc;
      *seq = rle.range.begin_seq;
      return TRUE;
    }
  return FALSE;
}

/* What shows the sender that who limits it receives it, once a second.  Feedback of packets shows
 * that already, and where there is no room the limit goes alone. */
static void
a_limit_comes_with_a_number (void)
{
  for (guint format = RCC_FEEDBACK_REMB; format <= RCC_FEEDBACK_TWCC; format++) {
    const gboolean limits = format == RCC_FEEDBACK_REMB || format == RCC_FEEDBACK_TMMBR;
    guint32 ssrc = 0;
    guint16 seq = 0;
    gsize whole, limit;

    start ((RccFeedbackFormat) format);
    arrives (MEDIA + 1, 7, 1, 0, RCC_SEC);
    arrives (MEDIA, 65535, 2, 0, RCC_SEC);
    whole = rcc_reporter_compound (&r, 500000, RCC_SEC, ALL (out));
    g_assert_cmpuint (whole, >, 0);
    g_assert_cmpint (names_a_number ((RccBytes) { out, whole }, &ssrc, &seq), ==, limits);
    if (!limits)
      continue;
    g_assert_cmphex (ssrc, ==, MEDIA);
    g_assert_cmpuint (seq, ==, 65535);
    limit = rcc_reporter_compound (&r, 500000, 2 * RCC_SEC - 1, ALL (out));
    g_assert_cmpuint (limit, ==, whole - 24);
    g_assert_false (names_a_number ((RccBytes) { out, limit }, &ssrc, &seq));
    g_assert_cmpuint (rcc_reporter_compound (&r, 500000, 2 * RCC_SEC, out, whole - 1), ==, limit);
    g_assert_cmpuint (rcc_reporter_compound (&r, 500000, 2 * RCC_SEC, ALL (out)), ==, whole);
    /* the clock was set */
    g_assert_cmpuint (rcc_reporter_compound (&r, 500000, RCC_SEC, ALL (out)), ==, whole);
  }
}

/* Appended to what the session sends: the whole stays a well-formed compound. */
static void
appends_to_a_compound (void)
{
  const gsize used = session_compound (ALL (out), OURS, "c");
  RccBytes rest;
  RccRtcpPacket p;
  guint packets = 0;
  gsize more;

  start (RCC_FEEDBACK_TWCC);
  for (guint i = 0; i < 30; i++)
    arrives (MEDIA, (guint16) i, (guint16) i, 0, RCC_SEC + i * RCC_MSEC);
  more = rcc_reporter_packet_of (&r, 0, 2 * RCC_SEC, out + used, sizeof out - used);
  g_assert_cmpuint (more, >, 0);
  for (rest = (RccBytes) { out, used + more }; rcc_rtcp_next (&rest, &p);)
    packets++;
  g_assert_cmpuint (packets, ==, 3);
  g_assert_cmpuint (rest.size, ==, 0);
}

static void
the_table_of_streams_is_bounded (void)
{
  RccRtcpPacket p;
  RccRemb remb;

  start (RCC_FEEDBACK_REMB);
  for (guint i = 0; i < 1000; i++)
    arrives (MEDIA + i, 1, 1, 0, RCC_SEC + i);
  p = only_packet (out, rcc_reporter_packet_of (&r, 500000, RCC_SEC, ALL (out)));
  g_assert_true (rcc_remb_parse (&p, &remb));
  g_assert_cmpuint (remb.n_ssrcs, ==, RCC_SSRCS);
  for (guint i = 0; i < remb.n_ssrcs; i++)
    g_assert_cmpuint (rcc_remb_ssrc (&remb, i), >=, MEDIA + 1000 - RCC_SSRCS);
  arrives (MEDIA, 9, 9, 0, 2 * RCC_SEC);        /* forgotten: new */
  g_assert_cmpuint (r.missing, ==, 0);
}

/* RFC 8888 3.1: 16384 of one stream at most, the newest. */
static void
a_leap_is_told_as_far_as_it_may_be (void)
{
  guint reported = 0;

  for (guint leap = 16382; leap < 16386; leap++) {
    start (RCC_FEEDBACK_CCFB);
    arrives (MEDIA, 0, 0, 0, RCC_SEC);
    arrives (MEDIA, (guint16) leap, 0, 0, RCC_SEC);
    reported = 0;
    for (Ccfb c; (c = ccfb (RCC_SEC, sizeof out)).blocks;)
      reported += c.reports;
    g_assert_cmpuint (reported, ==, MIN (leap + 1, 16384));
  }
}

/* Room for ten numbers alone: the next message begins with who was left out, however much
 * comes of the first. */
static void
ccfb_streams_take_turns (void)
{
  guint16 seq = 0;

  start (RCC_FEEDBACK_CCFB);
  for (guint i = 0; i < 4; i++) {
    RccRtcpPacket p;
    RccCcfb ccfb;
    RccCcfbBlock block;

    for (guint k = 0; k < 10; k++, seq++)
      for (guint s = 0; s < (i > 0 ? 1 : 3); s++)
        arrives (MEDIA + s, seq, 0, 0, RCC_SEC + seq * RCC_MSEC);
    p = only_packet (out, rcc_reporter_packet_of (&r, 0, RCC_SEC + seq * RCC_MSEC, out,
            8 + 8 + 2 * 10 + 4));
    g_assert_true (rcc_ccfb_parse (&p, &ccfb));
    g_assert_true (rcc_ccfb_next (&ccfb.blocks, &block));
    g_assert_cmphex (block.ssrc, ==, MEDIA + i % 3);
    g_assert_cmpuint (block.n_reports, ==, 10);
    g_assert_cmpuint (ccfb.blocks.size, ==, 0);
  }
}

/* 0.3 s of 1 Gbit/s are kept, and no more. */
static void
what_is_kept_is_bounded (void)
{
  const RccArrivalStream *s;

  start (RCC_FEEDBACK_CCFB);
  for (guint i = 0; i < 40000; i++)
    arrives (MEDIA, (guint16) i, 0, 0, RCC_SEC + i * 10 * RCC_USEC);
  s = rcc_arrivals_at (&r.arrivals, 0);
  g_assert_nonnull (rcc_arrivals_find (&r.arrivals, s, s->unwrap.last - 32767));
  g_assert_null (rcc_arrivals_find (&r.arrivals, s, s->unwrap.last - 32768));
}

/* A number has two bytes. */
static void
an_extension_of_another_size_is_no_number (void)
{
  const RccRtp head = { .pt = 96, .seq = 1, .ssrc = MEDIA };
  guint8 bytes[64], value[4] = { 0, 1, 0, 1 };

  for (guint8 size = 1; size <= sizeof value; size++) {
    const RccRtpExt ext = { TWCC_ID, size, value };
    RccRtp rtp;

    start (RCC_FEEDBACK_TWCC);
    g_assert_true (rcc_rtp_parse ((RccBytes) { bytes,
                rcc_rtp_build (bytes, sizeof bytes, &head, &ext, 1) }, &rtp));
    rcc_reporter_packet (&r, &rtp, 0, RCC_SEC);
    g_assert_cmpint (rcc_reporter_pending (&r), ==, size == 2);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reporter/says-nothing-before-media", says_nothing_before_media);
  g_test_add_func ("/reporter/ccfb-streams-take-turns", ccfb_streams_take_turns);
  g_test_add_func ("/reporter/an-estimate-counts-what-is-missing",
      an_estimate_counts_what_is_missing);
  g_test_add_func ("/reporter/remb-is-for-every-stream", remb_is_for_every_stream);
  g_test_add_func ("/reporter/ccfb-tells-how-long-ago", ccfb_tells_how_long_ago);
  g_test_add_func ("/reporter/tmmbr-is-for-one", tmmbr_is_for_one);
  g_test_add_func ("/reporter/ccfb-tells-arrivals-once", ccfb_tells_arrivals_once);
  g_test_add_func ("/reporter/ccfb-repeats-the-last-packets", ccfb_repeats_the_last_packets);
  g_test_add_func ("/reporter/ccfb-has-a-block-for-each-stream",
      ccfb_has_a_block_for_each_stream);
  g_test_add_func ("/reporter/copies-count-once", copies_count_once);
  g_test_add_func ("/reporter/a-late-packet-is-reported-again-with-its-neighbours",
      a_late_packet_is_told_again_with_its_neighbours);
  g_test_add_func ("/reporter/small-packets-take-what-fits", small_packets_take_what_fits);
  g_test_add_func ("/reporter/any-size-takes-what-fits", any_size_takes_what_fits);
  g_test_add_func ("/reporter/a-compound-is-whole-or-none", a_compound_is_whole_or_none);
  g_test_add_func ("/reporter/numbers-that-start-anew-are-followed",
      numbers_that_start_anew_are_followed);
  g_test_add_func ("/reporter/twcc-tells-arrivals-once", twcc_tells_arrivals_once);
  g_test_add_func ("/reporter/twcc-counts-its-messages", twcc_counts_its_messages);
  g_test_add_func ("/reporter/twcc-spans-a-long-pause", twcc_spans_a_long_pause);
  g_test_add_func ("/reporter/adopts-who-the-session-is", adopts_who_the_session_is);
  g_test_add_func ("/reporter/a-limit-comes-with-a-number", a_limit_comes_with_a_number);
  g_test_add_func ("/reporter/appends-to-a-compound", appends_to_a_compound);
  g_test_add_func ("/reporter/the-table-of-streams-is-bounded",
      the_table_of_streams_is_bounded);
  g_test_add_func ("/reporter/a-leap-is-told-as-far-as-it-may-be",
      a_leap_is_told_as_far_as_it_may_be);
  g_test_add_func ("/reporter/what-is-kept-is-bounded", what_is_kept_is_bounded);
  g_test_add_func ("/reporter/an-extension-of-another-size",
      an_extension_of_another_size_is_no_number);
  return g_test_run ();
}
