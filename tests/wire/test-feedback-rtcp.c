/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "feedback-rig.h"

static void
a_receiver_report_is_told (void)
{
  start ();
  rcc_feedback_clock_rate (&f, MEDIA, 90000);
  sent_many (MEDIA, 65500, 200, RCC_SEC, RCC_MSEC);
  hear_rr (MEDIA, 65500 + 49, 64, 0, 0, 2 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 1);
  g_assert_cmpuint (notes.report.ssrc, ==, MEDIA);
  g_assert_cmpint (notes.report.lost, ==, 7);
  g_assert_cmpfloat (notes.report.fraction_lost, ==, 0.25);
  g_assert_cmpuint (notes.report.expected, ==, 0);
  g_assert_cmpuint (notes.report.jitter, ==, 10 * RCC_MSEC);
  g_assert_cmpuint (notes.report.rtt, ==, RCC_NEVER);
  hear_rr (MEDIA, 65500 + 149, 64, 0, 0, 3 * RCC_SEC);  /* across the wrap */
  g_assert_cmpuint (notes.report.expected, ==, 100);
  g_assert_cmpint (notes.report.highest_seq, ==, 65500 + 149);
}

static void
rtt_by_the_srs_that_left (void)
{
  const guint64 ntp = G_GUINT64_CONSTANT (0xe0001234567890ab);
  const guint32 lsr = rcc_ntp_middle (ntp);

  start ();
  sent_many (MEDIA, 0, 100, RCC_SEC, RCC_MSEC);
  sr_sent (ntp, 10 * RCC_SEC);
  hear_rr (MEDIA, 10, 0, lsr, SHORT (0.5), 10 * RCC_SEC + 580 * RCC_MSEC);
  g_assert_cmpuint (notes.report.rtt, ==, 80 * RCC_MSEC);
  /* an LSR that never was, one held for longer than it exists: nothing counts */
  hear_rr (MEDIA, 20, 0, lsr + 1, 0, 11 * RCC_SEC);
  hear_rr (MEDIA, 30, 0, lsr, SHORT (5), 11 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, 1);
  g_assert_cmpuint (f.reports.forged, ==, 2);
  g_assert_cmpuint (f.reports.rtt.refused, ==, 2);
  g_assert_cmpuint (f.reports.rtt.smoothed, ==, 80 * RCC_MSEC);
}

static void
remb_is_told_when_it_is_for_us (void)
{
  const guint32 ours[] = { 5, MEDIA }, others[] = { 5, 6 };

  start ();
  sent (MEDIA, 0, -1, RCC_SEC);
  hear_remb (1 << 20, ours, 2);
  g_assert_cmpuint (notes.remb, ==, 1 << 20);
  hear_remb (5000, others, 2);
  g_assert_cmpuint (notes.rembs, ==, 1);
  g_assert_cmpuint (f.reports.ignored, ==, 1);
  hear_remb (1 << 19, NULL, 0);         /* names nobody, by nobody */
  g_assert_cmpuint (notes.rembs, ==, 1);
  hear_rr (MEDIA, 0, 0, 0, 0, 2 * RCC_SEC);
  hear_remb (1 << 19, NULL, 0);         /* the session's, by who has reported on us */
  g_assert_cmpuint (notes.remb, ==, 1 << 19);
  hear_remb (0, ours, 2);
  g_assert_cmpuint (notes.remb, ==, 0);
  hear_remb (G_GUINT64_CONSTANT (1) << 50, ours, 2);    /* UINT32_MAX says "none" */
  g_assert_cmpuint (notes.remb, ==, UINT32_MAX - 1);
}

