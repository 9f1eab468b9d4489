/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/delay.h"

#define MINUTE (60 * RCC_SEC)
#define EXTREMES_GAIN (1.0 / 16.0)      /* QDELAY_MIN_MAX_AVG_G: 4.2.1.4 */
#define VARIATION_GAIN (1.0 / 32.0)     /* QDELAY_DEV_AVG_G: 4.2.1.4 */
#define LONG_GAIN (1.0 / 256.0)         /* QDELAY_MIN_AVG_ALPHA: 4.5.1 */
#define NO_ROUND 1e9                    /* s; MAX_VALUE of 4.5.1 */

void
rcc_scream_delay_init (RccScreamDelay *d, const RccScreamConfig *config)
{
  *d = (RccScreamDelay) { .updated = RCC_NEVER, .round = RCC_NEVER, .round_least = NO_ROUND,
    .most = 1e-9 * (double) config->qdelay_target, .scale = 1.0 };
}

static void
restart (RccScreamDelay *d, int64_t delay, RccTime now)
{
  for (unsigned i = 0; i < RCC_SCREAM_BASES; i++)
    d->bases[i] = delay;
  d->minute = now;
  d->started = true;
}

static int64_t
base (const RccScreamDelay *d)
{
  int64_t least = d->bases[0];

  for (unsigned i = 1; i < RCC_SCREAM_BASES; i++)
    least = RCC_MIN (least, d->bases[i]);
  return least;
}

/* RFC 6817 2.3: one minimum for each minute. */
static void
note_base (RccScreamDelay *d, int64_t delay, RccTime now)
{
  int64_t *newest;

  if (now - d->minute >= MINUTE) {
    d->newest = (d->newest + 1) % RCC_SCREAM_BASES;
    d->bases[d->newest] = delay;
    d->minute = now;
  }
  newest = &d->bases[d->newest];
  *newest = RCC_MIN (*newest, delay);
}

static void
vary (RccScreamDelay *d, const RccScreamConfig *config)
{
  const double threshold = 1e-9 * (double) config->jitter_threshold;

  d->most *= 1.0 - EXTREMES_GAIN;
  d->least = d->least * (1.0 - EXTREMES_GAIN) + d->most * EXTREMES_GAIN;
  d->variation = (1.0 - VARIATION_GAIN) * d->variation + VARIATION_GAIN * (d->most - d->least);
  d->scale = RCC_CLAMP (1.0 - d->variation / threshold, 0.0, 1.0);
}

void
rcc_scream_delay_packet (RccScreamDelay *d, const RccScreamConfig *config, RccTime sent,
    RccTime arrived, RccTime rtt, RccTime now)
{
  const double target = 1e-9 * (double) config->qdelay_target;
  const int64_t delay = (int64_t) (arrived - sent);
  int64_t queue;

  if (!d->started)
    restart (d, delay, now);
  note_base (d, delay, now);
  queue = (int64_t) ((uint64_t) delay - (uint64_t) base (d));
  if (queue < 0 || (RccTime) queue > now - sent) {
    restart (d, delay, now);            /* longer than since it left: a clock was set anew */
    d->resets++;
    queue = 0;
  }
  d->qdelay = 1e-9 * (double) queue;
  d->round_least = RCC_MIN (d->round_least, d->qdelay);
  if (config->reduce_jitter) {
    d->most = RCC_MIN (target, RCC_MAX (d->qdelay, d->most));
    d->least = RCC_MIN (d->qdelay, d->least);
  }
  if (d->updated != RCC_NEVER && now - d->updated < RCC_MIN (config->virtual_rtt, rtt))
    return;
  d->mean = d->qdelay < d->mean ? d->qdelay
      : config->qdelay_gain * d->qdelay + (1.0 - config->qdelay_gain) * d->mean;
  if (config->reduce_jitter)
    vary (d, config);
  d->updated = now;
}

bool
rcc_scream_delay_drift (RccScreamDelay *d, const RccScreamConfig *config, RccTime rtt,
    RccTime now)
{
  const double target = 1e-9 * (double) config->qdelay_target;

  if (d->round != RCC_NEVER && now - d->round < rtt)
    return false;
  d->round = now;
  if (!config->clock_drift || d->round_least == NO_ROUND)
    return false;
  d->long_least += LONG_GAIN * (d->round_least - d->long_least);
  d->round_least = NO_ROUND;
  if (d->long_least <= 0.25 * target)
    return false;
  d->long_least = 0.0;
  d->started = false;
  d->resets++;
  return true;
}
