/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a clock that is late costs on RFC 8867 5.1.
 */
#include "flows.h"

#define S RCC_SEC
#define PUNCTUAL 0.957                  /* of the capacity, five seeds, before clocks were late */
#define THREE_SEEDS 3
#define NOISE 0.002                     /* of a mean of ten seeds */

/* The mean over ten seeds. */
typedef struct {
  double utilisation, queue;            /* of the capacity; p95 of the first 40 s, ms */
} Mean;

static Mean
mean_of (const RccFlowConfig *c, const gchar *label)
{
  const guint seeds = 10;
  Mean mean = { 0 };

  for (guint seed = 1; seed <= seeds; seed++) {
    RccWorld *w = run_world ("rfc8867-5.1", 100 * S, seed, c, 1);

    mean.utilisation += rcc_world_phase (w, 0, 100 * S).utilisation / seeds;
    mean.queue += rcc_world_phase (w, 0, 40 * S).queue_p95 / seeds;
    rcc_world_free (w);
  }
  g_test_message ("%s: %.3f of the capacity, queue p95 %.1f ms", label, mean.utilisation,
      mean.queue);
  return mean;
}

/* Both ends wake 10 ms late on average.  97 % of what a punctual clock delivers is delivered.
 * What leaves late leaves in bursts, whose queue no controller can help.  A constant rate of
 * 93 % of 1 Mbit/s shows how much that is.  Congestion control has at most 15 ms more above
 * that rate than it has above it by a punctual clock. */
static void
late_costs_little (void)
{
  static const RccFeedbackFormat formats[] = { RCC_FEEDBACK_REMB, RCC_FEEDBACK_TWCC,
    RCC_FEEDBACK_CCFB };
  const RccClockFaults late = clock_faults ("exp:10ms", NULL, NULL);
  RccFlowConfig even = fixed_flow (930000);
  Mean constant[2];

  constant[0] = mean_of (&even, "constant, punctual");
  set_clock (&even, &late);
  constant[1] = mean_of (&even, "constant, late");
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
    Mean punctual, slow;

    c.feedback = formats[i];
    punctual = mean_of (&c, feedback_name (formats[i]));
    set_clock (&c, &late);
    slow = mean_of (&c, "late");
    g_assert_cmpfloat (punctual.utilisation, >=, PUNCTUAL - NOISE);
    g_assert_cmpfloat (slow.utilisation, >=, 0.97 * PUNCTUAL);
    g_assert_cmpfloat (slow.queue - constant[1].queue, <=,
        punctual.queue - constant[0].queue + 15);
  }
}

/* Three calls whose packets leave late.  What leaves at once is no probe: where each burst told of
 * the path, REMB had a queue of 250 to 300 ms (p95) and lost .8 to 2.7 %.  The bounds stood before
 * the first run of these seeds. */
static void
three_calls_share (gconstpointer format)
{
  static const gchar *const lates[] = { "exp:3ms", "exp:10ms" };

  for (guint i = 0; i < G_N_ELEMENTS (lates); i++) {
    const RccClockFaults late = clock_faults (lates[i], NULL, NULL);
    RccFlowConfig c[3];
    double queue = 0, lost = 0, used = 0;

    for (guint k = 0; k < G_N_ELEMENTS (c); k++) {
      c[k] = default_flow (format);
      set_clock (&c[k], &late);
    }
    for (guint64 seed = 31; seed < 31 + THREE_SEEDS; seed++) {
      RccWorld *w = run_text ("0 both delay 50\n0 fwd rate 3.5M queue 300ms\n", 60 * S, seed,
          c, G_N_ELEMENTS (c));
      const RccPhase p = rcc_world_phase (w, 0, 60 * S);

      queue += p.queue_p95 / THREE_SEEDS;
      lost += 100 * lost_share (w, 0, 60 * S) / THREE_SEEDS;
      used += p.utilisation / THREE_SEEDS;
      rcc_world_free (w);
    }
    g_test_message ("%s, three calls, %s: %.3f of the capacity, queue p95 %.0f ms, %.2f %% lost",
        (const gchar *) format, lates[i], used, queue, lost);
    g_assert_cmpfloat (queue, <=, 100);
    g_assert_cmpfloat (lost, <=, 0.1);
    g_assert_cmpfloat (used, >=, 0.9);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/late/costs-little", late_costs_little);
  add_formats ("/late/three-calls", three_calls_share);
  return g_test_run ();
}
