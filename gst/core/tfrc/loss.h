/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrc/loss.h - the loss event rate of RFC 5348 section 5
 *
 * It is told of packets as they arrive, in any order.  A packet is missing once NDUPACK later
 * ones are there.  Losses within one round-trip time are one loss event.  The packets between
 * events are averaged.
 */
#ifndef RCC_TFRC_LOSS_H
#define RCC_TFRC_LOSS_H

#include "core/rcc.h"

#define RCC_TFRC_INTERVALS 8            /* n, 5.4 */
#define RCC_TFRC_NDUPACK 3              /* 5.1 */
#define RCC_TFRC_JUMP_MAX 65536         /* packets; an arrival further ahead starts anew */
#define RCC_TFRC_TIME_MAX (UINT64_MAX / 4)      /* whatever a clock says: sums do not overflow */

typedef struct {                        /* what section 5 needs to know of the path */
  RccTime rtt;                          /* R; losses within it are one event; 0: unknown */
  double target;                        /* bytes/s: the largest X_recv so far (6.3.1) */
  double packet_size;                   /* s, bytes; > 0 */
} RccTfrcPath;

typedef struct {
  int64_t seq;
  RccTime at;
} RccTfrcPoint;

typedef struct {                        /* an arrival and the hole below it, if any */
  int64_t seq;
  RccTfrcPoint before, after;           /* 5.2: what the hole's times lie between */
} RccTfrcTop;

typedef struct {
  double interval[RCC_TFRC_INTERVALS + 1];      /* I_1..I_n; [0] unused */
  double df[RCC_TFRC_INTERVALS + 1];            /* DF_i, 5.5 */
  unsigned n;                           /* closed intervals known; 0: no event yet */
  RccTfrcPoint start;                   /* of the newest event */
  bool alone;                           /* it is one lost packet, so far */
} RccTfrcEvents;

typedef struct {
  bool discounting;                     /* 5.5 */
  RccTfrcTop top[RCC_TFRC_NDUPACK];     /* the highest arrivals, highest first */
  unsigned n_top;
  RccTfrcPoint last;                    /* the newest arrival in time */
  int64_t judged;                       /* what is missing up to here has been counted */
  RccTfrcEvents now;
  RccTfrcEvents undo;                   /* as it was before the newest event */
  /* for stats */
  uint64_t events, lost, marked, late;
} RccTfrcLoss;

void rcc_tfrc_loss_init (RccTfrcLoss *l, bool discounting);

/* A packet arrived. @seq: unwrapped, one more per packet sent; @marked: it carried CE (false
 * throughout where ECN is not in use). A duplicate changes nothing. A packet that was given up
 * fills its hole. It takes its event back if that was the newest and there was nothing else in
 * it. Returns whether a loss event began or was taken back, both of which 6 asks to be told of at
 * once. */
bool rcc_tfrc_loss_packet (RccTfrcLoss *l, int64_t seq, RccTime arrived, bool marked,
    const RccTfrcPath *path);

/* The same of @n packets from @seq on, in order, at one time, none of them marked.  Where nothing
 * is missing it costs no more than one. */
bool rcc_tfrc_loss_run (RccTfrcLoss *l, int64_t seq, uint32_t n, RccTime arrived,
    const RccTfrcPath *path);

/* p, 0..1; 0 before the first event. */
double rcc_tfrc_loss_rate (const RccTfrcLoss *l);

/* I_0, packets since the newest event began; 0 before the first. */
double rcc_tfrc_loss_open (const RccTfrcLoss *l);

#endif
