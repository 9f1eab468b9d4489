/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Compiled at -O3 whatever the build type: GCC 12 leaves the loop at one byte a step
 * at -O2, fourteen times slower.
 */
#include "core/fbra/xorfec.h"

void
rcc_xor_plain (uint8_t *restrict acc, const uint8_t *restrict bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    acc[i] ^= bytes[i];
}

#if defined (__GNUC__) && (defined (__x86_64__) || defined (__i386__))
#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__ ((target ("avx2")))

AVX2 static inline void
xor32 (uint8_t *acc, const uint8_t *bytes)
{
  const __m256i a = _mm256_loadu_si256 ((const __m256i *) acc);
  const __m256i b = _mm256_loadu_si256 ((const __m256i *) bytes);

  _mm256_storeu_si256 ((__m256i *) acc, _mm256_xor_si256 (a, b));
}

/* Fewer than 32 bytes. */
static inline void
xor_tail (uint8_t *acc, const uint8_t *bytes, size_t size)
{
  for (; size >= 8; size -= 8, acc += 8, bytes += 8) {
    uint64_t a, b;

    memcpy (&a, acc, 8);
    memcpy (&b, bytes, 8);
    a ^= b;
    memcpy (acc, &a, 8);
  }
  for (; size > 0; size--)
    *acc++ ^= *bytes++;
}

AVX2 static void
avx2 (uint8_t *restrict acc, const uint8_t *restrict bytes, size_t size)
{
  size_t at = 0;

  for (; size - at >= 128; at += 128) {
    xor32 (acc + at, bytes + at);
    xor32 (acc + at + 32, bytes + at + 32);
    xor32 (acc + at + 64, bytes + at + 64);
    xor32 (acc + at + 96, bytes + at + 96);
  }
  for (; size - at >= 32; at += 32)
    xor32 (acc + at, bytes + at);
  xor_tail (acc + at, bytes + at, size - at);
}

RccXor
rcc_xor_avx2 (void)
{
  return __builtin_cpu_supports ("avx2") ? avx2 : NULL;
}

void
rcc_xor (uint8_t *restrict acc, const uint8_t *restrict bytes, size_t size)
{
  if (__builtin_cpu_supports ("avx2"))
    avx2 (acc, bytes, size);
  else
    rcc_xor_plain (acc, bytes, size);
}
#else
RccXor
rcc_xor_avx2 (void)
{
  return NULL;
}

void
rcc_xor (uint8_t *restrict acc, const uint8_t *restrict bytes, size_t size)
{
  rcc_xor_plain (acc, bytes, size);
}
#endif
