/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RFC 8083 4.3.  Departs from RFC 8083:
 * - No report decides alone, as anybody who knows the SSRC can forge one. The verdict must also
 *   hold without any single interval, and without any single sample of the RTT. Or with as much
 *   of that interval's loss as the cumulative count of a later report bears out. So a real burst
 *   that was enough trips one report later. Loss that lasts trips with interval number
 *   CB_INTERVAL like the RFC's. (Where CB_INTERVAL is 1, that is the next report, too.)
 * - Without a sample of the RTT there is no X, and no verdict.
 * - "The actual sending rate" is that of the same intervals, but no more than what left in the
 *   newest one. So a controller that has slowed down since is not stopped for what it sent
 *   before. The loss of that time is still in the average.
 * - s is no less than the mean packet of the same intervals (interval_size). The RFC takes the
 *   last four groups of frames. Where an encoder may change its rate with each frame these are
 *   four frames, of 40 bytes each while a picture stands still between two key frames. Then X was
 *   a tenth of what it was a second before, and a call was stopped that had a fair share.
 * draft2014 is the draft of February 2014 as the LTE paper (II) has it. There the limit is
 * reached in two reports in a row, each with its own loss and RTT. It believes everything.
 */
#include "core/breaker/congestion.h"

#include <math.h>
#include <string.h>

#define RTT_NEW 0.2                     /* 3: Tr = 0.8 Tr + 0.2 Tr_new */
#define DRAFT_REPORTS 2
#define ROUNDING 2.0                    /* packets by which counts may disagree */
#define NO_SAMPLE UINT64_MAX

typedef struct {
  double lost_time, duration, sent;     /* sums; duration and fraction x duration in ns */
  double packets;
  double latest;                        /* bytes per ns in the newest interval of all */
  bool steady;
} Window;

void
rcc_breaker_congestion_init (RccBreakerCongestion *c)
{
  memset (c, 0, sizeof *c);
  c->rtt = RCC_NEVER;
}

void
rcc_breaker_congestion_clear (RccBreakerCongestion *c)
{
  c->n_intervals = 0;
  c->waiting = false;
  c->over = 0;
}

void
rcc_breaker_congestion_rtt (RccBreakerCongestion *c, RccTime sample)
{
  c->rtts[c->n_rtts++ % RCC_BREAKER_RTTS] = sample;
  if (c->rtt == RCC_NEVER)
    c->rtt = sample;
  else
    c->rtt = (RccTime) ((1 - RTT_NEW) * (double) c->rtt + RTT_NEW * (double) sample + 0.5);
}

void
rcc_breaker_congestion_add (RccBreakerCongestion *c, const RccBreakerInterval *interval,
    int64_t lost)
{
  RccBreakerInterval *i = &c->intervals[c->n_intervals++ % RCC_BREAKER_INTERVALS];

  *i = *interval;
  i->rtt_number = NO_SAMPLE;
  if (interval->rtt != RCC_NEVER) {
    i->rtt_number = c->n_rtts;
    rcc_breaker_congestion_rtt (c, interval->rtt);
  }
  c->lost = lost;
}

static const RccBreakerInterval *
nth (const RccBreakerCongestion *c, uint64_t number)
{
  return &c->intervals[number % RCC_BREAKER_INTERVALS];
}

/* The @n intervals before number @end. */
static Window
sum_up (const RccBreakerCongestion *c, uint64_t end, uint32_t n)
{
  const RccBreakerInterval *newest = nth (c, c->n_intervals - 1);
  Window w = { .steady = true, .latest = (double) newest->sent / (double) newest->duration };

  for (uint64_t number = end - n; number < end; number++) {
    const RccBreakerInterval *i = nth (c, number);

    w.lost_time += i->fraction * (double) i->duration;
    w.duration += (double) i->duration;
    w.sent += (double) i->sent;
    w.packets += (double) i->packets;
    w.steady &= i->steady;
  }
  return w;
}

static Window
without (const Window *all, const RccBreakerInterval *i)
{
  return (Window) {
    .lost_time = fmax (0, all->lost_time - i->fraction * (double) i->duration),
    .duration = all->duration - (double) i->duration,
    .sent = all->sent - (double) i->sent,
    .latest = all->latest,
  };
}

/* What each of the last samples weighs in Tr, the newest first. */
static void
weigh (double weights[RCC_BREAKER_RTTS])
{
  double w = RTT_NEW;

  for (int age = 0; age < RCC_BREAKER_RTTS; age++, w *= 1 - RTT_NEW)
    weights[age] = w;
}

/* Tr as it would be without one sample; 0 when there is no other. */
static RccTime
rtt_without (const RccBreakerCongestion *c, const double *weights, uint64_t number)
{
  const uint64_t age = c->n_rtts - 1 - number;
  double weight;

  if (number >= c->n_rtts || age >= RCC_BREAKER_RTTS)
    return c->rtt;
  if (c->n_rtts == 1)
    return 0;
  /* nothing was there for the first one to be averaged with */
  weight = number == 0 ? weights[age] / RTT_NEW : weights[age];
  return (RccTime) fmax (0, ((double) c->rtt
          - weight * (double) c->rtts[number % RCC_BREAKER_RTTS]) / (1 - weight));
}

