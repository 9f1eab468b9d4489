/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/loss.h - the sender's loss-based controller (ANRW'16 Eq. 1)
 */
#ifndef RCC_GCC_LOSS_H
#define RCC_GCC_LOSS_H

#include "core/gcc/loss-cause.h"

#define RCC_GCC_LOSS_LOW 0.02           /* below it A_s climbs: Eq. 1 */

typedef enum {
  RCC_LOSS_PAPER,       /* Eq. 1 at every RR or REMB; A_s := min (A_s, A_r) */
  RCC_LOSS_2012,        /* as that at every RR, 1 kbit/s more a climb, TFRC's rate as a floor
                         * (draft-alvestrand-rtcweb-congestion-02) */
  RCC_LOSS_RELEASE,     /* as Eq. 1, but without loss it does not limit at all */
} RccLossMode;

typedef struct {
  RccLossMode mode;
  double bps;                           /* A_s; +inf: no limit */
  double fraction;                      /* of the last report, or pooled */
  double packet_size;                   /* bytes, of TFRC's floor; set from outside; 0: none */
  double lost, expected;                /* packets not yet judged */
  unsigned clean;                       /* judged reports in a row with f < 2 % */
  bool alone;                           /* no delay-based controller to lean on */
  RccTime decreased;                    /* RCC_NEVER: never */
  bool asks_cause;                      /* release: only what may be congestion is judged */
  RccLossCause cause;                   /* fed from outside */
} RccGccLoss;

void rcc_gcc_loss_init (RccGccLoss *l, RccLossMode mode, double start_bps);

/* One report: @fraction of @expected packets lost (@expected 0: unknown).  @target
 * is what the sender uses now.  Returns A_s. */
double rcc_gcc_loss_report (RccGccLoss *l, double fraction, uint32_t expected,
    double target, RccTime rtt, RccTime now);

/* A REMB without a new report: Eq. 1 runs with the last fraction (paper alone); a limit that
 * stood only because there was no other is lifted (release). */
double rcc_gcc_loss_remb (RccGccLoss *l);

/* The combination min (A_s, A_r) was @target: A_s follows it (not for release). */
void rcc_gcc_loss_follow (RccGccLoss *l, double target);

#endif
