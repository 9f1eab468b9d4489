/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * layout.h - where a phone is, and how well it hears each cell: 3GPP case 1 (TR 25.814, A.2.1)
 *
 * Seven sites 500 m apart with three sectors each, wrapped around: beyond the edge the seven
 * begin anew, so that each has neighbours on all sides. 46 dBm and 14 dBi of antenna in 10 MHz,
 * 128.1 + 37.6 log10 (km) and 20 dB of walls, shadowing of 8 dB with half of it common to all
 * sites, no phone nearer than 35 m.  A phone has the cell that it hears best.
 */
#ifndef RCC_CELL_LAYOUT_H
#define RCC_CELL_LAYOUT_H

#include "core/rng.h"

#define RCC_LAYOUT_CELLS 21

typedef struct {
  double x, y;                          /* m */
  double power[RCC_LAYOUT_CELLS];       /* mW received from each, in the mean over fading */
  unsigned cell;                        /* the strongest */
} RccPlace;

/* A phone somewhere, evenly over the area of the seven sites. */
void rcc_layout_place (RccPlace *place, RccRng *rng);
/* Signal to interference and noise without fading, where each cell sends for @load[cell] of the
 * time. */
double rcc_layout_sinr (const RccPlace *place, const double *load);

#endif
