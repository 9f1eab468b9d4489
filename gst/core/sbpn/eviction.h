/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sbpn/eviction.h - who gives way when the scheduler's queue is full: see RccSbpnConfig
 */
#ifndef RCC_SBPN_EVICTION_H
#define RCC_SBPN_EVICTION_H

#include "core/sbpn/sbpn.h"

/* The entry that has to go and why; RCC_SBPN_NONE: all limits hold. */
uint32_t rcc_sbpn_victim (const RccSbpn *q, RccTime now, RccSbpnCause *cause);

#endif
