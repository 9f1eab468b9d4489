/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "feedback-rig.h"
#include "wire/xr-rtt.h"

static void
unsent_packets_are_not_lost (void)
{
  start ();
  for (guint i = 0; i < 200; i++) {
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) i };

    if (i >= 100 && i % 4 == 0)
      rcc_feedback_unsent (&f, &rtp, RCC_SEC);
    else
      sent (MEDIA, (guint16) i, -1, RCC_SEC);
  }
  hear_loss (99, 0, 7, 2 * RCC_SEC);
  /* the receiver misses 25 of 100, all of which we held back */
  hear_loss (199, 64, 32, 3 * RCC_SEC);
  g_assert_cmpuint (notes.report.expected, ==, 100);
  g_assert_cmpfloat (notes.report.fraction_lost, ==, 0);
  /* by RFC 8888: told about the others only */
  hear_ccfb (MEDIA, 100, 100, RCC_MSEC, SHORT (100), 4 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, 75);
}

static void
half_of_the_loss_was_ours (void)
{
  start ();
  for (guint i = 0; i < 200; i++) {
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) i };

    if (i >= 100 && i % 8 == 0)
      rcc_feedback_unsent (&f, &rtp, RCC_SEC);
    else
      sent (MEDIA, (guint16) i, -1, RCC_SEC);
  }
  hear_loss (99, 0, 7, 2 * RCC_SEC);
  hear_loss (199, 64, 32, 3 * RCC_SEC);
  g_assert_cmpfloat_with_epsilon (notes.report.fraction_lost, 0.25 - 0.12, 0.001);
}

/* The span of a report begins where the last one's ended, in packets that are forgotten. */
static void
unsent_packets_of_a_long_span_are_not_lost (void)
{
  start ();
  sent_many (MEDIA, 0, 100, RCC_SEC, RCC_MSEC);
  hear_loss (99, 0, 7, 2 * RCC_SEC);
  for (guint i = 100; i < 900; i++) {
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) i };

    if (i < 200 && i % 4 == 0)
      rcc_feedback_unsent (&f, &rtp, 10 * RCC_SEC);
    else
      sent (MEDIA, (guint16) i, -1, 10 * RCC_SEC);
  }
  g_assert_null (rcc_history_find (&f.history, MEDIA, 99));
  hear_loss (199, 64, 32, 11 * RCC_SEC);
  g_assert_cmpuint (notes.report.expected, ==, 100);
  g_assert_cmpfloat (notes.report.fraction_lost, ==, 0);
}

static void
a_stream_that_fell_silent_makes_room (void)
{
  start ();
  for (guint round = 0; round < 10; round++)
    for (guint s = 0; s < RCC_REPORTS_STREAMS; s++)
      if (s != 2 || round < 5)
        sent (MEDIA + s, (guint16) round, -1, RCC_SEC + round * RCC_SEC + s);
  sent (MEDIA + RCC_REPORTS_STREAMS, 0, -1, 20 * RCC_SEC);
  for (guint s = 0; s < RCC_REPORTS_STREAMS; s++)
    hear_rr (MEDIA + s, 3, 0, 0, 0, 21 * RCC_SEC);
  hear_rr (MEDIA + RCC_REPORTS_STREAMS, 0, 0, 0, 0, 21 * RCC_SEC);
  g_assert_cmpuint (notes.reports, ==, RCC_REPORTS_STREAMS);
  g_assert_cmpuint (f.reports.ignored, ==, 1);
  hear_rr (MEDIA + 2, 3, 0, 0, 0, 22 * RCC_SEC);        /* it was that one */
  g_assert_cmpuint (f.reports.ignored, ==, 2);
  g_assert_cmpuint (f.reports.streams.n, ==, RCC_REPORTS_STREAMS);
}