static void
tmmbr_leaves_out_what_lies_below_rtp (void)
{
  RccTmmbrEntry entries[] = {
    { .ssrc = MEDIA + 1, .bps = 1, .overhead = 0 },
    { .ssrc = MEDIA, .bps = 1000000, .overhead = 40 },
  };
  guint8 bytes[64];

  start ();
  sent_many (MEDIA, 0, 200, RCC_SEC, 10 * RCC_MSEC);    /* 100 packets a second */
  hear (bytes, rcc_tmmbr_build (bytes, sizeof bytes, PEER, false, entries, 2), 3 * RCC_SEC);
  g_assert_cmpuint (notes.rembs, ==, 1);
  g_assert_cmpuint (notes.remb, <=, 1000000 - 97 * 320);
  g_assert_cmpuint (notes.remb, >=, 1000000 - 103 * 320 - 16);
  g_assert_cmpuint (f.reports.ignored, ==, 1);
  entries[1].bps = 1000;                /* less than the headers alone */
  hear (bytes, rcc_tmmbr_build (bytes, sizeof bytes, PEER, false, entries, 2), 3 * RCC_SEC);
  g_assert_cmpuint (notes.remb, ==, 0);
  /* a notification is no request */
  hear (bytes, rcc_tmmbr_build (bytes, sizeof bytes, PEER, true, entries, 2), 3 * RCC_SEC);
  g_assert_cmpuint (notes.rembs, ==, 2);
}

/* RFC 5104 4.2.2: the bounding set goes back once, to whom it concerns. */
static void
tmmbr_is_answered_by_tmmbn (void)
{
  RccTmmbrEntry entry = { .ssrc = MEDIA, .bps = 1000000, .overhead = 40 };
  const RccRtcpReport sr = { .ssrc = MEDIA, .is_sr = true };
  const guint8 nobody[] = { 0x80, 203, 0, 0 };  /* a BYE of no SSRC */
  guint8 bytes[64], sent[32], out[32];
  RccBytes compound = { sent, rcc_rtcp_build_sr (sent, sizeof sent, &sr, NULL, 0) }, rest;
  RccRtcpPacket packet;
  RccTmmbr tmmbn;

  start ();
  sent_many (MEDIA, 0, 10, RCC_SEC, 10 * RCC_MSEC);
  g_assert_cmpuint (rcc_feedback_notification (&f, compound, out, sizeof out), ==, 0);
  hear (bytes, rcc_tmmbr_build (bytes, sizeof bytes, PEER, false, &entry, 1), 3 * RCC_SEC);
  g_assert_cmpuint (rcc_feedback_notification (&f, compound, out, 19), ==, 0);
  g_assert_cmpuint (rcc_feedback_notification (&f, (RccBytes) { sent, 3 }, out,
          sizeof out), ==, 0);
  /* nobody has sent a packet without an SSRC, and an empty RR has no more than that */
  g_assert_cmpuint (rcc_feedback_notification (&f, (RccBytes) { nobody, 4 }, out, sizeof out), ==,
      0);
  compound.size = rcc_rtcp_build_rr (sent, sizeof sent, MEDIA, NULL, 0);
  g_assert_cmpuint (compound.size, ==, 8);
  g_assert_cmpuint (rcc_feedback_notification (&f, compound, out, sizeof out), ==, 20);
  rest = (RccBytes) { out, 20 };
  g_assert_true (rcc_rtcp_next (&rest, &packet) && rcc_tmmbr_parse (&packet, &tmmbn));
  g_assert_true (tmmbn.notification);
  g_assert_cmpuint (tmmbn.sender_ssrc, ==, MEDIA);
  rcc_tmmbr_entry (&tmmbn, 0, &entry);
  g_assert_cmpuint (entry.ssrc, ==, PEER);
  g_assert_cmpuint (entry.overhead, ==, 40);
  g_assert_cmpuint (entry.bps, >=, 999992);     /* 17 bits of mantissa, rounded down */
  g_assert_cmpuint (entry.bps, <=, 1000000);
  g_assert_cmpuint (rcc_feedback_notification (&f, compound, out, sizeof out), ==, 0);
}

