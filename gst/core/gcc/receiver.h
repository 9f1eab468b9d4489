/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gcc/receiver.h - the receiver's half of GCC: the estimate A_r and when to send it
 */
#ifndef RCC_GCC_RECEIVER_H
#define RCC_GCC_RECEIVER_H

#include "core/gcc/delay.h"
#include "core/gcc/probe-bitrate.h"

typedef struct {
  RccGccDelay delay;                    /* first: its field table is ours too */
  RccGccConfig config;
  RccConfig limits;
  RccProbeFinder trains;
  RccTime train_at;                     /* the last one; RCC_NEVER: none */
  RccTime deferred_at;                  /* the last of those that is believed */
  uint64_t missing;                     /* packets, as last said */
  uint32_t came;                        /* since; .delay has not been told of them */
  uint32_t behind;                      /* a loss: so many are told of one by one */
  bool valid;                           /* there is an estimate to speak of */
  uint32_t bps;                         /* A_r within the limits */
  /* feedback */
  uint32_t reported_bps;                /* last sent; 0: never */
  RccTime reported, allowed;            /* when; and when the next may go */
  RccTime first, heard;                 /* packets; RCC_NEVER: none */
  bool more;                            /* it had not room for all there was to say */
  uint64_t reported_packets;            /* received when feedback was last sent */
  double rtcp_share;                    /* of the session bandwidth: 0.05 */
  uint64_t packets, bytes, feedbacks, early;
} RccGccReceiver;

extern const RccField rcc_gcc_receiver_fields[];

void rcc_gcc_receiver_init (RccGccReceiver *r, const RccGccConfig *config,
    const RccConfig *limits);
void rcc_gcc_receiver_limits (RccGccReceiver *r, const RccConfig *limits);

/* @send: unwrapped ns on the sender's clock, RCC_NEVER when the packet does not
 * say; @arrival is also "now". */
void rcc_gcc_receiver_packet (RccGccReceiver *r, RccTime send, RccTime arrival,
    uint32_t size);

/* So many packets are missing in all; less than the last time: some have come.  Said before each
 * packet, or never.  A loss counts at once, and so do three packets behind it, which give it up
 * (RFC 5348 5.1).  What else comes counts sixteen at a time. */
void rcc_gcc_receiver_missing (RccGccReceiver *r, uint64_t missing);

/* When feedback should go, never beyond the RTCP share of the bandwidth (RFC 3550
 * 6.2).  The estimate: at once when it fell below 97 % of what was last told (or,
 * with trains, rose above 103 %), else every feedback interval until the stream has
 * been silent for 2 s; RCC_NEVER while there is none.  Arrivals (config.arrivals):
 * every feedback interval in which a packet came, and at once what is left over. */
RccTime rcc_gcc_receiver_deadline (const RccGccReceiver *r);

/* How many packets of a stream the next report tells of again. */
unsigned rcc_gcc_receiver_repeat (RccGccReceiver *r, RccTime now);

/* Feedback went out in an RTCP packet of @size bytes with UDP/IP headers; @more: there was not
 * room for all arrivals. */
void rcc_gcc_receiver_reported (RccGccReceiver *r, uint32_t size, bool more, RccTime now);

#endif
