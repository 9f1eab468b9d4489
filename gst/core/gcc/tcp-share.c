/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/gcc/tcp-share.h"

#include <math.h>

#include "core/losses.h"
#include "core/tcpeq.h"

#define HALF (1500 * RCC_MSEC)
#define EMPTY 0.1                       /* of the longest: Copa 2.2 */
#define MEAN (5.0 * RCC_SEC)            /* time constant of the means */
#define WINDOW (300 * RCC_MSEC)         /* there is a queue if its shortest in this is none: who is
                                         * alone waits for packets of the same frame */
#define BUSY 0.7                        /* Reno empties a queue of a round trip for a moment */
#define STILL_BUSY 0.5
#define ANOTHER 0.03                    /* change of the rate from window to window: that of a link
                                         * has less, by what feedback leaves open of times */
#define VARY 0.5                        /* share of windows: with random losses it is few */
#define VARY_GAIN 0.0625
#define SIZE_GAIN 0.0625
#define FILLED 0.35                     /* of its height: Reno's sawtooth has .5 and more */
#define STILL_FILLED 0.2
#define HEIGHT_GAIN 0.25
#define LOSSES_WITHIN (60 * RCC_SEC)
#define LOSSY 0.02                      /* more than a flow of ours loses beside one TCP flow */
#define MEMORY 600.0                    /* packets, of the share lost */
#define MOST_AT_ONCE 1000.0             /* packets of which one report tells */
#define SEGMENT 1460.0                  /* bytes: TCP's, as in RFC 4828.  Our own get smaller with
                                         * the rate, and less would be due to who has less */
#define TEST_EVERY (12 * RCC_SEC)
#define TEST (600 * RCC_MSEC)           /* aimd.drain_time: the decrease has worked by then */
#define WATCH (4 * WINDOW)              /* behind it */
#define VARIES (5 * RCC_MSEC)           /* a queue that others fill, from window to window */
#define MORE 1.1                        /* than what came: that grows beside others */
#define PEAK (20.0 * RCC_SEC)           /* time constant: TCP's bursts last for seconds */

void
rcc_tcp_share_init (RccTcpShare *s, double share, RccTime floor)
{
  *s = (RccTcpShare) { .share = share, .floor = floor, .low = RCC_NEVER, .lost = RCC_NEVER,
    .test = RCC_NEVER };
  rcc_tfrc_loss_init (&s->events, true);
}

static double
highest (const RccTcpShare *s)
{
  return (double) RCC_MAX (s->high[0], s->high[1]);
}

static bool
is_within (RccTime then, RccTime span, RccTime now)
{
  return then != RCC_NEVER && now >= then && now - then < span;
}

static bool
is_testing (const RccTcpShare *s, RccTime span, RccTime now)
{
  return s->competes && is_within (s->test, s->settle + span, now);
}

/* What comes out of a queue from end to end of a window. */
static void
compare (RccTcpShare *s, bool is_busy, RccTime span)
{
  const double bps = is_busy && span > 0 ? 8e9 * s->bytes / (double) span : 0.0;

  if (bps > 0 && s->bps > 0)
    s->varies += VARY_GAIN * ((fabs (bps / s->bps - 1.0) > ANOTHER) - s->varies);
  s->bps = bps;
  s->bytes = 0;
}

/* What was the shortest queue for @span stands for all of it. */
static void
end_window (RccTcpShare *s, RccTime span, RccTime now)
{
  const double part = 1.0 - exp (-(double) RCC_MIN (span, HALF) / MEAN);
  const bool is_busy = s->low >= s->floor && (double) s->low >= EMPTY * highest (s);

  compare (s, is_busy, span);
  s->busy += (is_busy - s->busy) * part;
  s->queue += ((double) s->low - s->queue) * part;
  if (is_testing (s, WATCH, s->began) && !is_testing (s, 0, s->began)) {
    s->watched++;
    s->least = RCC_MIN (s->least, s->low);
    s->most = RCC_MAX (s->most, s->low);
    s->watched_busy += is_busy;
  }
  s->began = now;
  s->low = RCC_NEVER;
}

static void
track (RccTcpShare *s, uint32_t size, RccTime queue, RccTime now)
{
  s->bytes += size;
  s->size += SIZE_GAIN * (size - s->size);
  if (now >= s->since + HALF || now < s->since) {
    s->high[1] = s->high[0];
    s->high[0] = queue;
    s->since = now;
  }
  s->high[0] = RCC_MAX (s->high[0], queue);
  s->low = RCC_MIN (s->low, queue);
  if (now >= s->began + WINDOW || now < s->began)
    end_window (s, now < s->began ? 0 : now - s->began, now);
}

