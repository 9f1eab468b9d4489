/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/standing.h - a queue that stands is congestion, whatever the slope of the delay
 *
 * The over-use detector goes by the slope: a queue that neither grows nor shrinks is normal to
 * it.  Such a queue is left behind by an outage, or by a decrease that was too small.  Here it
 * is over-use when it was never shorter than @limit for 200 to 400 ms.  The time of
 * two packets is no queue: at 20 kbit/s that is a second.  A queue of over 2 s is left to others:
 * a clock that was set looks the same until the base delay is forgotten.
 *
 * Where decreases do not shorten the queue, somebody else fills it: the next one waits twice as
 * long each time, so that a flow beside TCP is not driven down to nothing.
 *
 * A queue of 30 ms that loses more than TCP would is too full for either excuse.
 */
#ifndef RCC_GCC_STANDING_H
#define RCC_GCC_STANDING_H

#include "core/rcc.h"

typedef struct {
  RccTime limit;                        /* ns; 0: off */
  RccTime low[2], since;                /* shortest queue of this and the previous half window */
  RccTime next;                         /* not before; the next queue need not wait for it */
  RccTime wait;                         /* after the last one */
  RccTime before;                       /* queue at the last one; 0: it is gone */
} RccStanding;

void rcc_standing_init (RccStanding *s, RccTime limit);

/* A packet arrived behind @queue; @arrival may step back. */
void rcc_standing_packet (RccStanding *s, RccTime queue, RccTime arrival);
/* Whether to decrease now; true once for each decrease.  @rtt: of the path; @bps: what comes out
 * of it; @lossy: more than a few packets of a hundred are lost. */
bool rcc_standing_over (RccStanding *s, RccTime rtt, double bps, bool lossy, RccTime now);

#endif
