/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "guard.h"
#include "wire-test.h"
#include "core/seq.h"
#include "wire/ccfb.h"

static RccCcfb
parsed (const guint8 *data, gsize size)
{
  const RccRtcpPacket packet = only_packet (data, size);
  RccCcfb ccfb;

  g_assert_true (rcc_ccfb_parse (&packet, &ccfb));
  return ccfb;
}

static RccCcfbReport
report_of (const RccCcfbBlock *block, guint i)
{
  RccCcfbReport report;

  g_assert_cmpuint (i, <, block->n_reports);
  rcc_ccfb_report (block, i, &report);
  return report;
}

static void
assert_no_block (const guint8 *data, gsize size, gsize left)
{
  RccCcfb ccfb = parsed (data, size);
  RccCcfbBlock block;

  g_assert_false (rcc_ccfb_next (&ccfb.blocks, &block));
  g_assert_cmpuint (ccfb.blocks.size, ==, left);
  g_assert_cmpuint (block.n_reports, ==, 0);
}

static void
c8_num_too_large (void)
{
  const gsize size = 4 + 4 + 8 + 32770 + 2 + 4;
  guint8 *data = g_malloc0 (size);
  RccCcfbBlock block;
  RccCcfb ccfb;

  assert_no_block (ALL (ccfb_c8_num_16385), 8);
  assert_no_block (ALL (ccfb_c8_num_65535), 8);
  rcc_rtcp_put_header (data, RCC_RTCP_RTPFB, 11, size);
  rcc_put16 (data + 14, 16385);         /* all there, but more than 3.1 allows */
  assert_no_block (data, size, size - 12);
  rcc_put16 (data + 14, 16384);
  ccfb = parsed (data, size);
  g_assert_true (rcc_ccfb_next (&ccfb.blocks, &block));
  g_assert_cmpuint (block.n_reports, ==, 16384);
  g_assert_false (report_of (&block, 16383).received);
  g_free (data);
}

static void
c8_num_0 (void)
{
  RccCcfb ccfb = parsed (ALL (ccfb_c8_num_0));
  RccCcfbBlock block;

  g_assert_true (rcc_ccfb_next (&ccfb.blocks, &block));
  g_assert_cmpuint (block.ssrc, ==, 9);
  g_assert_cmpuint (block.begin_seq, ==, 77);
  g_assert_cmpuint (block.n_reports, ==, 0);
  g_assert_cmpuint (ccfb.blocks.size, ==, 0);
  g_assert_cmpuint (ccfb.timestamp, ==, 6);
  assert_no_block (ALL (ccfb_c8_no_block), 0);
}

static void
c8_num_and_length_mismatch (void)
{
  RccCcfb ccfb = parsed (ALL (ccfb_c8_num_below_length));
  RccCcfbBlock block;

  g_assert_true (rcc_ccfb_next (&ccfb.blocks, &block));
  g_assert_cmpuint (block.n_reports, ==, 1);
  g_assert_false (rcc_ccfb_next (&ccfb.blocks, &block));
  g_assert_cmpuint (ccfb.blocks.size, ==, 4);
  assert_no_block (ALL (ccfb_c8_num_beyond_length), 12);
  assert_no_block (ALL (ccfb_c8_half_block), 4);
}

static void
c8_no_room (void)
{
  const RccRtcpPacket short1 = only_packet (ALL (ccfb_c8_no_timestamp));
  const RccRtcpPacket short0 = only_packet (ALL (ccfb_c8_length_0));
  RccCcfb ccfb;

  g_assert_false (rcc_ccfb_parse (&short1, &ccfb));
  g_assert_false (rcc_ccfb_parse (&short0, &ccfb));
}