static void
twcc_is_told_packet_by_packet (void)
{
  start ();
  sent_many (MEDIA, 65500, 100, RCC_SEC, 10 * RCC_MSEC);
  hear_twcc (65500, 100, 500 * RCC_SEC, 11 * RCC_MSEC, 10, 3 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, 100);
  g_assert_cmpuint (notes.lost, ==, 10);
  for (guint i = 0; i < 100; i++) {
    const RccPacket *p = &notes.packets[i];

    g_assert_cmpint (p->seq - notes.packets[0].seq, ==, i);
    g_assert_cmpuint ((guint16) p->seq, ==, (guint16) (65500 + i));
    g_assert_cmpuint (p->size, ==, 1200);
    g_assert_cmpuint (p->sent, ==, RCC_SEC + i * 10 * RCC_MSEC);
    g_assert_cmpint (p->arrived == RCC_NEVER, ==, i % 10 == 9);
    if (i % 10 == 9)
      continue;
    g_assert_cmpint (ABS ((gint64) (p->arrived - notes.packets[0].arrived)
            - (gint64) (i * 11 * RCC_MSEC)), <=, 250 * RCC_USEC);
  }
}

/* RFC 5104 4.2.1.2: an entry is for the SSRC that it names, which may be nobody of ours. */
static void
a_limit_for_another_is_none_of_ours (void)
{
  const RccTmmbrEntry entries[2] = { { MEDIA + 9, 100000, 40 }, { MEDIA, 200000, 40 } };
  guint8 bytes[100];
  guint64 ignored;

  for (guint n = 1; n <= 2; n++) {
    start ();
    sent_many (MEDIA, 0, 10, RCC_SEC, RCC_MSEC);
    ignored = f.reports.ignored;
    hear (bytes, rcc_tmmbr_build (bytes, sizeof bytes, PEER, false, entries, n), 2 * RCC_SEC);
    g_assert_cmpuint (f.reports.ignored, ==, ignored + 1);
    g_assert_cmpint (f.limit.pending, ==, n > 1);
    g_assert_cmpuint (f.limit.bps, ==, n > 1 ? 200000 : 0);
  }
}

/* One chunk tells of a whole run: each number of it is told. */
static void
twcc_tells_all_of_a_run (void)
{
  const RccTwcc head = { .sender_ssrc = PEER, .media_ssrc = MEDIA, .base_seq = 100 };
  guint8 bytes[400];
  guint done;

  start ();
  sent_many (MEDIA, 100, 50, RCC_SEC, RCC_MSEC);
  for (guint i = 0; i < 50; i++)
    statuses[i] = (RccTwccStatus) { i < 3 || i > 44, 500000000 + 1000 * i };
  hear (bytes, rcc_twcc_build (bytes, sizeof bytes, &head, statuses, 50, &done), 2 * RCC_SEC);
  g_assert_cmpuint (done, ==, 50);
  g_assert_cmpuint (notes.n, ==, 50);
  g_assert_cmpuint (notes.lost, ==, 42);
  for (guint i = 0; i < 50; i++)
    g_assert_cmpint (rcc_packet_received (&notes.packets[i]), ==, i < 3 || i > 44);
}

/* Overlap, duplicates, both formats at once: each packet has one outcome.  Only what
 * was given up for lost and then comes after all is told a second time. */
static void
no_packet_is_counted_twice (void)
{
  start ();
  sent_many (MEDIA, 0, 200, RCC_SEC, RCC_MSEC);
  hear_twcc (0, 100, 500 * RCC_SEC, RCC_MSEC, 10, 3 * RCC_SEC);
  hear_twcc (0, 100, 500 * RCC_SEC, RCC_MSEC, 10, 3 * RCC_SEC);
  g_assert_cmpuint (notes.feedbacks, ==, 1);
  hear_twcc (50, 100, 500 * RCC_SEC + 50 * RCC_MSEC, RCC_MSEC, 10, 3 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, 135);
  g_assert_cmpuint (notes.lost, ==, 15);
  hear_ccfb (MEDIA, 0, 150, RCC_MSEC, SHORT (100), 3 * RCC_SEC);
  g_assert_cmpuint (notes.received + notes.lost, ==, 150);
  hear_twcc (9, 1, 502 * RCC_SEC, RCC_MSEC, 0, 3 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, 136);
  /* TWCC falls silent: the other format takes over where it left */
  hear_ccfb (MEDIA, 190, 10, RCC_MSEC, SHORT (110), 13 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, 146);
  hear_ccfb (MEDIA, 190, 10, RCC_MSEC, SHORT (110), 13 * RCC_SEC);
  hear_ccfb (MEDIA, 185, 10, RCC_MSEC, SHORT (110), 13 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, 151);
}

