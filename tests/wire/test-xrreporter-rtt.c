/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The round trip that RccXrReporter learns, and its own times (RFC 3611 4.4 and 4.5).
 */
#include <math.h>
#include "xrreporter-rig.h"

/* RRTR there, DLRR back: the sender's own answer. */
static void
the_round_trip_is_learnt (void)
{
  guint8 answer[400];
  gsize n;

  start ();
  for (guint i = 0; i < 5; i++) {
    send_many (&media, 10, true);
    now += RCC_SEC;
    report (MTU);
    n = rcc_rtcp_build_rr (answer, sizeof answer, 0x99, NULL, 0);
    now += 300 * MS;                    /* which the sender has had it for */
    n += rcc_feedback_answer (&f, (RccBytes) { answer, n }, now, answer + n,
        sizeof answer - n);
    g_assert_cmpuint (n, >, 8);
    now += 45 * MS;
    g_assert_true (rcc_xr_reporter_rtcp (&r, (RccBytes) { answer, n }, now + CLOCK));
    g_assert_cmpfloat (fabs ((double) r.rtt.last - 45e6), <, 1e5);
  }
  g_assert_cmpuint (r.rtt.samples, ==, 5);
  g_assert_cmpuint (r.rtt.refused, ==, 0);
}

static gsize
dlrr (guint8 *bytes, gsize size, guint32 about, guint32 lrr, guint32 held)
{
  const RccXrDlrr entry = { about, lrr, held };
  const gsize n = rcc_rtcp_build_rr (bytes, size, 0x99, NULL, 0);

  return n + rcc_xr_dlrr_add (bytes + n, size - n, rcc_xr_begin (bytes + n, size - n, 0x99),
      &entry, 1);
}

static void
forged_answers_are_refused (void)
{
  guint8 bytes[100];
  guint32 lrr;
  gsize n;

  start ();
  send_many (&media, 10, true);
  report (MTU);
  lrr = rcc_ntp_middle (rcc_ns_to_ntp (r.rrtr_sent));
  now += 100 * MS;
  n = dlrr (bytes, sizeof bytes, OURS + 1, lrr, 0);     /* another's */
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK));
  n = dlrr (bytes, sizeof bytes, OURS, 0, 0);           /* heard none */
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK));
  g_assert_cmpuint (r.rtt.refused, ==, 0);
  n = dlrr (bytes, sizeof bytes, OURS, lrr + 1, 0);     /* never was */
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK));
  n = dlrr (bytes, sizeof bytes, OURS, lrr, 65536);     /* held for longer than it exists */
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK));
  g_assert_cmpuint (r.rtt.refused, ==, 2);
  g_assert_cmpuint (r.rtt.samples, ==, 0);
}

/* Where we send, too, report blocks about our SRs tell as well. */
static void
our_own_srs_tell_the_round_trip (void)
{
  const RccRtcpReport sr = { .ssrc = 0x77, .is_sr = true, .ntp = UINT64_C (0x123456789abcdef0) };
  const RccReportBlock block = { .ssrc = 0x77, .lsr = 0x56789abc, .dlsr = 6554 };
  guint8 bytes[100];
  gsize n;

  start ();
  n = rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0);
  rcc_xr_reporter_rtcp_passed (&r, (RccBytes) { bytes, n }, now + CLOCK);
  g_assert_cmpuint (r.source.ssrc, ==, 0x77);
  n = rcc_rtcp_build_rr (bytes, sizeof bytes, 0x99, &block, 1);
  g_assert_true (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK + 180 * MS));
  g_assert_cmpfloat (fabs ((double) r.rtt.last - 80e6), <, 1e5);
}

/* Each of them, wherever it stands in its compound. */
static void
each_of_our_srs_is_known (void)
{
  guint8 bytes[200];
  gsize n = 0;

  start ();
  for (guint i = 0; i < 3; i++) {
    const RccRtcpReport sr = { .ssrc = 0x77, .is_sr = true, .ntp = UINT64_C (0x10000) * (5 + i) };

    n = rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0);
    n += rcc_rtcp_build_cname (bytes + n, sizeof bytes - n, 0x77, "we");
    n += rcc_rtcp_build_rr (bytes + n, sizeof bytes - n, 0x77, NULL, 0);
    rcc_xr_reporter_rtcp_passed (&r, (RccBytes) { bytes, n }, now + CLOCK + i * 10 * MS);
  }
  for (guint i = 0; i < 3; i++) {
    const RccReportBlock block = { .ssrc = 0x77, .lsr = 5 + i };

    n = rcc_rtcp_build_rr (bytes, sizeof bytes, 0x99, &block, 1);
    g_assert_true (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK + 80 * MS));
    g_assert_cmpfloat (fabs ((double) r.rtt.last - (80e6 - i * 10e6)), <, 1e5);
  }
  g_assert_cmpuint (r.rtt.samples, ==, 3);
  g_assert_cmpuint (r.rtt.refused, ==, 0);
}

