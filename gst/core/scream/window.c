/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/scream/window.h"

#include <math.h>

#define ALPHA_INTERVAL (10 * RCC_MSEC)  /* 4.2.1.3 */
#define STEEPNESS 8.0                   /* of scl_t: 4.2.2.1 */
#define SCALE_LEAST 0.1                 /* of scl_t: 4.2.2.1 */
#define NEAR_LEAST 0.25                 /* what it and the variation leave of a step */
#define GROWTH_LEAST 0.1                /* what the variation leaves of growth: 4.2.2.2 */
#define LONG_RTTS 100                   /* without congestion: 4.2.2.1 */
#define ACKED_MARGIN 0.8                /* ACKED_BITRATE_MARGIN: 4.5.3 */
#define LOW_TARGET 0.25                 /* BACKOFF_SCALE_LOW_TARGETRATE: 4.5.3 */
#define POLICED_GROWTH 0.001            /* in a round trip: 4.5.2 */

typedef enum { NONE, LOSS, CE, QUEUE } Cause;

void
rcc_scream_window_init (RccScreamWindow *w, const RccScreamConfig *config)
{
  *w = (RccScreamWindow) { .bytes = config->min_window, .inflection = 1.0,
    .inflection_open = true, .detected = RCC_NEVER, .reacted = RCC_NEVER, .grown = RCC_NEVER,
    .alpha_updated = RCC_NEVER, .policed = INFINITY, .state = "start" };
}

static bool
is_past (RccTime since, double span, RccTime now)
{
  return since == RCC_NEVER || (double) (now - since) >= span;
}

static double
longer_rtt (const RccScreamConfig *config, const RccScreamSignals *in)
{
  return (double) RCC_MAX (config->virtual_rtt, in->rtt);
}

/* 4.2.1.3 */
static void
update_alpha (RccScreamWindow *w, const RccScreamConfig *config, const RccScreamSignals *in)
{
  double share;

  w->delivered += in->packets;
  w->delivered_ce += in->packets_ce;
  if (w->delivered == 0
      || !is_past (w->alpha_updated, (double) RCC_MIN (ALPHA_INTERVAL, in->rtt), in->now))
    return;
  share = (double) w->delivered_ce / (double) w->delivered;
  w->alpha = share >= w->alpha ? config->alpha_up * share + (1.0 - config->alpha_up) * w->alpha
      : (1.0 - config->alpha_down) * w->alpha;
  w->alpha_updated = in->now;
  w->delivered = w->delivered_ce = 0;
}

/* 4.5.2, for each packet */
static void
update_loss_rate (RccScreamWindow *w, const RccScreamConfig *config, const RccScreamSignals *in)
{
  const double gain = RCC_MIN (config->loss_threshold / 4.0, config->mss / w->bytes / 2.0);

  for (uint32_t i = 0; i < in->packets; i++)
    w->loss_rate *= 1.0 - gain;
  for (uint32_t i = 0; i < in->lost; i++)
    w->loss_rate = (1.0 - gain) * w->loss_rate + gain;
}

/* scl_t: 1 far from the inflection point, 0.1 at it. */
static double
distance (const RccScreamWindow *w)
{
  const double d = STEEPNESS * (w->bytes - w->inflection) / w->inflection;

  return RCC_CLAMP (d * d, SCALE_LEAST, 1.0);
}

/* 4.5.2: whether a loss counts; and a policer, which has no queue. */
static bool
loss_counts (RccScreamWindow *w, const RccScreamConfig *config, const RccScreamSignals *in)
{
  const double quarter = 0.25e-9 * (double) config->qdelay_target;

  if (config->policer && w->loss_rate > config->policer_threshold && in->qdelay_mean < quarter)
    w->policed = RCC_MAX (w->bytes * config->beta_policer, config->min_window);
  return !config->conditional_loss || w->loss_rate > config->loss_threshold
      || in->qdelay_mean > quarter;
}

static Cause
find_cause (RccScreamWindow *w, const RccScreamConfig *config, const RccScreamSignals *in)
{
  if (!is_past (w->reacted, (double) RCC_MIN (config->virtual_rtt, in->rtt), in->now))
    return NONE;
  if (w->lost && loss_counts (w, config, in))
    return LOSS;
  w->lost = false;                      /* it does not hide what else there is */
  if (w->marked)
    return CE;
  return in->qdelay_mean > 0.5e-9 * (double) config->qdelay_target ? QUEUE : NONE;
}

