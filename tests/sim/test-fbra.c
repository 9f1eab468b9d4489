/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The tables of Nagy, Singh, Ott and Eggert, "Congestion Control using FEC for
 * Conversational Multimedia Communication" (MMSys'14), beside ours.
 */
#include "fbra.h"

#define SPAN (900 * RCC_SEC)

static const guint owds[] = { 50, 100, 240 };

static void
print_row (guint owd, const gchar *name, const FbraRuns *r)
{
  const FbraMean g = FBRA_MEAN (r, goodput), l = FBRA_MEAN (r, lost);

  g_test_message ("%4u %-8s %6.1f +- %4.1f %6.1f %5.2f +- %4.2f %6.2f %6.2f %6.1f %5.1f %5.1f"
      " %7.0f %7.0f %6.0f", owd, name, g.mean, g.sd, FBRA_MEAN (r, received).mean, l.mean,
      l.sd, FBRA_MEAN (r, late).mean, FBRA_MEAN (r, after).mean, FBRA_MEAN (r, frcc).mean,
      FBRA_MEAN (r, ffre).mean, FBRA_MEAN (r, parity).mean, FBRA_MEAN (r, p95).mean,
      FBRA_MEAN (r, p99).mean, FBRA_MEAN (r, frames_lost).mean);
}

static void
table_1 (void)
{
  static const RccWorldControllerKind kinds[] = { RCC_WORLD_FBRA, RCC_WORLD_RRTCC,
    RCC_WORLD_CNADU };

  for (guint o = 0; o < G_N_ELEMENTS (owds); o++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
      const RccFlowConfig c = rcc_flow_config_fbra (kinds[k], owds[o] * RCC_MSEC);
      const FbraRuns r = fbra_variable (&c, owds[o], SPAN, fbra_seeds (3));

      print_row (owds[o], c.name, &r);
      g_assert_cmpfloat (FBRA_MEAN (&r, wrong).mean, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fbra/table-1", table_1);
  return g_test_run ();
}
