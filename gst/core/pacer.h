/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pacer.h - when the next packet may leave
 *
 * Packets leave in groups every @burst (5 ms, ANRW'16 3); what a group sent too
 * much is owed, what it sent too little is not kept, so the rate holds over any
 * span longer than one packet.  The owner keeps the packets; the pacer only counts
 * them, says when, and says which are too many for the queue's time limit.
 *
 * A probe cluster lets packets leave at its own rate once media is queued, filled
 * up with padding; what it sent is owed like everything else, so the mean holds, but
 * never more than 100 ms of the rate: media behind a probe is not held back for long.
 */
#ifndef RCC_PACER_H
#define RCC_PACER_H

#include "core/rcc.h"

#define RCC_PACER_PROBE_PACKETS 6       /* least packets of a cluster */

typedef enum {
  RCC_PACER_WAIT,                       /* until @when */
  RCC_PACER_MEDIA,                      /* send the oldest queued packet */
  RCC_PACER_PADDING,                    /* send a padding packet of @probe_id */
} RccPacerVerdict;

typedef struct {
  uint32_t bps;                         /* 0: nothing leaves */
  RccTime burst, max_queue;
  double budget;                        /* of one group, bits */
  double debt;                          /* bits */
  RccTime updated, group_start;
  bool group_full;
  uint64_t queued_bytes, queued_packets;
  /* probe cluster: pending until media is queued, then running */
  uint32_t probe_id;                    /* 0: none */
  uint32_t probe_bps, probe_bytes;
  RccTime probe_start;                  /* RCC_NEVER: pending */
  uint64_t probe_sent_bytes;
  unsigned probe_sent_packets;
} RccPacer;

/* @max_queue: how long what is queued may take to leave at the present rate. */
void rcc_pacer_init (RccPacer *p, uint32_t bps, RccTime burst, RccTime max_queue,
    RccTime now);
void rcc_pacer_set_rate (RccPacer *p, uint32_t bps, RccTime now);
void rcc_pacer_probe (RccPacer *p, uint32_t bps, uint32_t bytes, uint32_t id);

void rcc_pacer_queued (RccPacer *p, uint32_t size);
/* A queued packet left the queue without being sent (dropped, flushed). */
void rcc_pacer_removed (RccPacer *p, uint32_t size);
/* Whether the oldest packet has to be dropped so that the rest leaves within
 * max_queue.  The last packet is never too much. */
bool rcc_pacer_over (const RccPacer *p);

RccPacerVerdict rcc_pacer_next (RccPacer *p, RccTime now, RccTime *when);
/* What rcc_pacer_next() asked for was sent; returns the cluster it belongs to
 * (0: none). */
uint32_t rcc_pacer_sent (RccPacer *p, uint32_t size, bool padding, RccTime now);

/* How long what is queued takes at the present rate. */
RccTime rcc_pacer_queue_time (const RccPacer *p);

#endif
