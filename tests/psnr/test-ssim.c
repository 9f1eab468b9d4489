/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include <string.h>
#include "psnr/ssim.h"

/* The formula of ssim.h, window by window, sample by sample. */
static double
slow_ssim (const guint8 *a, const guint8 *b, gsize stride, gsize width, gsize height)
{
  const double c1 = 6.5025, c2 = 58.5225;
  double sum = 0;
  gsize windows = 0;

  for (gsize y = 0; y + 8 <= height / 4 * 4; y += 4)
    for (gsize x = 0; x + 8 <= width / 4 * 4; x += 4, windows++) {
      double ma = 0, mb = 0, va = 0, vb = 0, cov = 0;

      for (gsize i = 0; i < 64; i++) {
        ma += a[(y + i / 8) * stride + x + i % 8] / 64.0;
        mb += b[(y + i / 8) * stride + x + i % 8] / 64.0;
      }
      for (gsize i = 0; i < 64; i++) {
        double da = a[(y + i / 8) * stride + x + i % 8] - ma;
        double db = b[(y + i / 8) * stride + x + i % 8] - mb;

        va += da * da / 64;
        vb += db * db / 64;
        cov += da * db / 64;
      }
      sum += (2 * ma * mb + c1) * (2 * cov + c2)
          / ((ma * ma + mb * mb + c1) * (va + vb + c2));
    }
  return sum / windows;
}

static void
follows_the_formula (void)
{
  static const gsize sizes[][2] = { {8, 8}, {9, 11}, {16, 8}, {64, 48}, {131, 37},
    {515, 12}, {520, 9}, {1030, 8} };
  GRand *rand = g_rand_new_with_seed (11);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    gsize width = sizes[i][0], height = sizes[i][1], stride = width + 3;
    guint8 *a = g_malloc (stride * height), *b = g_malloc (stride * height);

    for (gsize k = 0; k < stride * height; k++) {
      gint value;

      a[k] = (guint8) g_rand_int (rand);
      value = a[k] + g_rand_int_range (rand, -40, 41);
      b[k] = (guint8) CLAMP (value, 0, 255);
    }
    g_assert_cmpfloat_with_epsilon (psnr_ssim (a, stride, b, stride, width, height),
        slow_ssim (a, b, stride, width, height), 1e-9);
    g_free (a);
    g_free (b);
  }
  g_rand_free (rand);
}

static void
flat_planes_give_the_luminance_term (void)
{
  guint8 a[32 * 32], b[32 * 32];
  double want = (2 * 100.0 * 120 + 6.5025) / (100.0 * 100 + 120.0 * 120 + 6.5025);

  memset (a, 100, sizeof a);
  memset (b, 120, sizeof b);
  g_assert_cmpfloat_with_epsilon (psnr_ssim (a, 32, b, 32, 32, 32), want, 1e-9);
}

static void
is_one_for_identical_and_less_for_inverted (void)
{
  guint8 a[40 * 40], b[40 * 40];

  for (guint i = 0; i < sizeof a; i++) {
    a[i] = (guint8) (i * 37);
    b[i] = (guint8) (255 - a[i]);
  }
  g_assert_cmpfloat_with_epsilon (psnr_ssim (a, 40, a, 40, 40, 40), 1, 1e-12);
  g_assert_cmpfloat (psnr_ssim (a, 40, b, 40, 40, 40), <, 0);
}

static void
small_planes_are_one_window (void)
{
  guint8 a[] = { 10, 200, 30, 40, 50, 60 }, b[] = { 12, 190, 33, 44, 50, 61 };

  g_assert_cmpfloat (psnr_ssim (a, 1, b, 1, 0, 5), ==, 1);
  g_assert_cmpfloat_with_epsilon (psnr_ssim (a, 1, a, 1, 1, 1), 1, 1e-12);
  g_assert_cmpfloat_with_epsilon (psnr_ssim (a, 3, b, 3, 1, 1),
      (2 * 120 + 6.5025) / (100 + 144 + 6.5025), 1e-9);
  g_assert_cmpfloat (psnr_ssim (a, 3, b, 3, 3, 2), <, 1);
  g_assert_cmpfloat (psnr_ssim (a, 3, b, 3, 3, 2), >, 0.9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ssim/follows-the-formula", follows_the_formula);
  g_test_add_func ("/ssim/flat-planes", flat_planes_give_the_luminance_term);
  g_test_add_func ("/ssim/identical-and-inverted", is_one_for_identical_and_less_for_inverted);
  g_test_add_func ("/ssim/small-planes", small_planes_are_one_window);
  return g_test_run ();
}
