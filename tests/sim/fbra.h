/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra.h - runs of the FBRA paper's scenarios, and what a table says of them
 */
#ifndef TESTS_SIM_FBRA_H
#define TESTS_SIM_FBRA_H

#include "flows.h"

#define FBRA_SEEDS_MAX 64

typedef struct {                        /* of one flow in one run */
  double goodput;                       /* kbit/s that came in time or was repaired so */
  double received;                      /* kbit/s that came, however late */
  double bad;                           /* % of media packets, lost or late, before repair */
  double lost;                          /* % of them, by the path */
  double after;                         /* % of both, after it */
  double frames_lost, frames_protected, frames_recovered;
  double frcc, ffre, parity;            /* %; parity: of all bytes */
  double p95, p99;                      /* one-way delay, ms */
  double probes, wrong;                 /* repaired, and not what was sent */
  double tcp;                           /* kbit/s, mean of the TCP flows beside */
} FbraRun;

typedef struct {
  guint n;
  FbraRun runs[FBRA_SEEDS_MAX];
} FbraRuns;

typedef struct {
  double mean, sd;
} FbraMean;

/* What flow @i of @w, which ran to its end, came to. */
FbraRun fbra_run (const RccWorld *w, guint i);
/* Of the member at @offset of the runs, a double. */
FbraMean fbra_mean (const FbraRuns *r, gsize offset);
#define FBRA_MEAN(r, member) fbra_mean ((r), G_STRUCT_OFFSET (FbraRun, member))

/* Table 1's world: @c alone on the paper's variable link. */
FbraRuns fbra_variable (const RccFlowConfig *c, guint owd_ms, guint seeds);
/* Tables 2 and 3: @n of @c and @tcp bulk TCP flows over 5 Mbit/s; @out: of each of @n. */
void fbra_beside_tcp (const RccFlowConfig *c, guint owd_ms, guint n, guint tcp, guint seeds,
    FbraRuns *out);
/* What whoever knows the capacity of the link of @w (which has run) one round trip late can
 * reach with frames of the same kind at @share of it: goodput and bad alone. */
FbraRun fbra_oracle (const RccWorld *w, guint owd_ms, double share, guint64 seed);
/* Seeds by RCC_FBRA_SEEDS, else @least. */
guint fbra_seeds (guint least);

#endif
