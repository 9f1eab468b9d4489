/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * figures.h - points of the figures of Send Best Packet Next: runs of all seeds over one
 * path, and what they have in common
 */
#ifndef TESTS_SIM_FIGURES_H
#define TESTS_SIM_FIGURES_H

#include "flows.h"

#define SEEDS_MAX 64

typedef struct {                        /* one way to send */
  const gchar *name;
  RccSbpnMode mode;
  gboolean tail_drop, drops_take_turns, rfc5348, faster_restart;
  gboolean measured;                    /* the way there; else RTT / 2 as in the paper */
} Sender;

typedef struct {                        /* what all of them have to cross */
  double x;                             /* on the figure's axis */
  gchar text[256];                      /* scenario */
  RccTime rtt;
  guint queue, renos;
  guint seeds;                          /* unless RCC_SBPN_SEEDS says otherwise */
} Path;

typedef struct {                        /* one stream by seed, points of what was offered */
  double on_time[SEEDS_MAX], received[SEEDS_MAX];
  double expired[SEEDS_MAX], full[SEEDS_MAX];   /* dropped by the sender */
  double queue_time[SEEDS_MAX];         /* mean of those sent, ms */
} Shares;

typedef struct {
  const gchar *name;
  guint n;
  Shares streams[RCC_WORLD_STREAMS];
} Result;

typedef struct {
  double mean, half;                    /* of the 95 % interval */
} Mean;

void measure (const Path *path, const Sender *sender, Result *out);

/* Of @values; with @from not NULL, of what pairs differ by. */
Mean mean_of (const double *values, const double *from, guint n);
/* On time, @r's less @base's. */
Mean gain (const Result *r, const Result *base, RccWorldStream k);

void print_columns (const gchar *axis);
/* @base NULL: @r is what others are compared with. */
void print_point (double x, const Result *r, const Result *base);

#endif
