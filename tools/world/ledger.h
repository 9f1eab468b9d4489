/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ledger.h - what became of each stream's packets, and whether they came in time
 *
 * Of the packets created in [from, to), however late they arrive.  At any moment
 *   offered = sent + dropped (by cause) + withheld + still queued, sent >= received.
 */
#ifndef RCC_WORLD_LEDGER_H
#define RCC_WORLD_LEDGER_H

#include "core/sbpn.h"
#include "world/packet.h"

typedef struct {
  uint64_t offered;                     /* by the source */
  uint64_t dropped[RCC_SBPN_CAUSES];    /* by the sender's queue; the FIFO: old */
  uint64_t withheld;                    /* by the circuit breaker */
  uint64_t sent, sent_expired;          /* among sent: too late as far as the sender knew */
  uint64_t received, on_time;           /* by created + expiry */
  double queue_time;                    /* sum over those sent, ns */
  RccTime queue_time_max;
} RccStreamCount;

typedef struct {
  RccTime from, to;
  RccTime expiry[RCC_WORLD_STREAMS];    /* after creation; RCC_NEVER: never late */
  RccStreamCount streams[RCC_WORLD_STREAMS];
} RccLedger;

extern const char *const rcc_world_stream_names[];      /* audio video; NULL */

void rcc_ledger_offered (RccLedger *l, const RccDatagram *d);
void rcc_ledger_dropped (RccLedger *l, const RccDatagram *d, RccSbpnCause cause);
void rcc_ledger_withheld (RccLedger *l, const RccDatagram *d);
void rcc_ledger_sent (RccLedger *l, const RccDatagram *d, bool expired, RccTime now);
void rcc_ledger_received (RccLedger *l, const RccDatagram *d, RccTime now);

/* When @d is of no more use. */
RccTime rcc_ledger_expiry (const RccLedger *l, const RccDatagram *d);
/* 0..1 of what was offered. */
double rcc_stream_on_time (const RccStreamCount *c);
double rcc_stream_received (const RccStreamCount *c);

#endif
