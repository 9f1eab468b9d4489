/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What goes wrong on real paths: feedback that stops, random loss, a source that sends
 * less than it may, several flows, outages.
 */
#include <string.h>

#include "flows.h"

#define S RCC_SEC

static const RccFlowSample *
sample_at (const RccFlow *f, RccTime t)
{
  for (gsize i = 0; i < f->n_samples; i++)
    if (f->samples[i].time >= t)
      return &f->samples[i];
  g_assert_not_reached ();
}

/* rtpgccbwe goes on at its last rate for ever when the receiver dies. */
static void
feedback_that_stops (gconstpointer data)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  RccWorld *w;
  RccFlow *f;

  c.feedback = (RccFeedbackFormat) GPOINTER_TO_INT (data);
  c.limits.min_bps = 50000;
  w = run_text ("0 both rate 1M delay 50\n20 rev loss 100%\n40 rev loss 0\n",
      60 * S, 1, &c, 1);
  f = w->flows[0];
  for (guint t = 18; t <= 46; t += 2)
    g_test_message ("%2u s: target %u kbit/s", t, sample_at (f, t * S)->target_bps / 1000);
  g_assert_cmpuint (sample_at (f, 19 * S)->target_bps, >=, 700000);
  /* halved .8 s after the last feedback, and each .4 s again */
  g_assert_cmpuint (sample_at (f, 23 * S)->target_bps, <=, 600000);
  g_assert_cmpuint (sample_at (f, 25 * S)->target_bps, <=, 300000);
  g_assert_cmpuint (sample_at (f, 38 * S)->target_bps, ==, 50000);
  /* and back without a restart */
  g_assert_cmpuint (sample_at (f, 46 * S)->target_bps, >=, 700000);
  rcc_world_free (w);
}

/* A little loss does not hold the rate; a heavy one ends it. */
static void
random_loss (void)
{
  static const struct {
    const gchar *scenario;
    double at_least, at_most;           /* kbit/s, mean of 20..60 s */
  } cases[] = {
    { "0 both rate 2M delay 50\n0 fwd loss 1%\n", 1200, 1600 },
    { "0 both rate 2M delay 50\n0 fwd loss 25%\n", 0, 250 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
    RccWorld *w = run_text (cases[i].scenario, 60 * S, 1, &c, 1);
    const double kbps = rcc_flow_mean_bps (w->flows[0], 20 * S, 60 * S) / 1000;

    g_test_message ("%.0f kbit/s with %s", kbps, strrchr (cases[i].scenario, 'l'));
    g_assert_cmpfloat (kbps, >=, cases[i].at_least);
    g_assert_cmpfloat (kbps, <=, cases[i].at_most);
    rcc_world_free (w);
  }
}

/* A source that cannot send more than 300 kbit/s on a link of 10: what it may is not
 * proven by what it does. */
static void
application_limited (gconstpointer data)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  guint highest = 0;
  RccWorld *w;

  c.feedback = (RccFeedbackFormat) GPOINTER_TO_INT (data);
  c.source.max_bps = 300000;
  c.limits.max_bps = 8000000;
  c.gcc.probe_factor = 0;               /* a probe would prove it */
  w = run_text ("0 both rate 10M delay 50\n", 60 * S, 1, &c, 1);
  for (gsize i = 0; i < w->flows[0]->n_samples; i++)
    highest = MAX (highest, w->flows[0]->samples[i].target_bps);
  g_test_message ("highest target %u kbit/s for a source of 300", highest / 1000);
  /* 1.5 R + 10 kbit/s, and R over half a second is up to a quarter above the mean */
  g_assert_cmpuint (highest, <=, 650000);
  g_assert_cmpfloat (rcc_flow_mean_bps (w->flows[0], 20 * S, 60 * S), >=, 280000);
  rcc_world_free (w);
}

static double
jain (const RccWorld *w, RccTime from, RccTime to)
{
  double sum = 0, squares = 0;

  for (guint i = 0; i < w->n_flows; i++) {
    const double x = rcc_flow_mean_bps (w->flows[i], from, to);

    sum += x;
    squares += x * x;
  }
  return sum * sum / (w->n_flows * squares);
}

/* RFC 8867 5.4: three flows that start 20 s apart share 3.5 Mbit/s; RFC 8868: rates
 * within 1/3 .. 3 of each other. */
static void
three_flows_share (void)
{
  RccFlowConfig c[3];
  RccWorld *w;

  for (guint i = 0; i < 3; i++) {
    c[i] = rcc_flow_config (RCC_GCC_DEFAULT);
    c[i].start = 20 * i * S;
  }
  w = run_text ("0 both rate 3.5M delay 50 queue 300ms\n", 120 * S, 1, c, 3);
  print_head ();
  print_phase (w, "three flows, 60-120 s", 60 * S, 120 * S);
  for (guint i = 0; i < 3; i++)
    g_test_message ("flow %u: %.0f kbit/s", i,
        rcc_flow_mean_bps (w->flows[i], 60 * S, 120 * S) / 1000);
  g_test_message ("Jain %.3f", jain (w, 60 * S, 120 * S));
  g_assert_cmpfloat (jain (w, 60 * S, 120 * S), >=, 0.90);
  g_assert_cmpfloat (rcc_world_phase (w, 60 * S, 120 * S).utilisation, >=, 0.80);
  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k < 3; k++)
      g_assert_cmpfloat (rcc_flow_mean_bps (w->flows[i], 60 * S, 120 * S), <=,
          3 * rcc_flow_mean_bps (w->flows[k], 60 * S, 120 * S));
  rcc_world_free (w);
}

/* Nothing gets through for 500 ms and for 5 s: back within seconds of the end. */
static void
outages (void)
{
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  RccWorld *w = run_text ("0 both rate 1M delay 50 queue 300ms\n"
      "20 both rate 0\n20.5 both rate 1M\n40 both rate 0\n45 both rate 1M\n",
      60 * S, 1, &c, 1);
  const double after_short = rcc_flow_mean_bps (w->flows[0], 25 * S, 30 * S);
  const double after_long = rcc_flow_mean_bps (w->flows[0], 53 * S, 58 * S);

  g_test_message ("5 s after 0.5 s: %.0f kbit/s; 8 s after 5 s: %.0f kbit/s",
      after_short / 1000, after_long / 1000);
  g_assert_cmpfloat (after_short, >=, 700000);
  g_assert_cmpfloat (after_long, >=, 700000);
  rcc_world_free (w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/faults/feedback-stops/remb",
      GINT_TO_POINTER (RCC_FEEDBACK_REMB), feedback_that_stops);
  g_test_add_data_func ("/faults/feedback-stops/twcc",
      GINT_TO_POINTER (RCC_FEEDBACK_TWCC), feedback_that_stops);
  g_test_add_func ("/faults/random-loss", random_loss);
  g_test_add_data_func ("/faults/application-limited/remb",
      GINT_TO_POINTER (RCC_FEEDBACK_REMB), application_limited);
  g_test_add_data_func ("/faults/application-limited/twcc",
      GINT_TO_POINTER (RCC_FEEDBACK_TWCC), application_limited);
  g_test_add_func ("/faults/three-flows-share", three_flows_share);
  g_test_add_func ("/faults/outages", outages);
  return g_test_run ();
}
