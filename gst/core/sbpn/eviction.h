/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn/eviction.h - who gives way when the scheduler's queue is full: see RccSbpnConfig
 */
#ifndef RCC_SBPN_EVICTION_H
#define RCC_SBPN_EVICTION_H

#include "core/sbpn/queue.h"
#include "core/sbpn/settings.h"

/* The entry that has to go and why; RCC_SBPN_NONE: all limits hold.  What expires before
 * @deadline is expired at @now. */
uint32_t rcc_sbpn_victim (const RccSbpnQueue *q, const RccSbpnConfig *config, RccTime now,
    RccTime deadline, RccSbpnCause *cause);

#endif
