/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Ticks are one clock's time modulo 2^32 / rate seconds. The times of two streams therefore
 * differ by whole multiples of 2^32 / rate_1 and 2^32 / rate_2 seconds. All such differences are
 * multiples of 2^32 seconds by the rates' least common multiple (1.6 h for 90 and 48 kHz). That
 * is far apart enough for the nearest one to be known from when the packets left.
 */
#include "wire/xr-clock.h"

#include <math.h>

#define RANGE (INT64_C (1) << 32)
#define SAME_CLOCK ((int64_t) RCC_SEC)  /* the way takes no more or less than before */
#define SET_ANEW ((int64_t) (10 * RCC_SEC))     /* nor that, unless the clock was set */
#define COMMON_MAX (UINT64_C (1) << 30) /* 4 s: nearer each other than can be told apart */
#define TIME_MAX (INT64_MAX / 4)
#define SECONDS_MAX (TIME_MAX / (int64_t) RCC_SEC)      /* 73 years */

void
rcc_xr_clock_init (RccXrClock *c)
{
  *c = (RccXrClock) { .common = 1 };
}

void
rcc_xr_clock_forget (RccXrClock *c, unsigned stream)
{
  c->streams[stream].rate = 0;
}

static uint64_t
common_multiple (uint64_t a, uint64_t b)
{
  uint64_t x = a, y = b;

  while (y != 0) {
    const uint64_t rest = x % y;

    x = y;
    y = rest;
  }
  return a / x * b;
}

/* From @time to @wanted: by the steps that lie between one clock's times, if those lead
 * there. */
static int64_t
shift_to (const RccXrClock *c, int64_t time, int64_t wanted)
{
  const double step = 1e9 * (double) RANGE / (double) c->common;
  const int64_t shift = (int64_t) round (round ((double) (wanted - time) / step) * step);
  const int64_t off = time + shift - wanted;

  if (c->common <= COMMON_MAX && off <= SAME_CLOCK && off >= -SAME_CLOCK)
    return shift;
  return wanted - time;
}

/* A clock that was set anew: this stream shows by how much, the others join it again. */
static void
unjoin_others (RccXrClock *c, unsigned stream)
{
  for (unsigned i = 0; i < RCC_XR_CLOCK_STREAMS; i++)
    c->streams[i].joined &= i == stream;
}

RccTime
rcc_xr_clock_arrived (RccXrClock *c, unsigned stream, uint32_t rate, uint32_t ticks,
    RccTime sent)
{
  const int64_t left = (int64_t) RCC_MIN (sent, (RccTime) TIME_MAX);
  int64_t unwrapped, time, off;

  if (c->streams[stream].rate != rate) {
    c->streams[stream].rate = rate;
    c->streams[stream].joined = false;
    c->streams[stream].ticks = (RccUnwrap) { 0 };
    if (c->common <= COMMON_MAX)
      c->common = common_multiple (c->common, rate);
  }
  /* two wraps on top: less than one below 0 is positive */
  unwrapped = rcc_unwrap_clock (&c->streams[stream].ticks, ticks, 32) + 2 * RANGE;
  time = RCC_MIN (unwrapped / rate, SECONDS_MAX) * (int64_t) RCC_SEC
      + unwrapped % rate * (int64_t) RCC_SEC / rate;
  if (!c->streams[stream].joined) {
    c->streams[stream].shift = c->known ? shift_to (c, time, left + c->ahead) : 0;
    c->streams[stream].joined = true;
  }
  time = RCC_CLAMP (time + c->streams[stream].shift, 0, TIME_MAX);
  off = time - left - c->ahead;
  if (c->known && (off > SET_ANEW || off < -SET_ANEW))
    unjoin_others (c, stream);
  c->ahead = time - left;
  c->known = true;
  return (RccTime) time;
}
