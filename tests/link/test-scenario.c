/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include "link/scenario.h"

#define MS RCC_MSEC

static RccScenario *
parse (const char *text)
{
  char error[RCC_SCENARIO_ERROR] = "";
  RccScenario *s = rcc_scenario_parse (text, strlen (text), "test", 1, error, sizeof error);

  g_assert_cmpstr (error, ==, "");
  g_assert_nonnull (s);
  return s;
}

/* What a direction is set to at @when. */
static RccLinkConfig
config_at (const RccScenario *s, RccDirection direction, RccTime when)
{
  RccLinkConfig config;
  RccScenarioRun run;
  RccLink l;

  rcc_link_init (&l, NULL, 1);
  rcc_scenario_run_init (&run, s, direction, 0);
  rcc_scenario_apply (&run, &l, when);
  config = l.config;
  rcc_link_clear (&l);
  return config;
}

static void
every_key (void)
{
  RccScenario *s = parse ("# all of them\n"
      "0 both rate 2.5M delay 50 jitter 30ms queue 300ms   # several a line\n"
      "0\tfwd loss 1%\r\n"
      "\n"
      "0 rev ge 0.01 30% aqm codel ecn on overhead 40 max-age 0.5s\n"
      "0 rev reorder 25% 20ms\n"
      "1.5 fwd rate 500k delay 0.1s queue 75000B loss 0.02 ecn 5ms bucket 3000B\n"
      "2s fwd rate unlimited queue 50 max-age none ge off delay 250us jitter 0 aqm droptail\n"
      "2.5 fwd ecn 1ms-5ms bucket 0B\n"
      "3 both trace outage ecn off reorder off\n");
  RccLinkConfig c = config_at (s, RCC_FORWARD, 0);

  g_assert_cmpuint (c.rate_bps, ==, 2500000);
  g_assert_cmpuint (c.delay, ==, 50 * MS);
  g_assert_cmpuint (c.jitter, ==, 30 * MS);
  g_assert_cmpint (c.queue.unit, ==, RCC_LIMIT_TIME);
  g_assert_cmpuint (c.queue.value, ==, 300 * MS);
  g_assert_cmpfloat (c.loss, ==, 0.01);
  g_assert_cmpfloat (c.ge_p, ==, 0);
  c = config_at (s, RCC_REVERSE, 2 * RCC_SEC);
  g_assert_cmpuint (c.rate_bps, ==, 2500000);
  g_assert_cmpfloat (c.loss, ==, 0);
  g_assert_cmpfloat (c.ge_p, ==, 0.01);
  g_assert_cmpfloat_with_epsilon (c.ge_r, 0.3, 1e-12);
  g_assert_cmpint (c.aqm, ==, RCC_AQM_CODEL);
  g_assert_true (c.ecn);
  g_assert_cmpuint (c.overhead, ==, 40);
  g_assert_cmpuint (c.max_age, ==, 500 * MS);
  g_assert_cmpfloat (c.reorder, ==, 0.25);
  g_assert_cmpuint (c.reorder_by, ==, 20 * MS);
  g_assert_cmpuint (rcc_scenario_max_delay (s, RCC_REVERSE, &(RccLinkConfig) { 0 }), ==,
      100 * MS);
  c = config_at (s, RCC_REVERSE, 3 * RCC_SEC);
  g_assert_cmpfloat (c.reorder, ==, 0);
  g_assert_cmpuint (c.reorder_by, ==, 0);
  c = config_at (s, RCC_FORWARD, 1500 * MS - 1);
  g_assert_cmpuint (c.rate_bps, ==, 2500000);
  c = config_at (s, RCC_FORWARD, 1500 * MS);
  g_assert_cmpuint (c.rate_bps, ==, 500000);
  g_assert_cmpuint (c.delay, ==, 100 * MS);
  g_assert_cmpint (c.queue.unit, ==, RCC_LIMIT_BYTES);
  g_assert_cmpuint (c.queue.value, ==, 75000);
  g_assert_cmpfloat (c.loss, ==, 0.02);
  g_assert_false (c.ecn);
  g_assert_cmpint (c.ecn_threshold.unit, ==, RCC_LIMIT_TIME);
  g_assert_cmpuint (c.ecn_threshold.value, ==, 5 * MS);
  g_assert_cmpuint (c.ecn_ramp, ==, 0);
  g_assert_cmpuint (c.bucket, ==, 3000);
  c = config_at (s, RCC_FORWARD, 2500 * MS);
  g_assert_cmpint (c.ecn_threshold.unit, ==, RCC_LIMIT_TIME);
  g_assert_cmpuint (c.ecn_threshold.value, ==, MS);
  g_assert_cmpuint (c.ecn_ramp, ==, 4 * MS);
  g_assert_cmpuint (c.bucket, ==, 0);
  c = config_at (s, RCC_FORWARD, 2 * RCC_SEC);
  g_assert_cmpuint (c.rate_bps, ==, RCC_LINK_UNLIMITED);
  g_assert_cmpint (c.queue.unit, ==, RCC_LIMIT_PACKETS);
  g_assert_cmpuint (c.queue.value, ==, 50);
  g_assert_cmpuint (c.max_age, ==, RCC_NEVER);
  g_assert_cmpuint (c.delay, ==, 250 * RCC_USEC);
  g_assert_cmpuint (c.jitter, ==, 0);
  g_assert_null (c.trace);
  c = config_at (s, RCC_FORWARD, 3 * RCC_SEC);
  g_assert_nonnull (c.trace);
  g_assert_true (c.trace == config_at (s, RCC_REVERSE, 3 * RCC_SEC).trace);
  g_assert_cmpint (c.ecn_threshold.unit, ==, RCC_LIMIT_NONE);
  g_assert_cmpuint (c.ecn_ramp, ==, 0);
  g_assert_cmpuint (rcc_scenario_max_delay (s, RCC_FORWARD, &(RccLinkConfig) { 0 }), ==,
      130 * MS);
  rcc_scenario_free (s);
}