static void
hostile_rtcp (void)
{
  start ();
  send_many (&media, 10, true);
  report (MTU);
  for (guint i = 0; i < 300000; i++) {
    guint8 bytes[100], *heap;
    gsize size = dlrr (bytes, sizeof bytes, OURS,
        rcc_ntp_middle (rcc_ns_to_ntp (r.rrtr_sent)), rcc_rng_u32 (&rng));

    for (guint k = rcc_rng_u32 (&rng) % 4; k; k--)
      bytes[rcc_rng_u32 (&rng) % size] = (guint8) rcc_rng_u32 (&rng);
    size -= rcc_rng_u32 (&rng) % 8 == 0 ? rcc_rng_u32 (&rng) % size : 0;
    heap = g_memdup2 (bytes, size);     /* its own block: an over-read shows */
    rcc_xr_reporter_rtcp (&r, (RccBytes) { heap, size }, now + CLOCK);
    g_free (heap);
    g_assert_true (r.rtt.last == RCC_NEVER || r.rtt.last <= RCC_RTT_MAX);
  }
}

/* With nothing to tell yet there is no packet for our own time's sake. */
static void
a_reference_alone_is_not_sent (void)
{
  start ();
  send_many (&media, 10, true);
  report (MTU);
  now += 2 * RCC_SEC;
  send_many (&media, 1, false);
  send_many (&media, 1, true);
  g_assert_true (rcc_xr_reporter_pending (&r));
  g_assert_cmpuint (report (MTU), ==, 0);       /* the hole may yet be filled */
  g_assert_cmpuint (report (MTU), >, 0);
  g_assert_cmpuint (reported_in_all, ==, 12);
}

/* Where we have sent SRs, an echo of none of them is no round trip. */
static void
an_echo_of_no_sr_of_ours_is_refused (void)
{
  const RccRtcpReport sr = { .ssrc = 0x77, .is_sr = true, .ntp = UINT64_C (0x123456789abcdef0) };
  const RccReportBlock block = { .ssrc = 0x77, .lsr = 0x56789abd, .dlsr = 6554 };
  guint8 bytes[100];
  gsize n;

  start ();
  n = rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0);
  rcc_xr_reporter_rtcp_passed (&r, (RccBytes) { bytes, n }, now + CLOCK);
  n = rcc_rtcp_build_rr (bytes, sizeof bytes, 0x99, &block, 1);
  g_assert_false (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK + 180 * MS));
  g_assert_cmpuint (r.rtt.samples, ==, 0);
  g_assert_cmpuint (r.rtt.refused, ==, 1);
}

/* RFC 3611 4.4, now and then: with the first report, then no sooner than after a second. */
static void
reference_times_are_a_second_apart (void)
{
  RccTime first[2] = { 50 * MS, 100 * RCC_SEC };

  for (guint i = 0; i < G_N_ELEMENTS (first); i++) {
    RccTime last = RCC_NEVER;
    guint n = 0;

    start ();
    for (RccTime at = first[i]; at < first[i] + 10 * RCC_SEC; at += 300 * MS) {
      const RccRtp rtp = { .ssrc = MEDIA, .seq = (guint16) (at / (300 * MS)) };
      bool any = false;
      gsize size;
      RccBytes rest;
      RccRtcpPacket p;
      RccXr xr;
      RccXrBlock block;
      guint64 ntp;

      rcc_xr_reporter_packet (&r, &rtp, false, at);
      size = rcc_xr_reporter_compound (&r, at, budget, out, sizeof out);
      rest = (RccBytes) { out, size };
      while (rcc_rtcp_next (&rest, &p))
        if (rcc_xr_parse (&p, &xr))
          while (rcc_xr_next (&xr.blocks, &block))
            any |= rcc_xr_rrtr_parse (&block, &ntp);
      if (last == RCC_NEVER)
        g_assert_cmpint (any, ==, at == first[i]);
      else
        g_assert_cmpint (any, ==, at >= last + RCC_SEC);
      last = any ? at : last;
      n += any;
    }
    g_assert_cmpuint (n, ==, 9);
  }
}

/* Of a type that nobody knows, though it reads like an answer to our reference time. */
static void
another_block_is_no_answer (void)
{
  guint8 bytes[100];
  gsize n;

  for (guint i = 0; i < 2; i++) {
    start ();
    send_many (&media, 10, true);
    report (MTU);
    n = dlrr (bytes, sizeof bytes, OURS, rcc_ntp_middle (rcc_ns_to_ntp (r.rrtr_sent)), 0);
    g_assert_cmpuint (bytes[16], ==, RCC_XR_DLRR);      /* behind an RR and the XR's header */
    bytes[16] = i ? 200 : RCC_XR_DLRR;
    now += 100 * MS;
    g_assert_cmpint (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, now + CLOCK), ==, i == 0);
    g_assert_cmpuint (r.rtt.samples, ==, i == 0);
    g_assert_cmpuint (r.rtt.refused, ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/xrreporter/" name, func)
  ADD ("reference-times", reference_times_are_a_second_apart);
  ADD ("round-trip", the_round_trip_is_learnt);
  ADD ("forged-answers", forged_answers_are_refused);
  ADD ("own-srs", our_own_srs_tell_the_round_trip);
  ADD ("hostile-rtcp", hostile_rtcp);
  ADD ("each-own-sr", each_of_our_srs_is_known);
  ADD ("reference-alone", a_reference_alone_is_not_sent);
  ADD ("echo-of-none", an_echo_of_no_sr_of_ours_is_refused);
  ADD ("another-block", another_block_is_no_answer);
  return g_test_run ();
}
