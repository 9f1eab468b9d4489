/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef RCC_FUZZ_LIFE_H
#define RCC_FUZZ_LIFE_H

#include <stdint.h>

enum { RCC_LIFE_SENT, RCC_LIFE_OUTCOMES, RCC_LIFE_REPORTED, RCC_LIFE_LIMITED, RCC_LIFE_FEEDBACK,
  RCC_LIFE_EVENTS };

/* How often each came to pass: a run that tells controllers nothing shows nothing. */
extern uint64_t rcc_life_events[RCC_LIFE_EVENTS];

#endif