static void
order_scale_and_repeat (void)
{
  RccScenario *s = parse ("20 fwd rate 3M\n"
      "10 fwd rate 2M\n"
      "repeat 40\n"
      "0 fwd rate 1M\n"
      "20 fwd rate 4M\n"
      "scale 0.5\n");
  RccScenarioRun run;
  RccLink l;

  g_assert_cmpuint (config_at (s, RCC_FORWARD, 5 * RCC_SEC - 1).rate_bps, ==, 1000000);
  g_assert_cmpuint (config_at (s, RCC_FORWARD, 5 * RCC_SEC).rate_bps, ==, 2000000);
  g_assert_cmpuint (config_at (s, RCC_FORWARD, 10 * RCC_SEC).rate_bps, ==, 4000000);
  g_assert_cmpuint (config_at (s, RCC_FORWARD, 20 * RCC_SEC).rate_bps, ==, 1000000);
  g_assert_cmpuint (config_at (s, RCC_FORWARD, 2015 * RCC_SEC).rate_bps, ==, 4000000);
  g_assert_cmpuint (config_at (s, RCC_REVERSE, 2015 * RCC_SEC).rate_bps, ==,
      RCC_LINK_UNLIMITED);

  /* begun later, asked step by step */
  rcc_link_init (&l, NULL, 1);
  rcc_scenario_run_init (&run, s, RCC_FORWARD, 7 * RCC_SEC);
  g_assert_cmpuint (rcc_scenario_next (&run), ==, 7 * RCC_SEC);
  g_assert_cmpuint (rcc_scenario_apply (&run, &l, 7 * RCC_SEC - 1), ==, 0);
  g_assert_cmpuint (rcc_scenario_apply (&run, &l, 7 * RCC_SEC), ==, 1);
  g_assert_cmpuint (rcc_scenario_next (&run), ==, 12 * RCC_SEC);
  g_assert_cmpuint (rcc_scenario_apply (&run, &l, 26 * RCC_SEC), ==, 2);
  g_assert_cmpuint (rcc_scenario_next (&run), ==, 27 * RCC_SEC);
  rcc_link_clear (&l);
  rcc_scenario_run_init (&run, s, RCC_REVERSE, 0);
  g_assert_cmpuint (rcc_scenario_next (&run), ==, RCC_NEVER);
  rcc_scenario_free (s);
}

