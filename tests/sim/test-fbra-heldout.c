/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * FBRA+ on links that it was not tuned on.  Its constants were chosen by hand on the paper's
 * schedule and on random ones of the seeds 1001 to 1006 of schedule() below; here are seeds
 * from 1 on, which nobody looked at before the bounds were written down.  They are:
 *  - capacity of 100 to 256 kbit/s, and of 500 kbit/s to 2 Mbit/s: goodput no less than
 *    RRTCC's at every one-way delay, at most 1 % lost or late, and by parity that was seen;
 *  - 100 to 256 kbit/s with 1 to 3 % lost at random: goodput no less than RRTCC's, and at
 *    most 1 % lost or late beyond what the path loses;
 *  - over a queue of five packets, where loss is the only sign: at most 6 % lost or late.
 * RCC_FBRA_SEEDS=30 has as many schedules: all were met but one, 1.02 % at 240 ms of the
 * first kind.  Each line says whether its bound is met; what is asserted is as much with
 * room for the few seeds that there are time for, 1 % of the goodput and 0.3 points of loss.
 */
#include "core/rng.h"
#include "fbra.h"

#define LENGTH (600 * RCC_SEC)
#define DWELL_LEAST 20.0                /* s */
#define DWELL_MORE 40.0
#define BEYOND 1.0                      /* % */
#define FEW_GOODPUT 0.01                /* of few seeds: share, % */
#define FEW_LOSS 0.3

typedef enum { PAPER, PLUS, RRTCC, CNADU, GCC, COLUMNS } Column;

static const gchar *const names[] = { "FBRA", "FBRA+", "RRTCC", "C-NADU-like", "GCC" };
static const guint owds[] = { 50, 100, 240 };

typedef struct {
  const gchar *name;
  double low, high;                     /* kbit/s */
  double loss;                          /* mean, %; each schedule half to one and a half */
  guint queue;
} Links;

/* Levels uniform between @low and @high, each for 20 to 60 s. */
static gchar *
schedule (const Links *k, guint owd, guint64 seed)
{
  GString *text = g_string_new (NULL);
  RccRng rng;

  rcc_rng_init (&rng, seed, 7);
  g_string_append_printf (text, "0 both delay %u\n0 fwd queue %u", owd, k->queue);
  if (k->loss > 0)
    g_string_append_printf (text, " loss %.2f%%", k->loss * (0.5 + rcc_rng_uniform (&rng)));
  g_string_append_c (text, '\n');
  for (double t = 0; t < LENGTH * 1e-9; t += DWELL_LEAST + DWELL_MORE * rcc_rng_uniform (&rng))
    g_string_append_printf (text, "%.1f fwd rate %.0f\n", t,
        1000 * (k->low + (k->high - k->low) * rcc_rng_uniform (&rng)));
  return g_string_free (text, FALSE);
}

static RccFlowConfig
column (Column k, const Links *links, guint owd)
{
  static const gchar *const kinds[] = { "fbra", "fbra",
    "rrtcc", "cnadu", "rrtcc" };
  RccFlowConfig c = rcc_flow_config_fbra (kinds[k], owd * RCC_MSEC);

  if (k == PLUS)
    rcc_flow_fbra_plus (&c);
  if (k == GCC) {
    c.controller = rcc_registry_find ("gcc");
    c.gcc = rcc_gcc_config (RCC_GCC_DEFAULT);
    c.feedback = RCC_FEEDBACK_REMB;
    c.plain = false;                    /* it goes by abs-send-time */
    c.feedback_interval = rcc_flow_config (RCC_GCC_DEFAULT).feedback_interval;
    c.rtcp_interval = rcc_flow_config (RCC_GCC_DEFAULT).rtcp_interval;
  }
  if (links->high > 1000) {
    c.limits.max_bps = c.source.max_bps = 4000000;
    c.limits.start_bps = 500000;
  }
  return c;
}

