/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * breaker/ceiling.h - what a stream is asked for while congestion nears (RFC 8083 4.5)
 *
 * A controller may take loss for random, and rightly keep its rate. On a long path that is more
 * than ten times what TCP would send, and the breaker would stop the call. Its encoder is asked for
 * less before that.
 */
#ifndef RCC_BREAKER_CEILING_H
#define RCC_BREAKER_CEILING_H

#include "core/breaker/congestion.h"

#define RCC_BREAKER_NO_CEILING UINT32_MAX

typedef struct {
  uint32_t bps;                         /* RCC_BREAKER_NO_CEILING: it is asked for nothing */
  double before_bps;                    /* what it sent when that began */
  uint64_t judged;                      /* intervals there were when it was asked last */
} RccBreakerCeiling;

void rcc_breaker_ceiling_init (RccBreakerCeiling *ceiling);
/* A report came that did not open the breaker.  True: the ceiling is another one. */
bool rcc_breaker_ceiling_report (RccBreakerCeiling *ceiling, const RccBreakerCongestion *c,
    const RccBreakerConfig *config, uint32_t cb_interval, double packet_size);

#endif
