/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A receiver that changes its feedback format in the middle of a call, as when another
 * server takes over: the rate is soon what it was, and losses count before and after.
 */
#include "flows.h"

#define S RCC_SEC
#define CHANGE 30                       /* s */
#define DURATION 60
#define BACK 3                          /* s after the change */

static const gchar *const changes[] = {
  "twcc,30:remb", "remb,30:ccfb", "ccfb,30:twcc", "twcc,30:ccfb", "remb,30:twcc", "ccfb,30:remb",
};

static RccWorld *
run (const gchar *scenario, const gchar *feedback, guint64 seed)
{
  const RccFlowConfig c = default_flow (feedback);

  return run_text (scenario, DURATION * S, seed, &c, 1);
}

/* Mean of what arrives from one second to another, bit/s. */
static gdouble
rate (const RccWorld *w, gdouble from, gdouble to)
{
  const RccFlow *f = w->flows[0];
  gdouble sum = 0;
  guint n = 0;

  for (gsize i = 0; i < f->n_samples; i++)
    if (f->samples[i].time >= from * S && f->samples[i].time < to * S) {
      sum += f->samples[i].received_bps;
      n++;
    }
  return sum / n;
}

static void
the_rate_is_soon_back (gconstpointer data)
{
  const gchar *change = data;

  for (guint64 seed = 1; seed <= 5; seed++) {
    RccWorld *w = run ("0 both delay 50ms\n0 fwd rate 1M queue 300ms\n", change, seed);
    const gdouble before = rate (w, CHANGE - 10, CHANGE);
    const gdouble worst = rate (w, CHANGE, CHANGE + BACK);
    const gdouble first = rate (w, CHANGE + BACK, CHANGE + BACK + 2);
    const gdouble after = rate (w, CHANGE + BACK, DURATION);

    g_test_message ("%s, seed %" G_GUINT64_FORMAT ": %.0f kbit/s; %.0f in the first %d s, %.0f in "
        "the 2 s then, %.0f to the end", change, seed, before / 1e3, worst / 1e3, BACK, first / 1e3,
        after / 1e3);
    g_assert_cmpfloat (before, >=, 850e3);
    g_assert_cmpfloat (first, >=, .9 * before);
    g_assert_cmpfloat (after, >=, .95 * before);
    rcc_world_free (w);
  }
}

static void
losses_count_before_and_after (gconstpointer data)
{
  static const gchar *const before = "0 both delay 50ms\n0 fwd rate 2M queue 300ms\n"
      "15 fwd loss 30%\n25 fwd loss 0%\n";
  static const gchar *const after = "0 both delay 50ms\n0 fwd rate 2M queue 300ms\n"
      "45 fwd loss 30%\n";
  const gchar *change = data;
  RccWorld *w = run (before, change, 1);

  g_test_message ("%s: %.0f kbit/s, with 30 %% loss %.0f", change, rate (w, 10, 15) / 1e3,
      rate (w, 20, 25) / 1e3);
  g_assert_cmpfloat (rate (w, 20, 25), <, .5 * rate (w, 10, 15));
  rcc_world_free (w);
  w = run (after, change, 1);
  g_test_message ("%s: %.0f kbit/s, with 30 %% loss %.0f", change, rate (w, 40, 45) / 1e3,
      rate (w, 50, 60) / 1e3);
  g_assert_cmpfloat (rate (w, 40, 45), >, 1.3e6);
  g_assert_cmpfloat (rate (w, 50, 60), <, .5 * rate (w, 40, 45));
  rcc_world_free (w);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    g_autofree gchar *back = g_strdup_printf ("/formats/back/%s", changes[i]);
    g_autofree gchar *losses = g_strdup_printf ("/formats/losses/%s", changes[i]);

    g_test_add_data_func (back, changes[i], the_rate_is_soon_back);
    g_test_add_data_func (losses, changes[i], losses_count_before_and_after);
  }
  return g_test_run ();
}
