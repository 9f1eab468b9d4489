/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sse.h - sum of squared differences of two 8-bit planes
 *
 * Three implementations of one contract. All of them return the exact sum, so they agree to the
 * last bit. They read no byte outside the @width x @height rectangle and need no alignment.
 * Strides are in bytes and may be odd, larger than the width, or negative (a picture stored
 * bottom-up).
 *
 * Exact up to 2^48 samples of the largest difference.
 */
#ifndef PSNR_SSE_H
#define PSNR_SSE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name;
  /* one component: @width samples a row */
  uint64_t (*plane) (const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b,
      ptrdiff_t stride_b, size_t width, size_t height);
  /* two interleaved components (NV12): @width pairs a row; adds nothing to
   * @sums, sets both: [0] of the even bytes, [1] of the odd ones */
  void (*pairs) (const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b,
      ptrdiff_t stride_b, size_t width, size_t height, uint64_t sums[2]);
} PsnrSse;

const PsnrSse *psnr_sse_reference (void);  /* one sample at a time */
const PsnrSse *psnr_sse_plain (void);      /* C that the compiler vectorises */
const PsnrSse *psnr_sse_avx2 (void);       /* NULL where the CPU has no AVX2 */
const PsnrSse *psnr_sse_best (void);       /* the fastest this CPU can run */

#endif
