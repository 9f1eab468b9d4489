/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sim/run.h - one call of one controller over a scenario, in virtual time
 *
 * What a program outside this tree needs to try a controller of its own: a row
 * (core/controller.h), and rcc_scenario_run().
 */
#ifndef RCC_SIM_RUN_H
#define RCC_SIM_RUN_H

#include "core/controller.h"

#define RCC_RUN_ERROR 256               /* bytes of the longest error */

typedef struct {
  const RccController *controller;      /* any; it need not be in the registry */
  const void *config;                   /* config_size bytes of its own; NULL: its defaults */
  const char *scenario;                 /* a built-in name, or a file's path */
  const char *const *options;           /* NAME, VALUE, NAME, VALUE ... NULL, as of sim/options.h
                                         * ("feedback", "twcc"); NULL: none */
  RccTime duration;                     /* ns, of the call */
  uint64_t seed;                        /* of all randomness: the same seed, the same call */
  const char *csv;                      /* a file to write samples to, each 0.2 s; NULL: none */
} RccScenarioCall;

typedef struct {                        /* of the whole call */
  double utilisation;                   /* 0..1: delivered, of what the link and the source allow */
  double delivered_bps;                 /* media with RTP headers */
  double lost;                          /* 0..1, of the packets that left */
  double queue_p50, queue_p95, queue_p99;       /* ms, of the bottleneck */
  double delay_p95;                     /* ms, one way, of RTP packets */
} RccScenarioResult;

/* Runs @call as rccsim does and fills @result; false with one sentence in @error
 * (RCC_RUN_ERROR bytes): no such scenario, no such option, or a file cannot be written. */
bool rcc_scenario_run (const RccScenarioCall *call, RccScenarioResult *result, char *error);

#endif
