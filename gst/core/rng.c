/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rng.h"

#include <math.h>

void
rcc_rng_init (RccRng *r, uint64_t seed, uint64_t stream)
{
  r->state = 0;
  r->stream = stream << 1 | 1;          /* the increment must be odd */
  rcc_rng_u32 (r);
  r->state += seed;
  rcc_rng_u32 (r);
}

uint32_t
rcc_rng_u32 (RccRng *r)
{
  const uint64_t old = r->state;
  const uint32_t xorshifted = (uint32_t) (((old >> 18) ^ old) >> 27);
  const uint32_t rot = (uint32_t) (old >> 59);

  r->state = old * UINT64_C (6364136223846793005) + r->stream;
  return xorshifted >> rot | xorshifted << (-rot & 31);
}

double
rcc_rng_uniform (RccRng *r)
{
  return rcc_rng_u32 (r) * 0x1p-32;
}

double
rcc_rng_exponential (RccRng *r, double mean)
{
  return -mean * log1p (-rcc_rng_uniform (r));
}

double
rcc_rng_normal (RccRng *r)
{
  const double radius = sqrt (-2.0 * log1p (-rcc_rng_uniform (r)));

  return radius * cos (6.283185307179586 * rcc_rng_uniform (r));
}

double
rcc_rng_laplace (RccRng *r, double scale)
{
  const double e = rcc_rng_exponential (r, scale);

  return rcc_rng_u32 (r) & 1 ? e : -e;
}
