/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Eight flows, one a second more, on 1 Mbit/s behind a queue of 300 ms: full when the last come.
 */
#include "flows.h"
#include "sim/options.h"

#define S RCC_SEC
#define FLOWS 8
#define SEEDS 2
#define PATH "0 both delay 50 queue 300ms\n0 fwd rate 1M\n"

static double
lost (const gchar *format, RccTime full_queue)
{
  double sum = 0;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig flows[FLOWS];
    gchar why[RCC_SCENARIO_ERROR];
    RccWorld *w;

    for (guint i = 0; i < FLOWS; i++) {
      RccFlowConfig *c = &flows[i];

      *c = rcc_flow_config (RCC_GCC_DEFAULT);
      if (!rcc_flow_option (c, "feedback", format, why, sizeof why))
        g_error ("%s", why);
      c->gcc.full_queue = full_queue;
      c->start = i * S;
      c->audio = false;
      c->limits.min_bps = 30000;
    }
    w = run_text (PATH, 90 * S, seed, flows, FLOWS);
    sum += lost_share (w, 30 * S, 90 * S);
    rcc_world_free (w);
  }
  g_test_message ("%s, full-queue %.0f s: %.1f %% lost after 30 s", format, full_queue * 1e-9,
      100 * sum / SEEDS);
  return sum / SEEDS;
}

/* The bound is that of control-rows. */
static void
lose_little (gconstpointer data)
{
  g_assert_cmpfloat (lost (data, 5 * S), <=, 0.05);
  g_assert_cmpfloat (lost (data, 0), >, 0.05);  /* what is it for, else */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/many-flows/remb", "remb", lose_little);
  g_test_add_data_func ("/many-flows/twcc", "twcc", lose_little);
  g_test_add_data_func ("/many-flows/ccfb", "ccfb", lose_little);
  return g_test_run ();
}
