/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/delay.h"

#include <math.h>

#define TRENDLINE_GAIN 4.0              /* libwebrtc: brings the slope to the threshold's scale */
#define NOISE 1.3                       /* of the short window; more is a change */
#define DRAINING 0.9                    /* of R: a target below it empties the queue */
#define LEAST_WINDOW (30 * RCC_MSEC)    /* longer than a group that leaves late */
#define CLOCK_STEP (60 * (int64_t) RCC_SEC)     /* no queue grows by that at once */

const RccField rcc_gcc_delay_fields[] = {
  RCC_FIELD (RccGccDelay, estimate_bps, "delay-target-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccDelay, received_bps, "received-bitrate", RCC_U32, "bit/s"),
  RCC_FIELD (RccGccDelay, variation, "delay-variation", RCC_DOUBLE, "ms"),
  RCC_FIELD (RccGccDelay, m, "gradient", RCC_DOUBLE, "ms"),
  RCC_FIELD (RccGccDelay, trend, "trend", RCC_DOUBLE, "ms"),
  RCC_FIELD (RccGccDelay, threshold, "threshold", RCC_DOUBLE, "ms"),
  RCC_FIELD (RccGccDelay, queue, "queuing-delay", RCC_TIME, "ns"),
  RCC_FIELD (RccGccDelay, queue_full, "queue-full", RCC_BOOL, ""),
  RCC_FIELD (RccGccDelay, usage, "usage", RCC_STRING, ""),
  RCC_FIELD (RccGccDelay, state, "state", RCC_STRING, ""),
  RCC_FIELD (RccGccDelay, samples, "groups", RCC_U64, ""),
  RCC_FIELDS_END,
};

static const char *
usage_name (RccUsage usage)
{
  return usage == RCC_USAGE_OVER ? "over" : usage == RCC_USAGE_UNDER ? "under" : "normal";
}

static const char *
state_name (RccAimdState state)
{
  return state == RCC_AIMD_HOLD ? "hold"
      : state == RCC_AIMD_INCREASE ? "increase" : "decrease";
}

static void
publish (RccGccDelay *d)
{
  d->threshold = d->overuse.threshold;
  d->estimate_bps = (uint32_t) RCC_CLAMP (d->aimd.bps, 0.0, (double) UINT32_MAX);
  d->usage = usage_name (d->overuse.usage);
  d->state = state_name (d->aimd.state);
}

static void
init_kalman (RccKalman *k, const RccGccConfig *config)
{
  rcc_kalman_init (k);
  k->clip = config->clip;
  k->clip_state = config->clip_state;
}

static void
init_kalman2 (RccKalman2 *k, const RccGccConfig *config)
{
  rcc_kalman2_init (k);
  if (config->slope_noise > 0)
    k->slope_noise = config->slope_noise;
  if (config->offset_noise > 0)
    k->offset_noise = config->offset_noise;
}

void
rcc_gcc_delay_init (RccGccDelay *d, const RccGccConfig *config, double start_bps)
{
  *d = (RccGccDelay) { .config = *config, .paused = RCC_NEVER };
  rcc_base_delay_init (&d->base, config->base_rise);
  rcc_groups_init (&d->groups, config->grouping, config->burst, config->merge_cap);
  if (config->filter == RCC_FILTER_KALMAN)
    init_kalman (&d->filter.kalman, config);
  else if (config->filter == RCC_FILTER_KALMAN2)
    init_kalman2 (&d->filter.kalman2, config);
  else
    rcc_trendline_init (&d->filter.trendline);
  rcc_overuse_init (&d->overuse, &config->overuse);
  rcc_aimd_init (&d->aimd, &config->aimd, start_bps);
  rcc_standing_init (&d->standing, config->stand_limit);
  rcc_capacity_drop_init (&d->drop, config->capacity_drop);
  rcc_full_queue_init (&d->full, config->full_queue);
  rcc_tcp_share_init (&d->tcp, config->tcp_share, config->aimd.queue_floor);
  rcc_window_init (&d->rate, config->rate_window);
  rcc_window_init (&d->fast, config->fast_window);
  publish (d);
}

static double
filter (RccGccDelay *d, const RccGroupDelta *delta)
{
  switch (d->config.filter) {
    case RCC_FILTER_KALMAN:
      return rcc_kalman_update (&d->filter.kalman, delta);
    case RCC_FILTER_KALMAN2:
      return rcc_kalman2_update (&d->filter.kalman2, delta, d->overuse.usage);
    case RCC_FILTER_TRENDLINE:
      return TRENDLINE_GAIN * rcc_trendline_update (&d->filter.trendline, delta);
  }
  return 0.0;
}

/* Send and arrival times come from two other clocks than ours, and either may be
 * set anew: what was measured against the old one does not hold. */
static void
watch_clocks (RccGccDelay *d, RccTime send, RccTime arrival)
{
  const int64_t owd = (int64_t) (arrival - send), step = owd - d->owd;

  if (step > CLOCK_STEP || step < -CLOCK_STEP)
    rcc_base_delay_forget (&d->base);
  if (arrival + d->config.rate_window < d->arrival) {
    rcc_window_init (&d->rate, d->config.rate_window);
    if (d->config.fast_window)
      rcc_window_init (&d->fast, d->config.fast_window);
  }
  d->owd = owd;
  d->arrival = arrival;
}

/* Queue above the base: the clocks' offset cancels, their drift is forgotten with it. */
static void
track_queue (RccGccDelay *d, RccTime send, RccTime arrival, uint32_t size)
{
  const int64_t owd = (int64_t) (arrival - send);
  const RccTime rise = rcc_base_delay_packet (&d->base, owd, arrival, size);

  d->queue = (RccTime) (owd - rcc_base_delay_ns (&d->base));
  if (rise > 0)
    rcc_tcp_share_rebase (&d->tcp, rise, d->aimd.rtt, arrival);
  if (d->queue >= RCC_QUEUE_LONG)
    d->long_at = arrival;
}

/* How long a packet of @size waited: what it takes longer to leave the bottleneck than that of the
 * base is no queue.  At 500 kbit/s 1000 bytes are 16 ms. */
static RccTime
waited (const RccGccDelay *d, uint32_t size)
{
  const uint32_t small = rcc_base_delay_size (&d->base);
  double takes;

  if (d->queue_full)
    return RCC_NEVER;
  if (size <= small || !(d->aimd.capacity > 0))
    return d->queue;
  takes = 8e9 * (size - small) / d->aimd.capacity;
  return takes < (double) d->queue ? d->queue - (RccTime) takes : 0;
}

RccTime
rcc_gcc_delay_least (const RccGccDelay *d)
{
  return RCC_MIN (d->least[0], d->least[1]);
}

/* Since when the queue has stood, and what came out of it: from the packet before the
 * first that waited, so that an outage counts. */
static void
track_least (RccGccDelay *d, RccTime arrival)
{
  if (arrival >= d->least_since + LEAST_WINDOW || arrival < d->least_since) {
    d->least[1] = d->least[0];
    d->least[0] = d->queue;
    d->least_since = arrival;
  }
  d->least[0] = RCC_MIN (d->least[0], d->queue);
  d->aimd.doubt.crowded = rcc_gcc_delay_least (d) >= d->config.aimd.queue_floor;
}

static void
track_standing (RccGccDelay *d, RccTime arrival, uint32_t size)
{
  if (d->queue < d->config.aimd.queue_floor || arrival < d->stands_since) {
    d->stands_since = arrival;
    d->stands_bytes = 0;
  } else {
    d->stands_bytes += size;
  }
}

/* A burst, a probe or a short outage leaves a queue that goes by itself.  So does what a
 * sender that woke late let go at once: the rest is what has stood. */
static RccTime
standing_queue (const RccGccDelay *d, RccTime now)
{
  const RccTime stood = now - d->stands_since;

  if (d->queue_full)                    /* how long, nobody knows */
    return RCC_MAX (d->queue, RCC_QUEUE_LONG);
  if (d->config.stand_time == 0)
    return d->queue;
  if (stood < d->config.stand_time && d->queue < d->config.stand_time)
    return 0;
  return rcc_gcc_delay_least (d);
}

/* Before the packet is counted. */
static void
track_pause (RccGccDelay *d, RccTime arrival, uint32_t size)
{
  const RccTime last = d->arrival;

  if (d->config.pause == 0)
    return;
  if (d->samples > 0 && arrival > last + d->config.pause) {
    d->paused_bps = rcc_window_bps (&d->rate, last);
    d->paused = arrival;
    d->paused_bytes = 0;
  } else if (d->paused != RCC_NEVER) {
    d->paused_bytes += size;
  }
}

/* A path that stood still delivers afterwards as before, or less where it has got narrow, too;
 * what was held back comes faster than it ever will. */
static double
beside_pause (const RccGccDelay *d, RccTime now)
{
  if (d->paused == RCC_NEVER || now <= d->paused
      || now > d->paused + d->config.rate_window)
    return 0.0;
  return RCC_MIN (8e9 * (double) d->paused_bytes / (double) (now - d->paused),
      (double) d->paused_bps);
}

/* What leaves a standing queue is what the path takes, where it is more than the source had
 * made before; where it is less, the path may only have paused. */
static double
left_standing (const RccGccDelay *d, RccTime now)
{
  const RccTime stood = now - d->stands_since;

  if (d->config.stand_time == 0 || stood < d->config.stand_time
      || stood >= d->config.rate_window)
    return 0.0;
  return 8e9 * (double) d->stands_bytes / (double) stood;
}

static double
received (RccGccDelay *d, RccUsage usage, RccTime now)
{
  const double slow = d->received_bps;
  double fast;

  if (usage != RCC_USAGE_OVER || !d->config.fast_window)
    return slow;
  /* While the queue grows, what arrives is what the path takes.  What still counts
   * from before it shrank, or from before a probe raised the rate, must not set the
   * new rate; an outage that empties the short window must not either. */
  fast = rcc_window_bps (&d->fast, now);
  if (fast > NOISE * slow)
    return fast;
  return fast * NOISE < slow ? RCC_MAX (fast, 0.5 * slow) : slow;
}

static void
track_capacity (RccGccDelay *d, RccTime send, RccTime arrival, uint32_t size)
{
  const double out = rcc_capacity_drop_packet (&d->drop, send, arrival, size, d->aimd.bps);

  if (out > 0)
    d->dropped_bps = out;
}

static void
track (RccGccDelay *d, RccTime send, RccTime arrival, uint32_t size)
{
  track_pause (d, arrival, size);
  watch_clocks (d, send, arrival);
  rcc_window_add (&d->rate, size, arrival);
  if (d->config.fast_window)
    rcc_window_add (&d->fast, size, arrival);
  track_queue (d, send, arrival, size);
  track_least (d, arrival);
  track_standing (d, arrival, size);
  rcc_full_queue_packet (&d->full, send, arrival, size);
  d->queue_full = rcc_full_queue_is_full (&d->full, arrival);
  rcc_tcp_share_packet (&d->tcp, size, d->queue, d->queue_full, d->aimd.rtt, arrival);
  rcc_standing_packet (&d->standing, d->queue, arrival);
  track_capacity (d, send, arrival, size);
}

static RccUsage
judge (RccGccDelay *d, RccTime d_send, RccTime arrival)
{
  const RccUsage usage = rcc_overuse_update (&d->overuse, d->trend, d_send, arrival);
  const RccTime rtt = d->aimd.rtt;

  if (rcc_tcp_share_tests (&d->tcp, arrival))
    return RCC_USAGE_OVER;
  /* what comes out faster than we may send drains already */
  if (usage == RCC_USAGE_OVER || d->aimd.bps <= DRAINING * d->received_bps)
    return usage;
  if (rcc_standing_over (&d->standing, rtt, d->received_bps, rcc_full_queue_is_lossy (&d->full),
          arrival))
    return RCC_USAGE_OVER;
  return d->queue < RCC_QUEUE_LONG && rcc_full_queue_over (&d->full, rtt, arrival)
      ? RCC_USAGE_OVER : usage;
}

static void
update_rate (RccGccDelay *d, RccUsage usage, RccTime arrival)
{
  RccTime queue = standing_queue (d, arrival);
  double out = received (d, usage, arrival);

  if (usage == RCC_USAGE_OVER)
    out = RCC_MAX (out, RCC_MAX (left_standing (d, arrival), beside_pause (d, arrival)));
  if (d->dropped_bps > 0) {             /* what was known of the path before does not hold */
    usage = RCC_USAGE_OVER;
    out = d->dropped_bps;
    queue = d->queue;
    d->dropped_bps = 0;
    rcc_aimd_forget_shown (&d->aimd);
  }
  rcc_aimd_update (&d->aimd, usage, out, queue, arrival);
}

bool
rcc_gcc_delay_packet (RccGccDelay *d, RccTime send, RccTime arrival, uint32_t size)
{
  RccGroupDelta delta;
  RccUsage usage;

  track (d, send, arrival, size);
  if (rcc_groups_paused (&d->groups, send))
    d->groups.normal_bps = d->config.merge_faster * rcc_window_bps (&d->rate, arrival);
  if (!rcc_groups_add (&d->groups, send, arrival, size, &delta))
    return false;

  d->samples++;
  d->variation = rcc_group_variation_ms (&delta);
  d->m = filter (d, &delta);
  d->trend = RCC_MIN ((double) d->samples, d->config.gain) * d->m;
  if (d->config.filter == RCC_FILTER_KALMAN2)
    d->aimd.noise = d->filter.kalman2.var;
  d->received_bps = rcc_window_bps (&d->rate, arrival);
  usage = judge (d, delta.d_send, arrival);
  d->aimd.floor = rcc_tcp_share_bps (&d->tcp, d->received_bps, d->aimd.rtt, arrival);
  d->aimd.waited = waited (d, size);
  update_rate (d, usage, arrival);
  publish (d);
  return true;
}

void
rcc_gcc_delay_losses (RccGccDelay *d, double lost, double expected)
{
  if (lost > 0)
    rcc_base_delay_lost (&d->base);
  rcc_full_queue_losses (&d->full, lost, expected);
  rcc_drain_losses (&d->aimd.drain, lost, expected, d->arrival);
  rcc_tcp_share_losses (&d->tcp, lost, expected, d->received_bps, d->aimd.rtt, d->arrival);
}

void
rcc_gcc_delay_unreported (RccGccDelay *d, uint32_t bytes)
{
  rcc_window_add (&d->rate, bytes, d->arrival);
  if (d->config.fast_window)
    rcc_window_add (&d->fast, bytes, d->arrival);
}

void
rcc_gcc_delay_raise (RccGccDelay *d, double bps, RccTime now)
{
  rcc_aimd_raise (&d->aimd, bps, now);
  publish (d);
}

/* At a start, or after a change of the path, nothing better is known of it than what a probe
 * shows. Where others always keep a queue, as TCP does, each probe is behind one: who does not look
 * for them believes it. */
static bool
is_tested (const RccGccDelay *d)
{
  return d->config.probe_trust > 0 && d->aimd.capacity > 0
      && d->config.tcp_share > 0 && !rcc_tcp_share_is_busy (&d->tcp);
}

void
rcc_gcc_delay_probed (RccGccDelay *d, double bps, RccTime queue, RccTime now)
{
  const double more = bps - d->aimd.bps;

  if (d->queue_full)
    return;
  if (is_tested (d))
    bps -= more * RCC_MIN ((double) queue / (double) d->config.probe_trust, 1.0);
  rcc_gcc_delay_raise (d, bps, now);
}

void
rcc_gcc_delay_set_rtt (RccGccDelay *d, RccTime rtt)
{
  d->aimd.rtt = rtt;
}

int64_t
rcc_gcc_delay_base (const RccGccDelay *d)
{
  return rcc_base_delay_ns (&d->base);
}

const char *
rcc_gcc_delay_limit (const RccGccDelay *d)
{
  if (rcc_gcc_delay_bps (d) <= d->aimd.floor)
    return "tcp-share";
  return d->queue_full ? "full-queue" : "delay";
}

double
rcc_gcc_delay_bps (const RccGccDelay *d)
{
  return d->aimd.bps;
}