/* A change is applied at its own time, however late the caller is. */
static void
changes_are_exact (void)
{
  RccScenario *s = parse ("0 fwd rate 1M overhead 0\n0.004 fwd rate 500k\n");
  RccScenarioRun run;
  RccLinkPacket p;
  RccLink l;

  rcc_link_init (&l, NULL, 1);
  rcc_scenario_run_init (&run, s, RCC_FORWARD, 0);
  rcc_scenario_apply (&run, &l, 0);
  rcc_link_push (&l, 1, 1250, RCC_ECN_NOT_ECT, 0);
  rcc_scenario_apply (&run, &l, RCC_SEC);
  g_assert_true (rcc_link_pop (&l, RCC_SEC, &p));
  g_assert_cmpuint (p.departed, ==, 16 * MS);
  rcc_link_clear (&l);
  rcc_scenario_free (s);
}

static void
built_in_ones (void)
{
  static const struct { const char *name; double at; guint64 fwd, rev; } cases[] = {
    { "rfc8867-5.1", 0, 1000000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.1", 40, 2500000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.1", 60, 600000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.1", 80, 1000000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.1-60s", 23.9, 1000000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.1-60s", 24, 2500000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.1-60s", 36, 600000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.1-60s", 48, 1000000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.2", 0, 4000000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.2", 75, 1000000, RCC_LINK_UNLIMITED },
    { "rfc8867-5.3", 36, 1000000, 800000 },
    { "constant:1M", 0, 1000000, RCC_LINK_UNLIMITED },
  };
  char error[RCC_SCENARIO_ERROR];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RccScenario *s = rcc_scenario_load (cases[i].name, 1, error, sizeof error);
    const RccTime when = (RccTime) (cases[i].at * 1e9);

    g_assert_nonnull (s);
    g_assert_cmpuint (config_at (s, RCC_FORWARD, when).rate_bps, ==, cases[i].fwd);
    g_assert_cmpuint (config_at (s, RCC_REVERSE, when).rate_bps, ==, cases[i].rev);
    for (RccDirection d = RCC_FORWARD; d < RCC_DIRECTIONS; d++) {
      g_assert_cmpuint (config_at (s, d, when).delay, ==, 50 * MS);
      g_assert_cmpuint (config_at (s, d, when).queue.value, ==, 300 * MS);
    }
    rcc_scenario_free (s);
  }
  for (guint i = 0; rcc_scenario_names ()[i]; i++) {
    g_autofree char *name = g_strdup (rcc_scenario_names ()[i]);
    RccScenario *s;

    if (strchr (name, ':'))
      strcpy (strchr (name, ':'), g_str_has_prefix (name, "fbra:") ? ":99" : ":3M");
    s = rcc_scenario_load (name, 1, error, sizeof error);
    g_assert_nonnull (s);
    rcc_scenario_free (s);
  }
}

/* Table 1 of the FBRA paper: the path's delay is the caller's, the rest is not. */
static void
fbras_variable_link (void)
{
  static const struct { double at; guint64 rate; } steps[] = {
    { 0, 256 }, { 49.9, 256 }, { 50, 200 }, { 105, 100 }, { 299, 256 }, { 420, 100 },
    { 500, 150 }, { 639, 100 }, { 640, 256 }, { 705, 240 }, { 770, 135 }, { 785, 100 },
    { 800, 135 }, { 875, 240 }, { 899, 256 },
  };
  char error[RCC_SCENARIO_ERROR];
  RccScenario *s = rcc_scenario_load ("fbra:240", 1, error, sizeof error);

  g_assert_nonnull (s);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    const RccLinkConfig c = config_at (s, RCC_FORWARD, (RccTime) (steps[i].at * 1e9));

    g_assert_cmpuint (c.rate_bps, ==, steps[i].rate * 1000);
    g_assert_cmpuint (c.delay, ==, 240 * MS);
    g_assert_cmpuint (c.queue.value, ==, 50);
  }
  g_assert_cmpuint (config_at (s, RCC_REVERSE, 0).rate_bps, ==, RCC_LINK_UNLIMITED);
  g_assert_cmpuint (config_at (s, RCC_REVERSE, 0).delay, ==, 240 * MS);
  rcc_scenario_free (s);
  g_assert_null (rcc_scenario_load ("fbra:", 1, error, sizeof error));
  g_assert_nonnull (strstr (error, "after 'delay'"));
}

