/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Compiled at -O3 whatever the build type: GCC 12 does not vectorise these loops at -O2. A square
 * is at most 255^2 = 65025, so a 32-bit sum holds 66051 of them. It is moved to 64 bits long
 * before that.
 */
#include "psnr/sse.h"

#define CHUNK 4096              /* samples summed in 32 bits in plain C */

static uint64_t
plain_plane (const uint8_t *restrict a, ptrdiff_t stride_a,
    const uint8_t *restrict b, ptrdiff_t stride_b, size_t width, size_t height)
{
  uint64_t sum = 0;

  for (; height > 0; height--, a += stride_a, b += stride_b) {
    for (size_t x = 0; x < width; x += CHUNK) {
      size_t end = width - x < CHUNK ? width : x + CHUNK;
      uint32_t part = 0;

      for (size_t i = x; i < end; i++) {
        int16_t d = (int16_t) (a[i] - b[i]);

        part += (uint32_t) (d * d);
      }
      sum += part;
    }
  }
  return sum;
}

static void
plain_pairs (const uint8_t *restrict a, ptrdiff_t stride_a,
    const uint8_t *restrict b, ptrdiff_t stride_b, size_t width, size_t height,
    uint64_t sums[2])
{
  sums[0] = sums[1] = 0;
  for (; height > 0; height--, a += stride_a, b += stride_b) {
    for (size_t x = 0; x < width; x += CHUNK) {
      size_t end = width - x < CHUNK ? width : x + CHUNK;
      uint32_t even = 0, odd = 0;

      for (size_t i = x; i < end; i++) {
        int16_t d0 = (int16_t) (a[2 * i] - b[2 * i]);
        int16_t d1 = (int16_t) (a[2 * i + 1] - b[2 * i + 1]);

        even += (uint32_t) (d0 * d0);
        odd += (uint32_t) (d1 * d1);
      }
      sums[0] += even;
      sums[1] += odd;
    }
  }
}

const PsnrSse *
psnr_sse_plain (void)
{
  static const PsnrSse sse = { "plain", plain_plane, plain_pairs };

  return &sse;
}

#if defined (__GNUC__) && (defined (__x86_64__) || defined (__i386__))
#include <immintrin.h>

#define AVX2 __attribute__ ((target ("avx2")))
/* A step of 32 bytes adds at most 4 * 65025 to a 32-bit lane, so 16512 steps
 * fit.  Rows are cut in pieces of STEPS, and a piece starts only where it
 * still fits. */
#define STEPS 4096
#define MAX_STEPS 16384

AVX2 static inline uint64_t
lanes_sum (__m256i v)
{
  uint32_t lane[8];
  uint64_t sum = 0;

  _mm256_storeu_si256 ((__m256i *) lane, v);
  for (int i = 0; i < 8; i++)
    sum += lane[i];
  return sum;
}

AVX2 static inline __m256i
load32 (const uint8_t *p)
{
  return _mm256_loadu_si256 ((const __m256i *) p);
}

/* |a - b| of unsigned bytes: one of the two saturated differences is zero */
AVX2 static inline __m256i
distance (const uint8_t *a, const uint8_t *b)
{
  __m256i va = load32 (a), vb = load32 (b);

  return _mm256_or_si256 (_mm256_subs_epu8 (va, vb), _mm256_subs_epu8 (vb, va));
}

AVX2 static inline __m256i
even_squares (__m256i d)
{
  __m256i even = _mm256_and_si256 (d, _mm256_set1_epi16 (0xff));

  return _mm256_madd_epi16 (even, even);
}

AVX2 static inline __m256i
odd_squares (__m256i d)
{
  __m256i odd = _mm256_srli_epi16 (d, 8);

  return _mm256_madd_epi16 (odd, odd);
}

/* Adds up to STEPS steps of 32 bytes. Both components go to the two lanes sets they belong to, so
 * that planes and pairs share this one loop. */
AVX2 static inline void
add_steps (const uint8_t *a, const uint8_t *b, size_t steps, __m256i acc[2])
{
  __m256i even = acc[0], odd = acc[1];

  for (size_t i = 0; i < steps; i++) {
    __m256i d = distance (a + 32 * i, b + 32 * i);

    even = _mm256_add_epi32 (even, even_squares (d));
    odd = _mm256_add_epi32 (odd, odd_squares (d));
  }
  acc[0] = even;
  acc[1] = odd;
}

AVX2 static void
avx2_bytes (const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b,
    ptrdiff_t stride_b, size_t bytes, size_t height, uint64_t sums[2])
{
  __m256i acc[2] = { _mm256_setzero_si256 (), _mm256_setzero_si256 () };
  size_t held = 0;
  uint64_t even = 0, odd = 0;

  for (; height > 0; height--, a += stride_a, b += stride_b) {
    size_t x = 0;

    while (bytes - x >= 32) {
      size_t steps = (bytes - x) / 32 < STEPS ? (bytes - x) / 32 : STEPS;

      if (held + steps > MAX_STEPS) {
        even += lanes_sum (acc[0]);
        odd += lanes_sum (acc[1]);
        acc[0] = acc[1] = _mm256_setzero_si256 ();
        held = 0;
      }
      add_steps (a + x, b + x, steps, acc);
      held += steps;
      x += 32 * steps;
    }
    for (; x < bytes; x++) {
      int d = a[x] - b[x];

      *(x & 1 ? &odd : &even) += (uint64_t) (d * d);
    }
  }
  sums[0] = even + lanes_sum (acc[0]);
  sums[1] = odd + lanes_sum (acc[1]);
}

AVX2 static uint64_t
avx2_plane (const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b,
    ptrdiff_t stride_b, size_t width, size_t height)
{
  uint64_t sums[2];

  avx2_bytes (a, stride_a, b, stride_b, width, height, sums);
  return sums[0] + sums[1];
}

AVX2 static void
avx2_pairs (const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b,
    ptrdiff_t stride_b, size_t width, size_t height, uint64_t sums[2])
{
  avx2_bytes (a, stride_a, b, stride_b, 2 * width, height, sums);
}

const PsnrSse *
psnr_sse_avx2 (void)
{
  static const PsnrSse sse = { "avx2", avx2_plane, avx2_pairs };

  return __builtin_cpu_supports ("avx2") ? &sse : NULL;
}
#else
const PsnrSse *
psnr_sse_avx2 (void)
{
  return NULL;
}
#endif
