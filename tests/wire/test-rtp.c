/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "core/seq.h"
#include "wire/rtp.h"

static gboolean
parses (const guint8 *data, gsize size, RccRtp *rtp)
{
  return rcc_rtp_parse ((RccBytes) { data, size }, rtp);
}

static RccRtp
parsed (const guint8 *data, gsize size)
{
  RccRtp rtp;

  g_assert_true (parses (data, size, &rtp));
  return rtp;
}

static void
assert_ext (const RccRtp *rtp, guint8 id, const char *expected)
{
  RccBytes value;

  g_assert_true (rcc_rtp_ext (rtp, id, &value));
  g_assert_cmpmem (value.data, value.size, expected, strlen (expected));
}

static void
assert_no_ext (const RccRtp *rtp, guint8 id)
{
  RccBytes value;

  g_assert_false (rcc_rtp_ext (rtp, id, &value));
  g_assert_cmpuint (value.size, ==, 0);
}

static void
r1_short (void)
{
  guint8 header[RCC_RTP_HEADER_MIN] = { 0x80, 0xe0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
  RccRtp rtp;

  for (gsize size = 0; size < sizeof header; size++)
    g_assert_false (parses (header, size, &rtp));
  rtp = parsed (ALL (header));
  g_assert_true (rtp.marker);
  g_assert_cmpuint (rtp.pt, ==, 96);
  g_assert_cmphex (rtp.seq, ==, 0x0102);
  g_assert_cmphex (rtp.timestamp, ==, 0x03040506);
  g_assert_cmphex (rtp.ssrc, ==, 0x0708090a);
  g_assert_cmpuint (rtp.header_size, ==, 12);
}

static void
r1_version (void)
{
  guint8 header[RCC_RTP_HEADER_MIN] = { 0 };
  RccRtp rtp;

  for (guint version = 0; version < 4; version++) {
    header[0] = (guint8) (version << 6);
    g_assert_cmpint (parses (ALL (header), &rtp), ==, version == 2);
  }
  g_assert_false (parses (ALL (rtp_r1_version), &rtp));
}

static void
r1_header_beyond_end (void)
{
  RccRtp rtp;

  g_assert_false (parses (ALL (rtp_r1_csrc_beyond_end), &rtp));
  g_assert_false (parses (ALL (rtp_r1_extension_head_beyond_end), &rtp));
  g_assert_false (parses (ALL (rtp_r1_extension_beyond_end), &rtp));
}

/* Cut anywhere in CSRCs and extension it is refused, whole it is not. */
static void
r1_truncated_at_every_byte (void)
{
  guint8 data[12 + 15 * 4 + 4 + 8] = { 0x9f };
  RccRtp rtp;

  data[12 + 15 * 4 + 3] = 2;
  for (gsize size = 0; size < sizeof data; size++)
    g_assert_false (parses (data, size, &rtp));
  rtp = parsed (ALL (data));
  g_assert_cmpuint (rtp.csrc_count, ==, 15);
  g_assert_cmpuint (rtp.ext.size, ==, 8);
  g_assert_cmpuint (rtp.header_size, ==, sizeof data);
}

static int
padding_of (const guint8 *data, gsize size)
{
  const RccRtp rtp = parsed (data, size);

  return rcc_rtp_padding ((RccBytes) { data, size }, &rtp);
}

static void
r1_padding (void)
{
  guint8 packet[RCC_RTP_HEADER_MIN + 255] = { 0xa0 };

  g_assert_cmpint (padding_of (ALL (rtp_r1_padding_0)), ==, -1);
  g_assert_cmpint (padding_of (ALL (rtp_r1_padding_beyond_payload)), ==, -1);
  g_assert_cmpint (padding_of (ALL (rtp_r1_padding_without_payload)), ==, -1);
  g_assert_cmpint (padding_of (ALL (rtp_example_rfc8285)), ==, 0);
  {                                     /* cut since it was parsed */
    const RccRtp rtp = { .padding = true, .header_size = RCC_RTP_HEADER_MIN };

    for (gsize size = 0; size <= RCC_RTP_HEADER_MIN; size++)
      g_assert_cmpint (rcc_rtp_padding ((RccBytes) { rtp_example_rfc8285, size }, &rtp), ==, -1);
  }
  packet[sizeof packet - 1] = 254;
  g_assert_cmpint (padding_of (ALL (packet)), ==, 254);
  packet[sizeof packet - 1] = 255;
  g_assert_cmpint (padding_of (ALL (packet)), ==, 255);
  g_assert_cmpint (padding_of (packet, RCC_RTP_HEADER_MIN + 4), ==, -1);
}

static void
r1_64k (void)
{
  const gsize size = 12 + 4 + 65535 * 4;
  guint8 *packet = g_malloc0 (size);
  RccRtp rtp;

  packet[0] = 0x90;
  packet[12] = 0xbe;
  packet[13] = 0xde;
  packet[14] = packet[15] = 0xff;
  g_assert_false (parses (packet, 65535, &rtp));
  packet[size - 2] = 0x10;
  packet[size - 1] = 'x';
  rtp = parsed (packet, size);
  g_assert_cmpuint (rtp.header_size, ==, size);
  assert_ext (&rtp, 1, "x");
  g_free (packet);
}

static void
r2_length_past_block (void)
{
  const RccRtp rtp = parsed (ALL (rtp_r2_length_past_block));

  assert_ext (&rtp, 1, "\7");
  assert_no_ext (&rtp, 2);
}

static void
r2_id_15 (void)
{
  const RccRtp rtp = parsed (ALL (rtp_r2_id_15));

  assert_ext (&rtp, 1, "\7");
  assert_no_ext (&rtp, 2);
  assert_no_ext (&rtp, 15);
}

static void
r2_id_0 (void)
{
  RccRtp rtp = parsed (ALL (rtp_r2_id_0_padding));

  assert_ext (&rtp, 1, "\7");
  assert_ext (&rtp, 2, "\10\11");
  assert_no_ext (&rtp, 0);
  rtp = parsed (ALL (rtp_r2_id_0_with_length));
  assert_ext (&rtp, 1, "\7");
  assert_no_ext (&rtp, 2);
  assert_no_ext (&rtp, 0);
}

static void
r2_two_byte_profile (void)
{
  RccRtp rtp = parsed (ALL (rtp_r2_two_byte));

  g_assert_cmphex (rtp.ext_profile, ==, 0x1005);
  assert_ext (&rtp, 1, "");
  assert_ext (&rtp, 2, "\7");
  assert_ext (&rtp, 200, "\10\11");
  assert_no_ext (&rtp, 3);
  rtp = parsed (ALL (rtp_r2_two_byte_past_block));
  assert_ext (&rtp, 1, "\7");
  assert_no_ext (&rtp, 2);
}

static void
r2_other_profile (void)
{
  const RccRtp rtp = parsed (ALL (rtp_r2_other_profile));

  g_assert_cmphex (rtp.ext_profile, ==, 0xabcd);
  for (guint id = 0; id < 256; id++)
    assert_no_ext (&rtp, (guint8) id);
}

static void
r2_absent_and_wrong_size (void)
{
  const RccRtp with = parsed (ALL (rtp_example_rfc8285));
  const RccRtp without = parsed (ALL (rtp_r1_padding_0));
  RccBytes value;

  assert_no_ext (&with, 4);
  assert_no_ext (&without, 1);
  g_assert_true (rcc_rtp_ext (&with, 3, &value));
  g_assert_cmpuint (value.size, !=, RCC_TWCC_EXT_SIZE);
}

static void
r2_duplicated (void)
{
  const RccRtp rtp = parsed (ALL (rtp_r2_duplicated));
  RccBytes value;

  assert_ext (&rtp, 1, "\1");
  g_assert_false (rcc_rtp_ext (&rtp, 2, &value));
}

static void
example_of_rfc8285 (void)
{
  const RccRtp rtp = parsed (ALL (rtp_example_rfc8285));

  assert_ext (&rtp, 1, "a");
  assert_ext (&rtp, 2, "bc");
  assert_ext (&rtp, 3, "defg");
}

static void
round_trip (void)
{
  guint8 packet[400], values[14][16];
  RccRtpExt exts[14];
  RccRng r;

  rcc_rng_init (&r, SEED, 1);
  for (guint i = 0; i < 20000; i++) {
    const guint n = rcc_rng_u32 (&r) % 15;
    const RccRtp in = {
      .pt = rcc_rng_u32 (&r) & 0x7f, .marker = rcc_rng_u32 (&r) & 1,
      .padding = rcc_rng_u32 (&r) & 1, .seq = (guint16) rcc_rng_u32 (&r),
      .timestamp = rcc_rng_u32 (&r), .ssrc = rcc_rng_u32 (&r),
    };
    gsize size, elements = 0;
    RccRtp out;

    for (guint e = 0; e < n; e++) {
      for (guint b = 0; b < 16; b++)
        values[e][b] = (guint8) rcc_rng_u32 (&r);
      exts[e] = (RccRtpExt) { (guint8) (14 - e), 1 + rcc_rng_u32 (&r) % 16, values[e] };
      elements += 1u + exts[e].size;
    }
    size = rcc_rtp_build (packet, sizeof packet, &in, exts, n);
    g_assert_cmpuint (size, ==, 12 + (n ? 4 + (elements + 3) / 4 * 4 : 0));
    g_assert_cmpuint (rcc_rtp_build (packet, size - 1, &in, exts, n), ==, 0);
    out = parsed (packet, size);
    g_assert_cmpuint (out.header_size, ==, size);
    g_assert_true (out.pt == in.pt && out.marker == in.marker && out.seq == in.seq
        && out.padding == in.padding && out.timestamp == in.timestamp
        && out.ssrc == in.ssrc && out.csrc_count == 0);
    for (guint e = 0; e < n; e++) {
      RccBytes value;

      g_assert_true (rcc_rtp_ext (&out, exts[e].id, &value));
      g_assert_cmpmem (value.data, value.size, values[e], exts[e].size);
    }
  }
}

static void
build_refuses_what_does_not_fit_the_form (void)
{
  static const struct { guint8 id, size; } bad[] = { {0, 1}, {15, 1}, {1, 0}, {1, 17} };
  const guint8 value[17] = { 0 };
  guint8 packet[100];

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    const RccRtpExt ext = { bad[i].id, bad[i].size, value };

    g_assert_cmpuint (rcc_rtp_build (packet, sizeof packet, &(RccRtp) { 0 }, &ext, 1), ==, 0);
  }
}

