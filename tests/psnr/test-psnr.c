/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <math.h>
#include <string.h>
#include "psnr/psnr.h"

typedef struct {
  PsnrPicture picture;
  guint8 *data[3];
} Picture;

/* 4:2:0 planar, chroma rounded up, every plane in its own block */
static Picture
i420 (guint width, guint height, guint pad, guint8 y, guint8 u, guint8 v)
{
  const guint8 values[] = { y, u, v };
  Picture p = { .picture.n_planes = 3 };

  for (guint i = 0; i < 3; i++) {
    guint w = i ? (width + 1) / 2 : width, h = i ? (height + 1) / 2 : height;

    p.data[i] = g_malloc ((w + pad) * h);
    memset (p.data[i], 0xEE, (w + pad) * h);
    for (guint row = 0; row < h; row++)
      memset (p.data[i] + row * (w + pad), values[i], w);
    p.picture.plane[i] = (PsnrPlane) { p.data[i], w + pad, w, h, (guint8) i, FALSE };
  }
  return p;
}

static void
picture_clear (Picture *p)
{
  for (guint i = 0; i < 3; i++)
    g_free (p->data[i]);
}

static void
constant_difference_is_known (void)
{
  for (guint d = 1; d <= 255; d++) {
    Picture a = i420 (33, 17, 0, 0, 0, 0);
    Picture b = i420 (33, 17, 5, (guint8) d, (guint8) d, (guint8) d);
    PsnrError e = psnr_measure (&a.picture, &b.picture);
    double want = 20 * log10 (255.0 / d);

    for (guint c = 0; c < 3; c++)
      g_assert_cmpfloat_with_epsilon (psnr_db (e.sse[c], e.samples[c]), want, 1e-9);
    g_assert_cmpfloat_with_epsilon (psnr_all (&e), want, 1e-9);
    g_assert_cmpfloat_with_epsilon (psnr_611 (&e), want, 1e-9);
    picture_clear (&a);
    picture_clear (&b);
  }
}

static void
identical_is_capped (void)
{
  Picture a = i420 (7680, 4320, 0, 90, 100, 110), b = i420 (7680, 4320, 1, 90, 100, 110);
  PsnrError e = psnr_measure (&a.picture, &b.picture);

  g_assert_cmpuint (e.samples[PSNR_Y], ==, 7680 * 4320);
  g_assert_cmpfloat (psnr_all (&e), ==, PSNR_CAP);
  g_assert_cmpfloat (psnr_611 (&e), ==, PSNR_CAP);
  b.data[0][7679]++;            /* one sample of 33 million: 123 dB, capped too */
  e = psnr_measure (&a.picture, &b.picture);
  g_assert_cmpuint (e.sse[PSNR_Y], ==, 1);
  g_assert_cmpfloat (psnr_all (&e), ==, PSNR_CAP);
  g_assert_cmpfloat (psnr_db (0, 0), ==, PSNR_CAP);
  picture_clear (&a);
  picture_clear (&b);
}

static void
components_weigh_by_their_samples (void)
{
  Picture a = i420 (64, 32, 0, 50, 50, 50), b = i420 (64, 32, 0, 52, 56, 50);
  PsnrError e = psnr_measure (&a.picture, &b.picture);
  double y = 20 * log10 (255.0 / 2), u = 20 * log10 (255.0 / 6);

  g_assert_cmpuint (e.samples[PSNR_Y], ==, 4 * e.samples[PSNR_U]);
  /* (4 * 4 + 1 * 36 + 1 * 0) / 6 */
  g_assert_cmpfloat_with_epsilon (psnr_all (&e), 10 * log10 (65025 / (52.0 / 6)), 1e-9);
  g_assert_cmpfloat_with_epsilon (psnr_611 (&e), (6 * y + u + PSNR_CAP) / 8, 1e-9);
  memset (e.samples + 1, 0, sizeof e.samples - sizeof e.samples[0]);
  g_assert_cmpfloat_with_epsilon (psnr_611 (&e), y, 1e-9);
  picture_clear (&a);
  picture_clear (&b);
}

static void
interleaved_chroma_equals_planar (void)
{
  guint8 u[2][6], v[2][6], uv[2][12], luma[2][24] = { {0}, {0} };
  PsnrPicture planar[2], nv12[2], nv21[2];
  PsnrError e[3];

  for (guint p = 0; p < 2; p++) {
    for (guint i = 0; i < 6; i++) {
      uv[p][2 * i] = u[p][i] = (guint8) (i * 9 + p * 5);
      uv[p][2 * i + 1] = v[p][i] = (guint8) (i * 3 + p * 11);
    }
    planar[p] = (PsnrPicture) { 3, { {luma[p], 6, 6, 4, PSNR_Y, FALSE},
            {u[p], 3, 3, 2, PSNR_U, FALSE}, {v[p], 3, 3, 2, PSNR_V, FALSE} } };
    nv12[p] = (PsnrPicture) { 2, { {luma[p], 6, 6, 4, PSNR_Y, FALSE},
            {uv[p], 6, 3, 2, PSNR_U, TRUE} } };
    nv21[p] = nv12[p];
    nv21[p].plane[1].component = PSNR_V;
  }
  e[0] = psnr_measure (&planar[0], &planar[1]);
  e[1] = psnr_measure (&nv12[0], &nv12[1]);
  e[2] = psnr_measure (&nv21[0], &nv21[1]);
  g_assert_cmpuint (e[0].sse[PSNR_U], ==, 6 * 25);
  g_assert_cmpuint (e[0].sse[PSNR_V], ==, 6 * 121);
  g_assert_cmpmem (&e[1], sizeof e[1], &e[0], sizeof e[0]);
  g_assert_cmpuint (e[2].sse[PSNR_V], ==, 6 * 25);
  g_assert_cmpuint (e[2].sse[PSNR_U], ==, 6 * 121);
  g_assert_cmpuint (e[2].samples[PSNR_U], ==, 6);
  g_assert_false (psnr_picture_same_shape (&planar[0], &nv12[0]));
  g_assert_false (psnr_picture_same_shape (&nv12[0], &nv21[0]));
  g_assert_true (psnr_picture_same_shape (&nv12[0], &nv12[1]));
}

