/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * xr-clock.h - receipt times of several streams (RFC 3611 4.3) on one clock
 *
 * Each stream's ticks wrap at their own rate, and nobody says from which origin they count. The
 * first stream's time is the clock, and every other is shifted onto it. The shift makes both one
 * clock's nanoseconds, if they are (rcc_xr_ticks). Else it makes its packets as long under way as
 * the others'.
 */
#ifndef RCC_WIRE_XR_CLOCK_H
#define RCC_WIRE_XR_CLOCK_H

#include "core/seq.h"
#include "core/ssrcs.h"

#define RCC_XR_CLOCK_STREAMS RCC_SSRCS

typedef struct {
  bool known;                           /* @ahead is */
  int64_t ahead;                        /* arrived - sent of what was told last, ns */
  uint64_t common;                      /* the least common multiple of the rates joined, Hz */
  struct {
    uint32_t rate;                      /* 0: nothing told yet */
    bool joined;
    RccUnwrap ticks;
    int64_t shift;                      /* ns */
  } streams[RCC_XR_CLOCK_STREAMS];
} RccXrClock;

void rcc_xr_clock_init (RccXrClock *c);
/* Another stream, of which nothing was told, now has number @stream. */
void rcc_xr_clock_forget (RccXrClock *c, unsigned stream);
/* When a packet of @stream that left at @sent (our clock) came, by the receiver's clock:
 * @ticks of @rate Hz (not 0).  Never RCC_NEVER. */
RccTime rcc_xr_clock_arrived (RccXrClock *c, unsigned stream, uint32_t rate,
    uint32_t ticks, RccTime sent);

#endif