static void
c8_ato (void)
{
  RccCcfb ccfb = parsed (ALL (ccfb_c8_ato));
  RccCcfbBlock block;

  g_assert_true (rcc_ccfb_next (&ccfb.blocks, &block));
  g_assert_cmpuint (block.begin_seq, ==, 65534);
  g_assert_true (report_of (&block, 0).received);
  g_assert_cmpuint (report_of (&block, 0).before, ==, RCC_NEVER);       /* 0x1FFF */
  g_assert_true (report_of (&block, 1).received);
  g_assert_cmpuint (report_of (&block, 1).before, ==, RCC_NEVER);       /* 0x1FFE */
  g_assert_cmpuint (report_of (&block, 2).before, ==, 7997070313);      /* 8189/1024 s */
  g_assert_cmpuint (report_of (&block, 3).before, ==, 0);
  g_assert_cmpuint (report_of (&block, 4).before, ==, RCC_SEC / 2);
  g_assert_false (report_of (&block, 5).received);      /* the 15 other bits are set */
  g_assert_cmpuint (report_of (&block, 5).before, ==, RCC_NEVER);
  g_assert_cmpuint (report_of (&block, 5).ecn, ==, 0);
}

static void
c8_ecn_mix (void)
{
  static const guint8 expected[] = { RCC_ECN_NOT_ECT, RCC_ECN_ECT1, RCC_ECN_ECT0, RCC_ECN_CE };
  RccCcfb ccfb = parsed (ALL (ccfb_c8_ecn));
  RccCcfbBlock block;

  g_assert_true (rcc_ccfb_next (&ccfb.blocks, &block));
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpuint (report_of (&block, i).ecn, ==, expected[i]);
    g_assert_cmpuint (report_of (&block, i).before, ==, 976563);        /* 1/1024 s */
  }
}

static void
c8_several_ssrcs (void)
{
  RccCcfb ccfb = parsed (ALL (ccfb_c8_several_ssrcs));
  RccCcfbBlock block;

  for (guint i = 0; i < 3; i++) {
    g_assert_true (rcc_ccfb_next (&ccfb.blocks, &block));
    g_assert_cmpuint (block.ssrc, ==, 9 - i);
    g_assert_cmpuint (block.begin_seq, ==, 1 + i);
    g_assert_cmpuint (block.n_reports, ==, i == 0 ? 1 : i == 1 ? 0 : 2);
  }
  g_assert_true (report_of (&block, 0).received);
  g_assert_false (report_of (&block, 1).received);
  g_assert_false (rcc_ccfb_next (&ccfb.blocks, &block));
  g_assert_cmpuint (ccfb.blocks.size, ==, 0);
}

/* What a reader of a wrapping, or even returning, report time sees. */
static void
c8_timestamp_wrap_and_back (void)
{
  static const guint32 sent[] = { 0xffff0000, 0xffffffff, 0x00010000, 0xfffff000 };
  static const gint64 expected[] = { 0xffff0000, 0xffffffff,
    G_GINT64_CONSTANT (0x100010000), 0xfffff000 };
  RccUnwrap unwrap = { 0 };
  guint8 data[12];

  for (guint i = 0; i < 4; i++) {
    const gsize begun = rcc_ccfb_begin (data, sizeof data, 1);

    g_assert_cmpuint (rcc_ccfb_end (data, sizeof data, begun, sent[i]), ==, 12);
    g_assert_cmpint (rcc_unwrap (&unwrap, parsed (ALL (data)).timestamp, 32), ==, expected[i]);
  }
}

static RccCcfbReport
random_report (RccRng *r)
{
  if (rcc_rng_u32 (r) % 4 == 0)
    return (RccCcfbReport) { .before = RCC_NEVER };
  return (RccCcfbReport) {
    .received = true, .ecn = rcc_rng_u32 (r) & 3,
    .before = rcc_rng_u32 (r) % 16 ? random64 (r) % (10 * RCC_SEC) : RCC_NEVER,
  };
}

static void
assert_same_report (const RccCcfbReport *in, const RccCcfbReport *out)
{
  const guint64 limit = 8189 * RCC_SEC / 1024;
  const guint64 half_step = 488282;

  g_assert_cmpint (out->received, ==, in->received);
  g_assert_cmpuint (out->ecn, ==, in->ecn);
  if (in->before > limit) {
    g_assert_cmpuint (out->before, ==, RCC_NEVER);
    return;
  }
  g_assert_cmpuint (out->before, <=, in->before + half_step);
  g_assert_cmpuint (in->before, <=, out->before + half_step);
}

