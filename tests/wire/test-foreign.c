/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-foreign.c - RTCP of others, read and written again
 *
 * The bytes are data from the tests of pion/rtcp (github.com/pion/rtcp, MIT) and aiortc
 * (github.com/aiortc/aiortc, BSD): what those read and write.  pion's first REMB was recorded from
 * Chrome.  Theirs of transport-wide feedback leave the encoder a choice, so what is said is
 * compared; REMB and RFC 8888 have one form.
 */
#include "wire-test.h"
#include "twcc-statuses.h"
#include "wire/ccfb.h"
#include "wire/remb.h"

/* --- REMB ----------------------------------------------------------------- */

static const guint8 remb_pion[] = { 143, 206, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 'R', 'E', 'M', 'B',
  1, 26, 32, 223, 72, 116, 237, 22 };
/* aiortc has the part from REMB on. */
static const guint8 remb_aiortc[] = { 143, 206, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 'R', 'E', 'M', 'B',
  0x01, 0x13, 0xf7, 0xa0, 0x96, 0xbe, 0x96, 0xcf };

static void
check_remb (const guint8 *data, gsize size, guint64 bps, guint32 ssrc)
{
  const RccRtcpPacket packet = only_packet (data, size);
  guint8 again[100];
  RccRemb remb;

  g_assert_true (rcc_remb_parse (&packet, &remb));
  g_assert_cmpuint (remb.sender_ssrc, ==, 1);
  g_assert_cmpuint (remb.bps, ==, bps);
  g_assert_cmpuint (remb.n_ssrcs, ==, 1);
  g_assert_cmpuint (rcc_remb_ssrc (&remb, 0), ==, ssrc);
  g_assert_cmpmem (again, rcc_remb_build (again, sizeof again, 1, bps, &ssrc, 1), data, size);
}

static void
remb (void)
{
  check_remb (ALL (remb_pion), 8927168, 1215622422);
  check_remb (ALL (remb_aiortc), 4160000, 2529072847);
}

/* --- RFC 8888 ------------------------------------------------------------- */

static const guint8 ccfb_pion[] = { 0x8b, 0xcd, 0, 10, SSRC (1),
  SSRC (1), 0, 2, 0, 4, 0x9f, 0xfd, 0x9f, 0xfc, 0, 0, 0, 0,
  SSRC (2), 0, 2, 0, 3, 0x9f, 0xfd, 0x9f, 0xfc, 0, 0, 0, 0,
  SSRC (1) };

/* Units of 1/1024 s. */
static void
check_block (const RccCcfbBlock *block, guint32 ssrc, guint n, RccCcfbReport *reports)
{
  const guint units[] = { 8189, 8188 };

  g_assert_cmpuint (block->ssrc, ==, ssrc);
  g_assert_cmpuint (block->begin_seq, ==, 2);
  g_assert_cmpuint (block->n_reports, ==, n);
  for (guint i = 0; i < n; i++) {
    rcc_ccfb_report (block, i, &reports[i]);
    g_assert_cmpint (reports[i].received, ==, i < 2);
    if (i < 2)
      g_assert_cmpint (ABS ((gint64) reports[i].before * 1024
              - units[i] * G_GINT64_CONSTANT (1000000000)), <=, 1024);
  }
}

static void
ccfb (void)
{
  const RccRtcpPacket packet = only_packet (ALL (ccfb_pion));
  RccCcfbReport reports[4];
  guint8 again[100];
  gsize size = rcc_ccfb_begin (ALL (again), 1);
  RccCcfbBlock block;
  RccCcfb all;

  g_assert_true (rcc_ccfb_parse (&packet, &all));
  g_assert_cmpuint (all.sender_ssrc, ==, 1);
  g_assert_cmpuint (all.timestamp, ==, 1);
  for (guint i = 0; i < 2; i++) {
    g_assert_true (rcc_ccfb_next (&all.blocks, &block));
    check_block (&block, i + 1, 4 - i, reports);
    size = rcc_ccfb_add (ALL (again), size, i + 1, 2, reports, 4 - i);
  }
  g_assert_false (rcc_ccfb_next (&all.blocks, &block));
  size = rcc_ccfb_end (ALL (again), size, 1);
  g_assert_cmpmem (again, size, ccfb_pion, sizeof ccfb_pion);
}