static void
one_by_one_and_odd_sizes (void)
{
  for (guint width = 1; width <= 9; width++)
    for (guint height = 1; height <= 9; height++) {
      Picture a = i420 (width, height, 0, 10, 20, 30), b = i420 (width, height, 3, 13, 20, 30);
      PsnrError e = psnr_measure (&a.picture, &b.picture);

      g_assert_cmpuint (e.samples[PSNR_Y], ==, width * height);
      g_assert_cmpuint (e.samples[PSNR_U], ==, (width + 1) / 2 * ((height + 1) / 2));
      g_assert_cmpuint (e.sse[PSNR_Y], ==, 9 * width * height);
      g_assert_cmpuint (e.sse[PSNR_U] + e.sse[PSNR_V], ==, 0);
      picture_clear (&a);
      picture_clear (&b);
    }
}

static void
crop_leaves_out_what_it_says (void)
{
  Picture a = i420 (33, 20, 2, 50, 50, 50), b = i420 (33, 20, 0, 50, 50, 50);
  PsnrPicture full = b.picture;
  PsnrCrop crop = { 5, 2, 1, 3 }, all = { 10, 10, 0, 0 }, wide = { 0, 0, G_MAXUINT32, 1 };
  PsnrError e;

  memset (b.data[0], 0, 5 * 33);        /* what is cropped differs ... */
  memset (b.data[0] + 18 * 33, 0, 2 * 33);
  memset (b.data[1], 0, 3 * 17);
  memset (b.data[1] + 9 * 17, 0, 17);
  for (guint row = 0; row < 20; row++) {
    b.data[0][row * 33] = 0;
    memset (b.data[0] + row * 33 + 30, 0, 3);
  }
  for (guint row = 0; row < 10; row++) {
    b.data[1][row * 17] = 0;
    memset (b.data[1] + row * 17 + 15, 0, 2);
  }
  g_assert_true (psnr_picture_crop (&a.picture, &crop));
  g_assert_true (psnr_picture_crop (&b.picture, &crop));
  e = psnr_measure (&a.picture, &b.picture);
  g_assert_cmpuint (e.sse[PSNR_Y] + e.sse[PSNR_U] + e.sse[PSNR_V], ==, 0);
  g_assert_cmpuint (e.samples[PSNR_Y], ==, 29 * 13);
  g_assert_cmpuint (e.samples[PSNR_U], ==, 14 * 6);     /* columns 1..14, rows 3..8 */
  b.data[0][5 * 33 + 1]++;      /* ... and the first one left is seen */
  b.data[1][3 * 17 + 1]++;
  e = psnr_measure (&a.picture, &b.picture);
  g_assert_cmpuint (e.sse[PSNR_Y], ==, 1);
  g_assert_cmpuint (e.sse[PSNR_U], ==, 1);
  g_assert_false (psnr_picture_crop (&full, &all));
  g_assert_false (psnr_picture_crop (&full, &wide));
  g_assert_cmpuint (full.plane[0].height, ==, 20);
  picture_clear (&a);
  picture_clear (&b);
}

static void
pooled_and_mean (void)
{
  PsnrPool pool = { 0 };
  PsnrError near = { {1000, 0, 0}, {1000, 0, 0} };      /* MSE 1 */
  PsnrError far = { {100000, 0, 0}, {1000, 0, 0} };     /* MSE 100 */
  double half = 0.5;

  g_assert_cmpfloat (psnr_pool_mean (&pool), ==, 0);
  g_assert_cmpfloat (psnr_pool_mean_ssim (&pool), ==, 0);
  psnr_pool_add (&pool, &near, NULL);
  psnr_pool_add (&pool, &far, &half);
  g_assert_cmpfloat_with_epsilon (psnr_pool_mean (&pool), 10 * log10 (65025) - 10, 1e-9);
  g_assert_cmpfloat_with_epsilon (psnr_all (&pool.total), 10 * log10 (65025 / 50.5), 1e-9);
  g_assert_cmpfloat (psnr_all (&pool.total), <, psnr_pool_mean (&pool));
  g_assert_cmpfloat (psnr_pool_mean_ssim (&pool), ==, 0.5);
  g_assert_cmpuint (pool.frames, ==, 2);
  g_assert_cmpuint (pool.identical, ==, 0);
  near.sse[0] = 0;
  psnr_pool_add (&pool, &near, NULL);
  g_assert_cmpuint (pool.identical, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/psnr/constant-difference", constant_difference_is_known);
  g_test_add_func ("/psnr/identical-is-capped", identical_is_capped);
  g_test_add_func ("/psnr/weights", components_weigh_by_their_samples);
  g_test_add_func ("/psnr/interleaved", interleaved_chroma_equals_planar);
  g_test_add_func ("/psnr/odd-sizes", one_by_one_and_odd_sizes);
  g_test_add_func ("/psnr/crop", crop_leaves_out_what_it_says);
  g_test_add_func ("/psnr/pooled-and-mean", pooled_and_mean);
  return g_test_run ();
}
