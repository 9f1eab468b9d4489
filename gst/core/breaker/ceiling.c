/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8083 has no such thing: 4.5 offers the time before the breaker opens for a cue to the user,
 * and 4.3 a tenth of the rate once it has triggered (reduce_first).
 * - It begins one interval before a verdict, at the middle between @hold_below and the whole of the
 *   limit, if all intervals had been sent at the newest's rate. That rate is known here, whatever
 *   reports say. Loss and RTT are judged as in a verdict: no report decides alone. So nobody slows
 *   a call down by one forged report.
 * - It is @hold_below of the limit by the newest intervals.
 * - It ends where that would allow what was sent before, or nothing is lost any more.
 */
#include "core/breaker/ceiling.h"

#include <math.h>

#define TIMES_MOST 1e6                  /* of intervals; what is beyond would be no number */
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

/* Reports may stay away for as long as a controller needs to double its rate. */
static void
send_as_now (RccBreakerCongestion *c)
{
  const RccBreakerInterval newest = c->intervals[(c->n_intervals - 1) % RCC_BREAKER_INTERVALS];

  for (unsigned k = 0; k < RCC_BREAKER_INTERVALS; k++) {
    RccBreakerInterval *i = &c->intervals[k];
    const double times = fmin ((double) i->duration / (double) newest.duration, TIMES_MOST);

    i->sent = (uint64_t) (times * (double) newest.sent);
    i->packets = (uint64_t) (times * (double) newest.packets);
  }
}

/* What the intervals say that there will be but one more of at the verdict. */
static bool
nears (const RccBreakerCongestion *c, const RccBreakerConfig *config, uint32_t cb_interval,
    double packet_size, RccBreakerFigures *figures)
{
  RccBreakerCongestion so_far = *c;
  RccBreakerConfig nearer = *config;
  bool over;

  if (c->n_intervals == 0 || cb_interval < 2)
    return false;
  nearer.multiplier *= (1 + config->hold_below) / 2;
  send_as_now (&so_far);
  over = rcc_breaker_congestion_judge (&so_far, &nearer, cb_interval - 1, packet_size);
  *figures = so_far.figures;
  return over;
}

bool
rcc_breaker_ceiling_report (RccBreakerCeiling *ceiling, const RccBreakerCongestion *c,
    const RccBreakerConfig *config, uint32_t cb_interval, double packet_size)
{
  const double part = config->hold_below * config->multiplier;
  RccBreakerFigures figures;
  double allowed;

  if (!(config->hold_below > 0))
    return release (ceiling);
  if (c->n_intervals == ceiling->judged)
    return false;
  ceiling->judged = c->n_intervals;
  if (nears (c, config, cb_interval, packet_size, &figures)) {
    if (!is_held (ceiling))
      ceiling->before_bps = figures.sent_bps;
    return set (ceiling, part * figures.tcp_bps);
  }
  /* without a verdict there is nothing new to go by */
  if (!is_held (ceiling) || c->n_intervals < cb_interval)
    return false;
  allowed = part * c->figures.tcp_bps;
  if (!(allowed < ceiling->before_bps))
    return release (ceiling);
  return set (ceiling, allowed);
}
