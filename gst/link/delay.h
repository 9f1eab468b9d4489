/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * delay.h - when a packet that has left a link's server is delivered
 *
 * Jitter is NR-BPDV of RFC 8868 section 4.5.2: the packet is delivered at
 *   j(n) = max (s(n) + x_mean + z(n), j(n-1) + serial(n-1)).
 * There s = departure + delay, and serial is the packet's time at the current rate (0 on a
 * trace).  Of the two readings of section 4.5.3 this is the one without the bars.  There
 * z = N(0, std^2) is clamped to +-3 std, and x_mean = 3 std.  So the extra delay lies in
 * 0 .. 6 std = @jitter.  With RFC 8867's 30 ms, std is the recommended 5 ms.
 *
 * Jitter keeps the order.  What changes it is a share of the packets, each on its own, that takes
 * a longer way: up to @reorder_by more, evenly drawn.  Nothing waits for such a packet.
 */
#ifndef RCC_LINK_DELAY_H
#define RCC_LINK_DELAY_H

#include "core/rng.h"

typedef struct {
  RccTime delay;                        /* one way */
  RccTime jitter;                       /* largest extra delay, in order */
  double reorder;                       /* 0..1, each packet on its own: it comes later ... */
  RccTime reorder_by;                   /* ... by up to this */
} RccLinkDelays;

typedef struct {                        /* all private */
  RccRng jitter, reorder;               /* apart, so that one does not move the other */
  RccTime last_delivery, last_serial;   /* of those in order */
} RccDelayLine;

void rcc_delay_line_init (RccDelayLine *d, uint64_t seed);
/* The time at which what leaves at @departed is delivered.  @serial: what it takes at the rate. */
RccTime rcc_delay_line_delivery (RccDelayLine *d, const RccLinkDelays *delays, RccTime departed,
    RccTime serial);

#endif
