/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/protection.h - parity outside probes, which protects the media all the time
 *
 * It is paid for out of the controller's target: what is left of that is the media's. A
 * controller that sends parity of its own, to probe, has its way for as long: this parity rests
 * then. To the controller this parity is load as the media is, and has no RCC_PACKET_PARITY in
 * what it is told. Its rate is what it has said, not a part of it. Not in the paper, whose parity
 * is that of probes alone.
 */
#ifndef RCC_PROTECTION_H
#define RCC_PROTECTION_H

#include "core/rcc.h"

typedef struct {
  uint32_t every;                       /* media packets to one of parity; 0: none */
  uint32_t depth;                       /* blocks that lie between one another; 1: none do */
} RccProtection;

/* @own: the controller's fec_interval. */
static inline bool
rcc_protection_rests (const RccProtection *p, uint32_t own)
{
  return own > 0 || p->every == 0;
}

/* How many media packets one parity packet protects now; 0: there is no parity. */
static inline uint32_t
rcc_protection_interval (const RccProtection *p, uint32_t own)
{
  return own > 0 ? own : p->every;
}

/* A probe's parity does not wait for other blocks: it has to be in the next report. */
static inline uint32_t
rcc_protection_depth (const RccProtection *p, uint32_t own)
{
  return rcc_protection_rests (p, own) ? 1 : p->depth;
}

/* Parity's share of @target_bps, of which the controller's own is @fec_bps. */
static inline uint32_t
rcc_protection_bps (const RccProtection *p, uint32_t own, uint32_t target_bps,
    uint32_t fec_bps)
{
  if (rcc_protection_rests (p, own))
    return fec_bps;
  return target_bps - (uint32_t) ((uint64_t) target_bps * p->every / (p->every + 1));
}

#endif