/* --- transport-wide ------------------------------------------------------- */

#define WHO 0xfa, 0x17, 0xfa, 0x17

static const guint8 twcc_pion_1[] = { 0xaf, 0xcd, 0, 5, WHO, 0x43, 0x03, 0x2f, 0xa0,
  0x00, 0x99, 0x00, 0x01, 0x3d, 0xe8, 0x02, 0x17, 0x20, 0x01, 0x94, 0x01 };
/* pion's has the padding bit (0xaf), and a last byte of 0, which RFC 3550 section 6.4.1 rules out. */
static const guint8 twcc_pion_3[] = { 0x8f, 0xcd, 0, 7, WHO, 0x19, 0x3d, 0xd8, 0xbb,
  0x01, 0x74, 0x00, 0x06, 0x45, 0xb1, 0x5a, 0x40, 0x40, 0x02, 0x20, 0x04,
  0x1f, 0xfe, 0x1f, 0x9a, 0xd0, 0x00, 0xd0, 0x00 };
static const guint8 twcc_pion_4[] = { 0xaf, 0xcd, 0, 7, WHO, 0x19, 0x3d, 0xd8, 0xbb,
  0x00, 0x04, 0x00, 0x07, 0x10, 0x63, 0x6e, 0x01, 0x20, 0x07, 0x4c, 0x24,
  0x24, 0x10, 0x0c, 0x0c, 0x10, 0x00, 0x00, 0x03 };

static RccTwccStatus statuses[TWCC_STATUSES_ROOM];

/* @deltas: us, from one packet to the next. */
static void
check_statuses (const RccTwcc *twcc, guint16 base, gint64 at_us, const gint64 *deltas, guint n)
{
  g_assert_cmpuint (twcc->sender_ssrc, ==, 4195875351);
  g_assert_cmpuint (twcc->base_seq, ==, base);
  g_assert_cmpuint (twcc->n_statuses, ==, n);
  for (guint i = 0; i < n; i++) {
    at_us += deltas[i];
    g_assert_true (statuses[i].received);
    g_assert_cmpint (statuses[i].arrived_us, ==, at_us);
  }
}

static void
check_twcc (const guint8 *data, gsize size, guint16 base, gint32 reference, guint8 count,
    const gint64 *deltas, guint n)
{
  RccRtcpPacket packet = only_packet (data, size);
  guint8 again[100];
  RccTwcc twcc;
  guint done;

  g_assert_true (twcc_statuses (&packet, &twcc, statuses));
  g_assert_cmpint (twcc.reference, ==, reference);
  g_assert_cmpuint (twcc.fb_count, ==, count);
  check_statuses (&twcc, base, reference * G_GINT64_CONSTANT (64000), deltas, n);
  size = rcc_twcc_build (ALL (again), &twcc, statuses, n, &done);
  g_assert_cmpuint (done, ==, n);
  packet = only_packet (again, size);
  g_assert_true (twcc_statuses (&packet, &twcc, statuses));
  g_assert_cmpuint (twcc.fb_count, ==, count);
  check_statuses (&twcc, base, reference * G_GINT64_CONSTANT (64000), deltas, n);
}

static void
twcc (void)
{
  static const gint64 one[] = { 37000 };
  static const gint64 three[] = { 2047500, 2022500, 52000, 0, 52000, 0 };
  static const gint64 four[] = { 19000, 9000, 9000, 4000, 3000, 3000, 4000 };

  guint8 padded[sizeof twcc_pion_3];
  RccBytes rest = { padded, sizeof padded };
  RccRtcpPacket packet;

  memcpy (padded, twcc_pion_3, sizeof padded);
  padded[0] |= 0x20;
  g_assert_false (rcc_rtcp_next (&rest, &packet));
  check_twcc (ALL (twcc_pion_1), 153, 4057090, 23, one, G_N_ELEMENTS (one));
  check_twcc (ALL (twcc_pion_3), 372, 4567386, 64, three, G_N_ELEMENTS (three));
  check_twcc (ALL (twcc_pion_4), 4, 1074030, 1, four, G_N_ELEMENTS (four));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/foreign/remb", remb);
  g_test_add_func ("/foreign/ccfb", ccfb);
  g_test_add_func ("/foreign/twcc", twcc);
  return g_test_run ();
}
