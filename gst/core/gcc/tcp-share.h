/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/tcp-share.h - what is due to a call whose queue a TCP flow fills (ours; no paper has it)
 *
 * TCP fills a queue until it overflows.  A sender that heeds delay gives up what TCP then takes,
 * and decreases until it has a tenth of the link.  Copa (NSDI 2018) tells such a flow by a queue
 * that does not empty, and so does this:
 *  - there is a queue nearly all of the time: longer than a floor and a tenth of its longest, and
 *  - what comes out of it comes now faster, now slower: of a queue that is ours alone it comes at
 *    the link's rate, whatever is lost on the path, and
 *  - its mean is no small part of what it is when packets are lost, and
 *  - a packet has been lost in the last minute, but not many, and the queue is not full all the
 *    time (full-queue.h): a crowd of flows as ours leaves no room at all.
 * Then the equations of Reno (RFC 5348 3.1) and CUBIC (RFC 9438 5.1) say what a TCP flow would
 * have with these losses and this round trip: the greater of the two.  No decrease goes below
 * @share of it, the rate climbs back to it, and losses do not limit it further: the equations
 * answer them.
 *
 * A flow alone can fill its queue, too.  So at the beginning and each TEST_EVERY there is a
 * decrease that knows no floor.  If there is no queue behind it, nobody else fills it.  If it is as
 * long all the time, it is none: the path has got longer.  A test in which that becomes known, by a
 * new base of the delay, begins anew.  And the floor is never much above the most that came of
 * late: beside others more comes of what is sent more, alone only the queue grows.
 *
 * A flow that paces loses fewer of its packets than TCP's bursts do: beside one TCP flow of Linux
 * .3 to .7 % of ours are lost, and .8 to 1.7 % of TCP's (tools/testbed, 60 s).  So the equations
 * give too much: a @share of .5 is about half of the link over rccsim and rccns3, and a fifth to
 * two fifths of it in the first minute beside Linux.
 */
#ifndef RCC_GCC_TCP_SHARE_H
#define RCC_GCC_TCP_SHARE_H

#include "core/tfrc/loss.h"

typedef struct {
  double share;                         /* of the equation's rate; 0: off */
  RccTime floor;                        /* ns, a shorter queue is none */
  RccTime high[2], since;               /* ns, longest queue in this and in the previous HALF */
  RccTime low, began;                   /* ns, shortest in this WINDOW */
  double busy;                          /* share of the time with a queue, a mean */
  double bytes, size;                   /* since .began, with lost packets; of one, a mean */
  double bps, varies;                   /* what came by the window before, 0: not of a queue; share
                                         * of windows in which that was another, a mean */
  double queue, height;                 /* ns, means: of the shortest; of the longest at losses */
  RccTfrcLoss events;                   /* told of our own numbers for packets */
  int64_t number;                       /* the next packet's */
  RccTime lost;                         /* the last loss event */
  double loss;                          /* share lost, a mean */
  RccTime test, settle;                 /* begins; until the queue is empty behind it */
  unsigned watched, watched_busy;       /* windows behind it; with a queue */
  RccTime least, most;                  /* ns, of the shortest queues in them */
  double peak;                          /* bit/s, the most that came, fading */
  RccTime peak_at;
  bool full, competes;
} RccTcpShare;

void rcc_tcp_share_init (RccTcpShare *s, double share, RccTime floor);

/* A packet of @size bytes arrived behind @queue, which is @full all the time or not; the clock may
 * be set. */
void rcc_tcp_share_packet (RccTcpShare *s, uint32_t size, RccTime queue, bool full, RccTime rtt,
    RccTime now);
/* What was @by of a queue is none: the base delay is known anew. */
void rcc_tcp_share_rebase (RccTcpShare *s, RccTime by, RccTime rtt, RccTime now);
/* Of @expected packets more @lost are missing, at @bps; less than 0: some of those before have
 * come. */
void rcc_tcp_share_losses (RccTcpShare *s, double lost, double expected, double bps, RccTime rtt,
    RccTime now);

/* Whether there is a queue most of the time. */
bool rcc_tcp_share_is_busy (const RccTcpShare *s);
/* Whether to decrease now and see if the queue empties. */
bool rcc_tcp_share_tests (const RccTcpShare *s, RccTime now);
/* bit/s, where @received come; 0: there is no floor. */
double rcc_tcp_share_bps (RccTcpShare *s, double received, RccTime rtt, RccTime now);

#endif
