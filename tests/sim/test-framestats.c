/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What is noted of frames and of the breaker's reports.
 */
#include <glib.h>

#include "sim/framestats.h"
#include "sim/world.h"

/* The last packet that comes counts, frames of which none came are told apart. */
static void
test_frames (void)
{
  RccFrameStats d;

  rcc_frame_stats_init (&d, 1);
  rcc_frame_stats_received (&d, 2, 10 * RCC_MSEC, 30 * RCC_MSEC);
  rcc_frame_stats_received (&d, 2, 10 * RCC_MSEC, 45 * RCC_MSEC);
  rcc_frame_stats_received (&d, 3000, RCC_SEC, RCC_SEC + 7 * RCC_MSEC);
  g_assert_cmpuint (d.n_frames, ==, 3000);
  g_assert_cmpfloat (d.frames[0], <, 0);
  g_assert_cmpfloat_with_epsilon (d.frames[1], 35, 1e-9);
  g_assert_cmpfloat (d.frames[2998], <, 0);
  g_assert_cmpfloat_with_epsilon (d.frames[2999], 7, 1e-9);
  rcc_frame_stats_clear (&d);
}

/* A call of 30 s over a path of 100 ms: a note each second, each with that round trip, and
 * frames that take the path's delay at least. */
static void
test_call (void)
{
  char error[RCC_SCENARIO_ERROR];
  RccWorld *w = rcc_world_new ("constant:4M", 30 * RCC_SEC, 1, error);
  RccFlowConfig config = rcc_flow_config (RCC_GCC_DEFAULT);
  const RccFrameStats *d;
  RccFlow *f;

  config.breaks = true;
  f = rcc_world_add_flow (w, &config, error);
  rcc_world_run (w);
  d = &f->frame_stats;
  g_assert_cmpuint (d->n_reports, >=, 25);
  g_assert_cmpuint (d->n_reports, <=, 31);
  for (size_t i = 1; i < d->n_reports; i++) {
    g_assert_cmpuint (d->reports[i].at, >, d->reports[i - 1].at);
    g_assert_cmpuint (d->reports[i].rtt, >=, 100 * RCC_MSEC);
    g_assert_cmpuint (d->reports[i].rtt, <, 150 * RCC_MSEC);
    g_assert_cmpfloat (d->reports[i].loss, ==, 0);
  }
  g_assert_cmpuint (d->n_frames, >=, 855);      /* 30 a second, 5 % less at most */
  for (size_t i = 0; i < d->n_frames; i++)
    g_assert_cmpfloat (d->frames[i], >=, 50);
  rcc_world_free (w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/framestats/frames", test_frames);
  g_test_add_func ("/sim/framestats/call", test_call);
  return g_test_run ();
}
