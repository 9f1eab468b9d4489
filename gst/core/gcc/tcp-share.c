/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/tcp-share.h"

#include <math.h>

#include "core/losses.h"
#include "core/tcpeq.h"

#define HALF (1500 * RCC_MSEC)
#define STOOD (3 * RCC_SEC)
#define EMPTY 0.1                       /* of the longest: Copa 2.2 */
#define LOSSES_WITHIN (60 * RCC_SEC)
#define LOSSY 0.03                      /* more than a flow of ours loses beside one TCP flow */
#define MEMORY 600.0                    /* packets, of the share lost */
#define MOST_AT_ONCE 1000.0             /* packets of which one report tells */
#define SIZES 64                        /* packets, of the mean size */
#define TEST_EVERY (12 * RCC_SEC)
#define TEST (600 * RCC_MSEC)           /* aimd.drain_time: the decrease has worked by then */

void
rcc_tcp_share_init (RccTcpShare *s, double share, RccTime floor)
{
  *s = (RccTcpShare) { .share = share, .floor = floor, .event = { RCC_NEVER, RCC_NEVER } };
  rcc_tfrc_loss_init (&s->events, true);
}

static bool
is_within (RccTime then, RccTime span, RccTime now)
{
  return then != RCC_NEVER && now >= then && now - then < span;
}

static void
track (RccTcpShare *s, RccTime queue, RccTime now)
{
  if (now >= s->since + HALF || now < s->since) {
    s->high[1] = s->high[0];
    s->high[0] = queue;
    s->since = now;
  }
  s->high[0] = RCC_MAX (s->high[0], queue);
  if (queue < s->floor || now < s->empty
      || (double) queue < EMPTY * (double) RCC_MAX (s->high[0], s->high[1]))
    s->empty = now;
}

void
rcc_tcp_share_packet (RccTcpShare *s, RccTime queue, uint32_t size, RccTime rtt, RccTime now)
{
  if (!(s->share > 0))
    return;
  track (s, queue, now);
  s->size += ((double) size - s->size) / SIZES;
  if (!s->competes || s->test > now + TEST_EVERY || now >= s->test + TEST + rtt)
    s->test = now + TEST_EVERY;
  s->competes = now >= s->empty + STOOD && s->loss < LOSSY
      && is_within (s->event[1], LOSSES_WITHIN, now);
}

/* A packet that came after all stays lost here: its event is one of many. */
void
rcc_tcp_share_losses (RccTcpShare *s, double lost, double expected, double bps, RccTime rtt,
    RccTime now)
{
  const RccTfrcPath path = { .rtt = rtt, .target = bps / 8, .packet_size = RCC_MAX (s->size, 1) };
  const uint64_t before = s->events.events;

  if (!(s->share > 0))
    return;
  s->loss = rcc_losses_mean (s->loss, lost, expected, MEMORY);
  s->number += (int64_t) RCC_CLAMP (lost, 0, MOST_AT_ONCE);
  for (double i = RCC_MIN (expected - lost, MOST_AT_ONCE); i >= 1; i--)
    rcc_tfrc_loss_packet (&s->events, s->number++, now, false, &path);
  if (s->events.events > before) {
    s->event[1] = s->event[0];
    s->event[0] = now;
  }
}

static bool
is_testing (const RccTcpShare *s, RccTime rtt, RccTime now)
{
  return now >= s->test && now < s->test + TEST + rtt;
}

bool
rcc_tcp_share_tests (const RccTcpShare *s, RccTime rtt, RccTime now)
{
  return s->competes && is_testing (s, rtt, now);
}

/* Bytes per second of CUBIC where it does not follow Reno (RFC 9438 5.1: C .4, beta .7). */
static double
cubic (double size, RccTime rtt, double p)
{
  return 1.054 * size * pow ((double) rtt * 1e-9, -0.25) * pow (p, -0.75);
}

double
rcc_tcp_share_bps (const RccTcpShare *s, RccTime rtt, RccTime now)
{
  const RccTcpPath path = { .packet_size = s->size, .rtt = rtt };
  double p;

  if (!s->competes || is_testing (s, rtt, now) || rtt == 0)
    return 0;
  p = rcc_tfrc_loss_rate (&s->events);
  if (!(p > 0))
    return 0;
  return s->share * 8.0 * RCC_MAX (rcc_tcp_throughput (RCC_TCP_PADHYE, &path, p),
      cubic (s->size, rtt, p));
}
