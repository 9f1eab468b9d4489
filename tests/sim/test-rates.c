/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Links of 100 Mbit/s to 1 Gbit/s, on which 100,000 packets a second are told of: every format
 * fills them without loss.  `-m thorough`: for a minute each.
 */
#include "flows.h"

#define S RCC_SEC

static const struct {
  guint mbps;
  guint duration;                       /* s, in the short form */
} links[] = { { 100, 60 }, { 400, 30 }, { 1000, 45 } };

static void
is_filled (gconstpointer data)
{
  const gchar *format = data;

  for (guint i = 0; i < G_N_ELEMENTS (links); i++) {
    const RccTime duration = (g_test_thorough () ? 60 : links[i].duration) * S;
    const guint bps = links[i].mbps * 1000000u;
    RccFlowConfig c = default_flow (format);
    g_autofree gchar *link = g_strdup_printf ("0 both delay 50ms\n0 fwd rate %uM queue 300ms\n",
        links[i].mbps);
    RccLosses l;
    RccPhase p;
    RccWorld *w;

    c.audio = false;
    c.limits = (RccConfig) { bps / 1000, bps / 2, 2 * bps };
    c.source.min_bps = c.limits.min_bps;
    c.source.max_bps = c.limits.max_bps;
    w = run_text (link, duration, 1, &c, 1);
    p = rcc_world_phase (w, duration / 3, duration);
    l = rcc_flow_media (w->flows[0], duration / 3, duration);
    g_test_message ("%4u Mbit/s, %s: %.1f %% of the link, %.2f %% lost, queue %.0f ms in the 95th "
        "percentile", links[i].mbps, format, 100 * p.utilisation, 100 * rcc_losses_lost (&l),
        p.queue_p95);
    g_assert_cmpfloat (p.utilisation, >=, 0.94);
    g_assert_cmpfloat (rcc_losses_lost (&l), <=, 0.002);
    rcc_world_free (w);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_formats ("/rates", is_filled);
  return g_test_run ();
}
