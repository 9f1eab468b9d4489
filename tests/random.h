/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random.h - what tests draw: one seeded generator for each program, begun by rcc_rng_init()
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <glib.h>

#include "core/rng.h"

static RccRng rng;

/* 0 <= result < @n. */
static inline guint
below (guint n)
{
  return rcc_rng_u32 (&rng) % n;
}

/* TRUE with the probability @p. */
static inline gboolean
chance (gdouble p)
{
  return rcc_rng_uniform (&rng) < p;
}

#endif
