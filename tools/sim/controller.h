/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * controller.h - the congestion controllers a simulated sender may have
 */
#ifndef RCC_WORLD_CONTROLLER_H
#define RCC_WORLD_CONTROLLER_H

#include "core/fbra/cnadu.h"
#include "core/fbra/fbra.h"
#include "core/gcc/sender.h"
#include "core/tfrc/tfrc.h"

typedef enum {
  RCC_WORLD_GCC,
  RCC_WORLD_TFRC,
  RCC_WORLD_NONE,                       /* target limits.start_bps, paced at twice that */
  RCC_WORLD_FBRA,
  RCC_WORLD_CNADU,                      /* C-NADU-like */
  RCC_WORLD_RRTCC,                      /* GCC by its profile RCC_GCC_RRTCC */
} RccWorldControllerKind;

extern const char *const rcc_world_controller_names[];  /* in that order; NULL */

typedef struct {
  RccWorldControllerKind kind;
  RccGccConfig gcc;
  RccTfrcConfig tfrc;
  RccFbraConfig fbra;
  RccCnaduConfig cnadu;
} RccWorldControllerConfig;

typedef struct {
  RccWorldControllerKind kind;
  union {                               /* each begins with its handle */
    RccSender sender;
    RccGccSender gcc;
    RccTfrc tfrc;
    RccFbra fbra;
    RccCnadu cnadu;
    struct {
      RccSender sender;
      uint32_t bps;
    } none;
  };
} RccWorldController;

typedef struct {                        /* what all of them can say */
  uint32_t target_bps, pacing_bps;
  bool paces;                           /* else pacing_bps is ours, twice the target */
  uint32_t fec_bps, fec_interval;       /* of the target; media packets to one of parity */
  RccTime burst, drain;                 /* of the pacer below */
  RccTime backlog_from, backlog_over;   /* of the send path; over 0: never */
  uint32_t packet_cost;                 /* bytes the pacer counts a packet for; 0: its size */
  RccTime rtt;                          /* RCC_NEVER: the controller has none of its own */
  uint32_t equation_bps;                /* UINT32_MAX: no limit, or none at all */
  double loss_event_rate;
  double trend, threshold;              /* of an over-use detector; 0: there is none */
  const char *state, *usage;
} RccWorldControllerView;

void rcc_world_controller_init (RccWorldController *c,
    const RccWorldControllerConfig *config, const RccConfig *limits);
RccWorldControllerView rcc_world_controller_view (const RccWorldController *c);

#endif
