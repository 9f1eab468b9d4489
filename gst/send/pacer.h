/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pacer.h - when the next packet may leave
 *
 * Packets leave in groups every @burst (5 ms, ANRW'16 3).  What a group sent too much is
 * owed.  The owner keeps the packets; the pacer counts them and says when.
 *
 * A pacer that is woken late makes up for it. While packets wait, time that has passed without a
 * group is credit, RCC_PACER_CREDIT of the rate at most. A group pays out what the time since the
 * last one is worth. While there is credit left it pays a quarter more. It never pays more than
 * RCC_PACER_GROUP of the rate. So a clock that is late by 35 ms each time costs no rate. A stall
 * of 300 ms is made up for in a second, not at once. A clock that is never late sees no
 * difference: then there is no credit. Time without packets is no credit either, unless the owner
 * sets ->idle_credit. Then all of it is, at the present rate, and is spent at once. So had it the
 * CCID3 of Linux 2.6.20, whose next send time moves on from the last one and not from now.
 *
 * A probe cluster lets packets leave at its own rate, filled up with padding. It begins once a
 * packet waits and padding may join it at once, or enough waits for all of it. One that starves
 * says nothing. What it sent is owed like everything else, so the mean holds. But never more than
 * 100 ms of the rate is: media behind a probe is not held back for long.
 */
#ifndef RCC_SEND_PACER_H
#define RCC_SEND_PACER_H

#include "core/rcc.h"

#define RCC_PACER_PROBE_PACKETS 6       /* least packets of a cluster */
#define RCC_PACER_CREDIT (250 * RCC_MSEC)
#define RCC_PACER_GROUP (40 * RCC_MSEC)

typedef enum {
  RCC_PACER_WAIT,                       /* until @when */
  RCC_PACER_MEDIA,                      /* send a queued packet */
  RCC_PACER_PADDING,                    /* send a padding packet of @probe_id */
} RccPacerVerdict;

typedef struct {
  uint32_t bps;                         /* 0: nothing leaves */
  uint32_t drain_bps;
  RccTime burst;
  double budget;                        /* of one group, bits */
  double debt;                          /* bits; below 0: credit */
  RccTime updated, group_start;
  double group_bits, group_max;         /* sent in this group, and what it may send */
  bool group_full;
  bool idle_credit;                     /* the owner's */
  uint32_t last_size;                   /* of the packet sent last */
  uint64_t queued_bytes, queued_packets;
  /* probe cluster: pending while it would starve, then running */
  uint32_t probe_id;                    /* 0: none */
  uint32_t probe_bps, probe_bytes;
  RccTime probe_start;                  /* RCC_NEVER: pending */
  bool may_pad;                         /* the owner's: padding could leave now */
  uint64_t probe_sent_bytes;
  unsigned probe_sent_packets;
} RccPacer;

void rcc_pacer_init (RccPacer *p, uint32_t bps, RccTime burst, RccTime now);
void rcc_pacer_set_rate (RccPacer *p, uint32_t bps, RccTime now);
/* A long queue leaves at @bps, where that is higher. */
void rcc_pacer_drain (RccPacer *p, uint32_t bps, RccTime now);
void rcc_pacer_probe (RccPacer *p, uint32_t bps, uint32_t bytes, uint32_t id);

void rcc_pacer_queued (RccPacer *p, uint32_t size, RccTime now);
/* A queued packet left the queue without being sent (dropped, flushed). */
void rcc_pacer_removed (RccPacer *p, uint32_t size);

RccPacerVerdict rcc_pacer_next (RccPacer *p, RccTime now, RccTime *when);
/* @size bytes of what rcc_pacer_next() asked for were sent; returns the cluster they belong
 * to (0: none).  What was queued is to be removed, too. */
uint32_t rcc_pacer_sent (RccPacer *p, uint32_t size, RccTime now);

/* How long what is queued takes at the present rate. */
RccTime rcc_pacer_queue_time (const RccPacer *p);

#endif
