/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nada/equations.h - the numbered equations of RFC 8698
 *
 * Delays and x are in ns, rates in bit/s, both of them doubles.  (10) is ALPHA's smoothing,
 * (8) and (9) are the limits that who calls them has.
 */
#ifndef RCC_NADA_EQUATIONS_H
#define RCC_NADA_EQUATIONS_H

#include "core/nada/settings.h"

/* (1): d_tilde, where the delay is to be warped */
double rcc_nada_warp (const RccNadaConfig *c, double d_queue);
/* (2), of at most x_max: d_queue is warped to the part of @warped (0..1, 4.2) */
double rcc_nada_signal (const RccNadaConfig *c, double d_queue, double warped, double p_loss,
    double p_mark);
/* (3) */
double rcc_nada_gamma (const RccNadaConfig *c, RccTime rtt);
/* (4) */
double rcc_nada_ramp_up (const RccNadaConfig *c, double r_ref, double r_recv, RccTime rtt);

typedef struct {
  double r_max;                         /* RMAX */
  double x_curr, x_prev;
  RccTime delta;
} RccNadaStep;

/* (5) to (7); may be below 0. */
double rcc_nada_gradual (const RccNadaConfig *c, double r_ref, const RccNadaStep *step);
/* (11), (12): @beta is BETA_V or BETA_S */
double rcc_nada_difference (const RccNadaConfig *c, double beta, double r_ref,
    uint64_t buffer_len);

#endif
