/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn-way.h - how long a packet that leaves now takes to the receiver
 *
 * Half the round trip, as McDonald and Nelson have it, or the one-way delay that feedback
 * per packet shows (owd-clock.h).  They differ while a queue stands in one direction only,
 * which is when packets come too late.
 */
#ifndef RCC_SBPN_WAY_H
#define RCC_SBPN_WAY_H

#include "core/owd-clock.h"

typedef enum {
  RCC_SBPN_WAY_ONE_WAY,                 /* as measured; RTT / 2 where that says nothing */
  RCC_SBPN_WAY_RTT,                     /* RTT / 2: the paper's */
} RccSbpnWayKind;

typedef struct {
  RccSbpnWayKind kind;
  RccTime life;                         /* of the packets that live longest; RCC_NEVER */
  RccTime rtt;                          /* RCC_NEVER: not known */
  RccOwdClock clock;
  RccTime owd;                          /* of the newest feedback; RCC_NEVER: none yet */
  RccTime heard;                        /* when that came */
} RccSbpnWay;

/* Nothing is known; packets live for ever until @life is set. */
void rcc_sbpn_way_init (RccSbpnWay *w, RccSbpnWayKind kind);

/* A report's round trip (RCC_NEVER: it has none), by which the measured delay is placed. */
void rcc_sbpn_way_report (RccSbpnWay *w, RccTime rtt, RccTime now);
/* Feedback, just now, on packets; lost ones say nothing. */
void rcc_sbpn_way_feedback (RccSbpnWay *w, const RccPacket *packets, size_t n, RccTime now);

/* RCC_NEVER: nothing is known. */
RccTime rcc_sbpn_way_travel (const RccSbpnWay *w, RccTime now);

#endif
