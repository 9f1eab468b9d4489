/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/overuse.h - over-use detector with adaptive threshold
 * (draft-ietf-rmcat-gcc-02 5.4)
 */
#ifndef RCC_GCC_OVERUSE_H
#define RCC_GCC_OVERUSE_H

#include "core/rcc.h"

typedef enum { RCC_USAGE_UNDER = -1, RCC_USAGE_NORMAL = 0, RCC_USAGE_OVER = 1 } RccUsage;

typedef struct {
  double k_up, k_down;                  /* threshold gain above and below it, 1/ms */
  RccTime overuse_time;                 /* how long it must last */
  double threshold;                     /* at first, ms; 0: 12.5.  Static with both gains 0 */
} RccOveruseConfig;

/* draft-ietf-rmcat-gcc-02 forgets slowly, libwebrtc today quickly: they disagree
 * in kind, so both are there by name (algorithms: section 5.4 of the draft). */
#define RCC_OVERUSE_DRAFT  { 0.01, 0.00018, 10 * RCC_MSEC, 0.0 }
#define RCC_OVERUSE_WEBRTC { 0.0087, 0.039, 10 * RCC_MSEC, 0.0 }

typedef struct {
  RccOveruseConfig config;
  double threshold;                     /* gamma, ms; within [6, 600] */
  double previous;                      /* the trend before */
  RccTime updated;                      /* of the threshold; RCC_NEVER: never */
  RccTime over_for;                     /* RCC_NEVER: not above the threshold */
  unsigned over_count;
  RccUsage usage;
  uint64_t overuses;
} RccOveruse;

void rcc_overuse_init (RccOveruse *o, const RccOveruseConfig *config);

/* @trend: the scaled gradient T in ms, positive = queue growing; @d_send: the
 * group's send delta.  Over-use is said once per overuse_time while it lasts. */
RccUsage rcc_overuse_update (RccOveruse *o, double trend, int64_t d_send,
    RccTime now);

#endif
