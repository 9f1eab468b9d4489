/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuse.h - the circuit breaker of a simulated sender: what rtpcircuitbreaker is in a
 * pipeline, behind the controller and its pacer, on the bytes that leave and come in
 */
#ifndef RCC_WORLD_FUSE_H
#define RCC_WORLD_FUSE_H

#include "core/breaker.h"
#include "wire/reports.h"

typedef struct {
  RccBreaker breaker;
  RccReports reports;
  uint64_t packets_dropped, bytes_dropped;
} RccWorldFuse;

void rcc_world_fuse_init (RccWorldFuse *f, const RccBreakerConfig *config, RccTime now);
/* RTP comes by, @clock_rate in Hz: whether it leaves.  What does not is counted. */
bool rcc_world_fuse_rtp (RccWorldFuse *f, const RccRtp *rtp, uint32_t size,
    uint32_t clock_rate, RccTime now);
/* A compound that came in. */
RccUpdate rcc_world_fuse_rtcp (RccWorldFuse *f, RccBytes compound, RccTime now);
/* A compound of ours goes out. */
void rcc_world_fuse_rtcp_sent (RccWorldFuse *f, RccBytes compound, RccTime now);

/* What is known of one stream; NULL: nothing, it has sent nothing. */
const RccBreakerStream *rcc_world_fuse_stream (const RccWorldFuse *f, uint32_t ssrc);
/* What the breaker lets @ssrc send, bit/s: 0 while open, UINT32_MAX while closed. */
uint32_t rcc_world_fuse_allows (const RccWorldFuse *f, uint32_t ssrc);

#endif
