/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/breaker/config.h"

#define LONGEST (3600 * RCC_SEC)
#define MOST_FRAMES 1000000
#define MOST_REPORTS 1000

const char *const rcc_breaker_state_names[] = { "closed", "reduced", "open" };

const char *const rcc_breaker_reason_names[] = {
  "none", "rtcp-timeout", "media-timeout", "congestion", "usability",
};

RccBreakerConfig
rcc_breaker_config (RccBreakerMode mode)
{
  const bool draft = mode == RCC_BREAKER_DRAFT2014;

  return (RccBreakerConfig) {
    .mode = mode, .model = RCC_TCP_MATHIS, .multiplier = 10,
    .require_rtcp = true, .ecn_as_loss = draft,
    .media_timeout_reports = draft ? 2 : 5, .frame_group = 1,
    .interval_size = !draft, .hold_below = draft ? 0 : 0.5,
    .frame_interval = RCC_NEVER, .rtcp_min_interval = RCC_NEVER,
    .rtcp_fraction = 0.05,
    /* 4.4 leaves these to the application: half is lost, or a second late, for 20 s */
    .unusable_loss = 0.5, .unusable_delay = RCC_SEC, .unusable_time = 20 * RCC_SEC,
  };
}

static double
number (double x, double lo, double hi, double otherwise)
{
  return x > 0 || x <= 0 ? RCC_CLAMP (x, lo, hi) : otherwise;
}

RccBreakerConfig
rcc_breaker_config_clamp (const RccBreakerConfig *config)
{
  const RccBreakerConfig rfc = rcc_breaker_config (config->mode);
  RccBreakerConfig c = *config;

  c.multiplier = number (c.multiplier, 1e-3, 1e6, rfc.multiplier);
  c.hold_below = number (c.hold_below, 0, 1, rfc.hold_below);
  c.rtcp_fraction = number (c.rtcp_fraction, 1e-6, 1, rfc.rtcp_fraction);
  c.unusable_loss = number (c.unusable_loss, 0, 1, rfc.unusable_loss);
  c.media_timeout_reports = RCC_CLAMP (c.media_timeout_reports, 1, MOST_REPORTS);
  c.frame_group = RCC_CLAMP (c.frame_group, 1, MOST_FRAMES);
  if (c.frame_interval != RCC_NEVER)
    c.frame_interval = RCC_MIN (c.frame_interval, LONGEST);
  if (c.rtcp_min_interval != RCC_NEVER)
    c.rtcp_min_interval = RCC_CLAMP (c.rtcp_min_interval, RCC_BREAKER_MIN_INTERVAL, LONGEST);
  c.rr_interval = RCC_MIN (c.rr_interval, LONGEST);
  c.unusable_delay = RCC_MIN (c.unusable_delay, LONGEST);
  c.unusable_time = RCC_MIN (c.unusable_time, LONGEST);
  return c;
}
