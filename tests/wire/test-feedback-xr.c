/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "xr-rig.h"
#include "wire/feedback-xr.h"
#include "wire/xr-rtt.h"

/* Scratch of one compound. */
static void
assert_nothing_left (void)
{
  for (guint32 i = 0; i < f.history.log.live; i++) {
    const RccSentPacket *s = rcc_log_at (&f.history.log, rcc_log_first (&f.history.log) + i);

    g_assert_cmpuint (s->said, ==, 0);
  }
}

static void
loss_rle_alone_says_what_came (void)
{
  Seen seen;

  start ();
  seen = send (MEDIA, 90000, 65500, RCC_SEC, MS);
  seen.lost[5] = seen.lost[40] = TRUE;  /* before and after the wrap */
  begin ();
  say (&seen, LOSS);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, N);
  g_assert_cmpuint (notes.lost, ==, 2);
  g_assert_cmpuint (notes.timed, ==, 0);
  g_assert_true (notes.rtcp.about_us);
  for (guint i = 0; i < N; i++) {
    g_assert_cmpint (notes.packets[i].seq, ==, 65500 + i);
    g_assert_cmphex (notes.packets[i].flags, ==, seen.lost[i] ? 0 : RCC_PACKET_RECEIVED);
  }
  hear (out, used, 2 * RCC_SEC);        /* the same again */
  g_assert_cmpuint (notes.feedbacks, ==, 1);
  seen.lost[5] = FALSE;                 /* 4.1: "received after a report of a loss" */
  begin ();
  say (&seen, LOSS);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, 1);
  g_assert_cmpint (notes.packets[0].seq, ==, 65505);
  g_assert_cmphex (notes.packets[0].flags, ==, RCC_PACKET_RECEIVED | RCC_PACKET_MISSED);
}

/* Blocks in any order and in any number of packets of a compound say the same. */
static void
blocks_are_joined_whatever_their_order (void)
{
  static const guint kinds[] = { LOSS, LATE, EARLY, TIMES };

  for (guint order = 0; order < 24 * 2; order++) {
    guint left[4] = { LOSS, LATE, EARLY, TIMES }, o = order / 2;
    guint8 compound[6000];
    gsize size = 0;
    Seen seen;

    start ();
    rcc_feedback_clock_rate (&f, MEDIA, 90000);
    seen = send (MEDIA, 90000, 100, RCC_SEC, MS);
    seen.lost[3] = seen.late[7] = seen.early[9] = seen.late[11] = seen.early[11] = TRUE;
    begin ();
    for (guint k = G_N_ELEMENTS (kinds); k > 0; o /= k, k--) {
      const guint pick = o % k;

      say (&seen, left[pick]);
      left[pick] = left[k - 1];
      if (order & 1) {                  /* a packet for each block */
        memcpy (compound + size, out, used);
        size += used;
        begin ();
      }
    }
    if (!(order & 1)) {
      memcpy (compound, out, used);
      size = used;
    }
    hear (compound, size, 2 * RCC_SEC);
    g_assert_cmpuint (notes.feedbacks, ==, 1);
    g_assert_cmpuint (notes.n, ==, N);
    g_assert_cmpuint (notes.lost, ==, 1);
    g_assert_cmpuint (notes.timed, ==, N - 1);
    for (guint i = 0; i < N; i++) {
      const RccPacket *p = &notes.packets[i];

      g_assert_cmpint (p->seq, ==, 100 + i);
      /* 11: marked in both, so in neither; what was early was in time */
      g_assert_cmphex (p->flags, ==, i == 7 ? RCC_PACKET_LATE : 0);
      if (i != 3)
        g_assert_cmpint (ABS ((gint64) (p->arrived - notes.packets[0].arrived)
                - (gint64) (i * MS)), <=, 12 * (gint64) RCC_USEC);
    }
  }
}

