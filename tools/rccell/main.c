/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rccell - calls over the cells of a mobile network, fast and in virtual time
 */
#include <errno.h>
#include <glib.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rccell/network.h"
#include "sim/options.h"

static gdouble rate = 0.04, length = 30, discard = 0.2, duration = 60;
static gint seed = 1;
static gchar *flow = NULL;
static gboolean json = FALSE, shows_version = FALSE;

static const GOptionEntry entries[] = {
  { "rate", 'r', 0, G_OPTION_ARG_DOUBLE, &rate, "Calls a second and cell (0.04)", "N" },
  { "call", 0, 0, G_OPTION_ARG_DOUBLE, &length, "Seconds of each call (30)", "S" },
  { "discard", 0, 0, G_OPTION_ARG_DOUBLE, &discard,
    "What waits in the cell for longer is dropped (0.2)", "S" },
  { "duration", 'd', 0, G_OPTION_ARG_DOUBLE, &duration, "Seconds to simulate (60)", "S" },
  { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "Seed of all randomness (1)", "N" },
  { "flow", 'f', 0, G_OPTION_ARG_STRING, &flow,
    "What calls are like, as of rccns3: fixed=1.5M,audio=0,breaker=mathis", "NAME=VALUE,..." },
  { "json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object (network.h)", NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &shows_version, "Print the version", NULL },
  { NULL }
};

static gint
complain (const gchar *why, gint status)
{
  g_printerr ("rccell: %s\n", why);
  return status;
}

static gboolean
in_range (const gchar *name, gdouble value, gdouble least, gdouble most)
{
  if (isfinite (value) && value >= least && value <= most)
    return TRUE;
  g_printerr ("rccell: --%s is %g to %g.\n", name, least, most);
  return FALSE;
}

static gboolean
check (void)
{
  return in_range ("rate", rate, 1e-4, 10) && in_range ("call", length, 1, 1000)
      && in_range ("discard", discard, 0.001, 100) && in_range ("duration", duration, 1, 3600)
      && in_range ("seed", seed, 0, G_MAXINT);
}

static gboolean
configure (RccFlowConfig *c)
{
  g_auto (GStrv) words = g_strsplit (flow ? flow : "fixed=1.5M,audio=0", ",", -1);
  gchar why[RCC_SCENARIO_ERROR];

  *c = rcc_flow_config (RCC_GCC_DEFAULT);
  for (gchar **word = words; *word; word++) {
    gchar *value = strchr (*word, '=');

    if (!value) {
      g_printerr ("rccell: --flow wants NAME=VALUE,NAME=VALUE, not \"%s\".\n", *word);
      return FALSE;
    }
    *value++ = 0;
    if (!rcc_flow_option (c, *word, value, why, sizeof why)) {
      g_printerr ("rccell: %s\n", why);
      return FALSE;
    }
  }
  return TRUE;
}

/* Calls that no end of the run cuts short. */
static void
print (const RccNetwork *n)
{
  guint whole = 0, stopped = 0, slow = 0;
  gdouble lost = 0;

  for (guint i = 0; i < n->world->n_flows; i++) {
    const RccFlow *f = n->world->flows[i];
    const RccLosses media = rcc_flow_media (f, 0, RCC_NEVER);

    if (f->config.stop - f->config.start < n->config.length * 99 / 100
        || f->config.stop > n->config.duration)
      continue;
    whole++;
    stopped += rcc_flow_triggered (f) != RCC_NEVER;
    slow += !(rcc_frame_stats_delay (&f->frame_stats, 98) <= 200);
    lost += rcc_losses_lost (&media);
  }
  g_print ("%u whole calls, %u stopped, %u with a 98th percentile of frame delay above 200 ms; "
      "%.1f %% lost; cells used %.1f %% of the time\n", whole, stopped, slow,
      whole > 0 ? 100 * lost / whole : 0.0, 100 * rcc_network_utilisation (n));
}

static gint
run (const RccNetworkConfig *config)
{
  gchar why[RCC_SCENARIO_ERROR];
  RccNetwork *n = rcc_network_new (config, why);

  if (!n)
    return complain (why, 1);
  rcc_network_run (n);
  if (json)
    rcc_network_write (n, stdout);
  else
    print (n);
  rcc_network_free (n);
  return fflush (stdout) || ferror (stdout)
      ? complain (g_strerror (errno), 1) : 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("- calls over the cells of a mobile "
      "network");
  g_autoptr (GError) error = NULL;
  RccNetworkConfig config;

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  g_option_context_add_main_entries (context, entries, NULL);
  if (g_option_context_parse (context, &argc, &argv, &error) && argc > 1)
    g_set_error (&error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "\"%s\" belongs to no option", argv[1]);
  if (error) {
    g_printerr ("rccell: %s; see --help\n", error->message);
    return 2;
  }
  if (shows_version) {
    g_print ("rccell " VERSION "\n");
    return 0;
  }
  if (!check () || !configure (&config.flow))
    return 2;
  config.rate = rate;
  config.length = (RccTime) (length * 1e9);
  config.discard = (RccTime) (discard * 1e9);
  config.duration = (RccTime) (duration * 1e9);
  config.seed = (uint64_t) seed;
  return run (&config);
}