/* What feedback tells of a packet has its SSRC and timestamp too. */
static void
packets_keep_their_names (void)
{
  start ();
  for (guint i = 0; i < 10; i++) {
    const RccRtp rtp = { .ssrc = MEDIA + i % 2, .seq = (guint16) i, .timestamp = 9000 + i };

    rcc_feedback_sent (&f, &rtp, (int) i,
        &(RccPacket) { .size = 1200, .sent = RCC_SEC + i * RCC_MSEC });
  }
  hear_twcc (0, 10, 500 * RCC_SEC, RCC_MSEC, 0, 3 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, 10);
  for (guint i = 0; i < 10; i++) {
    g_assert_cmphex (notes.packets[i].ssrc, ==, MEDIA + i % 2);
    g_assert_cmpuint (notes.packets[i].timestamp, ==, 9000 + i);
  }
}

/* What we held back can be more than what is missing: copies make up for losses there. */
static void
no_loss_is_less_than_none (void)
{
  start ();
  for (guint i = 0; i < 200; i++) {
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) i };

    if (i >= 100 && i % 4 == 0)
      rcc_feedback_unsent (&f, &rtp, RCC_SEC);
    else
      sent (MEDIA, (guint16) i, -1, RCC_SEC);
  }
  hear_loss (99, 0, 7, 2 * RCC_SEC);
  hear_loss (199, 3, 9, 3 * RCC_SEC);
  g_assert_cmpfloat (notes.report.fraction_lost, ==, 0);
  hear_loss (199, 0, 9, 4 * RCC_SEC);
  g_assert_cmpfloat (notes.report.fraction_lost, ==, 0);
}

/* A clock that is set back to its first moment says a time, too. */
static void
a_clock_may_stand_at_its_zero (void)
{
  static const guint64 references[] = { 0, 0xa00000, 0x400000, 0 };

  start ();
  sent_many (MEDIA, 0, 4, RCC_SEC, RCC_MSEC);
  for (guint i = 0; i < 4; i++) {
    hear_twcc ((guint16) i, 1, references[i] * 64 * RCC_MSEC, 0, 0,
        RCC_SEC + (50 + i) * RCC_MSEC);
    g_assert_cmpuint (notes.received, ==, i + 1);
    g_assert_cmpuint (notes.timed, ==, i + 1);
  }
}

/* TMMBN and DLRR, whichever has room, and no byte more. */
static void
answers_as_far_as_there_is_room (void)
{
  const RccRtcpReport sr = { .ssrc = MEDIA, .is_sr = true };
  RccTmmbrEntry entry = { .ssrc = MEDIA, .bps = 1000000, .overhead = 40 };

  for (gsize room = 0; room <= 60; room++) {
    guint8 bytes[64], ours[32], out[64];
    const RccBytes compound = { ours, rcc_rtcp_build_sr (ours, sizeof ours, &sr, NULL, 0) };
    const gsize expected = room >= 44 ? 44 : room >= 20 ? 20 : 0;
    gsize size;

    start ();
    sent_many (MEDIA, 0, 10, RCC_SEC, 10 * RCC_MSEC);
    hear_rr (MEDIA, 9, 0, 0, 0, 2 * RCC_SEC);
    hear (bytes, rcc_tmmbr_build (bytes, sizeof bytes, PEER, false, &entry, 1), 3 * RCC_SEC);
    size = rcc_xr_begin (bytes, sizeof bytes, PEER);
    hear (bytes, rcc_xr_rrtr_add (bytes, sizeof bytes, size,
            G_GUINT64_CONSTANT (77) << 32), 3 * RCC_SEC);
    memset (out, 0xa5, sizeof out);
    g_assert_cmpuint (rcc_feedback_answer (&f, compound, 4 * RCC_SEC, out, room), ==, expected);
    for (gsize i = room; i < sizeof out; i++)
      g_assert_cmpuint (out[i], ==, 0xa5);
  }
}

