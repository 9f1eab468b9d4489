/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>

#include "core/encoder-rate.h"

static guint
bitrate (guint target, guint fec, guint reserved, guint overhead, gdouble rate)
{
  const RccEncoderLimits l = { .max_bps = G_MAXUINT, .reserved_bps = reserved,
    .packet_overhead = overhead, .mtu = 1200 };

  return rcc_encoder_bitrate (&l, target, fec, rate);
}

static void
of_a_target (void)
{
  RccEncoderLimits l = { .min_bps = 300, .max_bps = 200, .mtu = 1200 };

  g_assert_cmpuint (bitrate (1000000, 0, 0, 0, 0), ==, 1000000);
  g_assert_cmpuint (bitrate (1000000, 200000, 50000, 0, 30), ==, 750000);
  /* Full packets: 24 bytes of 1200. */
  g_assert_cmpuint (bitrate (1000000, 0, 0, 24, 0), ==, 980000);
  /* Opus, one packet per 20 ms: 24 * 8 * 50. */
  g_assert_cmpuint (bitrate (40000, 0, 0, 24, 50), ==, 30400);
  /* Nothing left, or less. */
  g_assert_cmpuint (bitrate (5000, 0, 0, 24, 50), ==, 0);
  g_assert_cmpuint (bitrate (5000, 4000, 2000, 0, 0), ==, 0);
  g_assert_cmpuint (bitrate (0, 0, 0, 24, 30), ==, 0);
  g_assert_cmpuint (bitrate (1000000, 0, 0, 1300, 30), ==, 0);
  /* min wins */
  g_assert_cmpuint (rcc_encoder_bitrate (&l, 1000, 0, 0), ==, 300);
  l.min_bps = 0;
  g_assert_cmpuint (rcc_encoder_bitrate (&l, 1000, 0, 0), ==, 200);
}

/* Against a packetiser: frames of varying size, 20 s of them, must fill the
 * target to 2 % and not exceed it by more than 1 %. */
static void
fills_the_target (void)
{
  static const guint targets[] = { 150000, 300000, 700000, 2500000 };

  for (guint k = 0; k < G_N_ELEMENTS (targets); k++) {
    const guint bps = bitrate (targets[k], 0, 0, 24, 30);
    GRand *rand = g_rand_new_with_seed (1);
    gdouble wire = 0, media = 0;

    for (guint i = 0; i < 600; i++) {
      const guint size = (guint) (bps / 240. * g_rand_double_range (rand, 0.3, 1.7));

      media += size;
      wire += size + 24. * ((size + 1175) / 1176);
    }
    wire *= bps * 20. / 8. / media;     /* as if the encoder had hit its rate */
    g_rand_free (rand);
    g_assert_cmpfloat (wire * 8 / 20, >, targets[k] * 0.98);
    g_assert_cmpfloat (wire * 8 / 20, <, targets[k] * 1.01);
  }
}

/* What the target for a bitrate is, the bitrate for that target gives back. */
static void
and_back (void)
{
  const RccEncoderLimits l = { .max_bps = G_MAXUINT, .reserved_bps = 50000,
    .packet_overhead = 24, .mtu = 1200 };

  for (guint bps = 10000; bps < 5000000; bps += 9973) {
    const guint back = rcc_encoder_bitrate (&l, rcc_encoder_target (&l, bps, 30), 0, 30);

    g_assert_cmpuint (back, >=, bps - 1);
    g_assert_cmpuint (back, <=, bps);
  }
  g_assert_cmpuint (rcc_encoder_target (&l, G_MAXUINT, 30), ==, G_MAXUINT);
}

static void
changes (void)
{
  const RccTime interval = 100 * RCC_MSEC;

#define CHANGE(current, wanted, since) rcc_encoder_change (current, wanted, since, interval)
  g_assert_cmpint (CHANGE (1000, 1010, interval), ==, RCC_ENCODER_STAYS);
  g_assert_cmpint (CHANGE (1000, 990, interval), ==, RCC_ENCODER_STAYS);
  g_assert_cmpint (CHANGE (1000, 1011, interval), ==, RCC_ENCODER_NOW);
  g_assert_cmpint (CHANGE (1000, 2000, interval - 1), ==, RCC_ENCODER_LATER);
  g_assert_cmpint (CHANGE (1000, 950, 0), ==, RCC_ENCODER_LATER);
  g_assert_cmpint (CHANGE (1000, 949, 0), ==, RCC_ENCODER_NOW);
  g_assert_cmpint (CHANGE (1, 1, interval), ==, RCC_ENCODER_STAYS);
  g_assert_cmpint (CHANGE (G_MAXUINT, 0, 0), ==, RCC_ENCODER_NOW);
}

static void
frame_rate (void)
{
  RccFrameRate f = RCC_FRAME_RATE_INIT;
  guint renewed = 0;

  g_assert_false (rcc_frame_rate_add (&f, RCC_NEVER));
  for (guint i = 0; i <= 75; i++)
    renewed += rcc_frame_rate_add (&f, i * RCC_SEC / 25);
  g_assert_cmpuint (renewed, ==, 3);
  g_assert_true (f.rate > 24.99 && f.rate < 25.01);
  /* Back, and far ahead: neither renews nor divides by nothing. */
  g_assert_false (rcc_frame_rate_add (&f, 0));
  g_assert_false (rcc_frame_rate_add (&f, 0));
  g_assert_false (rcc_frame_rate_add (&f, UINT64_MAX - 1));
  g_assert_false (rcc_frame_rate_add (&f, RCC_NEVER));
  g_assert_true (f.rate > 24.99 && f.rate < 25.01);
}

/* 41 ms apart none comes after 1 s exactly. */
static void
frame_rate_of_any_spacing (void)
{
  RccFrameRate f = RCC_FRAME_RATE_INIT;
  guint renewed = 0;

  for (guint i = 0; i <= 75; i++)
    renewed += rcc_frame_rate_add (&f, RCC_SEC + i * 41 * RCC_MSEC);
  g_assert_cmpuint (renewed, ==, 3);
  g_assert_cmpfloat_with_epsilon (f.rate, 1000.0 / 41, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/encoder-rate/of-a-target", of_a_target);
  g_test_add_func ("/encoder-rate/fills-the-target", fills_the_target);
  g_test_add_func ("/encoder-rate/and-back", and_back);
  g_test_add_func ("/encoder-rate/changes", changes);
  g_test_add_func ("/encoder-rate/frame-rate", frame_rate);
  g_test_add_func ("/encoder-rate/frame-rate-of-any-spacing", frame_rate_of_any_spacing);
  return g_test_run ();
}
