/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/ccfb.h"
#include "wire/remb.h"
#include "wire/tmmbr.h"
#include "twcc-statuses.h"

/* Walks @data: how many packets, and how many bytes were not understood. */
static void
assert_walk (const guint8 *data, gsize size, guint packets, gsize left)
{
  RccBytes rest = { data, size };
  RccRtcpPacket packet;
  guint n = 0;

  while (rcc_rtcp_next (&rest, &packet))
    n++;
  g_assert_cmpuint (n, ==, packets);
  g_assert_cmpuint (rest.size, ==, left);
  g_assert_true (rest.data == data + size - left);
}

/* No parser may take it for something of its own, nor leave anything of it. */
static void
assert_nobodys (const RccRtcpPacket *packet)
{
  RccRtcpReport report;
  RccTmmbr tmmbr;
  RccTwcc twcc;
  RccRemb remb;
  RccCcfb ccfb;

  g_assert_false (rcc_rtcp_report (packet, &report));
  g_assert_false (rcc_remb_parse (packet, &remb));
  g_assert_false (rcc_tmmbr_parse (packet, &tmmbr));
  g_assert_false (rcc_twcc_parse (packet, &twcc));
  g_assert_false (rcc_ccfb_parse (packet, &ccfb));
  g_assert_true (report.ssrc == 0 && report.n_blocks == 0 && remb.sender_ssrc == 0
      && remb.n_ssrcs == 0 && tmmbr.sender_ssrc == 0 && tmmbr.n_entries == 0
      && twcc.sender_ssrc == 0 && twcc.n_statuses == 0 && ccfb.sender_ssrc == 0
      && ccfb.blocks.size == 0);
}

/* The first packet is nobody's, and the RR behind it is read. */
static void
assert_ignored (const guint8 *data, gsize size)
{
  RccBytes rest = { data, size };
  RccRtcpPacket packet;
  RccRtcpReport report;

  g_assert_true (rcc_rtcp_next (&rest, &packet));
  assert_nobodys (&packet);
  g_assert_true (rcc_rtcp_next (&rest, &packet));
  g_assert_true (rcc_rtcp_report (&packet, &report));
  g_assert_cmpuint (report.ssrc, ==, 1);
  g_assert_cmpuint (rest.size, ==, 0);
}

static void
c1_length (void)
{
  assert_ignored (ALL (rtcp_c1_length_0));
  assert_walk (ALL (rtcp_c1_length_65535), 1, 8);
  assert_walk (ALL (rtcp_c1_version), 1, 8);
  assert_walk (NULL, 0, 0, 0);
}

static void
c1_stray_tail (void)
{
  guint8 data[8 + 7] = { RR, 0x80, 201, 0, 1, 0, 0, 0 };

  for (gsize tail = 1; tail <= 7; tail++)
    assert_walk (data, 8 + tail, 1, tail);
  memset (data + 8, 0, 7);
  for (gsize tail = 1; tail <= 7; tail++)
    assert_walk (data, 8 + tail, 1, tail);
}

static void
c1_truncated_at_every_byte (void)
{
  RccReportBlock blocks[31] = { { .ssrc = 1 } };
  guint8 data[2000];
  gsize first, size;

  first = rcc_rtcp_build_sr (data, sizeof data, &(RccRtcpReport) { .ssrc = 7 }, blocks, 31);
  size = first + rcc_rtcp_build_cname (data + first, sizeof data - first, 7, "cname");
  for (gsize n = 0; n < first; n++)
    assert_walk (data, n, 0, n);
  for (gsize n = first; n < size; n++)
    assert_walk (data, n, 1, n - first);
  assert_walk (data, size, 2, 0);
}