/* Where the media SSRC is nobody's, it is for us from who has shown that packets reach it. */
static void
a_source_is_known_by_its_ssrc (void)
{
  guint8 bytes[64];
  guint done;

  start ();
  sent_many (MEDIA, 0, 20, RCC_SEC, RCC_MSEC);
  hear_twcc (0, 5, RCC_SEC, RCC_MSEC, 0, RCC_SEC + 50 * RCC_MSEC);
  g_assert_cmpuint (notes.feedbacks, ==, 1);
  for (guint i = 0; i < 2; i++) {
    /* the stranger differs from it in the high bytes alone */
    const RccTwcc head = { .sender_ssrc = i == 0 ? PEER ^ 0x11110000u : PEER, .base_seq = 5 };

    statuses[0] = (RccTwccStatus) { true, 1006000 };
    hear (bytes, rcc_twcc_build (bytes, sizeof bytes, &head, statuses, 1, &done),
        RCC_SEC + 60 * RCC_MSEC);
    g_assert_cmpuint (notes.feedbacks, ==, 1 + i);
  }
}

/* seq is in the feedback's numbering (rcc.h): transport-wide, or the stream's. */
static void
numbers_are_those_of_the_feedback (void)
{
  start ();
  for (guint i = 0; i < 20; i++)
    sent (MEDIA + i % 2, (guint16) (100 + i / 2), 5000 + (int) i, RCC_SEC + i * RCC_MSEC);
  hear_twcc (5000, 10, RCC_SEC, RCC_MSEC, 0, RCC_SEC + 50 * RCC_MSEC);
  g_assert_cmpuint (notes.n, ==, 10);
  for (guint i = 0; i < 10; i++) {
    g_assert_cmpuint ((guint16) notes.packets[i].seq, ==, 5000 + i);
    g_assert_cmpuint (notes.packets[i].ssrc, ==, MEDIA + i % 2);
  }
  hear_ccfb (MEDIA, 105, 5, RCC_MSEC, SHORT (2), 4 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpuint ((guint16) notes.packets[i].seq, ==, 105 + i);
}

/* By departure, however few are out of order. */
static void
two_streams_of_two_are_sorted (void)
{
  guint8 bytes[256];
  gsize used = rcc_ccfb_begin (bytes, sizeof bytes, PEER);

  start ();
  for (guint i = 0; i < 4; i++)
    sent (MEDIA + i % 2, (guint16) (i / 2), -1, RCC_SEC + i * RCC_MSEC);
  for (guint i = 0; i < 2; i++)
    used = ccfb_block (bytes, sizeof bytes, used, MEDIA + i, 0, 2, 2 * RCC_MSEC);
  hear (bytes, rcc_ccfb_end (bytes, sizeof bytes, used, SHORT (2)), 2 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (notes.packets[i].sent, ==, RCC_SEC + i * RCC_MSEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/feedback/" path, func)
  ADD ("unsent-packets-are-not-lost", unsent_packets_are_not_lost);
  ADD ("unsent-packets-of-a-long-span", unsent_packets_of_a_long_span_are_not_lost);
  ADD ("half-of-the-loss-was-ours", half_of_the_loss_was_ours);
  ADD ("a-stream-that-fell-silent-makes-room", a_stream_that_fell_silent_makes_room);
  ADD ("packets-keep-their-names", packets_keep_their_names);
  ADD ("no-loss-is-less-than-none", no_loss_is_less_than_none);
  ADD ("a-clock-may-stand-at-its-zero", a_clock_may_stand_at_its_zero);
  ADD ("answers-as-far-as-there-is-room", answers_as_far_as_there_is_room);
  ADD ("a-source-is-known-by-its-ssrc", a_source_is_known_by_its_ssrc);
  ADD ("numbers-are-those-of-the-feedback", numbers_are_those_of_the_feedback);
  ADD ("two-streams-of-two-are-sorted", two_streams_of_two_are_sorted);
  return g_test_run ();
}
