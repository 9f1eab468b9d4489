/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fbra/state.h - FBRA's four states: from one report's cues to what to do
 *
 * Sub-algorithms 1a-1d of the paper, as a function without memory.
 */
#ifndef RCC_FBRA_STATE_H
#define RCC_FBRA_STATE_H

#include "core/fbra/config.h"

typedef enum { RCC_FBRA_DOWN, RCC_FBRA_STAY, RCC_FBRA_PROBE, RCC_FBRA_UP } RccFbraState;

typedef struct {                        /* one report */
  uint32_t losses, discards;            /* packets, before repair */
  uint32_t recent_losses, recent_discards;      /* in the later part of its range */
  double corr_low, corr_high;           /* owd / p_low, owd / p_high */
  bool high_before;                     /* corr_high > alpha_stay in the report before */
  bool alarm;                           /* too much above p_high to wait for a second */
  bool unproved;                        /* the probe has shown too little to pass */
  const char *hold;                     /* why not to probe now; NULL: nothing against it */
} RccFbraCues;

typedef enum {
  RCC_FBRA_FEC_KEEP,
  RCC_FBRA_FEC_OFF,
  RCC_FBRA_FEC_ON,                      /* choose N */
  RCC_FBRA_FEC_LESS,                    /* N + 1 */
  RCC_FBRA_FEC_SWAP,                    /* the parity's rate becomes media, parity off */
} RccFbraFecStep;

typedef struct {
  RccFbraState state;                   /* the next one */
  bool undershoot, deactivate;
  RccFbraFecStep fec;
  const char *reason;
} RccFbraStep;

RccFbraStep rcc_fbra_step (const RccFbraConfig *config, RccFbraState state,
    const RccFbraCues *cues);

/* The first report after a deactivation: false where it still shows congestion. */
bool rcc_fbra_calm (const RccFbraConfig *config, const RccFbraCues *cues);

/* "DOWN", "STAY", "PROBE", "UP" */
const char *rcc_fbra_state_name (RccFbraState state);

#endif