static FbraRuns
runs (const Links *links, Column k, guint owd)
{
  const RccFlowConfig c = column (k, links, owd);
  FbraRuns r = { .n = fbra_seeds (2) };

  for (guint s = 0; s < r.n; s++) {
    g_autofree gchar *text = schedule (links, owd, s + 1);
    RccWorld *w = run_text (text, LENGTH, s + 1, &c, 1);

    r.runs[s] = fbra_run (w, 0);
    rcc_world_free (w);
  }
  g_test_message ("%4u %-12s %7.1f +- %5.1f kbit/s, lost or late %5.2f +- %4.2f %% (by the path "
      "%4.2f), after repair %5.2f, FRCC %5.1f, parity %3.1f %%, p95 %4.0f ms", owd, names[k],
      FBRA_MEAN (&r, goodput).mean, FBRA_MEAN (&r, goodput).sd, FBRA_MEAN (&r, bad).mean,
      FBRA_MEAN (&r, bad).sd, FBRA_MEAN (&r, lost).mean, FBRA_MEAN (&r, after).mean,
      FBRA_MEAN (&r, frcc).mean, FBRA_MEAN (&r, parity).mean, FBRA_MEAN (&r, p95).mean);
  g_assert_cmpfloat (FBRA_MEAN (&r, wrong).mean, ==, 0);
  return r;
}

static void
judge (guint owd, const FbraRuns *plus, const FbraRuns *rrtcc, double most)
{
  const double more = FBRA_MEAN (plus, goodput).mean - FBRA_MEAN (rrtcc, goodput).mean;
  const double bad = FBRA_MEAN (plus, bad).mean;

  g_test_message ("     %u ms: goodput %.1f kbit/s %s RRTCC's, %s; %.2f %% lost or late of %.2f, "
      "%s", owd, ABS (more), more < 0 ? "below" : "above", more < 0 ? "missed" : "met", bad,
      most, bad > most ? "missed" : "met");
  g_assert_cmpfloat (more, >=, -FEW_GOODPUT * FBRA_MEAN (rrtcc, goodput).mean);
  g_assert_cmpfloat (bad, <=, most + FEW_LOSS);
}

static void
no_less_than_rrtcc_with_less_lost (gconstpointer data)
{
  const Links *links = data;

  for (guint o = 0; o < G_N_ELEMENTS (owds); o++) {
    FbraRuns r[COLUMNS];

    for (Column k = 0; k < COLUMNS; k++)
      r[k] = runs (links, k, owds[o]);
    judge (owds[o], &r[PLUS], &r[RRTCC],
        BEYOND + (links->loss > 0 ? FBRA_MEAN (&r[PLUS], lost).mean : 0.0));
    g_assert_cmpfloat (FBRA_MEAN (&r[PLUS], parity).mean, >, 0.1);
  }
}

static void
a_short_queue_is_no_disaster (void)
{
  static const Links links = { "short", 100, 256, 0, 5 };

  for (guint o = 0; o < G_N_ELEMENTS (owds); o++) {
    const FbraRuns r = runs (&links, PLUS, owds[o]);

    runs (&links, RRTCC, owds[o]);
    g_assert_cmpfloat (FBRA_MEAN (&r, bad).mean, <=, 6);
    g_assert_cmpfloat (FBRA_MEAN (&r, goodput).mean, >=, 100);
  }
}

int
main (int argc, char **argv)
{
  static const Links links[] = {
    { "slow", 100, 256, 0, 50 }, { "fast", 500, 2000, 0, 50 }, { "lossy", 100, 256, 2, 50 },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (links); i++) {
    g_autofree gchar *path = g_strdup_printf ("/fbra-heldout/%s", links[i].name);

    g_test_add_data_func (path, &links[i], no_less_than_rrtcc_with_less_lost);
  }
  g_test_add_func ("/fbra-heldout/a-short-queue-is-no-disaster", a_short_queue_is_no_disaster);
  return g_test_run ();
}
