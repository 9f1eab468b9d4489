/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rccell/fading.h"

#include <math.h>

#define DOPPLER 5.56                    /* Hz: 3 km/h, 2 GHz */

void
rcc_fading_init (RccFading *f, RccRng *rng)
{
  for (unsigned a = 0; a < RCC_FADING_ANTENNAS; a++)
    for (unsigned k = 0; k < RCC_FADING_PATHS; k++) {
      const double phase = 2 * M_PI * rcc_rng_uniform (rng);
      const double angle = 2 * M_PI * rcc_rng_uniform (rng);
      const double turn = 2 * M_PI * DOPPLER * cos (angle) * (double) RCC_FADING_STEP * 1e-9;

      f->paths[a][k].re = cos (phase);
      f->paths[a][k].im = sin (phase);
      f->paths[a][k].step_re = cos (turn);
      f->paths[a][k].step_im = sin (turn);
    }
}

double
rcc_fading_next (RccFading *f)
{
  double power = 0;

  for (unsigned a = 0; a < RCC_FADING_ANTENNAS; a++) {
    double re = 0, im = 0;

    for (unsigned k = 0; k < RCC_FADING_PATHS; k++) {
      const double was = f->paths[a][k].re;

      f->paths[a][k].re = was * f->paths[a][k].step_re
          - f->paths[a][k].im * f->paths[a][k].step_im;
      f->paths[a][k].im = was * f->paths[a][k].step_im
          + f->paths[a][k].im * f->paths[a][k].step_re;
      re += f->paths[a][k].re;
      im += f->paths[a][k].im;
    }
    power += (re * re + im * im) / RCC_FADING_PATHS;
  }
  return power / RCC_FADING_ANTENNAS;
}
