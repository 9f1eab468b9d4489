/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/tcp-share.h - what is due to a call whose queue a TCP flow fills (ours; no paper has it)
 *
 * TCP fills a queue until it overflows.  A sender that heeds delay gives up what TCP then takes,
 * and decreases until it has a tenth of the link.  Copa (NSDI 2018) tells such a flow by a queue
 * that never empties, and so does this:
 *  - the queue has stood above a floor, and above a tenth of its longest, for STOOD, and
 *  - packets have been lost twice in a minute, but not many.
 * Then the equations of Reno (RFC 5348 3.1) and CUBIC (RFC 9438 5.1) say what a TCP flow would have
 * with these losses and this round trip: the greater of the two.  No decrease goes below @share of
 * it, and the rate climbs back to it.
 *
 * A flow alone can fill its queue, too.  So each TEST_EVERY there is a decrease that knows no
 * floor.  If the queue empties then, nobody else has filled it.
 *
 * What it cannot tell: a path that got longer for good and loses a packet now and then.
 */
#ifndef RCC_GCC_TCP_SHARE_H
#define RCC_GCC_TCP_SHARE_H

#include "core/tfrc/loss.h"

typedef struct {
  double share;                         /* of the equation's rate; 0: off */
  RccTime floor;                        /* ns, a shorter queue is empty */
  RccTime high[2], since;               /* ns, longest queue in this and in the previous HALF */
  RccTime empty;                        /* the queue was last */
  RccTfrcLoss events;                   /* told of our own numbers for packets */
  int64_t number;                       /* the next packet's */
  RccTime event[2];                     /* the last loss event and the one before */
  double loss;                          /* share lost, a mean */
  double size;                          /* bytes, a mean */
  RccTime test;                         /* begins */
  bool competes;
} RccTcpShare;

void rcc_tcp_share_init (RccTcpShare *s, double share, RccTime floor);

/* A packet arrived behind @queue; the clock may be set. */
void rcc_tcp_share_packet (RccTcpShare *s, RccTime queue, uint32_t size, RccTime rtt, RccTime now);
/* Of @expected packets more @lost are missing, at @bps; less than 0: some of those before have
 * come. */
void rcc_tcp_share_losses (RccTcpShare *s, double lost, double expected, double bps, RccTime rtt,
    RccTime now);

/* Whether to decrease now and see if the queue empties. */
bool rcc_tcp_share_tests (const RccTcpShare *s, RccTime rtt, RccTime now);
/* bit/s; 0: there is no floor. */
double rcc_tcp_share_bps (const RccTcpShare *s, RccTime rtt, RccTime now);

#endif
