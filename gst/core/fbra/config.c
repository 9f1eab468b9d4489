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
};

const RccField rcc_fbra_config_fields[] = {
  RCC_FIELD (RccFbraConfig, p_low, "p-low", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, p_high, "p-high", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, owd_window, "owd-window", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, owd_floor, "owd-floor", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, d_max, "max-delay", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, alpha_undershoot, "alpha-undershoot", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, alpha_stay, "alpha-stay", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, alpha_down_probe, "alpha-down-probe", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, alpha_down_up, "alpha-down-up", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, beta, "beta", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, stay_excess, "stay-excess", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, alarm_excess, "alarm-excess", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, stray, "stray-loss", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, recent, "recent", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, reports.interval, "feedback-interval", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, reports.interval_rtts, "interval-rtts", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, reports.pool, "pool", RCC_BOOL, ""),
  RCC_FIELD (RccFbraConfig, reports.early, "early", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, reports.silent_intervals, "silent-intervals", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, reports.first_timeout, "first-timeout", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, undershoot_delta, "undershoot-delta", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, undershoot_factor, "undershoot-factor", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, deactivate, "deactivate", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, deactivate_reports, "deactivate-reports", RCC_U32, ""),
  RCC_FIELD (RccFbraConfig, by_capacity, "by-capacity", RCC_BOOL, ""),
  RCC_FIELD (RccFbraConfig, ahead, "ahead", RCC_BOOL, ""),
  RCC_FIELD (RccFbraConfig, bounce, "bounce", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, probe_backoff, "probe-backoff", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, probe_backoff_max, "probe-backoff-max", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, reserve, "reserve", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, roomy, "roomy", RCC_U32, ""),
  RCC_FIELD (RccFbraConfig, near, "near", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, rates_window, "rates-window", RCC_TIME, "ns"),
  RCC_FIELD (RccFbraConfig, filled, "filled", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, rule, "fec-interval-rule", RCC_U32, ""),
  RCC_FIELD (RccFbraConfig, parity_least, "parity-least", RCC_U32, ""),
  RCC_FIELD (RccFbraConfig, n_min, "fec-interval-min", RCC_U32, ""),
  RCC_FIELD (RccFbraConfig, n_max, "fec-interval-max", RCC_U32, ""),
  RCC_FIELD (RccFbraConfig, n_low, "fec-interval-low", RCC_U32, ""),
  RCC_FIELD (RccFbraConfig, n_initial, "fec-interval-initial", RCC_DOUBLE, ""),
  RCC_FIELD (RccFbraConfig, n_peak, "fec-interval-peak", RCC_DOUBLE, ""),
  RCC_FIELDS_END,
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
