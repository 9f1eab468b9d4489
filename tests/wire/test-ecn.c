/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/ecn.h"

/* RFC 6679 figures 1 and 2 */
static const guint8 feedback[] = {
  0x88, 205, 0, 7, 0x22, 0x22, 0x22, 0x22, 0xaa, 0xaa, 0, 0,
  0, 1, 0xff, 0xfe, 0, 0, 0x10, 1, 0, 0, 0, 2, 0xff, 0xff, 0, 4, 0, 5, 0, 6,
};

/* Figures 3 and 4, two streams */
static const guint8 summary[] = {
  0x80, 207, 0, 12, 0x22, 0x22, 0x22, 0x22, 13, 0, 0, 10,
  0xaa, 0xaa, 0, 0, 0, 0, 0x10, 1, 0, 0, 0, 2, 0xff, 0xff, 0, 4, 0, 5, 0, 6,
  0xaa, 0xaa, 0, 1, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 7, 0xff, 0xff, 0, 0, 0x12, 0x34,
};

static void
assert_counters (const RccEcnCounters *c)
{
  g_assert_cmphex (c->ssrc, ==, 0xaaaa0000);
  g_assert_cmpuint (c->ect0, ==, 0x1001);
  g_assert_cmpuint (c->ect1, ==, 2);
  g_assert_cmpuint (c->ce, ==, 65535);
  g_assert_cmpuint (c->not_ect, ==, 4);
  g_assert_cmpuint (c->lost, ==, 5);
  g_assert_cmpuint (c->duplicates, ==, 6);
}

static void
reads_the_feedback (void)
{
  const RccRtcpPacket packet = only_packet (ALL (feedback));
  RccEcnFeedback fb;
  guint8 bytes[sizeof feedback];

  g_assert_true (rcc_ecn_parse (&packet, &fb));
  g_assert_cmphex (fb.sender_ssrc, ==, 0x22222222);
  g_assert_cmphex (fb.highest_seq, ==, 0x1fffe);
  assert_counters (&fb.counters);
  g_assert_cmpuint (rcc_ecn_build (bytes, sizeof bytes - 1, &fb), ==, 0);
  g_assert_cmpuint (rcc_ecn_build (ALL (bytes), &fb), ==, sizeof bytes);
  g_assert_cmpmem (bytes, sizeof bytes, feedback, sizeof feedback);
}

static void
reads_the_summary (void)
{
  const RccRtcpPacket packet = only_packet (ALL (summary));
  RccEcnCounters first, second, none;
  guint8 bytes[sizeof summary], body[2 * RCC_ECN_ENTRY_SIZE];
  RccXrBlock block;
  RccXr xr;

  g_assert_true (rcc_xr_parse (&packet, &xr) && rcc_xr_next (&xr.blocks, &block));
  g_assert_cmpuint (block.type, ==, RCC_XR_ECN_SUMMARY);
  g_assert_true (rcc_ecn_next (&block.body, &first));
  assert_counters (&first);
  g_assert_true (rcc_ecn_next (&block.body, &second));
  g_assert_cmphex (second.ssrc, ==, 0xaaaa0001);
  g_assert_cmpuint (second.ect0, ==, UINT32_MAX);
  g_assert_cmpuint (second.ce, ==, 7);
  g_assert_cmpuint (second.duplicates, ==, 0x1234);
  g_assert_false (rcc_ecn_next (&block.body, &none));
  g_assert_cmpuint (rcc_ecn_put (body, RCC_ECN_ENTRY_SIZE - 1, &first), ==, 0);
  g_assert_cmpuint (rcc_ecn_put (ALL (body), &first), ==, RCC_ECN_ENTRY_SIZE);
  rcc_ecn_put (body + RCC_ECN_ENTRY_SIZE, RCC_ECN_ENTRY_SIZE, &second);
  block.body = (RccBytes) { ALL (body) };
  g_assert_cmpuint (rcc_xr_add (ALL (bytes), rcc_xr_begin (ALL (bytes), xr.ssrc), &block),
      ==, sizeof bytes);
  g_assert_cmpmem (bytes, sizeof bytes, summary, sizeof summary);
}

/* Another format, no counters, half of them, one word too many. */
static void
refuses_what_is_none (void)
{
  guint8 bytes[sizeof feedback + 4] = { 0 };
  RccRtcpPacket packet;
  RccEcnFeedback fb;

  for (gsize size = 4; size <= sizeof bytes; size += 4) {
    memcpy (bytes, feedback, sizeof feedback);
    rcc_put16 (bytes + 2, (guint16) (size / 4 - 1));
    packet = only_packet (bytes, size);
    g_assert_cmpint (rcc_ecn_parse (&packet, &fb), ==, size == sizeof feedback);
  }
  rcc_put16 (bytes + 2, sizeof feedback / 4 - 1);
  for (guint fmt = 0; fmt < 32; fmt++) {
    bytes[0] = (guint8) (0x80 | fmt);
    packet = only_packet (bytes, sizeof feedback);
    g_assert_cmpint (rcc_ecn_parse (&packet, &fb), ==, fmt == 8);
  }
  bytes[0] = 0x88;
  bytes[1] = RCC_RTCP_PSFB;
  packet = only_packet (bytes, sizeof feedback);
  g_assert_false (rcc_ecn_parse (&packet, &fb));
}

static void
half_an_entry_is_none (void)
{
  static const RccEcnCounters nothing;

  for (gsize size = 0; size < RCC_ECN_ENTRY_SIZE; size++) {
    g_autofree guint8 *heap = g_memdup2 (summary + 12, size ? size : 1);
    RccBytes body = { heap, size };
    RccEcnCounters c;

    g_assert_false (rcc_ecn_next (&body, &c));
    g_assert_cmpuint (body.size, ==, size);
    g_assert_cmpmem (&c, sizeof c, &nothing, sizeof nothing);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add_func ("/ecn/" path, func)
  ADD ("reads-the-feedback", reads_the_feedback);
  ADD ("reads-the-summary", reads_the_summary);
  ADD ("refuses-what-is-none", refuses_what_is_none);
  ADD ("half-an-entry-is-none", half_an_entry_is_none);
  return g_test_run ();
}
