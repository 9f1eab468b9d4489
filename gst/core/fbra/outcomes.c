/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/fbra/outcomes.h"

#include <string.h>

#define CLOCKS_AGREE 4                  /* times the reports' spacing, or a quarter */

static void
open_range (RccOutcomes *f)
{
  f->sum = (RccOutcomesSum) { .owd = RCC_NEVER, .bad_sent = RCC_NEVER,
    .newest_sent = RCC_NEVER };
  f->n = f->filled = 0;
  f->per = 1;
  f->sent_bytes = f->good_bytes = f->received_bytes = f->path_bytes = 0;
  f->owd_sum = 0.0;
  f->owds = 0;
  f->last_arrived = f->last_sent = RCC_NEVER;
}

void
rcc_outcomes_init (RccOutcomes *f, RccTime d_max)
{
  f->d_max = d_max;
  f->before.sent = f->before.arrived = f->before.closed = RCC_NEVER;
  open_range (f);
}

static void
halve_cells (RccOutcomes *f)
{
  for (unsigned i = 0; i < RCC_OUTCOMES_CELLS / 2; i++) {
    f->cells[i].losses = f->cells[2 * i].losses + f->cells[2 * i + 1].losses;
    f->cells[i].discards = f->cells[2 * i].discards + f->cells[2 * i + 1].discards;
  }
  f->n /= 2;
  f->per *= 2;
}

static void
mark (RccOutcomes *f, bool lost, bool discarded)
{
  if (f->n == 0 || f->filled == f->per) {
    if (f->n == RCC_OUTCOMES_CELLS)
      halve_cells (f);
    f->cells[f->n].losses = f->cells[f->n].discards = 0;
    f->n++;
    f->filled = 0;
  }
  f->filled++;
  f->cells[f->n - 1].losses += lost;
  f->cells[f->n - 1].discards += discarded;
  f->sum.losses += lost;
  f->sum.discards += discarded;
  f->sum.packets++;
}

static bool
take_arrival (RccOutcomes *f, RccSkewOwd *clock, const RccPacket *p, RccTime now)
{
  const RccTime owd = rcc_skew_owd_packet (clock, p->sent, p->arrived, now);

  if (owd == RCC_NEVER)
    return false;
  f->owd_sum += (double) owd;
  f->owds++;
  /* not the latest: after a clock was set back that would be one from before */
  f->last_arrived = p->arrived;
  f->last_sent = p->sent;
  return owd > f->d_max;
}

void
rcc_outcomes_take (RccOutcomes *f, RccSkewOwd *clock, const RccPacket *packets, size_t n,
    RccTime now)
{
  for (size_t i = 0; i < n; i++) {
    const RccPacket *p = &packets[i];
    const bool parity = p->flags & RCC_PACKET_PARITY;
    const bool received = rcc_packet_received (p);
    bool late = p->flags & RCC_PACKET_LATE;

    if (p->arrived != RCC_NEVER)
      late |= take_arrival (f, clock, p, now);
    mark (f, !received, late);
    f->sum.parity += parity;
    if ((!received || late) && f->sum.bad_sent == RCC_NEVER)
      f->sum.bad_sent = p->sent;
    if (p->sent <= now
        && (f->sum.newest_sent == RCC_NEVER || p->sent > f->sum.newest_sent))
      f->sum.newest_sent = p->sent;
    f->path_bytes += received ? p->size : 0;
    if (!parity) {
      f->sent_bytes += p->size;
      f->good_bytes += received && !late ? p->size : 0;
      f->received_bytes += received ? p->size : 0;
    }
  }
}

/* Cells of several packets: one that lies across the split counts as recent. */
static void
count_recent (RccOutcomes *f, double recent)
{
  const double from = (1.0 - recent) * f->sum.packets;

  for (unsigned i = 0; i < f->n; i++) {
    const double end = RCC_MIN ((double) (i + 1) * f->per, (double) f->sum.packets);

    if (end > from) {
      f->sum.recent_losses += f->cells[i].losses;
      f->sum.recent_discards += f->cells[i].discards;
    }
  }
}

static double
span (RccTime from, RccTime to, RccTime elapsed)
{
  if (from != RCC_NEVER && (int64_t) (to - from) > 0
      && to - from <= CLOCKS_AGREE * elapsed && to - from >= elapsed / CLOCKS_AGREE)
    return (double) (to - from);
  return (double) elapsed;
}

/* When the newest packet arrived, or would have: a tail of losses is part of the range. */
static RccTime
end_of_arrivals (const RccOutcomes *f)
{
  if (f->last_arrived == RCC_NEVER || f->sum.newest_sent == RCC_NEVER)
    return RCC_NEVER;
  return f->last_arrived
      + (f->sum.newest_sent > f->last_sent ? f->sum.newest_sent - f->last_sent : 0);
}

RccOutcomesSum
rcc_outcomes_close (RccOutcomes *f, double recent, RccTime now)
{
  const RccTime arrived = end_of_arrivals (f);
  RccOutcomesSum sum;

  count_recent (f, recent);
  if (f->owds > 0)
    f->sum.owd = (RccTime) (f->owd_sum / f->owds);
  if (now > f->before.closed && f->sum.packets > 0) {
    const RccTime elapsed = RCC_MIN (now - f->before.closed, RCC_NEVER / 8);

    f->sum.rated = true;
    f->sum.sent_bps = 8e9 * (double) f->sent_bytes
        / span (f->before.sent, f->sum.newest_sent, elapsed);
    f->sum.goodput_bps = 8e9 * (double) f->good_bytes
        / span (f->before.arrived, arrived, elapsed);
    f->sum.received_bps = 8e9 * (double) f->received_bytes
        / span (f->before.arrived, arrived, elapsed);
    f->sum.path_bps = 8e9 * (double) f->path_bytes
        / span (f->before.arrived, arrived, elapsed);
  }
  f->before.closed = now;
  if (f->sum.newest_sent != RCC_NEVER)
    f->before.sent = f->sum.newest_sent;
  f->before.arrived = arrived;
  sum = f->sum;
  open_range (f);
  return sum;
}
