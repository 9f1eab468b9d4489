/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/standing.h"

#define HALF (200 * RCC_MSEC)           /* longer than what a key frame leaves behind */
#define WAIT_LEAST (600 * RCC_MSEC)     /* aimd.drain_time: the decrease has worked by then */
#define WAIT_MOST (16 * RCC_SEC)
#define MOST (2 * RCC_SEC)              /* a clock that was set looks like more than that */
#define TWO_PACKETS (2 * 1200 * 8e9)    /* ns at 1 bit/s */
#define LOSSY_LEAST (30 * RCC_MSEC)     /* behind less the path itself may lose as much */
#define SHORTENED 0.7                   /* of the queue before: the decrease helped */

void
rcc_standing_init (RccStanding *s, RccTime limit)
{
  *s = (RccStanding) { .limit = limit };
}

void
rcc_standing_packet (RccStanding *s, RccTime queue, RccTime arrival)
{
  if (arrival < s->since)
    s->next = 0;
  if (arrival >= s->since + HALF || arrival < s->since) {
    s->low[1] = s->low[0];
    s->low[0] = queue;
    s->since = arrival;
  }
  s->low[0] = RCC_MIN (s->low[0], queue);
}

bool
rcc_standing_over (RccStanding *s, RccTime rtt, double bps, bool lossy, RccTime now)
{
  const RccTime low = RCC_MIN (s->low[0], s->low[1]);
  const double least = lossy ? (double) LOSSY_LEAST : TWO_PACKETS / RCC_MAX (bps, 1.0);
  const double limit = RCC_MAX ((double) s->limit, least);

  if (s->limit == 0 || (double) low < limit || low > MOST) {
    if ((double) low < limit / 2)
      s->before = s->next = 0;
    return false;
  }
  if (now < s->next)
    return false;
  if (!lossy && s->before > 0 && (double) low > SHORTENED * (double) s->before)
    s->wait = RCC_MIN (2 * s->wait, WAIT_MOST);
  else
    s->wait = RCC_MAX (WAIT_LEAST, 2 * RCC_MIN (rtt, WAIT_MOST) + HALF);
  s->before = low;
  s->next = now + s->wait;
  return true;
}