static void
round_trip (void)
{
  enum { SIZE = 6000 };
  static RccCcfbReport reports[20][100];
  guint8 data[SIZE];
  RccRng r;

  rcc_rng_init (&r, SEED, 7);
  for (guint i = 0; i < 2000; i++) {
    const guint n_blocks = rcc_rng_u32 (&r) % 20;
    gsize used = rcc_ccfb_begin (data, SIZE, 77);
    guint n[20];
    RccCcfbBlock block;
    RccCcfb ccfb;

    for (guint b = 0; b < n_blocks; b++) {
      n[b] = rcc_rng_u32 (&r) % 100;
      for (guint p = 0; p < n[b]; p++)
        reports[b][p] = random_report (&r);
      used = rcc_ccfb_add (data, SIZE, used, b, (guint16) (65500 + b), reports[b], n[b]);
      g_assert_cmpuint (used, >, 0);
    }
    used = rcc_ccfb_end (data, SIZE, used, i);
    ccfb = parsed (data, used);
    g_assert_cmpuint (ccfb.sender_ssrc, ==, 77);
    g_assert_cmpuint (ccfb.timestamp, ==, i);
    for (guint b = 0; b < n_blocks; b++) {
      g_assert_true (rcc_ccfb_next (&ccfb.blocks, &block));
      g_assert_cmpuint (block.ssrc, ==, b);
      g_assert_cmpuint (block.begin_seq, ==, 65500 + b);
      g_assert_cmpuint (block.n_reports, ==, n[b]);
      for (guint p = 0; p < n[b]; p++) {
        const RccCcfbReport out = report_of (&block, p);

        assert_same_report (&reports[b][p], &out);
      }
      if (n[b] % 2)                     /* zero padding to the word: a MUST */
        g_assert_cmpuint (rcc_be16 (block.reports + 2 * n[b]), ==, 0);
    }
    g_assert_false (rcc_ccfb_next (&ccfb.blocks, &block));
  }
}

/* A packet that is not received is all zeros, whatever the struct says of it. */
static void
not_received_is_zero (void)
{
  const RccCcfbReport junk = { .received = false, .ecn = 3, .before = 5 };
  guint8 data[24];
  gsize used = rcc_ccfb_begin (ALL (data), 1);

  used = rcc_ccfb_add (ALL (data), used, 9, 0, &junk, 1);
  g_assert_cmpuint (used, ==, 20);
  g_assert_cmpuint (rcc_be32 (data + 16), ==, 0);
}

static void
build_keeps_room_for_the_end (void)
{
  const RccCcfbReport reports[3] = { { .received = true } };
  guint8 data[28];
  gsize used;

  g_assert_cmpuint (rcc_ccfb_begin (data, 11, 1), ==, 0);
  used = rcc_ccfb_begin (ALL (data), 1);
  g_assert_cmpuint (rcc_ccfb_add (data, 27, used, 9, 0, reports, 3), ==, 0);
  g_assert_cmpuint (rcc_ccfb_add (ALL (data), used, 9, 0, reports, 16385), ==, 0);
  used = rcc_ccfb_add (ALL (data), used, 9, 0, reports, 3);
  g_assert_cmpuint (used, ==, 24);
  g_assert_cmpuint (rcc_ccfb_add (ALL (data), used, 9, 0, reports, 0), ==, 0);
  g_assert_cmpuint (rcc_ccfb_end (data, 27, used, 5), ==, 0);
  g_assert_cmpuint (rcc_ccfb_end (ALL (data), used, 5), ==, 28);
  g_assert_cmpuint (parsed (ALL (data)).timestamp, ==, 5);
}

