/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/controller.h"

#include <stdlib.h>

void
rcc_world_controller_init (RccWorldController *c, const RccController *row,
    const void *config, const RccConfig *limits, bool probed, RccTime now)
{
  c->row = row;
  c->core = c->sender = calloc (1, row->size);
  row->init (c->core, config, limits);
  if (!probed)
    return;
  c->probed = calloc (1, sizeof *c->probed);
  rcc_world_probed_init (c->probed, row, c->core, limits, now);
  c->sender = &c->probed->sender;
}

void
rcc_world_controller_clear (RccWorldController *c)
{
  free (c->core);
  free (c->probed);
  *c = (RccWorldController) { 0 };
}

RccSenderView
rcc_world_controller_view (const RccWorldController *c)
{
  return c->probed ? rcc_world_probed_view (c->probed) : c->row->view (c->core);
}
