/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * draft-ietf-rmcat-gcc-02 5.5 and ANRW'16 Figure 3.  Departs from them:
 *  - an increase is never smaller than 1000 bit/s in a second (libwebrtc; the draft has it
 *    in an update, additive only), so that a rate of a few kbit/s can climb at all;
 *  - the cap of 1.5 R has 10 kbit/s on top and only ends increases (libwebrtc): a
 *    source that pauses must not pull the estimate down;
 *  - a decrease during a round trip is not repeated unless R fell below A / 2;
 *  - a decrease never raises A, however far beta R is above it;
 *  - what RccAimdConfig lists as in no paper, where the profile turns it on.
 */
#include "core/gcc/aimd.h"

#include <math.h>

#define RTT_UNKNOWN (200 * RCC_MSEC)
#define CAP_EXTRA 10000.0               /* bit/s */
#define INCREASE_MIN 1000.0             /* bit/s */
#define FRAMES_PER_SEC 30.0             /* draft 5.5: expected packet size */
#define PACKET_BITS (1200.0 * 8.0)
#define RECOVERY_LOG 0.405465108108164  /* ln 1.5: eta while coming back */
#define SHOWN_FOR (500 * RCC_MSEC)      /* R is older than what a probe showed */
#define RECOVER_FOR (10 * RCC_SEC)      /* after a decrease the path may have changed */
#define CLIMB_AFTER (3 * RCC_SEC)       /* a decrease: what it left is over */
#define DRAIN_FLOOR 0.5                 /* of R: not below, however long the queue */

void
rcc_aimd_init (RccAimd *a, const RccAimdConfig *config, double start_bps)
{
  *a = (RccAimd) {
    .config = *config, .state = RCC_AIMD_INCREASE, .bps = start_bps,
    .eta_log = log (config->eta),
    .rtt = RTT_UNKNOWN, .updated = RCC_NEVER, .decreased = RCC_NEVER,
    .shown_at = RCC_NEVER, .waited = RCC_NEVER,
  };
  rcc_doubt_init (&a->doubt, config->doubt);
  rcc_drain_init (&a->drain, &(RccDrainConfig) { config->drain_time, config->queue_floor,
      config->drain_resume, config->drain_doubt });
}

/* Figure 3: what each signal makes of each state. */
static RccAimdState
next_state (RccAimdState state, RccUsage usage)
{
  if (usage == RCC_USAGE_OVER)
    return RCC_AIMD_DECREASE;
  if (usage == RCC_USAGE_UNDER || state == RCC_AIMD_DECREASE)
    return RCC_AIMD_HOLD;
  return RCC_AIMD_INCREASE;
}

static bool
near_capacity (const RccAimd *a, double received)
{
  const double reach = 3.0 * a->deviation;

  return a->config.converge && a->capacity > 0
      && received > a->capacity - reach && received < a->capacity + reach;
}

/* 5.5's mean of R at decreases is for the additive increase: nobody else has a capacity, and
 * their decrease is beta R, no more. */
static void
learn_capacity (RccAimd *a, double received)
{
  const double off = received - a->capacity;

  if (!a->config.converge && !(a->config.recover > 0))
    return;
  if (a->capacity <= 0) {
    a->capacity = received;
    a->deviation = 0.05 * received;
    return;
  }
  a->capacity += a->config.learn * off;
  a->deviation = sqrt ((1.0 - a->config.learn) * a->deviation * a->deviation
      + a->config.learn * off * off);
  /* libwebrtc keeps the normalised variance in [0.4, 2.5] kbit/s: 0.6..1.6 % of
   * 1 Mbit/s; the same bounds as shares */
  a->deviation = RCC_CLAMP (a->deviation, 0.01 * a->capacity, 0.05 * a->capacity);
}

/* A source that a decrease has stopped makes less than the path has taken. */
static bool
is_free (const RccAimd *a)
{
  return a->config.recover_free && a->unprobed
      && a->updated >= a->decreased && a->updated < a->decreased + RECOVER_FOR;
}

/* After a decrease has emptied the queue, the capacity that it was measured at is the
 * best guess there is: back to just below it quickly, then slowly on. */
static bool
recovers (const RccAimd *a, RccTime queue)
{
  return a->config.recover > 0 && a->capacity > 0 && queue < a->config.queue_floor
      && a->bps < a->config.recover * a->capacity;
}

/* draft-alvestrand-rtcweb-congestion-02 4.4: "1.005 < eta < 1.3", the less the longer the
 * round trip and the noisier the path.  The sigmoid's constants are those of the code it
 * came with, by what we know of it. */
static double
eta_log (const RccAimd *a)
{
  const double response = 0.85 * (double) a->rtt * 1e-6, middle = 800.0 - 6.15 * a->noise;
  const double eta = 1.005 + 0.0407 / (1.0 + exp (0.0025 * (response - middle)));

  return a->config.eta_varies ? log (RCC_CLAMP (eta, 1.005, 1.3)) : a->eta_log;
}

