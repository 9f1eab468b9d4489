/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/protection-choice.h - how much parity a stream needs where packets keep being lost
 *
 * A packet that is sent again (RFC 4588) costs its own size, and parity costs its share all the
 * time.  So there is parity only while losses persist and a retransmission comes too late.
 * Ours; compare RFC 8854 section 8 on the adaptive use of FEC.
 */
#ifndef RCC_PROTECTION_CHOICE_H
#define RCC_PROTECTION_CHOICE_H

#include "core/rcc.h"

typedef struct {
  RccTime latency;                      /* ns that the receiver waits for a packet; 0: nothing is
                                         * sent again */
  double on, off;                       /* parity begins above that share lost, and ends below
                                         * this one, 0..1 */
  RccTime span;                         /* ns over which losses are averaged */
  RccTime least;                        /* ns that losses persist before parity begins */
} RccProtectionChoiceConfig;

typedef struct {
  RccProtectionChoiceConfig config;
  bool any;
  double loss;                          /* the average, 0..1 */
  RccTime updated, above;               /* above: since when there is cause; RCC_NEVER: none */
  uint32_t every;                       /* media packets to one of parity; 0: no parity */
} RccProtectionChoice;

RccProtectionChoiceConfig rcc_protection_choice_config (void);
void rcc_protection_choice_init (RccProtectionChoice *c, const RccProtectionChoiceConfig *config);

/* What a report says is lost, 0..1, and the round trip, ns (RCC_NEVER: not known, taken as
 * short).  Media packets to one of parity, 3 to 10; 0: none. */
uint32_t rcc_protection_choose (RccProtectionChoice *c, double loss, RccTime rtt, RccTime now);

#endif
