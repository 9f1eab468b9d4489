/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * skew-owd.h - skew-corrected one-way delay, between two clocks that know nothing of one another
 *
 * owd = (d - base) + RTT_min / 2, d = arrived - sent. The base is the line that runs below every
 * d of the last two minutes. Its height is the clocks' offset and the empty path's delay, its
 * slope is their drift. The second term puts the delay where its ratios mean something, as if the
 * empty path were the same both ways.
 *
 * A clock that was set anew is noticed: a packet cannot be under way for longer than the time
 * since it left.
 */
#ifndef RCC_SKEW_OWD_H
#define RCC_SKEW_OWD_H

#include "core/rcc.h"

#define RCC_SKEW_OWD_BINS 24
#define RCC_SKEW_OWD_BIN (5 * RCC_SEC)  /* of the sender's time; one minimum each */
#define RCC_SKEW_OWD_DROP (20 * RCC_MSEC) /* below the base: another path, or clock */
/* Two crystals of 100 ppm; what drifts faster is a queue, not a clock. */
#define RCC_SKEW_OWD_DRIFT 200e-6

typedef struct {                        /* the smallest of the last one to two minutes */
  RccTime now, before;                  /* RCC_NEVER: none */
  RccTime since;
} RccSkewOwdMin;

typedef struct {
  bool started;
  uint64_t origin_d;                    /* of the first packet; d is relative to it, */
  RccTime origin;                       /* and times to its departure */
  unsigned n;
  struct {
    RccTime begins;
    double x, d;                        /* s, ns: the bin's packet nearest the line */
  } bins[RCC_SKEW_OWD_BINS];            /* oldest first */
  double slope, height;                 /* ns/s; ns where x = 0 */
  RccSkewOwdMin rtt;                    /* as reported */
  RccSkewOwdMin loop;                   /* packet left to feedback came: no less than RTT */
  uint64_t restarts;
} RccSkewOwd;

void rcc_skew_owd_init (RccSkewOwd *c);

void rcc_skew_owd_rtt (RccSkewOwd *c, RccTime rtt, RccTime now);
/* The smallest round trip of late, by reports or, where there are none, by feedback;
 * RCC_NEVER: neither yet. */
RccTime rcc_skew_owd_rtt_min (const RccSkewOwd *c);

/* A packet of which feedback, just now, says when it arrived: its one-way delay.
 * RCC_NEVER: it claims to have left after @now. */
RccTime rcc_skew_owd_packet (RccSkewOwd *c, RccTime sent, RccTime arrived, RccTime now);

#endif
