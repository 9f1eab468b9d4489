/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scream/window.h - the reference window of SCReAM v2 (screamv2 4.2.1.3, 4.2.2, 4.5.2, 4.5.3)
 *
 * Losses, CE marks and the queue shrink it, acknowledged bytes let it grow.
 */
#ifndef RCC_SCREAM_WINDOW_H
#define RCC_SCREAM_WINDOW_H

#include "core/scream/config.h"

typedef struct {                        /* what one feedback message tells */
  RccTime now, rtt;                     /* rtt: s_rtt, not 0 */
  uint64_t acked, acked_ce;             /* bytes; acked with lost ones, screamv2 4.1.2 */
  uint32_t packets, packets_ce;         /* that came; of those with CE */
  uint32_t lost;                        /* packets, by now */
  double qdelay, qdelay_mean;           /* s */
  double delay_scale;                   /* ref_wnd_delay_scale; 1: the queue does not vary */
  uint64_t most_in_flight, most_in_flight_before;       /* of this and the last round trip */
  double target_bps, most_bps;          /* target_bitrate, TARGET_BITRATE_MAX */
  double acked_bps;                     /* of about a round trip */
} RccScreamSignals;

typedef struct {
  double bytes;                         /* ref_wnd */
  double inflection;                    /* ref_wnd_i */
  bool inflection_open;                 /* ref_wnd_i_update_allowed */
  RccTime detected, reacted;            /* congestion; RCC_NEVER: never */
  RccTime grown;                        /* RCC_NEVER: never */
  bool lost, marked;                    /* since the last reaction */
  double acked, acked_ce;               /* bytes since it grew */
  double alpha;                         /* l4s_alpha */
  RccTime alpha_updated;                /* RCC_NEVER: never */
  uint64_t delivered, delivered_ce;     /* packets since then */
  double loss_rate;
  double policed;                       /* max_policed_ref_wnd; INFINITY: none */
  const char *state;                    /* what moved it last */
  uint64_t losses, marks, queues;       /* reactions */
} RccScreamWindow;

void rcc_scream_window_init (RccScreamWindow *w, const RccScreamConfig *config);
void rcc_scream_window_update (RccScreamWindow *w, const RccScreamConfig *config,
    const RccScreamSignals *signals);

#endif