static void
outage_follows_its_seed (void)
{
  char error[RCC_SCENARIO_ERROR];
  RccScenario *a = rcc_scenario_load ("outage", 1, error, sizeof error);
  RccScenario *b = rcc_scenario_load ("outage", 1, error, sizeof error);
  RccScenario *c = rcc_scenario_load ("outage", 2, error, sizeof error);
  const RccTrace *t = config_at (a, RCC_FORWARD, 0).trace;
  const RccTrace *u = config_at (b, RCC_FORWARD, 0).trace;
  const RccTrace *v = config_at (c, RCC_FORWARD, 0).trace;

  g_assert_cmpmem (t->slots, t->n * 4, u->slots, u->n * 4);
  g_assert_true (t->n != v->n || memcmp (t->slots, v->slots, t->n * 4));
  g_assert_cmpuint (config_at (a, RCC_FORWARD, 0).max_age, ==, 500 * MS);
  rcc_scenario_free (a);
  rcc_scenario_free (b);
  rcc_scenario_free (c);
}

static void
bad_lines_are_named (void)
{
  static const struct { guint line; const char *text, *says; } cases[] = {
    { 1, "fwd rate 1M", "expected a time in seconds, scale or repeat at the start" },
    { 1, "-1 fwd rate 1M", "expected a time in seconds" },
    { 1, "inf fwd rate 1M", "expected a time in seconds" },
    { 2, "0 fwd rate 1M\n0 up rate 1M", "expected fwd, rev or both after '0', found 'up'" },
    { 1, "0", "expected fwd, rev or both after '0', found the end of the line" },
    { 1, "0 both", "expected a key and its value after 'both'" },
    { 3, "\n# x\n0 both rtae 1M", "expected rate, trace, delay" },
    { 1, "0 both rate", "after 'rate', found the end of the line" },
    { 1, "0 both rate fast",
      "such as 1M, 500k, 250000, 0 or unlimited after 'rate', found 'fast'" },
    { 1, "0 both rate -1M", "after 'rate', found '-1M'" },
    { 1, "0 both rate 1m", "after 'rate', found '1m'" },
    { 1, "0 both rate 1.2.3M", "after 'rate'" },
    { 1, "0 both rate nan", "after 'rate'" },
    { 1, "0 both rate 0x10", "after 'rate'" },
    { 1, "0 both rate 1e6", "after 'rate'" },
    { 1, "0 both rate 9999999999999999999", "after 'rate'" },
    { 1, "0 both rate 5000G", "after 'rate'" },
    { 1, "0 both delay 50m", "a time such as 50, 50ms or 0.1s after 'delay'" },
    { 1, "0 both delay 4000s", "after 'delay'" },
    { 1, "0 both jitter x", "after 'jitter'" },
    { 1, "0 both reorder", "after 'reorder', found the end of the line" },
    { 1, "0 both reorder 1 20ms", "a share and a time such as 10% 20ms, or off after 'reorder', "
      "found '1'" },
    { 1, "0 both reorder -5% 20ms", "after 'reorder', found '-5%'" },
    { 1, "0 both reorder 101% 20ms", "after 'reorder', found '101%'" },
    { 1, "0 both reorder nan 20ms", "after 'reorder', found 'nan'" },
    { 1, "0 both reorder 10%", "after 'reorder', found the end of the line" },
    { 1, "0 both reorder 10% -1", "after 'reorder', found '-1'" },
    { 1, "0 both reorder 10% 3601s", "after 'reorder', found '3601s'" },
    { 1, "0 both reorder 10% off", "after 'reorder', found 'off'" },
    { 1, "0 both queue 1.5", "50 (packets), 75000B or 300ms after 'queue'" },
    { 1, "0 both queue B", "after 'queue'" },
    { 1, "0 both max-age old", "after 'max-age'" },
    { 1, "0 both loss 1", "a share such as 1% or 0.01 after 'loss', found '1'" },
    { 1, "0 both loss 101%", "after 'loss'" },
    { 1, "0 both ge 1%", "good to bad, bad to good" },
    { 1, "0 both ge", "after 'ge', found the end of the line" },
    { 1, "0 both ge x 1%", "after 'ge', found 'x'" },
    { 1, "0 both aqm red", "droptail or codel after 'aqm', found 'red'" },
    { 1, "0 both ecn maybe", "after 'ecn'" },
    { 1, "0 both overhead -1", "after 'overhead'" },
    { 1, "0 both overhead 70000", "after 'overhead'" },
    { 1, "0 both trace x", "expected mahimahi:PATH, slots:PATH or outage after 'trace'" },
    { 1, "0 both trace slots:", "expected mahimahi:PATH" },
    { 2, "\n0 both trace slots:/nonexistent", "cannot open the trace '/nonexistent'" },
    { 2, "0 both rate 1M\nscale 0", "expected a number above 0 after 'scale', found '0'" },
    { 2, "scale 1\nscale 2", "expected only one such line" },
    { 1, "repeat", "expected a number above 0 after 'repeat'" },
    { 1, "repeat 5 s", "expected the end of the line after '5', found 's'" },
    { 2, "0 fwd rate 1M\nrepeat 5\n10 fwd rate 2M", "later than every change" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *where = g_strdup_printf ("test:%u: ", cases[i].line);
    char error[RCC_SCENARIO_ERROR] = "";

    g_assert_null (rcc_scenario_parse (cases[i].text, strlen (cases[i].text), "test", 1,
            error, sizeof error));
    g_test_message ("%s", error);
    g_assert_true (g_str_has_prefix (error, where));
    g_assert_nonnull (strstr (error, cases[i].says));
    g_assert_true (g_str_has_suffix (error, "."));
  }
}

static void
long_and_binary_lines (void)
{
  g_autofree char *blanks = g_strnfill (5000, ' ');
  g_autoptr (GString) many = g_string_new ("0 fwd");
  char error[RCC_SCENARIO_ERROR];

  g_assert_null (rcc_scenario_parse (blanks, 5000, "test", 1, error, sizeof error));
  g_assert_true (g_str_has_prefix (error, "test:1: expected a line of at most 1023 characters."));
  g_assert_null (rcc_scenario_parse ("0 fwd\0rate 1M", 13, "test", 1, error, sizeof error));
  g_assert_cmpstr (error, ==, "test:1: expected text without zero bytes in it.");
  for (guint i = 0; i < 60; i++)
    g_string_append (many, " loss 0");
  g_assert_null (rcc_scenario_parse (many->str, many->len, "test", 1, error, sizeof error));
  g_assert_nonnull (strstr (error, "at most 62 words"));
  g_string_assign (many, "");
  for (guint i = 0; i < 65; i++)
    g_string_append (many, "0 fwd trace outage\n");
  g_assert_null (rcc_scenario_parse (many->str, many->len, "test", 1, error, sizeof error));
  g_assert_true (g_str_has_prefix (error, "test:65: "));
}

static void
missing_files_say_what_there_is (void)
{
  char error[RCC_SCENARIO_ERROR];

  g_assert_null (rcc_scenario_load ("rfc8867", 1, error, sizeof error));
  for (guint i = 0; rcc_scenario_names ()[i]; i++)
    g_assert_nonnull (strstr (error, rcc_scenario_names ()[i]));
  g_assert_null (rcc_scenario_load ("/", 1, error, sizeof error));
  g_assert_true (g_str_has_prefix (error, "cannot "));
  g_assert_null (rcc_scenario_load ("constant:", 1, error, sizeof error));
  g_assert_nonnull (strstr (error, "after 'rate'"));
}

static void
files_and_their_traces (void)
{
  g_autofree char *folder = g_dir_make_tmp ("rcc-XXXXXX", NULL);
  g_autofree char *trace = g_build_filename (folder, "t.mm", NULL);
  g_autofree char *file = g_build_filename (folder, "s.txt", NULL);
  char error[RCC_SCENARIO_ERROR] = "";
  RccScenario *s;

  g_assert_true (g_file_set_contents (trace, "5\n10\n", -1, NULL));
  g_assert_true (g_file_set_contents (file, "0 fwd trace mahimahi:t.mm\n"
          "1 fwd rate 2M\n2 fwd trace slots:t.mm", -1, NULL));
  s = rcc_scenario_load (file, 1, error, sizeof error);
  g_assert_cmpstr (error, ==, "");
  g_assert_cmpint (config_at (s, RCC_FORWARD, 0).trace->kind, ==, RCC_TRACE_MAHIMAHI);
  g_assert_null (config_at (s, RCC_FORWARD, RCC_SEC).trace);
  g_assert_cmpint (config_at (s, RCC_FORWARD, 2 * RCC_SEC).trace->kind, ==, RCC_TRACE_SLOTS);
  rcc_scenario_free (s);

  g_assert_true (g_file_set_contents (trace, "5\nfive\n", -1, NULL));
  g_assert_null (rcc_scenario_load (file, 1, error, sizeof error));
  g_assert_nonnull (strstr (error, "s.txt:1: "));
  g_assert_nonnull (strstr (error, "t.mm:2: expected one whole number"));
  g_unlink (trace);
  g_unlink (file);
  g_rmdir (folder);
}

static void
hostile_text (void)
{
  static const char *const words[] = {
    "0", "1.5", "fwd", "rev", "both", "rate", "1M", "unlimited", "delay", "50", "queue",
    "300ms", "loss", "1%", "ge", "off", "aqm", "codel", "ecn", "on", "scale", "repeat",
    "0.6", "\n", "\n", "\n0 fwd", "\n1 both", "#", "jitter", "max-age", "none", "overhead",
    "28", "trace", "slots:x", "reorder", "", "\t", "\r\n", "\xff\xfe", "99999999999999",
  };
  char error[RCC_SCENARIO_ERROR];
  guint good = 0;
  RccRng rng;

  rcc_rng_init (&rng, 1, 1);
  for (guint i = 0; i < 100000; i++) {
    g_autoptr (GString) text = g_string_new (i % 2 ? "0 both rate 1M " : "");
    const guint n = rcc_rng_u32 (&rng) % 12;
    RccScenario *s;

    for (guint k = 0; k < n; k++) {
      g_string_append (text, words[rcc_rng_u32 (&rng) % G_N_ELEMENTS (words)]);
      g_string_append_c (text, ' ');
    }
    if (text->len && rcc_rng_u32 (&rng) % 4 == 0)
      text->str[rcc_rng_u32 (&rng) % text->len] = (char) rcc_rng_u32 (&rng);
    error[0] = '\0';
    s = rcc_scenario_parse (text->str, text->len, "test", 1, error, sizeof error);
    g_assert_true ((s != NULL) == (error[0] == '\0'));
    if (s) {
      config_at (s, RCC_FORWARD, 100 * RCC_SEC);
      good += s->n_changes > 0;
    } else {
      g_assert_true (g_str_has_prefix (error, "test:"));
      g_assert_true (g_str_has_suffix (error, "."));
    }
    rcc_scenario_free (s);
  }
  g_assert_cmpuint (good, >, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define T(name, f) g_test_add_func ("/scenario/" name, f)
  T ("every-key", every_key);
  T ("order-scale-and-repeat", order_scale_and_repeat);
  T ("changes-are-exact", changes_are_exact);
  T ("built-in-ones", built_in_ones);
  T ("fbras-variable-link", fbras_variable_link);
  T ("outage-follows-its-seed", outage_follows_its_seed);
  T ("bad-lines-are-named", bad_lines_are_named);
  T ("long-and-binary-lines", long_and_binary_lines);
  T ("missing-files-say-what-there-is", missing_files_say_what_there_is);
  T ("files-and-their-traces", files_and_their_traces);
  T ("hostile-text", hostile_text);
  return g_test_run ();
}
