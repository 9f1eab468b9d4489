/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The packet-grouping paper's evaluation (ANRW'16 section 5.2): one flow over a Wi-Fi
 * link with outages, encoder 50..2500 kbit/s at 30 fps, with and without the
 * pre-filter, for every filter and both threshold sets.  Always on a generated trace;
 * on the paper's own where $RCC_TRACES holds it.
 */
#include <math.h>

#include <glib/gstdio.h>
#include <unistd.h>
#include "flows.h"
#include "sim/summary.h"

#define S RCC_SEC
#define DURATION (300 * S)

static const gchar *const filters[] = { "kalman", "kalman2", "trendline" };
static const gchar *const groupings[] = { "none", "paper", "draft" };

typedef struct {
  double bps, owd_p25, owd_p50, owd_p95, queue_p95;
} Outcome;

static RccFlowConfig
flow (RccGccProfile profile)
{
  RccFlowConfig c = rcc_flow_config (profile);

  c.limits = (RccConfig) { 50000, 300000, 2500000 };
  c.source.min_bps = 50000;
  c.source.max_bps = 2500000;
  c.audio = false;
  return c;
}

static Outcome
run (const gchar *scenario, const RccFlowConfig *config)
{
  RccWorld *w = run_world (scenario, DURATION, 1, config, 1);
  const Outcome o = {
    .bps = rcc_flow_mean_bps (w->flows[0], 0, DURATION),
    .owd_p25 = rcc_flow_delay (w->flows[0], 25, 0, DURATION),
    .owd_p50 = rcc_flow_delay (w->flows[0], 50, 0, DURATION),
    .owd_p95 = rcc_flow_delay (w->flows[0], 95, 0, DURATION),
    .queue_p95 = rcc_world_phase (w, 0, DURATION).queue_p95,
  };

  rcc_world_free (w);
  return o;
}

static Outcome
run_with (const gchar *scenario, RccGccProfile profile, int filter, int thresholds,
    int grouping)
{
  RccFlowConfig c = flow (profile);

  c.gcc.filter = (RccFilterKind) filter;
  c.gcc.overuse = thresholds ? (RccOveruseConfig) RCC_OVERUSE_WEBRTC
      : (RccOveruseConfig) RCC_OVERUSE_DRAFT;
  c.gcc.grouping = (RccGrouping) grouping;
  c.gcc.merge_cap = grouping == RCC_GROUPING_PAPER ? RCC_NEVER : 100 * RCC_MSEC;
  return run (scenario, &c);
}

static void
print (const gchar *profile, int filter, int thresholds, int grouping, Outcome o,
    Outcome off)
{
  g_test_message ("%-8s %-10s %-7s %-6s %8.0f %+7.1f%% %8.1f %8.1f %8.1f %8.1f",
      profile, filters[filter], thresholds ? "webrtc" : "draft", groupings[grouping],
      o.bps / 1000, 100 * (o.bps / off.bps - 1), o.owd_p25, o.owd_p50, o.owd_p95,
      o.queue_p95);
}

/* All pairs of one profile; returns the gain of the paper's pre-filter in [filter]
 * [thresholds]. */
static void
table (const gchar *scenario, RccGccProfile profile, double gain[3][2])
{
  const gchar *name = profile == RCC_GCC_PAPER ? "paper" : "default";

  for (int f = 0; f < 3; f++) {
    for (int t = 0; t < 2; t++) {
      Outcome o[3];

      for (int g = 0; g < 3; g++) {
        o[g] = run_with (scenario, profile, f, t, g);
        print (name, f, t, g, o[g], o[0]);
      }
      gain[f][t] = o[RCC_GROUPING_PAPER].bps / o[RCC_GROUPING_NONE].bps - 1;
    }
  }
}

static void
print_heading (const gchar *trace)
{
  g_test_message ("%s", trace);
  g_test_message ("%-8s %-10s %-7s %-6s %8s %8s %8s %8s %8s %8s", "profile", "filter",
      "gamma", "group", "kbit/s", "gain", "owd p25", "p50", "p95", "q p95");
}

/* Where the claim of more than 20 % holds: with a threshold that does not swell with the
 * outages, with the scalar filter, with the filter that libwebrtc's receive side ran (slope and
 * offset), and most of all with the trendline. */
static void
check_gain (double gain[3][2])
{
  g_assert_cmpfloat (gain[RCC_FILTER_KALMAN][1], >=, 0.20);
  g_assert_cmpfloat (gain[RCC_FILTER_KALMAN2][1], >=, 0.20);
  g_assert_cmpfloat (gain[RCC_FILTER_TRENDLINE][0], >=, 0.20);
  g_assert_cmpfloat (gain[RCC_FILTER_TRENDLINE][1], >=, 0.20);
}

