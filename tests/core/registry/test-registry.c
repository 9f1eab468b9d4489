/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "core/registry/registry.h"

#include <glib.h>
#include <string.h>

#define FIRST_VIEWS \
  "gcc: 400000 420000 paces fec 0/0/0 pacer 5000000 1000000000 " \
  "backlog 200000000 1000000000 cost 0 rtt -1 tcp 4294967295 0 trend 0/12.5 'increase' 'normal'\n" \
  "gcc-paper: 400000 1000000 paces fec 0/0/0 pacer 5000000 0 " \
  "backlog 0 0 cost 0 rtt -1 tcp 4294967295 0 trend 0/12.5 'increase' 'normal'\n" \
  "rrtcc: 400000 1000000 paces fec 0/0/0 pacer 1000000 0 " \
  "backlog 0 0 cost 0 rtt -1 tcp 4294967295 0 trend 0/25 'increase' 'normal'\n" \
  "fbra: 400000 800000 fec 0/0/1 pacer 5000000 0 " \
  "backlog 0 0 cost 0 rtt -1 tcp 4294967295 0 trend 1/1.1 'STAY' 'start'\n" \
  "cnadu: 400000 800000 fec 0/0/0 pacer 5000000 0 " \
  "backlog 0 0 cost 0 rtt -1 tcp 4294967295 0 trend 0/0 '' 'start'\n" \
  "tfrc: 400000 400000 paces fec 0/0/0 pacer 0 0 " \
  "backlog 0 0 cost 1200 rtt -1 tcp 4294967295 0 trend 0/0 'start' ''\n" \
  "nada: 400000 400000 paces fec 0/0/0 pacer 0 0 " \
  "backlog 0 0 cost 0 rtt -1 tcp 4294967295 0 trend 0/0 'start' ''\n" \
  "scream: 400000 600000 paces fec 0/0/0 pacer 0 0 " \
  "backlog 0 0 cost 0 rtt -1 tcp 4294967295 0 trend 0/0 'start' ''\n" \
  "none: 400000 800000 fec 0/0/0 pacer 5000000 0 " \
  "backlog 0 0 cost 0 rtt -1 tcp 4294967295 0 trend 0/0 'fixed' ''\n"

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

/* What each says of itself before it has heard anything, in full: 400 kbit/s to start with. */
static void
each_first_view_is_as_listed (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const RccController *row;

  for (guint i = 0; (row = rcc_registry_row (i)); i++) {
    g_autofree gpointer core = g_malloc0 (row->size);
    g_autofree gpointer config = g_malloc0 (MAX (row->config_size, 1));
    RccSenderView v;

    if (row->defaults)
      row->defaults (config);
    row->init (core, config, &limits);
    v = row->view (core);
    g_string_append_printf (out, "%s: %u %u%s fec %u/%u/%u pacer %.10g %.10g backlog %.10g %.10g "
        "cost %u rtt %.10g tcp %u %g trend %g/%g '%s' '%s'\n", row->name, v.target_bps,
        v.pacing_bps, v.paces ? " paces" : "", v.fec_bps, v.fec_interval, v.fec_state,
        (double) v.burst, (double) v.drain, (double) v.backlog_from, (double) v.backlog_over,
        v.packet_cost, v.rtt == RCC_NEVER ? -1.0 : (double) v.rtt, v.equation_bps,
        v.loss_event_rate, v.trend, v.threshold, v.state, v.usage);
  }
  g_assert_cmpstr (out->str, ==, FIRST_VIEWS);
}

