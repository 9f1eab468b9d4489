/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The delay is the mean of the newest feedback and no more: what smooths over several of
 * them (a quarter of each) follows the queue of a TCP beside us too late, and costs up to
 * two points of audio on time; the last packet, the longest or the shortest in place of the
 * mean make no difference that shows (test-sbpn.c's figures 4 to 7).
 *
 * What is measured stands until it is measured anew, and for that packets have to leave:
 * where it alone exceeds what a packet may live for, it would have everything dropped
 * for as long as nothing leaves, sbpn1's queue among it, long after the path's queue is
 * empty.  So it is not asked when it leaves nothing to choose.
 */
#include "core/sbpn-way.h"

#define STALE RCC_SEC                   /* without feedback; ours */

void
rcc_sbpn_way_init (RccSbpnWay *w, RccSbpnWayKind kind)
{
  *w = (RccSbpnWay) {
    .kind = kind, .life = RCC_NEVER, .rtt = RCC_NEVER, .owd = RCC_NEVER,
  };
  rcc_owd_clock_init (&w->clock);
}

void
rcc_sbpn_way_report (RccSbpnWay *w, RccTime rtt, RccTime now)
{
  if (rtt != RCC_NEVER)
    rcc_owd_clock_rtt (&w->clock, rtt, now);
}

void
rcc_sbpn_way_feedback (RccSbpnWay *w, const RccPacket *packets, size_t n, RccTime now)
{
  double sum = 0.0;
  unsigned arrivals = 0;

  for (size_t i = 0; i < n; i++) {
    RccTime owd;

    if (packets[i].arrived == RCC_NEVER)
      continue;
    owd = rcc_owd_clock_packet (&w->clock, packets[i].sent, packets[i].arrived, now);
    if (owd == RCC_NEVER)
      continue;
    sum += (double) owd;
    arrivals++;
  }
  if (arrivals == 0)
    return;
  w->owd = (RccTime) (sum / arrivals);
  w->heard = now;
}

RccTime
rcc_sbpn_way_travel (const RccSbpnWay *w, RccTime now)
{
  const RccTime half = w->rtt == RCC_NEVER ? RCC_NEVER : w->rtt / 2;

  if (w->kind == RCC_SBPN_WAY_RTT || w->owd == RCC_NEVER
      || now - RCC_MIN (w->heard, now) > STALE)
    return half;
  return w->owd < w->life ? w->owd : RCC_MIN (half, w->owd);
}
