/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrc/receiver.h - the data receiver of RFC 5348 section 6
 *
 * Told of packets as they arrive, it says how fast they come and how often they are lost. It may
 * stand at the receiver, or at the sender (section 7) where feedback per packet says what arrived
 * when. All its times are the receiver's clock, but for @sent, which is only echoed.
 */
#ifndef RCC_TFRC_RECEIVER_H
#define RCC_TFRC_RECEIVER_H

#include "core/tfrc/loss.h"

#define RCC_TFRC_MARKS 8

typedef struct {                        /* 3.2.1: a data packet */
  int64_t seq;                          /* unwrapped, one more per packet sent */
  uint32_t size;                        /* bytes: what s counts */
  bool marked;                          /* CE */
  RccTime sent;                         /* its timestamp, sender's clock */
  RccTime arrived;
  RccTime rtt;                          /* R_i, the sender's estimate; 0: has none yet */
} RccTfrcData;

typedef struct {                        /* 3.2.2: a feedback packet */
  RccTime recvdata;                     /* @sent of the last packet received */
  RccTime delay;                        /* t_delay: since it came */
  double x_recv;                        /* bytes/s; 0: not known yet */
  double p;                             /* 0..1 */
  RccTime span;                         /* what x_recv was measured over */
  bool new_loss;                        /* an event began since the last one */
} RccTfrcFeedback;

typedef struct {
  RccTfrcLoss loss;
  RccTfrcData last;                     /* the newest arrival */
  uint64_t bytes, packets;              /* so far */
  struct {
    RccTime at;
    uint64_t bytes;                     /* received by then */
  } marks[RCC_TFRC_MARKS];              /* expiries of the feedback timer, newest first */
  unsigned n_marks;
  RccTime due;                          /* the feedback timer; RCC_NEVER: no data yet */
  double x_recv, x_recv_max;            /* bytes/s */
  double p;                             /* as last reported */
  double packet_size;                   /* mean, bytes */
  uint64_t reported_packets, reported_events;
} RccTfrcReceiver;

void rcc_tfrc_receiver_init (RccTfrcReceiver *r, bool discounting);

/* 6.1. Returns whether feedback should go out at once. That is for the first packet, a new loss
 * event, or after the timer has expired without data. */
bool rcc_tfrc_receiver_data (RccTfrcReceiver *r, const RccTfrcData *data);

/* 6.2, at r->due or when rcc_tfrc_receiver_data() asks for it.  False: nothing came since
 * the last feedback, so none is sent; the timer is restarted either way. */
bool rcc_tfrc_receiver_feedback (RccTfrcReceiver *r, RccTime now,
    RccTfrcFeedback *feedback);

#endif
