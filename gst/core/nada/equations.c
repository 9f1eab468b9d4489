/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/nada/equations.h"

#include <math.h>

#define DIFFERENCE_MAX 0.05             /* of r_ref, (11) and (12) */

double
rcc_nada_warp (const RccNadaConfig *c, double d_queue)
{
  const double q_th = (double) c->q_th;

  return d_queue < q_th ? d_queue : q_th * exp (-c->lambda * (d_queue - q_th) / q_th);
}

double
rcc_nada_signal (const RccNadaConfig *c, double d_queue, double warped, double p_loss,
    double p_mark)
{
  const double delay = warped * rcc_nada_warp (c, d_queue) + (1.0 - warped) * d_queue;
  const double marks = p_mark / c->pmr_ref, losses = p_loss / c->plr_ref;

  return RCC_MIN (delay + (double) c->d_mark * marks * marks
      + (double) c->d_loss * losses * losses, (double) c->x_max);
}

double
rcc_nada_gamma (const RccNadaConfig *c, RccTime rtt)
{
  const double loop = (double) rtt + (double) c->delta + (double) c->d_filt;

  return RCC_MIN (c->gamma_max, (double) c->q_bound / loop);
}

double
rcc_nada_ramp_up (const RccNadaConfig *c, double r_ref, double r_recv, RccTime rtt)
{
  return RCC_MAX (r_ref, (1.0 + rcc_nada_gamma (c, rtt)) * r_recv);
}

double
rcc_nada_gradual (const RccNadaConfig *c, double r_ref, const RccNadaStep *step)
{
  const double tau = (double) c->tau;
  const double offset = step->x_curr - c->priority * (double) c->x_ref * step->r_max / r_ref;
  const double diff = step->x_curr - step->x_prev;

  return r_ref - c->kappa * ((double) step->delta / tau) * (offset / tau) * r_ref
      - c->kappa * c->eta * (diff / tau) * r_ref;
}

double
rcc_nada_difference (const RccNadaConfig *c, double beta, double r_ref, uint64_t buffer_len)
{
  return RCC_MIN (DIFFERENCE_MAX * r_ref, beta * 8.0 * (double) buffer_len * c->fps);
}
