/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The delay-based controller against an independent one, sample by sample (series/README.md): the
 * whole chain, and each part with the other's inputs.
 */
#include <string.h>
#include <glib.h>
#include "core/gcc/delay.h"

#define US 1000                         /* ns */
#define START 1500000                   /* bit/s */
#define NEAR 1e-9                       /* of a number */

typedef struct {
  RccTime send, arrival;
  guint32 size;
} Packet;

typedef struct {
  RccTime now;
  gint64 d_send, d_arrival;             /* ns */
  gdouble m, threshold, received, bps;
  gchar usage[8], state[12];
} Sample;

/* SERIES.GROUPING.THRESHOLDS.groups */
typedef struct {
  const gchar *series;
  RccGrouping grouping;
  gboolean webrtc;                      /* gains of the profile, else the draft's */
  guint overs;                          /* at least: it is no idle call */
} Case;

static const Case cases[] = {
  { "outages", RCC_GROUPING_NONE, TRUE, 10 }, { "outages", RCC_GROUPING_PAPER, TRUE, 10 },
  { "outages", RCC_GROUPING_DRAFT, TRUE, 10 }, { "deaf", RCC_GROUPING_PAPER, TRUE, 10 },
  { "falls", RCC_GROUPING_NONE, FALSE, 10 }, { "falls", RCC_GROUPING_PAPER, TRUE, 10 },
  { "jitter", RCC_GROUPING_DRAFT, FALSE, 1 }, { "jitter", RCC_GROUPING_PAPER, TRUE, 10 },
};

static gchar **
lines_of (const gchar *name)
{
  g_autofree gchar *path = g_build_filename (g_getenv ("RCC_SERIES"), name, NULL);
  g_autofree gchar *text = NULL;
  GError *error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return g_strsplit (g_strchomp (text), "\n", -1);
}

static GArray *
packets_of (const Case *c)
{
  g_autofree gchar *name = g_strdup_printf ("%s.packets", c->series);
  g_auto (GStrv) lines = lines_of (name);
  GArray *packets = g_array_new (FALSE, FALSE, sizeof (Packet));

  for (gchar **line = lines; *line; line++) {
    g_auto (GStrv) words = g_strsplit (*line, " ", -1);
    const Packet p = { US * g_ascii_strtoull (words[0], NULL, 10),
      US * g_ascii_strtoull (words[1], NULL, 10), (guint32) g_ascii_strtoull (words[2], NULL, 10) };

    g_array_append_val (packets, p);
  }
  return packets;
}

static GArray *
samples_of (const Case *c)
{
  static const gchar *const groupings[] = { "none", "paper", "draft" };
  g_autofree gchar *name = g_strdup_printf ("%s.%s.%s.groups", c->series, groupings[c->grouping],
      c->webrtc ? "webrtc" : "draft");
  g_auto (GStrv) lines = lines_of (name);
  GArray *samples = g_array_new (FALSE, TRUE, sizeof (Sample));
  guint overs = 0;

  for (gchar **line = lines; *line; line++) {
    g_auto (GStrv) w = g_strsplit (*line, " ", -1);
    Sample s = {
      .now = US * g_ascii_strtoull (w[0], NULL, 10),
      .d_send = US * g_ascii_strtoll (w[1], NULL, 10),
      .d_arrival = US * g_ascii_strtoll (w[2], NULL, 10),
      .m = g_ascii_strtod (w[3], NULL), .threshold = g_ascii_strtod (w[4], NULL),
      .received = g_ascii_strtod (w[6], NULL), .bps = g_ascii_strtod (w[8], NULL),
    };

    g_strlcpy (s.usage, w[5], sizeof s.usage);
    g_strlcpy (s.state, w[7], sizeof s.state);
    overs += !strcmp (s.usage, "over");
    g_array_append_val (samples, s);
  }
  g_assert_cmpuint (samples->len, >, 100);
  g_assert_cmpuint (overs, >=, c->overs);
  return samples;
}

static RccGccConfig
config_of (const Case *c)
{
  RccGccConfig config = rcc_gcc_config (RCC_GCC_PAPER);

  config.grouping = c->grouping;
  if (!c->webrtc)
    config.overuse = (RccOveruseConfig) RCC_OVERUSE_DRAFT;
  return config;
}

static void
near (gdouble ours, gdouble theirs)
{
  g_assert_cmpfloat_with_epsilon (ours, theirs, NEAR * MAX (1, ABS (theirs)));
}

