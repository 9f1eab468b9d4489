/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A window is 2x2 blocks of 4x4 samples, and each block belongs to four
 * windows: its sums are made once.  Two rows of blocks are kept at a time, in
 * tiles of fixed width, so nothing is allocated.
 */
#include "psnr/ssim.h"

#define TILE 128                /* blocks of 4x4 kept of a row */

typedef struct {
  uint64_t a, b;                /* sums */
  uint64_t squares;             /* of both planes */
  uint64_t products;
} Sums;

typedef struct {
  const uint8_t *a, *b;
  ptrdiff_t stride_a, stride_b;
} Planes;

static Sums
block_sums (const Planes *p, size_t x, size_t y, size_t width, size_t height)
{
  const uint8_t *a = p->a + (ptrdiff_t) y * p->stride_a + (ptrdiff_t) x;
  const uint8_t *b = p->b + (ptrdiff_t) y * p->stride_b + (ptrdiff_t) x;
  Sums sums = { 0 };

  for (; height > 0; height--, a += p->stride_a, b += p->stride_b) {
    uint32_t sa = 0, sb = 0, squares = 0, products = 0;

    for (size_t i = 0; i < width; i++) {
      uint32_t va = a[i], vb = b[i];

      sa += va;
      sb += vb;
      squares += va * va + vb * vb;
      products += va * vb;
    }
    sums.a += sa;
    sums.b += sb;
    sums.squares += squares;
    sums.products += products;
  }
  return sums;
}

static double
window (double a, double b, double squares, double products, double samples)
{
  const double c1 = (0.01 * 255) * (0.01 * 255), c2 = (0.03 * 255) * (0.03 * 255);
  double ma = a / samples, mb = b / samples;
  double variances = squares / samples - ma * ma - mb * mb;
  double covariance = products / samples - ma * mb;

  return (2 * ma * mb + c1) * (2 * covariance + c2)
      / ((ma * ma + mb * mb + c1) * (variances + c2));
}

static double
window_of_blocks (const Sums *top, const Sums *bottom)
{
  return window (top[0].a + top[1].a + bottom[0].a + bottom[1].a,
      top[0].b + top[1].b + bottom[0].b + bottom[1].b,
      top[0].squares + top[1].squares + bottom[0].squares + bottom[1].squares,
      top[0].products + top[1].products + bottom[0].products + bottom[1].products,
      64);
}

/* Sum over the windows whose left block is one of @n from block @first on. */
static double
tile_sum (const Planes *p, size_t first, size_t n, size_t rows)
{
  Sums kept[2][TILE + 1];
  double sum = 0;

  for (size_t row = 0; row < rows; row++) {
    Sums *now = kept[row & 1], *above = kept[~row & 1];

    for (size_t i = 0; i <= n; i++)
      now[i] = block_sums (p, 4 * (first + i), 4 * row, 4, 4);
    for (size_t i = 0; row > 0 && i < n; i++)
      sum += window_of_blocks (above + i, now + i);
  }
  return sum;
}

double
psnr_ssim (const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b,
    ptrdiff_t stride_b, size_t width, size_t height)
{
  Planes planes = { a, b, stride_a, stride_b };
  size_t columns = width / 4, rows = height / 4;
  double sum = 0;

  if (width == 0 || height == 0)
    return 1;
  if (columns < 2 || rows < 2) {
    Sums s = block_sums (&planes, 0, 0, width, height);

    return window (s.a, s.b, s.squares, s.products, (double) width * height);
  }
  for (size_t x = 0; x < columns - 1; x += TILE) {
    size_t left = columns - 1 - x;

    sum += tile_sum (&planes, x, left < TILE ? left : TILE, rows);
  }
  return sum / ((double) (columns - 1) * (rows - 1));
}
