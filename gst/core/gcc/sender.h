/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/sender.h - the sender's half of GCC: target = min (delay, loss, REMB)
 */
#ifndef RCC_GCC_SENDER_H
#define RCC_GCC_SENDER_H

#include "core/gcc/delay.h"
#include "core/gcc/flight.h"
#include "core/gcc/l4s.h"
#include "core/gcc/prober.h"
#include "core/gcc/reorder.h"
#include "core/gcc/feedback-interval.h"
#include "core/gcc/cluster.h"

typedef struct {
  RccSender sender;                     /* first: the family's handle */
  RccGccConfig config;
  RccConfig limits;
  RccGccDelay delay;                    /* fed by transport feedback only */
  RccGccLoss loss;
  RccFlight flight;
  RccL4s l4s;
  RccProber prober;
  RccCluster cluster;                   /* the probe that feedback now speaks of */
  uint32_t cluster_id;                  /* 0: none */
  RccWindow sent;
  bool has_feedback;                    /* somebody has said when a packet arrived */
  int64_t reported_seq;                 /* the highest number; of one numbering for all, or of one
                                         * stream: where numbers run without a hole */
  bool reported_run;
  RccReorderLosses late;
  bool counts_packets;                  /* feedback tells of each: reports' loss is the same */
  RccTime fed, fed_interval;            /* the last feedback of packets; the longest of late */
  uint32_t remb_bps;                    /* UINT32_MAX: none */
  RccTime last_congestion;              /* REMB fell, or silence ended; RCC_NEVER: not yet */
  RccFeedbackInterval feedback;                              /* how far apart feedback comes */
  RccTime first_sent, last_sent;
  RccTime silence_next;                 /* when the rate halves; RCC_NEVER: not armed */
  double silence_bps;                   /* +inf: feedback is there */
  double flight_share;                  /* of the target, 1: not too much is in flight */
  double aim_bps;                       /* the target but for silence and flight, which are no
                                         * loss */
  /* state, for stats */
  uint32_t target_bps, pacing_bps;
  uint32_t delay_bps, loss_bps, acked_bps, sent_bps;
  double fraction_lost;
  RccTime rtt;                          /* RCC_NEVER: unknown */
  const char *limited_by;
  uint64_t reports, rembs, feedbacks, silences;
} RccGccSender;

extern const RccField rcc_gcc_sender_fields[];

void rcc_gcc_sender_init (RccGccSender *s, const RccGccConfig *config,
    const RccConfig *limits);

#endif
