/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/loss-cause.h"

#include <math.h>

#define OWN_MOST 0.15                   /* against more nobody sends on */
#define LEAST 0.015                     /* above the path's own: worth a cut */
#define CUT 0.95                        /* of what arrived */
#define CUT_MOST 0.7                    /* of the target less its losses: what is left at least */
#define SETTLE (300 * RCC_MSEC)         /* and a round trip: losses of before are told by then */
#define KNOWN (30 * RCC_SEC)
#define KNOWN_MOST (240 * RCC_SEC)
#define LOSSES 12                       /* of them a share can be told */
#define SURE 3.0                        /* standard deviations above the path's own */
#define PACKETS 50
#define LONGEST (4 * RCC_SEC)           /* a test */
#define BRIEF RCC_SEC                   /* of a path with losses of its own: a cluster is no more */
#define PATIENCE (2 * RCC_SEC)          /* an observation with fewer losses than LOSSES */
#define FALLEN 0.33                     /* to this share of the loss: it was congestion */
#define MEMORY 600.0                    /* packets, of the mean share lost */
#define MEMORY_SHORT 100.0              /* the same of what is heavy */
#define HEAVY 0.2                       /* whatever the cause: no picture survives it */
#define MORE 2.0                        /* times what is sure: that is no known loss */
#define FORGET 0.1                      /* of the way to a smaller share, an observation */
#define BACK 5.0                        /* s, until the limit is at the capacity again */
#define FREE 1.25                       /* times the capacity: it is not that any more */
#define TESTED 0.25                     /* more is answered at once, without a test */

void
rcc_loss_cause_init (RccLossCause *c)
{
  *c = (RccLossCause) { .bps = INFINITY, .keep = KNOWN };
}

static void
enter (RccLossCause *c, RccCausePhase phase, RccTime now)
{
  c->phase = phase;
  c->expected = c->lost = c->squares = 0;
  c->since = now;
}

static void
grow (RccLossCause *c, double target, RccTime now)
{
  const double t = (double) (now - c->cut) * 1e-9 / BACK - 1.0;

  c->bps = c->capacity + (c->capacity - c->from) * t * t * t;
  if (c->bps > FREE * RCC_MAX (c->capacity, target)) {
    c->bps = INFINITY;
    c->phase = RCC_CAUSE_WATCH;
  }
}

static void
cut (RccLossCause *c, double share, double arrived, double target, RccTime now)
{
  c->capacity = RCC_MIN (arrived, target) / (1.0 - RCC_MIN (c->own, share));
  c->from = c->bps = RCC_MAX (CUT * c->capacity, CUT_MOST * (1.0 - share) * target);
  c->capacity = RCC_MAX (c->capacity, c->from / CUT);  /* else grow() stands still */
  c->cut = now;
  c->second = false;
}

static void
remember (RccLossCause *c, double share)
{
  c->mean += (share - c->mean) * c->expected / (c->expected + MEMORY);
  c->recent += (share - c->recent) * c->expected / (c->expected + MEMORY_SHORT);
}

/* Who shares the queue may have filled the little room that was left, and kept the loss up. */
static void
cut_again (RccLossCause *c, RccTime now)
{
  c->second = true;
  c->from = c->bps = RCC_MIN (c->bps, c->second_cut * c->capacity);
  c->cut = now;
  enter (c, RCC_CAUSE_TEST, now);
}

static void
end_test (RccLossCause *c, double share, RccTime now)
{
  if (share - c->own < FALLEN * (c->before - c->own)) {
    c->congestions++;
    c->sure = 0;
    c->keep = KNOWN;
    enter (c, RCC_CAUSE_CONGESTION, now);
    return;
  }
  if (c->second_cut > 0 && !c->second && RCC_MAX (c->before, share) > MORE * c->sure) {
    cut_again (c, now);
    return;
  }
  remember (c, share);
  c->own = c->sure = RCC_MIN (c->mean, OWN_MOST);
  c->known = now + c->keep;
  c->keep = RCC_MIN (2 * c->keep, KNOWN_MOST);
  c->bps = INFINITY;
  enter (c, RCC_CAUSE_WATCH, now);
}

/* Losses that come together tell no more than one: the variance of their number beside that
 * of a Poisson process. */
static double
clustered (const RccLossCause *c)
{
  return c->lost > 0 ? RCC_MAX (c->squares / c->lost, 1.0) : 1.0;
}

static void
judge (RccLossCause *c, double share, double arrived, double target, RccTime now)
{
  const bool much = share > c->own + LEAST && c->lost > c->own * c->expected
      + SURE * sqrt (c->own * c->expected * clustered (c));

  remember (c, share);
  if (now > c->known)
    c->own = 0;
  else if (share < c->own)
    c->own += FORGET * (share - c->own);
  if (much) {
    cut (c, share, arrived, target, now);
    c->before = c->mean;
    c->cluster = clustered (c);
    c->tests++;
    enter (c, RCC_CAUSE_TEST, now);
    return;
  }
  enter (c, c->phase, now);
}

static bool
seen_enough (const RccLossCause *c, RccTime now)
{
  const bool many = c->lost >= LOSSES && (c->own <= 0 || now >= c->since + BRIEF);

  return c->expected >= PACKETS && (many || now >= c->since + PATIENCE);
}

void
rcc_loss_cause_packets (RccLossCause *c, double lost, double expected, double arrived,
    double target, bool calm, RccTime rtt, RccTime now)
{
  double share;

  if (c->phase == RCC_CAUSE_CONGESTION)
    grow (c, target, now);
  if (c->phase != RCC_CAUSE_WATCH && now < c->cut + rtt + SETTLE)
    return;
  if (!calm) {
    enter (c, c->phase, now);
    return;
  }
  c->expected += expected;
  c->lost += lost;
  c->squares += lost * lost;
  if (c->expected <= 0)
    return;
  share = RCC_MIN (c->lost / c->expected, 1.0);
  if (c->phase == RCC_CAUSE_TEST) {
    if (c->before * c->expected >= LOSSES * c->cluster || now >= c->since + rtt + SETTLE + LONGEST)
      end_test (c, share, now);
  } else if (seen_enough (c, now)) {
    judge (c, share, arrived, target, now);
  }
}

double
rcc_loss_cause_rest (const RccLossCause *c, double fraction)
{
  const double own = c->phase == RCC_CAUSE_TEST
      ? RCC_MAX (c->own, RCC_MIN (c->before, OWN_MOST)) : c->own;
  const double rest = RCC_MAX (fraction - own, 0.0);

  if (c->recent > HEAVY)
    return fraction;
  return rest > TESTED || rest < LEAST ? rest : 0.0;
}
