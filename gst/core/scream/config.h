/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scream/config.h - the constants of SCReAM v2, with the names of
 * draft-ietf-ccwg-rfc8298bis-screamv2-01; settings.c has their values and sections
 */
#ifndef RCC_SCREAM_CONFIG_H
#define RCC_SCREAM_CONFIG_H

#include "core/settings.h"

typedef struct {
  /* 4.2.1 and 4.2.2: the reference window */
  bool l4s;                             /* IS_L4S: CE in proportion; else as classic ECN */
  uint32_t mss, min_window;             /* MSS, MIN_REF_WND; bytes */
  double beta_loss, beta_ecn;
  double alpha_up, alpha_down;          /* L4S_AVG_G_UP, L4S_AVG_G_DOWN */
  RccTime qdelay_target;                /* QDELAY_TARGET_LO */
  double qdelay_gain;                   /* QDELAY_AVG_G */
  bool reduce_jitter;                   /* REDUCE_JITTER */
  RccTime jitter_threshold;             /* QDELAY_DEV_THRESHOLD */
  RccTime virtual_rtt;                  /* VIRTUAL_RTT */
  double post_congestion_rtts;          /* POST_CONGESTION_DELAY_RTTS */
  double increase;                      /* MUL_INCREASE_FACTOR */
  double headroom;                      /* BYTES_IN_FLIGHT_HEAD_ROOM */
  /* 4.3: when packets may leave */
  double overhead_min, overhead_max;    /* REF_WND_OVERHEAD_MIN, _MAX */
  double pacing_headroom;               /* PACKET_PACING_HEADROOM */
  uint32_t pacing_min;                  /* RATE_PACE_MIN; bit/s */
  double relaxed_pacing, relaxed_from;  /* MAX_RELAXED_PACING_FACTOR,
                                         * RELAXED_PACING_LIMIT_LOW */
  /* 4.4: the target */
  uint32_t packet_overhead;             /* PACKET_OVERHEAD; bytes */
  double adjust_gain, frame_gain;       /* RATE_ADJUST_GAIN, FRAME_SIZE_DEV_ALPHA */
  /* 4.5: what the draft calls additional */
  bool clock_drift;                     /* 4.5.1 */
  bool conditional_loss;                /* 4.5.2 */
  double loss_threshold;                /* LOSS_RATE_THRESHOLD */
  bool policer;                         /* 4.5.2 */
  double policer_threshold;             /* LOSS_RATE_THRESHOLD_POLICER */
  double beta_policer;                  /* BETA_LOSS_POLICER */
  bool undershoot;                      /* 4.5.3 */
} RccScreamConfig;

RccScreamConfig rcc_scream_config (void);
extern const RccSetting rcc_scream_settings[];

#endif