static const gchar *
usage_word (RccUsage usage)
{
  return usage == RCC_USAGE_OVER ? "over" : usage == RCC_USAGE_UNDER ? "under" : "normal";
}

static const gchar *
state_word (RccAimdState state)
{
  return state == RCC_AIMD_HOLD ? "hold" : state == RCC_AIMD_INCREASE ? "increase" : "decrease";
}

/* Packets in, A out, with all that is between. */
static void
chain (gconstpointer data)
{
  const RccGccConfig config = config_of (data);
  g_autoptr (GArray) packets = packets_of (data);
  g_autoptr (GArray) samples = samples_of (data);
  RccGccDelay d;
  guint n = 0;

  rcc_gcc_delay_init (&d, &config, START);
  for (guint i = 0; i < packets->len; i++) {
    const Packet *p = &g_array_index (packets, Packet, i);
    const Sample *s = &g_array_index (samples, Sample, MIN (n, samples->len - 1));

    if (!rcc_gcc_delay_packet (&d, p->send, p->arrival, p->size))
      continue;
    n++;
    g_assert_cmpuint (p->arrival, ==, s->now);
    near (d.variation, 1e-6 * (gdouble) (s->d_arrival - s->d_send));
    near (d.m, s->m);
    near (d.threshold, s->threshold);
    g_assert_cmpstr (d.usage, ==, s->usage);
    near (d.received_bps, s->received);
    g_assert_cmpstr (d.state, ==, s->state);
    near (rcc_gcc_delay_bps (&d), s->bps);
  }
  g_assert_cmpuint (n, ==, samples->len);
}

static void
groups (gconstpointer data)
{
  const RccGccConfig config = config_of (data);
  g_autoptr (GArray) packets = packets_of (data);
  g_autoptr (GArray) samples = samples_of (data);
  RccGroupDelta delta;
  RccGroups g;
  guint n = 0;

  rcc_groups_init (&g, config.grouping, config.burst, config.merge_cap);
  for (guint i = 0; i < packets->len; i++) {
    const Packet *p = &g_array_index (packets, Packet, i);
    const Sample *s = &g_array_index (samples, Sample, MIN (n, samples->len - 1));

    if (!rcc_groups_add (&g, p->send, p->arrival, p->size, &delta))
      continue;
    n++;
    g_assert_cmpint (delta.d_send, ==, s->d_send);
    g_assert_cmpint (delta.d_arrival, ==, s->d_arrival);
  }
  g_assert_cmpuint (n, ==, samples->len);
}

/* Filter, detector and rate, each from what the other had there. */
static void
parts (gconstpointer data)
{
  const RccGccConfig config = config_of (data);
  g_autoptr (GArray) samples = samples_of (data);
  RccKalman filter;
  RccOveruse detector;
  RccAimd rate;

  rcc_kalman_init (&filter);
  rcc_overuse_init (&detector, &config.overuse);
  rcc_aimd_init (&rate, &config.aimd, START);
  for (guint i = 0; i < samples->len; i++) {
    const Sample *s = &g_array_index (samples, Sample, i);
    const RccGroupDelta delta = { .d_send = s->d_send, .d_arrival = s->d_arrival };
    const gdouble trend = MIN (i + 1, config.gain) * s->m;
    const RccUsage usage = !strcmp (s->usage, "over") ? RCC_USAGE_OVER
        : !strcmp (s->usage, "under") ? RCC_USAGE_UNDER : RCC_USAGE_NORMAL;

    near (rcc_kalman_update (&filter, &delta), s->m);
    g_assert_cmpstr (usage_word (rcc_overuse_update (&detector, trend, s->d_send, s->now)), ==,
        s->usage);
    near (detector.threshold, s->threshold);
    near (rcc_aimd_update (&rate, usage, s->received, 0, s->now), s->bps);
    g_assert_cmpstr (state_word (rate.state), ==, s->state);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!g_getenv ("RCC_SERIES")) {
    g_printerr ("RCC_SERIES has to be the folder tests/core/gcc/series\n");
    return 1;
  }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    static const struct { const gchar *name; GTestDataFunc run; } tests[] = {
      { "chain", chain }, { "groups", groups }, { "parts", parts },
    };

    for (guint t = 0; t < G_N_ELEMENTS (tests); t++) {
      g_autofree gchar *path = g_strdup_printf ("/gcc-series/%s/%s-%u-%s", tests[t].name,
          cases[i].series, cases[i].grouping, cases[i].webrtc ? "webrtc" : "draft");

      g_test_add_data_func (path, &cases[i], tests[t].run);
    }
  }
  return g_test_run ();
}
