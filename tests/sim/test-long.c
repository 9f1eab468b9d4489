/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Of a run of more than an hour less is kept, and what it comes to is the same.
 */
#include "flows.h"

#define HOUR (3600 * RCC_SEC)
#define LINK "0 both delay 40ms\n0 fwd rate 100k loss 1%\n"

typedef struct {
  gsize kept;                           /* samples, delays, frames, reports */
  double delay, frames, lost, utilisation, delivered;
} Sum;

static Sum
run (RccTime duration)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  RccLosses l;
  RccWorld *w;
  RccFlow *f;
  RccPhase p;
  Sum sum;

  c.limits = (RccConfig) { 30000, 60000, 200000 };
  c.source.min_bps = 30000;
  c.breaks = true;
  w = run_text (LINK, duration, 1, &c, 1);
  f = w->flows[0];
  p = rcc_world_phase (w, 60 * RCC_SEC, duration);
  l = rcc_flow_media (f, 60 * RCC_SEC, duration);
  sum = (Sum) {
    .kept = f->n_samples + w->n_queue + f->n_delays + f->frame_stats.n_frames
        + f->frame_stats.n_reports,
    .delay = rcc_flow_delay (f, 50, 60 * RCC_SEC, duration),
    .frames = rcc_frame_stats_delay (&f->frame_stats, 50),
    .lost = rcc_losses_lost (&l), .utilisation = p.utilisation, .delivered = p.delivered_bps,
  };
  g_test_message ("%5.1f h: %" G_GSIZE_FORMAT " kept; utilisation %.3f, delivered %.1f kbit/s, "
      "lost %.2f %%, delay %.1f ms, of frames %.1f ms", (double) duration / (double) HOUR,
      sum.kept, sum.utilisation, sum.delivered / 1e3, 100 * sum.lost, sum.delay, sum.frames);
  g_assert_cmpuint (f->n_samples, <=, HOUR / RCC_WORLD_BIN + 1);
  g_assert_cmpuint (w->n_queue, <=, HOUR / RCC_WORLD_QUEUE_STEP + 1);
  g_assert_cmpuint (f->n_received, >, 9 * (duration / RCC_SEC));
  g_assert_cmpuint (f->n_losses, >, 0);
  g_assert_cmpuint (f->n_losses, <, RCC_WORLD_LOSSES);
  g_assert_cmpint (f->losses[f->n_losses - 1], >, duration - 60 * RCC_SEC);
  rcc_world_free (w);
  return sum;
}

static void
memory_has_a_bound (void)
{
  const Sum hour = run (HOUR), long_one = run (4 * HOUR);

  g_assert_cmpuint (long_one.kept, <=, hour.kept);
  g_assert_cmpfloat_with_epsilon (long_one.utilisation, hour.utilisation, 0.02);
  g_assert_cmpfloat_with_epsilon (long_one.delivered, hour.delivered, 0.02 * hour.delivered);
  g_assert_cmpfloat_with_epsilon (long_one.lost, hour.lost, 0.002);
  g_assert_cmpfloat_with_epsilon (long_one.delay, hour.delay, 0.05 * hour.delay);
  g_assert_cmpfloat_with_epsilon (long_one.frames, hour.frames, 0.05 * hour.frames);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/long/memory-has-a-bound", memory_has_a_bound);
  return g_test_run ();
}