/* The truncation of 6.18 fixed point: never late, early by less than a tick. */
static void
abs_send_time_wraps (void)
{
  const guint64 tick_ns = 3816;        /* 3814.7, and the rounding to ns */
  RccUnwrap unwrap = { 0 };
  RccRng r;
  RccTime t = 0;

  g_assert_cmphex (rcc_abs_send_time (0), ==, 0);
  g_assert_cmphex (rcc_abs_send_time (RCC_SEC), ==, 1 << 18);
  g_assert_cmphex (rcc_abs_send_time (64 * RCC_SEC - 1), ==, 0xffffff);
  g_assert_cmphex (rcc_abs_send_time (64 * RCC_SEC), ==, 0);
  g_assert_cmphex (rcc_abs_send_time (RCC_NEVER), <=, 0xffffff);
  rcc_rng_init (&r, SEED, 2);
  for (guint i = 0; i < 100000; i++) {
    const gint64 ns = rcc_abs_send_time_to_ns (rcc_unwrap (&unwrap, rcc_abs_send_time (t), 24));

    g_assert_cmpint (ns, <=, (gint64) t);
    g_assert_cmpint (ns, >, (gint64) (t - tick_ns));
    t += rcc_rng_u32 (&r);              /* up to 4.3 s: thousands of wraps */
  }
  g_assert_cmpuint (t, >, 1000 * 64 * RCC_SEC);
}

