/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A path of 1.5 Mbit/s on which each packet is up to 20 ms late, on its own, so that many overtake
 * others: how soon nine tenths of it are used.
 */
#include "flows.h"

#define S RCC_SEC
#define SEEDS 5
#define PATH "0 both delay 50 queue 300ms\n0 fwd rate 1.5M reorder 100% 20ms\n"

static double
mean_start (const gchar *format, RccTime reordering)
{
  double sum = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig c = default_flow (format);
    RccTime at;
    RccWorld *w;

    c.gcc.reordering = reordering;
    c.limits.max_bps = c.source.max_bps = 2500000;
    w = run_text (PATH, 40 * S, seed, &c, 1);
    at = RCC_MIN (rcc_flow_reaches (w->flows[0], 1.35e6, 0, 40 * S), 40 * S);
    sum += at * 1e-9;
    rcc_world_free (w);
  }
  g_test_message ("%s, reordering %.0f ms: 90 %% after %.1f s", format, reordering * 1e-6,
      sum / SEEDS);
  return sum / SEEDS;
}

/* The bound is the issue's. */
static void
starts_within_five_seconds (gconstpointer data)
{
  g_assert_cmpfloat (mean_start (data, 20 * RCC_MSEC), <=, 5);
  g_assert_cmpfloat (mean_start (data, 0), >, 5);       /* what is it for, else */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_formats ("/reordering", starts_within_five_seconds);
  return g_test_run ();
}
