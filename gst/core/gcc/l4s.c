/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/l4s.h"

#include <math.h>

#define GAIN (1.0 / 16.0)               /* Prague: of alpha, a round */
#define ROUND_LEAST (25 * RCC_MSEC)     /* Prague's virtual round trip */
#define GROW 960e3                      /* bit/s a second: 1200 bytes more each 100 ms */
#define GROW_MOST 0.5                   /* of the rate, a second */
#define LEAST 1000.0                    /* bit/s a second */
#define STEEPNESS 8.0                   /* SCReAM v2 4.2.2.1 */
#define NEAR_LEAST 0.25                 /* SCReAM v2 4.2.2.1 */
#define QUEUE_LONG (15 * RCC_MSEC)      /* SCReAM v2: a quarter of its target of 60 ms */
#define FREE 1.5                        /* times the target: marks do not limit it any more */
#define ACTIVE (2 * RCC_SEC)

void
rcc_l4s_init (RccL4s *l)
{
  *l = (RccL4s) { .bps = INFINITY, .alpha = -1.0, .calm = true, .round = RCC_NEVER,
    .marked = RCC_NEVER };
}

bool
rcc_l4s_active (const RccL4s *l, RccTime now)
{
  return l->marked != RCC_NEVER && now < l->marked + ACTIVE;
}

void
rcc_l4s_shown (RccL4s *l, double bps, RccTime now)
{
  if (!rcc_l4s_active (l, now))
    l->bps = RCC_MAX (l->bps, bps);
}

/* 1 far from the rate at which marks began, NEAR_LEAST at it. */
static double
distance (const RccL4s *l)
{
  const double d = STEEPNESS * (l->bps / l->inflection - 1.0);

  return l->inflection > 0 ? RCC_CLAMP (d * d, NEAR_LEAST, 1.0) : 1.0;
}

static void
decrease (RccL4s *l, double target, RccTime queue)
{
  double share = l->alpha / 2.0;

  l->bps = RCC_MIN (l->bps, target);
  if (l->calm)
    l->inflection = l->bps;
  if (queue < QUEUE_LONG)
    share *= distance (l);
  l->bps *= 1.0 - share;
  l->decreases++;
}

static void
end_round (RccL4s *l, double target, RccTime queue, RccTime now)
{
  const double share = (double) l->marks / (double) l->packets;
  const double seconds = RCC_MIN ((double) (now - l->round) * 1e-9, 1.0);

  if (l->alpha >= 0)
    l->alpha += GAIN * (share - l->alpha);
  else if (l->marks > 0)
    l->alpha = share;
  if (l->marks > 0)
    decrease (l, target, queue);
  l->calm = l->marks == 0;
  l->bps += RCC_MAX (RCC_MIN (GROW, GROW_MOST * l->bps) * distance (l) * (1.0 - share), LEAST)
      * seconds;
  if (l->bps > FREE * target)
    l->bps = INFINITY;
  l->packets = l->marks = 0;
  l->round = now;
}

void
rcc_l4s_report (RccL4s *l, const RccL4sReport *report, double target, RccTime now)
{
  if (l->round == RCC_NEVER)
    l->round = now;
  l->packets += report->packets;
  l->marks += report->marks;
  if (report->marks > 0)
    l->marked = now;
  if (l->packets > 0 && (report->sent >= l->round || report->queue >= QUEUE_LONG)
      && now >= l->round + ROUND_LEAST)
    end_round (l, target, report->queue, now);
}