/* Without Loss RLE: a discard proves that it came, early or late; no discard nothing. */
static void
discard_rle_alone_says_what_was_discarded (void)
{
  Seen seen;

  start ();
  seen = send (MEDIA, 90000, 100, RCC_SEC, MS);
  seen.late[7] = seen.early[9] = seen.late[11] = seen.early[11] = TRUE;
  begin ();
  say (&seen, LATE | EARLY);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, 2);
  g_assert_cmphex (notes.packets[0].flags, ==, RCC_PACKET_LATE | RCC_PACKET_RECEIVED);
  g_assert_cmphex (notes.packets[1].flags, ==, RCC_PACKET_RECEIVED);
  /* that nothing was discarded is not feedback, of nobody's packets */
  notes.n = 0;
  memset (seen.late, 0, sizeof seen.late);
  memset (seen.early, 0, sizeof seen.early);
  begin ();
  say (&seen, LATE | EARLY);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, 0);
  g_assert_cmpuint (f.reports.ignored, ==, 0);
  /* it was not received, and was discarded: it came */
  seen.lost[20] = seen.late[20] = seen.lost[21] = TRUE;
  begin ();
  say (&seen, LATE | LOSS);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.lost, ==, 1);
  g_assert_cmpint (notes.packets[19].seq, ==, 121);
}

static void
times_without_a_clock_rate_say_that_it_came (void)
{
  Seen seen;

  start ();
  seen = send (MEDIA, 90000, 0, RCC_SEC, MS);
  seen.lost[3] = TRUE;
  begin ();
  say (&seen, TIMES);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, N - 1);        /* of the other nobody spoke */
  g_assert_cmpuint (notes.timed, ==, 0);
  g_assert_cmpuint (notes.received, ==, N - 1);
}

/* Audio and video of one receiver, told as one stream on one clock. */
static void
streams_share_a_clock_and_are_sorted (void)
{
  Seen video = { .ssrc = MEDIA, .rate = 90000, .begin = 100 };
  Seen audio = { .ssrc = MEDIA + 1, .rate = 48000, .begin = 100 };

  start ();
  rcc_feedback_clock_rate (&f, MEDIA, 90000);
  rcc_feedback_clock_rate (&f, MEDIA + 1, 48000);
  for (guint i = 0; i < N; i++) {
    leave (&video, i, RCC_SEC + 2 * i * MS);
    leave (&audio, i, RCC_SEC + (2 * i + 1) * MS);
  }
  begin ();
  say (&audio, LOSS | TIMES);
  say (&video, TIMES | LOSS);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, 2 * N);
  g_assert_cmpuint (notes.timed, ==, 2 * N);
  for (guint i = 1; i < 2 * N; i++) {
    g_assert_cmphex (notes.packets[i].ssrc, ==, MEDIA + i % 2);
    g_assert_cmpint (ABS ((gint64) (notes.packets[i].arrived - notes.packets[i - 1].arrived)
            - (gint64) MS), <=, 35 * (gint64) RCC_USEC);
  }
}

/* C9: SSRCs that are not ours, numbers that were never sent or are forgotten. */
static void
strangers_and_the_unsent_are_counted (void)
{
  Seen seen = { .ssrc = MEDIA + 7, .rate = 90000 };

  start ();
  send (MEDIA, 90000, 0, RCC_SEC, MS);
  begin ();
  say (&seen, LOSS | LATE | TIMES);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (f.reports.ignored, ==, 3);
  g_assert_false (notes.rtcp.about_us);
  g_assert_false (f.reports.reporters.source.known);
  seen.ssrc = MEDIA;
  seen.begin = 40000;
  begin ();
  say (&seen, LOSS);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.feedbacks, ==, 0);
  g_assert_cmpuint (f.unknown_packets, ==, N);
  g_assert_cmpuint (f.reports.streams.n, ==, 1);
  /* and nobody is shut out by it: RFC 8888 is heard */
  hear_ccfb (MEDIA, 0, 10, MS, SHORT (100), 2 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, 10);
  begin ();                             /* which is followed from then on */
  seen.begin = 0;
  say (&seen, LOSS);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, 10);
  hear (out, used, 5 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, N);
}

/* Blocks that claim 65533 numbers each, as many as fit: the newest are believed, and what
 * is looked up has a bound. */
static void
long_ranges_are_bounded_work (void)
{
  guint8 compound[8 + 16000 / 20 * 20];
  gsize size = 8;

  start ();
  sent_many (MEDIA, 0, 2000, RCC_SEC, MS);
  rcc_xr_begin (compound, sizeof compound, PEER);
  while (size + 20 <= sizeof compound) {
    guint8 body[16];
    const RccXrBlock block = { RCC_XR_LOSS_RLE, 0, { body, sizeof body } };

    rcc_put32 (body, MEDIA);
    rcc_put16 (body + 4, (guint16) (2000 + 3));
    rcc_put16 (body + 6, 2000);
    for (guint i = 0; i < 4; i++)
      rcc_put16 (body + 8 + 2 * i, 0x7fff);
    size = rcc_xr_add (compound, sizeof compound, size, &block);
  }
  hear (compound, size, 5 * RCC_SEC);
  /* 4 x 16383 = 65532 of 65533 numbers: the last is not spoken of */
  g_assert_cmpuint (notes.received, ==, 2000 - 1);
  g_assert_cmpuint (f.unknown_packets, ==, 0);
  assert_nothing_left ();
}

