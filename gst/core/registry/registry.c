/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/registry/registry.h"

#include <string.h>

#include "core/fbra/cnadu.h"
#include "core/fbra/fbra.h"
#include "core/gcc/sender.h"
#include "core/tfrc/tfrc.h"

/* --- gcc, rrtcc -------------------------------------------------------------- */

static void
gcc_defaults (void *config)
{
  *(RccGccConfig *) config = rcc_gcc_config (RCC_GCC_DEFAULT);
}

static void
rrtcc_defaults (void *config)
{
  *(RccGccConfig *) config = rcc_gcc_config (RCC_GCC_RRTCC);
}

static void
gcc_init (RccSender *s, const void *config, const RccConfig *limits)
{
  rcc_gcc_sender_init ((RccGccSender *) s, config, limits);
}

static RccSenderView
gcc_view (const RccSender *s)
{
  const RccGccSender *g = (const RccGccSender *) s;

  return (RccSenderView) {
    .target_bps = g->target_bps, .pacing_bps = g->pacing_bps, .paces = true,
    .burst = g->config.burst, .drain = g->config.queue_drain,
    .backlog_from = g->config.backlog_from, .backlog_over = g->config.backlog_over,
    .rtt = RCC_NEVER, .equation_bps = UINT32_MAX,
    .trend = g->delay.trend, .threshold = g->delay.threshold,
    .state = g->delay.state, .usage = g->delay.usage,
  };
}

/* --- fbra, cnadu: no word of pacing in their papers ---------------------------- */

static RccSenderView
view_unpaced (uint32_t target_bps, const char *state, const char *reason)
{
  return (RccSenderView) {
    .target_bps = target_bps, .burst = 5 * RCC_MSEC, .rtt = RCC_NEVER,
    .pacing_bps = target_bps > UINT32_MAX / 2 ? UINT32_MAX : 2 * target_bps,
    .equation_bps = UINT32_MAX, .state = state, .usage = reason,
  };
}

static void
fbra_defaults (void *config)
{
  *(RccFbraConfig *) config = rcc_fbra_config ();
}

static void
fbra_init (RccSender *s, const void *config, const RccConfig *limits)
{
  rcc_fbra_init ((RccFbra *) s, config, limits);
}

static RccSenderView
fbra_view (const RccSender *s)
{
  const RccFbra *f = (const RccFbra *) s;
  RccSenderView view = view_unpaced (f->target_bps, f->state_name, f->reason);

  view.fec_bps = f->fec_bps;
  view.fec_interval = f->fec_interval;
  view.fec_state = f->state;
  view.trend = f->corr_high;
  view.threshold = f->config.alpha_stay;
  return view;
}

static void
cnadu_defaults (void *config)
{
  *(RccCnaduConfig *) config = rcc_cnadu_config ();
}

static void
cnadu_init (RccSender *s, const void *config, const RccConfig *limits)
{
  rcc_cnadu_init ((RccCnadu *) s, config, limits);
}

static RccSenderView
cnadu_view (const RccSender *s)
{
  const RccCnadu *c = (const RccCnadu *) s;

  return view_unpaced (c->target_bps, "", c->reason);
}

/* --- tfrc -------------------------------------------------------------------- */

static void
tfrc_defaults (void *config)
{
  *(RccTfrcConfig *) config = rcc_tfrc_config ();
}

static void
tfrc_init (RccSender *s, const void *config, const RccConfig *limits)
{
  rcc_tfrc_init ((RccTfrc *) s, config, limits);
}

/* RFC 5348 4.6: packets leave s / X_inst apart, whatever their size. */
static RccSenderView
tfrc_view (const RccSender *s)
{
  const RccTfrc *t = (const RccTfrc *) s;

  return (RccSenderView) {
    .target_bps = t->target_bps, .pacing_bps = t->pacing_bps, .paces = true,
    .packet_cost = (uint32_t) (t->rate.packet_size + 0.5), .rtt = t->rtt,
    .equation_bps = t->equation_bps, .loss_event_rate = t->rate.p,
    .state = t->rate.state, .usage = "",
  };
}

/* --- none: a constant rate, paced at twice that -------------------------------- */

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

/* --- the rows ---------------------------------------------------------------- */

#define CORE(Core, Config, word, prefix) .name = word, .size = sizeof (Core), \
  .config_size = sizeof (Config), .defaults = prefix##_defaults

static const RccController rows[] = {
  { CORE (RccGccSender, RccGccConfig, "gcc", gcc), .init = gcc_init, .view = gcc_view,
    .text = "Google Congestion Control, as we know it best",
    .settings = rcc_gcc_settings, .fields = rcc_gcc_sender_fields,
    .feedbacks = { "remb", "tmmbr", "twcc", "ccfb" }, .estimates_at_receiver = true },
  { CORE (RccGccSender, RccGccConfig, "rrtcc", rrtcc), .init = gcc_init, .view = gcc_view,
    .text = "GCC as it was in 2012, a baseline",
    .settings = rcc_gcc_settings, .fields = rcc_gcc_sender_fields,
    .feedbacks = { "tmmbr", "remb" }, .estimates_at_receiver = true,
    .setting = RCC_SETTING_FBRA },
  { CORE (RccFbra, RccFbraConfig, "fbra", fbra), .init = fbra_init, .view = fbra_view,
    .text = "FEC-based rate adaptation: probes with parity",
    .settings = rcc_fbra_settings, .fields = rcc_fbra_fields,
    .feedbacks = { "xr", "ccfb", "twcc" }, .parity = true, .setting = RCC_SETTING_FBRA },
  { CORE (RccCnadu, RccCnaduConfig, "cnadu", cnadu), .init = cnadu_init, .view = cnadu_view,
    .text = "C-NADU-like, a baseline that goes by round trips",
    .settings = rcc_cnadu_settings, .fields = rcc_cnadu_fields,
    .feedbacks = { "xr", "ccfb", "twcc" }, .setting = RCC_SETTING_FBRA },
  { CORE (RccTfrc, RccTfrcConfig, "tfrc", tfrc), .init = tfrc_init, .view = tfrc_view,
    .text = "TCP Friendly Rate Control (RFC 5348)",
    .settings = rcc_tfrc_settings, .fields = rcc_tfrc_fields, .feedbacks = { "ccfb", "twcc" } },
  /* a new core: its row here */
  { .name = "none", .text = "A constant rate, the one to start with", .size = sizeof (Constant),
    .init = constant_init, .view = constant_view },
};

#define ROWS (sizeof rows / sizeof *rows)

static const RccController *added[RCC_REGISTRY_MAX - ROWS];
static unsigned n_added;

const RccController *
rcc_registry_row (unsigned i)
{
  return i < ROWS ? &rows[i] : i < ROWS + n_added ? added[i - ROWS] : NULL;
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
      || row->config_size > RCC_REGISTRY_CONFIG || rcc_registry_find (row->name)
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