static void
abs_send_time_to_ns (void)
{
  g_assert_cmpint (rcc_abs_send_time_to_ns (1), ==, 3815);       /* 3814.697 */
  g_assert_cmpint (rcc_abs_send_time_to_ns (-1), ==, -3815);
  g_assert_cmpint (rcc_abs_send_time_to_ns (1 << 18), ==, 1000000000);
  g_assert_cmpint (rcc_abs_send_time_to_ns (-(1 << 18)), ==, -1000000000);
  g_assert_cmpint (rcc_abs_send_time_to_ns (G_GINT64_CONSTANT (1) << 50), ==,
      (G_GINT64_CONSTANT (1) << 32) * 1000000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rtp/r1-short", r1_short);
  g_test_add_func ("/rtp/r1-version", r1_version);
  g_test_add_func ("/rtp/r1-header-beyond-end", r1_header_beyond_end);
  g_test_add_func ("/rtp/r1-truncated-at-every-byte", r1_truncated_at_every_byte);
  g_test_add_func ("/rtp/r1-padding", r1_padding);
  g_test_add_func ("/rtp/r1-64k", r1_64k);
  g_test_add_func ("/rtp/r2-length-past-block", r2_length_past_block);
  g_test_add_func ("/rtp/r2-id-15", r2_id_15);
  g_test_add_func ("/rtp/r2-id-0", r2_id_0);
  g_test_add_func ("/rtp/r2-two-byte-profile", r2_two_byte_profile);
  g_test_add_func ("/rtp/r2-other-profile", r2_other_profile);
  g_test_add_func ("/rtp/r2-absent-and-wrong-size", r2_absent_and_wrong_size);
  g_test_add_func ("/rtp/r2-duplicated", r2_duplicated);
  g_test_add_func ("/rtp/example-of-rfc8285", example_of_rfc8285);
  g_test_add_func ("/rtp/round-trip", round_trip);
  g_test_add_func ("/rtp/build-refuses-what-does-not-fit-the-form",
      build_refuses_what_does_not_fit_the_form);
  g_test_add_func ("/rtp/abs-send-time-wraps", abs_send_time_wraps);
  g_test_add_func ("/rtp/abs-send-time-to-ns", abs_send_time_to_ns);
  return g_test_run ();
}
