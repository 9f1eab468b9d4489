/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/l4s.h"

#include <math.h>

#define GAIN (1.0 / 16.0)               /* Prague: of alpha, a round trip */
#define RTT_LEAST (25 * RCC_MSEC)       /* Prague's virtual round trip */
#define RTT_UNKNOWN (100 * RCC_MSEC)
#define GROW 0.10                       /* of the rate, a second */
#define LEAST 1000.0                    /* bit/s a second */
#define FREE 1.5                        /* times the target: marks do not limit it any more */
#define ACTIVE (2 * RCC_SEC)

void
rcc_l4s_init (RccL4s *l)
{
  *l = (RccL4s) { .bps = INFINITY, .alpha = -1.0, .round = RCC_NEVER, .marked = RCC_NEVER };
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

static void
end_round (RccL4s *l, double target, RccTime now)
{
  const double share = (double) l->marks / (double) l->packets;
  const double seconds = (double) (now - l->round) * 1e-9;

  if (l->alpha >= 0)
    l->alpha += GAIN * (share - l->alpha);
  else if (l->marks > 0)
    l->alpha = share;
  if (l->marks > 0) {
    l->bps = RCC_MIN (l->bps, target) * (1.0 - l->alpha / 2.0);
    l->decreases++;
  }
  l->bps += RCC_MAX (GROW * l->bps, LEAST) * RCC_MIN (seconds, 1.0);
  if (l->bps > FREE * target)
    l->bps = INFINITY;
  l->packets = l->marks = 0;
  l->round = now;
}

void
rcc_l4s_packets (RccL4s *l, uint32_t packets, uint32_t marks, double target, RccTime rtt,
    RccTime now)
{
  const RccTime trip = rtt == RCC_NEVER || rtt == 0 ? RTT_UNKNOWN : RCC_MAX (rtt, RTT_LEAST);

  if (l->round == RCC_NEVER)
    l->round = now;
  l->packets += packets;
  l->marks += marks;
  if (marks > 0)
    l->marked = now;
  if (l->packets > 0 && now >= l->round + trip)
    end_round (l, target, now);
}
