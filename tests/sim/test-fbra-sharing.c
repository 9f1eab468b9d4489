/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Calls of FBRA+ on one link: the later ones get their part, without and with late clocks.  And one
 * alone, on paths that might look as if it were not: what it reaches stays as it is.  The bounds
 * were set before the first run: Jain's .95 is that of tools/reproduce control-rows.
 */
#include "flows.h"

#define S RCC_SEC
#define SEEDS 3
#define LENGTH (120 * S)
#define CALLS_MOST 4

static RccFlowConfig
plus (const gchar *late, gboolean shares)
{
  const RccClockFaults clock = clock_faults (late, NULL, NULL);
  RccFlowConfig c = rcc_flow_config_fbra ("fbra", 50 * RCC_MSEC);

  rcc_flow_fbra_plus (&c);
  if (!shares)
    c.fbra.share_varies = 0;
  c.limits = (RccConfig) { 32000, 150000, 4000000 };
  c.source.max_bps = 4000000;
  set_clock (&c, &clock);
  return c;
}

/* Jain of what @n calls have, each 20 s later than the one before, from 20 s after the last. */
static double
jain (const gchar *path, guint n, const gchar *late, gboolean shares)
{
  double jains = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig calls[CALLS_MOST];
    double sum = 0, squares = 0;
    RccWorld *w;

    for (guint i = 0; i < n; i++) {
      calls[i] = plus (late, shares);
      calls[i].start = i * 20 * S;
    }
    w = run_text (path, LENGTH, seed, calls, n);
    for (guint i = 0; i < n; i++) {
      const double bps = rcc_flow_mean_bps (w->flows[i], n * 20 * S, LENGTH);

      sum += bps;
      squares += bps * bps;
    }
    jains += sum * sum / (n * squares) / SEEDS;
    rcc_world_free (w);
  }
  g_test_message ("%u calls, clocks late by %s, %s: Jain %.3f", n, late ? late : "nothing",
      shares ? "sharing" : "not sharing", jains);
  return jains;
}

static void
later_calls_get_their_part (gconstpointer path)
{
  g_assert_cmpfloat (jain (path, 2, NULL, TRUE), >=, 0.95);
  g_assert_cmpfloat (jain (path, 3, NULL, TRUE), >=, 0.9);
  g_assert_cmpfloat (jain (path, 2, "exp:10ms", TRUE), >=, 0.9);
  g_assert_cmpfloat (jain (path, 2, NULL, FALSE), <, 0.85);     /* what is it for, else */
}

static double
alone (const gchar *path, const gchar *late, gboolean shares, double *p95)
{
  double bps = 0;

  *p95 = 0;
  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    const RccFlowConfig c = plus (late, shares);
    RccWorld *w = run_text (path, LENGTH, seed, &c, 1);

    bps += rcc_flow_mean_bps (w->flows[0], 10 * S, LENGTH) / SEEDS;
    *p95 += rcc_flow_delay (w->flows[0], 95, 10 * S, LENGTH) / SEEDS;
    rcc_world_free (w);
  }
  g_test_message ("alone, clocks late by %s, %s: %.0f kbit/s, p95 %.0f ms", late ? late : "nothing",
      shares ? "sharing" : "not sharing", bps / 1e3, *p95);
  return bps;
}

static void
one_alone_stays_as_it_is (gconstpointer path)
{
  static const gchar *const lates[] = { NULL, "exp:5ms" };

  for (guint i = 0; i < G_N_ELEMENTS (lates); i++) {
    double before, after;
    const double without = alone (path, lates[i], FALSE, &before);

    g_assert_cmpfloat (alone (path, lates[i], TRUE, &after), >=, 0.98 * without);
    g_assert_cmpfloat (after, <=, before + 5);
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const gchar *name, *path;
  } shared[] = {
    { "/fbra-sharing/1M", "0 both delay 50 queue 300ms\n0 fwd rate 1M\n" },
    { "/fbra-sharing/2M", "0 both delay 50 queue 300ms\n0 fwd rate 2M\n" },
  }, own[] = {
    { "/fbra-sharing/alone/2M", "0 both delay 50 queue 300ms\n0 fwd rate 2M\n" },
    { "/fbra-sharing/alone/200k", "0 both delay 50 queue 300ms\n0 fwd rate 200k\n" },
    { "/fbra-sharing/alone/loss", "0 both delay 50 queue 300ms\n0 fwd rate 1M loss 2%\n" },
    { "/fbra-sharing/alone/steps", "0 both delay 50 queue 300ms\n0 fwd rate 2M\n20 fwd rate 700k\n"
      "40 fwd rate 1500k\n60 fwd rate 400k\n80 fwd rate 1M\n100 fwd rate 600k\n" },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (shared); i++)
    g_test_add_data_func (shared[i].name, shared[i].path, later_calls_get_their_part);
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    g_test_add_data_func (own[i].name, own[i].path, one_alone_stays_as_it_is);
  return g_test_run ();
}
