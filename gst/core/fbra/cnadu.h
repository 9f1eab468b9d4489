/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/cnadu.h - "C-NADU-like": a baseline to compare FBRA with
 *
 * C-NADU (Singh, Ott and Curcio) looks at the 75th and 90th percentile of the round trip and at
 * what is late for play-out. It undershoots when congested. Its papers' thresholds are not
 * public; these are ours, after Singh's thesis (chapter 5) and slides. Figures of it are to be
 * labelled "C-NADU-like". Its upper bound is TFRC's rate at the loss event rate and round trip of
 * the path (RFC 5348 3.1 and 5, config.tfrc). Without feedback per packet there is no such bound.
 * Departs from what is known of it: losses count as late.
 *
 * The round trip is that of the reports (LSR and DLSR, or DLRR). A peer that never echoes one has
 * it taken from feedback's own times, where packets have them. It is the shortest time from
 * departure to feedback, and what a report's packets waited in queues on average. Where there are
 * none either it goes by what is lost and late alone, without TFRC's bound.
 *
 * Driven as FBRA is (fbra.h); it sends no parity.
 */
#ifndef RCC_CNADU_H
#define RCC_CNADU_H

#include "core/fbra/outcomes.h"
#include "core/fbra/owd.h"
#include "core/fbra/report-timer.h"
#include "core/fbra/state.h"
#include "core/settings.h"
#include "core/stats.h"
#include "core/tfrc/loss.h"

typedef struct {
  RccReportTimerConfig reports;
  RccTime window;                       /* of round trips, 30 s */
  double p_low, p_high;                 /* 0.75, 0.9: thesis */
  double increase;                      /* per report, 1.05: ours */
  RccTime d_max;                        /* 400 ms */
  bool tfrc;                            /* no faster than TFRC: true */
} RccCnaduConfig;

typedef struct {
  RccSender sender;                     /* first: the family's handle */
  RccCnaduConfig config;
  RccConfig limits;
  double rate;
  RccOwd rtts;
  RccSkewOwd clock;
  RccOutcomes outcomes;
  RccReportTimer timer;
  RccTfrcLoss losses;
  double packet_size;                   /* bytes, mean; 0: none told of */
  RccReport report;                     /* of this compound; expected 0: none */
  bool fresh;
  int64_t highest_seq;
  /* state, for stats */
  const char *reason;
  RccFbraState state;                   /* by the last report or silence: down, stay or up */
  uint32_t target_bps, goodput_bps;
  RccTime rtt, rtt_low, rtt_high;       /* RCC_NEVER: unknown */
  bool echoed;                          /* rtt is that of the reports */
  double loss_event_rate;
  uint32_t equation_bps;                /* UINT32_MAX: no bound */
  double late;                          /* part of the last report's packets */
  uint64_t reports, undershoots, silences;
} RccCnadu;

extern const RccField rcc_cnadu_fields[];

RccCnaduConfig rcc_cnadu_config (void);
extern const RccSetting rcc_cnadu_settings[];
void rcc_cnadu_init (RccCnadu *c, const RccCnaduConfig *config, const RccConfig *limits);

#endif
