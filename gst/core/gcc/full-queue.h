/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/full-queue.h - a queue that is always full, and that no delay shows (ours; no paper has it)
 *
 * Many flows can keep the queue of a narrow link full.  Who came when it was full takes its delay
 * for the path's own.  Who came before forgets the path's own within 20 s.  Then no delay is long
 * and none grows.  Losses are left, and those may be the path's own, too (gcc/loss-cause.h).
 *
 * The distribution of the one-way delay tells the two apart.  An empty queue has a floor: most
 * packets wait for nothing, some for long.  A full one has a ceiling: most packets wait as long as
 * can be, some for less.  So its skewness is negative (RFC 8382 finds load by it, too).
 *  - Of packets that follow one another closely only the first counts.  The others wait for it.
 *  - A large packet takes longer on a slow link.  What goes with the size is taken off.
 *  - A spread as small as that of clocks says nothing.
 *  - A full queue overflows: where nearly nothing is lost, it is not full.
 *  - Where the mean moves by more than the spread, the path has changed, or the queue is no longer
 *    full: what came before does not count.
 *
 * While a queue is full, losses are over-use, once in a round trip and SETTLE.  How long it is
 * nobody knows, so that it counts as long.  What a probe shows is the link's rate, not what it has
 * left: it is not believed.
 *
 * Where the delay shows a long queue, this is not asked: its losses are for gcc/standing.h.
 *
 * The constants are ours.  What they were chosen with, and what they reach, stands in config.c.
 */
#ifndef RCC_GCC_FULL_QUEUE_H
#define RCC_GCC_FULL_QUEUE_H

#include "core/rcc.h"

#define RCC_FULL_QUEUE_PACKETS 256

typedef struct {
  RccTime hold;                         /* ns that a queue counts as full; 0: none does */
  struct {
    double owd;                         /* ms, above that of the first */
    double size;                        /* bytes */
  } packets[RCC_FULL_QUEUE_PACKETS];    /* the last @n, in a ring */
  unsigned n, next;
  int64_t first;                        /* ns, one-way delay between two clocks */
  RccTime began, send;                  /* a run of packets; the last packet left */
  double skewness;                      /* of the last test; 0: there was none */
  RccTime until;                        /* it counts as full */
  double loss;                          /* share lost, a mean of 200 packets */
  double lost;                          /* packets that are not answered yet */
  RccTime next_over;                    /* over-use, not before */
} RccFullQueue;

void rcc_full_queue_init (RccFullQueue *q, RccTime hold);

/* A packet arrived; the two clocks may differ, and either may be set. */
void rcc_full_queue_packet (RccFullQueue *q, RccTime send, RccTime arrival, uint32_t size);
/* Of @expected packets more @lost are missing; less than 0: some of those before have come. */
void rcc_full_queue_losses (RccFullQueue *q, double lost, double expected);

bool rcc_full_queue_is_full (const RccFullQueue *q, RccTime now);
/* More is lost than a TCP flow beside us makes.  Never where @hold is 0. */
bool rcc_full_queue_is_lossy (const RccFullQueue *q);
/* Whether to decrease now; true once for each decrease. */
bool rcc_full_queue_over (RccFullQueue *q, RccTime rtt, RccTime now);

#endif
