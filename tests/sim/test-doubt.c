/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Probes that show what is not there for long: behind a token bucket, and where the capacity
 * changes each second.  The bounds are the targets of tools/reproduce control, older than what
 * reaches them; that the queue is halved at least was set before the first run.
 */
#include "flows.h"

#define S RCC_SEC
#define SEEDS 5
#define PATH "0 both delay 50 queue 300ms\n"
#define BUCKET PATH "0 fwd rate 700k bucket 3000B\n"

typedef struct {
  double share, lost, queue;            /* queue: ms, in the 95th percentile */
} Figures;

static Figures
means (const gchar *text, RccTime duration, const gchar *format, guint doubt)
{
  Figures sum = { 0 };

  for (guint64 seed = 1; seed <= SEEDS; seed++) {
    RccFlowConfig c = default_flow (format);
    RccLosses l;
    RccPhase p;
    RccWorld *w;

    if (doubt == 0)                     /* all is believed */
      c.gcc.aimd.doubt = c.gcc.train_interval = 0;
    c.limits.max_bps = c.source.max_bps = 2500000;
    w = run_text (text, duration, seed, &c, 1);
    p = rcc_world_phase (w, 0, duration);
    l = rcc_flow_media (w->flows[0], 0, duration);
    sum.share += p.utilisation / SEEDS;
    sum.queue += p.queue_p95 / SEEDS;
    sum.lost += rcc_losses_lost (&l) / SEEDS;
    rcc_world_free (w);
  }
  g_test_message ("%s, %s: share %.3f, queue %.0f ms, lost %.2f %%", format,
      doubt ? "default" : "probe-doubt 0", sum.share, sum.queue, 100 * sum.lost);
  return sum;
}

static void
behind_a_token_bucket (gconstpointer data)
{
  const Figures f = means (BUCKET, 60 * S, data, 1), believed = means (BUCKET, 60 * S, data, 0);

  g_assert_cmpfloat (f.share, >=, 0.92);
  g_assert_cmpfloat (f.lost, <=, 0.002);
  g_assert_cmpfloat (f.queue, <, believed.queue / 2);
}

static void
second_by_second (gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (PATH);

  for (guint i = 0; i < 80; i++)
    g_string_append_printf (text, "%u fwd rate %uM\n", i, 1 + i % 2);
  g_assert_cmpfloat (means (text->str, 80 * S, data, 1).queue, <=, 180);
  /* what is it for, else */
  g_assert_cmpfloat (means (text->str, 80 * S, data, 0).queue, >, 180);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_formats ("/doubt/bucket", behind_a_token_bucket);
  add_formats ("/doubt/second-by-second", second_by_second);
  return g_test_run ();
}
