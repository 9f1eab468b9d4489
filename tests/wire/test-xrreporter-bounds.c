/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * How much one report tells, what it gives up, and where in a compound an answer may stand.
 */
#include <math.h>
#include "wire-test.h"
#include "wire/xr-rtt.h"
#include "wire/xrreporter.h"

#define MS RCC_MSEC
#define OURS 0x11111111u
#define MEDIA 0xaaaa0000u
#define MTU 1372
#define NOW (100 * RCC_SEC)

static RccXrReporter r;
static guint8 out[MTU];

static void
start (void)
{
  rcc_xr_reporter_clear (&r);           /* of the test before */
  memset (&r, 0xa5, sizeof r);
  rcc_xr_reporter_init (&r, OURS, g_realloc);
  r.clock_rate = 90000;
  r.times = true;
}

/* Numbers @from to @upto of a stream, all at once. */
static void
come (guint32 ssrc, guint from, guint upto)
{
  for (guint i = from; i <= upto; i++) {
    const RccRtp rtp = { .ssrc = ssrc, .seq = (guint16) i };

    rcc_xr_reporter_packet (&r, &rtp, false, NOW);
  }
}

static gsize
report (void)
{
  return rcc_xr_reporter_compound (&r, NOW, MTU, ALL (out));
}

static void
report_all (void)
{
  for (guint i = 0; i < 100 && rcc_xr_reporter_pending (&r); i++)
    report ();
  g_assert_false (rcc_xr_reporter_pending (&r));
}

/* 2048 numbers, of all streams together: the next report tells the rest. */
static void
a_report_tells_so_much_and_no_more (void)
{
  static const guint counts[][2] = { { 2048, 0 }, { 2049, 0 }, { 5000, 0 }, { 2048, 1 },
    { 2047, 1 }, { 2047, 2 }, { 1000, 3000 } };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    const guint all = counts[i][0] + counts[i][1];

    start ();
    come (MEDIA, 1, counts[i][0]);
    come (MEDIA + 1, 1, counts[i][1]);
    for (guint told = 0; told < all;) {
      told = MIN (all, told + 2048);
      g_assert_cmpuint (report (), >, 0);
      g_assert_cmpuint (r.reported_received, ==, told);
    }
    g_assert_false (rcc_xr_reporter_pending (&r));
    g_assert_cmpuint (report (), ==, 0);
  }
}

/* Each of as many streams as there are, with the first one's news alone filling a report. */
static void
many_streams_do_not_add_to_a_report (void)
{
  start ();
  come (MEDIA, 1, 2048);
  for (guint i = 1; i < RCC_SSRCS; i++)
    come (MEDIA + i, 1, 1);
  report ();
  g_assert_cmpuint (r.reported_received, ==, 2048);
  report_all ();
  g_assert_cmpuint (r.reported_received, ==, 2048 + RCC_SSRCS - 1);
}

/* RFC 3611 4.1: no block spans so much.  What came is told or counted, once. */
static void
what_came_is_told_or_given_up (void)
{
  for (guint beyond = 0; beyond <= 120; beyond += 40) {
    start ();
    come (MEDIA, 0, 99);
    come (MEDIA, 30000, 30000);
    come (MEDIA, 60000 + beyond, 60000 + beyond);
    report_all ();
    g_assert_cmpuint (r.arrivals.unreported, ==, MIN (beyond, 100));
    g_assert_cmpuint (r.reported_received, ==, 102 - MIN (beyond, 100));
    report ();
    g_assert_cmpuint (r.reported_received, ==, 102 - MIN (beyond, 100));
  }
}

/* RFC 3611 4.5: behind other blocks, after an answer to somebody else, and in a packet of
 * its own. */
static void
an_answer_is_found_wherever_it_stands (void)
{
  for (guint i = 0; i < 4; i++) {
    RccXrDlrr ours = { .ssrc = OURS }, theirs = { OURS + 1, 7, 8 };
    guint8 bytes[200];
    gsize n, used;

    start ();
    come (MEDIA, 1, 10);
    report ();
    ours.lrr = rcc_ntp_middle (rcc_ns_to_ntp (r.rrtr_sent));
    ours.dlrr = 65536 / 4;
    n = rcc_rtcp_build_rr (bytes, sizeof bytes, 0x99, NULL, 0);
    used = rcc_xr_begin (bytes + n, sizeof bytes - n, 0x99);
    if (i > 0)
      used = rcc_xr_rrtr_add (bytes + n, sizeof bytes - n, used, 77);
    if (i > 1)
      used = rcc_xr_dlrr_add (bytes + n, sizeof bytes - n, used, &theirs, 1);
    if (i > 2) {
      n += used;
      used = rcc_xr_begin (bytes + n, sizeof bytes - n, 0x99);
    }
    n += rcc_xr_dlrr_add (bytes + n, sizeof bytes - n, used, &ours, 1);
    g_assert_true (rcc_xr_reporter_rtcp (&r, (RccBytes) { bytes, n }, NOW + 295 * MS));
    g_assert_cmpfloat (fabs ((double) r.rtt.last - 45e6), <, 1e5);
    g_assert_cmpuint (r.rtt.samples, ==, 1);
  }
}

/* What is echoed is an SR: an RR of ours is none. */
static void
an_rr_is_not_remembered (void)
{
  const RccRtcpReport sr = { .ssrc = OURS, .is_sr = true, .ntp = UINT64_C (0x123456789abcdef0) };
  guint8 bytes[100];

  start ();
  rcc_xr_reporter_rtcp_passed (&r, (RccBytes) { bytes,
          rcc_rtcp_build_rr (bytes, sizeof bytes, OURS, NULL, 0) }, NOW);
  g_assert_cmpuint (r.srs.n, ==, 0);
  rcc_xr_reporter_rtcp_passed (&r, (RccBytes) { bytes,
          rcc_rtcp_build_sr (bytes, sizeof bytes, &sr, NULL, 0) }, NOW);
  g_assert_cmpuint (r.srs.n, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/xrreporter-bounds/" name, func)
  ADD ("an-rr-is-not-remembered", an_rr_is_not_remembered);
  ADD ("so-much-and-no-more", a_report_tells_so_much_and_no_more);
  ADD ("many-streams", many_streams_do_not_add_to_a_report);
  ADD ("told-or-given-up", what_came_is_told_or_given_up);
  ADD ("an-answer-anywhere", an_answer_is_found_wherever_it_stands);
  return g_test_run ();
}
