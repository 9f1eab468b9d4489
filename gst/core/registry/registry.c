/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/registry/registry.h"

#include <string.h>

#include "core/rows.h"

/* --- none: a constant rate, paced at twice that --------------------------- */

typedef struct {
  RccSender sender;
  uint32_t bps;
} Constant;

static void
constant_init (RccSender *s, const void *config, const RccConfig *limits)
{
  static const RccSenderOps ops = { .name = "none" };

  (void) config;
  *(Constant *) s = (Constant) { .sender.ops = &ops, .bps = limits->start_bps };
}

static RccSenderView
constant_view (const RccSender *s)
{
  const Constant *c = (const Constant *) s;

  return (RccSenderView) {
    .target_bps = c->bps, .pacing_bps = 2 * c->bps, .burst = 5 * RCC_MSEC,
    .rtt = RCC_NEVER, .equation_bps = UINT32_MAX, .state = "fixed", .usage = "",
  };
}

static const RccController constant = {
  .name = "none", .text = "A constant rate, the one to start with", .size = sizeof (Constant),
  .init = constant_init, .view = constant_view,
};

/* --- the rows ------------------------------------------------------------- */

#define ROW(name) &rcc_controller_##name,
static const RccController *const rows[] = { RCC_ROWS (ROW) &constant };
#undef ROW

#define ROWS (sizeof rows / sizeof *rows)

static const RccController *added[RCC_REGISTRY_MAX - ROWS];
static unsigned n_added;

const RccController *
rcc_registry_row (unsigned i)
{
  return i < ROWS ? rows[i] : i < ROWS + n_added ? added[i - ROWS] : NULL;
}

const RccController *
rcc_registry_find (const char *name)
{
  const RccController *row;

  for (unsigned i = 0; (row = rcc_registry_row (i)); i++)
    if (!strcmp (row->name, name))
      return row;
  return NULL;
}

bool
rcc_registry_add (const RccController *row)
{
  if (!row->name || !row->init || !row->view || row->size < sizeof (RccSender)
      || row->config_size > RCC_CONTROLLER_CONFIG || rcc_registry_find (row->name)
      || n_added == RCC_REGISTRY_MAX - ROWS)
    return false;
  added[n_added++] = row;
  return true;
}

void
rcc_registry_names (char *text, size_t size)
{
  const RccController *row;
  size_t used = 0;

  for (unsigned i = 0; size > 0 && (row = rcc_registry_row (i)); i++) {
    const char *parts[] = { i > 0 ? ", " : "", row->name };

    for (int k = 0; k < 2; k++)
      for (const char *c = parts[k]; *c && used + 1 < size; c++)
        text[used++] = *c;
  }
  if (size > 0)
    text[used] = '\0';
}
