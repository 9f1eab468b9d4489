/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * network.h - calls over 21 cells in virtual time
 *
 * The ends are those of sim/world.h, with real RTP and RTCP.  A server sends to each phone over a
 * wire of 10 ms, the cell and 5 ms of air; RTCP comes back in 10 ms.  So the cell is all that
 * loses or delays.  A cell disturbs the others for as much of the time as it sends.
 */
#ifndef RCC_CELL_NETWORK_H
#define RCC_CELL_NETWORK_H

#include "rccell/cell.h"
#include "rccell/fading.h"
#include "rccell/layout.h"
#include "sim/world.h"

typedef struct {
  double rate;                          /* calls a second and cell, a Poisson process */
  RccTime length;                       /* of each */
  RccTime discard;                      /* what waits longer is dropped: the AQM */
  RccTime duration;
  uint64_t seed;
  RccFlowConfig flow;                   /* that all calls are like */
} RccNetworkConfig;

typedef struct {
  RccPlace place;
  RccFading fading;
  RccTime next;                         /* when its ends are to be polled */
} RccCaller;

typedef struct {
  unsigned *members;                    /* calls that are there, by number */
  unsigned n, room;
  double load;                          /* share of the time that it sends, of late */
} RccCellState;

typedef struct {
  RccNetworkConfig config;
  RccWorld *world;
  RccCaller *callers;                   /* one for each flow of the world ... */
  RccPhone *phones;                     /* ... and its queue */
  unsigned joined;                      /* of them, in the order of their starts */
  RccCellState cells[RCC_LAYOUT_CELLS];
  RccFifo wire, air, back;              /* ->at: due there */
  double used;                          /* sum of all cells' TTIs */
} RccNetwork;

/* NULL with @error (RCC_SCENARIO_ERROR bytes): there would be no call, or too many. */
RccNetwork *rcc_network_new (const RccNetworkConfig *config, char *error);
void rcc_network_free (RccNetwork *n);
void rcc_network_run (RccNetwork *n);
/* How much of the cells' time was used, 0..1. */
double rcc_network_utilisation (const RccNetwork *n);
/* One JSON object (docs/json.md). */
void rcc_network_write (const RccNetwork *n, FILE *out);

#endif
