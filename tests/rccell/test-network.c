/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Calls over 21 cells: what a light load has, what too many calls do, and that the AQM bounds it.
 */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rccell/network.h"
#include "sim/options.h"

#define S RCC_SEC

static RccNetwork *
run (double rate, RccTime discard, const gchar *breaker, guint64 seed)
{
  static const gchar *const words[] = { "fixed", "1.5M", "audio", "0", "packet-size", "1436",
    "breaker-mode", "draft2014", "real-rtcp", "1", "rtcp-interval", "2", NULL };
  RccNetworkConfig c = { .rate = rate, .length = 12 * S, .discard = discard, .duration = 15 * S,
    .seed = seed, .flow = rcc_flow_config (RCC_GCC_DEFAULT) };
  gchar why[RCC_SCENARIO_ERROR];
  RccNetwork *n;

  for (const gchar *const *w = words; *w; w += 2)
    g_assert_true (rcc_flow_option (&c.flow, w[0], w[1], why, sizeof why));
  g_assert_true (rcc_flow_option (&c.flow, "breaker", breaker, why, sizeof why));
  n = rcc_network_new (&c, why);
  if (!n)
    g_error ("%s", why);
  rcc_network_run (n);
  return n;
}

/* Packets are lost by the cells, or come, or are under way; nothing comes twice. */
static void
check_counts (const RccNetwork *n)
{
  for (guint i = 0; i < n->world->n_flows; i++) {
    const RccFlow *f = n->world->flows[i];
    const RccStreamCount *video = &f->sender.delivery.streams[RCC_WORLD_VIDEO];

    g_assert_cmpuint (video->received + f->n_losses, <=, video->sent);
  }
}

static double
lost (const RccNetwork *n)
{
  RccLosses sum = { 0 };

  for (guint i = 0; i < n->world->n_flows; i++) {
    const RccLosses l = rcc_flow_media (n->world->flows[i], 0, RCC_NEVER);

    sum.left += l.left;
    sum.lost += l.lost;
  }
  return rcc_losses_lost (&sum);
}

static guint
stopped (const RccNetwork *n)
{
  guint count = 0;

  for (guint i = 0; i < n->world->n_flows; i++)
    count += rcc_flow_triggered (n->world->flows[i]) != RCC_NEVER;
  return count;
}

/* Share of the calls of which nine frames in ten took at most @ms. */
static double
quick (const RccNetwork *n, double ms)
{
  guint count = 0;

  for (guint i = 0; i < n->world->n_flows; i++)
    count += rcc_frame_stats_delay (&n->world->flows[i]->frame_stats, 90) <= ms;
  return (double) count / n->world->n_flows;
}

/* One call in the mean in seven cells: 25 ms of wires and air, and of the frame's own size. */
static void
a_light_load_is_calm (void)
{
  RccNetwork *n = run (0.012, 200 * RCC_MSEC, "padhye", 1);
  guint calm = 0;

  for (guint i = 0; i < n->world->n_flows; i++)
    calm += rcc_frame_stats_mean (&n->world->flows[i]->frame_stats, NULL) < 60;
  g_test_message ("%u calls, %u calm, %.2f %% lost, used %.3f", n->world->n_flows, calm,
      100 * lost (n), rcc_network_utilisation (n));
  g_assert_cmpuint (n->world->n_flows, >=, 3);
  g_assert_cmpuint (calm * 10, >=, n->world->n_flows * 8);
  g_assert_cmpfloat (lost (n), <, .05);
  g_assert_cmpfloat (rcc_network_utilisation (n), <, .2);
  check_counts (n);
  rcc_network_free (n);
}

/* Ten calls a cell are 15 Mbit/s: too much.  Nobody waits longer than the AQM says, but for
 * a packet that is sent in part: it stays for as long as a fade lasts. */
static void
the_wait_bounds_delay (void)
{
  for (guint ms = 100; ms <= 1000; ms *= 10) {
    RccNetwork *n = run (0.8, ms * RCC_MSEC, "off", 2);

    g_test_message ("%u ms: %.1f %% lost, used %.3f, %.2f of the calls quick", ms, 100 * lost (n),
        rcc_network_utilisation (n), quick (n, ms + 250));
    g_assert_cmpfloat (lost (n), >, .2);
    g_assert_cmpfloat (rcc_network_utilisation (n), >, .9);
    g_assert_cmpfloat (quick (n, ms + 250), >=, .9);
    check_counts (n);
    rcc_network_free (n);
  }
}

/* A breaker stops some of them, and the others have more. */
static void
a_breaker_relieves (void)
{
  RccNetwork *off = run (0.8, 1000 * RCC_MSEC, "off", 3);
  RccNetwork *on = run (0.8, 1000 * RCC_MSEC, "mathis", 3);

  g_test_message ("%u of %u stopped, lost %.1f for %.1f %%", stopped (on), on->world->n_flows,
      100 * lost (on), 100 * lost (off));
  g_assert_cmpuint (stopped (off), ==, 0);
  g_assert_cmpuint (stopped (on), >, on->world->n_flows / 10);
  g_assert_cmpfloat (lost (on), <, lost (off));
  rcc_network_free (off);
  rcc_network_free (on);
}

static gchar *
written (guint64 seed)
{
  RccNetwork *n = run (0.1, 200 * RCC_MSEC, "mathis", seed);
  gchar *text = NULL;
  gsize size;
  FILE *out = open_memstream (&text, &size);

  rcc_network_write (n, out);
  fclose (out);
  rcc_network_free (n);
  return text;
}

static void
a_run_is_its_seed (void)
{
  gchar *one = written (5), *again = written (5), *other = written (6);

  g_assert_cmpstr (one, ==, again);
  g_assert_cmpstr (one, !=, other);
  g_assert_nonnull (strstr (one, "\"utilisation\": 0."));
  free (one);
  free (again);
  free (other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/network/a-light-load-is-calm", a_light_load_is_calm);
  g_test_add_func ("/network/the-wait-bounds-delay", the_wait_bounds_delay);
  g_test_add_func ("/network/a-breaker-relieves", a_breaker_relieves);
  g_test_add_func ("/network/a-run-is-its-seed", a_run_is_its_seed);
  return g_test_run ();
}
