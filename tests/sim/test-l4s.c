/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GCC with L4S over a link that marks ECT(1) above a queue.
 */
#include "flows.h"
#include "sim/options.h"

#define S RCC_SEC
#define SEEDS 5
#define LENGTH (100 * S)

typedef struct {
  const gchar *marks, *rate;
  guint flows;
  gdouble share, q95, frame;            /* at least; ms at most; ms at most of 98 % of the frames */
} Case;

typedef struct {
  gdouble share, q95, frame;
} Figures;

static RccFlowConfig
flow (guint32 rate)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);

  c.feedback = RCC_FEEDBACK_CCFB;
  c.ecn = RCC_ECN_ECT1;
  c.gcc.l4s = true;
  c.limits.max_bps = c.source.max_bps = rate / 5 * 6;
  return c;
}

/* Means over seeds of @flows flows of which the later start 0.1 s after another. */
static Figures
measure (const Case *of)
{
  const guint32 rate = (guint32) g_ascii_strtod (of->rate, NULL) * 1000000;
  gchar *path = g_strdup_printf ("0 both delay 20 queue 300ms\n0 fwd rate %s ecn %s\n", of->rate,
      of->marks);
  Figures mean = { 0 };

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig flows[2] = { flow (rate), flow (rate) };
    RccWorld *w;
    RccPhase all;

    flows[1].start = S / 10;
    w = run_text (path, LENGTH, seed, flows, of->flows);
    all = rcc_world_phase (w, 0, LENGTH);
    mean.share += all.utilisation / SEEDS;
    mean.q95 += all.queue_p95 / SEEDS;
    mean.frame += rcc_frame_stats_delay (&w->flows[0]->frame_stats, 98) / SEEDS;
    rcc_world_free (w);
  }
  g_test_message ("%s, marks above %s, %u flows: share %.3f, q95 %.1f ms, p98 of frames %.1f ms",
      of->rate, of->marks, of->flows, mean.share, mean.q95, mean.frame);
  g_free (path);
  return mean;
}

static void
holds (gconstpointer data)
{
  const Case *of = data;
  const Figures found = measure (of);

  g_assert_cmpfloat (found.share, >=, of->share);
  g_assert_cmpfloat (found.q95, <=, of->q95);
  g_assert_cmpfloat (found.frame, <=, of->frame);
}

int
main (int argc, char **argv)
{
  /* The bounds of the first are the issue's, and the second's queue.  The others were set after
   * their results, as guards. */
  static const Case step = { "1ms", "5M", 1, 0.65, 3, 60 };
  static const Case deep = { "5ms", "5M", 1, 0.72, 8, 75 };
  static const Case two = { "1ms", "5M", 2, 0.38, 3, 60 };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/l4s/step-1-ms", &step, holds);
  g_test_add_data_func ("/l4s/step-5-ms", &deep, holds);
  g_test_add_data_func ("/l4s/two-flows", &two, holds);
  return g_test_run ();
}