static void
nothing_is_written_beyond_the_size (void)
{
  static const RccCcfbReport reports[5] = { { .received = true }, { .received = true } };
  guint8 out[64];

  for (guint n = 0; n <= 5; n++) {
    gsize used;

    memset (out, 0xee, sizeof out);
    used = rcc_ccfb_begin (ALL (out), 1);
    used = rcc_ccfb_add (ALL (out), used, 2, 7, reports, n);
    g_assert_cmpuint (used, ==, 16 + (n + 1) / 2 * 4);
    for (gsize i = used; i < sizeof out; i++)
      g_assert_cmphex (out[i], ==, 0xee);
    g_assert_cmphex (n % 2 ? rcc_be16 (out + used - 2) : 0, ==, 0);
    used = rcc_ccfb_end (ALL (out), used, 0);
    for (gsize i = used; i < sizeof out; i++)
      g_assert_cmphex (out[i], ==, 0xee);
  }
}

/* 16 bits of words: as many blocks as that can say, whatever room there is. */
static void
no_packet_is_longer_than_its_length_says (void)
{
  const gsize size = 9 * (8 + 2 * RCC_CCFB_REPORTS_MAX) + 64;
  g_autofree guint8 *bytes = g_malloc (size);
  g_autofree RccCcfbReport *reports = g_new0 (RccCcfbReport, RCC_CCFB_REPORTS_MAX + 1);
  gsize used = rcc_ccfb_begin (bytes, size, 1), more;
  RccBytes rest;
  RccRtcpPacket packet;
  guint blocks = 0;

  /* RFC 8888 3.1, for one SSRC */
  g_assert_cmpuint (rcc_ccfb_add (bytes, size, used, 2, 0, reports, RCC_CCFB_REPORTS_MAX + 1), ==,
      0);
  while ((more = rcc_ccfb_add (bytes, size, used, 2, 0, reports, RCC_CCFB_REPORTS_MAX))) {
    used = more;
    g_assert_cmpuint (++blocks, <, 8);
  }
  g_assert_cmpuint (blocks, ==, 7);             /* 8 would be 4 * 65536 bytes and more */
  used = rcc_ccfb_end (bytes, size, used, 3);
  rest = (RccBytes) { bytes, used };
  g_assert_true (rcc_rtcp_next (&rest, &packet));
  g_assert_cmpuint (packet.whole.size, ==, used);
}

/* Memory ends behind it. */
static void
a_rest_without_a_head_is_not_read (void)
{
  const guint8 data[7] = { 0 };

  for (gsize size = 0; size <= sizeof data; size++) {
    RccBytes rest = guarded (data, size);
    RccCcfbBlock block;

    g_assert_false (rcc_ccfb_next (&rest, &block));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ccfb/c8-num-too-large", c8_num_too_large);
  g_test_add_func ("/ccfb/no-packet-is-longer-than-its-length-says",
      no_packet_is_longer_than_its_length_says);
  g_test_add_func ("/ccfb/c8-num-0", c8_num_0);
  g_test_add_func ("/ccfb/c8-num-and-length-mismatch", c8_num_and_length_mismatch);
  g_test_add_func ("/ccfb/c8-no-room", c8_no_room);
  g_test_add_func ("/ccfb/c8-ato-1ffe-1fff", c8_ato);
  g_test_add_func ("/ccfb/c8-ecn-mix", c8_ecn_mix);
  g_test_add_func ("/ccfb/c8-several-ssrcs", c8_several_ssrcs);
  g_test_add_func ("/ccfb/c8-timestamp-wrap-and-back", c8_timestamp_wrap_and_back);
  g_test_add_func ("/ccfb/round-trip", round_trip);
  g_test_add_func ("/ccfb/not-received-is-zero", not_received_is_zero);
  g_test_add_func ("/ccfb/build-keeps-room-for-the-end", build_keeps_room_for_the_end);
  g_test_add_func ("/ccfb/nothing-is-written-beyond-the-size",
      nothing_is_written_beyond_the_size);
  g_test_add_func ("/ccfb/a-rest-without-a-head-is-not-read", a_rest_without_a_head_is_not_read);
  return g_test_run ();
}