static void
c1_padding (void)
{
  RccBytes rest = { ALL (rtcp_c1_padding_good) };
  RccRtcpPacket packet;
  RccRtcpReport report;

  assert_walk (ALL (rtcp_c1_padding_on_non_last), 0, sizeof rtcp_c1_padding_on_non_last);
  assert_walk (ALL (rtcp_c1_padding_0), 1, 12);
  assert_walk (ALL (rtcp_c1_padding_255), 1, 12);
  assert_walk (ALL (rtcp_c1_padding_6), 1, 16);
  assert_walk (ALL (rtcp_c1_padding_all), 2, 0);
  g_assert_true (rcc_rtcp_next (&rest, &packet));
  g_assert_true (rcc_rtcp_next (&rest, &packet));
  g_assert_cmpuint (packet.whole.size, ==, 12);
  g_assert_cmpuint (packet.body.size, ==, 4);
  g_assert_true (rcc_rtcp_report (&packet, &report));
  g_assert_cmpuint (report.ssrc, ==, 5);
}

/* libwebrtc and pion pad transport-wide feedback by 1..3 bytes, anywhere. */
static void
browser_padding (void)
{
  static RccTwccStatus statuses[TWCC_STATUSES_ROOM];
  const RccRtcpPacket packet = first_packet (ALL (rtcp_browser_padding));
  guint8 other[sizeof rtcp_browser_padding];
  RccTwcc twcc;

  assert_walk (ALL (rtcp_browser_padding), 2, 0);
  g_assert_cmpuint (packet.body.size, ==, 19);
  g_assert_true (twcc_statuses (&packet, &twcc, statuses));
  g_assert_cmpuint (twcc.n_statuses, ==, 1);
  g_assert_cmpint (statuses[0].arrived_us, ==, 65000);
  memcpy (other, ALL (rtcp_browser_padding));
  other[0] = 0xab;                      /* the same as RFC 8888 feedback */
  assert_walk (ALL (other), 0, sizeof other);
}

static void
c2_fewer_blocks_than_claimed (void)
{
  RccReportBlock blocks[31], block;
  guint8 data[2000];

  for (guint i = 0; i < 31; i++)
    blocks[i] = (RccReportBlock) { .ssrc = 100 + i };
  for (guint sr = 0; sr < 2; sr++)
    for (guint n = 0; n < 31; n++) {
      const RccRtcpReport head = { .ssrc = 7 };
      const gsize size = sr ? rcc_rtcp_build_sr (data, sizeof data, &head, blocks, n)
          : rcc_rtcp_build_rr (data, sizeof data, 7, blocks, n);
      RccRtcpPacket packet;
      RccRtcpReport report;

      data[0] |= 31;
      packet = only_packet (data, size);
      g_assert_true (rcc_rtcp_report (&packet, &report));
      g_assert_cmpuint (report.n_blocks, ==, n);
      g_assert_cmpuint (report.blocks.size, ==, 24 * n);
      if (n > 0) {
        rcc_rtcp_block (&report, n - 1, &block);
        g_assert_cmpuint (block.ssrc, ==, 99 + n);
      }
    }
}

static void
c2_short_and_extended (void)
{
  RccRtcpPacket packet = only_packet (ALL (rtcp_c2_sr_short));
  RccRtcpReport report;

  g_assert_false (rcc_rtcp_report (&packet, &report));
  packet = first_packet (ALL (rtcp_c2_profile_extension));
  g_assert_true (rcc_rtcp_report (&packet, &report));
  g_assert_cmpuint (report.n_blocks, ==, 0);
  assert_walk (ALL (rtcp_c2_profile_extension), 2, 0);
}

static void
c3_bye_sdes_app (void)
{
  assert_ignored (ALL (rtcp_c3_bye_31_in_4_bytes));
  assert_ignored (ALL (rtcp_c3_bye_reason_255));
  assert_ignored (ALL (rtcp_c3_sdes_entry_past_end));
  assert_ignored (ALL (rtcp_c3_sdes_31_in_4_bytes));
  assert_ignored (ALL (rtcp_c3_app));
}

static void
c3_unknown_types (void)
{
  for (guint type = 192; type <= 223; type++) {
    const guint8 data[] = { HEAD (15, (guint8) type, 3), SSRC (1), SSRC (2),
      'R', 'E', 'M', 'B', RR };

    if (type != RCC_RTCP_SR && type != RCC_RTCP_RR)
      assert_ignored (data, sizeof data);
  }
}

