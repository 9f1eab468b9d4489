/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/drain.h - how far a decrease goes to empty the queue, and what comes once it is empty
 * (ours; no paper has it)
 *
 * A decrease goes below what the path takes by what empties the queue in @time.  Two things are
 * known afterwards:
 *  - the queue is empty: so much less is no longer needed, and the rate goes back to @resume of
 *    what arrived at the decrease;
 *  - @time is over, and the queue was never much shorter: somebody else fills it.  What was given
 *    up was given to him.  Each such time halves what the next decrease gives up for the queue.
 *
 * Other flows of GCC do not shorten the queue at once either, and are not to be taken for somebody
 * else.  They heed the delay: they do not keep it long until packets are lost.  So a decrease is in
 * vain only behind LONG, and where something was lost within RECENT.  So many flows that nothing
 * else helps lose much more than a flow beside TCP does: while more than LOSSY is lost, and RECENT
 * longer, each decrease is whole.
 *
 * The constants are ours.  What they reach stands in config.c.
 */
#ifndef RCC_GCC_DRAIN_H
#define RCC_GCC_DRAIN_H

#include "core/rcc.h"

typedef struct {
  RccTime time;                         /* a queue is to be gone within it; 0: no decrease cares */
  RccTime floor;                        /* a shorter queue is none */
  double resume;                        /* of what arrived; 0: the rate climbs by itself */
  uint32_t most;                        /* halvings; 0: it is always our own queue */
} RccDrainConfig;

typedef struct {
  RccDrainConfig config;
  double bps;                           /* to go on at once the queue is empty; 0: none */
  double before;                        /* bit/s, when the queue began to be emptied */
  uint32_t vain;                        /* decreases of late that emptied nothing */
  RccTime from, least, until;           /* queue at the decrease that is judged (0: none is), the
                                         * shortest since, and when it is judged */
  double loss;                          /* share lost, a mean of 600 packets */
  RccTime lost_at, lossy_at;            /* something was lost; more than LOSSY; RCC_NEVER: never */
} RccDrain;

void rcc_drain_init (RccDrain *d, const RccDrainConfig *config);

/* A decrease behind @queue, of @received bit/s, from @before.  Returns the share to give up. */
double rcc_drain_begin (RccDrain *d, RccTime queue, double received, double before, RccTime rtt,
    RccTime now);
/* Of @expected packets more @lost are missing; less than 0: some of those before have come. */
void rcc_drain_losses (RccDrain *d, double lost, double expected, RccTime now);
/* The queue is so long now.  Returns the rate to go on at, bit/s; 0: as before. */
double rcc_drain_queue (RccDrain *d, RccTime queue, RccTime now);

#endif