/* C7: what is longer ago than is remembered is nobody's proof, and what never left is a lie
 * that takes its message with it. */
static void
unknown_packets_are_counted_only (void)
{
  start ();
  sent_many (MEDIA, 0, 10000, RCC_SEC, RCC_MSEC);       /* the last 8192 are remembered */
  hear_twcc (0, 100, 500 * RCC_SEC, RCC_MSEC, 0, 12 * RCC_SEC);
  hear_twcc (50000, 100, 502 * RCC_SEC, RCC_MSEC, 0, 12 * RCC_SEC);
  g_assert_cmpuint (f.reports.ignored, ==, 2);
  hear_twcc (9950, 100, 501 * RCC_SEC, RCC_MSEC, 0, 12 * RCC_SEC);
  g_assert_cmpuint (f.reports.forged, ==, 1);
  g_assert_cmpuint (notes.feedbacks, ==, 0);
  f.unknown_packets = 0;
  hear_twcc (10000 - 8192 - 52, 100, 503 * RCC_SEC, RCC_MSEC, 0, 12 * RCC_SEC);
  g_assert_cmpuint (f.unknown_packets, ==, 52);
  g_assert_cmpuint (notes.received, ==, 48);
}

/* The media SSRC of transport-wide feedback may be 0: then its sender has to be known. */
static void
twcc_that_names_no_stream_is_a_reporters (void)
{
  const RccTwcc head = { .sender_ssrc = PEER, .base_seq = 10 };
  RccTwccStatus one = { true, 1000 };
  guint8 bytes[64];
  guint done;
  gsize size;

  start ();
  sent_many (MEDIA, 0, 20, RCC_SEC, RCC_MSEC);
  size = rcc_twcc_build (bytes, sizeof bytes, &head, &one, 1, &done);
  hear (bytes, size, 2 * RCC_SEC);
  g_assert_cmpuint (notes.feedbacks, ==, 0);
  g_assert_cmpuint (f.reports.ignored, ==, 1);
  hear_rr (MEDIA, 15, 0, 0, 0, 2 * RCC_SEC);
  hear (bytes, size, 2 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, 1);
}

/* A REMB is a reporter's, and holds for as long as it is repeated. */
static void
a_remb_that_is_not_repeated_is_lifted (void)
{
  const guint32 ours = MEDIA;
  guint8 bytes[64];

  start ();
  sent_many (MEDIA, 0, 1000, RCC_SEC, 10 * RCC_MSEC);
  hear_rr (MEDIA, 100, 0, 0, 0, 2 * RCC_SEC);
  for (guint i = 0; i < 5; i++)
    hear (bytes, rcc_remb_build (bytes, sizeof bytes, PEER, 5000, &ours, 1),
        2 * RCC_SEC + i * RCC_SEC);
  hear (bytes, rcc_remb_build (bytes, sizeof bytes, PEER + 1, 1000, &ours, 1), 6 * RCC_SEC);
  g_assert_cmpuint (notes.rembs, ==, 5);
  hear_rr (MEDIA, 600, 0, 0, 0, 10 * RCC_SEC);
  g_assert_cmpuint (notes.rembs, ==, 5);
  hear_rr (MEDIA, 800, 0, 0, 0, 11 * RCC_SEC);
  g_assert_cmpuint (notes.rembs, ==, 6);
  g_assert_cmpuint (notes.remb, ==, UINT32_MAX);
  hear_rr (MEDIA, 900, 0, 0, 0, 12 * RCC_SEC);
  g_assert_cmpuint (notes.rembs, ==, 6);
}

