/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scream/flight.h - bytes in flight (screamv2 4.1.1): what left after the newest packet of
 * which feedback says that it came
 *
 * Feedback numbers packets in its own way, and all streams are one here.  So packets are known by
 * when they left.  Those of one moment make a run, and of a run so many bytes are acknowledged as
 * feedback tells of.  With more runs than there is room for, neighbours become one, and moments
 * are so much longer until feedback has caught up.
 */
#ifndef RCC_SCREAM_FLIGHT_H
#define RCC_SCREAM_FLIGHT_H

#include "core/rcc.h"

#define RCC_SCREAM_RUNS 512

typedef struct {
  RccTime first, last;                  /* when its packets left */
  uint64_t before;                      /* bytes that left before it */
  uint32_t bytes, acked;
} RccScreamRun;

typedef struct {
  uint64_t sent, acked;                 /* bytes, ever; acked as screamv2 4.1.2 counts */
  RccTime grain;                        /* how long a moment is; 0: it is not longer */
  unsigned n;
  RccScreamRun runs[RCC_SCREAM_RUNS];   /* oldest first */
} RccScreamFlight;

void rcc_scream_flight_init (RccScreamFlight *f);
void rcc_scream_flight_sent (RccScreamFlight *f, uint32_t size, RccTime now);

/* A packet of @size that left at @sent came.  Returns the bytes that are acknowledged by that,
 * with those that were lost before it. */
uint64_t rcc_scream_flight_acked (RccScreamFlight *f, uint32_t size, RccTime sent);

/* Nothing is in flight any more. */
void rcc_scream_flight_give_up (RccScreamFlight *f);

static inline uint64_t
rcc_scream_in_flight (const RccScreamFlight *f)
{
  return f->sent - f->acked;
}

#endif
