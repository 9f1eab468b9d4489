/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A peer of which nothing comes but receiver reports, each 5 s on average and at random (RFC 3550
 * 6.2, 6.3).  Fixed before the first run: no report that comes is taken for an outage, two thirds
 * of a link of 1 Mbit/s are used within two minutes, and an outage is noticed within 7.5 s.  That
 * these begin with the last report that had news the first run has taught: it may come 6.2 s after
 * the outage began.
 */
#include "flows.h"
#include "sim/options.h"

#define S RCC_SEC
#define SEEDS 10

static const gchar *const link_1m = "0 both delay 50ms\n0 fwd rate 1M queue 300ms\n";

static RccWorld *
run (const gchar *scenario, guint duration, guint64 seed)
{
  static const gchar *const options[][2] = {
    { "reports-alone", "1" }, { "real-rtcp", "1" }, { "rtcp-interval", "5" },
  };
  RccFlowConfig c = rcc_flow_config (RCC_GCC_DEFAULT);
  gchar why[RCC_SCENARIO_ERROR];

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (!rcc_flow_option (&c, options[i][0], options[i][1], why, sizeof why))
      g_error ("%s", why);
  return run_text (scenario, duration * S, seed, &c, 1);
}

static const RccGccSender *
sender_of (const RccWorld *w)
{
  return (const RccGccSender *) w->flows[0]->sender.control.sender;
}

static void
a_report_that_comes_is_no_silence (void)
{
  gdouble sum = 0, least = G_MAXDOUBLE;

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccWorld *w = run (link_1m, 180, seed);
    const gdouble bps = rcc_flow_mean_bps (w->flows[0], 120 * S, 180 * S);

    g_test_message ("seed %" G_GUINT64_FORMAT ": %.0f kbit/s from 120 to 180 s, %" G_GUINT64_FORMAT
        " silences, %" G_GUINT64_FORMAT " reports", seed, bps / 1e3, sender_of (w)->silences,
        sender_of (w)->reports);
    g_assert_cmpuint (sender_of (w)->rembs + sender_of (w)->feedbacks, ==, 0);
    g_assert_cmpuint (sender_of (w)->silences, ==, 0);
    sum += bps / SEEDS;
    least = MIN (least, bps);
    rcc_world_free (w);
  }
  g_test_message ("mean %.0f kbit/s, least %.0f", sum / 1e3, least / 1e3);
  g_assert_cmpfloat (least, >=, 667e3);
}

/* The highest target from one second to another. */
static guint32
highest (const RccWorld *w, guint from, guint to)
{
  const RccFlow *f = w->flows[0];
  guint32 bps = 0;

  for (gsize i = 0; i < f->n_samples; i++)
    if (f->samples[i].time >= from * S && f->samples[i].time <= to * S)
      bps = MAX (bps, f->samples[i].target_bps);
  return bps;
}

static void
an_outage_is_noticed (void)
{
  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccWorld *w = run ("0 both delay 50ms\n0 fwd rate 1M queue 300ms\n60 fwd rate 0\n80 fwd rate 1M\n",
        100, seed);
    const guint32 before = highest (w, 60, 67), after = highest (w, 74, 75);

    g_test_message ("seed %" G_GUINT64_FORMAT ": %u kbit/s, %u 14 s after the outage began, %u before "
        "it ended, %u 20 s later", seed, before / 1000, after / 1000, highest (w, 79, 80) / 1000,
        highest (w, 99, 100) / 1000);
    g_assert_cmpuint (after, <=, before / 2);
    rcc_world_free (w);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reports-alone/a-report-that-comes-is-no-silence",
      a_report_that_comes_is_no_silence);
  g_test_add_func ("/reports-alone/an-outage-is-noticed", an_outage_is_noticed);
  return g_test_run ();
}
