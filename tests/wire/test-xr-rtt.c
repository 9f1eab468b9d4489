/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/xr-rtt.h"

static const guint8 wire[] = { 0x80, 207, 0, 11, 0, 0, 0, 1,
  4, 0xff, 0, 2, 0xe0, 0x00, 0x12, 0x34, 0x56, 0x78, 0x90, 0xab,
  5, 0xff, 0, 6, 0, 0, 0, 7, 0x12, 0x34, 0x56, 0x78, 0, 1, 0x80, 0,
  0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0 };

static void
reads_and_builds_the_wire (void)
{
  const RccXrDlrr entries[] = { { 7, 0x12345678, 0x18000 }, { 8, 0, 0 } };
  const RccRtcpPacket packet = only_packet (ALL (wire));
  guint8 out[sizeof wire];
  RccXrDlrr entry;
  RccXrBlock block;
  guint64 ntp = 0;
  gsize used;
  RccXr xr;

  rcc_xr_parse (&packet, &xr);
  g_assert_true (rcc_xr_next (&xr.blocks, &block) && rcc_xr_rrtr_parse (&block, &ntp));
  g_assert_cmphex (ntp, ==, G_GUINT64_CONSTANT (0xe0001234567890ab));
  g_assert_true (rcc_xr_next (&xr.blocks, &block));
  g_assert_false (rcc_xr_rrtr_parse (&block, &ntp));
  g_assert_cmpuint (block.type, ==, RCC_XR_DLRR);
  for (guint i = 0; i < 2; i++) {
    g_assert_true (rcc_xr_dlrr_next (&block.body, &entry));
    g_assert_cmpuint (entry.ssrc, ==, entries[i].ssrc);
    g_assert_cmphex (entry.lrr, ==, entries[i].lrr);
    g_assert_cmphex (entry.dlrr, ==, entries[i].dlrr);
  }
  g_assert_false (rcc_xr_dlrr_next (&block.body, &entry));
  used = rcc_xr_begin (ALL (out), 1);
  used = rcc_xr_rrtr_add (ALL (out), used, ntp);
  g_assert_cmpuint (rcc_xr_dlrr_add (out, sizeof out - 1, used, entries, 2), ==, 0);
  g_assert_cmpuint (rcc_xr_dlrr_add (ALL (out), used, entries, 0), ==, 0);
  g_assert_cmpuint (rcc_xr_dlrr_add (ALL (out), used, entries, RCC_XR_DLRR_MAX + 1), ==, 0);
  used = rcc_xr_dlrr_add (ALL (out), used, entries, 2);
  out[9] = out[21] = 0xff;              /* reserved: we send zeros and read anything */
  g_assert_cmpmem (out, used, wire, sizeof wire);
  g_assert_cmpuint (rcc_xr_rrtr_add (ALL (out), used, ntp), ==, 0);
}

/* C5: a body that is no multiple of a sub-block, a time of another length. */
static void
hostile_blocks (void)
{
  guint8 body[40] = { 0 };
  RccXrBlock block = { RCC_XR_RRTR, 0, { ALL (body) } };
  RccXrDlrr entry;
  guint64 ntp;

  for (gsize size = 0; size <= sizeof body; size++) {
    g_autofree guint8 *heap = g_memdup2 (body, size);
    RccBytes rest = { heap, size };
    guint n = 0;

    block.body = rest;
    g_assert_cmpint (rcc_xr_rrtr_parse (&block, &ntp), ==, size == 8);
    while (rcc_xr_dlrr_next (&rest, &entry))
      n++;
    g_assert_cmpuint (n, ==, size / 12);
    g_assert_cmpuint (rest.size, ==, size % 12);
  }
}

/* RFC 3611 4.5: A - LRR - DLRR; judged as LSR and DLSR are. */
static void
round_trip_of_a_receiver (void)
{
  const guint64 ntp = G_GUINT64_CONSTANT (0xe0001234567890ab);
  RccXrDlrr entry = { 7, rcc_ntp_middle (ntp), 65536 / 4 };
  RccSrs rrtrs = { .n = 0 };
  RccSrLog log;

  rcc_sr_log_init (&log, g_realloc);
  g_assert_cmpuint (rcc_xr_rtt (&log, &rrtrs, &entry, RCC_SEC), ==, RCC_NEVER);
  rcc_srs_sent (&log, &rrtrs, rcc_ntp_middle (ntp), 10 * RCC_SEC);
  g_assert_cmpuint (rcc_xr_rtt (&log, &rrtrs, &entry, 10 * RCC_SEC + 330 * RCC_MSEC), ==,
      80 * RCC_MSEC);
  /* the other's clock runs a little fast: none, but not absurd */
  g_assert_cmpuint (rcc_xr_rtt (&log, &rrtrs, &entry, 10 * RCC_SEC + 240 * RCC_MSEC), ==, 0);
  /* held for longer than it exists; away for more than a minute; never sent; none heard */
  g_assert_cmpuint (rcc_xr_rtt (&log, &rrtrs, &entry, 10 * RCC_SEC + 200 * RCC_MSEC), ==, RCC_NEVER);
  g_assert_cmpuint (rcc_xr_rtt (&log, &rrtrs, &entry, 71 * RCC_SEC), ==, RCC_NEVER);
  entry.lrr++;
  g_assert_cmpuint (rcc_xr_rtt (&log, &rrtrs, &entry, 10 * RCC_SEC + 330 * RCC_MSEC), ==, RCC_NEVER);
  entry.lrr = 0;
  g_assert_cmpuint (rcc_xr_rtt (&log, &rrtrs, &entry, 10 * RCC_SEC + 330 * RCC_MSEC), ==, RCC_NEVER);
  rcc_log_clear (&log);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/xr-rtt/" path, func)
  ADD ("reads-and-builds-the-wire", reads_and_builds_the_wire);
  ADD ("hostile-blocks", hostile_blocks);
  ADD ("round-trip-of-a-receiver", round_trip_of_a_receiver);
  return g_test_run ();
}