static void
names_are_listed (void)
{
  gchar text[80], cut[8];

  rcc_registry_names (text, sizeof text);
  g_assert_cmpstr (text, ==, "gcc, gcc-paper, rrtcc, fbra, cnadu, tfrc, nada, scream, none");
  rcc_registry_names (cut, sizeof cut);
  g_assert_cmpstr (cut, ==, "gcc, gc");
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

/* What a program finds of each: its words, what it goes by, and where it is run. */
static void
rows_say_what_they_need (void)
{
  static const struct {
    const gchar *name, *text, *feedbacks;
    bool parity, estimates_at_receiver;
    RccScenarioSetting setting;
  } rows[] = {
    { "gcc", "Google Congestion Control, as we know it best", "remb tmmbr twcc ccfb ", false, true,
      RCC_SETTING_CALL },
    { "gcc-paper", "GCC as the packet-grouping paper ran it (ANRW'16)", "remb tmmbr twcc ccfb ",
      false, true, RCC_SETTING_CALL },
    { "rrtcc", "GCC as it was in 2012, a baseline", "tmmbr remb ", false, true,
      RCC_SETTING_FBRA },
    { "fbra", "FEC-based rate adaptation: probes with parity", "xr ccfb twcc ", true, false,
      RCC_SETTING_FBRA },
    { "cnadu", "C-NADU-like, a baseline that goes by round trips", "xr ccfb twcc ", false, false,
      RCC_SETTING_FBRA },
    { "tfrc", "TCP Friendly Rate Control (RFC 5348)", "ccfb twcc ", false, false,
      RCC_SETTING_CALL },
    { "nada", "Network-Assisted Dynamic Adaptation (RFC 8698)", "ccfb twcc ", false, false,
      RCC_SETTING_CALL },
    { "scream",
      "Self-Clocked Rate Adaptation for Multimedia, version 2 (draft-ietf-ccwg-rfc8298bis)",
      "ccfb twcc ", false, false, RCC_SETTING_CALL },
    { "none", "A constant rate, the one to start with", "", false, false, RCC_SETTING_CALL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const RccController *row = rcc_registry_row (i);
    g_autoptr (GString) feedbacks = g_string_new (NULL);

    for (guint k = 0; row->feedbacks[k]; k++)
      g_string_append_printf (feedbacks, "%s ", row->feedbacks[k]);
    g_assert_cmpstr (row->name, ==, rows[i].name);
    g_assert_cmpstr (row->text, ==, rows[i].text);
    g_assert_cmpstr (feedbacks->str, ==, rows[i].feedbacks);
    g_assert_cmpint (row->parity, ==, rows[i].parity);
    g_assert_cmpint (row->estimates_at_receiver, ==, rows[i].estimates_at_receiver);
    g_assert_cmpint (row->setting, ==, rows[i].setting);
    g_assert_cmpint (row->fields != NULL && row->settings != NULL && row->config_size > 0, ==,
        row->init != rcc_registry_find ("none")->init);
  }
}

/* The one to start with: paced at twice its rate, whatever happens. */
static void
none_is_a_constant_rate (void)
{
  const RccController *row = rcc_registry_find ("none");
  const RccConfig rates = { 1000, 123456, 999999 };
  g_autofree RccSender *s = g_malloc0 (row->size);
  const RccReport report = { .expected = 100, .fraction_lost = 0.5, .rtt = RCC_SEC };
  RccSenderView v;

  row->init (s, NULL, &rates);
  rcc_tell (s, on_report, &report, RCC_SEC);
  v = row->view (s);
  g_assert_cmpuint (v.target_bps, ==, 123456);
  g_assert_cmpuint (v.pacing_bps, ==, 2 * 123456);
  g_assert_cmpuint (v.rtt, ==, RCC_NEVER);
  g_assert_cmpuint (v.equation_bps, ==, UINT32_MAX);
  g_assert_cmpuint (rcc_deadline (s), ==, RCC_NEVER);
}

/* After all others: nothing can be taken back. */
static void
takes_as_many_as_it_says (void)
{
  static RccController rows[RCC_REGISTRY_MAX + 1];
  static gchar names[RCC_REGISTRY_MAX + 1][8];
  guint n = 0;

  while (rcc_registry_row (n))
    n++;
  for (guint i = n; i <= RCC_REGISTRY_MAX; i++) {
    g_snprintf (names[i], sizeof names[i], "row%u", i);
    rows[i] = (RccController) { .name = names[i], .text = "One more", .size = sizeof (RccSender),
      .config_size = RCC_CONTROLLER_CONFIG + 1, .init = init, .view = view };
    g_assert_false (rcc_registry_add (&rows[i]));
    rows[i].config_size--;
    g_assert_cmpint (rcc_registry_add (&rows[i]), ==, i < RCC_REGISTRY_MAX);
  }
  g_assert_true (rcc_registry_row (RCC_REGISTRY_MAX - 1) == &rows[RCC_REGISTRY_MAX - 1]);
  g_assert_null (rcc_registry_row (RCC_REGISTRY_MAX));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/registry/each-first-view", each_first_view_is_as_listed);
  g_test_add_func ("/core/registry/each-row-runs", each_row_runs);
  g_test_add_func ("/core/registry/names-are-listed", names_are_listed);
  g_test_add_func ("/core/registry/takes-a-foreign-row-once", takes_a_foreign_row_once);
  g_test_add_func ("/core/registry/rows-say-what-they-need", rows_say_what_they_need);
  g_test_add_func ("/core/registry/none-is-a-constant-rate", none_is_a_constant_rate);
  g_test_add_func ("/core/registry/takes-as-many-as-it-says", takes_as_many_as_it_says);
  return g_test_run ();
}
