/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/registry/registry.h"

#include <glib.h>
#include <string.h>

static const RccConfig limits = { 100000, 400000, 2000000 };

static RccSenderView
view (const RccSender *s)
{
  return (RccSenderView) { .target_bps = 1, .state = "", .usage = "" };
}

static void
init (RccSender *s, const void *config, const RccConfig *l)
{
  static const RccSenderOps ops = { .name = "own" };

  s->ops = &ops;
}

/* Allocated by size, with defaults and settings by table: each starts within its limits. */
static void
each_row_runs (void)
{
  const RccController *row;

  for (guint i = 0; (row = rcc_registry_row (i)); i++) {
    g_autofree gpointer core = g_malloc0 (row->size);
    g_autofree gpointer config = g_malloc0 (MAX (row->config_size, 1));
    RccSenderView v;

    g_assert_true (rcc_registry_find (row->name) == row);
    g_assert_cmpuint (row->config_size, <=, RCC_CONTROLLER_CONFIG);
    g_assert_cmpuint (strlen (row->text), >, 8);
    if (row->defaults)
      row->defaults (config);
    for (const RccSetting *s = row->settings; s && s->name; s++)
      if (!rcc_setting_set (s, config, rcc_setting_get (s, config)))
        g_error ("%s: %s does not take its default", row->name, s->name);
    row->init (core, config, &limits);
    g_assert_nonnull (((RccSender *) core)->ops);
    v = row->view (core);
    g_assert_cmpuint (v.target_bps, ==, limits.start_bps);
    g_assert_cmpuint (v.pacing_bps, >=, v.target_bps);
    g_assert_nonnull (v.state);
    g_assert_nonnull (v.usage);
  }
}

static void
names_are_listed (void)
{
  gchar text[64], cut[8];

  rcc_registry_names (text, sizeof text);
  g_assert_cmpstr (text, ==, "gcc, rrtcc, fbra, cnadu, tfrc, none");
  rcc_registry_names (cut, sizeof cut);
  g_assert_cmpstr (cut, ==, "gcc, rr");
  g_assert_null (rcc_registry_find ("gc"));
  g_assert_null (rcc_registry_find (""));
}

static void
takes_a_foreign_row_once (void)
{
  static const RccController own = { .name = "own", .text = "Ours", .size = sizeof (RccSender),
    .init = init, .view = view };
  const RccController taken = { .name = "gcc", .size = sizeof (RccSender), .init = init,
    .view = view };
  const RccController small = { .name = "small", .size = 1, .init = init, .view = view };
  const RccController silent = { .name = "silent", .size = sizeof (RccSender), .init = init };

  g_assert_false (rcc_registry_add (&taken));
  g_assert_false (rcc_registry_add (&small));
  g_assert_false (rcc_registry_add (&silent));
  g_assert_true (rcc_registry_add (&own));
  g_assert_false (rcc_registry_add (&own));
  g_assert_true (rcc_registry_find ("own") == &own);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/registry/each-row-runs", each_row_runs);
  g_test_add_func ("/core/registry/names-are-listed", names_are_listed);
  g_test_add_func ("/core/registry/takes-a-foreign-row-once", takes_a_foreign_row_once);
  return g_test_run ();
}
