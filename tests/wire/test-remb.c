/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wire-test.h"
#include "wire/remb.h"

static gboolean
parses (const guint8 *data, gsize size, RccRemb *remb)
{
  const RccRtcpPacket packet = only_packet (data, size);

  return rcc_remb_parse (&packet, remb);
}

static guint64
bps_of (const guint8 *data, gsize size)
{
  RccRemb remb;

  g_assert_true (parses (data, size, &remb));
  return remb.bps;
}

static void
c6_num_ssrc (void)
{
  RccRemb remb;

  g_assert_true (parses (ALL (remb_c6_num_ssrc_0), &remb));
  g_assert_cmpuint (remb.n_ssrcs, ==, 0);
  g_assert_cmpuint (remb.bps, ==, 400);
  g_assert_false (parses (ALL (remb_c6_num_ssrc_255), &remb));
  g_assert_false (parses (ALL (remb_c6_num_ssrc_lie), &remb));
}

static void
c6_exp_63 (void)
{
  g_assert_cmpuint (bps_of (ALL (remb_c6_exp_63)), ==, G_MAXUINT64);
  g_assert_cmpuint (bps_of (ALL (remb_c6_exp_63_mantissa_0)), ==, 0);
  g_assert_cmpuint (bps_of (ALL (remb_c6_exp_63_mantissa_1)), ==, G_GUINT64_CONSTANT (1) << 63);
}

static void
c6_rate_0_and_1 (void)
{
  g_assert_cmpuint (bps_of (ALL (remb_c6_rate_0)), ==, 0);
  g_assert_cmpuint (bps_of (ALL (remb_c6_rate_1)), ==, 1);
}

static void
c6_not_remb (void)
{
  RccRemb remb;

  g_assert_false (parses (ALL (remb_c6_identifier), &remb));
  g_assert_false (parses (ALL (remb_c6_cut_in_identifier), &remb));
  g_assert_false (parses (ALL (remb_c6_length_0), &remb));
  g_assert_false (parses (ALL (remb_c6_length_1), &remb));
}

/* Every exponent and a few mantissas, against arithmetic in double. */
static void
saturates (void)
{
  static const guint32 mantissas[] = { 1, 2, 3, 0x1ffff, 0x20000, 0x3ffff };
  guint8 data[sizeof remb_c6_rate_1];

  memcpy (data, ALL (remb_c6_rate_1));
  for (guint exp = 0; exp < 64; exp++)
    for (gsize i = 0; i < G_N_ELEMENTS (mantissas); i++) {
      double value = mantissas[i];

      for (guint e = 0; e < exp; e++)
        value *= 2;
      rcc_put24 (data + 17, exp << 18 | mantissas[i]);
      if (value < 18446744073709551616.0)
        g_assert_cmpuint (bps_of (ALL (data)), ==, (guint64) value);
      else
        g_assert_cmpuint (bps_of (ALL (data)), ==, G_MAXUINT64);
    }
}

/* Never above the rate asked for, below it by less than 2^-17 of it. */
static void
rounding_error (void)
{
  guint8 data[24];
  RccRng r;

  rcc_rng_init (&r, SEED, 4);
  for (guint i = 0; i < 1000000; i++) {
    const guint64 bps = i < 64 ? G_MAXUINT64 >> i : random_rate (&r);
    const guint64 got = bps_of (data, rcc_remb_build (data, sizeof data, 1, bps,
            (const guint32[]) { 2 }, 1));

    g_assert_cmpuint (got, <=, bps);
    g_assert_cmpuint (bps - got, <=, bps >> 17);
    g_assert_true (bps == 0 || (double) (bps - got) / (double) bps < 0x1p-17);
  }
}

static void
round_trip (void)
{
  guint32 ssrcs[255];
  guint8 data[20 + 4 * 255];
  RccRng r;

  rcc_rng_init (&r, SEED, 5);
  for (guint n = 0; n <= 255; n++) {
    const guint32 sender = rcc_rng_u32 (&r), bps = rcc_rng_u32 (&r) >> 14;
    RccRemb remb;
    gsize size;

    for (guint i = 0; i < n; i++)
      ssrcs[i] = rcc_rng_u32 (&r);
    size = rcc_remb_build (data, sizeof data, sender, bps, ssrcs, n);
    g_assert_cmpuint (size, ==, 20 + 4 * n);
    g_assert_true (parses (data, size, &remb));
    g_assert_cmpuint (remb.sender_ssrc, ==, sender);
    g_assert_cmpuint (remb.bps, ==, bps);
    g_assert_cmpuint (remb.n_ssrcs, ==, n);
    g_assert_cmpuint (remb.ssrcs.size, ==, 4 * n);
    for (guint i = 0; i < n; i++)
      g_assert_cmpuint (rcc_remb_ssrc (&remb, i), ==, ssrcs[i]);
    g_assert_cmpuint (rcc_remb_build (data, size - 1, sender, bps, ssrcs, n), ==, 0);
  }
  g_assert_cmpuint (rcc_remb_build (data, sizeof data, 1, 1, ssrcs, 256), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/remb/c6-num-ssrc", c6_num_ssrc);
  g_test_add_func ("/remb/c6-exp-63", c6_exp_63);
  g_test_add_func ("/remb/c6-rate-0-and-1", c6_rate_0_and_1);
  g_test_add_func ("/remb/c6-not-remb", c6_not_remb);
  g_test_add_func ("/remb/saturates", saturates);
  g_test_add_func ("/remb/rounding-error", rounding_error);
  g_test_add_func ("/remb/round-trip", round_trip);
  return g_test_run ();
}