static void
pre_filter_on_a_generated_trace (void)
{
  double gain[3][2];

  print_heading ("generated outages, 3 Mbit/s");
  table ("outage", RCC_GCC_DEFAULT, gain);
  table ("outage", RCC_GCC_PAPER, gain);
  /* these outages end in cleaner bursts than real ones: the filters with a noise
   * estimate lose less to them */
  g_assert_cmpfloat (gain[RCC_FILTER_KALMAN2][1], >=, 0.05);
  g_assert_cmpfloat (gain[RCC_FILTER_TRENDLINE][0], >=, 0.20);
  g_assert_cmpfloat (gain[RCC_FILTER_TRENDLINE][1], >=, 0.20);
}

static gchar *
recorded_scenario (void)
{
  const gchar *traces = g_getenv ("RCC_TRACES");
  g_autofree gchar *text = NULL;
  g_autofree gchar *trace = NULL;
  gchar *path;

  if (!traces)
    return NULL;
  trace = g_build_filename (traces, "wifi-google", "google-wifi-3mbps.mm", NULL);
  if (!g_file_test (trace, G_FILE_TEST_EXISTS))
    return NULL;
  text = g_strdup_printf ("0 both delay 25ms\n0 fwd trace slots:%s\n"
      "0 fwd max-age 500 queue 100000\n", trace);
  path = g_strdup_printf ("%s/rcc-wifi-%d.scenario", g_get_tmp_dir (), (int) getpid ());
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
pre_filter_on_the_paper_s_trace (void)
{
  g_autofree gchar *scenario = recorded_scenario ();
  double gain[3][2];
  RccFlowConfig best = flow (RCC_GCC_DEFAULT);
  Outcome o;

  if (!scenario) {
    g_test_skip ("RCC_TRACES does not name a folder with wifi-google/google-wifi-3mbps.mm");
    return;
  }
  print_heading ("google-wifi-3mbps");
  table (scenario, RCC_GCC_DEFAULT, gain);
  table (scenario, RCC_GCC_PAPER, gain);
  check_gain (gain);
  o = run (scenario, &best);
  g_test_message ("default as it ships: %.0f kbit/s, queue p95 %.1f ms", o.bps / 1000,
      o.queue_p95);
  g_unlink (scenario);
}

/* A note for each group: what the filter was fed adds up to what the path's delay changed
 * by, and the pre-filter leaves fewer of them. */
static void
notes_of_groups (void)
{
  size_t n[2];

  for (int on = 0; on < 2; on++) {
    RccFlowConfig c = flow (RCC_GCC_PAPER);
    g_autofree gchar *json = NULL;
    double sum = 0, least = INFINITY, most = -INFINITY;
    RccWorld *w;
    RccGroupNotes *g;
    size_t size;
    FILE *out;

    c.gcc.grouping = on ? RCC_GROUPING_PAPER : RCC_GROUPING_NONE;
    c.notes_groups = true;
    w = run_world ("outage", 60 * S, 1, &c, 1);
    g = &w->flows[0]->groups;
    n[on] = g->n;
    for (size_t i = 0; i < g->n; i++) {
      sum += g->notes[i].variation;
      g_assert_true (i == 0 || g->notes[i].arrival >= g->notes[i - 1].arrival);
      g_assert_cmpfloat (g->notes[i].threshold, >=, 6.0);
      g_assert_cmpfloat_with_epsilon (g->notes[i].owd - (i ? g->notes[i - 1].owd
              + g->notes[i].variation : g->notes[i].owd), 0, 1e-6);
      least = MIN (least, g->notes[i].owd);
      most = MAX (most, g->notes[i].owd);
    }
    g_assert_cmpfloat (fabs (sum), <, 500);     /* of 60 s: no queue is longer */
    g_assert_cmpfloat (most - least, >, 20);    /* a part of an outage */
    g_assert_cmpfloat (most - least, <, 700);
    out = open_memstream (&json, &size);
    rcc_world_write_summary (w, NULL, 0, out);
    fclose (out);
    g_assert_nonnull (strstr (json, "\"groups\": [["));
    rcc_world_free (w);
  }
  g_assert_cmpuint (n[0], >, 1000);
  g_assert_cmpuint (n[1], <, n[0]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wifi/generated", pre_filter_on_a_generated_trace);
  g_test_add_func ("/wifi/recorded", pre_filter_on_the_paper_s_trace);
  g_test_add_func ("/wifi/groups", notes_of_groups);
  return g_test_run ();
}
