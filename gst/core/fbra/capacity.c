/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/capacity.h"

#include <math.h>

#define SHARE_LEAST 0.3                 /* of the capacity, however long the queue */
#define SHARE_LEAST_AHEAD 0.1
#define SAME 0.1                        /* a capacity no further from another is that one */
#define LOSSY_PACKETS 200.0             /* that the share of losses of late is about */
#define HALVINGS 8u

static void
remember (RccFbraCapacity *c, const RccFbraConfig *config, double rate, RccTime now)
{
  const bool again = c->known > 0 && fabs (c->bps / c->known - 1.0) < SAME;

  /* below it is not by a probe: larger frames than usual, or others on the path */
  c->learning = !again || rate > config->reserve * c->known;
  if (!c->learning)
    return;
  c->known = c->bps;
  c->probe_backoff = again ? RCC_MIN (2 * c->probe_backoff, config->probe_backoff_max)
      : config->probe_backoff;
  c->until = now + c->probe_backoff;
}

double
rcc_fbra_capacity_fall (RccFbraCapacity *c, const RccFbraConfig *config, double rate,
    double received, RccTime now)
{
  /* one report is a few packets: with probe_backoff there is a second */
  const bool two = config->probe_backoff > 0 && c->before > 0;
  const double took = two ? 0.5 * (received + c->before) : received;

  /* once below it, what comes says less and less of it */
  c->falls++;
  c->streak = 0;
  c->bps = c->falls == 2 ? RCC_MAX (c->bps, took) : took;
  c->reports = two ? 2 : 1;
  if (config->probe_backoff > 0 && c->falls == 1)
    remember (c, config, rate, now);
  return took;
}

void
rcc_fbra_capacity_refine (RccFbraCapacity *c, double received)
{
  if (c->falls != 1)
    return;
  c->reports++;
  c->bps += (received - c->bps) / c->reports;
  if (c->learning)
    c->known = c->bps;
}

double
rcc_fbra_capacity_share (const RccFbraConfig *config, double capacity, double rate,
    RccTime queue, RccTime rtt, RccTime wait)
{
  const double over = rate / capacity;
  const double queued = config->ahead ? (double) queue * over + (over - 1.0) * (double) rtt
      : (double) queue;
  const double share = config->undershoot_factor
      - RCC_MAX (queued, 0.0) / (double) RCC_MAX (wait, 1);

  return RCC_MAX (share, config->ahead ? SHARE_LEAST_AHEAD : SHARE_LEAST) * capacity;
}

static bool
exceeds (const RccFbraCapacity *c, const RccFbraConfig *config, double rate, uint32_t n)
{
  return rate * (n + 1) > config->reserve * c->known * n;
}

bool
rcc_fbra_capacity_allows (const RccFbraCapacity *c, const RccFbraConfig *config,
    double rate, RccTime now)
{
  return config->probe_backoff == 0 || now >= c->until
      || !exceeds (c, config, rate, config->n_max);
}

uint32_t
rcc_fbra_capacity_n (const RccFbraCapacity *c, const RccFbraConfig *config, double rate)
{
  uint32_t n = RCC_MAX (config->n_max >> RCC_MIN (c->streak, HALVINGS), config->n_min);

  if (rate < (1.0 + SAME) * c->known)
    while (n < config->n_max && exceeds (c, config, rate, n))
      n++;
  return n;
}

void
rcc_fbra_capacity_passed (RccFbraCapacity *c, const RccFbraConfig *config, double rate)
{
  const bool around = rate < (1.0 + SAME) * c->known && rate > config->reserve * c->known;

  c->streak = around ? 0 : c->streak + 1;
}

void
rcc_fbra_capacity_delay (RccFbraCapacity *c, const RccFbraConfig *config, bool low)
{
  c->low = low ? c->low + 1 : 0;
  if (config->roomy > 0 && c->low >= config->roomy)
    c->until = 0;
}

bool
rcc_fbra_capacity_stray (RccFbraCapacity *c, const RccFbraConfig *config, uint32_t packets,
    uint32_t losses, bool delayed)
{
  if (packets > 0)
    c->lossy += RCC_MIN (packets / LOSSY_PACKETS, 1.0) * ((double) losses / packets - c->lossy);
  return config->stray > 0 && c->lossy <= config->stray && !delayed;
}
