/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The implementation the fast ones are tested against: nothing clever here.
 */
#include "psnr/sse.h"

static uint64_t
reference_plane (const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b,
    ptrdiff_t stride_b, size_t width, size_t height)
{
  uint64_t sum = 0;

  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++) {
      int d = a[(ptrdiff_t) y * stride_a + (ptrdiff_t) x]
          - b[(ptrdiff_t) y * stride_b + (ptrdiff_t) x];

      sum += (uint64_t) (d * d);
    }
  return sum;
}

static void
reference_pairs (const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b,
    ptrdiff_t stride_b, size_t width, size_t height, uint64_t sums[2])
{
  sums[0] = sums[1] = 0;
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < 2 * width; x++) {
      int d = a[(ptrdiff_t) y * stride_a + (ptrdiff_t) x]
          - b[(ptrdiff_t) y * stride_b + (ptrdiff_t) x];

      sums[x & 1] += (uint64_t) (d * d);
    }
}

const PsnrSse *
psnr_sse_reference (void)
{
  static const PsnrSse sse = { "reference", reference_plane, reference_pairs };

  return &sse;
}

const PsnrSse *
psnr_sse_best (void)
{
  const PsnrSse *avx2 = psnr_sse_avx2 ();

  return avx2 ? avx2 : psnr_sse_plain ();
}
