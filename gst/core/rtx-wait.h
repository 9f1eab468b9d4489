/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtx-wait.h - how long a receiver waits for packets that it has asked for again
 *
 * A copy (RFC 4588) comes a round trip after it was asked for.  A receiver that waits for less
 * asks in vain, and each loss breaks a picture.  One that always waits for the longest path makes
 * every call slow.  So the wait follows the round trip of the copies, between two limits.
 * libwebrtc adds one round trip to its playout delay for 60 s after retransmissions
 * (JitterEstimator).  Ours goes up in steps of 50 ms, as each change can be seen and heard.
 * It follows the median of the last copies, from the second on. One that is asked for in the
 * first second of a call, or twice, takes many round trips.
 *
 * Copies that are late count, too: rtpjitterbuffer's own rtx-rtt leaves them out, and so says
 * nothing where all are late.
 */
#ifndef RCC_RTX_WAIT_H
#define RCC_RTX_WAIT_H

#include "core/rcc.h"

/* For so long, ns, the longest need counts, and for up to twice as long. */
#define RCC_RTX_WAIT_SPAN (30 * RCC_SEC)
#define RCC_RTX_WAIT_STEP (50 * RCC_MSEC)
#define RCC_RTX_WAIT_ASKED 64           /* requests that are remembered */
#define RCC_RTX_WAIT_COPIES 8           /* of which the median counts */

typedef struct {
  RccTime least, most;                  /* ns; least wins over most */
  struct {
    uint16_t seq;
    RccTime at;                         /* the first time; RCC_NEVER: nothing is here */
  } asked[RCC_RTX_WAIT_ASKED];
  uint32_t next;                        /* of these, to be written */
  RccTime last_asked;                   /* RCC_NEVER: nothing was */
  RccTime took[RCC_RTX_WAIT_COPIES];    /* from a request to its copy, ns: the last ones */
  uint32_t copies;                      /* so many came */
  RccTime rtt;                          /* the smaller median of these, ns; 0: there are not two */
  RccTime needs[2], span_end;           /* the longest in this span and the one before; 0: none */
} RccRtxWait;

/* Ns after a packet should have come, at which its copy is there: half a round trip goes to find
 * the gap and to queues. @rtt: from a request to its copy, ns. */
static inline RccTime
rcc_rtx_time (RccTime rtt)
{
  return rtt > RCC_NEVER - rtt / 2 ? RCC_NEVER : rtt + rtt / 2;
}

/* @least, @most: the limits of the wait, ns. Where @most is not above @least it is always that. */
void rcc_rtx_wait_init (RccRtxWait *w, RccTime least, RccTime most);
/* New limits; what is known stays. */
void rcc_rtx_wait_limit (RccRtxWait *w, RccTime least, RccTime most);
/* Packet @seq was asked for, maybe not for the first time. */
void rcc_rtx_wait_ask (RccRtxWait *w, uint16_t seq, RccTime now);
/* A copy of packet @seq came; one that nobody has asked for says nothing. */
void rcc_rtx_wait_copy (RccRtxWait *w, uint16_t seq, RccTime now);
/* Packet @seq came: maybe a copy in the stream itself, maybe out of order, and asked for in vain.
 * So what the least wait is long enough for does not count. */
void rcc_rtx_wait_packet (RccRtxWait *w, uint16_t seq, RccTime now);
/* How long to wait from now on, ns.  Of all four, @now is never less than before. */
RccTime rcc_rtx_wait (RccRtxWait *w, RccTime now);

#endif
