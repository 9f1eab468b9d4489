/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/capacity.h - what the path takes, as FBRA found it: ours, with config.by_capacity
 *
 * A queue that grows says how fast it is emptied.  From that come the undershoot, the rate
 * to go back to, and how far and when a probe may go.
 */
#ifndef RCC_FBRA_CAPACITY_H
#define RCC_FBRA_CAPACITY_H

#include "core/fbra/config.h"

typedef struct {
  double before;                        /* bit/s that came by the report before; 0: unknown */
  unsigned falls;                       /* undershoots in a row */
  double bps;                           /* at the first of them; 0: none yet */
  unsigned reports;                     /* that .bps is the mean of */
  /* config.probe_backoff */
  double known;                         /* bit/s; 0: nothing is known */
  RccTime probe_backoff, until;
  bool learning;                        /* .known from the fall under way */
  unsigned low;                         /* reports in a row below p_low */
  unsigned streak;                      /* probes that passed since the last fall */
  double lossy;                         /* share of packets lost of late */
} RccFbraCapacity;

/* A queue has grown at @rate; @received: bit/s of all that came by this report.  Returns what
 * the path takes. */
double rcc_fbra_capacity_fall (RccFbraCapacity *c, const RccFbraConfig *config, double rate,
    double received, RccTime now);
/* The queue of that fall is still there: another report of it. */
void rcc_fbra_capacity_refine (RccFbraCapacity *c, double received);

/* What to send, of @capacity, so that the queue is gone after @wait. @queue: of the newest packet
 * reported, which came out of it @rtt before what leaves now comes to it. Meanwhile @rate has
 * left, which counts with config.ahead. */
double rcc_fbra_capacity_share (const RccFbraConfig *config, double capacity, double rate,
    RccTime queue, RccTime rtt, RccTime wait);

/* Whether a probe from @rate stays within what is known to be too much. */
bool rcc_fbra_capacity_allows (const RccFbraCapacity *c, const RccFbraConfig *config,
    double rate, RccTime now);
/* N of that probe by RCC_FBRA_N_STREAK, and that it passed and led to @rate. */
uint32_t rcc_fbra_capacity_n (const RccFbraCapacity *c, const RccFbraConfig *config,
    double rate);
void rcc_fbra_capacity_passed (RccFbraCapacity *c, const RccFbraConfig *config, double rate);

/* A report whose delay is, or is not, below p_low. */
void rcc_fbra_capacity_delay (RccFbraCapacity *c, const RccFbraConfig *config, bool low);
/* A report. True where its losses are the path's own, as no queue explains them (@delayed: there
 * is one) and they are few. */
bool rcc_fbra_capacity_stray (RccFbraCapacity *c, const RccFbraConfig *config,
    uint32_t packets, uint32_t losses, bool delayed);

#endif