static double
tcp (const RccBreakerConfig *config, double packet_size, RccTime rtt, double p)
{
  const RccTcpPath path = { .packet_size = packet_size, .rtt = rtt };

  return rcc_tcp_throughput (config->model, &path, p);
}

static bool
exceeds (const Window *w, const RccBreakerConfig *config, double packet_size, RccTime rtt)
{
  if (!(w->duration > 0))
    return false;
  return fmin (w->sent / w->duration, w->latest) * RCC_SEC
      > config->multiplier * tcp (config, packet_size, rtt, w->lost_time / w->duration);
}

/* What it claims is held against what left in the interval, too. The loss that counts is that of
 * a time, and its report may speak of few numbers. */
static double
packets (const RccBreakerInterval *i)
{
  return fmax (1, fmax ((double) i->expected, (double) i->packets));
}

/* Does the verdict hold without the report that ended this interval?  @later: packets
 * that the reports since claim, so the rest of the cumulative count is for this one. */
static bool
holds_without (const RccBreakerCongestion *c, const RccBreakerInterval *i, const Window *all,
    const RccBreakerConfig *config, double packet_size, RccTime rtt, double later)
{
  const double known = (double) (c->lost - i->lost_before) - later + ROUNDING;
  const double borne_out = RCC_CLAMP (known / packets (i), 0, i->fraction);
  const Window rest = without (all, i);
  Window cut = *all;

  if (exceeds (&rest, config, packet_size, rtt))
    return true;
  cut.lost_time -= (i->fraction - borne_out) * (double) i->duration;
  return i != nth (c, c->n_intervals - 1) && exceeds (&cut, config, packet_size, rtt);
}

/* The least that Tr can be without one of its samples: without one that is above it. */
static RccTime
least_rtt (const RccBreakerCongestion *c, const double *weights)
{
  RccTime least = c->n_rtts > 1 ? c->rtt : 0;

  for (uint64_t age = 0; age < RCC_BREAKER_RTTS && age < c->n_rtts; age++) {
    const uint64_t number = c->n_rtts - 1 - age;

    if (c->rtts[number % RCC_BREAKER_RTTS] > c->rtt)
      least = RCC_MIN (least, rtt_without (c, weights, number));
  }
  return least;
}

/* The verdict holds; does it without any one report? */
static bool
robust (const RccBreakerCongestion *c, const Window *all, uint64_t end, uint32_t n,
    const RccBreakerConfig *config, double packet_size)
{
  double weights[RCC_BREAKER_RTTS], later = 0;

  weigh (weights);
  if (!exceeds (all, config, packet_size, least_rtt (c, weights)))
    return false;
  for (uint64_t number = c->n_intervals; number-- > end - n;) {
    const RccBreakerInterval *i = nth (c, number);

    if (number < end && i->fraction > 0
        && !holds_without (c, i, all, config, packet_size,
            rtt_without (c, weights, i->rtt_number), later))
      return false;
    later += i->fraction * packets (i);
  }
  return true;
}

static void
note_figures (RccBreakerCongestion *c, const Window *w, const RccBreakerConfig *config,
    double packet_size, RccTime rtt)
{
  c->figures.loss = w->lost_time / w->duration;
  c->figures.sent_bps = 8e9 * fmin (w->sent / w->duration, w->latest);
  c->figures.tcp_bps = 8 * tcp (config, packet_size, rtt, c->figures.loss);
  c->figures.duration = (RccTime) w->duration;
}

static bool
judge_draft (RccBreakerCongestion *c, const RccBreakerConfig *config, double packet_size)
{
  const Window w = sum_up (c, c->n_intervals, 1);
  const RccTime rtt = c->rtts[(c->n_rtts - 1) % RCC_BREAKER_RTTS];

  note_figures (c, &w, config, packet_size, rtt);
  if (w.steady && c->figures.sent_bps >= config->multiplier * c->figures.tcp_bps)
    c->over++;
  else
    c->over = 0;
  return c->over >= DRAFT_REPORTS;
}

static double
size_in (const Window *w, const RccBreakerConfig *config, double packet_size)
{
  return config->interval_size && w->packets > 0 ? fmax (packet_size, w->sent / w->packets)
      : packet_size;
}

/* Is the limit passed in the @n intervals before @end, and not for one report's sake? */
static bool
judge_window (RccBreakerCongestion *c, uint64_t end, uint32_t n,
    const RccBreakerConfig *config, double packet_size)
{
  const Window w = sum_up (c, end, n);
  const double s = size_in (&w, config, packet_size);
  const bool over = w.steady && exceeds (&w, config, s, c->rtt);

  note_figures (c, &w, config, s, c->rtt);
  c->waiting = over;
  return over && robust (c, &w, end, n, config, s);
}

bool
rcc_breaker_congestion_judge (RccBreakerCongestion *c, const RccBreakerConfig *config,
    uint32_t cb_interval, double packet_size)
{
  const uint64_t n = c->n_intervals;

  if (c->rtt == RCC_NEVER || n == 0 || !(packet_size > 0))
    return false;
  if (config->mode == RCC_BREAKER_DRAFT2014)
    return judge_draft (c, config, packet_size);
  if (n < cb_interval) {
    c->waiting = false;
    return false;
  }
  /* the verdict that waited for this report */
  if (c->waiting && n > cb_interval
      && judge_window (c, n - 1, cb_interval, config, packet_size))
    return true;
  return judge_window (c, n, cb_interval, config, packet_size);
}
