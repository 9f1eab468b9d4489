/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/controller.h"

static void
init_gcc (RccWorldController *c, const RccWorldControllerConfig *config,
    const RccConfig *limits)
{
  rcc_gcc_sender_init (&c->gcc, &config->gcc, limits);
}

static RccWorldControllerView
view_gcc (const RccWorldController *c)
{
  const RccGccSender *g = &c->gcc;

  return (RccWorldControllerView) {
    .target_bps = g->target_bps, .pacing_bps = g->pacing_bps, .paces = true,
    .burst = g->config.burst, .drain = g->config.queue_drain,
    .backlog_from = g->config.backlog_from, .backlog_over = g->config.backlog_over,
    .rtt = RCC_NEVER, .equation_bps = UINT32_MAX,
    .trend = g->delay.trend, .threshold = g->delay.threshold,
    .state = g->delay.state, .usage = g->delay.usage,
  };
}

static void
init_tfrc (RccWorldController *c, const RccWorldControllerConfig *config,
    const RccConfig *limits)
{
  rcc_tfrc_init (&c->tfrc, &config->tfrc, limits);
}

/* RFC 5348 4.6: packets leave s / X_inst apart, whatever their size. */
static RccWorldControllerView
view_tfrc (const RccWorldController *c)
{
  const RccTfrc *t = &c->tfrc;

  return (RccWorldControllerView) {
    .target_bps = t->target_bps, .pacing_bps = t->pacing_bps, .paces = true,
    .packet_cost = (uint32_t) (t->rate.packet_size + 0.5), .rtt = t->rtt,
    .equation_bps = t->equation_bps, .loss_event_rate = t->rate.p,
    .state = t->rate.state, .usage = "",
  };
}

static void
init_none (RccWorldController *c, const RccWorldControllerConfig *config,
    const RccConfig *limits)
{
  static const RccSenderOps ops = { .name = "none" };

  (void) config;
  c->none.sender.ops = &ops;
  c->none.bps = limits->start_bps;
}

static RccWorldControllerView
view_none (const RccWorldController *c)
{
  return (RccWorldControllerView) {
    .target_bps = c->none.bps, .pacing_bps = 2 * c->none.bps, .burst = 5 * RCC_MSEC,
    .rtt = RCC_NEVER, .equation_bps = UINT32_MAX, .state = "fixed", .usage = "",
  };
}

/* Of the FEC family: no word of pacing in its papers. */
static RccWorldControllerView
view_unpaced (uint32_t target_bps, const char *state, const char *reason)
{
  return (RccWorldControllerView) {
    .target_bps = target_bps, .burst = 5 * RCC_MSEC, .rtt = RCC_NEVER,
    .pacing_bps = target_bps > UINT32_MAX / 2 ? UINT32_MAX : 2 * target_bps,
    .equation_bps = UINT32_MAX, .state = state, .usage = reason,
  };
}

static void
init_fbra (RccWorldController *c, const RccWorldControllerConfig *config,
    const RccConfig *limits)
{
  rcc_fbra_init (&c->fbra, &config->fbra, limits);
}

static RccWorldControllerView
view_fbra (const RccWorldController *c)
{
  const RccFbra *f = &c->fbra;
  RccWorldControllerView view = view_unpaced (f->target_bps, f->state_name, f->reason);

  view.fec_bps = f->fec_bps;
  view.fec_interval = f->fec_interval;
  view.trend = f->corr_high;
  view.threshold = f->config.alpha_stay;
  return view;
}

static void
init_cnadu (RccWorldController *c, const RccWorldControllerConfig *config,
    const RccConfig *limits)
{
  rcc_cnadu_init (&c->cnadu, &config->cnadu, limits);
}

static RccWorldControllerView
view_cnadu (const RccWorldController *c)
{
  return view_unpaced (c->cnadu.target_bps, "", c->cnadu.reason);
}

static const struct {
  void (*init) (RccWorldController *c, const RccWorldControllerConfig *config,
      const RccConfig *limits);
  RccWorldControllerView (*view) (const RccWorldController *c);
} kinds[] = {                           /* by RccWorldControllerKind */
  { init_gcc, view_gcc },
  { init_tfrc, view_tfrc },
  { init_none, view_none },
  { init_fbra, view_fbra },
  { init_cnadu, view_cnadu },
  { init_gcc, view_gcc },
};

const char *const rcc_world_controller_names[] = {
  "gcc", "tfrc", "none", "fbra", "cnadu", "rrtcc", NULL
};

void
rcc_world_controller_init (RccWorldController *c, const RccWorldControllerConfig *config,
    const RccConfig *limits)
{
  c->kind = config->kind;
  kinds[c->kind].init (c, config, limits);
}

RccWorldControllerView
rcc_world_controller_view (const RccWorldController *c)
{
  return kinds[c->kind].view (c);
}
