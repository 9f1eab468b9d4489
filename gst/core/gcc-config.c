/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc-config.h"

/* Carlucci et al., ANRW'16.  Where the paper gives a range or nothing:
 * eta, beta and the detector's constants are draft-ietf-rmcat-gcc-02's, the gain of
 * 60 is libwebrtc's (the paper's m against 12.5 ms would never cross), REMB every
 * second and at once below 97 % is MMSys'16.  A feedback timeout is in no paper;
 * it acts only once the paper's controller has nothing left to go by. */
static const RccGccConfig paper = {
  .profile = RCC_GCC_PAPER,
  .grouping = RCC_GROUPING_PAPER, .burst = 5 * RCC_MSEC, .merge_cap = RCC_NEVER,
  .filter = RCC_FILTER_KALMAN, .gain = 60.0, .overuse = RCC_OVERUSE_DRAFT,
  .aimd = { .eta = 1.08, .beta = 0.85, .cap = 1.5 },
  .rate_window = 500 * RCC_MSEC,
  .loss = RCC_LOSS_PAPER, .pacing_factor = 1.0,
  .feedback_timeout = 5 * RCC_SEC,
  .feedback_interval = RCC_SEC,
};

static const RccGccConfig best = {
  .profile = RCC_GCC_DEFAULT,
  .grouping = RCC_GROUPING_DRAFT, .burst = 5 * RCC_MSEC,
  .merge_cap = 100 * RCC_MSEC,
  .filter = RCC_FILTER_TRENDLINE, .gain = 60.0, .overuse = RCC_OVERUSE_DRAFT,
  .aimd = { .eta = 1.08, .beta = 0.85, .cap = 1.5, .converge = true,
      .beta_small = 0.95, .drain_time = 500 * RCC_MSEC },
  .rate_window = 500 * RCC_MSEC, .fast_window = 200 * RCC_MSEC,
  .loss = RCC_LOSS_RELEASE, .pacing_factor = 1.1,
  .feedback_timeout = 2 * RCC_SEC,
  .probe_factor = 2.0, .probe_interval = 3 * RCC_SEC, .probe_span = 20 * RCC_MSEC,
  .feedback_interval = 200 * RCC_MSEC, .trains = true,
};

RccGccConfig
rcc_gcc_config (RccGccProfile profile)
{
  return profile == RCC_GCC_PAPER ? paper : best;
}
