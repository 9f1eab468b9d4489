/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/aimd.h - the rate controller that the over-use signal drives
 * (ANRW'16 Figure 3; draft-ietf-rmcat-gcc-02 5.5)
 */
#ifndef RCC_GCC_AIMD_H
#define RCC_GCC_AIMD_H

#include "core/gcc/doubt.h"
#include "core/gcc/drain.h"
#include "core/gcc/overuse.h"

typedef enum { RCC_AIMD_HOLD, RCC_AIMD_INCREASE, RCC_AIMD_DECREASE } RccAimdState;

typedef struct {
  double eta;           /* multiplicative increase a second: 1.08 */
  double beta;          /* decrease to this share of the received rate: 0.85 */
  double cap;           /* no increase beyond this multiple of it: 1.5 */
  bool converge;        /* additive increase near the rate of past decreases ... */
  double learn;         /* ... whose mean follows by this share of each: 0.05 */
  bool eta_varies;      /* eta by round trip and noise instead, the draft of 2012 */
  /* Not in the papers, off (0) unless the profile says so: */
  double beta_small;    /* decrease to this share while the queue is short ... */
  RccTime queue_floor;  /* over-use with a shorter queue only holds */
  double recover;       /* climb by 50 % a second up to this share of the capacity ... */
  bool recover_free;    /* ... whatever is received and the filter says, while nobody probes */
  double climb;         /* ln eta times this while nobody probes, no queue or capacity known */
  uint32_t doubt;       /* gcc/doubt.h; halvings at most */
  RccTime drain_time;   /* gcc/drain.h: lower than beta_small by what empties the queue in it */
  double drain_resume;
  uint32_t drain_doubt;
} RccAimdConfig;

typedef struct {
  RccAimdConfig config;
  RccAimdState state;
  double eta_log;                       /* ln eta */
  bool unprobed;                        /* nobody shows what the path takes; set from outside */
  double noise;                         /* of the arrival-time filter, ms^2; set from outside */
  double floor;                         /* bit/s; set from outside; 0: none */
  RccTime waited;                       /* by the last packet; set from outside; RCC_NEVER: never */
  double bps;                           /* A */
  double capacity, deviation;           /* bit/s; at past decreases; 0: none */
  RccTime rtt;                          /* 200 ms until somebody knows */
  RccTime updated, decreased;           /* RCC_NEVER: never */
  double shown;                         /* bit/s that a probe showed ... */
  RccTime shown_at;                     /* ... and when; RCC_NEVER: never */
  RccDoubt doubt;
  RccDrain drain;
  uint64_t decreases;
} RccAimd;

void rcc_aimd_init (RccAimd *a, const RccAimdConfig *config, double start_bps);

/* @received: R, bit/s; @queue: standing queue above the path's base delay, as far
 * as it is known.  Returns A. */
double rcc_aimd_update (RccAimd *a, RccUsage usage, double received,
    RccTime queue, RccTime now);

/* The path has just become slower: what rcc_aimd_raise() was told of it does not hold. */
void rcc_aimd_forget_shown (RccAimd *a);
/* Something measured says that the path takes @bps. */
void rcc_aimd_raise (RccAimd *a, double bps, RccTime now);

#endif
