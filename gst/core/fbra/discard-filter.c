/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RccOwdClock is made for the sender, who knows by when a packet had come and takes that
 * for a round trip where it has no other.  Here it is told a constant, which is left out
 * again.
 */
#include "core/fbra/discard-filter.h"

static void
begin (RccLateness *l, RccTime sent, RccTime arrived)
{
  const RccOwdMin rtt = l->clock.rtt;

  rcc_owd_clock_init (&l->clock);
  l->clock.rtt = rtt;
  l->offset = arrived - sent;
  l->late_since = RCC_NEVER;
  l->restarts += l->begun;
  l->begun = true;
}

void
rcc_lateness_init (RccLateness *l)
{
  *l = (RccLateness) { .late_since = RCC_NEVER, .delay = RCC_NEVER };
  rcc_owd_clock_init (&l->clock);
}

void
rcc_lateness_restart (RccLateness *l)
{
  l->begun = false;
}

void
rcc_lateness_rtt (RccLateness *l, RccTime rtt, RccTime now)
{
  rcc_owd_clock_rtt (&l->clock, rtt, now);
}

RccTime
rcc_lateness_rtt_min (const RccLateness *l)
{
  return RCC_MIN (l->clock.rtt.now, l->clock.rtt.before);
}

/* Also keeps @sent + offset a time of ours, whatever the sender says. */
static bool
is_absurd (const RccLateness *l, RccTime sent, RccTime arrived)
{
  const int64_t d = (int64_t) (arrived - sent - l->offset);

  return d > (int64_t) RCC_LATENESS_ABSURD || d < -(int64_t) RCC_LATENESS_ABSURD;
}

static RccTime
delay_of (RccLateness *l, RccTime sent, RccTime arrived)
{
  const RccTime rtt = rcc_lateness_rtt_min (l);
  const RccTime local = sent + l->offset;
  const RccTime told = rcc_owd_clock_packet (&l->clock, local, arrived,
      local + RCC_LATENESS_ABSURD);
  const RccTime anchor = rcc_owd_clock_rtt_min (&l->clock) / 2;

  return (told > anchor ? told - anchor : 0) + (rtt != RCC_NEVER ? rtt / 2 : 0);
}

bool
rcc_lateness_packet (RccLateness *l, RccTime sent, RccTime arrived, RccTime max_delay)
{
  if (sent == RCC_NEVER)
    return false;
  if (!l->begun || is_absurd (l, sent, arrived)
      || (arrived > l->heard && arrived - l->heard > RCC_LATENESS_PAUSE))
    begin (l, sent, arrived);
  l->heard = arrived;
  l->delay = delay_of (l, sent, arrived);
  if (l->delay <= max_delay || arrived < l->silent_until) {
    l->late_since = RCC_NEVER;
    return false;
  }
  if (l->late_since == RCC_NEVER)
    l->late_since = arrived;
  if (arrived - l->late_since < RCC_LATENESS_PATIENCE)
    return true;
  l->silent_until = arrived + RCC_LATENESS_SILENT;
  begin (l, sent, arrived);
  l->delay = delay_of (l, sent, arrived);
  return false;
}