static void
c5_xr_is_skipped (void)
{
  assert_ignored (ALL (rtcp_c5_xr_block_length_0));
  assert_ignored (ALL (rtcp_c5_xr_block_length_65535));
  assert_ignored (ALL (rtcp_c5_xr_rle_begin_after_end));
  assert_ignored (ALL (rtcp_c5_xr_dlrr_count));
}

static void
c6_feedback_length_0_and_1 (void)
{
  const RccRtcpPacket short0 = first_packet (ALL (rtcp_c6_rtpfb_length_0));
  const RccRtcpPacket short1 = first_packet (ALL (rtcp_c6_psfb_length_1));
  RccRtcpFeedback fb;

  assert_ignored (ALL (rtcp_c6_rtpfb_length_0));
  assert_ignored (ALL (rtcp_c6_rtpfb_length_1));
  assert_ignored (ALL (rtcp_c6_psfb_length_0));
  assert_ignored (ALL (rtcp_c6_psfb_length_1));
  g_assert_false (rcc_rtcp_feedback (&short0, &fb));
  g_assert_false (rcc_rtcp_feedback (&short1, &fb));
  g_assert_true (fb.sender_ssrc == 0 && fb.media_ssrc == 0 && fb.fci.size == 0);
}

/* All 32 formats of both kinds, cut to nothing: none may read an SSRC or FCI. */
static void
c6_every_format_without_fci (void)
{
  for (guint i = 0; i < 128; i++) {
    const guint8 length = i / 64;
    const guint8 data[] = { HEAD (i % 32, 205 + i / 32 % 2, length), 0, 0, 0, 1 };
    const RccRtcpPacket packet = first_packet (data, 4 + 4 * length);

    assert_nobodys (&packet);
  }
}

static void
c6_nack_and_fir_without_fci (void)
{
  const RccRtcpPacket nack = first_packet (ALL (rtcp_c6_nack_0_fci));
  RccRtcpFeedback fb;

  assert_ignored (ALL (rtcp_c6_nack_0_fci));
  assert_ignored (ALL (rtcp_c6_fir_0));
  g_assert_true (rcc_rtcp_feedback (&nack, &fb));
  g_assert_cmpuint (fb.sender_ssrc, ==, 1);
  g_assert_cmpuint (fb.media_ssrc, ==, 2);
  g_assert_cmpuint (fb.fci.size, ==, 0);
}

static RccReportBlock
random_block (RccRng *r)
{
  return (RccReportBlock) {
    .ssrc = rcc_rng_u32 (r), .fraction = (guint8) rcc_rng_u32 (r),
    .lost = (gint32) (rcc_rng_u32 (r) & 0xffffff) - 0x800000,
    .highest_seq = rcc_rng_u32 (r), .jitter = rcc_rng_u32 (r),
    .lsr = rcc_rng_u32 (r), .dlsr = rcc_rng_u32 (r),
  };
}

static void
assert_same_blocks (const RccRtcpReport *report, const RccReportBlock *blocks, guint n)
{
  g_assert_cmpuint (report->n_blocks, ==, n);
  for (guint i = 0; i < n; i++) {
    RccReportBlock b;

    rcc_rtcp_block (report, i, &b);
    g_assert_true (b.ssrc == blocks[i].ssrc && b.fraction == blocks[i].fraction
        && b.highest_seq == blocks[i].highest_seq && b.jitter == blocks[i].jitter
        && b.lsr == blocks[i].lsr && b.dlsr == blocks[i].dlsr);
    g_assert_cmpint (b.lost, ==, blocks[i].lost);
  }
}