/* ... as are many times, of which only the last 100 can be known. */
static void
long_lists_of_times_are_bounded_work (void)
{
  static guint8 compound[16000], body[8 + 4 * 3000];
  const RccXrBlock block = { RCC_XR_RECEIPT_TIMES, 0, { ALL (body) } };

  start ();
  sent_many (MEDIA, 2900, 100, RCC_SEC, MS);
  rcc_put32 (body, MEDIA);
  rcc_put16 (body + 4, 0);
  rcc_put16 (body + 6, 3000);
  for (guint i = 0; i < 3000; i++)
    rcc_put32 (body + 8 + 4 * i, 90 * i);
  hear (compound, rcc_xr_add (ALL (compound), rcc_xr_begin (ALL (compound), PEER), &block),
      2 * RCC_SEC);
  g_assert_cmpuint (notes.received, ==, 100);
  g_assert_cmpuint (f.unknown_packets, ==, 0);
  assert_nothing_left ();
}

static void
unsent_packets_are_not_told (void)
{
  Seen seen = { .ssrc = MEDIA, .rate = 90000 };

  start ();
  for (guint i = 0; i < N; i++) {
    const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) i };

    if (i % 4 == 0)
      rcc_feedback_unsent (&f, &rtp, RCC_SEC);
    else
      sent (MEDIA, (guint16) i, -1, RCC_SEC);
    seen.lost[i] = i % 4 == 0;
  }
  begin ();
  say (&seen, LOSS);
  hear (out, used, 2 * RCC_SEC);
  g_assert_cmpuint (notes.n, ==, N / 4 * 3);
  g_assert_cmpuint (notes.lost, ==, 0);
}

/* --- a round trip for the receiver ---------------------------------------- */

static void
hear_rrtr (guint32 ssrc, guint64 ntp, RccTime now)
{
  used = rcc_xr_begin (ALL (out), ssrc);
  used = rcc_xr_rrtr_add (ALL (out), used, ntp);
  hear (out, used, now);
}

static void
rrtr_is_answered_by_dlrr (void)
{
  const guint64 ntp = G_GUINT64_CONSTANT (0xe0001234567890ab);
  const RccRtcpReport sr = { .ssrc = MEDIA, .is_sr = true };
  RccSrs rrtrs = { .n = 0 };
  RccSrLog log;
  guint8 ours[32], answer[64];
  const RccBytes compound = { ours, rcc_rtcp_build_sr (ALL (ours), &sr, NULL, 0) };
  static const guint8 headless[] = { HEAD (0, RCC_RTCP_BYE, 0), RR };
  RccRtcpPacket packet;
  RccXrDlrr entry;
  RccXrBlock block;
  gsize size;
  RccXr xr;

  start ();
  sent_many (MEDIA, 0, 10, RCC_SEC, MS);
  g_assert_cmpuint (rcc_feedback_dlrr (&f, compound, RCC_SEC, ALL (answer)), ==, 0);
  rcc_sr_log_init (&log, g_realloc);
  rcc_srs_sent (&log, &rrtrs, rcc_ntp_middle (ntp), 7 * RCC_SEC);     /* its clock */
  for (guint i = 0; i < 9; i++)         /* of one receiver the last, of many the latest few */
    hear_rrtr (PEER + i % 6, i == 6 ? ntp : i + 1, 2 * RCC_SEC + i * MS);
  g_assert_cmpuint (rcc_feedback_dlrr (&f, compound, 3 * RCC_SEC, answer, 23), ==, 0);
  g_assert_cmpuint (rcc_feedback_dlrr (&f, (RccBytes) { ours, 3 }, 3 * RCC_SEC,
          ALL (answer)), ==, 0);
  g_assert_cmpuint (rcc_feedback_dlrr (&f, (RccBytes) { ALL (headless) }, 3 * RCC_SEC,
          ALL (answer)), ==, 0);
  size = rcc_feedback_dlrr (&f, compound, 2 * RCC_SEC + 506 * MS, ALL (answer));
  g_assert_cmpuint (size, ==, 8 + 4 + 12);      /* those of NTP 0..9 have no middle bits */
  packet = only_packet (answer, size);
  g_assert_true (rcc_xr_parse (&packet, &xr) && rcc_xr_next (&xr.blocks, &block));
  g_assert_cmphex (xr.ssrc, ==, MEDIA);
  g_assert_cmpuint (block.type, ==, RCC_XR_DLRR);
  g_assert_true (rcc_xr_dlrr_next (&block.body, &entry));
  g_assert_cmphex (entry.ssrc, ==, PEER);
  g_assert_cmpuint (entry.dlrr, ==, 32768);
  g_assert_cmpuint (rcc_xr_rtt (&log, &rrtrs, &entry, 7 * RCC_SEC + 580 * MS), ==, 80 * MS);
  g_assert_cmpuint (rcc_feedback_dlrr (&f, compound, 3 * RCC_SEC, ALL (answer)), ==, 0);
  for (guint i = 0; i < 9; i++)
    hear_rrtr (PEER + i % 6, ntp + ((guint64) i << 16), 4 * RCC_SEC);
  size = rcc_feedback_dlrr (&f, compound, 4 * RCC_SEC, ALL (answer));
  g_assert_cmpuint (size, ==, 12 + 12 * RCC_FEEDBACK_RRTRS);
  packet = only_packet (answer, size);
  rcc_xr_parse (&packet, &xr);
  rcc_xr_next (&xr.blocks, &block);
  for (guint i = 5; i < 9; i++) {
    g_assert_true (rcc_xr_dlrr_next (&block.body, &entry));
    g_assert_cmphex (entry.ssrc, ==, PEER + i % 6);
    g_assert_cmphex (entry.lrr, ==, rcc_ntp_middle (ntp) + i);
  }
  rcc_log_clear (&log);
}

