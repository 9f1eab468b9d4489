/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/outcomes.h - what became of the packets of one report, and how late in it
 *
 * A congestion control that is told of lost, discarded and received packets wants to know how
 * many of each there are. It wants to know whether that was early or late in the range reported.
 * It wants to know how fast they left, and how fast they came. Memory is fixed: beyond
 * RCC_OUTCOMES_CELLS packets in a report, neighbours share a cell.
 */
#ifndef RCC_OUTCOMES_H
#define RCC_OUTCOMES_H

#include "core/skew-owd.h"

#define RCC_OUTCOMES_CELLS 128

typedef struct {
  uint32_t packets, losses, discards;   /* media and parity */
  uint32_t recent_losses, recent_discards;      /* in the later part of the range */
  uint32_t parity;                      /* repair packets among @packets */
  bool rated;                           /* the rates are known; 0 otherwise */
  double sent_bps, goodput_bps;         /* media only */
  double received_bps;                  /* the same with what came too late: as fast as
                                         * the path is, while it is full ... */
  double path_bps;                      /* ... of media and parity */
  RccTime owd;                          /* mean of those that arrived; RCC_NEVER: none */
  RccTime bad_sent;                     /* departure of the first that failed; RCC_NEVER */
  RccTime newest_sent;                  /* RCC_NEVER: no packet */
} RccOutcomesSum;

typedef struct {
  RccTime d_max;                        /* what was longer under way was discarded */
  RccOutcomesSum sum;                   /* so far, without what is worked out at the end */
  unsigned n, per;                      /* cells in use; packets in each but the last */
  unsigned filled;                      /* packets in the last */
  struct {
    uint32_t losses, discards;
  } cells[RCC_OUTCOMES_CELLS];
  uint64_t sent_bytes, good_bytes, received_bytes; /* media */
  uint64_t path_bytes;                  /* that came, with parity */
  double owd_sum;
  uint32_t owds;
  RccTime last_arrived, last_sent;      /* of the last that came, receiver's clock and
                                         * ours; RCC_NEVER: none did */
  struct {                              /* the same of the report before */
    RccTime sent, arrived, closed;      /* RCC_NEVER: there was none */
  } before;
} RccOutcomes;

void rcc_outcomes_init (RccOutcomes *f, RccTime d_max);

/* Packets in the order they left, as on_feedback() has them, each once.  What a packet
 * says of the delay goes through @clock. */
void rcc_outcomes_take (RccOutcomes *f, RccSkewOwd *clock, const RccPacket *packets, size_t n,
    RccTime now);

/* The report ends here: everything since the last close, the last @recent (0..1) of whose packets
 * are the recent ones. Rates are by the time between the newest packet of the report before and
 * that of this one. It is by departure for what was sent, and by arrival for what was good. That
 * is exact where the reports' own spacing is not. A packet that did not come stands where it
 * would have, by its departure. Where the clocks contradict the reports' spacing by more than
 * four times it, that decides. */
RccOutcomesSum rcc_outcomes_close (RccOutcomes *f, double recent, RccTime now);

#endif
