/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One flow beside one bulk TCP flow (Reno) on 2 Mbit/s behind 300 ms: drain-doubt leaves less to
 * TCP.  And three flows of ours without TCP, which are not to take each other for one.  The bounds
 * were set before the first run: the least share is that of tools/reproduce control-rows.
 */
#include "flows.h"

#define S RCC_SEC
#define SEEDS 5
#define LENGTH (120 * S)
#define DELAY "0 both delay 50 queue 300ms\n"

static double
share (const gchar *format, const gchar *late, gboolean doubts)
{
  const RccClockFaults clock = clock_faults (late, NULL, NULL);
  double sum = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig c = default_flow (format);
    RccWorld *w;

    if (!doubts)
      c.gcc.aimd.drain_doubt = 0;
    set_clock (&c, &clock);
    w = run_tcp (DELAY "0 fwd rate 2M\n", LENGTH, seed, &c, 1, 1);
    sum += rcc_flow_mean_bps (w->flows[0], 10 * S, LENGTH) / 2e6;
    rcc_world_free (w);
  }
  g_test_message ("%s, clocks late by %s, %s: share %.3f", format, late ? late : "nothing",
      doubts ? "default" : "drain-doubt 0", sum / SEEDS);
  return sum / SEEDS;
}

static void
leaves_less_to_tcp (gconstpointer format)
{
  const double without = share (format, NULL, FALSE), with = share (format, NULL, TRUE);

  g_assert_cmpfloat (with, >=, 0.27);
  g_assert_cmpfloat (with, >, without);
  g_assert_cmpfloat (with, <=, 0.6);
  g_assert_cmpfloat (share (format, "exp:10ms", TRUE), >=, 0.27);
}

static double
queue (const gchar *format, gboolean doubts)
{
  double sum = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig flows[3];
    RccWorld *w;

    for (guint i = 0; i < G_N_ELEMENTS (flows); i++) {
      flows[i] = default_flow (format);
      flows[i].start = i * 10 * S;
      if (!doubts)
        flows[i].gcc.aimd.drain_doubt = 0;
    }
    w = run_text (DELAY "0 fwd rate 2M\n", LENGTH, seed, flows, G_N_ELEMENTS (flows));
    sum += rcc_world_phase (w, 30 * S, LENGTH).queue_p95;
    rcc_world_free (w);
  }
  g_test_message ("%s, three flows, %s: queue %.1f ms in the 95th percentile", format,
      doubts ? "default" : "drain-doubt 0", sum / SEEDS);
  return sum / SEEDS;
}

static void
takes_no_flow_of_ours_for_tcp (gconstpointer format)
{
  g_assert_cmpfloat (queue (format, TRUE), <=, 1.05 * queue (format, FALSE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_formats ("/beside-tcp", leaves_less_to_tcp);
  add_formats ("/beside-tcp/among-ours", takes_no_flow_of_ours_for_tcp);
  return g_test_run ();
}
