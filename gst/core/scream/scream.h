/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scream/scream.h - Self-Clocked Rate Adaptation for Multimedia, version 2 (SCReAM v2), by
 * draft-ietf-ccwg-rfc8298bis-screamv2-01: a window on bytes in flight, and the target by it
 *
 * Needs feedback per packet (RFC 8888, transport-wide).  Answers RCC_TARGET and RCC_PACING, and
 * through allowance() the bytes that the window lets leave.  docs/scream.md lists, with the
 * numbers that the comments here have, what the draft leaves open and how it was read.
 */
#ifndef RCC_SCREAM_H
#define RCC_SCREAM_H

#include "core/scream/delay.h"
#include "core/scream/flight.h"
#include "core/scream/rate.h"
#include "core/scream/reordering.h"
#include "core/scream/window.h"
#include "core/stats.h"

typedef struct {
  RccSender sender;                     /* first: the family's handle */
  RccScreamConfig config;
  RccConfig limits;
  uint32_t remb_bps;                    /* UINT32_MAX: none */
  RccScreamFlight flight;
  RccScreamReordering reordering;
  RccScreamDelay delay;
  RccScreamWindow window;
  RccScreamRate rate;
  /* round trips */
  RccTime rtt, rtt_variation;           /* s_rtt: RFC 6298 2; RCC_NEVER: unknown */
  RccTime round;                        /* when this one began; RCC_NEVER: none has */
  uint64_t most_in_flight, most_in_flight_before;
  uint64_t acked;                       /* bytes in this round trip */
  double acked_bps;                     /* in the last one */
  /* silence, reading 9 */
  RccTime timeout;                      /* RCC_NEVER: nothing waits for feedback */
  unsigned backoffs;                    /* timeouts since feedback came */
  RccTime drained;                      /* until then half the target: 4.5.1; 0: not */
  /* state, for stats */
  uint32_t target_bps, pacing_bps;
  uint32_t window_bytes, in_flight;     /* UINT32_MAX: as much or more */
  RccTime qdelay, qdelay_mean;
  uint64_t feedbacks, timeouts, lost, ce;
} RccScream;

extern const RccField rcc_scream_fields[];

void rcc_scream_init (RccScream *s, const RccScreamConfig *config, const RccConfig *limits);

#endif