/* Mutated compounds: within bounds, nothing left written down, no over-read. */
static void
hostile_compounds (void)
{
  RccRng r;

  rcc_rng_init (&r, SEED, 82);
  start ();
  rcc_feedback_clock_rate (&f, MEDIA, 90000);
  for (guint i = 0; i < 20000; i++) {
    Seen seen = send (MEDIA + i % 3, 90000, (guint16) (i * N), RCC_SEC + i * 100 * MS, MS);
    guint8 *heap;

    for (guint k = 0; k < N; k++) {
      seen.lost[k] = rcc_rng_u32 (&r) % 10 == 0;
      seen.late[k] = rcc_rng_u32 (&r) % 10 == 0;
    }
    begin ();
    say (&seen, rcc_rng_u32 (&r) % 16);
    for (guint k = rcc_rng_u32 (&r) % 4; k; k--)
      out[8 + rcc_rng_u32 (&r) % RCC_MAX (used - 8, 1)] = (guint8) rcc_rng_u32 (&r);
    heap = g_memdup2 (out, used);
    hear (heap, used, RCC_SEC + i * 100 * MS + 200 * MS);
    g_free (heap);
    g_assert_cmpuint (f.reports.streams.n, <=, 3);
    g_assert_cmpuint (f.xr.n_rrtrs, <=, RCC_FEEDBACK_RRTRS);
  }
  assert_nothing_left ();
  g_assert_cmpuint (notes.feedbacks, >, 10000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/feedback-xr/" path, func)
  ADD ("loss-rle-alone-says-what-came", loss_rle_alone_says_what_came);
  ADD ("blocks-are-joined-whatever-their-order", blocks_are_joined_whatever_their_order);
  ADD ("discard-rle-alone-says-what-was-discarded", discard_rle_alone_says_what_was_discarded);
  ADD ("times-without-a-clock-rate-say-that-it-came",
      times_without_a_clock_rate_say_that_it_came);
  ADD ("streams-share-a-clock-and-are-sorted", streams_share_a_clock_and_are_sorted);
  ADD ("strangers-and-the-unsent-are-counted", strangers_and_the_unsent_are_counted);
  ADD ("long-ranges-are-bounded-work", long_ranges_are_bounded_work);
  ADD ("long-lists-of-times-are-bounded-work", long_lists_of_times_are_bounded_work);
  ADD ("unsent-packets-are-not-told", unsent_packets_are_not_told);
  ADD ("rrtr-is-answered-by-dlrr", rrtr_is_answered_by_dlrr);
  ADD ("hostile-compounds", hostile_compounds);
  return g_test_run ();
}
