/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * RccSkewOwd is made for the sender, who knows by when a packet had come. It takes that for a
 * round trip where it has no other. Here it is told a constant, which is left out again.
 */
#include "core/fbra/discard-filter.h"

static void
begin (RccDiscardFilter *f, RccTime sent, RccTime arrived)
{
  const RccSkewOwdMin rtt = f->clock.rtt;

  rcc_skew_owd_init (&f->clock);
  f->clock.rtt = rtt;
  f->offset = arrived - sent;
  f->late_since = RCC_NEVER;
  f->restarts += f->begun;
  f->begun = true;
}

void
rcc_discard_filter_init (RccDiscardFilter *f)
{
  *f = (RccDiscardFilter) { .late_since = RCC_NEVER, .delay = RCC_NEVER };
  rcc_skew_owd_init (&f->clock);
}

void
rcc_discard_filter_restart (RccDiscardFilter *f)
{
  f->begun = false;
}

void
rcc_discard_filter_rtt (RccDiscardFilter *f, RccTime rtt, RccTime now)
{
  rcc_skew_owd_rtt (&f->clock, rtt, now);
}

RccTime
rcc_discard_filter_rtt_min (const RccDiscardFilter *f)
{
  return RCC_MIN (f->clock.rtt.now, f->clock.rtt.before);
}

/* Also keeps @sent + offset a time of ours, whatever the sender says. */
static bool
is_absurd (const RccDiscardFilter *f, RccTime sent, RccTime arrived)
{
  const int64_t d = (int64_t) (arrived - sent - f->offset);

  return d > (int64_t) RCC_DISCARD_FILTER_DELAY_MAX || d < -(int64_t) RCC_DISCARD_FILTER_DELAY_MAX;
}

static RccTime
delay_of (RccDiscardFilter *f, RccTime sent, RccTime arrived)
{
  const RccTime rtt = rcc_discard_filter_rtt_min (f);
  const RccTime local = sent + f->offset;
  const RccTime delay = rcc_skew_owd_packet (&f->clock, local, arrived,
      local + RCC_DISCARD_FILTER_DELAY_MAX);
  const RccTime anchor = rcc_skew_owd_rtt_min (&f->clock) / 2;

  return (delay > anchor ? delay - anchor : 0) + (rtt != RCC_NEVER ? rtt / 2 : 0);
}

bool
rcc_discard_filter_packet (RccDiscardFilter *f, RccTime sent, RccTime arrived, RccTime max_delay)
{
  if (sent == RCC_NEVER)
    return false;
  if (!f->begun || is_absurd (f, sent, arrived)
      || (arrived > f->heard && arrived - f->heard > RCC_DISCARD_FILTER_PAUSE))
    begin (f, sent, arrived);
  f->heard = arrived;
  f->delay = delay_of (f, sent, arrived);
  if (f->delay <= max_delay || arrived < f->silent_until) {
    f->late_since = RCC_NEVER;
    return false;
  }
  if (f->late_since == RCC_NEVER)
    f->late_since = arrived;
  if (arrived - f->late_since < RCC_DISCARD_FILTER_RESET)
    return true;
  f->silent_until = arrived + RCC_DISCARD_FILTER_DISABLED;
  begin (f, sent, arrived);
  f->delay = delay_of (f, sent, arrived);
  return false;
}
