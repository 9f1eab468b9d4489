/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/probe.h - FBRA's idea for any controller: what it wants more is parity first
 *
 * "When it receives a TMMBR message for increasing the rate, it can allocate the
 * difference in the current rate and the new rate to FEC" (Nagy et al., section 7).  The
 * controller's target comes in by rcc_fbra_external(); what goes out is the same target
 * or less, divided into media and parity.  A decrease takes effect at once.  An increase is sent
 * as parity.  It becomes media when a report shows parity of it, and no packet lost or discarded
 * since it began.  The controller keeps its own eyes: this one holds
 * an increase back, it never asks for a decrease.
 *
 * Driven as FBRA is (fbra.h): the same events, flags and meaning of ->fec_interval.
 * States, for the metrics: PROBE, UP until the report after it, DOWN from the
 * controller's decrease to the next report, STAY otherwise.
 */
#ifndef RCC_FBRA_PROBE_H
#define RCC_FBRA_PROBE_H

#include "core/fbra/outcomes.h"
#include "core/fbra/state.h"

typedef struct {
  RccReportTimerConfig reports;         /* .interval and .interval_rtts alone */
  uint32_t n_min, n_max;                /* 2..14, as FBRA */
  uint32_t parity_least;                /* parity packets a probe must show: 1 */
  double direct;                        /* an increase to so much of what was last shown to pass
                                         * needs no probe: 1.02. A controller's target is never
                                         * quite still */
  double back_off;                      /* intervals after a probe that failed: 2 */
  double timeout;                       /* intervals until one that nobody reports on has
                                         * failed: 8 */
  RccTime d_max;                        /* 400 ms */
} RccFbraProbeConfig;

typedef struct {
  RccSender sender;                     /* first: the family's handle */
  RccFbraProbeConfig config;
  RccConfig limits;                     /* min and max; the start is the controller's */
  RccFbraState state;
  double external;                      /* < 0: none yet */
  double media;                         /* outside probes */
  double proved;                        /* the most that has passed since it went down */
  struct {                              /* the probe under way */
    uint32_t n;
    double media, fec;
  } probe;
  RccTime began, hold_until;            /* a probe; no other before */
  RccSkewOwd clock;
  RccOutcomes outcomes;                 /* of packets that left since the probe began */
  bool fresh;
  /* state, for stats */
  const char *state_name, *reason;
  uint32_t external_bps, target_bps, fec_bps, fec_interval;
  uint64_t probes, probes_passed, timeouts;
} RccFbraProbe;

extern const RccField rcc_fbra_probe_fields[];

RccFbraProbeConfig rcc_fbra_probe_config (void);
void rcc_fbra_probe_init (RccFbraProbe *p, const RccFbraProbeConfig *config,
    const RccConfig *limits);

/* The controller's target.  The first is media at once: there is nothing to go by. */
RccUpdate rcc_fbra_external (RccFbraProbe *p, uint32_t bps, RccTime now);

#endif
