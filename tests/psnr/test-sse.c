/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Every implementation agrees with the reference to the last bit, and reads
 * nothing outside its rectangle: the pictures end where the heap block ends, so
 * a sanitizer sees one byte too many, and what lies between the rows differs.
 */
#include <glib.h>
#include <string.h>
#include "psnr/sse.h"

static const PsnrSse *
implementation (unsigned i)
{
  return i == 0 ? psnr_sse_plain () : i == 1 ? psnr_sse_avx2 () : psnr_sse_best ();
}

static guint8 *
noise (GRand *rand, gsize size)
{
  guint8 *data = g_malloc (size ? size : 1);

  for (gsize i = 0; i < size; i++)
    data[i] = (guint8) g_rand_int (rand);
  return data;
}

/* @width samples (or pairs) in blocks that end with the last one */
static void
check_size (GRand *rand, const PsnrSse *fast, gsize width, gsize height,
    gsize pad_a, gsize pad_b, gsize offset)
{
  const PsnrSse *ref = psnr_sse_reference ();

  for (gsize step = 1; step <= 2; step++) {
    gsize stride_a = step * width + pad_a, stride_b = step * width + pad_b;
    gsize size_a = offset + (height - 1) * stride_a + step * width;
    gsize size_b = offset + (height - 1) * stride_b + step * width;
    guint8 *a = noise (rand, size_a), *b = noise (rand, size_b);
    guint64 want[2], got[2] = { 1, 2 };

    if (step == 1) {
      g_assert_cmpuint (fast->plane (a + offset, stride_a, b + offset, stride_b, width,
              height), ==, ref->plane (a + offset, stride_a, b + offset, stride_b, width,
              height));
    } else {
      ref->pairs (a + offset, stride_a, b + offset, stride_b, width, height, want);
      fast->pairs (a + offset, stride_a, b + offset, stride_b, width, height, got);
      g_assert_cmpuint (got[0], ==, want[0]);
      g_assert_cmpuint (got[1], ==, want[1]);
    }
    g_free (a);
    g_free (b);
  }
}

static void
agrees_with_the_reference (gconstpointer which)
{
  const PsnrSse *fast = implementation (GPOINTER_TO_UINT (which));
  static const gsize pads[][2] = { {0, 0}, {1, 0}, {3, 17}, {0, 33} };
  GRand *rand;

  if (!fast) {
    g_test_skip ("this CPU has no AVX2");
    return;
  }
  rand = g_rand_new_with_seed (7);
  for (gsize width = 0; width <= 130; width++)
    for (gsize offset = 0; offset < 4; offset++)
      for (guint p = 0; p < G_N_ELEMENTS (pads); p++)
        check_size (rand, fast, width, 1 + (width + p) % 5, pads[p][0], pads[p][1],
            offset);
  for (gsize offset = 0; offset < 64; offset++)
    check_size (rand, fast, 100, 3, offset, 63 - offset, offset);
  check_size (rand, fast, 4095, 2, 1, 2, 1);
  check_size (rand, fast, 4097, 2, 1, 2, 1);
  check_size (rand, fast, 200003, 2, 5, 0, 3);
  g_rand_free (rand);
}

/* What a 32-bit sum cannot hold: every sample at the largest difference. */
static void
never_overflows (gconstpointer which)
{
  const PsnrSse *fast = implementation (GPOINTER_TO_UINT (which));
  const gsize width = 7680, height = 4320;
  guint8 *black, *white;
  guint64 pair[2];

  if (!fast) {
    g_test_skip ("this CPU has no AVX2");
    return;
  }
  black = g_malloc0 (width * height);
  white = g_malloc (width * height);
  memset (white, 255, width * height);
  g_assert_cmpuint (fast->plane (black, width, white, width, width, height), ==,
      G_GUINT64_CONSTANT (65025) * width * height);
  g_assert_cmpuint (fast->plane (white, width, black, width, width, height), ==,
      G_GUINT64_CONSTANT (65025) * width * height);
  /* one row of 33 million samples */
  g_assert_cmpuint (fast->plane (white, 0, black, 0, width * height, 1), ==,
      G_GUINT64_CONSTANT (65025) * width * height);
  fast->pairs (white, width, black, width, width / 2, height, pair);
  g_assert_cmpuint (pair[0], ==, G_GUINT64_CONSTANT (65025) * width / 2 * height);
  g_assert_cmpuint (pair[1], ==, pair[0]);
  g_free (black);
  g_free (white);
}

static void
every_difference_is_squared (gconstpointer which)
{
  const PsnrSse *fast = implementation (GPOINTER_TO_UINT (which));
  guint8 a[64], b[64];

  if (!fast) {
    g_test_skip ("this CPU has no AVX2");
    return;
  }
  for (int x = 0; x < 256; x++)
    for (int y = 0; y < 256; y++) {
      memset (a, x, sizeof a);
      memset (b, y, sizeof b);
      g_assert_cmpuint (fast->plane (a, 32, b, 32, 32, 2), ==, 64 * (x - y) * (x - y));
    }
}

static void
reads_bottom_up_pictures (void)
{
  guint8 a[3 * 40], b[3 * 40];

  for (guint i = 0; i < sizeof a; i++) {
    a[i] = (guint8) (i * 7);
    b[i] = (guint8) (i * 11);
  }
  for (guint i = 0; i < 3; i++) {
    const PsnrSse *fast = implementation (i);

    if (fast)
      g_assert_cmpuint (fast->plane (a + 80, -40, b + 80, -40, 37, 3), ==,
          psnr_sse_reference ()->plane (a, 40, b, 40, 37, 3));
  }
}

static void
takes_the_fastest (void)
{
  const PsnrSse *avx2 = psnr_sse_avx2 ();

  g_test_message ("AVX2: %s", avx2 ? "yes" : "no");
  g_assert_true (psnr_sse_best () == (avx2 ? avx2 : psnr_sse_plain ()));
}

int
main (int argc, char **argv)
{
  static const char *names[] = { "plain", "avx2", "best" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    gchar *agrees = g_strdup_printf ("/sse/%s/agrees-with-the-reference", names[i]);
    gchar *overflow = g_strdup_printf ("/sse/%s/never-overflows", names[i]);
    gchar *squares = g_strdup_printf ("/sse/%s/every-difference", names[i]);

    g_test_add_data_func (agrees, GUINT_TO_POINTER (i), agrees_with_the_reference);
    g_test_add_data_func (overflow, GUINT_TO_POINTER (i), never_overflows);
    g_test_add_data_func (squares, GUINT_TO_POINTER (i), every_difference_is_squared);
    g_free (agrees);
    g_free (overflow);
    g_free (squares);
  }
  g_test_add_func ("/sse/bottom-up", reads_bottom_up_pictures);
  g_test_add_func ("/sse/takes-the-fastest", takes_the_fastest);
  return g_test_run ();
}
