/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * controller.h - the congestion controller of a simulated sender: any row of the registry
 */
#ifndef RCC_WORLD_CONTROLLER_H
#define RCC_WORLD_CONTROLLER_H

#include "core/registry/registry.h"

typedef struct {
  const RccController *row;
  RccSender *sender;                    /* owned, row->size bytes */
} RccWorldController;

/* @config: of row->config_size bytes. */
void rcc_world_controller_init (RccWorldController *c, const RccController *row,
    const void *config, const RccConfig *limits);
void rcc_world_controller_clear (RccWorldController *c);
RccSenderView rcc_world_controller_view (const RccWorldController *c);

#endif