static double
milder (double step, const RccScreamConfig *config, const RccScreamSignals *in)
{
  if (config->undershoot && in->target_bps < in->acked_bps * ACKED_MARGIN)
    step *= LOW_TARGET;
  return step / RCC_MAX (1.0, (double) in->rtt / (double) config->virtual_rtt);
}

static void
shrink_by_marks (RccScreamWindow *w, const RccScreamConfig *config, const RccScreamSignals *in,
    double near)
{
  double step = milder (0.5 * w->alpha, config, in);

  if (!config->l4s) {
    w->bytes *= config->beta_ecn;
    return;
  }
  if (in->qdelay < 0.25e-9 * (double) config->qdelay_target)
    step *= RCC_MAX (NEAR_LEAST, near) * RCC_MAX (NEAR_LEAST, in->delay_scale);
  if (is_past (w->reacted, LONG_RTTS * longer_rtt (config, in), in->now))
    w->bytes = RCC_MIN (w->bytes, (double) in->most_in_flight_before);
  w->bytes *= 1.0 - step;
}

/* Marks that the queue stands for: from half the target on, all of them at the target. */
static void
shrink_by_queue (RccScreamWindow *w, const RccScreamConfig *config, const RccScreamSignals *in)
{
  const double half = 0.5e-9 * (double) config->qdelay_target;
  const double alpha = RCC_CLAMP ((in->qdelay_mean - half) / half, 0.0, 1.0);

  w->bytes *= 1.0 - milder (0.5 * alpha, config, in);
}

/* 4.2.2.1 */
static void
shrink (RccScreamWindow *w, const RccScreamConfig *config, const RccScreamSignals *in,
    double near)
{
  const Cause cause = find_cause (w, config, in);

  if (cause == NONE)
    return;
  if (w->inflection_open)
    w->inflection = w->bytes;
  w->inflection_open = false;
  switch (cause) {
    case LOSS:
      w->bytes *= config->beta_loss;
      w->state = "loss";
      w->losses++;
      break;
    case CE:
      shrink_by_marks (w, config, in, near);
      w->state = "CE";
      w->marks++;
      break;
    default:
      shrink_by_queue (w, config, in);
      w->state = "queue";
      w->queues++;
      break;
  }
  w->bytes = RCC_MAX (w->bytes, config->min_window);
  w->lost = w->marked = false;
  w->reacted = in->now;
}

/* 4.2.2.2, bytes for those that were acknowledged since the last time */
static double
increment (const RccScreamWindow *w, const RccScreamConfig *config, const RccScreamSignals *in,
    double near)
{
  const double since = w->detected == RCC_NEVER ? INFINITY : (double) (in->now - w->detected);
  const double calm = RCC_MIN (since / (config->post_congestion_rtts * longer_rtt (config, in)),
      1.0);
  double bytes = RCC_MAX (w->acked - w->acked_ce, 0.0) * RCC_MIN (1.0, config->mss / w->bytes);

  bytes *= RCC_MIN (1.0, (double) in->rtt / (double) config->virtual_rtt);
  bytes *= RCC_MAX (NEAR_LEAST, near) * RCC_MAX (GROWTH_LEAST, in->delay_scale);
  return bytes * (1.0 + config->increase * w->bytes / config->mss * calm * near);
}

/* Once a round trip: 4.2.2. */
static void
grow (RccScreamWindow *w, const RccScreamConfig *config, const RccScreamSignals *in, double near)
{
  const double allowed = config->mss
      + config->headroom * (double) RCC_MAX (in->most_in_flight, in->most_in_flight_before);
  double bytes;

  w->acked += (double) in->acked;
  w->acked_ce += (double) in->acked_ce;
  if (!is_past (w->grown, (double) in->rtt, in->now))
    return;
  bytes = w->bytes + increment (w, config, in, near);
  if (bytes <= allowed && in->target_bps < in->most_bps && bytes > w->bytes) {
    w->bytes = bytes;
    w->inflection_open = true;
    w->state = w->reacted == in->now ? w->state : "increase";
  }
  w->acked = w->acked_ce = 0.0;
  w->grown = in->now;
  w->policed *= 1.0 + POLICED_GROWTH;
}

void
rcc_scream_window_update (RccScreamWindow *w, const RccScreamConfig *config,
    const RccScreamSignals *in)
{
  const double near = distance (w);

  update_alpha (w, config, in);
  update_loss_rate (w, config, in);
  w->lost |= in->lost > 0;
  w->marked |= in->packets_ce > 0;
  if (in->lost > 0 || in->packets_ce > 0)
    w->detected = in->now;
  shrink (w, config, in, near);
  grow (w, config, in, near);
  w->bytes = RCC_MIN (w->bytes, RCC_MAX (w->policed, config->min_window));
}
