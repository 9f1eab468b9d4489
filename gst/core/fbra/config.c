/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/config.h"

static const RccFbraConfig paper = {
  .p_low = 0.4, .p_high = 0.8, .owd_window = 30 * RCC_SEC, .owd_floor = 0,
  .d_max = 400 * RCC_MSEC,
  .alpha_undershoot = 2.0, .alpha_stay = 1.1, .alpha_down_probe = 1.6,
  .alpha_down_up = 1.4, .beta = 1.2,
  .recent = 0.5,
  .reports = { .interval = 100 * RCC_MSEC, .interval_rtts = 2.0, .early = 0.5,
      .silent_intervals = 2.0, .first_timeout = 2500 * RCC_MSEC },
  .undershoot_delta = 2.0, .undershoot_factor = 0.9, .deactivate = 1.05,
  .deactivate_reports = 1, .bounce = 0.9,
  .near = 0.9, .rates_window = 2 * RCC_SEC, .filled = 0.67,
  .rule = RCC_FBRA_N_STEP, .n_min = 2, .n_max = 14, .n_low = 8, .n_initial = 0.85,
  .n_peak = 0.5,
  .share_step = 50e3, .share_bounce = 0.85, .share_backoff = 2 * RCC_SEC,   /* .share_varies: off */
};

RccFbraConfig
rcc_fbra_config_plus (void)
{
  RccFbraConfig c = paper;

  c.p_high = 0.4;
  c.alpha_stay = 3.0;                   /* a report's mean above two frames of queue */
  c.stay_excess = 25 * RCC_MSEC;
  c.alarm_excess = 60 * RCC_MSEC;
  c.stray = 0.05;
  c.by_capacity = c.ahead = true;
  c.bounce = 0.95;                      /* above .reserve: once back there is no probe */
  c.reserve = 0.94;
  c.probe_backoff = c.probe_backoff_max = 12 * RCC_SEC;
  /* alone: .003 to .01, what CCFB's 1/1024 s leave open among it; with others .02 to .4 */
  c.share_varies = 0.03;
  c.roomy = 12;
  c.rule = RCC_FBRA_N_STREAK;
  c.n_min = 7;
  c.parity_least = 1;
  return c;
}

RccFbraConfig
rcc_fbra_config_at (const RccFbraConfig *config, RccTime p_high)
{
  const double usual = p_high == RCC_NEVER ? 0 : (double) (p_high + config->owd_floor);
  RccFbraConfig c = *config;

  if (usual <= 0)
    return c;
  if (c.stay_excess > 0)
    c.alpha_stay = RCC_MIN (c.alpha_stay, 1.0 + (double) c.stay_excess / usual);
  if (c.alarm_excess > 0) {
    c.alpha_undershoot = 1.0 + (double) c.alarm_excess / usual;
    c.alpha_down_probe = RCC_MIN (c.alpha_down_probe, c.alpha_undershoot);
    c.alpha_down_up = RCC_MIN (c.alpha_down_up, c.alpha_undershoot);
  }
  return c;
}

RccFbraConfig
rcc_fbra_config (void)
{
  return paper;
}
