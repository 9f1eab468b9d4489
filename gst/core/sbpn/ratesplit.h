/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn/ratesplit.h - one sending rate divided among streams
 *
 * First the minima, by priority. Then priority by priority, each stream up to what it can use,
 * those of one priority by weight. What a stream can use is its maximum. Where it has none and
 * others stand below it, it is a quarter more than it was measured to produce. Speech that is let
 * have all would leave nothing for the pictures.
 */
#ifndef RCC_RATESPLIT_H
#define RCC_RATESPLIT_H

#include "core/rcc.h"

#define RCC_RATESPLIT_MAX 32            /* streams */
#define RCC_RATESPLIT_NONE UINT32_MAX   /* no maximum */
#define RCC_RATESPLIT_FLOOR 64000       /* bit/s that a stream can use, measured or not */

typedef struct {
  unsigned priority;                    /* 0: highest */
  uint32_t weight;                      /* within the priority; 0 counts as 1 */
  uint32_t min_bps, max_bps;            /* min wins where min > max */
  uint32_t measured_bps;                /* what it produces; 0: not known */
  uint32_t share_bps;                   /* the answer */
} RccRateShare;

/* Sets share_bps of all @n <= RCC_RATESPLIT_MAX; returns their sum, never more than
 * @target_bps, and less only where nobody can use the rest. */
uint32_t rcc_ratesplit (RccRateShare *shares, size_t n, uint32_t target_bps);

#endif
