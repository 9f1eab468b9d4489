/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * delivery.h - what became of each stream's packets, and whether they came in time
 *
 * For each stream, of the packets created in [from, to), however late they arrive.  At any
 * moment
 *   offered = sent + dropped (by cause) + stopped + still queued, sent >= received.
 *
 * And of all media packets, however early, what was lost, unsent and late, in the words of
 * core/losses.h. Unsent are those that were dropped or stopped. Each packet counts in the bin of
 * time in which it came to the send path (offered, unsent) or left it (left, lost, late). That is
 * so whenever its outcome is known. What is still on its way is not lost.
 */
#ifndef RCC_WORLD_DELIVERY_H
#define RCC_WORLD_DELIVERY_H

#include "core/losses.h"
#include "core/sbpn/sbpn.h"
#include "sim/packet.h"

typedef struct {
  uint64_t offered;                     /* by the source */
  uint64_t dropped[RCC_SBPN_CAUSES];    /* by the sender's queue; the FIFO: old */
  uint64_t stopped;                     /* by the circuit breaker */
  uint64_t sent, sent_expired;          /* among sent: too late as far as the sender knew */
  uint64_t received, on_time;           /* by created + expiry */
  double queue_time;                    /* sum over those sent, ns */
  RccTime queue_time_max;
} RccStreamCount;

typedef struct {
  RccTime from, to;
  RccTime expiry[RCC_WORLD_STREAMS];    /* after creation; RCC_NEVER: never late */
  RccTime latest;                       /* and after departure, for losses; 0: likewise */
  RccStreamCount streams[RCC_WORLD_STREAMS];
  RccLosses *bins;                      /* the owner's; NULL: nobody wants them */
  size_t bin;                           /* the one under way */
} RccDeliveryStats;

extern const char *const rcc_world_stream_names[];      /* audio video; NULL */

void rcc_delivery_offered (RccDeliveryStats *l, RccDatagram *d);
void rcc_delivery_dropped (RccDeliveryStats *l, const RccDatagram *d, RccSbpnCause cause);
void rcc_delivery_stopped (RccDeliveryStats *l, const RccDatagram *d);
void rcc_delivery_sent (RccDeliveryStats *l, RccDatagram *d, bool expired, RccTime now);
void rcc_delivery_lost (RccDeliveryStats *l, const RccDatagram *d);
void rcc_delivery_received (RccDeliveryStats *l, const RccDatagram *d, RccTime now);

/* When @d is of no more use, as its sender sees it. */
RccTime rcc_delivery_expiry (const RccDeliveryStats *l, const RccDatagram *d);
/* 0..1 of what was offered. */
double rcc_stream_on_time (const RccStreamCount *c);
double rcc_stream_received (const RccStreamCount *c);

#endif
