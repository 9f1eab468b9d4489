/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8083 has no such thing: 4.5 offers the time before the breaker opens for a cue to the user,
 * and 4.3 a tenth of the rate once it has triggered (reduce_first).
 * - It begins where one more report like the newest would trigger.
 * - It is @hold_below of the limit: that of the coming verdict while congestion nears, and of the
 *   newest one after that.
 * - It ends where that would allow what was sent before, or nothing is lost any more.
 */
#include "core/breaker/ceiling.h"

#include <math.h>

#define LEAST_CHANGE 0.05               /* of the ceiling; encoders are not told of less */

void
rcc_breaker_ceiling_init (RccBreakerCeiling *ceiling)
{
  *ceiling = (RccBreakerCeiling) { .bps = RCC_BREAKER_NO_CEILING };
}

static bool
is_held (const RccBreakerCeiling *ceiling)
{
  return ceiling->bps != RCC_BREAKER_NO_CEILING;
}

static bool
release (RccBreakerCeiling *ceiling)
{
  const bool held = is_held (ceiling);

  ceiling->bps = RCC_BREAKER_NO_CEILING;
  return held;
}

static bool
set (RccBreakerCeiling *ceiling, double bps)
{
  const uint32_t next = (uint32_t) RCC_CLAMP (bps, 1, (double) RCC_BREAKER_NO_CEILING - 1);

  if (is_held (ceiling) && fabs ((double) next - ceiling->bps) < LEAST_CHANGE * ceiling->bps)
    return false;
  ceiling->bps = next;
  return true;
}

bool
rcc_breaker_ceiling_report (RccBreakerCeiling *ceiling, const RccBreakerCongestion *c,
    const RccBreakerConfig *config, uint32_t cb_interval, double packet_size)
{
  const double part = config->hold_below * config->multiplier;
  RccBreakerFigures next;
  double allowed;

  if (!(config->hold_below > 0))
    return release (ceiling);
  if (c->n_intervals == ceiling->judged)
    return false;
  ceiling->judged = c->n_intervals;
  if (rcc_breaker_congestion_nears (c, config, cb_interval, packet_size, &next)) {
    if (!is_held (ceiling))
      ceiling->before_bps = next.sent_bps;
    return set (ceiling, part * next.tcp_bps);
  }
  /* without a verdict there is nothing new to go by */
  if (!is_held (ceiling) || c->n_intervals < cb_interval)
    return false;
  allowed = part * c->figures.tcp_bps;
  if (!(allowed < ceiling->before_bps))
    return release (ceiling);
  return set (ceiling, allowed);
}