static void
begin_test (RccTcpShare *s, RccTime at, RccTime rtt)
{
  s->test = at;
  s->settle = TEST + rtt;
  s->watched = s->watched_busy = 0;
  s->least = RCC_NEVER;
  s->most = 0;
}

/* It was our own queue, or it is none: the path got longer, and the base is soon known anew. */
static bool
has_failed (const RccTcpShare *s)
{
  return s->watched > 0
      && (2 * s->watched_busy < s->watched || s->most < s->least + VARIES);
}

static bool
is_filled (const RccTcpShare *s, RccTime now)
{
  return s->busy > (s->competes ? STILL_BUSY : BUSY) && s->varies > VARY
      && s->queue > (s->competes ? STILL_FILLED : FILLED) * s->height
      && s->loss < LOSSY && is_within (s->lost, LOSSES_WITHIN, now);
}

void
rcc_tcp_share_rebase (RccTcpShare *s, RccTime by, RccTime rtt, RccTime now)
{
  if (by > VARIES && is_testing (s, WATCH, now))
    begin_test (s, now, rtt);
}

void
rcc_tcp_share_packet (RccTcpShare *s, uint32_t size, RccTime queue, bool full, RccTime rtt,
    RccTime now)
{
  const bool before = s->competes;

  if (!(s->share > 0))
    return;
  track (s, size, queue, now);
  s->full = full;
  if (before && !is_testing (s, WATCH, now) && (now >= s->test || s->test > now + TEST_EVERY)) {
    if (has_failed (s))
      s->busy = 0;
    begin_test (s, now + TEST_EVERY, rtt);
  }
  s->competes = is_filled (s, now);
  if (s->competes && !before)
    begin_test (s, now, rtt);
}

/* A packet that came after all stays lost here: its event is one of many. */
void
rcc_tcp_share_losses (RccTcpShare *s, double lost, double expected, double bps, RccTime rtt,
    RccTime now)
{
  const RccTfrcPath path = { .rtt = rtt, .target = bps / 8, .packet_size = SEGMENT };
  const uint64_t before = s->events.events;
  const uint32_t came = (uint32_t) RCC_CLAMP (expected - lost, 0, MOST_AT_ONCE);

  if (!(s->share > 0))
    return;
  s->bytes += RCC_CLAMP (lost, 0, MOST_AT_ONCE) * s->size;
  s->loss = rcc_losses_mean (s->loss, lost, expected, MEMORY);
  s->number += (int64_t) RCC_CLAMP (lost, 0, MOST_AT_ONCE);
  rcc_tfrc_loss_run (&s->events, s->number, came, now, &path);
  s->number += came;
  if (s->events.events == before)
    return;
  s->height += (highest (s) - s->height) * (s->lost == RCC_NEVER ? 1.0 : HEIGHT_GAIN);
  s->lost = now;
}

bool
rcc_tcp_share_is_busy (const RccTcpShare *s)
{
  return s->busy > STILL_BUSY;
}

bool
rcc_tcp_share_tests (const RccTcpShare *s, RccTime now)
{
  return is_testing (s, 0, now);
}

/* Bytes per second of CUBIC where it does not follow Reno (RFC 9438 5.1: C .4, beta .7). */
static double
cubic (RccTime rtt, double p)
{
  return 1.054 * SEGMENT * pow ((double) rtt * 1e-9, -0.25) * pow (p, -0.75);
}

static void
track_peak (RccTcpShare *s, double received, RccTime now)
{
  if (now < s->peak_at)                 /* the clock */
    s->peak = 0;
  s->peak = RCC_MAX (received, s->peak * exp (-(double) (now - s->peak_at) / PEAK));
  s->peak_at = now;
}

double
rcc_tcp_share_bps (RccTcpShare *s, double received, RccTime rtt, RccTime now)
{
  const RccTcpPath path = { .packet_size = SEGMENT, .rtt = rtt };
  double p, due;

  if (!(s->share > 0))
    return 0;
  track_peak (s, received, now);
  if (!s->competes || s->full || is_testing (s, WATCH, now) || rtt == 0)
    return 0;
  p = rcc_tfrc_loss_rate (&s->events);
  if (!(p > 0))
    return 0;
  due = 8.0 * RCC_MAX (rcc_tcp_throughput (RCC_TCP_PADHYE, &path, p), cubic (rtt, p));
  return RCC_MIN (s->share * due, MORE * s->peak);
}
