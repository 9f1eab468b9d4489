/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "flows.h"

const gchar *
feedback_name (RccFeedbackFormat feedback)
{
  static const gchar *const names[] = { "remb", "tmmbr", "ccfb", "twcc" };

  return names[feedback];
}

RccWorld *
run_world (const gchar *scenario, RccTime duration, guint64 seed,
    const RccFlowConfig *flows, guint n_flows)
{
  gchar error[RCC_SCENARIO_ERROR];
  RccWorld *w = rcc_world_new (scenario, duration, seed, error);

  if (!w)
    g_error ("%s", error);
  rcc_world_set_overhead (w, 0);        /* capacities are those of RTP, as in the RFC */
  for (guint i = 0; i < n_flows; i++)
    if (!rcc_world_add_flow (w, &flows[i], error))
      g_error ("%s", error);
  rcc_world_run (w);
  return w;
}

void
print_head (void)
{
  g_test_message ("%-26s %6s %8s %7s %7s %7s %7s %9s", "", "util", "kbit/s", "q p50",
      "q p95", "q p99", "loss %", "owd p95");
}

void
print_phase (const RccWorld *w, const gchar *label, RccTime from, RccTime to)
{
  const RccPhase p = rcc_world_phase (w, from, to);

  g_test_message ("%-26s %6.3f %8.0f %7.1f %7.1f %7.1f %7.2f %9.1f", label,
      p.utilisation, p.delivered_bps / 1000, p.queue_p50, p.queue_p95, p.queue_p99,
      100 * p.loss, rcc_flow_delay (w->flows[0], 95, from, to));
}