/* Where nobody probes, eta is all that finds a path that has got wider than it was known to be. */
static double
climb (const RccAimd *a, RccTime queue)
{
  if (!(a->config.climb > 0) || !a->unprobed || a->capacity > 0
      || queue >= a->config.queue_floor)
    return 1.0;
  return a->decreased == RCC_NEVER || a->updated >= a->decreased + CLIMB_AFTER
      ? a->config.climb : 1.0;
}

/* The path has grown: forget. */
static void
outgrow_capacity (RccAimd *a)
{
  rcc_doubt_claim (&a->doubt, a->capacity, a->deviation);
  a->capacity = 0;
}

static void
increase (RccAimd *a, double received, RccTime queue, double dt)
{
  double limit = a->config.cap * received + CAP_EXTRA, step;

  rcc_doubt_normal (&a->doubt, received, queue > a->config.queue_floor, a->updated);
  if (a->capacity > 0 && received > a->capacity + 3.0 * a->deviation)
    outgrow_capacity (a);
  if (recovers (a, queue)) {
    step = a->bps * expm1 (RECOVERY_LOG * RCC_MIN (dt, 1.0));
    step = RCC_MIN (step, a->config.recover * a->capacity - a->bps);
    limit = is_free (a) ? INFINITY : limit;
  } else if (near_capacity (a, received)) {
    const double frame = RCC_MAX (a->bps, 1.0) / FRAMES_PER_SEC;
    const double packet = frame / ceil (frame / PACKET_BITS);
    const double response = 0.1 + (double) a->rtt * 1e-9;

    step = 0.5 * RCC_MIN (dt / response, 1.0) * packet;
  } else {
    step = a->bps * expm1 (climb (a, queue) * eta_log (a) * RCC_MIN (dt, 1.0));
  }
  step = RCC_MAX (step, INCREASE_MIN * RCC_MIN (dt, 1.0));
  if (a->bps < limit)
    a->bps = RCC_MIN (a->bps + step, limit);
}

static void
decrease (RccAimd *a, double received, RccTime queue, RccTime now)
{
  double share = a->config.beta, target, drain;

  if (queue < a->config.queue_floor)
    return;
  if (a->shown_at != RCC_NEVER && now >= a->shown_at && now < a->shown_at + SHOWN_FOR)
    received = RCC_MAX (received, a->shown);
  if (a->decreased != RCC_NEVER && received >= 0.5 * a->bps
      && now >= a->decreased            /* else the arrival clock stepped back */
      && now < a->decreased + RCC_CLAMP (a->rtt, 10 * RCC_MSEC, 200 * RCC_MSEC))
    return;
  drain = rcc_drain_begin (&a->drain, queue, received, a->bps, a->rtt, now);
  if (a->config.drain_time > 0)
    share = RCC_MAX (a->config.beta_small - drain, DRAIN_FLOOR);
  target = share * received;
  if (target > a->bps && a->capacity > 0)
    target = share * a->capacity;
  a->bps = RCC_MIN (a->bps, target);
  rcc_doubt_over_use (&a->doubt, received);
  if (a->capacity > 0 && received < a->capacity - 3.0 * a->deviation)
    a->capacity = 0;                    /* the path has shrunk: forget */
  learn_capacity (a, received);
  a->decreased = now;
  a->decreases++;
}

/* A decrease that only made room for others is taken back, and what they took comes back soon. */
static void
keep_floor (RccAimd *a, double before, double dt)
{
  if (!(a->floor > 0))
    return;
  a->drain.vain = 0;                    /* the floor does what it is for */
  if (a->bps < a->floor)
    a->bps = RCC_MIN (a->floor,
        RCC_MAX (a->bps, before) * exp (RECOVERY_LOG * RCC_MIN (dt, 1.0)));
}

double
rcc_aimd_update (RccAimd *a, RccUsage usage, double received, RccTime queue,
    RccTime now)
{
  const double dt = now < a->updated ? 0.0 : (double) (now - a->updated) * 1e-9;
  const double before = a->bps;
  double drained;

  a->updated = now;
  a->state = next_state (a->state, usage);
  if (is_free (a)) {                    /* the filter, and the least of 60 ms, know it later */
    queue = RCC_MIN (queue, a->waited);
    if (usage == RCC_USAGE_UNDER && recovers (a, a->waited))
      a->state = RCC_AIMD_INCREASE;
  }
  if (received <= 0)
    return a->bps;
  if (a->state == RCC_AIMD_INCREASE)
    increase (a, received, queue, dt);
  else if (a->state == RCC_AIMD_DECREASE)
    decrease (a, received, queue, now);
  drained = rcc_drain_queue (&a->drain, queue, now);
  a->bps = RCC_MAX (a->bps, drained);
  keep_floor (a, before, dt);
  return a->bps;
}

void
rcc_aimd_forget_shown (RccAimd *a)
{
  a->shown_at = RCC_NEVER;
}

void
rcc_aimd_raise (RccAimd *a, double bps, RccTime now)
{
  if (bps <= a->bps)
    return;
  a->shown = bps = rcc_doubt_believed (&a->doubt, RCC_MAX (a->bps, a->capacity), bps);
  a->shown_at = now;
  a->bps = bps;
  a->updated = now;
  if (a->capacity > 0 && bps > a->capacity + 3.0 * a->deviation)
    outgrow_capacity (a);
}
