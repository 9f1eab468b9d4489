/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/rows.h"

#include "core/fbra/cnadu.h"
#include "core/fbra/fbra.h"

/* Neither paper has a word of pacing. */
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

const RccController rcc_controller_fbra = {
  .name = "fbra", .size = sizeof (RccFbra), .config_size = sizeof (RccFbraConfig),
  .defaults = fbra_defaults, .init = fbra_init, .view = fbra_view,
  .text = "FEC-based rate adaptation: probes with parity",
  .settings = rcc_fbra_settings, .fields = rcc_fbra_fields,
  .feedbacks = { "xr", "ccfb", "twcc" }, .parity = true, .setting = RCC_SETTING_FBRA,
};

const RccController rcc_controller_cnadu = {
  .name = "cnadu", .size = sizeof (RccCnadu), .config_size = sizeof (RccCnaduConfig),
  .defaults = cnadu_defaults, .init = cnadu_init, .view = cnadu_view,
  .text = "C-NADU-like, a baseline that goes by round trips",
  .settings = rcc_cnadu_settings, .fields = rcc_cnadu_fields,
  .feedbacks = { "xr", "ccfb", "twcc" }, .setting = RCC_SETTING_FBRA,
};