static void
round_trip (void)
{
  RccReportBlock blocks[31];
  guint8 data[1000];
  RccRng r;

  rcc_rng_init (&r, SEED, 3);
  for (guint i = 0; i < 5000; i++) {
    const guint n = rcc_rng_u32 (&r) % 32;
    const RccRtcpReport in = {
      .ssrc = rcc_rng_u32 (&r), .ntp = random64 (&r), .rtp_time = rcc_rng_u32 (&r),
      .packets = rcc_rng_u32 (&r), .octets = rcc_rng_u32 (&r),
    };
    RccRtcpPacket packet;
    RccRtcpReport out;
    gsize size;

    for (guint b = 0; b < n; b++)
      blocks[b] = random_block (&r);
    size = rcc_rtcp_build_sr (data, sizeof data, &in, blocks, n);
    g_assert_cmpuint (size, ==, 28 + 24 * n);
    packet = only_packet (data, size);
    g_assert_true (rcc_rtcp_report (&packet, &out));
    g_assert_true (out.is_sr && out.ssrc == in.ssrc && out.ntp == in.ntp
        && out.rtp_time == in.rtp_time && out.packets == in.packets
        && out.octets == in.octets);
    assert_same_blocks (&out, blocks, n);
    size = rcc_rtcp_build_rr (data, sizeof data, in.ssrc, blocks, n);
    g_assert_cmpuint (size, ==, 8 + 24 * n);
    packet = only_packet (data, size);
    g_assert_true (rcc_rtcp_report (&packet, &out));
    g_assert_true (!out.is_sr && out.ssrc == in.ssrc && out.ntp == 0);
    assert_same_blocks (&out, blocks, n);
  }
}

static void
builders_refuse_and_clamp (void)
{
  const RccReportBlock high = { .lost = G_MAXINT32 }, low = { .lost = G_MININT32 };
  const RccReportBlock many[32] = { { 0 } };
  const RccRtcpReport head = { .ssrc = 1 };
  RccReportBlock block;
  RccRtcpPacket packet;
  RccRtcpReport report;
  guint8 data[1000];

  g_assert_cmpuint (rcc_rtcp_build_sr (data, 27, &head, NULL, 0), ==, 0);
  g_assert_cmpuint (rcc_rtcp_build_rr (data, 31, 1, many, 1), ==, 0);
  g_assert_cmpuint (rcc_rtcp_build_sr (data, sizeof data, &head, many, 32), ==, 0);
  g_assert_cmpuint (rcc_rtcp_build_rr (data, sizeof data, 1, many, 32), ==, 0);
  packet = only_packet (data, rcc_rtcp_build_rr (data, sizeof data, 1, &high, 1));
  g_assert_true (rcc_rtcp_report (&packet, &report));
  rcc_rtcp_block (&report, 0, &block);
  g_assert_cmpint (block.lost, ==, 0x7fffff);
  packet = only_packet (data, rcc_rtcp_build_rr (data, sizeof data, 1, &low, 1));
  g_assert_true (rcc_rtcp_report (&packet, &report));
  rcc_rtcp_block (&report, 0, &block);
  g_assert_cmpint (block.lost, ==, -0x800000);
}

/* RFC 3550 6.5: one item, ended by one to four zeros, on the word. */
static void
cname (void)
{
  char text[301];
  guint8 data[400];

  memset (text, 'x', 300);
  for (gsize n = 0; n <= 300; n++) {
    const gsize length = MIN (n, 255);
    RccRtcpPacket packet;
    gsize size;

    text[n] = 0;
    size = rcc_rtcp_build_cname (data, sizeof data, 42, text);
    packet = only_packet (data, size);
    g_assert_cmpuint (packet.type, ==, RCC_RTCP_SDES);
    g_assert_cmpuint (packet.count, ==, 1);
    g_assert_cmpuint (size, ==, (10 + length) / 4 * 4 + 4);
    g_assert_cmpuint (data[9], ==, length);
    g_assert_cmpmem (data + 10, length, text, length);
    for (gsize i = 10 + length; i < size; i++)
      g_assert_cmpuint (data[i], ==, 0);
    g_assert_cmpuint (rcc_rtcp_build_cname (data, size - 1, 42, text), ==, 0);
    text[n] = 'x';
  }
}

