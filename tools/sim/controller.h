/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * controller.h - the congestion controller of a simulated sender: any row of the registry
 */
#ifndef RCC_WORLD_CONTROLLER_H
#define RCC_WORLD_CONTROLLER_H

#include "core/registry/registry.h"
#include "sim/probed.h"

typedef struct {
  const RccController *row;
  RccSender *core;                      /* owned, row->size bytes */
  RccWorldProbed *probed;               /* NULL: its increases are not parity first */
  RccSender *sender;                    /* of these, what is told */
} RccWorldController;

/* @config: of row->config_size bytes; @probed: its increases are parity first. */
void rcc_world_controller_init (RccWorldController *c, const RccController *row,
    const void *config, const RccConfig *limits, bool probed, RccTime now);
void rcc_world_controller_clear (RccWorldController *c);
RccSenderView rcc_world_controller_view (const RccWorldController *c);

#endif
