/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * xr-times.h - when packets came: Packet Receipt Times (RFC 3611 4.3)
 *
 * A tick is one of the stream's RTP clock, modulo 2^32, from an origin that nobody knows. A
 * receiver of several streams must tell them all from one clock for its times to be comparable
 * (they share one queue). Ours says clock_rate * t / 10^9 ticks of every SSRC (rcc_xr_ticks). t
 * is one clock's nanoseconds, the same for all.
 */
#ifndef RCC_WIRE_XR_TIMES_H
#define RCC_WIRE_XR_TIMES_H

#include "wire/xr.h"

typedef struct {
  RccXrRange range;                     /* every one of its numbers was received */
  RccBytes times;
} RccXrTimes;

typedef struct {                        /* a walk over the numbers; begin sets it up */
  const uint8_t *times;                 /* of the numbers left */
  uint32_t left;
  uint16_t seq, step;
} RccXrTimesWalk;

/* @now in ticks; exact for any time and rate. */
static inline uint32_t
rcc_xr_ticks (RccTime now, uint32_t clock_rate)
{
  return (uint32_t) (now / RCC_SEC * clock_rate + now % RCC_SEC * clock_rate / RCC_SEC);
}

/* False for other blocks and for a range that rcc_xr_range_parse() refuses. */
bool rcc_xr_times_parse (const RccXrBlock *block, RccXrTimes *times);

void rcc_xr_times_begin (RccXrTimesWalk *walk, const RccXrTimes *times);
/* Passes over @n numbers, at once. */
void rcc_xr_times_skip (RccXrTimesWalk *walk, uint32_t n);
/* The next number and its time.  False at the end of the range or of the times there are,
 * whichever comes first. */
bool rcc_xr_times_next (RccXrTimesWalk *walk, uint16_t *seq, uint32_t *ticks);

/* Adds blocks to an XR packet, as rcc_xr_add() does, with what @when says of each number of
 * @range. It is asked in order, for each once or twice. It says when the packet first came, or
 * false when it did not. There is one block for each stretch without a loss (4.3: a block must
 * not speak of what was not received). Where room is short, *@end is where the rest begins,
 * range.end_seq when nothing is left. Returns the new total size, or @used when no number was
 * received. 0 when there was one and not room for it (*@end is where then). */
size_t rcc_xr_times_add (uint8_t *out, size_t size, size_t used, const RccXrRange *range,
    bool (*when) (void *user, uint16_t seq, uint32_t *ticks), void *user, uint16_t *end);

#endif
