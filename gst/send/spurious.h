/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spurious.h - whether a receiver asks for packets that the network has not lost
 *
 * rtpjitterbuffer asks for a packet when it is due (rtx-next-seqnum, its default). Video is not
 * spaced so evenly, and each such request costs a packet. Receiver reports tell: one that comes
 * behind a request has counted the loss that it is about. When a request comes tells nothing.
 * Measured with 3 % loss, and with none, it is from 60 to 160 ms after the packet left. That is
 * for a round trip of 110, spurious or not.
 */
#ifndef RCC_SEND_SPURIOUS_H
#define RCC_SEND_SPURIOUS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {                        /* of one stream; all 0: nothing is known */
  double asked;                         /* packets asked for; what is older counts less */
  double lost;                          /* as reported, likewise */
  bool likely;                          /* most requests are of that kind */
  bool alone;                           /* nearly all are: next to nothing is lost */
} RccSpurious;

/* A packet of the stream is asked for, for the first time. */
static inline void
rcc_spurious_asked (RccSpurious *s)
{
  s->asked += 1.0;
}

/* A report says that @newly_lost more are lost.  RCC_LOST_UNKNOWN: it does not say, and what
 * was asked for before it counts no more. */
void rcc_spurious_report (RccSpurious *s, int64_t newly_lost);

#endif
