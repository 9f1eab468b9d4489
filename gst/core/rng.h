/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rng.h - the one seeded generator (PCG32, O'Neill 2014: pcg-random.org)
 *
 * Handed to whoever draws, never global: a run is a function of its seed.
 */
#ifndef RCC_RNG_H
#define RCC_RNG_H

#include "core/rcc.h"

typedef struct {
  uint64_t state, stream;
} RccRng;

/* Different @stream values give independent sequences for one seed. */
void rcc_rng_init (RccRng *r, uint64_t seed, uint64_t stream);
uint32_t rcc_rng_u32 (RccRng *r);
double rcc_rng_uniform (RccRng *r);                     /* [0, 1) */
double rcc_rng_exponential (RccRng *r, double mean);    /* >= 0 */
double rcc_rng_normal (RccRng *r);                      /* mean 0, variance 1 */
double rcc_rng_laplace (RccRng *r, double scale);       /* mean 0, RFC 8593 4.2 */

#endif
