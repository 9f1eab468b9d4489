/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib/gstdio.h>
#include <unistd.h>

#include "flows.h"
#include "sim/options.h"

const gchar *
feedback_name (RccFeedbackFormat feedback)
{
  static const gchar *const names[] = { "remb", "tmmbr", "ccfb", "twcc" };

  return names[feedback];
}

RccFlowConfig
default_flow (const gchar *feedback)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  gchar why[RCC_SCENARIO_ERROR];

  if (!rcc_flow_option (&c, "feedback", feedback, why, sizeof why))
    g_error ("%s", why);
  return c;
}

void
add_formats (const gchar *path, GTestDataFunc test)
{
  static const gchar *const formats[] = { "remb", "twcc", "ccfb" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *name = g_strdup_printf ("%s/%s", path, formats[i]);

    g_test_add_data_func (name, formats[i], test);
  }
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

static RccWorld *
parsed (const gchar *text, RccTime duration, guint64 seed, const RccFlowConfig *flows,
    guint n_flows, guint n_renos)
{
  g_autofree gchar *path = g_strdup_printf ("%s/rcc-sim-%d.scenario", g_get_tmp_dir (),
      (int) getpid ());
  gchar error[RCC_SCENARIO_ERROR];
  RccWorld *w;
  RccRng rng;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  w = rcc_world_new (path, duration, seed, error);
  g_unlink (path);
  if (!w)
    g_error ("%s", error);
  rcc_world_set_overhead (w, 0);
  for (guint i = 0; i < n_flows; i++)
    if (!rcc_world_add_flow (w, &flows[i], error))
      g_error ("%s", error);
  rcc_rng_init (&rng, seed, 0x7c9);
  for (guint i = 0; i < n_renos; i++) {
    RccRenoConfig reno = rcc_reno_config ();

    reno.seed = seed * 100 + i;
    reno.start = (RccTime) (1e9 * rcc_rng_uniform (&rng));
    rcc_world_add_reno (w, &reno);
  }
  rcc_world_run (w);
  return w;
}

RccWorld *
run_text (const gchar *text, RccTime duration, guint64 seed, const RccFlowConfig *flows,
    guint n_flows)
{
  return parsed (text, duration, seed, flows, n_flows, 0);
}

RccWorld *
run_tcp (const gchar *text, RccTime duration, guint64 seed, const RccFlowConfig *flows,
    guint n_flows, guint n_renos)
{
  return parsed (text, duration, seed, flows, n_flows, n_renos);
}

RccFlowConfig
fixed_flow (guint32 bps)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  c.adapt = c.audio = false;
  c.breaks = true;
  c.limits = (RccConfig) { 50000, bps, bps };
  c.source.model = RCC_SOURCE_CONSTANT;
  c.source.min_bps = 50000;
  c.source.max_bps = bps;
  return c;
}

RccClockFaults
clock_faults (const gchar *late, const gchar *stall, const gchar *clump)
{
  const struct {
    const gchar *name, *value;
  } words[] = { { "late", late }, { "stall", stall }, { "clump", clump } };
  RccClockFaults clock[RCC_ENDS] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i].value && !rcc_clock_set (clock, words[i].name, words[i].value))
      g_error ("%s cannot be %s", words[i].name, words[i].value);
  return clock[RCC_END_SENDER];
}

void
set_clock (RccFlowConfig *c, const RccClockFaults *faults)
{
  for (guint end = 0; end < RCC_ENDS; end++)
    c->clock[end] = *faults;
}

void
print_events (const gchar *label, const RccFlow *f)
{
  if (f->n_events == 0)
    g_test_message ("%s: stays closed", label);
  for (gsize i = 0; i < f->n_events; i++) {
    const RccBreakerEvent *e = &f->events[i];

    g_test_message ("%s: %s at %.2f s (%s), p %.3f, Tr %.0f ms, X %.0f kbit/s, sent %.0f "
        "kbit/s, interval %.1f s", label, rcc_breaker_state_names[e->state], e->at * 1e-9,
        rcc_breaker_reason_names[e->reason], e->loss,
        e->rtt == RCC_NEVER ? -1.0 : e->rtt * 1e-6, e->tcp_bps / 1000, e->sent_bps / 1000,
        e->interval * 1e-9);
  }
}

double
lost_share (const RccWorld *w, RccTime from, RccTime to)
{
  const RccPhase p = rcc_world_phase (w, from, to);

  return rcc_losses_lost (&p.media);
}

void
print_head (void)
{
  g_test_message ("%-26s %6s %8s %7s %7s %7s %7s %10s %9s", "", "util", "kbit/s", "q p50",
      "q p95", "q p99", "lost %", "unsent %", "owd p95");
}

void
print_phase (const RccWorld *w, const gchar *label, RccTime from, RccTime to)
{
  const RccPhase p = rcc_world_phase (w, from, to);

  g_test_message ("%-26s %6.3f %8.0f %7.1f %7.1f %7.1f %7.2f %10.2f %9.1f", label,
      p.utilisation, p.delivered_bps / 1000, p.queue_p50, p.queue_p95, p.queue_p99,
      100 * rcc_losses_lost (&p.media), 100 * rcc_losses_unsent (&p.media),
      rcc_flow_delay (w->flows[0], 95, from, to));
}
