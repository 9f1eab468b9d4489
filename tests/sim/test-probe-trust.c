/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a probe shows behind a queue that stands is believed the less (probe-trust).  It is for calls
 * that share a path; jitter and reordering are no queue, and a start has nothing better.
 */
#include "flows.h"

#define S RCC_SEC
#define SEEDS 5
#define CALLS 3
#define SHARED "0 both delay 50 queue 300ms\n0 fwd rate 3.5M\n"
#define JITTER "0 both delay 50 queue 300ms\n0 fwd rate 1M\n0 fwd jitter 30ms\n"
#define REORDER "0 both delay 50 queue 300ms\n0 fwd rate 1.5M\n0 fwd reorder 100% 20ms\n"

typedef struct { double queue, bps; } Seen;     /* ms in the 95th percentile; all calls together */

static Seen
seen (const gchar *path, gconstpointer format, const gchar *late, guint n, gboolean trust,
    RccTime from, RccTime to)
{
  const RccClockFaults clock = clock_faults (late, NULL, NULL);
  Seen sum = { 0 };

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig flows[CALLS];
    RccWorld *w;

    for (guint i = 0; i < n; i++) {
      flows[i] = default_flow (format);
      set_clock (&flows[i], &clock);
      if (!trust)
        flows[i].gcc.probe_trust = 0;
    }
    w = run_text (path, to, seed, flows, n);
    sum.queue += rcc_world_phase (w, from, to).queue_p95 / SEEDS;
    for (guint i = 0; i < n; i++)
      sum.bps += rcc_flow_mean_bps (w->flows[i], from, to) / SEEDS;
    rcc_world_free (w);
  }
  g_test_message ("%s, %u calls, late by %s, probe-trust %s: %.1f ms, %.0f kbit/s",
      (const gchar *) format, n, late ? late : "nothing", trust ? "12 ms" : "0", sum.queue, sum.bps * 1e-3);
  return sum;
}

static void
shortens_the_queue_of_several (gconstpointer format)
{
  const Seen with = seen (SHARED, format, NULL, CALLS, TRUE, 20 * S, 120 * S);
  const Seen without = seen (SHARED, format, NULL, CALLS, FALSE, 20 * S, 120 * S);

  g_assert_cmpfloat (with.queue, <=, 0.93 * without.queue);
  g_assert_cmpfloat (with.bps, >=, 0.99 * without.bps);
}

/* What late clocks let go at once is a queue, too, but one that goes. */
static void
costs_late_calls_nothing (gconstpointer format)
{
  const Seen with = seen (SHARED, format, "exp:10ms", CALLS, TRUE, 20 * S, 120 * S);
  const Seen without = seen (SHARED, format, "exp:10ms", CALLS, FALSE, 20 * S, 120 * S);

  g_assert_cmpfloat (with.queue, <=, without.queue);
  g_assert_cmpfloat (with.bps, >=, 0.98 * without.bps);
}

static void
takes_no_jitter_for_a_queue (gconstpointer format)
{
  const Seen with = seen (JITTER, format, NULL, 1, TRUE, 20 * S, 100 * S);
  const Seen without = seen (JITTER, format, NULL, 1, FALSE, 20 * S, 100 * S);

  g_assert_cmpfloat (with.bps, >=, 0.95 * without.bps);
}

static void
delays_no_start (gconstpointer format)
{
  const Seen with = seen (REORDER, format, NULL, 1, TRUE, 0, 5 * S);
  const Seen without = seen (REORDER, format, NULL, 1, FALSE, 0, 5 * S);

  g_assert_cmpfloat (with.bps, >=, 0.97 * without.bps);
}

int
main (int argc, char **argv)
{
  static const gchar *const formats[] = { "twcc", "ccfb" };     /* remb: it is not asked */

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *several = g_strconcat ("/probe-trust/several/", formats[i], NULL);
    g_autofree gchar *late = g_strconcat ("/probe-trust/late/", formats[i], NULL);
    g_autofree gchar *jitter = g_strconcat ("/probe-trust/jitter/", formats[i], NULL);
    g_autofree gchar *start = g_strconcat ("/probe-trust/start/", formats[i], NULL);

    g_test_add_data_func (several, formats[i], shortens_the_queue_of_several);
    g_test_add_data_func (late, formats[i], costs_late_calls_nothing);
    g_test_add_data_func (jitter, formats[i], takes_no_jitter_for_a_queue);
    g_test_add_data_func (start, formats[i], delays_no_start);
  }
  return g_test_run ();
}
