/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nada/delay.h - the queuing delay of RFC 8698 5.1.1
 *
 * It is the smallest of the last 15 packets, above the least one-way delay of a long time.
 *
 * The clocks may be apart by anything.  The least delays are kept as RFC 6817 does, one for each
 * tenth of the horizon.  A packet cannot have waited for longer than since it left: then a clock
 * was set, and the base begins anew.
 */
#ifndef RCC_NADA_DELAY_H
#define RCC_NADA_DELAY_H

#include "core/rcc.h"

#define RCC_NADA_BASES 10               /* RFC 6817 3.4.2, BASE_HISTORY */
#define RCC_NADA_TAPS 15                /* RFC 8698 5.1.1 */

typedef struct {
  RccTime horizon;                      /* RCC_NEVER: for ever */
  uint64_t origin;                      /* the first delay of all; others are from there */
  bool started;
  int64_t bases[RCC_NADA_BASES];        /* newest first */
  unsigned n_bases;
  RccTime since;                        /* when the newest began */
  int64_t taps[RCC_NADA_TAPS];
  unsigned n_taps;                      /* ever: the ring's next */
  uint64_t restarts;
} RccNadaDelay;

void rcc_nada_delay_init (RccNadaDelay *d, RccTime horizon);

/* A packet of which feedback, just now, says when it arrived: its own queuing delay.
 * RCC_NEVER: it claims to have left after @now. */
RccTime rcc_nada_delay_packet (RccNadaDelay *d, RccTime sent, RccTime arrived, RccTime now);

/* d_queue, filtered; 0: nothing arrived yet. */
RccTime rcc_nada_delay_queue (const RccNadaDelay *d);

#endif
