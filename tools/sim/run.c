/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sim/run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/options.h"
#include "sim/world.h"

static bool
configure (const RccScenarioCall *call, RccFlowConfig *c, char *error)
{
  *c = rcc_flow_config (RCC_GCC_DEFAULT);
  if (call->controller->setting == RCC_SETTING_FBRA)
    rcc_flow_option (c, "controller", call->controller->name, error, RCC_RUN_ERROR);
  c->source.max_bps = c->limits.max_bps;
  rcc_flow_control (c, call->controller);
  rcc_flow_prefer (c);
  if (call->config)
    memcpy ((void *) rcc_flow_controller_config (c), call->config,
        call->controller->config_size);
  for (const char *const *o = call->options; o && o[0]; o += 2)
    if (!o[1] || !rcc_flow_option (c, o[0], o[1], error, RCC_RUN_ERROR))
      return false;
  return true;
}

static bool
write_samples (const RccWorld *w, const char *path, char *error)
{
  FILE *out = fopen (path, "w");
  bool good = out != NULL;

  if (out) {
    rcc_world_write_csv (w, w->flows[0], out);
    good = !ferror (out);
    good = fclose (out) == 0 && good;
  }
  if (!good)
    snprintf (error, RCC_RUN_ERROR, "%.128s cannot be written: %.64s.", path, strerror (errno));
  return good;
}

bool
rcc_scenario_run (const RccScenarioCall *call, RccScenarioResult *result, char *error)
{
  RccFlowConfig config;
  RccWorld *w;
  RccPhase p;
  bool good;

  if (!configure (call, &config, error)
      || !(w = rcc_world_new (call->scenario, call->duration, call->seed, error)))
    return false;
  good = rcc_world_add_flow (w, &config, error) != NULL;
  if (good) {
    rcc_world_run (w);
    p = rcc_world_phase (w, 0, w->duration);
    *result = (RccScenarioResult) {
      .utilisation = p.utilisation, .delivered_bps = p.delivered_bps,
      .lost = rcc_losses_lost (&p.media), .queue_p50 = p.queue_p50, .queue_p95 = p.queue_p95,
      .queue_p99 = p.queue_p99,
      .delay_p95 = rcc_flow_delay (w->flows[0], 95, 0, w->duration),
    };
    good = !call->csv || write_samples (w, call->csv, error);
  }
  rcc_world_free (w);
  return good;
}
