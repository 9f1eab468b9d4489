/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/fec.h - how much parity a probe sends: N media packets to one of parity
 *
 * The paper compares the rate with the highest of the last two seconds and with the initial
 * goodput. Far below means room, so much parity (small N). Its formula is lost; the steps here
 * are read from the plots in Singh's thesis.
 */
#ifndef RCC_FBRA_FEC_H
#define RCC_FBRA_FEC_H

#include "core/fbra/config.h"

#define RCC_FBRA_PEAK_BINS 20

typedef struct {                        /* the highest rate of late, to a bin */
  RccTime span;
  uint64_t newest;                      /* bins since time 0 */
  double bins[RCC_FBRA_PEAK_BINS];
} RccFbraPeak;

void rcc_fbra_peak_init (RccFbraPeak *p, RccTime span);
void rcc_fbra_peak_add (RccFbraPeak *p, double bps, RccTime now);
/* 0: nothing in the window */
double rcc_fbra_peak (RccFbraPeak *p, RccTime now);

/* N for a probe that begins at @rate.  @initial: goodput at the start of the session,
 * @peak: highest rate of late; @first: no probe was sent yet.  All > 0 or unknown (0). */
uint32_t rcc_fbra_choose_n (const RccFbraConfig *config, double rate, double initial,
    double peak, bool first);

/* What @rate of media and its parity make, both within @max. Where @n (> 0) is too much parity it
 * grows, up to @n_max. Where that does not fit either, the media gives way for as long as the
 * probe lasts. Returns N, or 0 where there is nothing left to probe for. */
uint32_t rcc_fbra_fit (uint32_t n, uint32_t n_max, double rate, double max,
    double *media, double *fec);

#endif
