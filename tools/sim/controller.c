/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/controller.h"

#include <stdlib.h>

void
rcc_world_controller_init (RccWorldController *c, const RccController *row,
    const void *config, const RccConfig *limits)
{
  c->row = row;
  c->sender = calloc (1, row->size);
  row->init (c->sender, config, limits);
}

void
rcc_world_controller_clear (RccWorldController *c)
{
  free (c->sender);
  c->sender = NULL;
}

RccSenderView
rcc_world_controller_view (const RccWorldController *c)
{
  return c->row->view (c->sender);
}
