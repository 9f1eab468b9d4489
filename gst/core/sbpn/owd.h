/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn/owd.h - how long a packet that leaves now takes to the receiver
 *
 * Half the round trip, as McDonald and Nelson have it, or the one-way delay that feedback
 * per packet shows (skew-owd.h).  They differ while a queue stands in one direction only,
 * which is when packets come too late.
 */
#ifndef RCC_SBPN_OWD_H
#define RCC_SBPN_OWD_H

#include "core/skew-owd.h"
#include "core/settings.h"
#include "core/stats.h"

typedef enum {
  RCC_SBPN_OWD_MEASURED,                /* as measured; RTT / 2 where that says nothing */
  RCC_SBPN_OWD_HALF_RTT,                /* RTT / 2: the paper's */
} RccSbpnOwdKind;

typedef struct {
  RccSbpnOwdKind kind;
  RccTime life;                         /* of the packets that live longest; RCC_NEVER */
  RccTime rtt;                          /* RCC_NEVER: not known */
  RccSkewOwd clock;
  RccTime owd;                          /* of the newest feedback; RCC_NEVER: none yet */
  RccTime heard;                        /* when that came */
  RccTime least[2];                     /* delays: in this span of time and the one before */
  RccTime span_end;
} RccSbpnOwd;

extern const RccField rcc_sbpn_owd_fields[];
extern const RccChoices rcc_sbpn_one_way_delays;

/* Nothing is known; packets live for ever until @life is set. */
void rcc_sbpn_owd_init (RccSbpnOwd *w, RccSbpnOwdKind kind);

/* The round trip as it is known now, whoever measured it; RCC_NEVER: it is not. */
void rcc_sbpn_owd_rtt (RccSbpnOwd *w, RccTime rtt, RccTime now);
/* A report's round trip (RCC_NEVER: it has none), by which the measured delay is placed. */
void rcc_sbpn_owd_report (RccSbpnOwd *w, RccTime rtt, RccTime now);
/* Feedback, just now, on packets; lost ones say nothing. */
void rcc_sbpn_owd_feedback (RccSbpnOwd *w, const RccPacket *packets, size_t n, RccTime now);

/* What of a packet's life the way takes, RCC_NEVER: nothing is known. Where the path is so long
 * that an empty one takes all of it, half of it counts (not for RCC_SBPN_OWD_HALF_RTT). What
 * cannot be had on this path is not asked of it. */
RccTime rcc_sbpn_owd_estimate (const RccSbpnOwd *w, RccTime now);

#endif