/* 2^24 x 64 ms = 12.4 days */
static void
twcc_reference_wraps (void)
{
  const RccTime wrap = (RccTime) (1 << 24) * 64 * RCC_MSEC;
  RccTime last = 0;
  guint n = 0;

  for (guint half = 0; half < 2; half++) {      /* of the sign and of the range */
    start ();
    for (guint i = 0; i < 100; i++, n++) {
      sent (MEDIA, (guint16) i, (int) i, RCC_SEC + i * 64 * RCC_MSEC);
      hear_twcc ((guint16) i, 1, (half ? wrap / 2 : wrap) - 50 * 64 * RCC_MSEC
          + i * 64 * RCC_MSEC, 0, 0, RCC_SEC);
      if (i)
        g_assert_cmpuint (notes.packets[0].arrived - last, ==, 64 * RCC_MSEC);
      last = notes.packets[0].arrived;
    }
    g_assert_cmpuint (notes.received, ==, 100);
  }
}

/* Set back by just under half the range again and again: jumps, never silence. */
static void
clocks_set_back_often_are_followed (void)
{
  const RccTime step = (RccTime) ((1 << 23) - 100) * 64 * RCC_MSEC;
  RccTime twcc = step * 20;
  guint32 stamp = 0;

  start ();
  for (guint i = 0; i < 20; i++, twcc -= step) {
    sent_many (MEDIA, 2 * i, 2, RCC_SEC, RCC_MSEC);
    hear_twcc ((guint16) (2 * i), 2, twcc, 10 * RCC_MSEC, 0, RCC_SEC);
    g_assert_cmpuint (notes.received, ==, 2 * (i + 1));
    g_assert_cmpuint (notes.packets[1].arrived - notes.packets[0].arrived, ==, 10 * RCC_MSEC);
  }
  start ();
  for (guint i = 0; i < 20; i++, stamp -= 0x7ffffff0) {
    sent_many (MEDIA, 2 * i, 2, RCC_SEC, RCC_MSEC);
    hear_ccfb (MEDIA, (guint16) (2 * i), 2, 125 * RCC_MSEC, stamp, RCC_SEC);
    g_assert_cmpuint (notes.received, ==, 2 * (i + 1));
    g_assert_cmpint (ABS ((gint64) (notes.packets[1].arrived - notes.packets[0].arrived)
            - 125 * (gint64) RCC_MSEC), <=, RCC_MSEC);
  }
}

/* NTP short wraps every 18.2 h. */
static void
ccfb_timestamp_wraps (void)
{
  RccTime last = 0;

  start ();
  for (guint i = 0; i < 100; i++) {
    sent (MEDIA, (guint16) i, -1, RCC_SEC + i * 100 * RCC_MSEC);
    hear_ccfb (MEDIA, (guint16) i, 1, 0, (guint32) -(gint32) SHORT (5) + i * SHORT (0.125),
        RCC_SEC);
    if (i)
      g_assert_cmpuint (notes.packets[0].arrived - last, ==, 125 * RCC_MSEC);
    last = notes.packets[0].arrived;
  }
  g_assert_cmpuint (notes.received, ==, 100);
}

