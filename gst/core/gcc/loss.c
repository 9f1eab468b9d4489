/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ANRW'16 Eq. 1.  RCC_LOSS_RELEASE departs from it: the fraction is judged over at
 * least 20 packets (libwebrtc: one loss among three packets is no 33 %), decreases
 * are a round trip plus 300 ms apart, and after two clean judgements the limit is
 * lifted, because without loss the delay-based controller is the better judge and
 * 5 % a report is what makes the paper's climb slow.  Where it asks for the cause, it judges what
 * may be congestion and no more.
 */
#include "core/gcc/loss.h"

#include <math.h>

#include "core/tcpeq.h"

#define HIGH 0.10
#define UP 1.05
#define STEP_2012 1000.0               /* bit/s */
#define PACKETS_MIN 20
#define SPACING (300 * RCC_MSEC)
#define CLEAN_REPORTS 2

void
rcc_gcc_loss_init (RccGccLoss *l, RccLossMode mode, double start_bps)
{
  *l = (RccGccLoss) {
    .mode = mode, .decreased = RCC_NEVER,
    .bps = mode == RCC_LOSS_RELEASE ? INFINITY : start_bps,
  };
  rcc_loss_cause_init (&l->cause);
}

static void
eq1 (RccGccLoss *l)
{
  if (l->fraction > HIGH)
    l->bps *= 1.0 - 0.5 * l->fraction;
  else if (l->fraction < RCC_GCC_LOSS_LOW)
    l->bps *= UP;
}

static void
eq_2012 (RccGccLoss *l, RccTime rtt)
{
  const RccTcpPath path = { .packet_size = l->packet_size, .rtt = rtt };
  const double before = l->bps;

  if (l->fraction < RCC_GCC_LOSS_LOW)
    l->bps += STEP_2012;
  eq1 (l);
  if (l->bps < before && l->packet_size > 0 && rtt > 0)
    l->bps = RCC_MIN (before, RCC_MAX (l->bps,
            8.0 * rcc_tcp_throughput (RCC_TCP_PADHYE, &path, l->fraction)));
}

static void
judge (RccGccLoss *l, double target, RccTime rtt, RccTime now)
{
  const double fraction = l->asks_cause && !l->alone
      ? rcc_loss_cause_rest (&l->cause, l->fraction) : l->fraction;

  if (fraction > HIGH) {
    l->clean = 0;
    if (l->decreased != RCC_NEVER && now < l->decreased + SPACING + rtt)
      return;
    l->bps = RCC_MIN (l->bps, target) * (1.0 - 0.5 * fraction);
    l->decreased = now;
  } else if (fraction < RCC_GCC_LOSS_LOW) {
    l->clean++;
    if (!l->alone && (l->clean >= CLEAN_REPORTS || l->decreased == RCC_NEVER))
      l->bps = INFINITY;                /* nor does a clean report bring a limit up */
    else
      l->bps = UP * RCC_MIN (l->bps, target);
  } else {
    l->clean = 0;
    l->bps = RCC_MIN (l->bps, target);
  }
}

double
rcc_gcc_loss_report (RccGccLoss *l, double fraction, uint32_t expected,
    double target, RccTime rtt, RccTime now)
{
  if (l->mode == RCC_LOSS_PAPER) {
    l->fraction = fraction;
    eq1 (l);
    return l->bps;
  }
  if (l->mode == RCC_LOSS_2012) {
    l->fraction = fraction;
    eq_2012 (l, rtt);
    return l->bps;
  }
  l->lost += fraction * RCC_MAX (expected, 1);
  l->expected += RCC_MAX (expected, 1);
  if (l->expected < PACKETS_MIN)
    return l->bps;
  l->fraction = l->lost / l->expected;
  l->lost = l->expected = 0;
  judge (l, target, rtt, now);
  return l->bps;
}

double
rcc_gcc_loss_remb (RccGccLoss *l)
{
  if (l->mode == RCC_LOSS_PAPER)
    eq1 (l);
  else if (l->mode == RCC_LOSS_RELEASE && l->alone && l->decreased == RCC_NEVER)
    l->bps = INFINITY;                  /* what held it was that nobody else did */
  l->alone = false;
  return l->bps;
}

void
rcc_gcc_loss_follow (RccGccLoss *l, double target)
{
  if (l->mode != RCC_LOSS_RELEASE)
    l->bps = target;
}