/* Sent by rtpbin of GStreamer 1.22.0; what they say was printed by its sender. */
static void
gstreamer_compounds (void)
{
  RccRtcpPacket packet = first_packet (ALL (rtcp_gstreamer_sr));
  RccReportBlock block;
  RccRtcpReport report;
  guint8 built[100];
  gsize size;

  assert_walk (ALL (rtcp_gstreamer_sr), 2, 0);
  g_assert_true (rcc_rtcp_report (&packet, &report));
  g_assert_true (report.is_sr);
  g_assert_cmphex (report.ssrc, ==, 0xb433b31a);
  g_assert_cmphex (report.ntp, ==, G_GUINT64_CONSTANT (0xeeaa65f1f26dce39));
  g_assert_cmpuint (report.packets, ==, 107);
  g_assert_cmpuint (report.octets, ==, 32607);
  size = rcc_rtcp_build_sr (built, sizeof built, &report, NULL, 0);
  size += rcc_rtcp_build_cname (built + size, sizeof built - size, report.ssrc, "alice");
  g_assert_cmpmem (built, size, rtcp_gstreamer_sr, sizeof rtcp_gstreamer_sr);

  assert_walk (ALL (rtcp_gstreamer_rr), 2, 0);
  packet = first_packet (ALL (rtcp_gstreamer_rr));
  g_assert_true (rcc_rtcp_report (&packet, &report));
  g_assert_cmpuint (report.n_blocks, ==, 1);
  rcc_rtcp_block (&report, 0, &block);
  g_assert_cmphex (block.ssrc, ==, 0xb433b31a);
  g_assert_cmpuint (block.fraction, ==, 15);
  g_assert_cmpint (block.lost, ==, 117);
  g_assert_cmpuint (block.highest_seq, ==, 14693);
  g_assert_cmphex (block.lsr, ==, 0x65f2790b);
  g_assert_cmpuint (block.dlsr, ==, 325093);
  size = rcc_rtcp_build_rr (built, sizeof built, report.ssrc, &block, 1);
  size += rcc_rtcp_build_cname (built + size, sizeof built - size, report.ssrc, "bob");
  g_assert_cmpmem (built, size, rtcp_gstreamer_rr, sizeof rtcp_gstreamer_rr);
}

static void
ntp (void)
{
  g_assert_cmphex (rcc_ntp_middle (G_GUINT64_CONSTANT (0x0123456789abcdef)), ==, 0x456789ab);
  g_assert_cmpuint (rcc_ntp_short_to_ns (0x10000), ==, RCC_SEC);
  g_assert_cmpuint (rcc_ntp_short_to_ns (G_MAXUINT32), <, 65536 * RCC_SEC);
  g_assert_cmphex (rcc_ns_to_ntp (RCC_SEC / 2), ==, G_GUINT64_CONSTANT (0x80000000));
  for (guint64 ns = 0; ns < 60 * RCC_SEC; ns += 123456789) {
    const gint64 back = (gint64) rcc_ntp_short_to_ns (rcc_ntp_middle (rcc_ns_to_ntp (ns)));

    g_assert_cmpint (ABS (back - (gint64) ns), <=, 15260);      /* 1/65536 s */
  }
}

static gboolean
may_append (const guint8 *data, gsize size, gsize left)
{
  guint64 truncated = 5;
  const gboolean may = rcc_rtcp_may_append ((RccBytes) { data, size }, &truncated);

  g_assert_cmpuint (truncated, ==, 5 + left);
  return may;
}

static gboolean
has (const guint8 *data, gsize size, guint8 type)
{
  return rcc_rtcp_has ((RccBytes) { data, size }, type);
}