/* C8: three SSRCs (one not ours) in one message come out as one stream. */
static void
ccfb_streams_are_sorted_by_departure (void)
{
  guint8 bytes[4096];
  gsize used;

  start ();
  for (guint i = 0; i < 100; i++)       /* audio and video in turn, 5 at an instant */
    sent (MEDIA + i % 2, (guint16) (1000 + i / 2), -1, RCC_SEC + i / 5 * 5 * RCC_MSEC);
  used = rcc_ccfb_begin (bytes, sizeof bytes, PEER);
  used = ccfb_block (bytes, sizeof bytes, used, MEDIA + 1, 1000, 50, 4 * RCC_MSEC);
  used = ccfb_block (bytes, sizeof bytes, used, 77, 1000, 50, 4 * RCC_MSEC);
  used = ccfb_block (bytes, sizeof bytes, used, MEDIA, 1000, 50, 4 * RCC_MSEC);
  hear (bytes, rcc_ccfb_end (bytes, sizeof bytes, used, SHORT (100)), 3 * RCC_SEC);
  g_assert_cmpuint (notes.feedbacks, ==, 1);
  g_assert_cmpuint (notes.n, ==, 100);
  g_assert_cmpuint (f.reports.ignored, ==, 1);
  for (guint i = 1; i < 100; i++) {
    g_assert_cmpuint (notes.packets[i].sent, >=, notes.packets[i - 1].sent);
    /* what left together stays in order of arrival */
    g_assert_cmpuint (notes.packets[i].arrived, >=, notes.packets[i - 1].arrived);
  }
}

/* C8: arrival offsets "over range" and "unavailable": it came, nobody knows when. */
static void
ccfb_without_an_arrival_time_is_no_loss (void)
{
  const RccCcfbReport reports[] = {
    { .received = true, .before = RCC_NEVER }, { .received = true, .before = 60 * RCC_SEC },
    { .received = true, .before = RCC_MSEC }, { .received = false },
    { .received = true, .before = RCC_MSEC, .ecn = RCC_ECN_CE },
    { .received = true, .before = RCC_MSEC, .ecn = RCC_ECN_ECT1 },
  };
  guint8 bytes[256];
  gsize used;

  start ();
  sent_many (MEDIA, 0, 10, RCC_SEC, RCC_MSEC);
  used = rcc_ccfb_begin (bytes, sizeof bytes, PEER);
  used = rcc_ccfb_add (bytes, sizeof bytes, used, MEDIA, 0, reports, G_N_ELEMENTS (reports));
  hear (bytes, rcc_ccfb_end (bytes, sizeof bytes, used, SHORT (100)), 3 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, 5);
  g_assert_cmpuint (notes.timed, ==, 3);
  g_assert_cmpuint (notes.lost, ==, 1);
  g_assert_cmphex (notes.packets[0].flags, ==, RCC_PACKET_RECEIVED);
  g_assert_cmphex (notes.packets[2].flags, ==, 0);
  g_assert_cmphex (notes.packets[4].flags, ==, RCC_PACKET_CE); /* RFC 8888 3.1 */
  g_assert_cmphex (notes.packets[5].flags, ==, 0);
}

/* One compound with a report, feedback and REMB: all told, the answers merged. */
static void
a_compound_is_told_in_order (void)
{
  const RccReportBlock block = { .ssrc = MEDIA, .highest_seq = 5 };
  const guint32 ssrc = MEDIA;
  guint8 bytes[512];
  RccUpdate u;
  gsize used, end;

  start ();
  sent_many (MEDIA, 0, 10, RCC_SEC, RCC_MSEC);
  used = rcc_rtcp_build_rr (bytes, sizeof bytes, PEER, &block, 1);
  used += rcc_rtcp_build_cname (bytes + used, sizeof bytes - used, PEER, "peer");
  used += rcc_remb_build (bytes + used, sizeof bytes - used, PEER, 1000000, &ssrc, 1);
  end = rcc_ccfb_begin (bytes + used, sizeof bytes - used, PEER);
  end = ccfb_block (bytes + used, sizeof bytes - used, end, MEDIA, 0, 10, RCC_MSEC);
  used += rcc_ccfb_end (bytes + used, sizeof bytes - used, end, SHORT (100));
  memset (bytes + used, 0, 5);          /* and 5 bytes that are nothing */
  u = hear (bytes, used + 5, 2 * RCC_SEC);
  g_assert_cmpuint (u.changed, ==, RCC_TARGET | RCC_PACING | RCC_PROBE);
  g_assert_cmpuint (notes.rtcps, ==, 1);
  g_assert_cmpuint (notes.rtcp.size, ==, used + 5);
  g_assert_cmpuint (notes.rtcp.n_reporters, ==, 1);
  g_assert_true (notes.rtcp.about_us);
  g_assert_cmpuint (u.target_bps, ==, 1);
  g_assert_cmpuint (u.pacing_bps, ==, 2);
  g_assert_cmpuint (notes.reports, ==, 1);
  g_assert_cmpuint (notes.rembs, ==, 1);
  g_assert_cmpuint (notes.received, ==, 10);
  g_assert_cmpuint (f.reports.truncated_bytes, ==, 5);
}

