/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scream/delay.h - the queue by one-way delays (RFC 6817 2.3), its mean and its variation
 * (screamv2 4.2.1.4), and clocks that drift (4.5.1)
 */
#ifndef RCC_SCREAM_DELAY_H
#define RCC_SCREAM_DELAY_H

#include "core/scream/config.h"

#define RCC_SCREAM_BASES 10             /* minutes: BASE_HISTORY of RFC 6817 2.3 */

typedef struct {
  bool started;
  int64_t bases[RCC_SCREAM_BASES];      /* the least arrived - sent of a minute, ns */
  unsigned newest;
  RccTime minute;                       /* when the newest began */
  double qdelay, mean;                  /* s; mean: qdelay_avg */
  RccTime updated;                      /* last_update_qdelay_avg_time; RCC_NEVER: never */
  double most, least, variation;        /* qdelay_max_avg, qdelay_min_avg, qdelay_dev_avg */
  double scale;                         /* ref_wnd_delay_scale */
  double round_least, long_least;       /* 4.5.1: qdelay_min; qdelay_min_avg, of its own */
  RccTime round;                        /* when the round trip began; RCC_NEVER: none has */
  uint64_t resets;                      /* clocks that were set anew, or drifted */
} RccScreamDelay;

void rcc_scream_delay_init (RccScreamDelay *d, const RccScreamConfig *config);

/* A packet that left at @sent and came at @arrived, by the other clock; we hear of it now.
 * @rtt: smoothed. */
void rcc_scream_delay_packet (RccScreamDelay *d, const RccScreamConfig *config, RccTime sent,
    RccTime arrived, RccTime rtt, RccTime now);

/* 4.5.1, once a round trip.  True: the base was forgotten, and the queue has to be emptied so
 * that it can be learnt anew. */
bool rcc_scream_delay_drift (RccScreamDelay *d, const RccScreamConfig *config, RccTime rtt,
    RccTime now);

#endif
