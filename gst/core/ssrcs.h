/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ssrcs.h - which place in a table belongs to an SSRC, at one cost for any number of them
 */
#ifndef RCC_SSRCS_H
#define RCC_SSRCS_H

#include "core/rcc.h"

#define RCC_SSRCS 64                    /* told apart; a table's owner replaces one beyond */
#define RCC_SSRCS_SLOTS 256             /* a power of two, sparse */

typedef struct {
  unsigned n;
  uint32_t ssrcs[RCC_SSRCS];
  uint8_t slots[RCC_SSRCS_SLOTS];       /* place + 1; 0: none */
} RccSsrcs;

void rcc_ssrcs_init (RccSsrcs *s);
/* Its place; -1: it has none. */
int rcc_ssrcs_find (const RccSsrcs *s, uint32_t ssrc);
/* It has the next place, s->n of before, which is less than RCC_SSRCS. */
void rcc_ssrcs_add (RccSsrcs *s, uint32_t ssrc);
/* It has @place in place of another one. */
void rcc_ssrcs_replace (RccSsrcs *s, unsigned place, uint32_t ssrc);

#endif