/* feedback-parser.c: news is free for the reporter that we listen to, and for no other. */
static void
twcc_of_our_reporter_tells_all_in_few_bytes (void)
{
  for (guint other = 0; other < 2; other++) {
    const RccTwcc head = { .sender_ssrc = PEER + other, .media_ssrc = MEDIA, .base_seq = 10 };
    guint8 bytes[400];
    guint done;
    gsize size;

    start ();
    sent_many (MEDIA, 0, 3000, RCC_SEC, 0);
    hear_twcc (0, 10, 500 * RCC_SEC, 0, 0, 2 * RCC_SEC);
    for (guint i = 0; i < 2000; i++)
      statuses[i] = (RccTwccStatus) { i == 1999, 500000000 };
    size = rcc_twcc_build (bytes, sizeof bytes, &head, statuses, 2000, &done);
    g_assert_cmpuint (done, ==, 2000);
    g_assert_cmpuint (size, <, 40);
    hear (bytes, size, 2 * RCC_SEC);
    g_assert_cmpuint (notes.lost, ==, other ? 0 : 1999);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/feedback-rtcp/" path, func)
  ADD ("a-receiver-report-is-told", a_receiver_report_is_told);
  ADD ("rtt-by-the-srs-that-left", rtt_by_the_srs_that_left);
  ADD ("remb-is-told-when-it-is-for-us", remb_is_told_when_it_is_for_us);
  ADD ("tmmbr-leaves-out-what-lies-below-rtp", tmmbr_leaves_out_what_lies_below_rtp);
  ADD ("tmmbr-is-answered-by-tmmbn", tmmbr_is_answered_by_tmmbn);
  ADD ("a-limit-for-another", a_limit_for_another_is_none_of_ours);
  ADD ("twcc-tells-all-of-a-run", twcc_tells_all_of_a_run);
  ADD ("twcc-is-told-packet-by-packet", twcc_is_told_packet_by_packet);
  ADD ("no-packet-is-counted-twice", no_packet_is_counted_twice);
  ADD ("unknown-packets-are-counted-only", unknown_packets_are_counted_only);
  ADD ("twcc-that-names-no-stream-is-a-reporters", twcc_that_names_no_stream_is_a_reporters);
  ADD ("a-remb-that-is-not-repeated-is-lifted", a_remb_that_is_not_repeated_is_lifted);
  ADD ("twcc-reference-wraps", twcc_reference_wraps);
  ADD ("clocks-set-back-often-are-followed", clocks_set_back_often_are_followed);
  ADD ("ccfb-timestamp-wraps", ccfb_timestamp_wraps);
  ADD ("ccfb-streams-are-sorted-by-departure", ccfb_streams_are_sorted_by_departure);
  ADD ("ccfb-without-an-arrival-time-is-no-loss", ccfb_without_an_arrival_time_is_no_loss);
  ADD ("a-compound-is-told-in-order", a_compound_is_told_in_order);
  ADD ("twcc-of-our-reporter", twcc_of_our_reporter_tells_all_in_few_bytes);
  return g_test_run ();
}
