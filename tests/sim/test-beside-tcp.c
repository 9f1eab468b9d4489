/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One flow beside one bulk TCP flow (Reno) on 2 Mbit/s behind 300 ms: drain-doubt leaves less to
 * TCP, and tcp-share still less.  And three flows of ours without TCP, which are not to take each
 * other for one.  The bounds were set before the first run: the least share of drain-doubt and TCP's
 * least part are those of tools/reproduce control-rows.
 */
#include "flows.h"

#define S RCC_SEC
#define SEEDS 5
#define LENGTH (120 * S)
#define DELAY "0 both delay 50 queue 300ms\n"

typedef enum { NONE, DOUBT, ALL } Parts;

static const gchar *const names[] = { "neither", "drain-doubt", "default" };

static void
leave (RccGccConfig *c, Parts parts)
{
  if (parts < ALL)
    c->tcp_share = 0;
  if (parts < DOUBT)
    c->aimd.drain_doubt = 0;
}

static double
share (const gchar *format, const gchar *late, Parts parts)
{
  const RccClockFaults clock = clock_faults (late, NULL, NULL);
  double sum = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig c = default_flow (format);
    RccWorld *w;

    leave (&c.gcc, parts);
    set_clock (&c, &clock);
    w = run_tcp (DELAY "0 fwd rate 2M\n", LENGTH, seed, &c, 1, 1);
    sum += rcc_flow_mean_bps (w->flows[0], 10 * S, LENGTH) / 2e6;
    rcc_world_free (w);
  }
  g_test_message ("%s, clocks late by %s, %s: share %.3f", format, late ? late : "nothing",
      names[parts], sum / SEEDS);
  return sum / SEEDS;
}

static void
leaves_less_to_tcp (gconstpointer format)
{
  const double without = share (format, NULL, NONE), with = share (format, NULL, DOUBT);

  g_assert_cmpfloat (with, >=, 0.27);
  g_assert_cmpfloat (with, >, without);
  g_assert_cmpfloat (with, <=, 0.6);
  g_assert_cmpfloat (share (format, "exp:10ms", DOUBT), >=, 0.27);
  g_assert_cmpfloat (share (format, NULL, ALL), >, with);
}

static void
leaves_a_part_to_tcp (gconstpointer format)
{
  g_assert_cmpfloat (share (format, NULL, ALL), <=, 0.75);
  g_assert_cmpfloat (share (format, "exp:10ms", ALL), <=, 0.75);
}

static double
queue (const gchar *format, Parts parts)
{
  double sum = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig flows[3];
    RccWorld *w;

    for (guint i = 0; i < G_N_ELEMENTS (flows); i++) {
      flows[i] = default_flow (format);
      flows[i].start = i * 10 * S;
      leave (&flows[i].gcc, parts);
    }
    w = run_text (DELAY "0 fwd rate 2M\n", LENGTH, seed, flows, G_N_ELEMENTS (flows));
    sum += rcc_world_phase (w, 30 * S, LENGTH).queue_p95;
    rcc_world_free (w);
  }
  g_test_message ("%s, three flows, %s: queue %.1f ms in the 95th percentile", format,
      names[parts], sum / SEEDS);
  return sum / SEEDS;
}

static void
takes_no_flow_of_ours_for_tcp (gconstpointer format)
{
  const double least = 1.05 * queue (format, NONE);

  g_assert_cmpfloat (queue (format, DOUBT), <=, least);
  g_assert_cmpfloat (queue (format, ALL), <=, least);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_formats ("/beside-tcp", leaves_less_to_tcp);
  add_formats ("/beside-tcp/tcp", leaves_a_part_to_tcp);
  add_formats ("/beside-tcp/among-ours", takes_no_flow_of_ours_for_tcp);
  return g_test_run ();
}
