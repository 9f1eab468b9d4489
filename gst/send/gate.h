/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * gate.h - the circuit breaker's place in the send path (RFC 8083). What comes by passes, or is
 * dropped because its stream is stopped.
 *
 * It stands behind whatever paces.  It reads what leaves and what comes in, and changes
 * neither.
 */
#ifndef RCC_SEND_GATE_H
#define RCC_SEND_GATE_H

#include "core/breaker/breaker.h"
#include "core/stats.h"
#include "wire/reports.h"

typedef struct {
  RccBreaker breaker;
  RccReports reports;
  bool enforce;                         /* what may not pass is dropped */
  uint64_t packets_dropped, bytes_dropped, malformed;
} RccGate;

extern const RccField rcc_gate_fields[];

/* To be started. */
void rcc_gate_init (RccGate *g, RccResize resize);
/* Gives its memory back. */
void rcc_gate_clear (RccGate *g);
/* As if nothing had been sent or heard; @enforce stays.  @held > 0: what is open stays so, for
 * that long at least. */
void rcc_gate_start (RccGate *g, const RccBreakerConfig *config, RccTime held, RccTime now);

/* A packet of @size bytes comes by, its clock at @clock_rate in Hz (0: unknown): whether it
 * leaves.  One that does not is counted.  @update: what there was, and what the breaker says. */
bool rcc_gate_rtp (RccGate *g, const RccRtp *rtp, uint32_t size, uint32_t clock_rate,
    RccTime now, RccUpdate *update);
/* A compound comes in; @ntp_middle: now, as the middle of an NTP timestamp. */
RccUpdate rcc_gate_rtcp (RccGate *g, RccBytes compound, uint32_t ntp_middle, RccTime now);
/* A compound of ours goes out. */
void rcc_gate_rtcp_sent (RccGate *g, RccBytes compound, RccTime now);

/* What is known of one stream; NULL: it has sent nothing. */
const RccBreakerStream *rcc_gate_stream (const RccGate *g, uint32_t ssrc);
/* What @stream may send, bit/s: 0 while stopped, UINT32_MAX while nothing limits it. */
uint32_t rcc_gate_allows (const RccGate *g, const RccBreakerStream *stream);
/* Whether every stream is stopped. */
bool rcc_gate_is_shut (const RccGate *g);

#endif