/* What is behind something malformed is not found. */
static void
has_a_type (void)
{
  static const guint8 both[] = { RR, HEAD (1, RCC_RTCP_BYE, 1), SSRC (1) };
  static const guint8 broken[] = { RR, HEAD (1, RCC_RTCP_SDES, 9), HEAD (1, RCC_RTCP_BYE, 1),
    SSRC (1) };

  g_assert_true (has (ALL (both), RCC_RTCP_RR));
  g_assert_true (has (ALL (both), RCC_RTCP_BYE));
  g_assert_false (has (ALL (both), RCC_RTCP_SDES));
  g_assert_true (has (ALL (broken), RCC_RTCP_RR));
  g_assert_false (has (ALL (broken), RCC_RTCP_BYE));
  g_assert_false (has (both, 0, RCC_RTCP_RR));
}

/* RFC 3550 6.4.1: padding is the last packet's alone; 6.6: BYE should be the last packet. */
static void
what_may_be_appended_to (void)
{
  static const guint8 bye_last[] = { RR, HEAD (1, RCC_RTCP_BYE, 1), SSRC (1) };
  static const guint8 bye_first[] = { HEAD (1, RCC_RTCP_BYE, 1), SSRC (1), RR };
  guint8 many[3 * sizeof bye_last];
  gsize used, size;

  used = rcc_rtcp_build_rr (many, sizeof many, 7, NULL, 0);
  g_assert_true (may_append (many, used, 0));
  size = used + rcc_rtcp_build_cname (many + used, sizeof many - used, 7, "cname");
  size += rcc_rtcp_build_rr (many + size, sizeof many - size, 8, NULL, 0);
  g_assert_cmpuint (size, >, used + 16);
  g_assert_true (may_append (many, size, 0));
  for (gsize cut = 1; cut < 8; cut++)   /* what we cannot read may be encrypted */
    g_assert_false (may_append (many, size - cut, 8 - cut));
  g_assert_false (may_append (ALL (bye_last), 0));
  g_assert_false (may_append (ALL (bye_first), 0));
  g_assert_false (may_append (ALL (rtcp_c1_padding_good), 0));
  g_assert_true (may_append (ALL (rtcp_browser_padding), 0));   /* the RR after it is last */
  g_assert_false (may_append (ALL (rtcp_browser_padding) - 8, 0));
  g_assert_false (may_append (ALL (rtcp_c1_version), 8));
  g_assert_false (may_append (NULL, 0, 0));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rtcp/c1-length", c1_length);
  g_test_add_func ("/rtcp/c1-stray-tail", c1_stray_tail);
  g_test_add_func ("/rtcp/c1-truncated-at-every-byte", c1_truncated_at_every_byte);
  g_test_add_func ("/rtcp/c1-padding", c1_padding);
  g_test_add_func ("/rtcp/browser-padding", browser_padding);
  g_test_add_func ("/rtcp/c2-fewer-blocks-than-claimed", c2_fewer_blocks_than_claimed);
  g_test_add_func ("/rtcp/c2-short-and-extended", c2_short_and_extended);
  g_test_add_func ("/rtcp/c3-bye-sdes-app", c3_bye_sdes_app);
  g_test_add_func ("/rtcp/has-a-type", has_a_type);
  g_test_add_func ("/rtcp/c3-unknown-types", c3_unknown_types);
  g_test_add_func ("/rtcp/c5-xr-is-skipped", c5_xr_is_skipped);
  g_test_add_func ("/rtcp/c6-feedback-length-0-and-1", c6_feedback_length_0_and_1);
  g_test_add_func ("/rtcp/c6-every-format-without-fci", c6_every_format_without_fci);
  g_test_add_func ("/rtcp/c6-nack-and-fir-without-fci", c6_nack_and_fir_without_fci);
  g_test_add_func ("/rtcp/round-trip", round_trip);
  g_test_add_func ("/rtcp/builders-refuse-and-clamp", builders_refuse_and_clamp);
  g_test_add_func ("/rtcp/cname", cname);
  g_test_add_func ("/rtcp/gstreamer-compounds", gstreamer_compounds);
  g_test_add_func ("/rtcp/ntp", ntp);
  g_test_add_func ("/rtcp/what-may-be-appended-to", what_may_be_appended_to);
  return g_test_run ();
}
